import {
  EXECUTION_SEGMENT,
  inconsistent,
  isPointer,
  isUnset,
  pointerOffset,
  pointer,
  PRIME,
  PROGRAM_SEGMENT,
  pointerSegment,
  STACK_BASE,
  toSigned,
  type Word,
} from "./words.js";
import type { Instruction, Program } from "./bytecode.js";
import type { MachineState } from "./machine-state.js";

type RunningMachine = MachineState & { readonly program: Program };

type Operands = Record<"dst" | "op0" | "op1" | "result", Word>;

/** Executes the instruction at pc by the architecture's rules. Returns whether the outermost function has returned. */
export function executeGeneric(machine: RunningMachine): boolean {
  const { memory, program } = machine;
  const instruction = program.instruction(machine.pc);
  const { dst, op0, op1 } = instruction;
  const words: Operands = {
    dst: machine.cell(dst.register, dst.offset),
    op0: machine.cell(op0.register, op0.offset),
    op1: NaN,
    result: NaN,
  };
  if (isUnset(words.op0) && instruction.opcode === "call") {
    words.op0 = pointer(PROGRAM_SEGMENT, machine.pc + instruction.size);
    machine.write(op0.register, op0.offset, words.op0);
  }
  const isCell = op1.source === "fp" || op1.source === "ap";
  const op1At = isCell ? NaN : op1Address(machine, instruction, words.op0);
  words.op1 = isCell ? machine.cell(op1.source, op1.offset) : memory.load(op1At);
  if (isUnset(words.op1)) words.op1 = machine.builtins.deduce(op1At);

  if (instruction.opcode === "assertEqual") deduceOperands(machine, instruction, words);
  words.result = computeResult(machine, instruction, words);
  if (instruction.opcode === "call") saveFrame(machine, instruction, words);
  if (instruction.opcode === "assertEqual") assertEqual(machine, words);

  // Writes deduced operands, and compares known ones.
  if (!isUnset(words.op0)) machine.write(op0.register, op0.offset, words.op0);
  if (!isUnset(words.op1)) {
    if (isCell) machine.write(op1.source, op1.offset, words.op1);
    else memory.store(op1At, words.op1);
  }
  if (!isUnset(words.dst)) machine.write(dst.register, dst.offset, words.dst);
  return updateRegisters(machine, instruction, words);
}

function op1Address(machine: MachineState, { op1 }: Instruction, op0: Word): Word {
  if (op1.source === "immediate") return pointer(PROGRAM_SEGMENT, machine.pc + op1.offset);
  if (isUnset(op0)) throw inconsistent("a reference is followed whose address is not known");
  return machine.memory.shift(op0, op1.offset);
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
    instruction.result === "add"
      ? memory.subtract(words.dst, known)
      : memory.divide(words.dst, known);
  if (isUnset(words.op0) && !isUnset(words.op1)) words.op0 = invert(words.op1);
  else if (isUnset(words.op1) && !isUnset(words.op0)) words.op1 = invert(words.op0);
}

function computeResult(machine: MachineState, instruction: Instruction, words: Operands): Word {
  const { op0, op1 } = words;
  if (instruction.result === "op1") return op1;
  if (instruction.result === "unconstrained" || isUnset(op0) || isUnset(op1)) return NaN;
  return instruction.result === "add"
    ? machine.memory.add(op0, op1)
    : machine.memory.multiply(op0, op1);
}

function saveFrame(machine: MachineState, instruction: Instruction, words: Operands): void {
  const frame = pointer(EXECUTION_SEGMENT, machine.fp);
  if (isUnset(words.dst)) words.dst = frame;
  const back = pointer(PROGRAM_SEGMENT, machine.pc + instruction.size);
  if (words.dst !== frame || words.op0 !== back)
    throw inconsistent("a call found other values in its frame's cells");
}

function assertEqual(machine: MachineState, words: Operands): void {
  if (isUnset(words.result)) throw inconsistent("an assertion has two unknown operands");
  if (isUnset(words.dst)) words.dst = words.result;
  if (!machine.memory.same(words.dst, words.result)) {
    const { memory } = machine;
    throw inconsistent(
      `an assertion failed: ${memory.show(words.dst)} is not ${memory.show(words.result)}`,
    );
  }
}

/** Sets pc, ap and fp for the next instruction. Returns whether the outermost function has returned. */
function updateRegisters(
  machine: RunningMachine,
  instruction: Instruction,
  words: Operands,
): boolean {
  const ap = nextAp(machine, instruction, words.result);
  const pc = nextPc(machine, instruction, words);
  if (instruction.opcode === "ret" && pc === machine.end.pc) {
    if (words.dst !== machine.end.fp)
      throw inconsistent("the outermost return restores a frame that is not its caller's");
    machine.ap = ap;
    return true;
  }
  if (isUnset(pc)) throw inconsistent("a jump's target is not known");
  if (!isPointer(pc) || pointerSegment(pc) !== PROGRAM_SEGMENT)
    throw inconsistent("a jump leaves the program");
  if (instruction.opcode === "call") machine.fp = ap;
  if (instruction.opcode === "ret") {
    if (pointerSegment(words.dst) !== EXECUTION_SEGMENT)
      throw inconsistent("a return restores a frame outside of the stack");
    machine.fp = pointerOffset(words.dst);
  }
  machine.pc = pointerOffset(pc);
  machine.ap = ap;
  return false;
}

/** Returns the pointer to the next instruction; unset where a jump's target is not known. */
function nextPc({ memory, pc }: MachineState, instruction: Instruction, words: Operands): Word {
  const here = pointer(PROGRAM_SEGMENT, pc);
  const next = pointer(PROGRAM_SEGMENT, pc + instruction.size);
  if (instruction.pcUpdate === "regular") return next;
  if (instruction.pcUpdate === "jump") return words.result;
  if (instruction.pcUpdate === "jumpRelative") return memory.add(here, requireFelt(words.result));
  if (isUnset(words.dst)) throw inconsistent("a conditional jump depends on an unknown cell");
  return words.dst === 0 ? next : memory.add(here, requireFelt(words.op1));
}

function nextAp(machine: MachineState, instruction: Instruction, result: Word): number {
  if (instruction.apUpdate === "regular") return machine.ap;
  if (instruction.apUpdate === "one") return machine.ap + 1;
  if (instruction.apUpdate === "two") return machine.ap + 2;
  const distance = toSigned(machine.memory.felt(result, "the distance ap advances"));
  const ap = BigInt(machine.ap) + distance;
  if (ap < BigInt(STACK_BASE) || ap >= 2n ** 31n || distance > PRIME / 2n)
    throw inconsistent("ap left the stack");
  return Number(ap);
}

function requireFelt(word: Word): Word {
  if (isUnset(word) || isPointer(word))
    throw inconsistent("a relative jump's distance is not a felt");
  return word;
}
