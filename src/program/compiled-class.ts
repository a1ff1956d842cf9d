import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { FELT_PRIME } from "../base/felt.js";
import { isRecord } from "../base/collections.js";
import { parsePlainJson } from "../base/json.js";
import { firstIssue } from "../base/text.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { compiledPath, SIERRA_SUFFIX } from "./scarb.js";

/** Felts by index, decoded when they are asked for. */
export interface FeltSource {
  readonly length: number;
  /** The felt at an index below `length`. */
  at(index: number): bigint;
}

/** Starknet's entry point kinds, in the order in which the program hash takes them. */
export const ENTRY_POINT_TYPES = ["EXTERNAL", "L1_HANDLER", "CONSTRUCTOR"] as const;
/** Kind of an entry point in a compiled class. */
export type EntryPointType = (typeof ENTRY_POINT_TYPES)[number];

/** Lengths of the bytecode's segments, in felts: a leaf is one segment, a list is a node of segments. */
export type SegmentLengths = number | readonly SegmentLengths[];

/** One hint as the compiler writes it: its name, or its name with operands. The machine knows which there are. */
export type CompiledHint = string | Readonly<Record<string, unknown>>;

/** A function of a class that can be called from outside. */
export interface CompiledEntryPoint {
  readonly selector: bigint;
  /** Bytecode index of the first instruction. */
  readonly offset: number;
  /** Names of the builtins that it takes, in order. */
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

/** Maximum number of felts of a bytecode that is read; published modules have 350,000 felts, Starknet itself takes 81,920. */
const MAX_FELTS = 400_000;
/** Maximum number of segments in all: compilers write one for each function. */
const MAX_SEGMENTS = 20_000;
/** Deepest nesting of segment lengths that is read; compilers write one level. */
const MAX_DEPTH = 16;
/** Longest file that is read, in characters. */
const MAX_TEXT = 64 * 1024 * 1024;

const INTEGER_TEXT = /^(?:0x[0-9a-fA-F]{1,78}|[0-9]{1,80})$/;
/** Texts up to this length are below the prime whatever their digits: 62 of them in hexadecimal. */
const SURELY_FELT = 64;

function isFeltText(value: unknown): value is string {
  if (typeof value !== "string" || !INTEGER_TEXT.test(value)) return false;
  return value.length <= SURELY_FELT || BigInt(value) < FELT_PRIME;
}

const entryPoints = z
  .array(
    z.object({
      selector: z.custom<string>(isFeltText, "must be a felt as text, like 0x1f").transform(BigInt),
      offset: z.number().int().nonnegative(),
      builtins: z
        .array(z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, "must be the name of a builtin"))
        .max(16),
    }),
  )
  .max(10_000);

/** Everything but the long lists, which are read by hand: zod takes seconds for 350,000 felts. */
const classSchema = z.object({
  prime: z.custom(
    (value) =>
      typeof value === "string" && INTEGER_TEXT.test(value) && BigInt(value) === FELT_PRIME,
    "must be the prime of Starknet's field",
  ),
  compiler_version: z.string().max(100),
  bytecode: z.unknown(),
  bytecode_segment_lengths: z.unknown(),
  hints: z.unknown(),
  entry_points_by_type: z.object({
    EXTERNAL: entryPoints,
    L1_HANDLER: entryPoints,
    CONSTRUCTOR: entryPoints,
  }),
});

type Malformed = (place: string, problem: string) => HdpError;

/** Where a class was read, for errors. */
export interface ClassSource {
  readonly file?: string | undefined;
}

/** Bytecode of parsed classes that is still text. */
const textsOf = new WeakMap<CompiledClass, readonly string[]>();

/**
 * Reads a compiled contract class (`*.compiled_contract_class.json`) that was parsed from JSON.
 * Unknown keys pass. The result is a copy: later changes of `json` do not reach it.
 * @throws HdpError HDP-7001 where its form is wrong or it is a class of Cairo 0, HDP-7002 for a Sierra class
 */
