import type { Address, Hex } from "viem";

import { lowerCase, toWord } from "../base/hex.js";
import { CHAIN_IDENTIFIERS, isStarknet } from "../request/chains.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES } from "../request/fields.js";
import { findDatalake, findOwnModule } from "../request/task-form.js";
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
import { MappingSlots, originsOf, slotOf } from "./mapping-slots.js";
import {
  isPlainSlot,
  withCommonSteps,
  withOtherBases,
  withSwappedInputs,
  withSwappedNumbers,
} from "./task-numbers.js";

/** What is known beside tasks, which a task may be about. */
export interface SearchHints {
  /** Accounts of the failed call, which a task may be about. */
  readonly addresses?: readonly Address[] | undefined;
  /** Accounts of the chain's node, which a task may be about too. */
  readonly accounts?: readonly Address[] | undefined;
  /** Contracts of the chain that a task may read. */
  readonly contracts?: readonly Address[] | undefined;
  /** The id of the asked store's chain, which a contract may take for that of the task. */
  readonly chainId?: bigint | undefined;
  /** Flat hashes of programs, by their program hashes as tasks have them. */
  readonly flatHashes?: ReadonlyMap<Hex, Hex> | undefined;
}

/** Values that tasks of the project may have been meant to have. */
export interface Vocabulary {
  /** Accounts of the failed call, of tasks and of the node. */
  readonly addresses: readonly Address[];
  readonly contracts: readonly Address[];
  /** Slots of mappings by those accounts. */
  readonly slots: MappingSlots;
  readonly programs: readonly Hex[];
  readonly flatHashes: ReadonlyMap<Hex, Hex>;
  /** Blocks at which ranges begin and end. */
  readonly blocks: readonly bigint[];
}

/**
 * Returns the tasks, which are as a user writes them, then those that differ in one field. The likely ones of every task
 * come before the others of any, and near values of every task before far ones of any: a slow machine tries some hundreds.
 */
export function* nearTasks(tasks: readonly Task[], vocabulary: Vocabulary): Generator<Task> {
  yield* tasks;
  for (const task of tasks) yield* likelyVariations(task, vocabulary);
  for (const task of tasks) if (task.type !== "Module") yield* withCommonSteps(task);
  for (const task of tasks) yield* withOtherBases(task);
  for (const reach of REACHES)
    for (const task of tasks) yield* taskVariations(task, reach, vocabulary);
}

const NO_SLOTS: Pick<Vocabulary, "slots"> = { slots: new MappingSlots([]) };

/** Returns the tasks that differ in two fields, the likely ones first, then those with ranges far away. */
export function* fartherTasks(tasks: readonly Task[], vocabulary: Vocabulary): Generator<Task> {
  for (const task of tasks)
    for (const once of likelyVariations(task, vocabulary))
      yield* numberVariations(once, REACHES[0]);
  for (const task of tasks)
    for (const once of slotsOfOthers(task, vocabulary)) yield* numberVariations(once, NEXT);
  // Slots of mappings were tried with numbers.
  const small = { ...vocabulary, ...NO_SLOTS, contracts: [], flatHashes: new Map() };
  for (const task of tasks)
    for (const once of taskVariations(task, NEXT, small)) yield* taskVariations(once, NEXT, small);
  for (const task of tasks) yield* farRanges(task, vocabulary);
}

