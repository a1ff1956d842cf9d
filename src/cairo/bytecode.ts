import type { HdpError } from "../errors/hdp-error.js";
import { z } from "zod";

import { isRecord } from "../base/collections.js";
import { firstIssue } from "../base/text.js";
import { hdpError } from "../errors/hdp-error.js";
import type { FeltSource } from "../program/compiled-class.js";
import { evaluateCircuit } from "./builtins/modulo.js";
import { DICT_HINTS, SQUASH_HINTS } from "./hints/dict-hints.js";
import { ASSERT_LE_HINTS, INTEGER_HINTS, MEMORY_HINTS } from "./hints/integer-hints.js";
import { operandFelt, type Hint, hint, operand } from "./hints/operand.js";
import { Constants, inconsistent, isUnset, smallSigned, toSigned, type Word } from "./words.js";

/** A register that operands are relative to: the allocation pointer or the frame pointer. */
type Register = "ap" | "fp";

/** One instruction of the Cairo machine, as the architecture's 15 flags and three offsets define it. */
export interface Instruction {
  readonly dst: { readonly register: Register; readonly offset: number };
  readonly op0: { readonly register: Register; readonly offset: number };
  readonly op1: { readonly source: "op0" | "immediate" | "fp" | "ap"; readonly offset: number };
  readonly result: "op1" | "add" | "multiply" | "unconstrained";
  readonly pcUpdate: "regular" | "jump" | "jumpRelative" | "jumpNotZero";
  readonly apUpdate: "regular" | "result" | "one" | "two";
  readonly opcode: "nop" | "call" | "ret" | "assertEqual";
  /** 2 when the word behind it is its immediate. */
  readonly size: 1 | 2;
}

const OFFSET_BIAS = 0x8000;

/** Returns what the only set flag of a group stands for; `none` where none is set. */
function pick<T>(flags: number, shift: number, none: T, options: readonly T[]): T {
  const bits = (flags >> shift) & ((1 << options.length) - 1);
  if ((bits & (bits - 1)) !== 0)
    throw inconsistent(`flags 0x${flags.toString(16)} set two of a group`);
  return options[31 - Math.clz32(bits)] ?? none;
}

/** Decodes three biased 16-bit offsets (dst, op0, op1) and 15 flags, from the low bits up. @throws HdpError HDP-7108 */
export function decodeInstruction(word: bigint): Instruction {
  if (word < 0n || word >> 63n !== 0n) throw notAnInstruction(word);
  const offset = (shift: bigint): number => Number((word >> shift) & 0xffffn) - OFFSET_BIAS;
  const flags = Number(word >> 48n);
  const source = pick<Instruction["op1"]["source"]>(flags, 2, "op0", ["immediate", "fp", "ap"]);
  const pcUpdate = pick<Instruction["pcUpdate"]>(flags, 7, "regular", [
    "jump",
    "jumpRelative",
    "jumpNotZero",
  ]);
  const opcode = pick<Instruction["opcode"]>(flags, 12, "nop", ["call", "ret", "assertEqual"]);
  const logic = pick<Instruction["result"]>(flags, 5, "op1", ["add", "multiply"]);
  const ap = pick<Instruction["apUpdate"]>(flags, 10, "regular", ["result", "one"]);
  const instruction: Instruction = {
    dst: { register: (flags & 1) === 0 ? "ap" : "fp", offset: offset(0n) },
    op0: { register: (flags & 2) === 0 ? "ap" : "fp", offset: offset(16n) },
    op1: { source, offset: offset(32n) },
    result: pcUpdate === "jumpNotZero" ? "unconstrained" : logic,
    pcUpdate,
    apUpdate: opcode === "call" ? "two" : ap,
    opcode,
    size: source === "immediate" ? 2 : 1,
  };
  checkForm(instruction, logic, ap);
  return instruction;
}

/** Instructions of later provers, by the bits above those of an instruction: opcode extensions of the Cairo VM. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  "1": "Blake2s",
  "2": "Blake2s of a last block",
  "3": "QM31 arithmetic",
};

function notAnInstruction(word: bigint): HdpError {
  const hex = `0x${word.toString(16)}`;
  const name = word < 0n ? undefined : EXTENSIONS[(word >> 63n).toString()];
  return inconsistent(
    name === undefined
      ? `${hex} is not an instruction`
      : `${hex} is an instruction of an opcode extension, ${name}, which later provers have and this machine does not`,
  );
}

/** Throws for combinations of flags that the architecture leaves undefined. */
function checkForm(instruction: Instruction, logic: string, ap: string): void {
  const { dst, op0, op1, opcode, pcUpdate } = instruction;
  if (op1.source === "immediate" && op1.offset !== 1)
    throw inconsistent("an immediate has offset 1");
  if (pcUpdate === "jumpNotZero" && (logic !== "op1" || opcode !== "nop" || ap === "result")) {
    throw inconsistent("a conditional jump has no result to use");
  }
  if (opcode === "call") {
    const frame =
      dst.register === "ap" && dst.offset === 0 && op0.register === "ap" && op0.offset === 1;
    if (!frame || ap !== "regular" || (pcUpdate !== "jump" && pcUpdate !== "jumpRelative")) {
      throw inconsistent("a call saves fp and pc at ap and jumps");
    }
  }
  if (opcode === "ret") {
    const frame =
      dst.register === "fp" && dst.offset === -2 && op1.source === "fp" && op1.offset === -1;
    if (!frame || logic !== "op1" || pcUpdate !== "jump" || ap !== "regular") {
      throw inconsistent("a return restores fp and pc from its frame");
    }
  }
}