export function parseCompiledClass(json: unknown, { file }: ClassSource = {}): CompiledClass {
  const malformed: Malformed = (place, problem) =>
    hdpError("HDP-7001", { place, problem }, { path: file });
  if (!isRecord(json)) throw malformed("the class", "must be a JSON object");
  if ("sierra_program" in json) throw sierraClass(file);
  if (isCairo0(json))
    throw malformed("the class", "is of Cairo 0, and modules are contracts of Cairo 2");
  const parsed = classSchema.safeParse(json);
  if (!parsed.success) {
    const { path, message } = firstIssue(parsed.error);
    const problem =
      message === "Required" ? "is missing" : message.replace(/^./, (one) => one.toLowerCase());
    throw malformed(path, problem);
  }
  const {
    compiler_version,
    bytecode: felts,
    bytecode_segment_lengths: lengths,
    entry_points_by_type,
  } = parsed.data;
  const texts = readTexts(felts, malformed);
  requireInside(entry_points_by_type, texts.length, malformed);
  const segments =
    lengths === undefined || lengths === null ? undefined : readSegments(lengths, malformed);
  if (segments !== undefined) requireWhole(segments, texts.length, malformed);
  let bytecode: readonly bigint[] | undefined;
  const compiled: CompiledClass = {
    compilerVersion: compiler_version,
    get bytecode() {
      return (bytecode ??= texts.map(BigInt));
    },
    ...(segments === undefined ? {} : { bytecodeSegmentLengths: segments }),
    hints: structuredClone(readHints(parsed.data.hints, texts.length, malformed)),
    entryPointsByType: entry_points_by_type,
  };
  textsOf.set(compiled, texts);
  return compiled;
}

/** Throws unless every entry point is in the bytecode. */
function requireInside(
  entryPointsByType: CompiledClass["entryPointsByType"],
  length: number,
  malformed: Malformed,
): void {
  for (const type of ENTRY_POINT_TYPES) {
    for (const [at, { offset }] of entryPointsByType[type].entries()) {
      const place = `entry_points_by_type.${type}[${at}].offset`;
      if (offset >= length) throw malformed(place, `is ${offset}, outside of the bytecode`);
    }
  }
}

/** Throws unless the segments have all felts of the bytecode. */
function requireWhole(segments: SegmentLengths, length: number, malformed: Malformed): void {
  const total = totalLength(segments);
  if (total === length) return;
  const problem = `sums up to ${total}, but the bytecode has ${length} felts`;
  throw malformed("bytecode_segment_lengths", problem);
}

/** Returns the bytecode, each felt decoded when it is asked for: a run reaches a small part of a large class. */
export function bytecodeSource(compiled: CompiledClass): FeltSource {
  const texts = textsOf.get(compiled);
  if (texts === undefined)
    return { length: compiled.bytecode.length, at: (at) => compiled.bytecode[at] ?? 0n };
  return { length: texts.length, at: (at) => BigInt(texts[at] ?? 0) };
}

/** Maximum number of felts of all remembered classes together: about 100 bytes each. */
const MAX_REMEMBERED = 1_000_000;
const remembered: { readonly json: unknown; readonly compiled: CompiledClass }[] = [];

/**
 * Returns what {@link parseCompiledClass} reads, the same object for equal JSON: the process remembers the classes used last.
 * @throws as {@link parseCompiledClass}
 */
export function rememberedClass(json: unknown, source: ClassSource = {}): CompiledClass {
  const index = remembered.findIndex((known) => isDeepStrictEqual(known.json, json));
  const [known] = index < 0 ? [] : remembered.splice(index, 1);
  const entry = known ?? { compiled: parseCompiledClass(json, source), json: copied(json) };
  remembered.push(entry);
  const felts = (): number =>
    remembered.reduce((sum, { compiled }) => sum + bytecodeSource(compiled).length, 0);
  while (remembered.length > 1 && felts() > MAX_REMEMBERED) remembered.shift();
  return entry.compiled;
}

/** Copies JSON but its texts, which a structured clone would copy too: the felts of a large class take 30 MB. */
function copied(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(copied);
  if (!isRecord(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, copied(value)]));
}

/** Reads a compiled class from the text of a file. @throws HdpError HDP-6001 for other text than JSON; as {@link parseCompiledClass} */
export function parseCompiledClassText(text: string, source: ClassSource = {}): CompiledClass {
  return parseCompiledClass(parseClassJson(text, source.file), source);
}

