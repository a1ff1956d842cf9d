import type { Hex } from "viem";

import { toWord } from "../base/hex.js";
import type {
  BlockSampled,
  Datalake,
  DatalakeComputeTask,
  ModuleTask,
  Task,
  TransactionsInBlock,
} from "../request/task.js";
import { MappingSlots, slotOf } from "./mapping-slots.js";

/** A number of a task, and the task with another number in its place. */
interface NumberOfTask {
  readonly value: bigint;
  readonly with: (task: DatalakeComputeTask, value: bigint) => DatalakeComputeTask;
}

/** Slots below are numbers of variables: no hash is as small. */
const PLAIN_SLOTS = 2n ** 64n;

/** Returns whether a storage slot is the number of a variable, and no hash. */
export function isPlainSlot(slot: Hex): boolean {
  return BigInt(slot) < PLAIN_SLOTS;
}

/** Returns the tasks in which two numbers are swapped, as where two arguments of a constructor are. */
export function* withSwappedNumbers(
  task: DatalakeComputeTask,
  slots: MappingSlots,
): Generator<DatalakeComputeTask> {
  const numbers = numbersOf(task, slots);
  for (const [at, one] of numbers.entries())
    for (const other of numbers.slice(at + 1))
      if (one.value !== other.value) yield other.with(one.with(task, other.value), one.value);
}

/** Returns the module tasks in which two inputs are swapped, neighbours first. */
export function* withSwappedInputs(task: ModuleTask): Generator<ModuleTask> {
  const { inputs } = task;
  for (const distance of inputs.keys())
    for (const [at, one] of inputs.entries()) {
      const other = inputs[at + distance];
      if (distance > 0 && other !== undefined)
        yield { ...task, inputs: inputs.with(at, other).with(at + distance, one) };
    }
}

/** Steps that users write: round numbers, and blocks of an hour, a day, a week or a month. */
const COMMON_STEPS = [1n, 10n, 100n, 300n, 1_000n, 3_600n, 7_200n, 50_400n, 216_000n] as const;

/** Returns the tasks with another step, one of the common ones. */
export function* withCommonSteps(task: DatalakeComputeTask): Generator<DatalakeComputeTask> {
  for (const increment of COMMON_STEPS)
    if (increment !== task.datalake.increment)
      yield { ...task, datalake: { ...task.datalake, increment } };
}

/** Bits to the right of an address that is left-aligned in its word, as `bytes32(bytes20(account))` is. */
const LEFT_BITS = 96n;

/** Returns the module tasks in which an address is left-aligned in its word, or no longer is. */
export function* withShiftedInputs(task: ModuleTask): Generator<ModuleTask> {
  const { inputs } = task;
  for (const [at, input] of inputs.entries()) {
    const value = shiftedAddress(BigInt(input.value));
    if (input.visibility === "public" && value !== undefined)
      yield { ...task, inputs: inputs.with(at, { ...input, value: `0x${value.toString(16)}` }) };
  }
}

/** Returns an address at the other side of its word; undefined for a number that is none. */
function shiftedAddress(value: bigint): bigint | undefined {
  if (value < PLAIN_SLOTS) return undefined;
  if (value < 2n ** 160n) return value << LEFT_BITS;
  const isLeft = value % 2n ** LEFT_BITS === 0n;
  return isLeft ? value >> LEFT_BITS : undefined;
}

/** A number whose digits were read in the other base, as where a contract is given `0x11155111` for 11155111. */
interface OtherBase {
  readonly value: bigint;
  /** What it is of the right number. */
  readonly origin: string;
}

/** Smaller numbers are near each other in both bases. */
const FIRST_OF_BASES = 100n;
/** Digits of a number that stays within a felt in either base. */
const MAX_BASE_DIGITS = 60;

/** Returns the numbers that a number becomes where its digits are read in the other base. */
export function inOtherBase(value: bigint): readonly OtherBase[] {
  const [decimal, hex] = [value.toString(), value.toString(16)];
  if (value < FIRST_OF_BASES || decimal.length > MAX_BASE_DIGITS) return [];
  const there = "digits of the number there, read as";
  const read = { value: BigInt(`0x${decimal}`), origin: `the decimal ${there} hexadecimal` };
  return /^\d+$/.test(hex)
    ? [read, { value: BigInt(hex), origin: `the hexadecimal ${there} decimal` }]
    : [read];
}

