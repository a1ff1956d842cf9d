import type { Hex } from "viem";

import { keccakBytes } from "../base/keccak.js";
import { standardCall, standardProgram } from "../request/standard-programs.js";
import type { TaskForm } from "../request/task-form.js";
import { encodeCompute, encodeDatalake, encodeTask } from "../request/task-hash.js";
import type { DatalakeComputeTask, ModuleTask, SampledProperty, Task } from "../request/task.js";
import { encodeCall } from "./asked-task.js";

/** What a field of a task is: it says which numbers are worth a try, and how they read. */
type WordKind =
  | "chain"
  | "block"
  | "index"
  | "step"
  | "types"
  | "field"
  | "address"
  | "slot"
  | "function"
  | "operator"
  | "value"
  | "program"
  | "input";

/** Bytes of what is hashed, which hold a number or, from a bit on, a part of it. */
interface Place {
  readonly bytes: Buffer;
  readonly at: number;
  readonly length: number;
  readonly shift: bigint;
}

/** A field of a task as a number. */
export interface WordField {
  /** Name as in a task file: `blockRangeEnd`, `inputs[2]`. */
  readonly name: string;
  readonly kind: WordKind;
  readonly value: bigint;
  /** Numbers from here on do not fit. */
  readonly limit: bigint;
  readonly places: readonly Place[];
}

/** A field with another number. */
export interface FieldChange {
  readonly field: WordField;
  readonly value: bigint;
  /** What the number is, where that says more than its digits: `makeAddr("alice")`. */
  readonly origin?: string | undefined;
}

/** The bytes that a task's hash is of, in which fields are changed: tens of thousands of tasks are tried in a moment. */
export interface TaskWords {
  readonly task: Task;
  readonly form: TaskForm;
  readonly fields: readonly WordField[];
  /** Returns the hash of the bytes as they are. */
  readonly hash: () => Uint8Array;
}

/** Returns a task in a form as bytes with fields. */
export function taskWords(task: Task, form: TaskForm): TaskWords {
  if (task.type === "Module") return moduleWords(task);
  return form === "module" ? standardWords(task) : datalakeWords(task);
}

/** Returns whether a task has a hash with fields changed. The bytes are as before afterwards. */
export function hasHash(
  { hash }: TaskWords,
  wanted: Buffer,
  changes: readonly FieldChange[],
): boolean {
  for (const { field, value } of changes) write(field, value);
  const isEqual = wanted.equals(hash());
  for (const { field } of changes) write(field, field.value);
  return isEqual;
}

function write({ places }: WordField, value: bigint): void {
  for (const { bytes, at, length, shift } of places) {
    const part = BigInt.asUintN(length * 8, value >> shift);
    bytes.write(part.toString(16).padStart(length * 2, "0"), at, length, "hex");
  }
}

function read(places: readonly Place[]): bigint {
  const partOf = ({ bytes, at, length, shift }: Place): bigint =>
    BigInt(`0x${bytes.toString("hex", at, at + length)}`) << shift;
  return places.map(partOf).reduce((one, other) => one | other);
}

function fieldOf(name: string, kind: WordKind, places: readonly Place[]): WordField {
  const bits = places.reduce((sum, { length }) => sum + length * 8, 0);
  return { name, kind, value: read(places), limit: 2n ** BigInt(bits), places };
}

function bytesOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}

const WORD = 32;
const HALF = 16;
const ADDRESS = 20;

function wordAt(bytes: Buffer, index: number, offset = 0): Place {
  return { bytes, at: offset + WORD * index, length: WORD, shift: 0n };
}

type NamedKind = readonly [name: string, kind: WordKind];

const BLOCKS: readonly NamedKind[] = [
  ["chainId", "chain"],
  ["blockRangeStart", "block"],
  ["blockRangeEnd", "block"],
  ["increment", "step"],
];
const TRANSACTIONS: readonly NamedKind[] = [
  ["chainId", "chain"],
  ["targetBlock", "block"],
  ["startIndex", "index"],
  ["endIndex", "index"],
  ["increment", "step"],
  ["includedTypes", "types"],
];
const COMPUTE: readonly NamedKind[] = [
  ["aggregateFnId", "function"],
  ["operator", "operator"],
  ["valueToCompare", "value"],
];

/** Returns the fields of the numbers of a datalake, in the order in which both forms have them. */
function numbersOf({ datalake }: DatalakeComputeTask): readonly NamedKind[] {
  return datalake.type === "BlockSampled" ? BLOCKS : TRANSACTIONS;
}

