import { z } from "zod";

import { FELT_PRIME } from "../base/felt.js";
import { copyJson, parsePlainJson } from "../base/json.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { compiledPathOf, SIERRA_SUFFIX } from "./scarb.js";

/** Felts by index, decoded when they are asked for. */
export interface FeltSource {
  readonly length: number;
  /** The felt at an index below `length`. */
  at(index: number): bigint;
}

const INTEGER_TEXT = /^(?:0x[0-9a-fA-F]{1,78}|[0-9]{1,80})$/;
/** Texts up to this length are below the prime whatever their digits: 62 of them in hexadecimal. */
const SURELY_FELT = 64;

/** A copy of a list of felts as text, or undefined where anything in it is no felt. */
export function readFeltTexts(value: unknown, maxLength: number): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxLength) return undefined;
  const list: readonly unknown[] = value;
  const texts: string[] = [];
  for (const text of list) {
    if (typeof text !== "string" || !INTEGER_TEXT.test(text)) return undefined;
    if (text.length > SURELY_FELT && BigInt(text) >= FELT_PRIME) return undefined;
    texts.push(text);
  }
  return texts;
}

/** Starknet's entry point kinds, in the order in which the program hash takes them. */
export const ENTRY_POINT_TYPES = ["EXTERNAL", "L1_HANDLER", "CONSTRUCTOR"] as const;
export type EntryPointType = (typeof ENTRY_POINT_TYPES)[number];

/** Lengths of the bytecode's segments, in felts: a leaf is one segment, a list is a node of segments. */
export type SegmentLengths = number | readonly SegmentLengths[];

/** One hint as the compiler writes it: its name, or its name with operands. What names exist is the VM's matter. */
export type CompiledHint = string | Readonly<Record<string, unknown>>;

export interface CompiledEntryPoint {
  readonly selector: bigint;
  /** Index of its first felt in the bytecode. */
  readonly offset: number;
  /** Builtins in the order of the stack, without the suffix `_builtin`. */
  readonly builtins: readonly string[];
}

/** A compiled contract class (CASM): what the registry stores and what the data processor runs. */
export interface CompiledClass {
  readonly compilerVersion: string;
  /** Felts. */
  readonly bytecode: readonly bigint[];
  /** Absent in classes of compilers before 2.6: the bytecode is then one segment. */
  readonly bytecodeSegmentLengths?: SegmentLengths;
  /** Pairs of a bytecode index and the hints to run before it, in the order of the file. */
  readonly hints: readonly (readonly [number, readonly CompiledHint[]])[];
  readonly entryPointsByType: Readonly<Record<EntryPointType, readonly CompiledEntryPoint[]>>;
}

/** Longest bytecode that is read; Starknet itself takes 81,920 felts. */
const MAX_FELTS = 1_000_000;
/** Deepest nesting of segment lengths that is read; compilers write one level. */
const MAX_DEPTH = 16;
/** Longest file that is read, in characters. */
const MAX_TEXT = 64 * 1024 * 1024;

const integerText = z
  .string()
  .max(80, "is too long for a felt")
  .regex(/^(0x[0-9a-fA-F]+|[0-9]+)$/, "must be an integer as text, like 0x1f");
const felt = integerText.transform(BigInt).refine((value) => value < FELT_PRIME, "must be below the field's prime");
const index = z.number().int().nonnegative().max(MAX_FELTS);

const hint = z.union([z.string(), z.record(z.unknown())]);
const entryPoint = z.object({
  selector: felt,
  offset: index,
  builtins: z.array(z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, "must be the name of a builtin")).max(64),
});
const entryPoints = z.array(entryPoint).max(10_000);

const smallParts = {
  prime: integerText.transform(BigInt).refine((value) => value === FELT_PRIME, "must be the prime of Starknet's field"),
  compiler_version: z.string().max(100),
  bytecode_segment_lengths: z.unknown(),
  entry_points_by_type: z.object({ EXTERNAL: entryPoints, L1_HANDLER: entryPoints, CONSTRUCTOR: entryPoints }),
};
const smallPartsSchema = z.object(smallParts);

/** Names every mistake. Seconds for a class of 350,000 felts: it is asked only where a quick look found one. */
const wholeClassSchema = z.object({
  prime: smallParts.prime,
  compiler_version: smallParts.compiler_version,
  bytecode: z.array(felt).min(1).max(MAX_FELTS),
  bytecode_segment_lengths: smallParts.bytecode_segment_lengths,
  hints: z.array(z.tuple([index, z.array(hint)])),
  entry_points_by_type: smallParts.entry_points_by_type,
});

