import type { Hex } from "viem";
import { bytesToHex, hexToBytes } from "viem/utils";
import { z } from "zod";

import { lowerCase } from "../base/hex.js";
import type { ModuleRead } from "../cairo/module-read.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { outputDigest } from "../request/output-root.js";
import type { ModuleInput } from "../request/task.js";

/** A call of a contract at a block of a node's chain. */
export interface NodeCall {
  readonly block: bigint;
  readonly from: Hex;
  readonly to: Hex;
  readonly data: Hex;
}

/** A call of a contract at a block. */
export interface EthCall extends NodeCall {
  readonly chainId: bigint;
}

/** What a call returned, or reverted with. */
export interface CallAnswer {
  /** False if the call reverted, or ran out of its 50,000,000 gas. */
  readonly success: boolean;
  /** The return data, or the revert data. */
  readonly data: Hex;
}

/** What a call returned. */
export interface EthCallAnswer extends CallAnswer {
  /** Gas measured by the module's EVM, including the intrinsic cost of a transaction. No digest fixes it. */
  readonly gasUsed: bigint;
}

/** Returns the inputs of the module: chain id, block, sender, target, and the calldata as an array of bytes. */
export function ethCallInputs({ chainId, block, from, to, data }: EthCall): readonly ModuleInput[] {
  const bytes = [...hexToBytes(data)].map(BigInt);
  const felts = [chainId, block, BigInt(from), BigInt(to), BigInt(bytes.length), ...bytes];
  return felts.map((felt) => ({ visibility: "public", value: `0x${felt.toString(16)}` }));
}

/** Fields that the module's EVM reads of a block and of each account that a call reaches: two calls of a node. */
const HEADER_FIELDS = [
  "baseFeePerGas",
  "beneficiary",
  "gasLimit",
  "mixHash",
  "number",
  "timestamp",
];
const ACCOUNT_FIELDS = ["nonce", "balance", "codeHash"];

const accessListSchema = z.object({
  accessList: z.array(
    z.object({
      address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
      storageKeys: z.array(z.string().regex(/^0x[0-9a-fA-F]{64}$/)),
    }),
  ),
});

/** A storage slot of an account, both in lower case. */
export interface ListedSlot {
  readonly address: Hex;
  readonly slot: Hex;
}

/** Returns the slots that a node says a call reads, by its answer to eth_createAccessList; none without such an answer. */
export function listedSlots(answer: unknown): readonly ListedSlot[] {
  return listedAccounts(answer).flatMap(({ address, storageKeys }) =>
    storageKeys.map((slot) => ({ address: lowerCase(address), slot: lowerCase(slot) })),
  );
}

function listedAccounts(answer: unknown): z.infer<typeof accessListSchema>["accessList"] {
  return accessListSchema.safeParse(answer).data?.accessList ?? [];
}

/**
 * Returns what the module is likely to read for a call, by a node's answer to eth_createAccessList; the sender and the
 * target alone where it has no such answer.
 */
export function expectedReads(call: EthCall, answer: unknown): readonly ModuleRead[] {
  const { chainId, block, from, to } = call;
  const listed = listedAccounts(answer).map(({ address }) => address);
  const addresses = new Set([from, to, ...listed].map(lowerCase));
  const place = { chainId, block };
  return [
    ...HEADER_FIELDS.map((field) => ({ kind: "header" as const, ...place, field })),
    ...[...addresses].flatMap((address) => [
      ...ACCOUNT_FIELDS.map((field) => ({ kind: "account" as const, ...place, field, address })),
      { kind: "bytecode" as const, ...place, field: "code", address },
    ]),
    ...listedSlots(answer).map((listedSlot) => {
      return { kind: "storage" as const, ...place, field: "slot", ...listedSlot };
    }),
  ];
}

/** What a failed call's felt has more than the digest of its data: digests are below. */
const FAILED = 1n << 250n;

interface PrintedOutput {
  readonly retdata: readonly bigint[];
  /** The felts of each print. */
  readonly printedFelts: readonly (readonly bigint[])[];
}

/**
 * Returns the answer of a run. The module returns one felt, the digest of the data, 2^250 more for a call that failed;
 * it prints the gas used and the bytes of the data, which are believed as far as the digest fixes them: the gas is not.
 * @throws HdpError HDP-4425 for another output, or data without that digest
 */
export function ethCallAnswer({ retdata, printedFelts }: PrintedOutput): EthCallAnswer {
  const [felt, ...more] = retdata;
  const [gasUsed, ...bytes] = printedFelts.at(-1) ?? [];
  if (felt === undefined || more.length > 0) throw noAnswer(`it returned ${retdata.length} felts`);
  if (gasUsed === undefined || !bytes.every((byte) => byte < 256n)) {
    throw noAnswer("it printed no data");
  }
  const data = bytesToHex(Uint8Array.from(bytes, Number));
  if (outputDigest(data) !== felt % FAILED) {
    throw noAnswer("the data that it printed are not of the digest that it returned");
  }
  return { success: felt < FAILED, gasUsed, data };
}

function noAnswer(reason: string): HdpError {
  const hints = [
    "Name a class of the template: npx hardhat hdp module new eth_call --template eth-call",
  ];
  return hdpError("HDP-4425", { reason }, { path: "hdp.local.ethCallModule", hints });
}
