import { inconsistent } from "./vm-error.js";

export type Register = "ap" | "fp";

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

/** The only set flag of a group, as its index plus one; 0 for none. */
function choice(flags: number, shift: number, width: number): number {
  const bits = (flags >> shift) & ((1 << width) - 1);
  if ((bits & (bits - 1)) !== 0) throw inconsistent(`flags 0x${flags.toString(16)} set two of a group`);
  return bits === 0 ? 0 : 32 - Math.clz32(bits);
}

function pick<T>(options: readonly T[], index: number): T {
  const option = options[index];
  if (option === undefined) throw inconsistent("flags name no such form");
  return option;
}

/**
 * Decodes an instruction word: three biased 16-bit offsets (dst, op0, op1) and 15 flags, from the low bits up.
 *
 * @throws CairoVmError HDP-7108 for a word that is no instruction.
 */
export function decodeInstruction(word: bigint): Instruction {
  if (word < 0n || word >> 63n !== 0n) throw inconsistent(`0x${word.toString(16)} is no instruction`);
  const offset = (shift: bigint): number => Number((word >> shift) & 0xffffn) - OFFSET_BIAS;
  const flags = Number(word >> 48n);
  const source = pick(["op0", "immediate", "fp", "ap"] as const, choice(flags, 2, 3));
  const pcUpdate = pick(["regular", "jump", "jumpRelative", "jumpNotZero"] as const, choice(flags, 7, 3));
  const opcode = pick(["nop", "call", "ret", "assertEqual"] as const, choice(flags, 12, 3));
  const logic = pick(["op1", "add", "multiply"] as const, choice(flags, 5, 2));
  const ap = pick(["regular", "result", "one"] as const, choice(flags, 10, 2));
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

/** The combinations the architecture leaves undefined are refused. */
function checkForm(instruction: Instruction, logic: string, ap: string): void {
  const { dst, op0, op1, opcode, pcUpdate } = instruction;
  if (op1.source === "immediate" && op1.offset !== 1) throw inconsistent("an immediate has offset 1");
  if (pcUpdate === "jumpNotZero" && (logic !== "op1" || opcode !== "nop" || ap === "result")) {
    throw inconsistent("a conditional jump has no result to use");
  }
  if (opcode === "call") {
    const frame = dst.register === "ap" && dst.offset === 0 && op0.register === "ap" && op0.offset === 1;
    if (!frame || ap !== "regular" || (pcUpdate !== "jump" && pcUpdate !== "jumpRelative")) {
      throw inconsistent("a call saves fp and pc at ap and jumps");
    }
  }
  if (opcode === "ret") {
    const frame = dst.register === "fp" && dst.offset === -2 && op1.source === "fp" && op1.offset === -1;
    if (!frame || logic !== "op1" || pcUpdate !== "jump" || ap !== "regular") {
      throw inconsistent("a return restores fp and pc from its frame");
    }
  }
}
