import type { Address, Hex } from "viem";

import { toWord } from "../base/hex.js";
import { keccak256 } from "../base/keccak.js";
import { CHAIN_IDENTIFIERS, isStarknet } from "../request/chains.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES } from "../request/fields.js";
import {
  findDatalake,
  findOwnModule,
  hasModuleForm,
  inForm,
  type TaskForm,
  writtenTask,
} from "../request/task-form.js";
import { mappingSlot } from "../request/storage-slots.js";
import {
  type DatalakeEncoding,
  encodeCompute,
  encodeDatalake,
  encodeTask,
} from "../request/task-hash.js";
import {
  type BlockProperty,
  type BlockSampled,
  type Compute,
  type Datalake,
  type DatalakeComputeTask,
  type ModuleTask,
  OPERATORS,
  type Task,
  type TransactionProperty,
} from "../request/task.js";

/** One of the hashes that a task can have, and how it comes to it. */
export interface HashedTask {
  readonly hash: Hex;
  /** The task as a user writes it. */
  readonly task: Task;
  readonly form: TaskForm;
  readonly encoding: DatalakeEncoding;
}

/** What is known beside tasks, which a task may be about. */
export interface SearchHints {
  /** Accounts that a task may be about. */
  readonly addresses?: readonly Address[] | undefined;
  /** Contracts of the chain that a task may read. */
  readonly contracts?: readonly Address[] | undefined;
  /** Flat hashes of programs, by their program hashes as tasks have them. */
  readonly flatHashes?: ReadonlyMap<Hex, Hex> | undefined;
}

/** Values that tasks of the project may have been meant to have. */
interface Vocabulary {
  readonly addresses: readonly Address[];
  readonly contracts: readonly Address[];
  readonly programs: readonly Hex[];
  readonly flatHashes: ReadonlyMap<Hex, Hex>;
  /** Blocks at which ranges begin and end. */
  readonly blocks: readonly bigint[];
}

/** Returns the hashes that a task can have: in both forms, and in the datalake form with and without chain id. */
export function possibleHashes(given: Task): readonly HashedTask[] {
  const task = writtenTask(given);
  const encodings = ["with-chain-id", "without-chain-id"] as const;
  if (task.type === "Module") return [hashed(task, "module")];
  const ofDatalake = encodings.map((encoding) => hashed(task, "datalake", encoding));
  return hasModuleForm(task) ? [...ofDatalake, hashed(task, "module")] : ofDatalake;
}

/** Hashes with the keccak of this package, which takes a tenth of the time of viem's. */
function hashed(
  task: Task,
  form: TaskForm,
  encoding: DatalakeEncoding = "with-chain-id",
): HashedTask {
  const formed = inForm(task, form);
  const preimage =
    formed.type === "Module"
      ? encodeTask(formed)
      : hashBytes(encodeDatalake(formed.datalake, { datalakeEncoding: encoding })) +
        encodeCompute(formed.compute).slice(2);
  return { hash: hashBytes(preimage), task, form, encoding };
}

function hashBytes(bytes: string): Hex {
  return keccak256(Buffer.from(bytes.slice(2), "hex"));
}

interface SearchOptions extends SearchHints {
  /** Returns whether the search has taken its time. */
  readonly isOver: () => boolean;
}

/**
 * Returns the task of a hash: one of the tasks, in whatever form and encoding, or one that differs from one of them in one
 * field. Undefined where none of those has the hash, or the search `isOver` before it is found.
 */
export function taskOfHash(
  hash: Hex,
  tasks: readonly Task[],
  { isOver, ...hints }: SearchOptions,
): HashedTask | undefined {
  return firstOfHash(hash, nearTasks(tasks, collectVocabulary(tasks, hints)), isOver);
}

/** Returns the task of a hash that differs from one of the tasks in two fields by little, or in a range far away. */
export function fartherTaskOfHash(
  hash: Hex,
  tasks: readonly Task[],
  { isOver, addresses }: SearchOptions,
): HashedTask | undefined {
  return firstOfHash(hash, fartherTasks(tasks, collectVocabulary(tasks, { addresses })), isOver);
}

function firstOfHash(
  hash: Hex,
  candidates: Iterable<Task>,
  isOver: () => boolean,
): HashedTask | undefined {
  for (const task of candidates) {
    const found = possibleHashes(task).find((one) => one.hash === hash);
    if (found !== undefined) return found;
    if (isOver()) return undefined;
  }
  return undefined;
}

