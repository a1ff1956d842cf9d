import { isHex } from "viem/utils";
import type { ArtifactManager } from "hardhat/types/artifacts";
import type { Hex } from "viem";

import { isRecord } from "../base/collections.js";
import { printable } from "../errors/printable.js";
import { hdpExecutionStoreMockAbi } from "../store/generated/hdp-execution-store-mock.js";
import { NOT_A_STORE } from "../store/failed-read.js";
import { decodeRevert } from "../store/reverts.js";
import { projectErrors } from "./project-contracts.js";

/** How a transaction ended in which no read of a store failed. */
export interface TransactionOutcome {
  readonly hash: Hex;
  readonly state: "succeeded" | "failed" | "pending";
  /** How it failed: `reverted with AlreadySettled(1)`. */
  readonly reason?: string;
}

/** Returns how a transaction without a failed read ended, by its frame and the errors of the project's contracts. */
export async function outcomeOf(
  hash: Hex,
  frame: unknown,
  artifacts: ArtifactManager,
): Promise<TransactionOutcome> {
  const { error, output, gas, gasUsed } = isRecord(frame) ? frame : {};
  if (error === undefined) return { hash, state: "succeeded" };
  const name = typeof error === "string" ? error : "without a reason";
  if (/out of gas/i.test(name) && isHex(gas) && isHex(gasUsed)) {
    const reason = `ran out of gas (${BigInt(gasUsed)} of ${BigInt(gas)} were used)`;
    return { hash, state: "failed", reason };
  }
  // An invalid opcode has no output.
  if (!isHex(output) || (output === "0x" && !/revert/i.test(name)))
    return { hash, state: "failed", reason: `failed (${printable(name)})` };
  const abi = [...hdpExecutionStoreMockAbi, ...NOT_A_STORE, ...(await projectErrors(artifacts))];
  return { hash, state: "failed", reason: `reverted with ${decodeRevert(output, abi).text}` };
}
