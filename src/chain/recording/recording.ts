import type { Address, Hex } from "viem";
import { z } from "zod";
import { bytesToHex } from "viem/utils";

import { keccak256 } from "../../base/keccak.js";
import { hexToBytes } from "../../base/rlp.js";
import { HdpError } from "../../errors/hdp-error.js";
import { type ChainIdentifier, isChainIdentifier } from "../../request/chains.js";
import { EMPTY_TRIE_ROOT, indexKey, listTrie, trieValue } from "../trie.js";

/** What the `format` field of a fixture says. */
export const RECORDING_FORMAT = "hardhat-hdp recording";
/** Version of the format that this package writes and reads. */
export const RECORDING_VERSION = 1;

// Lower case only: one spelling for each byte, so that no change of a character is without effect.
const bytes = z.custom<Hex>(isRecordedBytes, "expected hex");
const word = z.custom<Hex>((value) => typeof value === "string" && /^0x[0-9a-f]{64}$/.test(value), "expected 32 bytes");
const address = z.custom<Address>(
  (value) => typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value),
  "expected an address in lower case",
);
const chain = z.custom<ChainIdentifier>(
  (value) => typeof value === "string" && isChainIdentifier(value),
  "expected a chain identifier",
);
/** Bytes as a fixture writes them: hex in lower case. */
export function isRecordedBytes(value: unknown): value is Hex {
  return typeof value === "string" && /^0x(?:[0-9a-f]{2})*$/.test(value);
}

const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

const recordedBlock = z
  .object({
    number: count,
    /** Block hash, pinned: everything of the block is checked against it. */
    hash: word,
    /** RLP of the header. */
    header: bytes,
    /** Accounts that were read, with the slots that were. */
    accounts: z.array(z.object({ address, slots: z.array(word).readonly() }).strict()).readonly(),
    /** How many transactions the block has; there where any of them, a receipt or the number was read. */
    transactionCount: count.optional(),
    /** Indices that were read. */
    transactions: z.array(count).readonly(),
    receipts: z.array(count).readonly(),
  })
  .strict();

const recordedChain = z
  .object({
    chain,
    /** What the node called its chain id: not the identifier's own where a development chain stood for it. */
    nodeChainId: z.string().regex(/^\d{1,78}$/, "expected a decimal number"),
    /** Ascending. */
    blocks: z.array(recordedBlock).readonly(),
    /** Nodes of all state, storage, transaction and receipt tries that lead from the headers to what was read. */
    nodes: z.array(bytes).readonly(),
    /** Code of accounts, found by its hash; absent where modules read none. */
    codes: z.array(bytes).readonly().optional(),
  })
  .strict();

const recording = z
  .object({
    format: z.literal(RECORDING_FORMAT),
    version: z.literal(RECORDING_VERSION),
    /** Of the tasks whose reads are here. */
    taskHashes: z.array(word).readonly(),
    chains: z.array(recordedChain).readonly(),
  })
  .strict();

/** Chain data that tasks read, with its proofs: plain JSON, safe to commit. */
export type Recording = z.output<typeof recording>;
export type RecordedChainData = z.output<typeof recordedChain>;
export type RecordedBlock = z.output<typeof recordedBlock>;

/**
 * Reads a fixture's text. What it holds is not verified by this: see `openRecording`.
 *
 * @throws HdpError HDP-4601 naming the first field that is wrong, HDP-4602 for another format or version.
 */
export function parseRecordingText(text: string, source?: string): Recording {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw malformed(
      undefined,
      `it is no JSON document (${cause instanceof Error ? cause.message : String(cause)})`,
      source,
    );
  }
  return parseRecording(json, source);
}

/** The same for a fixture that is parsed JSON already. */
export function parseRecording(json: unknown, source?: string): Recording {
  const parsed = recording.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .slice(1);
  if (path === "format" || path === "version") throw otherFormat(json, source);
  throw malformed(path, issue?.message ?? "it is invalid", source);
}

/** The text of a fixture file. */
export function recordingText(value: Recording): string {
  return `${JSON.stringify(value, undefined, 1)}\n`;
}

function malformed(path: string | undefined, sentence: string, source: string | undefined): HdpError {
  return new HdpError({
    code: "HDP-4601",
    source,
    path,
    message: `the recorded chain data cannot be read: ${sentence}.`,
    hints: ["Record it again: npx hardhat hdp record <task file> --out <fixture>"],
  });
}

function otherFormat(json: unknown, source: string | undefined): HdpError {
  const named = z.object({ format: z.unknown(), version: z.unknown() }).safeParse(json);
  const shown = named.success
    ? `${JSON.stringify(named.data.format)}, version ${JSON.stringify(named.data.version)}`
    : "";
  return new HdpError({
    code: "HDP-4602",
    source,
    message: `the file is ${shown}; this version reads "${RECORDING_FORMAT}", version ${RECORDING_VERSION}.`,
    hints: ["Name a file that hdp record wrote, or record it again with this version."],
  });
}

/** Something in a fixture contradicts a hash that the fixture pins. */
export function tampered(chain: ChainIdentifier, block: bigint | number, field: string, sentence: string): HdpError {
  return new HdpError({
    code: "HDP-4603",
    message: `recorded data of ${chain}, block ${block}, field "${field}": ${sentence}.`,
    hints: ["The fixture was changed or is damaged. Take it from its source again, or record it again."],
  });
}

/** A read that the fixture does not have: nothing is read from anywhere else. */
export function notRecorded(chain: ChainIdentifier, block: bigint, what: string): HdpError {
  return new HdpError({
    code: "HDP-4604",
    message: `${what} of ${chain}, block ${block}, is not in the recorded chain data.`,
    hints: [
      "The fixture holds what its own tasks read. Record it again with this task:",
      "npx hardhat hdp record <task file> --out <fixture> (several task files may share a fixture)",
    ],
  });
}

/**
 * Nodes of many tries, found by their hash: what is reached from a trusted root is as good as the root. Tries that
 * share nodes (one account over many blocks) share them here.
 */
export class TrieNodes {
  readonly #nodes: ReadonlyMap<Hex, Uint8Array>;

  public constructor(nodes: readonly Hex[]) {
    this.#nodes = new Map(nodes.map(hexToBytes).map((node) => [keccak256(node), node]));
  }

  /**
   * The value under a key of the trie with this root, `undefined` where the nodes prove that there is none.
   *
   * @throws Error where a node on the way is missing.
   */
  public read(root: Hex, key: Uint8Array): Hex | undefined {
    if (root === EMPTY_TRIE_ROOT) return undefined;
    const value = trieValue(hexToBytes(root), key, (hash) => this.#nodes.get(bytesToHex(hash)));
    return value === undefined ? undefined : bytesToHex(value);
  }
}

/** Nodes that prove some elements of an ordered list (a block's transactions or receipts), or their absence. */
export function listProof(items: readonly Hex[], indices: Iterable<number>): readonly Hex[] {
  const { root, nodes } = listTrie(items);
  if (items.length === 0) return [];
  const met = new Set<Hex>();
  for (const index of indices) {
    trieValue(hexToBytes(root), indexKey(index), (hash) => {
      const key = bytesToHex(hash);
      met.add(key);
      return nodes.get(key);
    });
  }
  return [...nodes].filter(([hash]) => met.has(hash)).map(([, node]) => bytesToHex(node));
}
