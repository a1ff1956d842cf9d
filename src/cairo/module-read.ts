import type { Hex } from "viem";

interface ReadBase {
  readonly chainId: bigint;
  readonly block: bigint;
  /** What of the thing is read, by name. */
  readonly field: string;
}

/** One value a module reads, as it names it in its call. */
export type ModuleRead =
  | (ReadBase & { readonly kind: "header" })
  | (ReadBase & { readonly kind: "account"; readonly address: Hex })
  | (ReadBase & { readonly kind: "storage"; readonly address: Hex; readonly slot: Hex })
  | (ReadBase & { readonly kind: "transaction"; readonly index: number })
  | (ReadBase & { readonly kind: "receipt"; readonly index: number })
  | (ReadBase & { readonly kind: "log"; readonly index: number; readonly logIndex: number })
  /** The account's code, `field` "code". */
  | (ReadBase & { readonly kind: "bytecode"; readonly address: Hex })
  | (ReadBase & { readonly kind: "starknetHeader" })
  | (ReadBase & { readonly kind: "starknetStorage"; readonly address: Hex; readonly slot: Hex });

/**
 * The answer to a read: an integer below 2^256 (a felt on Starknet), for a value of several words (`logsBloom`, a log's
 * `data`) its 32-byte words in order, and for an account's code its bytes.
 */
export type ModuleValue = bigint | readonly bigint[] | Hex;
/** Answers a read. */
export type ReadModuleValue = (read: ModuleRead) => Promise<ModuleValue> | ModuleValue;

/** The read in one line, for messages. */
export function describeRead(read: ModuleRead): string {
  const address = "address" in read ? ` of ${read.address}` : "";
  const slot = "slot" in read ? ` slot ${read.slot}` : "";
  const index = "index" in read ? ` ${read.index}` : "";
  const log = "logIndex" in read ? ` log ${read.logIndex}` : "";
  return `${read.kind}.${read.field}${address}${slot}${index}${log} in block ${read.block} of chain ${read.chainId}`;
}

/** Names of the generations, oldest first: apart from what they are, so that configuration is read without loading it. */
export const GENERATION_NAMES = [
  "2024-06",
  "2024-07-16",
  "2024-07-17",
  "2024-10-17",
  "2024-10-24",
  "2025-02",
  "head",
] as const;
export type GenerationName = (typeof GENERATION_NAMES)[number];
