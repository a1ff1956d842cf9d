import type { Hex } from "viem";

import { isRecord } from "../../base/collections.js";
import { shownJson } from "../../base/json.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import { StoreRpcError } from "../node-requests.js";

/** The contract's part of a failed call. `reason` is quoted from the contract or the node. */
interface StarknetFailure {
  readonly kind: "no-contract" | "no-entry-point" | "not-finalized" | "panic" | "node";
  readonly reason: string;
}

const CONTRACT_NOT_FOUND = 20;
const ENTRY_POINT_NOT_FOUND = 21;
const CONTRACT_ERROR = 40;

/**
 * Returns the failure in an error of starknet.js, by its JSON-RPC code. Nodes report a panic as text, as felts, or as
 * an object for each called contract: all of them are searched.
 */
export function starknetFailure(error: unknown): StarknetFailure {
  const rpc = isRecord(error) && isRecord(error["baseError"]) ? error["baseError"] : error;
  const { code, data, message } = isRecord(rpc) ? rpc : {};
  const reason = typeof message === "string" ? message : shownJson(rpc);
  if (code === CONTRACT_NOT_FOUND) return { kind: "no-contract", reason };
  if (code === ENTRY_POINT_NOT_FOUND) return { kind: "no-entry-point", reason };
  if (code !== CONTRACT_ERROR) return { kind: "node", reason };
  const text = shownJson(data ?? "");
  const panic =
    /\('([^']+)'\)/.exec(text)?.[1] ?? text.replace(/\b\w+:\/\/\S+/g, "<url>").slice(0, 300);
  if (mentions(text, "TASK_NOT_FINALIZED")) return { kind: "not-finalized", reason: panic };
  if (mentions(text, "ENTRYPOINT_NOT_FOUND") || /entry ?point\b.*\bnot found/i.test(text)) {
    return { kind: "no-entry-point", reason: panic };
  }
  return { kind: /not deployed/i.test(text) ? "no-contract" : "panic", reason: panic };
}

/** Returns whether a text contains a short string, as text or as its felt. */
function mentions(text: string, shortString: string): boolean {
  return (
    text.includes(shortString) ||
    text.toLowerCase().includes(Buffer.from(shortString).toString("hex"))
  );
}

/** Returns the error for a failed read by a JSON-RPC method; `functions` are entry points the contract should have. */
export function starknetReadError(
  { kind, reason }: StarknetFailure,
  method: string,
  address: Hex,
  functions: string,
): HdpError {
  if (kind === "node") return new StoreRpcError(method, reason);
  if (kind === "no-contract") return hdpError("HDP-3002", { address });
  if (kind === "panic")
    return hdpError("HDP-3007", { contract: `execution store ${address}`, reason });
  return hdpError("HDP-3003", { address, functions });
}
