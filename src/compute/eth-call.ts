import type { Hex } from "viem";
import { bytesToHex, hexToBytes } from "viem/utils";

import { hdpError } from "../errors/hdp-error.js";
import type { ModuleInput } from "../request/task.js";

export interface EthCall {
  readonly chainId: bigint;
  readonly block: bigint;
  readonly from: Hex;
  readonly to: Hex;
  readonly data: Hex;
}

export interface EthCallAnswer {
  /** False if the call reverted, or ran out of its 50,000,000 gas. */
  readonly success: boolean;
  /** Gas measured by the module's EVM, including the intrinsic cost of a transaction. */
  readonly gasUsed: bigint;
  /** The return data, or the revert data. */
  readonly data: Hex;
}

/** Returns the inputs of the module: chain id, block, sender, target, and the calldata as an array of bytes. */
export function ethCallInputs({ chainId, block, from, to, data }: EthCall): readonly ModuleInput[] {
  const bytes = [...hexToBytes(data)].map(BigInt);
  const felts = [chainId, block, BigInt(from), BigInt(to), BigInt(bytes.length), ...bytes];
  return felts.map((felt) => ({ visibility: "public", value: `0x${felt.toString(16)}` }));
}

/** Returns the answer in a module's output, an array: success flag, gas used, and the data after its length. */
export function ethCallAnswer(retdata: readonly bigint[]): EthCallAnswer {
  const [count, success, gasUsed, length, ...bytes] = retdata;
  const fits =
    count === BigInt(retdata.length - 1) &&
    (success === 0n || success === 1n) &&
    length === BigInt(bytes.length) &&
    bytes.every((byte) => byte < 256n);
  if (fits && gasUsed !== undefined) {
    return { success: success === 1n, gasUsed, data: bytesToHex(Uint8Array.from(bytes, Number)) };
  }
  const reason = `it returned ${retdata.length} felts, which are not an answer to a call`;
  const hints = [
    "Name a class of the template: npx hardhat hdp module new eth_call --template eth-call",
  ];
  throw hdpError("HDP-4425", { reason }, { path: "hdp.local.ethCallModule", hints });
}
