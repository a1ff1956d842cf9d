import type { Hex } from "viem";

import { DEFAULT_CONCURRENCY } from "../base/node-reads.js";
import { itemInteger, type RlpItem } from "../base/rlp.js";
import type { Eip1193Provider } from "../base/rpc.js";
import { envelopeItems, typeOf } from "../chain/blocks.js";
import type { AccountState, ChainReader } from "../chain/chain-reader.js";
import {
  noSuchBlock,
  ProvenChainReader,
  type ProvenChainReaderOptions,
} from "../chain/proven-chain-reader.js";
import { hdpError, HdpError, isHdpError } from "../errors/hdp-error.js";
import { visitedElements } from "../request/describe-task.js";
import type {
  AccountField,
  FieldEntry,
  HeaderField,
  ReceiptField,
  TransactionField,
} from "../request/fields.js";
import {
  FIELD_NAMES,
  FIELDS,
  RECEIPT_LIST,
  TRANSACTION_LISTS,
  TRANSACTION_TYPES,
} from "../request/fields.js";
import { taskHash } from "../request/task-hash.js";
import type {
  AggregateContext,
  Anchor,
  BlockProperty,
  Compute,
  Datalake,
  DatalakeComputeTask,
  Operator,
  Task,
  TransactionsInBlock,
} from "../request/task.js";

const MODULUS = 1n << 256n;

/** Folds values one by one, so that memory does not grow with their number. */
export interface Aggregator {
  readonly count: number;
  /** @param value uint256 */
  add(value: bigint): void;
  /** Returns the aggregate, a uint256. @throws HdpError HDP-4305 if no value was added. */
  result(): bigint;
}

/**
 * Returns an aggregator over uint256 that computes as the prover does: `sum` wraps modulo 2^256; `avg` is the wrapped sum
 * divided by the number of values, halves rounded up; `min`, `max` and the comparisons of `count` are unsigned.
 * @throws HdpError HDP-1107 for a count without operator and value.
 */
export function createAggregator({ aggregateFnId, aggregateFnCtx }: Compute): Aggregator {
  const step = aggregateFnId === "count" ? countOf(aggregateFnCtx) : STEPS[aggregateFnId];
  let count = 0;
  let state: bigint | undefined;
  return {
    get count() {
      return count;
    },
    add: (value) => {
      state = step(state, value);
      count += 1;
    },
    result: () => {
      if (state === undefined) throw hdpError("HDP-4305", { function: aggregateFnId });
      // An average is rounded half up.
      return aggregateFnId === "avg" ? (2n * state + BigInt(count)) / BigInt(2 * count) : state;
    },
  };
}

/** Returns the state after a value. The state is undefined before the first value. */
type Step = (state: bigint | undefined, value: bigint) => bigint;

const wrappedSum: Step = (sum = 0n, value) => (sum + value) % MODULUS;

const STEPS: Readonly<Record<Exclude<Compute["aggregateFnId"], "count">, Step>> = {
  sum: wrappedSum,
  avg: wrappedSum,
  min: (least, value) => (least === undefined || value < least ? value : least),
  max: (most, value) => (most === undefined || value > most ? value : most),
};

const COMPARISONS: Readonly<Record<Operator, (value: bigint, other: bigint) => boolean>> = {
  eq: (value, other) => value === other,
  nq: (value, other) => value !== other,
  gt: (value, other) => value > other,
  gteq: (value, other) => value >= other,
  lt: (value, other) => value < other,
  lteq: (value, other) => value <= other,
};

function countOf(context: AggregateContext | undefined): Step {
  if (context === undefined) throw hdpError("HDP-1107");
  const matches = COMPARISONS[context.operator];
  return (found = 0n, value) => found + (matches(value, context.valueToCompare) ? 1n : 0n);
}

