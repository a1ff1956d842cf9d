import { PRIME } from "../../src/cairo/words.js";
import {
  prepareClass,
  runContract,
  type ContractResult,
  type SyscallHandler,
} from "../../src/cairo/run-contract.js";
import { MAIN_SELECTOR, parseCompiledClass } from "../../src/program/compiled-class.js";

type Register = "ap" | "fp";
/** `[register + offset]`. */
export type Cell = readonly [Register, number];
/** The second operand: a constant, a cell, or `[[op0] + offset]`. */
export type Source = bigint | Cell | { readonly at: number };

export interface Line {
  readonly opcode?: "call" | "ret" | "assert";
  readonly dst?: Cell;
  readonly op0?: Cell;
  readonly op1?: Source;
  readonly result?: "add" | "mul";
  readonly jump?: "abs" | "rel" | "jnz";
  readonly ap?: "add" | "one";
  /** Hints before the instruction, in the compiler's JSON. */
  readonly hints?: readonly unknown[];
  /** A word that is no instruction. */
  readonly raw?: bigint;
}

const bit = (set: boolean, at: number): bigint => (set ? 1n << BigInt(at) : 0n);

function isReference(source: Source): source is { readonly at: number } {
  return typeof source === "object" && !Array.isArray(source);
}

/** The instruction word of a line, from the architecture's table of flags. */
export function encode(line: Line): bigint {
  if (line.raw !== undefined) return line.raw;
  const { dst = ["fp", -1], op0 = ["fp", -1], op1 = ["fp", -1] } = line;
  const isImmediate = typeof op1 === "bigint";
  const cell = isImmediate || isReference(op1) ? undefined : op1;
  const offset = isImmediate ? 1 : isReference(op1) ? op1.at : op1[1];
  const biased = (value: number, at: bigint): bigint => BigInt(value + 0x8000) << at;
  const flags =
    bit(dst[0] === "fp", 0) |
    bit(op0[0] === "fp", 1) |
    bit(isImmediate, 2) |
    bit(cell?.[0] === "fp", 3) |
    bit(cell?.[0] === "ap", 4) |
    bit(line.result === "add", 5) |
    bit(line.result === "mul", 6) |
    bit(line.jump === "abs", 7) |
    bit(line.jump === "rel", 8) |
    bit(line.jump === "jnz", 9) |
    bit(line.ap === "add", 10) |
    bit(line.ap === "one", 11) |
    bit(line.opcode === "call", 12) |
    bit(line.opcode === "ret", 13) |
    bit(line.opcode === "assert", 14);
  return biased(dst[1], 0n) | biased(op0[1], 16n) | biased(offset, 32n) | (flags << 48n);
}

/** `[dst] = value`, then ap++. */
export const push = (op1: Source, op0?: Cell): Line => ({
  opcode: "assert",
  dst: ["ap", 0],
  op1,
  ap: "one",
  ...(op0 === undefined ? {} : { op0 }),
});
/** `[dst] = op1` or `[dst] = op0 result op1`. */
export const assertEqual = (dst: Cell, op1: Source, op0?: Cell, result?: "add" | "mul"): Line => ({
  opcode: "assert",
  dst,
  op1,
  ...(op0 === undefined ? {} : { op0 }),
  ...(result === undefined ? {} : { result }),
});
export const ret: Line = { opcode: "ret", dst: ["fp", -2], op1: ["fp", -1], jump: "abs" };

/** JSON of a compiled class with these lines as its main. */
export function assemble(lines: readonly Line[], builtins: readonly string[] = []): object {
  const bytecode: string[] = [];
  const hints: [number, readonly unknown[]][] = [];
  for (const line of lines) {
    if (line.hints !== undefined) hints.push([bytecode.length, line.hints]);
    bytecode.push(`0x${encode(line).toString(16)}`);
    if (typeof line.op1 === "bigint")
      bytecode.push(`0x${(((line.op1 % PRIME) + PRIME) % PRIME).toString(16)}`);
  }
  return {
    prime: `0x${PRIME.toString(16)}`,
    compiler_version: "2.8.2",
    bytecode,
    hints,
    entry_points_by_type: {
      EXTERNAL: [{ selector: `0x${MAIN_SELECTOR.toString(16)}`, offset: 0, builtins }],
      L1_HANDLER: [],
      CONSTRUCTOR: [],
    },
  };
}

/** Lines that return `values` (cells of the frame): builtins, gas, system, no failure, and an array of the values. */
export function returning(
  values: readonly Cell[],
  builtinEnds: readonly Line[] = [],
  failed = 0n,
): Line[] {
  return [
    // The array is the frame's cell fp + 100 and following: room is made by the caller never using it.
    { ...push(0n), hints: [{ AllocSegment: { dst: { register: "FP", offset: 100 } } }] },
    ...values.flatMap((cell, index) => [
      push(cell),
      assertEqual(["ap", -1], { at: index }, ["fp", 100]),
    ]),
    ...builtinEnds,
    push(["fp", -6]),
    push(["fp", -5]),
    push(failed),
    push(["fp", 100]),
    {
      opcode: "assert",
      dst: ["ap", 0],
      op0: ["fp", 100],
      op1: BigInt(values.length),
      result: "add",
      ap: "one",
    },
    ret,
  ];
}

/** Runs assembled lines, quick and general form alike, and checks that both agree. */
export async function runLines(
  lines: readonly Line[],
  options: {
    builtins?: readonly string[];
    calldata?: readonly bigint[];
    syscall?: SyscallHandler;
    maxSteps?: number;
    maxMemoryCells?: number;
  } = {},
): Promise<ContractResult> {
  const run = async (genericOnly: boolean): Promise<ContractResult> =>
    await runContract({
      program: prepareClass(parseCompiledClass(assemble(lines, options.builtins)), genericOnly),
      calldata: options.calldata ?? [],
      syscall: options.syscall ?? (() => Promise.reject(new Error("no system call expected"))),
      limits: { maxSteps: options.maxSteps ?? 10_000, maxMemoryCells: options.maxMemoryCells },
    });
  const quick = await run(false);
  const general = await run(true);
  if (JSON.stringify(quick, showBigint) !== JSON.stringify(general, showBigint))
    throw new Error("the forms disagree");
  return quick;
}

function showBigint(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
