import { z } from "zod";

import { type CompiledClass, segmentStarts } from "../program/compiled-class.js";
import { LINES } from "../program/module-task.js";
import {
  parseSierraProgram,
  type SierraProgram,
  type Statement,
} from "../program/sierra-program.js";
import type { Frame } from "./frames.js";
import type { Program } from "./bytecode.js";
import { preparedClass } from "./run-contract.js";
import { smallSigned } from "./words.js";

/** A line of a source, and the function that runs there, by its first instruction. */
export interface SourceLine {
  readonly target: number;
  /** Path of the file, as the compiler knew it. */
  readonly file: string;
  /** From 1 on. */
  readonly line: number;
}

const position = z.object({ line: z.number().int(), col: z.number().int() });
/** File, span, and whether a macro wrote the statement. Lines and columns count from 0. */
const location = z.tuple([z.string(), z.object({ start: position }), z.boolean()]);
/** Where a statement comes from, and behind it the calls that were inlined. */
type Locations = readonly z.infer<typeof location>[];

const classSchema = z.object({
  sierra_program: z.array(z.string().regex(/^0x[0-9a-fA-F]{1,64}$/)),
  sierra_program_debug_info: z.object({
    annotations: z.object({
      [LINES]: z.object({
        statements_code_locations: z.record(z.string(), z.array(location)),
      }),
    }),
  }),
});

/** Libfuncs that do not jump within themselves, and have one branch: what a block of a panic is made of. */
const STRAIGHT = new Set(
  `array_append array_new branch_align bytes31_const const_as_box const_as_immediate disable_ap_tracking drop dup
enable_ap_tracking enum_init felt252_const function_call into_box jump redeposit_gas rename snapshot_take
span_from_tuple store_local store_temp struct_construct struct_deconstruct unbox upcast`.split(
    /\s+/,
  ),
);

/** Libfuncs between the one that makes a panic and the return with it. */
const PASSING_ON = new Set(["enum_init", "store_temp", "drop", "rename"]);

/**
 * Returns the line of the contract's own package in which a run ended: of the innermost function that has one. Undefined
 * where the Sierra class has no lines, or where it cannot be told which of several lines it was.
 */
export function sourceLine(
  compiled: CompiledClass,
  sierraClass: unknown,
  frames: readonly Frame[],
): SourceLine | undefined {
  const parsed = classSchema.safeParse(sierraClass).data;
  const starts = segmentStarts(compiled.bytecodeSegmentLengths);
  if (parsed === undefined || starts === undefined) return undefined;
  const { annotations } = parsed.sierra_program_debug_info;
  const locations = annotations[LINES].statements_code_locations;
  const sierra = readProgram(parsed.sierra_program.map(BigInt));
  if (sierra === undefined) return undefined;
  const locate = (statement: number): Locations => locations[String(statement)] ?? [];
  const main = frames.at(-1);
  const own = main && packageOf(locate(sierra.entries[starts.indexOf(main.target)] ?? -1));
  if (own === undefined) return undefined;
  const isOwn = (places: Locations): boolean => places.some(([file]) => file.startsWith(own));
  for (const frame of frames) {
    const func = new FunctionCode(compiled, sierra, starts, starts.indexOf(frame.target));
    const statement = func.statementAt(frame.at);
    if (statement === undefined) {
      if (func.statements.some((number) => isOwn(locate(number)))) return undefined;
      continue;
    }
    const origins = func.origins(statement, frame);
    const places = locate(statement);
    if (!isOwn(places)) continue;
    const found = originOf(places, origins?.map(locate), own);
    return found && { target: frame.target, ...found };
  }
  return undefined;
}

