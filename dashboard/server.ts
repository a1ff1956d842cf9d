import { useEffect, useState } from "preact/hooks";

import type { ServerView } from "../src/request/views.js";
import { CHANNEL, type Connection, follow, type Followed, type Shared } from "./stream.js";

const KEY = "hdp-api-key";
/** Milliseconds after which a page that has heard nothing from the shared worker asks it again. */
const ASK_AGAIN = 500;

/** The connection to the development server. */
export interface Server {
  readonly connection: Exclude<Connection, "refused"> | "no key" | "wrong key";
  readonly view: ServerView | undefined;
  /** Keeps a key until the tab is closed. */
  readonly useKey: (key: string) => void;
}

/** Returns the key to send: a server without a key of its own wants a header too, which other pages cannot send. */
function keyToSend(): string {
  return sessionStorage.getItem(KEY) ?? "dashboard";
}

/** Follows the server by the stream that all open pages share. */
export function useServer(): Server {
  const [{ connection, view }, setState] = useState<Followed>({
    connection: "connecting",
    view: undefined,
  });
  const [attempts, setAttempts] = useState(0);
  useEffect(() => watch(keyToSend(), setState), [attempts]);
  const useKey = (key: string): void => {
    sessionStorage.setItem(KEY, key);
    setAttempts(attempts + 1);
  };
  const refused = sessionStorage.getItem(KEY) === null ? "no key" : "wrong key";
  return { connection: connection === "refused" ? refused : connection, view, useKey };
}

/** Reports what the shared worker knows of the server; where browsers have none, the page follows by itself. */
function watch(key: string, report: (state: Followed) => void): () => void {
  const gone = new AbortController();
  const followAlone = (): void => void follow(key, gone.signal, report);
  // Not in all browsers, whatever the types say.
  if (!("SharedWorker" in globalThis)) {
    followAlone();
    return () => {
      gone.abort();
    };
  }
  const worker = new SharedWorker("/dashboard/stream.js");
  const ask = (): void => {
    worker.port.postMessage(key);
  };
  // The worker may reply before the browser has this page's channel. Whoever has heard one message hears the next ones.
  const asking = setInterval(ask, ASK_AGAIN);
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Shared>) => {
    if (data.key !== key) return;
    clearInterval(asking);
    report(data);
  };
  worker.onerror = () => {
    clearInterval(asking);
    followAlone();
  };
  worker.port.start();
  ask();
  return () => {
    gone.abort();
    clearInterval(asking);
    channel.close();
    worker.port.close();
  };
}

/** Asks the server for a document. @throws Error with the server's words */
async function ask(path: string): Promise<unknown> {
  return await readReply(await fetch(path, { headers: { "X-API-KEY": keyToSend() } }));
}

/** Has the server do something, and returns its reply. @throws Error with the server's words */
export async function act(path: string, body: object): Promise<unknown> {
  const headers = { "X-API-KEY": keyToSend(), "content-type": "application/json" };
  return await readReply(
    await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }),
  );
}

/** A document of the server as far as it is known. */
export interface Asked<T> {
  readonly found?: T | undefined;
  readonly failure?: string | undefined;
}

/**
 * Asks the server for a document, again at each change of the version, and when the connection is back.
 *
 * @param path undefined to ask nothing
 */
export function useAsked<T>(path: string | undefined, isLive: boolean, version = ""): Asked<T> {
  const [asked, setAsked] = useState<Asked<T> & { readonly path?: string | undefined }>({});
  useEffect(() => {
    if (path === undefined || !isLive) return undefined;
    let isCurrent = true;
    ask(path).then(
      (found) => {
        if (isCurrent) setAsked({ path, found: found as T });
      },
      (error: unknown) => {
        if (isCurrent) setAsked((before) => ({ ...before, path, failure: errorMessage(error) }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [path, isLive, version]);
  return asked.path === path ? asked : {};
}

/** Returns the message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function readReply(reply: Response): Promise<unknown> {
  const json = (await reply.json()) as {
    readonly error?: unknown;
    readonly hints?: readonly unknown[];
  };
  if (reply.ok) return json;
  throw new Error([json.error ?? reply.statusText, ...(json.hints ?? [])].map(String).join(" "));
}
