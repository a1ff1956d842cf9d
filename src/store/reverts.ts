import type { Abi, Hex } from "viem";
import { decodeErrorResult, isHex } from "viem/utils";

import { isRecord } from "../base/collections.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { hdpExecutionStoreMockAbi } from "./generated/hdp-execution-store-mock.js";

/** Returns the data of a reverted call, from any place where providers put it; undefined for another failure. */
export function revertData(error: unknown): Hex | undefined {
  for (
    let depth = 0, current = error;
    depth < 6 && isRecord(current);
    depth++, current = current["cause"]
  ) {
    const { data } = current;
    if (isHex(data)) return data;
    if (isRecord(data) && isHex(data["data"])) return data["data"];
  }
  return undefined;
}

/**
 * Returns a revert by a contract's errors and Solidity's; `text` includes the arguments.
 * @param abi default: the errors of the stores and AccessControl
 */
export function decodeRevert(
  data: Hex,
  abi: Abi = hdpExecutionStoreMockAbi,
): {
  readonly name: string | undefined;
  readonly text: string;
} {
  try {
    const { errorName, args } = decodeErrorResult({ abi, data });
    // viem returns undefined for errors without parameters, although the type says a list.
    return {
      name: errorName,
      text: `${errorName}(${Array.isArray(args) ? args.map(String).join(", ") : ""})`,
    };
  } catch {
    return { name: undefined, text: data === "0x" ? "no reason given" : `unknown error ${data}` };
  }
}

/** Explanations of the published reverts for the caller, with the next step. */
const MEANINGS: Readonly<Record<string, string>> = {
  InvalidFact:
    "The facts registry does not know this execution: register its fact first, for the same program hash.",
  NotInBatch:
    "A task or its result is not under the batch's Merkle roots: build roots and proofs from the same pairs.",
  InvalidMmrRoot: "The store knows no root for one of the MMRs: cache or set it first.",
  UnauthorizedProgramHash:
    "The proving program is not authorized: the owner calls setDataProcessorProgramHash.",
  TaskAlreadyFinalized: "The task already has a result, and a satellite never replaces one.",
  MustBeContractOwner: "Only the account that deployed the store may change this.",
  MockPlainFinalizingDisabled:
    "The store accepts proven results only: use proveBatch instead of finalizeTasks.",
};

/** Returns the name of the error with which a call reverted; undefined for another failure, and for an unknown error. */
export function revertName(error: unknown): string | undefined {
  const data = revertData(error);
  return data === undefined ? undefined : decodeRevert(data).name;
}

/** Returns the error that explains a revert, other failures as they are; no `store` while a mock is being deployed. */
export function explainRevert(
  error: unknown,
  store: Hex | undefined,
  account: Hex | undefined,
): unknown {
  const data = revertData(error);
  return data === undefined ? error : revertError(data, store, account);
}

/** Returns the error of a revert with the data of a store's error. */
export function revertError(data: Hex, store: Hex | undefined, account: Hex | undefined): HdpError {
  const { name, text } = decodeRevert(data);
  const isOperator = name !== "Unauthorized" && name !== "AccessControlUnauthorizedAccount";
  if (!isOperator && store !== undefined && account !== undefined)
    return hdpError("HDP-3004", { account, store });
  const contract = store === undefined ? "mock's constructor" : `execution store ${store}`;
  const hints = [name === undefined ? undefined : MEANINGS[name]].filter(
    (hint) => hint !== undefined,
  );
  return hdpError("HDP-3007", { contract, reason: text }, { hints });
}