/** `ret`: programs call it behind their last instruction to learn their own address. */
export const RETURN_INSTRUCTION = 0x208b7fff7fff7ffen;

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

/** Flag in the kind of an instruction that has hints. */
export const HINTED = 16;
/** First bit of the number of an instruction's list of hints. */
export const HINT_SHIFT = 5;
/** The bits of a form's first field that are its kind. */
export const KIND_MASK = 15;
/** Fields of a form in `Program.forms`: kind, three times mask and offset (mask -1 means fp, 0 ap), ap increment or target. */
export const STRIDE = 8;

/** Bytecode with forms, constants and hints, each made when first reached: starting costs the same at any size. */
export class Program {
  /** STRIDE integers per bytecode offset. */
  public readonly forms: Int32Array;
  /** By the offset of an instruction with an immediate: what it adds, as a signed integer; NaN when far from zero. */
  public readonly addends: Float64Array;
  /** Words by offset, NaN until they are needed: immediates are there once their instruction is decoded. */
  public readonly code: Float64Array;
  /** Hints by the number that a form names. */
  public readonly hintLists: (readonly Hint[])[] = [];
  readonly #felts: FeltSource;
  readonly #hints: ReadonlyMap<number, readonly unknown[]>;
  readonly #instructions: (Instruction | undefined)[];

  /** @param genericOnly decodes every instruction as GENERIC: slower, with the same result */
  public constructor(
    felts: FeltSource,
    hints: readonly (readonly [number, readonly unknown[]])[],
    readonly genericOnly = false,
    public readonly constants = new Constants(),
  ) {
    // Behind the bytecode: a return to find one's own address by, and the pointer to the cost table.
    const length = felts.length + 2;
    this.#felts = felts;
    this.#hints = new Map(hints);
    this.#instructions = new Array<Instruction | undefined>(length);
    this.forms = new Int32Array(length * STRIDE);
    this.addends = new Float64Array(length);
    this.code = new Float64Array(length).fill(NaN);
  }

