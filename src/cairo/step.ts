import { PRIME, toSigned } from "./field.js";
import type { Instruction } from "./instruction.js";
import { EXECUTION_SEGMENT, PROGRAM_SEGMENT, STACK_BASE } from "./segments.js";
import type { MachineState } from "./machine-state.js";
import type { Program } from "./prepared-program.js";
import { inconsistent } from "./vm-error.js";
import { isPointer, isUnset, offsetOf, pointer, segmentOf, type Word } from "./words.js";

interface Operands {
  dst: Word;
  op0: Word;
  op1: Word;
  result: Word;
}

/**
 * Executes the instruction at pc by the architecture's rules for every form: operands, deduction of the unknown one,
 * assertion, and the three registers' updates.
 *
 * @returns true when the outermost function has returned
 */
export function executeGeneric(machine: MachineState & { readonly program: Program }): boolean {
  const { memory, program } = machine;
  const instruction = program.instruction(machine.pc);
  const dstAt = machine.address(instruction.dst.register, instruction.dst.offset);
  const op0At = machine.address(instruction.op0.register, instruction.op0.offset);
  const words: Operands = { dst: memory.load(dstAt), op0: memory.load(op0At), op1: NaN, result: NaN };
  if (isUnset(words.op0) && instruction.opcode === "call") {
    words.op0 = pointer(PROGRAM_SEGMENT, machine.pc + instruction.size);
    memory.store(op0At, words.op0);
  }
  const op1At = operand1Address(machine, instruction, words.op0);
  words.op1 = memory.load(op1At);
  if (isUnset(words.op1)) words.op1 = machine.builtins.deduce(memory, op1At);

  if (instruction.opcode === "assertEqual") deduceOperands(machine, instruction, words);
  words.result = computeResult(machine, instruction, words);
  if (instruction.opcode === "call") saveFrame(machine, instruction, words);
  if (instruction.opcode === "assertEqual") assertEqual(machine, words);

  // What was deduced is now written; what was known is compared.
  if (!isUnset(words.op0)) memory.store(op0At, words.op0);
  if (!isUnset(words.op1)) memory.store(op1At, words.op1);
  if (!isUnset(words.dst)) memory.store(dstAt, words.dst);
  return updateRegisters(machine, instruction, words);
}

function operand1Address(machine: MachineState, instruction: Instruction, op0: Word): Word {
  const { source, offset } = instruction.op1;
  if (source === "immediate") return pointer(PROGRAM_SEGMENT, machine.pc + offset);
  if (source !== "op0") return machine.address(source, offset);
  if (isUnset(op0)) throw inconsistent("a reference is followed whose address is not known");
  return offset < 0
    ? machine.memory.subtract(requirePointer(op0), -offset)
    : machine.memory.add(requirePointer(op0), offset);
}

function requirePointer(word: Word): Word {
  if (!isPointer(word)) throw inconsistent("a felt was used as an address");
  return word;
}

/** Finds the one operand an assertion leaves open from the other and the destination. */
function deduceOperands(machine: MachineState, instruction: Instruction, words: Operands): void {
  const { memory } = machine;
  if (isUnset(words.dst)) return;
  if (instruction.result === "op1") {
    if (isUnset(words.op1)) words.op1 = words.dst;
    return;
  }
  const invert = (known: Word): Word =>
    instruction.result === "add" ? memory.subtract(words.dst, known) : memory.divide(words.dst, known);
  if (isUnset(words.op0) && !isUnset(words.op1)) words.op0 = invert(words.op1);
  else if (isUnset(words.op1) && !isUnset(words.op0)) words.op1 = invert(words.op0);
}

function computeResult(machine: MachineState, instruction: Instruction, words: Operands): Word {
  const { op0, op1 } = words;
  if (instruction.result === "op1") return op1;
  if (instruction.result === "unconstrained" || isUnset(op0) || isUnset(op1)) return NaN;
  return instruction.result === "add" ? machine.memory.add(op0, op1) : machine.memory.multiply(op0, op1);
}

function saveFrame(machine: MachineState, instruction: Instruction, words: Operands): void {
  const frame = pointer(EXECUTION_SEGMENT, machine.fp);
  if (isUnset(words.dst)) words.dst = frame;
  const back = pointer(PROGRAM_SEGMENT, machine.pc + instruction.size);
  if (words.dst !== frame || words.op0 !== back) throw inconsistent("a call found other values in its frame's cells");
}

function assertEqual(machine: MachineState, words: Operands): void {
  if (isUnset(words.result)) throw inconsistent("an assertion has two unknown operands");
  if (isUnset(words.dst)) words.dst = words.result;
  if (!machine.memory.same(words.dst, words.result)) {
    const { memory } = machine;
    throw inconsistent(`an assertion failed: ${memory.show(words.dst)} is not ${memory.show(words.result)}`);
  }
}

function updateRegisters(machine: MachineState, instruction: Instruction, words: Operands): boolean {
  const { memory } = machine;
  const here = pointer(PROGRAM_SEGMENT, machine.pc);
  const next = pointer(PROGRAM_SEGMENT, machine.pc + instruction.size);
  const ap = nextAp(machine, instruction, words.result);
  let pc: Word;
  if (instruction.pcUpdate === "regular") pc = next;
  else if (instruction.pcUpdate === "jump") pc = requireKnown(words.result);
  else if (instruction.pcUpdate === "jumpRelative") pc = memory.add(here, requireFelt(words.result));
  else {
    if (isUnset(words.dst)) throw inconsistent("a conditional jump depends on an unknown cell");
    pc = words.dst === 0 ? next : memory.add(here, requireFelt(words.op1));
  }
  if (instruction.opcode === "ret" && pc === machine.end.pc) {
    if (words.dst !== machine.end.fp)
      throw inconsistent("the outermost return restores a frame that is not its caller's");
    machine.ap = ap;
    return true;
  }
  if (!isPointer(pc) || segmentOf(pc) !== PROGRAM_SEGMENT) throw inconsistent("a jump leaves the program");
  if (instruction.opcode === "call") machine.fp = ap;
  if (instruction.opcode === "ret") machine.fp = frameOffset(words.dst, ap);
  machine.pc = offsetOf(pc);
  machine.ap = ap;
  return false;
}

function frameOffset(word: Word, ap: number): number {
  const offset = isPointer(word) && segmentOf(word) === EXECUTION_SEGMENT ? offsetOf(word) : -1;
  if (offset < STACK_BASE || offset > ap) throw inconsistent("a return restores a frame outside of the stack");
  return offset;
}

function nextAp(machine: MachineState, instruction: Instruction, result: Word): number {
  if (instruction.apUpdate === "regular") return machine.ap;
  if (instruction.apUpdate === "one") return machine.ap + 1;
  if (instruction.apUpdate === "two") return machine.ap + 2;
  const distance = toSigned(machine.memory.felt(result, "the distance ap advances"));
  const ap = BigInt(machine.ap) + distance;
  if (ap < BigInt(STACK_BASE) || ap >= 2n ** 31n || distance > PRIME / 2n) throw inconsistent("ap left the stack");
  return Number(ap);
}

function requireKnown(word: Word): Word {
  if (isUnset(word)) throw inconsistent("a jump's target is not known");
  return word;
}

function requireFelt(word: Word): Word {
  if (isUnset(word) || isPointer(word)) throw inconsistent("a relative jump's distance is not a felt");
  return word;
}