function readProgram(felts: readonly bigint[]): SierraProgram | undefined {
  try {
    return parseSierraProgram(felts);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the folder of the package that a function of the contract comes from. */
function packageOf(locations: Locations): string | undefined {
  const [file] = locations.at(-1) ?? [];
  return file === undefined ? undefined : /^.*[\\/](?=src[\\/])/.exec(file)?.[0];
}

/**
 * Returns the line of a statement. The compiler writes equal panics of a function once, as of one of the lines they come
 * from: then it is that of the statement from which the run came, if that is the same call or macro.
 */
function originOf(
  places: Locations,
  origins: readonly Locations[] | undefined,
  own: string,
): Omit<SourceLine, "target"> | undefined {
  const line = (locations: Locations | undefined): Omit<SourceLine, "target"> | undefined => {
    const [file, span] = locations?.find(([path]) => path.startsWith(own)) ?? [];
    return file === undefined || span === undefined
      ? undefined
      : { file, line: span.start.line + 1 };
  };
  if (origins?.length === 0) return line(places);
  const [origin] = origins ?? [];
  const found = line(origin);
  if (origin === undefined || found === undefined) return undefined;
  const here = line(places);
  const isSameLine = here?.file === found.file && here.line === found.line;
  const library = (locations: Locations): readonly string[] =>
    locations.flatMap(([file, { start }]) =>
      file.startsWith(own) ? [] : [`${file}:${start.line}:${start.col}`],
    );
  const called = library(places);
  const isSameCall = library(origin).some((call) => called.includes(call));
  const isMacro = places[0]?.[2] === true && origin[0]?.[2] === true;
  return isSameLine || isSameCall || isMacro ? found : undefined;
}

/** A function in both forms: the compiler writes the instructions of one statement behind those of the one before. */
class FunctionCode {
  readonly #program: Program;
  readonly #compiled: CompiledClass;
  readonly #sierra: SierraProgram;
  readonly #starts: readonly number[];
  /** Offsets of its instructions. */
  readonly #instructions: readonly number[];
  /** Numbers of its statements. */
  public readonly statements: readonly number[];
  readonly #before = new Map<number, number[]>();

  public constructor(
    compiled: CompiledClass,
    sierra: SierraProgram,
    starts: readonly number[],
    index: number,
  ) {
    this.#compiled = compiled;
    this.#sierra = sierra;
    this.#starts = starts;
    this.#program = preparedClass(compiled).program;
    const end = starts[index + 1] ?? compiled.bytecode.length;
    const instructions: number[] = [];
    for (let pc = starts[index] ?? end; pc < end; pc += this.#program.instruction(pc).size)
      instructions.push(pc);
    this.#instructions = instructions;
    const first = sierra.entries[index] ?? 0;
    const behind = sierra.entries[index + 1] ?? sierra.statements.length;
    this.statements = Array.from({ length: Math.max(0, behind - first) }, (_, at) => first + at);
    for (const number of this.statements)
      for (const next of this.#statement(number)?.next ?? [])
        this.#before.set(next, [...(this.#before.get(next) ?? []), number]);
  }

  /** Returns the statement of a call, a return or a system call; undefined where the two forms do not fit. */
  public statementAt(pc: number): number | undefined {
    const { opcode } = this.#program.instruction(pc);
    if (opcode === "ret") {
      const isReturn = (at: number): boolean => this.#program.instruction(at).opcode === "ret";
      const returned = this.#fitting(pc, isReturn, ({ libfunc }) => libfunc === undefined);
      return returned === undefined ? undefined : this.#made(returned);
    }
    if (opcode === "call") {
      const target = this.#target(pc);
      const isCall = (at: number): boolean =>
        this.#program.instruction(at).opcode === "call" && this.#target(at) === target;
      const callee = this.#starts.indexOf(target);
      return this.#fitting(pc, isCall, (statement) => statement.callee === callee);
    }
    const calls = new Set(
      this.#compiled.hints.flatMap(([at, hints]) =>
        hints.some((hint) => typeof hint === "object" && "SystemCall" in hint) ? [at] : [],
      ),
    );
    const isSystemCall = ({ libfunc }: Statement): boolean =>
      libfunc?.endsWith("_syscall") === true;
    return calls.has(pc) ? this.#fitting(pc, (at) => calls.has(at), isSystemCall) : undefined;
  }

  /** Returns the statement that made the panic which a return returns; the return where another function did. */
  #made(returned: number): number {
    for (let at = returned; ;) {
      const before = this.#before.get(at) ?? [];
      const [only] = before;
      if (only === undefined || before.length > 1) return returned;
      const libfunc = this.#statement(only)?.libfunc ?? "";
      if (libfunc === "struct_construct") return only;
      if (!PASSING_ON.has(libfunc)) return returned;
      at = only;
    }
  }

  /**
   * Returns the statement from which the run came to the block of a statement: none where only one leads there, and
   * undefined where it is not known.
   */
  public origins(statement: number, frame: Frame): readonly number[] | undefined {
    const joined = this.#join(statement);
    if (joined === undefined) return [];
    const origin = this.#taken(joined, statement, frame);
    return origin === undefined || this.#join(origin) !== undefined ? undefined : [origin];
  }

  /** Returns the statement before another one, in the same block, that several lead to. */
  #join(statement: number): number | undefined {
    for (let at = statement; ;) {
      const before = this.#before.get(at) ?? [];
      const [only] = before;
      if (before.length > 1) return at;
      if (only === undefined || this.#statement(only)?.next.length !== 1) return undefined;
      at = only;
    }
  }

  /** Returns the statement that led to one that several lead to: by a jump, or as the one in front of it. */
  #taken(joined: number, statement: number, { at, before }: Frame): number | undefined {
    if (!this.#isStraight(joined, statement)) return undefined;
    const leading = this.#before.get(joined) ?? [];
    const jumping = leading.filter((number) => this.#statement(number)?.libfunc === "jump");
    const [inFront] = leading.filter((number) => !jumping.includes(number));
    const path = [...before, at];
    for (let index = path.length - 1; index > 0; index -= 1) {
      const [from = NaN, to = NaN] = path.slice(index - 1, index + 1);
      const jumps = this.#instructions.filter((pc) => this.#isJump(pc) && this.#target(pc) === to);
      if (jumps.length > 0) {
        if (jumps.length !== jumping.length) return undefined;
        return jumps.includes(from) ? jumping[jumps.indexOf(from)] : inFront;
      }
      if (from + this.#program.instruction(from).size !== to) return undefined;
    }
    return undefined;
  }

  /** Returns whether no instruction between two statements of a block jumps. */
  #isStraight(first: number, last: number): boolean {
    for (let at = first; at !== last; at = this.#statement(at)?.next[0] ?? last)
      if (!STRAIGHT.has(this.#statement(at)?.libfunc ?? "")) return false;
    return true;
  }

  #isJump(pc: number): boolean {
    const { opcode, pcUpdate, op1 } = this.#program.instruction(pc);
    return opcode === "nop" && pcUpdate === "jumpRelative" && op1.source === "immediate";
  }

  /** Returns where a jump or a call with an immediate goes to. */
  #target(pc: number): number {
    return pc + (smallSigned(this.#compiled.bytecode[pc + 1] ?? 0n) ?? NaN);
  }

  #statement(number: number): Statement | undefined {
    return this.#sierra.statements[number];
  }

  /** Returns the statement that has the place among its like that an instruction has among its like. */
  #fitting(
    pc: number,
    isInstruction: (pc: number) => boolean,
    isStatement: (statement: Statement) => boolean,
  ): number | undefined {
    const instructions = this.#instructions.filter(isInstruction);
    const statements = this.statements.filter((number) => {
      const statement = this.#statement(number);
      return statement !== undefined && isStatement(statement);
    });
    return instructions.length === statements.length
      ? statements[instructions.indexOf(pc)]
      : undefined;
  }
}
