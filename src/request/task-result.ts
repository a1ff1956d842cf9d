import type { Hex } from "viem";

import type { ChainIdentifier } from "./chains.js";

/**
 * The block on which proofs rest. Headers are proven by their hashes; that a hash is on the chain rests on a trust
 * anchor: a `checkpoint`, to which all blocks read are linked by parent hashes; the `node` itself, whose head it was when
 * reading began and which still had that block at the end; or two `nodes`, of which the second has this block and every
 * block read under the same hash; or a `recording`,
 * whose author says that its blocks, of which the latest is named, are on the chain.
 */
export interface Anchor {
  readonly kind: "checkpoint" | "node" | "nodes" | "recording";
  readonly number: bigint;
  readonly hash: Hex;
  /** The network that the chain was read from, if it has a name. */
  readonly source?: AnchorSource;
}

/** The project's network for a chain: the chain itself, or a development chain in its place. */
export interface AnchorSource {
  readonly chain: ChainIdentifier;
  readonly network: string;
  /** Chain id of the network itself. */
  readonly chainId: bigint;
}

/** The value of a result, and what is known of it where it was computed locally. */
export interface ResultValue {
  /** The stored value as an unsigned integer. */
  readonly value: bigint;
  /** Number of aggregated values; known for results computed locally. */
  readonly samples?: number;
  /**
   * Sentences on values that are 0 because there is nothing to read: an account that does not exist, an address without
   * code, a slot that was not written. Present for results computed locally that rest on such values.
   */
  readonly warnings?: readonly string[];
  /** The trust anchor of the proofs; known for results computed locally from one chain. */
  readonly anchor?: Anchor;
  /** Felts that a module returned; known for results computed locally. The stored value is derived from them. */
  readonly output?: readonly bigint[];
  /** The run of a module; known for results computed locally. */
  readonly module?: ModuleResult;
}

/** A result as far as it is shown: stored, or of a run before tasks are sent. */
export interface ShownResult extends TaskWord, ResultValue {
  /** The preimage of a module's stored value, as a service of API version `module-tasks` publishes it. */
  readonly preimage?: OutputPreimage;
}

/** A finalized result as read from an execution store. */
export interface TaskResult extends ShownResult {
  /** Address of the store it was read from. */
  readonly store: Hex;
  /** The hash under which the store has the result, if the service's hash of the task differs from `taskHash`. */
  readonly storedUnder?: Hex;
  /** `flat` where `storedUnder` is the task's hash by the flat hash of its program: the result is the same task's. */
  readonly storedForm?: "flat";
  /** Whether a proof was checked for every value read; known for results computed locally. */
  readonly proven?: boolean;
  /** The transaction that finalized the result, if it can be found. */
  readonly transactionHash?: Hex;
  readonly blockNumber?: bigint;
  readonly gasUsed?: bigint;
}

/** A result as it is computed here, before a store has it. */
export interface ComputedResult extends TaskWord, ResultValue {
  readonly proven: boolean;
}

/** The preimage of an output root, as a service published it, and how far it is believed. */
export interface OutputPreimage {
  /** In the order that the service claims. */
  readonly felts: readonly bigint[];
  /** Whether the stored value is the root of the felts, in some order. If not, they are not the felts of the result. */
  readonly matches: boolean;
  /**
   * Whether the order is proven; present if the felts match. The root alone does not fix it. It is proven for one felt,
   * for marked felts of a module that marks what it returns (see `markedFelts`), where no other order that keeps the root is a value of the return type, and
   * where a run of the module over the configured sources returned the same.
   */
  readonly order?: "proven" | "unproven";
  /** The decoded return value; present if the order is proven and the ABI is known. */
  readonly decoded?: CairoValue;
}

/**
 * A decoded value: numbers as bigint; addresses, class hashes and bytes31 as hex; text as text; `()` and `None` as null;
 * lists for arrays and tuples; objects for structs and for enums (`{ Variant: value }`, unit variants as text).
 * Every decoded value can be encoded again.
 */
export type CairoValue =
  | bigint
  | boolean
  | string
  | null
  | readonly CairoValue[]
  | { readonly [name: string]: CairoValue };

/** The result of a module that was run locally. */
export interface ModuleResult {
  /** Which of `outputRoot` and `rawValue` is stored. */
  readonly rule: "output-root" | "value";
  /** The result since March 2025: the root over the returned felts. */
  readonly outputRoot: Hex;
  /** The result of the generations of 2024: one felt, or a u256 of two. Absent for other outputs. */
  readonly rawValue?: bigint;
  /** The decoded return value of `main`; present if the ABI is known. */
  readonly decoded?: CairoValue;
  /** The calling convention of the run. */
  readonly generation: string;
  readonly steps: number;
  /** Values read from chains. */
  readonly reads: number;
  /** The blocks that it read, a range for each chain. */
  readonly blocks: readonly ChainBlocks[];
  /** What the published provers cannot run of it, a clause each; absent if nothing is known. */
  readonly gaps?: readonly string[];
  /** Its effect on the tries of the task, in the order of the task; absent if the task has none. */
  readonly injectedState?: readonly InjectedStateSummary[];
}

/** Blocks of one chain, the last included. */
export interface ChainBlocks {
  readonly chainId: bigint;
  readonly first: bigint;
  readonly last: bigint;
}

/** The effect of a module on one trie. All values are felts. */
export interface InjectedStateSummary {
  readonly label: Hex;
  readonly rootBefore: Hex;
  readonly rootAfter: Hex;
  /** In the order of the run; the value 0 removes a key. */
  readonly writes: readonly { readonly key: Hex; readonly value: Hex }[];
}

/** A task's hash and the value to store for it, 32 bytes each. */
export interface TaskWord {
  readonly taskHash: Hex;
  readonly word: Hex;
}
