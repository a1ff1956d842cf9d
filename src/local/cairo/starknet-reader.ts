import type { Hex } from "viem";

import type { Read } from "../chain-reader.js";
import type { STARKNET_HEADER_FIELDS } from "./generations.js";

/** Fields of a Starknet block that a reader may know. */
export type StarknetHeaderField = (typeof STARKNET_HEADER_FIELDS)[number];

/** Port through which modules read Starknet. Addresses, keys and values are felts. */
export interface StarknetReader {
  /** A field of the block's header, as the felt that the block hash is computed over. */
  header(block: bigint, field: StarknetHeaderField): Promise<Read<bigint>>;
  /** The felt at a key of a contract; an absent key reads as 0. */
  storage(block: bigint, address: Hex, key: Hex): Promise<Read<bigint>>;
}
