import type { Address, Hex } from "viem";

import type { Anchor } from "../request/lifecycle.js";

/** A value, and whether a proof checked it against its block's hash or roots. */
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
 * Port through which datalakes and modules read an EVM chain. Blocks, transactions and receipts come in the form that is
 * hashed, so that the proof covers exactly what is read; callers decode it.
 */
export interface ChainReader {
  /** How many values may usefully be asked for at once. */
  readonly readAhead?: number | undefined;
  /** The items of the block header's RLP list, in order; integers minimal big-endian, zero as `0x`. */
  header(block: bigint): Promise<Read<readonly Hex[]>>;
  account(block: bigint, address: Address): Promise<Read<AccountState>>;
  /** The word of a slot (`slot` is 32 bytes); an absent slot reads as 0. */
  storage(block: bigint, address: Address, slot: Hex): Promise<Read<bigint>>;
  /** The code of an account, checked against its code hash; `0x` for one without. Read by modules only. */
  code?(block: bigint, address: Address): Promise<Read<Hex>>;
  /** The EIP-2718 envelope of the transaction, or the RLP list of a legacy one. */
  transaction(block: bigint, index: number): Promise<Read<Hex>>;
  /** The envelope of the receipt, or the RLP list of a legacy one. */
  receipt(block: bigint, index: number): Promise<Read<Hex>>;
  /** The block that everything read rests on, when the reading is over. @throws HDP-4205, HDP-4206, HDP-4207 */
  anchor?(): Promise<Anchor | undefined>;
  /** The latest block, where there is a chain to ask: ranges are compared with it before they are read. */
  latestBlock?(): Promise<bigint | undefined>;
  transactionCount(block: bigint): Promise<number>;
}

/**
 * `require`: a value that cannot be proven is an error. `when-possible`: where the node cannot prove, the value is read
 * without a proof and marked unproven. `never`: nothing is checked, everything is unproven. In the first two modes a proof
 * that does not hold is an error.
 */
export type ProveMode = "require" | "when-possible" | "never";
