import type { Address, Hex } from "viem";

import type { StarknetHeaderField } from "../request/starknet-fields.js";
import type { Anchor } from "../request/task-result.js";

/** A value, and whether it was checked against its block's hash or roots. */
export interface Read<T> {
  readonly value: T;
  readonly proven: boolean;
}

/**
 * Why a slot holds 0: its account does not exist, has no code, or has nothing in storage at all, or only the slot is empty,
 * which was never written or written back to 0.
 */
export type EmptyBecause = "account" | "code" | "storage" | "slot";

/** The word of a slot; of 0 also why it is 0. Without a proof only "slot" is known. */
export interface SlotRead extends Read<bigint> {
  readonly empty?: EmptyBecause | undefined;
}

/** A block by the header that was verified for it. */
export interface BlockLink {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parent: Hex;
}

/** A value with the block that it was read from; without it where headers are not checked. */
export type LinkedRead<T, R extends Read<T> = Read<T>> = R & {
  readonly link: BlockLink | undefined;
};

/** State of an account after its block's execution. An absent account has zeros. */
export interface AccountState {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly storageRoot: Hex;
  readonly codeHash: Hex;
}

/** Reads an EVM chain. Callers decode what comes in hashed form, so that a proof covers exactly the values read. */
export interface ChainReader {
  /** Number of values worth requesting in parallel. */
  readonly readAhead?: number | undefined;
  /**
   * Reads the same values for a run that may turn out not to need them: no such read leaves a trace (in the anchor, in a
   * recording), and this reader finds there what it reads later. Without it, nothing is read ahead.
   */
  readonly ahead?: ChainReader | undefined;
  /** Returns the items of the block header's RLP list, in order; integers minimal big-endian, zero as `0x`. */
  header(block: bigint): Promise<Read<readonly Hex[]>>;
  account(block: bigint, address: Address): Promise<Read<AccountState>>;
  /** Returns the word of a slot (`slot` is 32 bytes); 0 for an absent slot. */
  storage(block: bigint, address: Address, slot: Hex): Promise<SlotRead>;
  /** Returns an account's code, checked against its code hash; `0x` without code. Only modules read it. */
  code?(block: bigint, address: Address): Promise<Read<Hex>>;
  /** Returns the EIP-2718 envelope of the transaction, or the RLP list of a legacy one. */
  transaction(block: bigint, index: number): Promise<Read<Hex>>;
  /** Returns the envelope of the receipt, or the RLP list of a legacy one. */
  receipt(block: bigint, index: number): Promise<Read<Hex>>;
  /** Returns the trust anchor of all values read, after the last read. @throws HDP-4205, HDP-4206, HDP-4207 */
  anchor?(): Promise<Anchor | undefined>;
  /** Returns the latest block, if the reader has a chain. Ranges are compared with it before they are read. */
  latestBlock?(): Promise<bigint | undefined>;
}

/** Reads Starknet for modules. Addresses, keys and values are felts. */
export interface StarknetReader {
  /** As that of {@link ChainReader}. */
  readonly ahead?: StarknetReader | undefined;
  /** Returns a field of the block's header, as the felt in the block hash. */
  header(block: bigint, field: StarknetHeaderField): Promise<Read<bigint>>;
  /** Returns the felt at a key of a contract; 0 for an absent key. */
  storage(block: bigint, address: Hex, key: Hex): Promise<Read<bigint>>;
}

/**
 * `require`: a value that cannot be proven is an error. `when-possible`: it is read without proof and marked unproven.
 * `never`: values are not checked and all are unproven. In the first two modes an invalid proof is an error.
 */
export type ProveMode = "require" | "when-possible" | "never";