type Hints = CompiledClass["hints"];

/** The class's parts with the felts still as text, or undefined where something is wrong with them. */
function readParts(
  json: object,
): (z.output<typeof smallPartsSchema> & { readonly texts: readonly string[]; readonly hints: Hints }) | undefined {
  const texts = "bytecode" in json ? readFeltTexts(json.bytecode, MAX_FELTS) : undefined;
  const hints = "hints" in json ? readHints(json.hints) : undefined;
  if (texts === undefined || hints === undefined) return undefined;
  const rest = smallPartsSchema.safeParse(json);
  return rest.success ? { ...rest.data, texts, hints } : undefined;
}

function readHints(value: unknown): Hints | undefined {
  if (!Array.isArray(value)) return undefined;
  const list: readonly unknown[] = value;
  const hints: (readonly [number, readonly CompiledHint[]])[] = [];
  for (const entry of list) {
    if (!Array.isArray(entry) || entry.length !== 2) return undefined;
    const pair: readonly unknown[] = entry;
    const [pc, names] = pair;
    if (typeof pc !== "number" || !Number.isInteger(pc) || pc < 0) return undefined;
    if (!Array.isArray(names) || !names.every(isHint)) return undefined;
    hints.push([pc, copyJson(names)]);
  }
  return hints;
}

function isHint(value: unknown): value is CompiledHint {
  return typeof value === "string" || (typeof value === "object" && value !== null && !Array.isArray(value));
}

function mistakes(json: unknown, file: string | undefined): HdpError {
  const [first, ...others] = wholeClassSchema.safeParse(json).error?.issues ?? [];
  return malformed(file, joinPath(first?.path ?? []), first?.message ?? "is wrong", others.length);
}

/** Bytecode of parsed classes that is still text. */
const textsOf = new WeakMap<CompiledClass, readonly string[]>();

/** The bytecode, each felt decoded when it is asked for: a run reaches a small part of a large class. */
export function bytecodeSource(compiled: CompiledClass): FeltSource {
  const texts = textsOf.get(compiled);
  if (texts === undefined) return { length: compiled.bytecode.length, at: (at) => compiled.bytecode[at] ?? 0n };
  return { length: texts.length, at: (at) => BigInt(texts[at] ?? 0) };
}

/** Where a class came from, for the text of errors. */
export interface ClassSource {
  /** Path of its file, as the user wrote it. */
  readonly file?: string | undefined;
}

/**
 * Reads a compiled contract class (`*.compiled_contract_class.json`) that was parsed from JSON.
 *
 * Unknown keys pass. The result is a copy: later changes of `json` do not reach it.
 *
 * @throws HdpError HDP-7001 where its form is wrong or it is a class of Cairo 0, HDP-7002 for a Sierra class
 */
export function parseCompiledClass(json: unknown, source: ClassSource = {}): CompiledClass {
  refuseOtherClasses(json, source.file);
  const parts = readParts(json);
  if (parts === undefined) throw mistakes(json, source.file);
  const { compiler_version, texts, bytecode_segment_lengths, hints, entry_points_by_type } = parts;
  const segments =
    bytecode_segment_lengths === undefined || bytecode_segment_lengths === null
      ? undefined
      : readSegments(bytecode_segment_lengths, "bytecode_segment_lengths", MAX_DEPTH, source.file);
  let bytecode: readonly bigint[] | undefined;
  const compiled: CompiledClass = {
    compilerVersion: compiler_version,
    get bytecode() {
      return (bytecode ??= texts.map(BigInt));
    },
    ...(segments === undefined ? {} : { bytecodeSegmentLengths: segments }),
    hints,
    entryPointsByType: entry_points_by_type,
  };
  textsOf.set(compiled, texts);
  checkBounds(compiled, texts.length, source.file);
  return compiled;
}

/**
 * The same from the text of the file.
 *
 * @throws HdpError HDP-7004 where the text is not JSON, otherwise as {@link parseCompiledClass}.
 */
export function parseCompiledClassText(text: string, source: ClassSource = {}): CompiledClass {
  return parseCompiledClass(parseClassJson(text, source.file), source);
}

