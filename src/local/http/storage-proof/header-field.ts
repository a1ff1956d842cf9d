import type { Hex } from "viem";

import { STORAGE_PROOF_HEADER_FIELDS } from "../../../service/wire/storage-proof.js";

/**
 * Position of a header field's published name in the header's RLP list. The published names have two for the
 * beneficiary: COINBASE, and PROPOSER beside it.
 */
const POSITIONS: readonly string[] = STORAGE_PROOF_HEADER_FIELDS.filter((name) => name !== "PROPOSER");

export function isHeaderField(name: string): boolean {
  return name === "PROPOSER" || POSITIONS.includes(name);
}

/** The field as the header holds it: hex bytes, an integer minimal; `null` where the block's header has none. */
export function headerField(name: string, items: readonly Hex[]): Hex | null {
  return items[POSITIONS.indexOf(name === "PROPOSER" ? "COINBASE" : name)] ?? null;
}
