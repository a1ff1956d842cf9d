import { DEFAULT_CONCURRENCY } from "../base/node-reads.js";
import { typeOf } from "../chain/blocks.js";
import type { ChainReader } from "../chain/chain-reader.js";
import { noSuchBlock } from "../chain/proven-chain-reader.js";
import { hdpError, HdpError, isHdpError } from "../errors/hdp-error.js";
import { visitedElements } from "../request/describe-task.js";
import { TRANSACTION_TYPES } from "../request/fields.js";
import type { BlockProperty, Datalake, TransactionsInBlock } from "../request/task.js";
import { accountValue, headerValue, receiptValue, transactionValue } from "./field-values.js";

/** One aggregated value. `value` is uint256. */
export type Sample =
  | { readonly block: bigint; readonly value: bigint; readonly proven: boolean }
  | { readonly index: number; readonly value: bigint; readonly proven: boolean };

export interface SampleOptions {
  /** Number of elements read in parallel. Default 16. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Calls `take` with each included value, in order. Reads ahead: starts reads once in a turn of the event loop. */
export async function takeSamples(
  reader: ChainReader,
  datalake: Datalake,
  { concurrency = DEFAULT_CONCURRENCY, signal }: SampleOptions,
  take: (sample: Sample) => void,
): Promise<void> {
  signal?.throwIfAborted();
  const { first, last, step } = visitedElements(datalake);
  const width = Math.max(1, Math.floor(Math.max(concurrency, reader.readAhead ?? 0)));
  const ahead: Promise<Sample | undefined>[] = [];
  let next = first;
  // 1 if a read was taken and has not settled.
  let taken = 0;
  let immediate: NodeJS.Immediate | undefined;
  let hasEnded = false;
  const begin = (): void => {
    immediate = undefined;
    for (; !hasEnded && next <= last && taken + ahead.length < width; next += step) {
      const reading =
        datalake.type === "BlockSampled"
          ? sampleBlock(reader, datalake.sampledProperty, next)
          : sampleTransaction(reader, datalake, next);
      // The error is thrown at the element's turn. This marks it as handled, and stops further reads.
      reading.catch(() => (hasEnded = true));
      ahead.push(reading);
    }
  };
  try {
    for (;;) {
      if (ahead.length === 0) begin();
      taken = 1;
      const reading = ahead.shift();
      if (reading === undefined) return;
      const sample = await reading;
      signal?.throwIfAborted();
      taken = 0;
      immediate ??= setImmediate(begin);
      if (sample !== undefined) take(sample);
    }
  } finally {
    hasEnded = true;
  }
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
): Promise<Sample> {
  if (property.kind === "header") {
    const { value, proven } = await reader.header(block);
    return { block, value: headerValue(block, value, property.field), proven };
  }
  if (property.kind === "account") {
    const { value, proven } = await reader.account(block, property.address);
    return { block, value: accountValue(value, property.field), proven };
  }
  const { value, proven } = await reader.storage(block, property.address, property.slot);
  return { block, value, proven };
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
  const type = TRANSACTION_TYPES[typeOf(envelope)];
  if (type === undefined || !includedTypes[type]) return undefined;
  const what = `${kind} ${index} of block ${targetBlock}`;
  const value =
    property.kind === "tx"
      ? transactionValue(what, envelope, property.field)
      : receiptValue(what, envelope, property.field);
  return { index, value, proven };
}
