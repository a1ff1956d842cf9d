import type { Address, Hex } from "viem";

import { HdpError } from "../errors/hdp-error.js";
import type { Anchor } from "../request/lifecycle.js";

/** A value with whether it was checked against its block's roots by a proof. */
export interface Read<T> {
  readonly value: T;
  readonly proven: boolean;
}

/** State of an account after its block's execution. An absent account reads as zeros. */
export interface AccountState {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly storageRoot: Hex;
  readonly codeHash: Hex;
}

/**
 * Port through which datalakes and modules read an EVM chain. Everything is in the form that is hashed, so that what
 * is read is what was proven; decoding is the caller's.
 */
export interface ChainReader {
  /** How many values may usefully be asked for at once, where that is more than one reads by oneself. */
  readonly readAhead?: number | undefined;
  /** The items of the block header's RLP list, in order; integers minimal big-endian, zero as `0x`. */
  header(block: bigint): Promise<Read<readonly Hex[]>>;
  account(block: bigint, address: Address): Promise<Read<AccountState>>;
  /** The word of a slot (`slot` is 32 bytes); an absent slot reads as 0. */
  storage(block: bigint, address: Address, slot: Hex): Promise<Read<bigint>>;
  /** The code of an account, checked against its code hash; `0x` for one without. Modules ask for it, datalakes never. */
  code?(block: bigint, address: Address): Promise<Read<Hex>>;
  /** The transaction as it is hashed: the EIP-2718 envelope, or the RLP list for legacy ones. */
  transaction(block: bigint, index: number): Promise<Read<Hex>>;
  /** The receipt in the same form. */
  receipt(block: bigint, index: number): Promise<Read<Hex>>;
  /**
   * What everything that was read rests on; asked for when the reading is over.
   *
   * @throws HdpError HDP-4205 where the chain was reorganised meanwhile, HDP-4206 where it is not the checkpoint's, HDP-4207 where
   * a second node has another block.
   */
  anchor?(): Promise<Anchor | undefined>;
  /** The newest block there is, where there is a chain to ask: ranges are compared with it before they are read. */
  latestBlock?(): Promise<bigint | undefined>;
  /** How many transactions the block has. */
  transactionCount(block: bigint): Promise<number>;
}

/**
 * What to do about proofs. `require`: a value that cannot be proven is an error. `when-possible`: where the node
 * cannot prove, the value is read without and marked unproven. `never`: nothing is checked, everything is unproven.
 * A proof that is given and does not hold is an error in the first two.
 */
export type ProveMode = "require" | "when-possible" | "never";

/** One sentence for every way in which what a node says contradicts what its block commits to. */
const UNEXECUTED_BLOCKS =
  "On a simulated network, blocks skipped by one hardhat_mine of 8 or more have no state: mine at most 7 a call.";
const SETTERS =
  "hardhat_setBalance, hardhat_setStorageAt and the like change the latest block's state behind its header: mine one block and sample from there on.";
const NEVER = 'To read without checking, evaluate with prove: "never" (the result is then marked unproven).';

/** A header does not hash to its block hash, or is not the header that was asked for. */
export function headerMismatch(
  block: bigint,
  field: string,
  sentence: string,
  hints: readonly string[] = [],
): HdpError {
  return new HdpError({
    code: "HDP-4201",
    message: `header of block ${block}, field "${field}": ${sentence}`,
    hints: [...hints, NEVER],
  });
}

/** An account or slot is not what the block's state root commits to. */
export function stateMismatch(block: bigint, field: string, sentence: string): HdpError {
  return new HdpError({
    code: "HDP-4202",
    message: `state of block ${block}, ${field}: ${sentence}`,
    hints: [UNEXECUTED_BLOCKS, SETTERS, NEVER],
  });
}

/** The transactions or receipts of a block do not make up the root in its header. */
export function bodyMismatch(block: bigint, field: "transactionsRoot" | "receiptsRoot", rebuilt: string): HdpError {
  const things = field === "transactionsRoot" ? "transactions" : "receipts";
  return new HdpError({
    code: "HDP-4203",
    message: `block ${block}, field "${field}": the ${things} the node returned make up the root ${rebuilt}, not the header's`,
    hints: [NEVER],
  });
}

/** The node cannot prove a read and `prove` is "require". */
export function cannotProve(block: bigint, what: string, words: string, cause?: unknown): HdpError {
  return new HdpError({
    code: "HDP-4204",
    message: `${what} of block ${block} cannot be proven: ${words}`,
    hints: [
      'Allow unproven reads with prove: "when-possible" (the result is then marked unproven), or use a node that proves.',
    ],
    cause,
  });
}
