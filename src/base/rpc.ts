import { HdpError, hdpError } from "../errors/hdp-error.js";
import { printable } from "../errors/printable.js";
import { limitedSignal, unlessAborted } from "./clock.js";
import { errorMessage } from "./text.js";

/** A JSON-RPC call. */
export interface RpcCall {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** The required part of EIP-1193. Providers of Hardhat, viem and wallets all implement it. */
export interface Eip1193Provider {
  request(call: RpcCall): Promise<unknown>;
}

/** Milliseconds that a call waits for its answer, where the caller does not say how many. */
export const DEFAULT_TIMEOUT = 30_000;

/** The node gave no answer in time. It may have executed the request. */
export class NoAnswerError extends Error {
  public constructor(method: string, timeout: number) {
    super(`no answer to ${method} within ${(timeout / 1000).toString()} s`);
  }
}

/** Calls a node until the signal aborts or `timeout` ms (30,000) pass. @throws NoAnswerError, or the signal's reason */
export async function callProvider(
  provider: Eip1193Provider,
  method: string,
  params: readonly unknown[],
  {
    signal,
    timeout = DEFAULT_TIMEOUT,
  }: { signal?: AbortSignal | undefined; timeout?: number | undefined } = {},
): Promise<unknown> {
  signal?.throwIfAborted();
  const limit = limitedSignal(timeout, signal);
  try {
    const answer = await unlessAborted(provider.request({ method, params }), limit.signal);
    signal?.throwIfAborted();
    if (answer === undefined) throw new NoAnswerError(method, timeout);
    return answer.value;
  } finally {
    limit.release();
  }
}

/** Hardhat's error numbers for a node that does not answer, or not in JSON-RPC. */
const NO_NODE: readonly unknown[] = ["HHE702", "HHE703", "HHE704"];

/** Returns whether Hardhat numbers the error as one of the configuration, such as a wrong chain id. */
export function isHardhatError(error: unknown): error is Error {
  if (!(error instanceof Error) || !("errorCode" in error)) return false;
  return (
    typeof error.errorCode === "string" &&
    /^HHE\d/.test(error.errorCode) &&
    !NO_NODE.includes(error.errorCode)
  );
}

/** Returns whether a failure is a node's answer: a JSON-RPC error, which has a numeric code. */
export function isAnswer(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "number" &&
    !("errorCode" in error)
  );
}

/**
 * Calls a node.
 *
 * @throws HdpError HDP-4103 with the call and the node's reason; Hardhat's error for a wrong configuration
 */
export async function askNode(
  provider: Eip1193Provider,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  try {
    return await provider.request({ method, params });
  } catch (error) {
    throw callFailure(method, params, error);
  }
}

/** Returns the error that {@link askNode} throws for a failed call. */
export function callFailure(method: string, params: readonly unknown[], cause: unknown): Error {
  if (cause instanceof HdpError || isHardhatError(cause)) return cause;
  const call = `${method}(${params.map((item) => JSON.stringify(item)).join(", ")})`;
  const words = providerSentence(cause);
  const whose = describeSpeaker(cause);
  const reason = /[.!?]$/.test(words) ? words : `${words}.`;
  const hints = [
    "Nothing was finalized. Check that the network's node can be reached, then run the command again.",
  ];
  return hdpError("HDP-4103", { call, reason, whose }, { hints, cause });
}

/** Returns whose words a failure has; undefined where a connection failed. */
function describeSpeaker(cause: unknown): string | undefined {
  if (cause instanceof Error && "errorCode" in cause) return "Hardhat's";
  return isAnswer(cause) ? "the node's" : undefined;
}

/** Characters of a message that are searched for addresses, far more than are printed. */
const MAX_READ = 4_096;

/** Returns the first line of a provider's message, without the addresses of nodes, which may hold a key. */
export function providerSentence(error: unknown): string {
  const message = errorMessage(error);
  const start = message.slice(0, MAX_READ).split("\n", 1)[0] ?? "";
  const words = printable(start.replace(/\b\w+:\/\/\S+/g, "<url>")) || "no reason given";
  const status = httpStatus(error);
  return status === undefined || words.includes(status)
    ? words
    : `${words} (HTTP status ${status})`;
}

/** Returns the HTTP status of the node's answer, which Hardhat's own message leaves out. */
function httpStatus(error: unknown): string | undefined {
  for (let depth = 0, one = error; depth < 6 && one instanceof Error; depth += 1, one = one.cause) {
    if ("statusCode" in one && typeof one.statusCode === "number") return one.statusCode.toString();
  }
  return undefined;
}
