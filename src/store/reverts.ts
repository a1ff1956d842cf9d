import type { Hex } from "viem";
import { decodeErrorResult } from "viem/utils";

import { HdpError } from "../base/errors.js";
import { hdpExecutionStoreMockAbi } from "./generated/hdp-execution-store-mock.js";

/** A revert as its contract named it. */
export interface Revert {
  /** Name of the custom error, "Error" for a text reason, "Panic", or undefined when it is unknown. */
  readonly name: string | undefined;
  /** As a person reads it: `NotInBatch()`, `Error(half exceeds 128 bits)`, or the data. */
  readonly text: string;
}

/** What the caller knows about a refused call, for the message. */
export interface RefusedCall {
  readonly store: Hex;
  readonly from?: Hex | undefined;
}

/** Names a revert by the errors of the stores, of OpenZeppelin's AccessControl and of Solidity itself. */
export function decodeRevert(data: Hex): Revert {
  try {
    const { errorName, args } = decodeErrorResult({ abi: hdpExecutionStoreMockAbi, data });
    // Errors without parameters decode to no list at all, whatever the type says.
    return { name: errorName, text: `${errorName}(${Array.isArray(args) ? args.map(String).join(", ") : ""})` };
  } catch {
    return { name: undefined, text: data === "0x" ? "no reason given" : `unknown error ${data}` };
  }
}

/** What each published revert means for the caller, and the next step. */
const MEANINGS: Readonly<Record<string, string>> = {
  InvalidFact: "The facts registry does not know this execution: register its fact first, for the same program hash.",
  NotInBatch: "A task or its result is not under the batch's Merkle roots: build roots and proofs from the same pairs.",
  InvalidMmrRoot: "The store knows no root for one of the MMRs: cache or set it first.",
  UnauthorizedProgramHash: "The proving program is not authorized: the owner calls setDataProcessorProgramHash.",
  TaskAlreadyFinalized: "The task has a result already, and a satellite never replaces one.",
  MustBeContractOwner: "Only the account that deployed the store may change this.",
  MockPlainFinalizingDisabled: "The store accepts proven results only: use proveBatch instead of finalizeTasks.",
};

/** The error for a call that the store reverted. */
export function refusal(data: Hex, call: RefusedCall): HdpError {
  const { name, text } = decodeRevert(data);
  if (name === "Unauthorized" || name === "AccessControlUnauthorizedAccount") {
    return new HdpError({
      code: "HDP-3004",
      message: `account ${call.from ?? "of the call"} is not an operator of the store ${call.store}.`,
      hints: ["Send from an operator (`from`), or let an operator add the account: grantRole(OPERATOR_ROLE, account)."],
    });
  }
  if (name === "DoubleRegistration") {
    return new HdpError({
      code: "HDP-3005",
      message: `the task was requested before in the store ${call.store}.`,
      hints: ["Nothing was sent. Read its status, or await its result."],
    });
  }
  return new HdpError({
    code: "HDP-3007",
    message: `the store ${call.store} refused the call: ${text}.`,
    hints: [name === undefined ? undefined : MEANINGS[name]].filter((hint) => hint !== undefined),
  });
}