/** Parses the text of a class file as JSON. @throws HdpError HDP-6001 where it is too long or not JSON */
export function parseClassJson(text: string, file: string | undefined): unknown {
  const failure = (reason: string): HdpError =>
    hdpError("HDP-6001", { what: "the class file", reason, path: undefined }, { path: file });
  if (text.length > MAX_TEXT)
    throw failure(`it has ${text.length} characters, at most ${MAX_TEXT} are read`);
  return parsePlainJson(text, { notJson: (sentence) => failure(`not JSON: ${sentence}`) });
}

/** Returns the number of felts in segments of any depth. */
export function totalLength(lengths: SegmentLengths): number {
  if (typeof lengths === "number") return lengths;
  return lengths.reduce<number>((sum, part) => sum + totalLength(part), 0);
}

function sierraClass(file: string | undefined): HdpError {
  const isNamed = file?.endsWith(SIERRA_SUFFIX) === true;
  const compiled = isNamed
    ? compiledPath(file)
    : "the file that ends with .compiled_contract_class.json";
  return hdpError("HDP-7002", { file: compiled }, { path: file });
}

function isCairo0(json: Readonly<Record<string, unknown>>): boolean {
  const { compiler_version } = json;
  if (typeof compiler_version === "string" && compiler_version.startsWith("0.")) return true;
  return "program" in json || ("identifiers" in json && "reference_manager" in json);
}

function readTexts(value: unknown, malformed: Malformed): readonly string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_FELTS) {
    throw malformed("bytecode", `must be a list of 1 to ${MAX_FELTS} felts`);
  }
  return value.map((text: unknown, at) => {
    if (!isFeltText(text)) throw malformed(`bytecode[${at}]`, "must be a felt as text, like 0x1f");
    return text;
  });
}

function readHints(value: unknown, length: number, malformed: Malformed): CompiledClass["hints"] {
  if (!Array.isArray(value)) throw malformed("hints", "must be a list");
  return value.map((entry: unknown, at): [number, readonly CompiledHint[]] => {
    const pair: readonly unknown[] = Array.isArray(entry) ? entry : [];
    const [pc, hints, ...others] = pair;
    const isIndex = typeof pc === "number" && Number.isInteger(pc) && pc >= 0 && pc < length;
    const areHints =
      Array.isArray(hints) && hints.every((hint) => typeof hint === "string" || isRecord(hint));
    if (isIndex && areHints && others.length === 0) return [pc, hints];
    throw malformed(`hints[${at}]`, "must be an index of the bytecode with a list of hints");
  });
}

function readSegments(value: unknown, malformed: Malformed): SegmentLengths {
  let segments = 0;
  const read = (part: unknown, path: string, depth: number): SegmentLengths => {
    segments += 1;
    if (segments > MAX_SEGMENTS)
      throw malformed(path, `is one of more than ${MAX_SEGMENTS} segments`);
    if (typeof part === "number") {
      if (Number.isInteger(part) && part >= 0 && part <= MAX_FELTS) return part;
      throw malformed(path, "must be a number of felts");
    }
    if (!Array.isArray(part)) throw malformed(path, "must be a number or a list");
    if (depth === 0) throw malformed(path, `is nested deeper than ${MAX_DEPTH} lists`);
    return part.map((inner: unknown, at) => read(inner, `${path}[${at}]`, depth - 1));
  };
  return read(value, "bytecode_segment_lengths", MAX_DEPTH);
}

/** Selector of `main`, the only function of a module that the data processor calls: sn_keccak("main"). */
export const MAIN_SELECTOR = 0xe2054f8a912367e38a22ce773328ff8aabf8082c4120bad9ef085e1dbf29a7n;

/** Returns the entry point `main` of a module. @throws HdpError HDP-7007 where the class has none */
export function requireMain(compiled: CompiledClass): CompiledEntryPoint {
  const main = compiled.entryPointsByType.EXTERNAL.find(
    ({ selector }) => selector === MAIN_SELECTOR,
  );
  if (main === undefined) throw hdpError("HDP-7007", { found: undefined });
  return main;
}

/** Returns where each segment of the bytecode begins: functions in their order, then constants; undefined for other forms. */
export function segmentStarts(lengths: SegmentLengths | undefined): readonly number[] | undefined {
  if (lengths === undefined || typeof lengths === "number") return undefined;
  const starts: number[] = [];
  let at = 0;
  for (const length of lengths) {
    if (typeof length !== "number") return undefined;
    starts.push(at);
    at += length;
  }
  return starts;
}