/** Parses the text of a class file. @throws HdpError HDP-7004 where it is not JSON or too long to be a class. */
export function parseClassJson(text: string, file: string | undefined): unknown {
  const failure = (problem: string, cause?: unknown): HdpError =>
    hdpError("HDP-7004", { problem }, { path: file, cause });
  if (text.length > MAX_TEXT) throw failure(`it has ${text.length} characters, at most ${MAX_TEXT} are read`);
  return parsePlainJson(text, {
    notJson: ({ sentence }, cause) => failure(`it is not JSON: ${sentence}`, cause),
  });
}

/** Felts in all segments together. */
export function totalLength(lengths: SegmentLengths): number {
  if (typeof lengths === "number") return lengths;
  return lengths.reduce<number>((sum, part) => sum + totalLength(part), 0);
}

function refuseOtherClasses(json: unknown, file: string | undefined): asserts json is object {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw malformed(file, "", "must be a JSON object", 0);
  }
  if ("sierra_program" in json) {
    const compiled =
      file?.endsWith(SIERRA_SUFFIX) === true
        ? compiledPathOf(file)
        : "the file that ends with .compiled_contract_class.json";
    throw hdpError("HDP-7002", { file: compiled }, { path: file });
  }
  const isCairo0 =
    "program" in json ||
    ("identifiers" in json && "reference_manager" in json) ||
    ("compiler_version" in json && typeof json.compiler_version === "string" && json.compiler_version.startsWith("0."));
  if (isCairo0) {
    throw malformed(file, "", "is of Cairo 0, and modules are contracts of Cairo 2", 0);
  }
}

function readSegments(value: unknown, path: string, depth: number, file: string | undefined): SegmentLengths {
  if (typeof value === "number") {
    if (Number.isInteger(value) && value >= 0 && value <= MAX_FELTS) return value;
    throw malformed(file, path, "must be a number of felts", 0);
  }
  if (!Array.isArray(value)) throw malformed(file, path, "must be a number or a list", 0);
  if (depth === 0) throw malformed(file, path, `is nested deeper than ${MAX_DEPTH} lists`, 0);
  if (value.length > MAX_FELTS) throw malformed(file, path, "has too many segments", 0);
  return value.map((part: unknown, position) => readSegments(part, `${path}[${position}]`, depth - 1, file));
}

function checkBounds(compiled: CompiledClass, length: number, file: string | undefined): void {
  if (compiled.bytecodeSegmentLengths !== undefined) {
    const total = totalLength(compiled.bytecodeSegmentLengths);
    if (total !== length) {
      throw malformed(file, "bytecode_segment_lengths", `sums up to ${total}, but the bytecode has ${length} felts`, 0);
    }
  }
  for (const [position, [pc]] of compiled.hints.entries()) {
    if (pc >= length) throw malformed(file, `hints[${position}][0]`, `is ${pc}, outside of the bytecode`, 0);
  }
  for (const type of ENTRY_POINT_TYPES) {
    for (const [position, { offset }] of compiled.entryPointsByType[type].entries()) {
      const path = `entry_points_by_type.${type}[${position}].offset`;
      if (offset >= length) throw malformed(file, path, `is ${offset}, outside of the bytecode`, 0);
    }
  }
}

function joinPath(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? key : `${text}.${key}`),
    "",
  );
}

function malformed(file: string | undefined, path: string, problem: string, others: number): HdpError {
  const place = path === "" ? "the class" : path;
  const rest = others === 0 ? undefined : ` (and ${others} more ${others === 1 ? "place" : "places"})`;
  return hdpError("HDP-7001", { place, problem: lowerFirst(problem), others: rest }, { path: file });
}

function lowerFirst(text: string): string {
  return text === "Required" ? "is missing" : text.slice(0, 1).toLowerCase() + text.slice(1);
}

/** Selector of `main`, the only function of a module that the data processor calls: sn_keccak("main"). */
export const MAIN_SELECTOR = 0xe2054f8a912367e38a22ce773328ff8aabf8082c4120bad9ef085e1dbf29a7n;

/**
 * The entry point that the data processor calls.
 *
 * @throws HdpError HDP-7007 where the class has no external function `main`.
 */
export function requireMain(compiled: CompiledClass): CompiledEntryPoint {
  const main = compiled.entryPointsByType.EXTERNAL.find(({ selector }) => selector === MAIN_SELECTOR);
  if (main === undefined) throw noMainFunction();
  return main;
}

/** HDP-7007 for a class or an ABI. */
export function noMainFunction(): HdpError {
  return hdpError("HDP-7007");
}
