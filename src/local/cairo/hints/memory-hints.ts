import { pointer } from "../words.js";
import { feltOf, hint, operand, target } from "./operand.js";

/** Hints that make room or show values. */
export const MEMORY_HINTS = {
  AllocSegment: hint({ dst: target }, ({ dst }) => (machine) => {
    dst(machine, pointer(machine.memory.addSegment(), 0));
  }),
  AllocConstantSize: hint({ size: operand, dst: target }, ({ size, dst }) => (machine) => {
    const { hintState, memory } = machine;
    const start = (hintState.allocation ??= pointer(memory.addSegment(), 0));
    dst(machine, start);
    hintState.allocation = memory.add(start, memory.word(feltOf(machine, size)));
  }),
  DebugPrint: hint({ start: operand, end: operand }, ({ start, end }) => (machine) => {
    machine.hintState.printed.push(machine.memory.feltsBetween(start(machine), end(machine), "what is printed"));
  }),
} as const;