export interface Evaluation {
  /** The stored value, a uint256. */
  readonly value: bigint;
  /** Number of aggregated values. */
  readonly samples: number;
  /** Whether every value was checked against its block's hash or roots. */
  readonly proven: boolean;
}

export interface EvaluateWithOptions extends SampleOptions {
  /** Called with every aggregated value, and the aggregate including it. */
  readonly onSample?: ((sample: Sample, aggregate: Pick<Aggregator, "result">) => void) | undefined;
}

export interface EvaluateOptions extends EvaluateWithOptions, ProvenChainReaderOptions {
  /** Provider of the datalake's chain. */
  readonly provider: Eip1193Provider;
}

/**
 * Computes a datalake task over the chain of `provider`, without storing the result.
 * @throws HdpError of area 4xxx: a value that is missing, does not verify or cannot be proven; an empty set.
 * @example
 * const { value, samples, proven } = await evaluate(task, { provider, prove: "require" });
 */
export async function evaluate(
  task: DatalakeComputeTask,
  options: EvaluateOptions,
): Promise<Evaluation> {
  const reader = new ProvenChainReader(options.provider, options);
  await requireLastBlock(reader, task.datalake);
  const evaluation = await evaluateWith(reader, task, options);
  // Checks that the anchor still holds after the last read.
  await reader.anchor();
  return evaluation;
}

/** Computes a datalake task over a reader that the tasks of a run may share. */
export async function evaluateWith(
  reader: ChainReader,
  { datalake, compute }: DatalakeComputeTask,
  { concurrency, signal, onSample }: EvaluateWithOptions = {},
): Promise<Evaluation> {
  const aggregator = createAggregator(compute);
  let proven = true;
  await takeSamples(reader, datalake, { concurrency, signal }, (sample) => {
    aggregator.add(sample.value);
    proven &&= sample.proven;
    onSample?.(sample, aggregator);
  });
  return { value: aggregator.result(), samples: aggregator.count, proven };
}

export interface ExplainedSample {
  /** Block number, or index in the block. */
  readonly position: bigint;
  /** uint256. */
  readonly value: bigint;
  readonly proven: boolean;
  /** The task's value if the samples ended here. */
  readonly aggregate: bigint;
}

export interface Explanation extends Pick<Evaluation, "value" | "proven"> {
  readonly task: DatalakeComputeTask;
  readonly taskHash: Hex;
  /** Meaning of positions. */
  readonly unit: "block" | "transaction";
  readonly samples: readonly ExplainedSample[];
  /** Number of visited elements; more than samples if transaction types are excluded. */
  readonly elements: bigint;
  /** The trust anchor of the proofs; not known for recorded data. */
  readonly anchor?: Anchor | undefined;
}

/** Computes a datalake task and returns every sample. @throws HDP-1126 for a module; errors of `evaluate` */
export async function explainTask(
  reader: ChainReader,
  task: DatalakeComputeTask,
  { concurrency, signal }: SampleOptions = {},
): Promise<Explanation> {
  const samples: ExplainedSample[] = [];
  await requireLastBlock(reader, task.datalake);
  const { value, proven } = await evaluateWith(reader, task, {
    concurrency,
    signal,
    onSample: (sample, aggregate) => {
      const position = "block" in sample ? sample.block : BigInt(sample.index);
      samples.push({
        position,
        value: sample.value,
        proven: sample.proven,
        aggregate: aggregate.result(),
      });
    },
  });
  return {
    task,
    taskHash: taskHash(task),
    unit: task.datalake.type === "BlockSampled" ? "block" : "transaction",
    samples,
    elements: visitedElements(task.datalake).count,
    value,
    proven,
    anchor: await reader.anchor?.(),
  };
}

/** Returns the task if it is a datalake task. @throws HDP-1126 */
export function requireDatalake(task: Task): DatalakeComputeTask {
  if (task.type === "DatalakeCompute") return task;
  const instead =
    "Explain a datalake task of the file (--task <number>), or compare a module's result with hdp verify.";
  throw hdpError("HDP-1126", {
    problem: `the module ${task.programHash} samples no values`,
    instead,
  });
}