/** Returns the tasks, then those that differ in one field. Near values of every task come before far ones of any. */
function* nearTasks(tasks: readonly Task[], vocabulary: Vocabulary): Generator<Task> {
  yield* tasks;
  for (const reach of REACHES)
    for (const task of tasks) yield* taskVariations(writtenTask(task), reach, vocabulary);
}

function* fartherTasks(tasks: readonly Task[], vocabulary: Vocabulary): Generator<Task> {
  const written = tasks.map(writtenTask);
  for (const task of written)
    for (const once of taskVariations(task, NEXT, vocabulary))
      yield* taskVariations(once, NEXT, vocabulary);
  for (const task of written) yield* farRanges(task, vocabulary);
}

function collectVocabulary(
  tasks: readonly Task[],
  { addresses = [], contracts = [], flatHashes = new Map() }: SearchHints,
): Vocabulary {
  const programs = tasks.flatMap((task) => findOwnModule(task)?.programHash ?? []);
  const ofTasks = tasks.flatMap((task) => sampledAddress(findDatalake(task)?.datalake) ?? []);
  const blocks = tasks.flatMap((task) => rangeEnds(findDatalake(task)?.datalake));
  return {
    programs: [...new Set(programs)],
    addresses: [...new Set([...addresses, ...ofTasks])],
    contracts,
    flatHashes,
    blocks: [...new Set(blocks)],
  };
}

function rangeEnds(datalake: Datalake | undefined): readonly bigint[] {
  if (datalake === undefined) return [];
  return datalake.type === "BlockSampled"
    ? [datalake.blockRangeStart, datalake.blockRangeEnd]
    : [datalake.targetBlock];
}

function sampledAddress(datalake: Datalake | undefined): Address | undefined {
  const property = datalake?.sampledProperty;
  return property !== undefined && "address" in property ? property.address : undefined;
}

/** Distances from a number to try, from the least to the most, each without those before. */
const REACHES: readonly (readonly [above: bigint, upTo: bigint])[] = [
  [0n, 4n],
  [4n, 64n],
];
type Reach = (typeof REACHES)[number];
/** Distance of numbers in tasks that differ in two fields. */
const NEXT: Reach = [0n, 2n];

/** Returns the tasks that differ from a task in one field. */
function taskVariations(task: Task, reach: Reach, vocabulary: Vocabulary): Iterable<Task> {
  return task.type === "Module"
    ? moduleVariations(task, reach, vocabulary)
    : datalakeVariations(task, reach, vocabulary);
}

/** Whether other words, as of a function or a chain, are tried beside numbers. */
function isNear([above]: Reach): boolean {
  return above === 0n;
}

/** Returns the numbers at distances from a number, the nearest first; none below zero. */
export function* numbersNear(value: bigint, [above, upTo]: Reach): Generator<bigint> {
  for (let distance = above + 1n; distance <= upTo; distance++) {
    yield value + distance;
    if (value >= distance) yield value - distance;
  }
}

function* datalakeVariations(
  task: DatalakeComputeTask,
  reach: Reach,
  vocabulary: Vocabulary,
): Generator<Task> {
  for (const datalake of rangeVariations(task.datalake, reach)) yield { ...task, datalake };
  for (const increment of numbersNear(task.datalake.increment, reach))
    if (increment > 0n) yield { ...task, datalake: { ...task.datalake, increment } };
  for (const compute of valueVariations(task.compute, reach)) yield { ...task, compute };
  for (const datalake of slotVariations(task.datalake, reach)) yield { ...task, datalake };
  if (!isNear(reach)) return;
  for (const compute of computeVariations(task.compute)) yield { ...task, compute };
  for (const datalake of wordVariations(task.datalake, vocabulary)) yield { ...task, datalake };
}

