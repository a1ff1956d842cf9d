import { limitedSignal } from "../../base/clock.js";
import { UnreadableError } from "../../base/system-error.js";
import { readTextStream } from "../../base/text-file.js";

/** A node that starknet.js talks to. */
export interface StarknetNode {
  readonly rpcUrl: string;
  /** Sends the requests to it. Default: the global fetch, with a deadline and a bound on the length of answers. */
  readonly baseFetch?: typeof fetch | undefined;
}

export interface FetchBounds {
  /** For a call that reads, in milliseconds. */
  readonly deadline?: number | undefined;
  readonly maxBytes?: number | undefined;
}

const DEADLINE = 30_000;
const MOST_ANSWER_BYTES = 64 * 2 ** 20;
/** Methods that send a transaction: whoever waits for it decides for how long. */
const SENDS = '"starknet_add';

/** What a provider of starknet.js is made of, which itself bounds neither the wait for an answer nor its length. */
export function nodeOptions({ rpcUrl, baseFetch = boundedFetch() }: StarknetNode): {
  readonly nodeUrl: string;
  readonly baseFetch: typeof fetch;
} {
  return { nodeUrl: rpcUrl, baseFetch };
}

/** A fetch for JSON-RPC whose answers are read as a whole, within bounds. */
export function boundedFetch(
  { deadline = DEADLINE, maxBytes = MOST_ANSWER_BYTES }: FetchBounds = {},
  send: typeof fetch = fetch,
): typeof fetch {
  return async (url, init) => {
    const isSending = typeof init?.body === "string" && init.body.includes(SENDS);
    const given = init?.signal ?? undefined;
    const limit = isSending ? undefined : limitedSignal(deadline, given);
    try {
      const reply = await send(url, { ...init, signal: limit?.signal ?? given ?? null });
      if (reply.body === null) return reply;
      const text = await readTextStream(reply.body, maxBytes);
      return new Response(text, { status: reply.status, statusText: reply.statusText, headers: reply.headers });
    } catch (error) {
      if (limit?.expired() === true)
        throw new Error(`no answer within ${(deadline / 1000).toString()} s`, { cause: error });
      if (error instanceof UnreadableError)
        throw new Error(`the answer was not read: ${error.message}`, { cause: error });
      throw error;
    } finally {
      limit?.release();
    }
  };
}
