import type { Address, Hex } from "viem";
import { isAddress, isHex } from "viem/utils";

import { isRecord } from "../base/collections.js";
import { lowerCase } from "../base/hex.js";
import type { ConnectedNetwork } from "./connected-network.js";

/** A failed call, as its node traces it again. */
export interface TracedCall {
  readonly method: "debug_traceCall" | "debug_traceTransaction";
  /** What comes before the options. */
  readonly params: readonly unknown[];
  /** Frame of the `callTracer`. */
  readonly frame: unknown;
}

/** A call that failed, as it was requested. */
export interface FailedCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly error: unknown;
}

/** Returns the failed call with its frame of the `callTracer`; with the call itself where the node has no traces. */
export async function tracedCall(
  network: ConnectedNetwork,
  { params, error }: FailedCall,
): Promise<TracedCall> {
  const hash = failedTransaction(error);
  if (hash !== undefined) return await tracedTransaction(network, hash);
  const [call, block] = params;
  const method = "debug_traceCall";
  if (!isRecord(call)) return { method, params: [], frame: undefined };
  const { from, to, data, input, value } = call;
  const plain = { from, to, data: data ?? input, value };
  const at = typeof block === "string" || isRecord(block) ? block : "latest";
  const frame = await network.provider
    .request({ method, params: [plain, at, { tracer: "callTracer" }] })
    .catch(() => plain);
  return { method, params: [plain, at], frame };
}

/** Returns the transaction that failed, where Hardhat's chain mined it before it reported the failure. */
function failedTransaction(error: unknown): Hex | undefined {
  const { transactionHash, data } = isRecord(error) ? error : {};
  const hash = transactionHash ?? (isRecord(data) ? data["transactionHash"] : undefined);
  return isHex(hash) ? hash : undefined;
}

/** Returns a transaction with its frame. @throws an error of the node where it has no traces */
export async function tracedTransaction(network: ConnectedNetwork, hash: Hex): Promise<TracedCall> {
  const method = "debug_traceTransaction";
  const params = [hash, { tracer: "callTracer" }];
  return { method, params: [hash], frame: await network.provider.request({ method, params }) };
}

/** Returns the accounts in a frame of a trace. */
export function frameAccounts(frame: unknown): readonly Address[] {
  if (!isRecord(frame)) return [];
  const { from, to, calls } = frame;
  const own = [from, to].flatMap((one) =>
    typeof one === "string" && isAddress(one, { strict: false }) ? [lowerCase(one)] : [],
  );
  return [...own, ...(Array.isArray(calls) ? calls.flatMap(frameAccounts) : [])];
}
