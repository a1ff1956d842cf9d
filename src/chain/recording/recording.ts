import type { Address, Hex } from "viem";
import { z } from "zod";

import { isRecord } from "../../base/collections.js";
import { formatFelt } from "../../base/felt.js";
import { jsonText, parsePlainJson } from "../../base/json.js";
import { firstIssue } from "../../base/text.js";
import { type ErrorContext, type HdpError, hdpError } from "../../errors/hdp-error.js";
import { CHAIN_IDENTIFIERS, type ChainIdentifier } from "../../request/chains.js";
import { STARKNET_HEADER_FIELDS } from "../../request/starknet-fields.js";

/** Value of `format` in recordings. */
export const RECORDING_FORMAT = "hardhat-hdp recording";
/** Version of the format that is written and read. */
export const RECORDING_VERSION = 1;

// Lower case only: each byte has one spelling, so that any changed character is detected.
const bytes = z.custom<Hex>(isRecordedBytes, "expected hex");
const word = z.custom<Hex>(
  (value) => typeof value === "string" && /^0x[0-9a-f]{64}$/.test(value),
  "expected 32 bytes",
);

const address = z.custom<Address>(
  (value) => typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value),
  "expected an address in lower case",
);
const chain = z.enum(CHAIN_IDENTIFIERS, {
  errorMap: () => ({ message: "expected a chain identifier" }),
});

/** Returns whether a value is bytes in a fixture's form: lower-case hex. */
export function isRecordedBytes(value: unknown): value is Hex {
  return typeof value === "string" && /^0x(?:[0-9a-f]{2})*$/.test(value);
}

const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

const recordedBlock = z
  .object({
    number: count,
    /** Pinned block hash, against which all data of the block is checked. */
    hash: word,
    /** RLP of the header. */
    header: bytes,
    /** Accounts that were read, with the slots that were read. */
    accounts: z.array(z.object({ address, slots: z.array(word).readonly() }).strict()).readonly(),
    /** The block's number of transactions; present if a transaction or a receipt was read. */
    transactionCount: count.optional(),
    /** Indices that were read. */
    transactions: z.array(count).readonly(),
    receipts: z.array(count).readonly(),
  })
  .strict();

const recordedChain = z
  .object({
    chain,
    /** The node's chain id. It differs from the identifier's if a development chain took the chain's place. */
    nodeChainId: z.string().regex(/^\d{1,78}$/, "expected a decimal number"),
    /** Ascending. */
    blocks: z.array(recordedBlock).readonly(),
    /** Nodes of the state, storage, transaction and receipt tries that lead from the headers to the values. */
    nodes: z.array(bytes).readonly(),
    /** What blocks that the tasks name by place or date were, when they were recorded. */
    references: z
      .array(
        z
          .object({
            /** As written, without spaces: `latest-3`. */
            text: z.string(),
            /** Whether it ends a range: a day is its last block there, else its first. */
            isEnd: z.boolean(),
            block: count,
            /** Seconds since 1970. */
            timestamp: count,
          })
          .strict(),
      )
      .readonly()
      .optional(),
    /** Code of accounts that modules read. */
    codes: z.array(bytes).readonly().optional(),
  })
  .strict();

const felt = z.string().regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/, "expected a felt");

const recordedStarknet = z
  .object({
    chain,
    /** A node's answers without proofs, ascending. */
    headers: z
      .array(
        z.object({ block: count, field: z.enum(STARKNET_HEADER_FIELDS), value: felt }).strict(),
      )
      .readonly(),
    storage: z
      .array(z.object({ block: count, address: felt, key: felt, value: felt }).strict())
      .readonly(),
  })
  .strict();

const recording = z
  .object({
    format: z.literal(RECORDING_FORMAT),
    version: z.literal(RECORDING_VERSION),
    taskHashes: z.array(word).readonly(),
    chains: z.array(recordedChain).readonly(),
    /** Starknet chains that modules read. */
    starknet: z.array(recordedStarknet).readonly().optional(),
  })
  .strict();

/** Chain data that tasks read, with its proofs: plain JSON that may be committed. */
export type Recording = z.output<typeof recording>;

/** What modules read of Starknet chains; without a member where they read none. */
export interface StarknetReads {
  readonly starknet?: Recording["starknet"];
}
/** Recorded blocks and nodes of proofs of an EVM chain. */
export type RecordedChainData = z.output<typeof recordedChain>;
/** Recorded reads of a Starknet chain. */
export type RecordedStarknet = z.output<typeof recordedStarknet>;
/** A block that a recorded task names by place or date. */
export type RecordedReference = NonNullable<RecordedChainData["references"]>[number];
/** What a recording has of one block. */
export type RecordedBlock = z.output<typeof recordedBlock>;

/** Maximum number of JSON values of a fixture: each sample has some 20, most of them nodes of its proofs. */
const MAX_VALUES = 150_000;

/** Parses a fixture's text; `openRecording` verifies it. @throws HDP-6001 with the first invalid field */
export function parseRecordingText(text: string, source?: string): Recording {
  const notJson = (sentence: string): HdpError =>
    malformed(`it is not JSON: ${sentence}`, { source });
  return parseRecording(parsePlainJson(text, { notJson, maxValues: MAX_VALUES }), source);
}

/** Validates a fixture from parsed JSON. @throws HdpError HDP-6001 with the first invalid field. */
export function parseRecording(json: unknown, source?: string): Recording {
  const parsed = recording.safeParse(json);
  if (parsed.success) return parsed.data;
  const { path, message } = firstIssue(parsed.error);
  if (path === "format" || path === "version") throw malformed(otherFormat(json), { source });
  throw malformed(message, { source, path });
}

/** Returns a recording as the text of a file. */
export function recordingText(value: Recording): string {
  return `${JSON.stringify(value, undefined, 1)}\n`;
}

function malformed(reason: string, context: ErrorContext): HdpError {
  const hints = ["Record it again: npx hardhat hdp record <task file> --out <fixture>"];
  return hdpError(
    "HDP-6001",
    { what: "the recorded chain data", reason, path: undefined },
    { ...context, hints },
  );
}

function otherFormat(json: unknown): string {
  const [format, version] = ["format", "version"].map((name) =>
    jsonText(isRecord(json) ? json[name] : undefined),
  );
  const own = `"${RECORDING_FORMAT}", version ${RECORDING_VERSION}`;
  return `it is ${format ?? "nothing"}, version ${version ?? "none"}; this package reads ${own}`;
}

/** Returns HDP-4603: data of a fixture contradicts a hash that the fixture pins. */
export function tampered(
  chain: ChainIdentifier,
  block: bigint | number,
  field: string,
  reason: string,
): HdpError {
  return hdpError("HDP-4603", { chain, block, field, reason });
}

/** Returns a key of a Starknet contract as fixtures write it. */
export function starknetSlot(address: Hex, key: Hex): { readonly address: Hex; readonly key: Hex } {
  return { address: formatFelt(BigInt(address)), key: formatFelt(BigInt(key)) };
}