/** Ranges with another end, another start, or both moved. */
function* rangeVariations(datalake: Datalake, reach: Reach): Generator<Datalake> {
  if (datalake.type === "BlockSampled") {
    const { blockRangeStart: start, blockRangeEnd: end } = datalake;
    for (const blockRangeEnd of numbersNear(end, reach))
      if (blockRangeEnd >= start) yield { ...datalake, blockRangeEnd };
    for (const blockRangeStart of numbersNear(start, reach)) {
      if (blockRangeStart <= end) yield { ...datalake, blockRangeStart };
      yield { ...datalake, blockRangeStart, blockRangeEnd: end + blockRangeStart - start };
    }
    return;
  }
  for (const targetBlock of numbersNear(datalake.targetBlock, reach))
    yield { ...datalake, targetBlock };
  for (const endIndex of numbersNear(datalake.endIndex, reach))
    if (endIndex > datalake.startIndex) yield { ...datalake, endIndex };
  for (const startIndex of numbersNear(datalake.startIndex, reach))
    if (startIndex < datalake.endIndex) yield { ...datalake, startIndex };
}

/** Distances in blocks that users write: round ones, and lengths of ranges that are powers of two. */
const TENS = Array.from({ length: 100 }, (_, at) => 10n * BigInt(at + 1));
const HUNDREDS = Array.from({ length: 90 }, (_, at) => 100n * BigInt(at + 11));
const LENGTHS = [128n, 256n, 512n, 1_024n, 2_048n, 4_096n, 7_200n, 8_192n, 50_400n, 100_000n];
const FAR: readonly bigint[] = TENS.concat(HUNDREDS, LENGTHS);

/** Ranges with an end far away, moved by much, or between blocks of other tasks. */
function* farRanges(task: Task, { blocks }: Vocabulary): Generator<Task> {
  if (task.type === "Module") return;
  const { datalake } = task;
  if (datalake.type === "TransactionsInBlock") {
    for (const targetBlock of farFrom(datalake.targetBlock, blocks))
      yield { ...task, datalake: { ...datalake, targetBlock } };
    return;
  }
  const { blockRangeStart: start, blockRangeEnd: end } = datalake;
  const ranges = [
    ...farFrom(end, blocks).map((far) => [start, far] as const),
    ...farFrom(start, blocks).map((far) => [far, end] as const),
    ...farFrom(start, blocks).map((far) => [far, end + far - start] as const),
    ...blocks.flatMap((from) => blocks.map((to) => [from, to] as const)),
  ];
  for (const [blockRangeStart, blockRangeEnd] of ranges)
    if (blockRangeStart <= blockRangeEnd)
      yield { ...task, datalake: { ...datalake, blockRangeStart, blockRangeEnd } };
}

function farFrom(block: bigint, blocks: readonly bigint[]): readonly bigint[] {
  const moved = FAR.flatMap((distance) => [block + distance, block - distance]);
  const digit = [block * 10n, block / 10n];
  return [...blocks, ...digit, ...moved].filter((one) => one >= 0n && one !== block);
}

/** Moved decimal points, and factors of the units in which values are written: wei, gwei, ether, the decimals of USDC. */
const FACTORS = [10n, 100n, 1_000n, 10n ** 6n, 10n ** 9n, 10n ** 18n] as const;

/** Returns a number in other units, and with a moved decimal point. */
export function scaledBy(value: bigint): readonly bigint[] {
  return FACTORS.flatMap((factor) => [value * factor, value / factor]);
}

function* valueVariations(compute: Compute, reach: Reach): Generator<Compute> {
  const context = compute.aggregateFnCtx;
  if (context === undefined) return;
  const { valueToCompare: value } = context;
  const scaled = isNear(reach) ? scaledBy(value) : [];
  for (const valueToCompare of [...numbersNear(value, reach), ...scaled])
    if (valueToCompare < 2n ** 256n)
      yield { ...compute, aggregateFnCtx: { ...context, valueToCompare } };
}

function* slotVariations(datalake: Datalake, reach: Reach): Generator<Datalake> {
  if (datalake.type !== "BlockSampled" || datalake.sampledProperty.kind !== "storage") return;
  for (const number of numbersNear(BigInt(datalake.sampledProperty.slot), reach)) {
    const slot = toWord(number);
    if (slot.length === 66)
      yield { ...datalake, sampledProperty: { ...datalake.sampledProperty, slot } };
  }
}

function* computeVariations(compute: Compute): Generator<Compute> {
  for (const aggregateFnId of AGGREGATE_FUNCTIONS) yield { ...compute, aggregateFnId };
  const context = compute.aggregateFnCtx;
  if (context === undefined) return;
  for (const operator of OPERATORS) yield { ...compute, aggregateFnCtx: { ...context, operator } };
  for (const aggregateFnId of AGGREGATE_FUNCTIONS) yield { aggregateFnId };
}