/** The hash of the encoded datalake, then three words of the function. */
function datalakeWords(task: DatalakeComputeTask): TaskWords {
  const datalake = bytesOf(encodeDatalake(task.datalake));
  const outer = Buffer.concat([Buffer.alloc(WORD), bytesOf(encodeCompute(task.compute))]);
  const numbers = numbersOf(task);
  const fields = [
    // The type comes first.
    ...numbers.map(([name, kind], at) => fieldOf(name, kind, [wordAt(datalake, at + 1)])),
    ...encodedProperty(task, datalake, WORD * (numbers.length + 3)),
    ...COMPUTE.map(([name, kind], at) => fieldOf(name, kind, [wordAt(outer, at, WORD)])),
  ];
  const hash = (): Uint8Array => {
    outer.set(keccakBytes(datalake));
    return keccakBytes(outer);
  };
  return { task, form: "datalake", fields, hash };
}

/** The fields of a property, whose first byte is its kind. */
function encodedProperty(
  { datalake: { sampledProperty: property } }: DatalakeComputeTask,
  bytes: Buffer,
  start: number,
): readonly WordField[] {
  const part = (at: number, length: number): readonly Place[] => [
    { bytes, at: start + at, length, shift: 0n },
  ];
  const address = fieldOf("address", "address", part(1, ADDRESS));
  if (property.kind === "storage")
    return [address, fieldOf("slot", "slot", part(1 + ADDRESS, WORD))];
  if (property.kind === "account")
    return [address, fieldOf("sampledProperty", "field", part(1 + ADDRESS, 1))];
  return [fieldOf("sampledProperty", "field", part(1, 1))];
}

/** Inputs begin behind program hash, offset and length. */
const INPUTS_AT = 3 * WORD;

/** The inputs of standard programs that fields are in: of numbers above 128 bits the low half, then the high one. */
const INPUTS_OF: Readonly<Record<string, readonly string[]>> = {
  chainId: ["chain_id"],
  blockRangeStart: ["first"],
  blockRangeEnd: ["last"],
  targetBlock: ["block"],
  startIndex: ["start"],
  endIndex: ["end"],
  increment: ["step"],
  includedTypes: ["types"],
  sampledProperty: ["field"],
  address: ["address"],
  slot: ["slot_low", "slot_high"],
  aggregateFnId: ["function"],
  operator: ["operator"],
  valueToCompare: ["value_low", "value_high"],
};

function standardWords(task: DatalakeComputeTask): TaskWords {
  const { programHash, felts } = standardCall(task);
  const bytes = bytesOf(encodeCall(programHash, felts));
  const names = standardProgram(programHash)?.inputs ?? [];
  const placesOf = (name: string): readonly Place[] => {
    const inputs = INPUTS_OF[name] ?? [];
    return inputs.map((input, half) => {
      const place = wordAt(bytes, names.indexOf(input), INPUTS_AT);
      const at = place.at + HALF;
      return inputs.length === 1 ? place : { bytes, at, length: HALF, shift: BigInt(128 * half) };
    });
  };
  const { kind } = task.datalake.sampledProperty;
  const fields = [...numbersOf(task), ...PROPERTIES[kind], ...COMPUTE].map(([name, ofKind]) =>
    fieldOf(name, ofKind, placesOf(name)),
  );
  return { task, form: "module", fields, hash: () => keccakBytes(bytes) };
}

const FIELD: NamedKind = ["sampledProperty", "field"];
const PROPERTIES: Readonly<Record<SampledProperty["kind"], readonly NamedKind[]>> = {
  header: [FIELD],
  tx: [FIELD],
  tx_receipt: [FIELD],
  account: [["address", "address"], FIELD],
  storage: [
    ["address", "address"],
    ["slot", "slot"],
  ],
};

function moduleWords(task: ModuleTask): TaskWords {
  const bytes = bytesOf(encodeTask(task));
  const count = (bytes.length - INPUTS_AT) / WORD;
  const inputs = Array.from({ length: count }, (_, at) =>
    fieldOf(`inputs[${at}]`, "input", [wordAt(bytes, at, INPUTS_AT)]),
  );
  const fields = [fieldOf("programHash", "program", [wordAt(bytes, 0)]), ...inputs];
  return { task, form: "module", fields, hash: () => keccakBytes(bytes) };
}