/** Returns the tasks with a number, or both ends of a range, whose digits are read in the other base. */
export function* withOtherBases(task: Task): Generator<Task> {
  if (task.type === "Module") {
    yield* withInputsInOtherBase(task);
    return;
  }
  for (const one of numbersOf(task, NO_MAPPINGS))
    for (const { value } of inOtherBase(one.value)) yield one.with(task, value);
  const { datalake } = task;
  if (datalake.type !== "BlockSampled") return;
  const ends = inOtherBase(datalake.blockRangeEnd);
  for (const [at, { value: blockRangeStart }] of inOtherBase(datalake.blockRangeStart).entries()) {
    const blockRangeEnd = ends[at]?.value;
    if (blockRangeEnd !== undefined)
      yield { ...task, datalake: { ...datalake, blockRangeStart, blockRangeEnd } };
  }
}

const NO_MAPPINGS = new MappingSlots([]);

function* withInputsInOtherBase(task: ModuleTask): Generator<ModuleTask> {
  const { inputs } = task;
  for (const [at, input] of inputs.entries()) {
    if (input.visibility === "private") continue;
    for (const { value } of inOtherBase(BigInt(input.value)))
      yield { ...task, inputs: inputs.with(at, { ...input, value: `0x${value.toString(16)}` }) };
  }
}

function numbersOf(task: DatalakeComputeTask, slots: MappingSlots): readonly NumberOfTask[] {
  const { datalake, compute } = task;
  const ofDatalake =
    datalake.type === "BlockSampled"
      ? [...blockNumbers(datalake), ...slotNumber(datalake, slots)]
      : transactionNumbers(datalake);
  const context = compute.aggregateFnCtx;
  if (context === undefined) return ofDatalake;
  const compared: NumberOfTask = {
    value: context.valueToCompare,
    with: (other, valueToCompare) => ({
      ...other,
      compute: { ...compute, aggregateFnCtx: { ...context, valueToCompare } },
    }),
  };
  return [...ofDatalake, compared];
}

/** Returns a number of a datalake, and how it is changed. */
function ofDatalake(value: bigint, change: (value: bigint) => Partial<Datalake>): NumberOfTask {
  return {
    value,
    with: (task, other) => ({
      ...task,
      datalake: { ...task.datalake, ...change(other) } as Datalake,
    }),
  };
}

function blockNumbers({
  blockRangeStart,
  blockRangeEnd,
  increment,
}: BlockSampled): readonly NumberOfTask[] {
  const ends =
    blockRangeStart === blockRangeEnd
      ? [ofDatalake(blockRangeEnd, (block) => ({ blockRangeStart: block, blockRangeEnd: block }))]
      : [
          ofDatalake(blockRangeStart, (block) => ({ blockRangeStart: block })),
          ofDatalake(blockRangeEnd, (block) => ({ blockRangeEnd: block })),
        ];
  return [...ends, ofDatalake(increment, (step) => ({ increment: step }))];
}

function transactionNumbers({
  targetBlock,
  startIndex,
  endIndex,
  increment,
}: TransactionsInBlock): readonly NumberOfTask[] {
  return [
    ofDatalake(targetBlock, (block) => ({ targetBlock: block })),
    ofDatalake(startIndex, (index) => ({ startIndex: index })),
    ofDatalake(endIndex, (index) => ({ endIndex: index })),
    ofDatalake(increment, (step) => ({ increment: step })),
  ];
}

/** The slot of a variable, or the own slot of a mapping whose key is known. */
function slotNumber(
  { sampledProperty: property }: BlockSampled,
  slots: MappingSlots,
): readonly NumberOfTask[] {
  if (property.kind !== "storage") return [];
  const withSlot = (slot: Hex): Partial<Datalake> => ({ sampledProperty: { ...property, slot } });
  if (isPlainSlot(property.slot))
    return [ofDatalake(BigInt(property.slot), (slot) => withSlot(toWord(slot)))];
  const origin = slots.find(property.slot);
  if (origin === undefined) return [];
  const ofMapping = (mapping: bigint): Hex => slotOf({ ...origin, mapping });
  return [ofDatalake(origin.mapping, (mapping) => withSlot(ofMapping(mapping)))];
}
