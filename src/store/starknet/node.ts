import type { Hex } from "viem";
import type * as Starknet from "starknet";

import { limitedSignal } from "../../base/clock.js";
import { readTextStream, UnreadableError } from "../../base/files.js";
import { shownJson } from "../../base/json.js";
import { HdpError, isHdpError } from "../../errors/hdp-error.js";

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

/** What a failed call says about the contract that was called. */
export type StarknetFailure =
  | { readonly kind: "no-contract" }
  | { readonly kind: "no-entry-point" }
  | { readonly kind: "not-finalized" }
  /** The contract panicked: `reason` is the short string, or the node's text. */
  | { readonly kind: "panic"; readonly reason: string }
  /** The node refused, or did not answer. */
  | { readonly kind: "node"; readonly reason: string };

const CONTRACT_NOT_FOUND = 20;
const ENTRY_POINT_NOT_FOUND = 21;
const CONTRACT_ERROR = 40;

/**
 * Sorts an error of starknet.js by the JSON-RPC code it carries. Nodes differ in how they report a panic: as text, as
 * felts, or as an object for each contract on the way; all of it is searched.
 */
export function classifyStarknetFailure(error: unknown): StarknetFailure {
  const rpc = property(error, "baseError");
  const code = property(rpc, "code");
  if (code === CONTRACT_NOT_FOUND) return { kind: "no-contract" };
  if (code === ENTRY_POINT_NOT_FOUND) return { kind: "no-entry-point" };
  if (code !== CONTRACT_ERROR) return { kind: "node", reason: firstSentence(rpc ?? error) };
  const data = shownJson(property(rpc, "data") ?? "");
  if (mentions(data, "TASK_NOT_FINALIZED")) return { kind: "not-finalized" };
  if (mentions(data, "ENTRYPOINT_NOT_FOUND") || /entry ?point\b.*\bnot found/i.test(data))
    return { kind: "no-entry-point" };
  if (/not deployed/i.test(data)) return { kind: "no-contract" };
  return { kind: "panic", reason: panicText(data) };
}

/**
 * The error for a failure that says nothing of the task: nothing at the address, a contract that is no store, a panic
 * nobody expects, a node that does not answer.
 */
export function starknetStoreError(failure: StarknetFailure, store: Hex, tried: readonly string[]): HdpError {
  switch (failure.kind) {
    case "no-contract":
      return new HdpError({
        code: "HDP-8002",
        message: `there is no contract at ${store} on this Starknet network.`,
        hints: ["Check the execution store's address, and that rpcUrl is a node of the task's destination chain."],
      });
    case "no-entry-point":
    case "not-finalized":
      return new HdpError({
        code: "HDP-8003",
        message: `the contract at ${store} is no execution store: it has no entry point ${tried.join(" or ")}.`,
        hints: [
          "Check the execution store's address. A store with other names is read with the option entrypoint,",
          "a store without a readable entry point with the option readStorage: see node_modules/hardhat-hdp/docs/starknet.md.",
        ],
      });
    case "panic":
      return new HdpError({
        code: "HDP-8004",
        message: `the contract at ${store} panicked: ${failure.reason}`,
        hints: ["The reason is the contract's own. Check that the address is the execution store's."],
      });
    case "node":
      return new HdpError({
        code: "HDP-8005",
        message: `the Starknet node refused or did not answer: ${failure.reason}`,
        hints: ["Check that rpcUrl is reachable and speaks Starknet's JSON-RPC."],
      });
  }
}

/** Fails at once when the signal does: starknet.js itself knows no signals. Own errors pass through. */
export async function untilAborted<T>(pending: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await pending;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([pending, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}

/** True for errors that are complete already. */
export function isFinal(error: unknown, signal: AbortSignal | undefined): boolean {
  return isHdpError(error) || signal?.aborted === true;
}

/** A short string, as text or as the felt it is. */
function mentions(data: string, shortString: string): boolean {
  return data.includes(shortString) || data.toLowerCase().includes(Buffer.from(shortString).toString("hex"));
}

/** The short string a node quotes in its text: `0x… ('REASON')`; else the text itself, shortened. */
function panicText(data: string): string {
  return /\('([^']+)'\)/.exec(data)?.[1] ?? withoutUrls(data).slice(0, 300);
}

function firstSentence(error: unknown): string {
  const message = property(error, "message");
  const text = typeof message === "string" ? message : shownJson(error);
  return withoutUrls(text.split("\n", 1)[0] ?? "").slice(0, 300) || "no reason given";
}

/** Addresses of nodes may hold a key. */
function withoutUrls(text: string): string {
  return text.replace(/\b\w+:\/\/\S+/g, "<url>");
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** The parts of starknet.js, typed by the package itself. */
export type StarknetJs = typeof Starknet;

/**
 * starknet.js, an optional peer that is loaded when a Starknet store is first used.
 *
 * @param load how to load it
 * @throws HDP-8001 when it is not installed, or its major version is another
 */
export async function loadStarknet(
  load: () => Promise<StarknetJs> = async () => await import("starknet"),
): Promise<StarknetJs> {
  try {
    return await load();
  } catch (cause) {
    throw new HdpError({
      code: "HDP-8001",
      message: "a Starknet execution store needs starknet.js, which could not be loaded.",
      hints: ["Install it beside the plugin: npm install --save-dev starknet@10"],
      cause,
    });
  }
}