function noInteger(place: string): HdpError {
  const advice =
    "It can be encoded and hashed only. Sample an integer field: npx hardhat hdp fields lists them.";
  return hdpError("HDP-4302", {
    place,
    reason: "has no integer value, so it cannot be aggregated.",
    advice,
  });
}

/** Returns a header field as uint256, by its position in the RLP list; hashes as big-endian integers. */
export function headerValue(block: bigint, items: readonly Hex[], field: HeaderField): bigint {
  if (!fitsWord(FIELDS.header[field])) throw noInteger(`header.${field}`);
  const item = items[FIELD_NAMES.header.indexOf(field)];
  if (item === undefined) {
    const reason = `has no ${field}: it is from before the fork that added the field`;
    throw hdpError("HDP-4302", {
      place: `block ${block}`,
      reason,
      advice: "Start the range at a later block.",
    });
  }
  return itemInteger(item);
}

const ACCOUNT_KEYS = {
  nonce: "nonce",
  balance: "balance",
  storage_root: "storageRoot",
  code_hash: "codeHash",
} as const satisfies Readonly<Record<AccountField, keyof AccountState>>;

/** Returns an account field as uint256; hashes as big-endian integers. */
export function accountValue(account: AccountState, field: AccountField): bigint {
  return BigInt(account[ACCOUNT_KEYS[field]]);
}

/** Returns a transaction's field as uint256: raw `v`, only a listed `gas_price`, legacy `chain_id` from `v` (EIP-155). */
export function transactionValue(what: string, envelope: Hex, field: TransactionField): bigint {
  if (field === "to" || !fitsWord(FIELDS.tx[field])) throw noInteger(`tx.${field}`);
  const type = typeOf(envelope);
  const items = envelopeItems(envelope);
  const item = (name: TransactionField): Hex | undefined =>
    bytesAt(items, TRANSACTION_LISTS[type]?.indexOf(name));
  if (type === 0 && field === "chain_id") {
    const v = itemInteger(item("v") ?? "0x");
    if (v < 35n) throw missingField(what, 0, "chain_id");
    return (v - 35n) / 2n;
  }
  const value = item(field);
  if (value === undefined) throw missingField(what, type, field);
  return itemInteger(value);
}

/** Returns a field of a receipt in hashed form as uint256. */
export function receiptValue(what: string, envelope: Hex, field: ReceiptField): bigint {
  if (!fitsWord(FIELDS.tx_receipt[field])) throw noInteger(`tx_receipt.${field}`);
  const item = bytesAt(envelopeItems(envelope), RECEIPT_LIST.indexOf(field)) ?? "0x";
  if (field === "success" && item.length > 4) {
    const reason =
      "has a state root in place of success: its block is from before the Byzantium fork";
    const advice = "Sample tx_receipt.cumulative_gas_used, or a later block.";
    throw hdpError("HDP-4302", { place: what, reason, advice });
  }
  return itemInteger(item);
}

/** Returns whether a field fits a uint256, unlike blooms, bytes of any length and lists. */
function fitsWord({ type }: FieldEntry): boolean {
  return type !== "bytes256" && type !== "bytes" && type !== "list";
}

function bytesAt(items: readonly RlpItem[], index = -1): Hex | undefined {
  const item = items[index];
  return typeof item === "string" ? item : undefined;
}

function missingField(what: string, type: number, field: TransactionField): HdpError {
  const key = TRANSACTION_TYPES[type];
  const reason = `has type ${type}${key === undefined ? "" : ` (${key})`}, which has no ${field}`;
  const advice = `Exclude its type: includedTypes with ${key ?? `type ${type}`} false, or sample other indices.`;
  return hdpError("HDP-4302", { place: what, reason, advice });
}

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
