import { PRIME, toSigned } from "./field.js";
import { compileHint, type Hint } from "./hints/compile.js";
import { decodeInstruction, type Instruction } from "./instruction.js";
import { smallSigned } from "./words.js";

const FAR = PRIME / 2n;

/** Forms the machine runs without decoding; everything else is GENERIC. */
export const KIND = {
  UNDECODED: 0,
  GENERIC: 1,
  ASSERT_IMMEDIATE: 2,
  ASSERT_CELL: 3,
  ASSERT_REFERENCE: 4,
  ADD_IMMEDIATE: 5,
  ADD_CELL: 6,
  MULTIPLY_IMMEDIATE: 7,
  MULTIPLY_CELL: 8,
  JUMP: 9,
  JUMP_NOT_ZERO: 10,
  CALL: 11,
  RETURN: 12,
  ADVANCE_AP: 13,
} as const;

/** Set on the kind of an instruction that has hints. */
export const HINTED = 16;
/** Fields of a form in `Program.forms`: kind, three times mask and offset (mask -1 means fp, 0 ap), ap increment or target. */
export const STRIDE = 8;

/** Bytecode with what the machine derives from it once: forms by offset and hints as functions. */
export interface Program {
  readonly bytecode: readonly bigint[];
  /** STRIDE integers per bytecode offset. */
  readonly forms: Int32Array;
  /** By the offset of an instruction with an immediate: what it adds, as a signed integer; NaN when far from zero. */
  readonly addends: Float64Array;
  /** Decoded so far. */
  readonly instructions: (Instruction | undefined)[];
  readonly hints: ReadonlyMap<number, readonly Hint[]>;
}

/** Prepares bytecode; instructions are decoded when first reached, as data lies between them. */
export function createProgram(
  bytecode: readonly bigint[],
  hints: readonly (readonly [number, readonly unknown[]])[],
): Program {
  return {
    bytecode,
    forms: new Int32Array(bytecode.length * STRIDE),
    addends: Float64Array.from(bytecode, (_, pc) => smallSigned(bytecode[pc + 1] ?? FAR) ?? NaN),
    instructions: [],
    hints: new Map(hints.map(([pc, list]) => [pc, list.map((hint) => compileHint(hint, pc))])),
  };
}

/** The instruction at `pc`, decoded once. */
export function instructionAt(program: Program, pc: number): Instruction {
  return (program.instructions[pc] ??= decodeInstruction(program.bytecode[pc] ?? -1n));
}

/** Decodes the instruction at `pc` into its form and returns the kind. */
export function decodeForm(program: Program, pc: number, generic: boolean): number {
  const instruction = instructionAt(program, pc);
  const immediate = instruction.size === 2 ? program.bytecode[pc + 1] : undefined;
  const { dst, op0, op1 } = instruction;
  const mask = (register: string): number => (register === "fp" ? -1 : 0);
  const base = pc * STRIDE;
  const kind = generic ? { kind: KIND.GENERIC, last: 0 } : classify(instruction, pc, immediate);
  program.forms.set(
    [
      kind.kind | (program.hints.has(pc) ? HINTED : 0),
      mask(dst.register),
      dst.offset,
      mask(op0.register),
      op0.offset,
      mask(op1.source),
      op1.offset,
      kind.last,
    ],
    base,
  );
  return program.forms[base] ?? KIND.GENERIC;
}

interface Form {
  readonly kind: number;
  /** Assertions: 1 when ap advances. Jumps: the target, with ap's advance in the lowest bit. Advance: the distance. */
  readonly last: number;
}

const GENERIC_FORM: Form = { kind: KIND.GENERIC, last: 0 };

function classify(instruction: Instruction, pc: number, immediate: bigint | undefined): Form {
  const { opcode, pcUpdate, apUpdate, result, op1 } = instruction;
  if (opcode === "assertEqual") {
    if (pcUpdate !== "regular" || apUpdate === "result") return GENERIC_FORM;
    return { kind: assertionKind(result, op1.source), last: apUpdate === "one" ? 1 : 0 };
  }
  if (opcode === "ret") return { kind: KIND.RETURN, last: 0 };
  const distance = immediate === undefined ? undefined : toSigned(immediate);
  if (distance === undefined || distance > 2n ** 28n || distance < -(2n ** 28n)) return GENERIC_FORM;
  const target = (pc + Number(distance)) * 2 + (apUpdate === "one" ? 1 : 0);
  if (pcUpdate === "jumpNotZero") return { kind: KIND.JUMP_NOT_ZERO, last: target };
  if (pcUpdate === "jumpRelative" && result === "op1" && apUpdate !== "result") {
    return { kind: opcode === "call" ? KIND.CALL : KIND.JUMP, last: target };
  }
  if (pcUpdate === "regular" && opcode === "nop" && apUpdate === "result" && result === "op1" && distance >= 0n) {
    return { kind: KIND.ADVANCE_AP, last: Number(distance) };
  }
  return GENERIC_FORM;
}

function assertionKind(result: Instruction["result"], source: Instruction["op1"]["source"]): number {
  if (result === "op1") {
    if (source === "immediate") return KIND.ASSERT_IMMEDIATE;
    return source === "op0" ? KIND.ASSERT_REFERENCE : KIND.ASSERT_CELL;
  }
  if (source === "op0") return KIND.GENERIC;
  if (result === "add") return source === "immediate" ? KIND.ADD_IMMEDIATE : KIND.ADD_CELL;
  return source === "immediate" ? KIND.MULTIPLY_IMMEDIATE : KIND.MULTIPLY_CELL;
}
