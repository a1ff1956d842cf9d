import type { ServerView } from "../src/request/views.js";

/** Milliseconds before the first attempt to connect again, and the longest pause between two. */
const [FIRST_PAUSE, MAX_PAUSE] = [500, 5_000];

/** How the page stands with its server. */
export type Connection = "connecting" | "live" | "lost" | "refused" | "too many pages";

/** What is known of the server. */
export interface Followed {
  readonly connection: Connection;
  readonly view: ServerView | undefined;
}

/** A message to all pages: what is known by one key. */
export interface Shared extends Followed {
  readonly key: string;
}

/** Name of the channel from the shared worker to the pages. */
export const CHANNEL = "hdp-server";

/**
 * Follows the server's stream of events until the signal aborts or the key is refused. It is read with fetch, since an
 * EventSource sends no key.
 */
export async function follow(
  key: string,
  signal: AbortSignal,
  report: (state: Followed) => void,
): Promise<void> {
  let view: ServerView | undefined;
  const isOver = (): boolean => signal.aborted;
  for (let pause = FIRST_PAUSE; !isOver(); pause = Math.min(2 * pause, MAX_PAUSE)) {
    try {
      const reply = await fetch("/dashboard/events", { headers: { "X-API-KEY": key }, signal });
      if (reply.status === 401 || reply.status === 403) {
        report({ connection: "refused", view: undefined });
        return;
      }
      if (reply.ok && reply.body !== null) {
        pause = FIRST_PAUSE;
        for await (const text of messages(reply.body)) {
          view = JSON.parse(text) as ServerView;
          report({ connection: "live", view });
        }
      }
      report({ connection: reply.status === 429 ? "too many pages" : "lost", view });
    } catch {
      if (!isOver()) report({ connection: "lost", view });
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Returns the data of each event of a stream. */
async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) if (event.startsWith("data: ")) yield event.slice("data: ".length);
  }
}
