import type { Dispatcher } from "undici";

import { MAX_TIMER_MS, pauseIn } from "./clock.js";
import { isRecord } from "./collections.js";
import { systemErrorCode } from "./files.js";
import { excessOfValues, jsonOrUndefined, shownJson } from "./json.js";
import { nodeError, type NodeError } from "./node-errors.js";
import { nodeLimit } from "./node-limits.js";
import { NodeReads, type ReadOutcome, type Send } from "./node-reads.js";
import { DEFAULT_TIMEOUT, NoAnswerError } from "./rpc.js";
import { decoded } from "../errors/secrets.js";

/** Where and how a node is read over HTTP. */
export interface HttpReadsOptions extends HttpSendOptions {
  /** Maximum number of HTTP requests in flight. Default 6. */
  readonly width?: number | undefined;
}

interface HttpSendOptions {
  readonly url: () => Promise<string>;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for one HTTP request. Default 30,000. */
  readonly timeout?: number | undefined;
  /** Maximum number of bytes of an answer. Default 32 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Whether a call's only parameter is an object of named ones, as all Starknet nodes take them. Default false. */
  readonly hasNamedParams?: boolean | undefined;
}

const WIDTH = 6;
/** Maximum number of calls in a batch. */
export const MAX_CALLS = 100;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Returns a queue that reads from a node over HTTP, in JSON-RPC batches of at most 100 calls. */
export function httpReads(options: HttpReadsOptions): NodeReads {
  return new NodeReads(httpSend(options), { width: options.width ?? WIDTH, maxCalls: MAX_CALLS });
}

/** Returns a function that sends calls to a node over HTTP, each time in one request, and repeats none. */
export function httpSend(options: HttpSendOptions): Send {
  const { url, headers, timeout = DEFAULT_TIMEOUT, maxAnswerBytes = MAX_ANSWER_BYTES } = options;
  const { hasNamedParams = false } = options;
  let dispatcher: Dispatcher | undefined;
  const ask: Send = async (calls) => {
    const { EnvHttpProxyAgent, request } = await import("undici");
    const { shouldUseProxy } = await import("@nomicfoundation/hardhat-utils/request");
    const address = await url();
    const { username, password } = new URL(address);
    const pair = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
    const authorization = username === "" ? {} : { authorization: `Basic ${pair}` };
    // As for Hardhat's own calls, no proxy leads to this machine.
    const direct = shouldUseProxy(address) ? {} : { noProxy: "*" };
    // Idle connections must neither keep the process alive nor be reused after the node has closed them.
    dispatcher ??= new EnvHttpProxyAgent({
      ...direct,
      maxResponseSize: maxAnswerBytes,
      keepAliveTimeout: 4_000,
    });
    const batch = calls.map(({ method, params }, index) => ({
      jsonrpc: "2.0",
      id: index + 1,
      method,
      params: hasNamedParams ? params[0] : params,
    }));
    const reply = await request(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers, ...authorization },
      body: JSON.stringify(batch.length === 1 ? batch[0] : batch),
      signal: AbortSignal.timeout(Math.min(timeout, MAX_TIMER_MS)),
      dispatcher,
    });
    const text = await reply.body.text();
    return () => readOutcomes(text, reply, batch.length);
  };
  return async (calls) =>
    await ask(calls).catch((error: unknown) => {
      throw connectionFailure(error, calls[0]?.method ?? "", timeout);
    });
}

/** Returns what an answer is that has no outcomes, as a clause. */
function unreadText(text: string, statusCode: number): string {
  if (statusCode !== 200) return `the node answered with HTTP status ${statusCode}`;
  const excess = excessOfValues(text);
  return excess === undefined ? "the answer is no JSON-RPC" : `the answer is not read: ${excess}`;
}

/** Returns the outcome of each call of a request, in the order of the calls, from the node's answer. */
function readOutcomes(
  text: string,
  { statusCode, headers }: Dispatcher.ResponseData,
  calls: number,
): readonly ReadOutcome[] {
  const answer = jsonOrUndefined(text);
  const ids = Array.from({ length: calls }, (_, index) => index + 1);
  if (statusCode !== 200 || answer === undefined || Array.isArray(answer) !== calls > 1) {
    const error =
      (isRecord(answer) ? parseNodeError(answer) : undefined) ??
      nodeError(unreadText(text, statusCode));
    const pause = pauseIn(headers["retry-after"], Date.now());
    const retryAfter = pause === undefined ? error.retryAfter : pause / 1_000;
    Object.assign(error, { statusCode, retryAfter, isOfBatch: true });
    return ids.map(() => ({ error }));
  }
  const records = [answer].flat().filter(isRecord);
  const answers = new Map(records.map((one) => [one["id"], one]));
  return ids.map((id) => {
    const one = answers.get(id);
    if (one === undefined)
      return { error: nodeError("the node left the call out of its answer", { isOfBatch: true }) };
    const error = parseNodeError(one);
    return error === undefined ? { result: one["result"] } : { error };
  });
}

function parseNodeError({ error }: Readonly<Record<string, unknown>>): NodeError | undefined {
  if (error === undefined || error === null) return undefined;
  if (!isRecord(error)) return nodeError(shownJson(error));
  const { code, message, data } = error;
  const words = typeof message === "string" ? message : "no reason given";
  const isOfBatch = nodeLimit(code, words) === "batch";
  const retryAfter = secondsIn(data);
  return nodeError(words, {
    code: typeof code === "number" ? code : undefined,
    data,
    isOfBatch,
    retryAfter,
  });
}

/** Returns the seconds to wait from an error's data: Infura's `backoff_seconds`, Chainstack's `try_again_in`. */
function secondsIn(data: unknown): number | undefined {
  if (!isRecord(data)) return undefined;
  const rate = isRecord(data["rate"]) ? data["rate"] : data;
  return Number.parseFloat(String(rate["backoff_seconds"] ?? data["try_again_in"])) || undefined;
}

function connectionFailure(error: unknown, method: string, timeout: number): Error {
  const code = systemErrorCode(error);
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE")
    return nodeError("the answer is longer than is read", { isOfBatch: true });
  if (error instanceof Error && error.name === "TimeoutError")
    return new NoAnswerError(method, timeout);
  // The message of a system error contains the node's address; undici's messages are clearer than its codes.
  const words =
    error instanceof Error && code?.startsWith("UND_ERR") === true ? error.message : code;
  // Some nodes drop the connection when a batch is larger than they accept.
  return nodeError(`the connection failed: ${words ?? String(error)}`, {
    isOfBatch: true,
    cause: error,
  });
}
