import { useEffect, useState } from "preact/hooks";

import type { ServerView } from "../src/request/views.js";

const KEY = "hdp-api-key";
/** Milliseconds before the first attempt to connect again, and the longest pause between two. */
const [FIRST_PAUSE, MAX_PAUSE] = [500, 5_000];

/** How the page stands with its server. */
export type Connection = "connecting" | "live" | "lost" | "no key" | "wrong key" | "too many pages";

/** The connection to the development server. */
export interface Server {
  readonly connection: Connection;
  readonly view: ServerView | undefined;
  /** Keeps a key until the tab is closed. */
  readonly useKey: (key: string) => void;
}

/** Returns the headers of each request: other pages cannot send them, so a server without a key wants some text too. */
function headers(): Record<string, string> {
  return { "X-API-KEY": sessionStorage.getItem(KEY) ?? "dashboard" };
}

/** Follows the server's stream of events; it is read with fetch, since an EventSource sends no key. */
export function useServer(): Server {
  const [connection, setConnection] = useState<Connection>("connecting");
  const [view, setView] = useState<ServerView>();
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    void follow(gone.signal, setConnection, setView);
    return () => {
      gone.abort();
    };
  }, [attempts]);
  const useKey = (key: string): void => {
    sessionStorage.setItem(KEY, key);
    setAttempts(attempts + 1);
  };
  return { connection, view, useKey };
}

async function follow(
  signal: AbortSignal,
  report: (connection: Connection) => void,
  show: (view: ServerView) => void,
): Promise<void> {
  const isOver = (): boolean => signal.aborted;
  for (let pause = FIRST_PAUSE; !isOver(); pause = Math.min(2 * pause, MAX_PAUSE)) {
    try {
      const reply = await fetch("/dashboard/events", { headers: headers(), signal });
      if (reply.status === 401 || reply.status === 403) {
        report(reply.status === 401 ? "no key" : "wrong key");
        return;
      }
      if (reply.ok && reply.body !== null) {
        report("live");
        pause = FIRST_PAUSE;
        for await (const text of messages(reply.body)) show(JSON.parse(text) as ServerView);
      }
      report(reply.status === 429 ? "too many pages" : "lost");
    } catch {
      if (isOver()) return;
      report("lost");
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

/** Asks the server for a document. @throws Error with the server's words */
export async function ask(path: string): Promise<unknown> {
  return await replyOf(await fetch(path, { headers: headers() }));
}

/** Has the server do something. @throws Error with the server's words */
export async function act(path: string, body: object): Promise<void> {
  const sent = { ...headers(), "content-type": "application/json" };
  await replyOf(await fetch(path, { method: "POST", headers: sent, body: JSON.stringify(body) }));
}

async function replyOf(reply: Response): Promise<unknown> {
  const json = (await reply.json()) as {
    readonly error?: unknown;
    readonly hints?: readonly unknown[];
  };
  if (reply.ok) return json;
  throw new Error([json.error ?? reply.statusText, ...(json.hints ?? [])].map(String).join(" "));
}