function* wordVariations(datalake: Datalake, vocabulary: Vocabulary): Generator<Datalake> {
  for (const chainId of CHAIN_IDENTIFIERS) if (!isStarknet(chainId)) yield { ...datalake, chainId };
  if (datalake.type === "BlockSampled") {
    for (const sampledProperty of propertyVariations(datalake.sampledProperty, vocabulary))
      yield { ...datalake, sampledProperty } satisfies BlockSampled;
    return;
  }
  for (const sampledProperty of transactionProperties()) yield { ...datalake, sampledProperty };
  for (const type of ["legacy", "eip2930", "eip1559", "eip4844"] as const) {
    const includedTypes = { ...datalake.includedTypes, [type]: !datalake.includedTypes[type] };
    yield { ...datalake, includedTypes };
  }
}

function* propertyVariations(
  property: BlockProperty,
  { addresses, contracts }: Vocabulary,
): Generator<BlockProperty> {
  if (property.kind === "header") {
    for (const field of FIELD_NAMES.header) yield { kind: "header", field };
    return;
  }
  for (const address of [...addresses, ...contracts]) yield { ...property, address };
  if (property.kind === "storage") yield* mappingVariations(property, addresses);
  if (property.kind === "account")
    for (const field of FIELD_NAMES.account) yield { ...property, field };
}

function* transactionProperties(): Generator<TransactionProperty> {
  for (const field of FIELD_NAMES.tx) yield { kind: "tx", field };
  for (const field of FIELD_NAMES.tx_receipt) yield { kind: "tx_receipt", field };
}

function* moduleVariations(
  task: ModuleTask,
  reach: Reach,
  { programs, flatHashes, addresses, contracts }: Vocabulary,
): Generator<ModuleTask> {
  const isFirst = isNear(reach);
  const flatHash = flatHashes.get(task.programHash) ?? [];
  for (const programHash of isFirst ? programs.concat(flatHash) : [])
    yield { ...task, programHash };
  for (const [position, input] of task.inputs.entries()) {
    if (input.visibility === "private") continue;
    const words = isFirst ? addresses.concat(contracts).map(BigInt) : [];
    for (const felt of [...numbersNear(BigInt(input.value), reach), ...words]) {
      const value: Hex = `0x${felt.toString(16)}`;
      yield { ...task, inputs: task.inputs.with(position, { ...input, value }) };
    }
  }
  if (!isFirst) return;
  yield* inputVariations(task);
  yield* visibilityVariations(task);
}

/** A private input made public, all of them, or no public input. A hash does not tell private from missing. */
function* visibilityVariations(task: ModuleTask): Generator<ModuleTask> {
  const { inputs } = task;
  for (const [position, input] of inputs.entries())
    if (input.visibility === "private")
      yield { ...task, inputs: inputs.with(position, { ...input, visibility: "public" }) };
  yield { ...task, inputs: inputs.map((input) => ({ ...input, visibility: "public" })) };
  yield { ...task, inputs: [] };
}

/** Inputs of which one is missing, two neighbours are swapped, or a zero is added. */
function* inputVariations(task: ModuleTask): Generator<ModuleTask> {
  const { inputs } = task;
  for (const position of inputs.keys()) {
    yield { ...task, inputs: inputs.toSpliced(position, 1) };
    const [one, other] = [inputs[position], inputs[position + 1]];
    if (one !== undefined && other !== undefined)
      yield { ...task, inputs: inputs.toSpliced(position, 2, other, one) };
  }
  yield { ...task, inputs: [...inputs, { visibility: "public", value: "0x0" }] };
}

/** Slots of mappings that are tried: contracts have their balances among their first. */
const MAX_MAPPING_SLOT = 9n;

/** Slots of the same mapping, or one near it, under another address. */
function* mappingVariations(
  property: Extract<BlockProperty, { readonly kind: "storage" }>,
  addresses: readonly Address[],
): Generator<BlockProperty> {
  // Other slots are numbers, which are varied as such.
  if (BigInt(property.slot) < 2n ** 64n) return;
  for (const holder of addresses)
    for (let base = 0n; base <= MAX_MAPPING_SLOT; base++)
      yield { ...property, slot: mappingSlot(base, holder) };
}