/** Returns the values that tasks near the given ones may have. */
export function collectVocabulary(
  tasks: readonly Task[],
  { addresses = [], accounts = [], contracts = [], flatHashes = new Map() }: SearchHints,
): Vocabulary {
  const programs = tasks.flatMap((task) => findOwnModule(task)?.programHash ?? []);
  const ofTasks = tasks.flatMap((task) => sampledAddress(findDatalake(task)?.datalake) ?? []);
  const blocks = tasks.flatMap((task) => rangeEnds(findDatalake(task)?.datalake));
  const known = [...new Set([...addresses, ...ofTasks, ...accounts].map(lowerCase))];
  return {
    programs: [...new Set(programs)],
    addresses: known,
    contracts,
    slots: new MappingSlots(known),
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
const REACHES = [
  [0n, 4n],
  [4n, 64n],
] as const;
type Reach = readonly [above: bigint, upTo: bigint];
/** Distance of numbers in tasks that differ in two fields. */
const NEXT: Reach = [0n, 2n];

/** Returns the tasks with the slot of another account in the same mapping. */
function* slotsOfOthers(task: Task, { slots }: Vocabulary): Generator<Task> {
  const sampled = findHashedSlot(task);
  if (sampled === undefined) return;
  const own = slots.find(sampled.slot);
  if (own === undefined) return;
  for (const [slot, { mapping, isKeyFirst }] of slots.all)
    if (mapping === own.mapping && isKeyFirst === own.isKeyFirst) yield sampled.with(slot);
}

/** Returns the tasks that come of likely mistakes: two numbers swapped, or another mapping's slot of the same account. */
function* likelyVariations(task: Task, { slots }: Vocabulary): Generator<Task> {
  if (task.type === "Module") {
    yield* withSwappedInputs(task);
    return;
  }
  yield* withSwappedNumbers(task, slots);
  const sampled = findHashedSlot(task);
  if (sampled === undefined) return;
  const own = slots.find(sampled.slot);
  if (own === undefined) return;
  for (const other of originsOf(own.key)) yield sampled.with(slotOf(other));
}

/** A task over a slot that is a hash, as those of mappings are, in its parts. */
interface HashedSlot {
  readonly slot: Hex;
  readonly with: (slot: Hex) => Task;
}

/** Returns the slot that a task samples, where it is a hash; undefined for any other task. */
function findHashedSlot(task: Task): HashedSlot | undefined {
  const datalake = findDatalake(task)?.datalake;
  if (task.type === "Module" || datalake?.type !== "BlockSampled") return undefined;
  const { sampledProperty: property } = datalake;
  if (property.kind !== "storage" || isPlainSlot(property.slot)) return undefined;
  const withSlot = (slot: Hex): Task => ({
    ...task,
    datalake: { ...datalake, sampledProperty: { ...property, slot } },
  });
  return { slot: property.slot, with: withSlot };
}

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
  yield* numberVariations(task, reach);
  if (!isNear(reach)) return;
  for (const compute of computeVariations(task.compute)) yield { ...task, compute };
  for (const datalake of wordVariations(task.datalake, vocabulary)) yield { ...task, datalake };
}

/** Datalake tasks with one other number. */
function* numberVariations(task: Task, reach: Reach): Generator<Task> {
  if (task.type === "Module") return;
  for (const datalake of rangeVariations(task.datalake, reach)) yield { ...task, datalake };
  for (const increment of numbersNear(task.datalake.increment, reach))
    if (increment > 0n) yield { ...task, datalake: { ...task.datalake, increment } };
  for (const compute of valueVariations(task.compute, reach)) yield { ...task, compute };
  for (const datalake of slotVariations(task.datalake, reach)) yield { ...task, datalake };
}

/** Ranges with another end, another start, or both moved. */
function* rangeVariations(datalake: Datalake, reach: Reach): Generator<Datalake> {
  if (datalake.type === "BlockSampled") {
    const { blockRangeStart: start, blockRangeEnd: end } = datalake;
    for (const blockRangeEnd of numbersNear(end, reach))
      if (blockRangeEnd >= start) yield { ...datalake, blockRangeEnd };
    for (const blockRangeStart of numbersNear(start, reach)) {
      if (blockRangeStart <= end) yield { ...datalake, blockRangeStart };
      const movedEnd = end + blockRangeStart - start;
      // A range whose ends are swapped may move below zero.
      if (movedEnd >= 0n) yield { ...datalake, blockRangeStart, blockRangeEnd: movedEnd };
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
  if (!isPlainSlot(datalake.sampledProperty.slot)) return;
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
  { addresses, contracts, slots }: Vocabulary,
): Generator<BlockProperty> {
  if (property.kind === "header") {
    for (const field of FIELD_NAMES.header) yield { kind: "header", field };
    return;
  }
  for (const address of [...addresses, ...contracts]) yield { ...property, address };
  if (property.kind === "storage" && !isPlainSlot(property.slot))
    for (const slot of slots.all.keys()) yield { ...property, slot };
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

/** Inputs of which one is missing, or to which a zero is added. */
function* inputVariations(task: ModuleTask): Generator<ModuleTask> {
  const { inputs } = task;
  for (const position of inputs.keys()) yield { ...task, inputs: inputs.toSpliced(position, 1) };
  yield { ...task, inputs: [...inputs, { visibility: "public", value: "0x0" }] };
}
