import { isHdpError } from "../../errors/hdp-error.js";
import { otherOrders } from "../../request/output-order.js";
import { areMarked } from "../../request/output-root.js";
import type { CairoValue } from "../../request/task-result.js";
import type { Abi } from "./abi.js";
import { decodeReturn } from "./arguments.js";

/** Felts that other orders are tried with in all; an output with more orders than that counts as unproven. */
const MAX_TRIED = 100_000;

/** How far felts that somebody claims to have a root are believed. */
export interface ClaimedOutput {
  /** Whether the root and the return type leave no other order. */
  readonly order: "proven" | "unproven";
  /** The return value; undefined without a proven order, or an ABI of `main` that fits. */
  readonly decoded: CairoValue | undefined;
}

/**
 * Returns how far the order of claimed felts is fixed by their root: fully for one felt, equal felts and marked felts,
 * or where no other order that keeps the root is a value of the return type. Marked felts count as those of a module that
 * marks what it returns, unless its return type says otherwise.
 */
export function claimedOutput(felts: readonly bigint[], abi: Abi | undefined): ClaimedOutput {
  const decoded = abi === undefined ? undefined : decodedReturn(abi, felts);
  const fits = abi === undefined || decoded !== undefined;
  const isProven = (fits && areMarked(felts)) || !hasOtherOrder(felts, fits ? abi : undefined);
  return isProven ? { order: "proven", decoded } : { order: "unproven", decoded: undefined };
}

/** @param abi undefined if it is not known or does not fit: then every order is as plausible. */
function hasOtherOrder(felts: readonly bigint[], abi: Abi | undefined): boolean {
  let left = MAX_TRIED;
  for (const other of otherOrders(felts)) {
    left -= other.length;
    if (abi === undefined || left < 0 || decodedReturn(abi, other) !== undefined) return true;
  }
  return false;
}

/** Returns the decoded return value; undefined where the ABI, which no hash covers, is another's. */
function decodedReturn(abi: Abi, felts: readonly bigint[]): CairoValue | undefined {
  try {
    return decodeReturn(abi, felts);
  } catch (error) {
    if (isHdpError(error)) return undefined;
    throw error;
  }
}
