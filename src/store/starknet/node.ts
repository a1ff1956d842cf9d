import type * as Starknet from "starknet";
import type { Hex } from "viem";

import { limitedSignal } from "../../base/clock.js";
import { isRecord } from "../../base/collections.js";
import { readTextStream, UnreadableError } from "../../base/files.js";
import { shownJson } from "../../base/json.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import { StoreRpcError } from "../transact.js";

/** starknet.js, typed by the package itself. */
export type StarknetJs = typeof Starknet;

/**
 * Loads starknet.js, an optional peer, when a Starknet store is first used.
 *
 * @throws HdpError HDP-8001 where it is not installed or has another major version
 */
export async function loadStarknet(
  load: () => Promise<StarknetJs> = async () => await import("starknet"),
): Promise<StarknetJs> {
  try {
    return await load();
  } catch (cause) {
    throw hdpError("HDP-8001", {}, { cause });
  }
}

/** A node that starknet.js talks to. */
export interface StarknetNode {
  readonly rpcUrl: string;
  /** Sends the requests to it. Default: the global fetch, waiting 30 s for an answer to a read, and taking 64 MiB. */
  readonly baseFetch?: typeof fetch | undefined;
}

/** Returns the options of a provider. starknet.js itself bounds neither the wait for an answer nor its length. */
export function nodeOptions({ rpcUrl, baseFetch = boundedFetch() }: StarknetNode): {
  readonly nodeUrl: string;
  readonly baseFetch: typeof fetch;
} {
  return { nodeUrl: rpcUrl, baseFetch };
}

/** Methods that send a transaction: whoever waits for it decides for how long. */
const SENDS = '"starknet_add';

/**
 * Returns a fetch for JSON-RPC that reads answers as a whole, within bounds.
 *
 * @param bounds.timeout of a call that reads, in milliseconds. Default 30,000
 * @param bounds.maxBytes default 64 MiB
 */
export function boundedFetch(
  { timeout = 30_000, maxBytes = 64 * 2 ** 20 }: { readonly timeout?: number; readonly maxBytes?: number } = {},
  send: typeof fetch = fetch,
): typeof fetch {
  return async (url, init) => {
    const isSending = typeof init?.body === "string" && init.body.includes(SENDS);
    const given = init?.signal ?? undefined;
    const limit = isSending ? undefined : limitedSignal(timeout, given);
    try {
      const reply = await send(url, { ...init, signal: limit?.signal ?? given ?? null });
      if (reply.body === null) return reply;
      const text = await readTextStream(reply.body, maxBytes);
      return new Response(text, { status: reply.status, statusText: reply.statusText, headers: reply.headers });
    } catch (cause) {
      if (limit?.expired() === true) throw new Error(`no answer within ${timeout / 1000} s`, { cause });
      if (cause instanceof UnreadableError) throw new Error(`the answer was not read: ${cause.message}`, { cause });
      throw cause;
    } finally {
      limit?.release();
    }
  };
}

/** What a failed call says about the contract. `reason` is the contract's or the node's own. */
export interface StarknetFailure {
  readonly kind: "no-contract" | "no-entry-point" | "not-finalized" | "panic" | "node";
  readonly reason: string;
}

const CONTRACT_NOT_FOUND = 20;
const ENTRY_POINT_NOT_FOUND = 21;
const CONTRACT_ERROR = 40;

/**
 * Reads an error of starknet.js by the JSON-RPC code it carries. Nodes report a panic as text, as felts, or as an object
 * for each contract called on the way: all of it is searched.
 */
export function starknetFailure(error: unknown): StarknetFailure {
  const rpc = isRecord(error) && isRecord(error["baseError"]) ? error["baseError"] : error;
  const { code, data, message } = isRecord(rpc) ? rpc : {};
  const reason = typeof message === "string" ? message : shownJson(rpc);
  if (code === CONTRACT_NOT_FOUND) return { kind: "no-contract", reason };
  if (code === ENTRY_POINT_NOT_FOUND) return { kind: "no-entry-point", reason };
  if (code !== CONTRACT_ERROR) return { kind: "node", reason };
  const text = shownJson(data ?? "");
  const panic = /\('([^']+)'\)/.exec(text)?.[1] ?? text.replace(/\b\w+:\/\/\S+/g, "<url>").slice(0, 300);
  if (mentions(text, "TASK_NOT_FINALIZED")) return { kind: "not-finalized", reason: panic };
  if (mentions(text, "ENTRYPOINT_NOT_FOUND") || /entry ?point\b.*\bnot found/i.test(text)) {
    return { kind: "no-entry-point", reason: panic };
  }
  return { kind: /not deployed/i.test(text) ? "no-contract" : "panic", reason: panic };
}

/** Whether a text has a short string, as text or as the felt it is. */
function mentions(text: string, shortString: string): boolean {
  return text.includes(shortString) || text.toLowerCase().includes(Buffer.from(shortString).toString("hex"));
}

/**
 * The error for a failed read.
 *
 * @param method of the JSON-RPC
 * @param functions entry points that the contract should have
 */
export function starknetReadError(
  { kind, reason }: StarknetFailure,
  method: string,
  address: Hex,
  functions: string,
): HdpError {
  if (kind === "node") return new StoreRpcError(method, reason);
  if (kind === "no-contract") return hdpError("HDP-3002", { address });
  if (kind === "panic") return hdpError("HDP-3007", { contract: `execution store ${address}`, reason });
  return hdpError("HDP-3003", { address, functions });
}