  /** Returns the program for a memory that has all cells already: no hint sets one, and its words are this program's. */
  public withoutHints(): Program {
    const bare = new Program(this.#felts, [], this.genericOnly, this.constants);
    bare.code.set(this.code);
    return bare;
  }

  public setCosts(at: Word): void {
    this.code[this.code.length - 1] = at;
  }

  public word(offset: number): Word {
    const known = this.code[offset] ?? NaN;
    if (!isUnset(known) || offset >= this.code.length - 1) return known;
    const word = this.constants.word(this.#felt(offset));
    this.code[offset] = word;
    return word;
  }

  public instruction(pc: number): Instruction {
    return (this.#instructions[pc] ??= decodeInstruction(this.#felt(pc)));
  }

  /** Decodes the instruction at `pc` into its form and returns the form's first field. */
  public decode(pc: number): number {
    const instruction = this.instruction(pc);
    const immediate = instruction.size === 2 ? this.#felt(pc + 1) : undefined;
    if (immediate !== undefined) {
      this.word(pc + 1);
      this.addends[pc] = smallSigned(immediate) ?? NaN;
    }
    const { dst, op0, op1 } = instruction;
    const mask = (register: string): number => (register === "fp" ? -1 : 0);
    const form = this.genericOnly ? GENERIC_FORM : classify(instruction, pc, immediate);
    const head = form.kind | this.#hintFlags(pc);
    const fields = [
      head,
      mask(dst.register),
      dst.offset,
      mask(op0.register),
      op0.offset,
      mask(op1.source),
      op1.offset,
    ];
    this.forms.set([...fields, form.last], pc * STRIDE);
    return head;
  }

  #hintFlags(pc: number): number {
    const hints = this.#hints.get(pc);
    if (hints === undefined) return 0;
    const number = this.hintLists.push(hints.map(compileHint)) - 1;
    return HINTED | (number << HINT_SHIFT);
  }

  #felt(offset: number): bigint {
    if (offset < this.#felts.length) return this.#felts.at(offset);
    return offset === this.#felts.length ? RETURN_INSTRUCTION : -1n;
  }
}

interface Form {
  readonly kind: number;
  /** Assertions: 1 when ap advances. Jumps: the target, with ap's advance in the lowest bit. Advance: the distance. */
  readonly last: number;
}

const GENERIC_FORM: Form = { kind: KIND.GENERIC, last: 0 };

/** Returns the form of an instruction that the machine runs without decoding; GENERIC for any other. */
function classify(instruction: Instruction, pc: number, immediate: bigint | undefined): Form {
  const { opcode, pcUpdate, apUpdate, result, op1 } = instruction;
  if (opcode === "assertEqual") {
    if (pcUpdate !== "regular" || apUpdate === "result") return GENERIC_FORM;
    return { kind: assertionKind(result, op1.source), last: apUpdate === "one" ? 1 : 0 };
  }
  if (opcode === "ret") return { kind: KIND.RETURN, last: 0 };
  const distance = immediate === undefined ? undefined : toSigned(immediate);
  if (distance === undefined || distance > 2n ** 28n || distance < -(2n ** 28n))
    return GENERIC_FORM;
  const target = (pc + Number(distance)) * 2 + (apUpdate === "one" ? 1 : 0);
  if (pcUpdate === "jumpNotZero") return { kind: KIND.JUMP_NOT_ZERO, last: target };
  if (pcUpdate === "jumpRelative" && result === "op1" && apUpdate !== "result") {
    return { kind: opcode === "call" ? KIND.CALL : KIND.JUMP, last: target };
  }
  if (
    pcUpdate === "regular" &&
    opcode === "nop" &&
    apUpdate === "result" &&
    result === "op1" &&
    distance >= 0n
  ) {
    return { kind: KIND.ADVANCE_AP, last: Number(distance) };
  }
  return GENERIC_FORM;
}

function assertionKind(
  result: Instruction["result"],
  source: Instruction["op1"]["source"],
): number {
  if (result === "op1") {
    if (source === "immediate") return KIND.ASSERT_IMMEDIATE;
    return source === "op0" ? KIND.ASSERT_REFERENCE : KIND.ASSERT_CELL;
  }
  if (source === "op0") return KIND.GENERIC;
  if (result === "add") return source === "immediate" ? KIND.ADD_IMMEDIATE : KIND.ADD_CELL;
  return source === "immediate" ? KIND.MULTIPLY_IMMEDIATE : KIND.MULTIPLY_CELL;
}

const SYSTEM_HINTS = {
  SystemCall: hint({ system: operand }, (machine, { system }) => {
    machine.syscall = system(machine);
  }),
  // Circuits over a modulus of 384 bits.
  EvalCircuit: hint(
    {
      n_add_mods: operand,
      add_mod_builtin: operand,
      n_mul_mods: operand,
      mul_mod_builtin: operand,
    },
    (machine, { n_add_mods, add_mod_builtin, n_mul_mods, mul_mod_builtin }) => {
      machine.work = evaluateCircuit(machine.memory, {
        additions: Number(operandFelt(machine, n_add_mods)),
        additionsAt: add_mod_builtin(machine),
        multiplications: Number(operandFelt(machine, n_mul_mods)),
        multiplicationsAt: mul_mod_builtin(machine),
      });
    },
  ),
} as const;

const ALL = {
  ...INTEGER_HINTS,
  ...MEMORY_HINTS,
  ...DICT_HINTS,
  ...SQUASH_HINTS,
  ...ASSERT_LE_HINTS,
  ...SYSTEM_HINTS,
};
/** Compilers of hints by name: each parses a hint's body and returns the function that executes it. */
export const COMPILERS: ReadonlyMap<string, (body: unknown) => Hint> = new Map(Object.entries(ALL));

/** Returns a hint of a class as a function; an unknown or malformed one throws HDP-7106 where a run reaches it. */
export function compileHint(json: unknown): Hint {
  // A hint without parameters may be written as its name.
  const written: unknown = typeof json === "string" ? { [json]: {} } : json;
  const [entry, ...more] = isRecord(written) ? Object.entries(written) : [];
  if (entry === undefined || more.length > 0)
    return unsupported(`the hint ${JSON.stringify(json)}`);
  const [name, body]: readonly [string, unknown] = entry;
  const compiler = COMPILERS.get(name);
  if (compiler === undefined) return unsupported(`the hint ${name}`);
  try {
    return compiler(body);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const { path, message } = firstIssue(error);
    return unsupported(`the hint ${name} in this form ("${path}": ${message})`);
  }
}

function unsupported(feature: string): Hint {
  return () => {
    throw hdpError("HDP-7106", { feature, supported: undefined });
  };
}
