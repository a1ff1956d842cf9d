import { DEFAULT_CONCURRENCY } from "../base/node-reads.js";
import { parseEnvelopeType } from "../chain/blocks.js";
import type { ChainReader, EmptyBecause } from "../chain/chain-reader.js";
import { noSuchBlock } from "../chain/verified-reads.js";
import { hdpError, HdpError, isHdpError } from "../errors/hdp-error.js";
import { type VisitedElements, visitedElements } from "../request/describe-task.js";
import { TRANSACTION_TYPES } from "../request/fields.js";
import type { BlockProperty, Datalake, TransactionsInBlock } from "../request/task.js";
import { accountValue, headerValue, receiptValue, transactionValue } from "./field-values.js";

/** One aggregated value. `value` is uint256. */
export type Sample = BlockSample | TransactionSample;

/** The value of a block. */
interface BlockSample {
  readonly block: bigint;
  readonly value: bigint;
  readonly proven: boolean;
  /** Why the value is 0: there is no such account, it has no code or storage, or its slot is empty. */
  readonly empty?: EmptyBecause | undefined;
}

/** The value of a transaction of a block. */
interface TransactionSample {
  readonly index: number;
  readonly value: bigint;
  readonly proven: boolean;
}

/** How values are read. */
export interface SampleOptions {
  /** Number of elements read in parallel. Default 16. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Calls `take` with each included value, in order. Reads ahead. */
export async function takeSamples(
  reader: ChainReader,
  datalake: Datalake,
  { concurrency = DEFAULT_CONCURRENCY, signal }: SampleOptions,
  take: (sample: Sample) => void,
): Promise<void> {
  signal?.throwIfAborted();
  const width = Math.max(1, Math.floor(Math.max(concurrency, reader.readAhead ?? 0)));
  const reads = new ReadsAhead(reader, datalake, width);
  const { first, last, step } = visitedElements(datalake);
  try {
    for (let element = first; element <= last; element += step) {
      const sample = await reads.next();
      signal?.throwIfAborted();
      if (sample !== undefined) take(sample);
    }
  } finally {
    reads.end();
  }
}

/** The reads of a datalake's elements in order, at most `width` of them open, begun once in a turn of the event loop. */
class ReadsAhead {
  readonly #reader: ChainReader;
  readonly #datalake: Datalake;
  readonly #width: number;
  readonly #elements: VisitedElements;
  /** Reads that were begun and are not awaited yet. */
  readonly #ahead: Promise<Sample | undefined>[] = [];
  #nextElement: bigint;
  #isAwaiting = false;
  #willBegin = false;
  #hasEnded = false;

  public constructor(reader: ChainReader, datalake: Datalake, width: number) {
    this.#reader = reader;
    this.#datalake = datalake;
    this.#width = width;
    this.#elements = visitedElements(datalake);
    this.#nextElement = this.#elements.first;
  }

  /** Returns the next element's sample; undefined for a transaction of an excluded type. */
  public async next(): Promise<Sample | undefined> {
    if (this.#ahead.length === 0) this.#begin();
    this.#isAwaiting = true;
    const sample = await this.#ahead.shift();
    this.#isAwaiting = false;
    this.#beginSoon();
    return sample;
  }

  /** Begins no further reads. */
  public end(): void {
    this.#hasEnded = true;
  }

  #beginSoon(): void {
    if (this.#willBegin) return;
    this.#willBegin = true;
    setImmediate(() => {
      this.#willBegin = false;
      this.#begin();
    });
  }

  #begin(): void {
    const room = this.#width - (this.#isAwaiting ? 1 : 0);
    while (!this.#hasEnded && this.#nextElement <= this.#elements.last) {
      if (this.#ahead.length >= room) return;
      const reading = readSample(this.#reader, this.#datalake, this.#nextElement);
      // The error is thrown at the element's turn. This marks it as handled, and stops further reads.
      reading.catch(() => this.end());
      this.#ahead.push(reading);
      this.#nextElement += this.#elements.step;
    }
  }
}

async function readSample(
  reader: ChainReader,
  datalake: Datalake,
  element: bigint,
): Promise<Sample | undefined> {
  return datalake.type === "BlockSampled"
    ? await sampleBlock(reader, datalake.sampledProperty, element)
    : await sampleTransaction(reader, datalake, element);
}

/** Checks that the last block of a datalake exists; `path` is its place in the request. @throws HDP-4101 */
export async function requireLastBlock(
  reader: ChainReader,
  datalake: Datalake,
  path?: string,
): Promise<void> {
  const latest = await reader.latestBlock?.();
  if (latest === undefined) return;
  const [key, last] =
    datalake.type === "BlockSampled"
      ? ["blockRangeEnd", datalake.blockRangeEnd]
      : ["targetBlock", datalake.targetBlock];
  if (last > latest)
    throw noSuchBlock(last, latest, path === undefined ? undefined : `${path}.${key}`);
}

/** Checks that the first block's state can be read; `path` is the block's place in the request. */
export async function requireFirstState(
  reader: ChainReader,
  datalake: Datalake,
  path: string,
): Promise<void> {
  if (datalake.type !== "BlockSampled" || datalake.sampledProperty.kind === "header") return;
  const { sampledProperty: property } = datalake;
  try {
    if (visitedElements(datalake).count > 0n)
      await sampleBlock(reader, property, datalake.blockRangeStart);
  } catch (cause) {
    if (!isHdpError(cause, "HDP-4208")) throw cause;
    const { code, shortMessage: message, hints } = cause;
    throw new HdpError({ code, message, hints, path: `${path}.blockRangeStart`, cause });
  }
}

async function sampleBlock(
  reader: ChainReader,
  property: BlockProperty,
  block: bigint,
): Promise<BlockSample> {
  if (property.kind === "header") {
    const { value, proven } = await reader.header(block);
    return { block, value: headerValue(block, value, property.field), proven };
  }
  if (property.kind === "account") {
    const { value, proven } = await reader.account(block, property.address);
    const isAbsent = proven && BigInt(value.codeHash) === 0n;
    const empty = isAbsent ? { empty: "account" as const } : {};
    return { block, value: accountValue(value, property.field), proven, ...empty };
  }
  const { value, proven, empty } = await reader.storage(block, property.address, property.slot);
  return { block, value, proven, ...(empty === undefined ? {} : { empty }) };
}

/** Returns the sample of a transaction; `undefined` for an excluded type. */
async function sampleTransaction(
  reader: ChainReader,
  { targetBlock, includedTypes, sampledProperty: property }: TransactionsInBlock,
  position: bigint,
): Promise<Sample | undefined> {
  if (position > 0xffff_ffffn) {
    const values = {
      block: targetBlock,
      index: position,
      transactions: "fewer than 4294967296",
      count: undefined,
    };
    throw hdpError("HDP-4301", values);
  }
  const index = Number(position);
  const kind = property.kind === "tx" ? "transaction" : "receipt";
  const { value: envelope, proven } = await reader[kind](targetBlock, index);
  // Later types, such as EIP-7702, cannot be included.
  const type = TRANSACTION_TYPES[parseEnvelopeType(envelope)];
  if (type === undefined || !includedTypes[type]) return undefined;
  const what = `${kind} ${index} of block ${targetBlock}`;
  const value =
    property.kind === "tx"
      ? transactionValue(what, envelope, property.field)
      : receiptValue(what, envelope, property.field);
  return { index, value, proven };
}
