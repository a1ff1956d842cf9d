import type { Hex } from "viem";

import type { ChainIdentifier } from "../../request/chains.js";
import type { ChainReader } from "../chain-reader.js";
import { RecordedChain } from "./recorded-chain.js";
import type { Recording } from "./recording.js";
import { tampered } from "./recording-errors.js";

/** A fixture whose contents fit its block hashes. */
export interface OpenedRecording {
  /** The tasks it was recorded for. Others can be computed from it too where they read nothing else. */
  readonly taskHashes: readonly Hex[];
  readonly readers: ReadonlyMap<ChainIdentifier, ChainReader>;
}

/**
 * Verifies a fixture and serves it. Headers are hashed again and must hash to the pinned block hashes, recorded
 * neighbours must be parent and child, and accounts, slots, transactions and receipts must be proven by the headers'
 * roots. That the pinned hashes are those of the real chain is the recorder's word.
 *
 * @throws HdpError HDP-4603 naming block and field.
 */
export async function openRecording({ taskHashes, chains }: Recording): Promise<OpenedRecording> {
  const readers = new Map<ChainIdentifier, ChainReader>();
  for (const data of chains) {
    if (readers.has(data.chain)) {
      throw tampered(data.chain, data.blocks[0]?.number ?? 0, "chain", "the chain is there twice");
    }
    readers.set(data.chain, await RecordedChain.open(data));
  }
  return { taskHashes, readers };
}
