import type { Address, Hex } from "viem";

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
