import { z } from "zod";

import { toFelt } from "../field.js";
import type { MachineState } from "../machine-state.js";
import { type Constants, isCellOffset, SMALL_LIMIT, type Word } from "../words.js";

/** What a hint does when its instruction is reached. */
export type Hint = (machine: MachineState) => void;
/** An operand of a hint: reads its value now. */
export type Operand = (machine: MachineState) => Word;
/** A cell a hint writes. */
export type Target = (machine: MachineState, word: Word) => void;

const bigIntAsHex = z
  .string()
  .regex(/^-?0x[0-9a-fA-F]+$/)
  .transform((text) => toFelt(text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text)));

const cellRef = z
  .object({ register: z.enum(["AP", "FP"]), offset: z.number().refine(isCellOffset, "no cell is that far") })
  .transform(({ register, offset }) => ({ register: register === "AP" ? ("ap" as const) : ("fp" as const), offset }));
type CellRef = z.output<typeof cellRef>;

const derefOrImmediate = z.union([
  z.object({ Deref: cellRef }).transform(({ Deref }) => read(Deref)),
  z.object({ Immediate: bigIntAsHex }).transform(({ Immediate }) => immediate(Immediate)),
]);

function read(cell: CellRef): Operand {
  return (machine) => machine.cell(cell.register, cell.offset);
}

function immediate(felt: bigint): Operand {
  const small = felt < BigInt(SMALL_LIMIT) ? Number(felt) : undefined;
  if (small !== undefined) return () => small;
  // A large constant takes one place among the program's, however often the hint runs.
  let owner: Constants | undefined;
  let word = NaN;
  return ({ memory: { constants } }) => {
    if (constants !== owner) {
      owner = constants;
      word = constants.word(felt);
    }
    return word;
  };
}

/** An operand as the compiler writes it: a cell, what a cell points to, a constant, or a sum or product of two. */
export const operand: z.ZodType<Operand, z.ZodTypeDef, unknown> = z.union([
  derefOrImmediate,
  z
    .object({ DoubleDeref: z.tuple([cellRef, z.number().int()]) })
    .transform(({ DoubleDeref: [cell, offset] }): Operand => {
      return (machine) => {
        const { memory } = machine;
        return memory.load(memory.shift(machine.cell(cell.register, cell.offset), offset));
      };
    }),
  z
    .object({ BinOp: z.object({ op: z.enum(["Add", "Mul"]), a: cellRef, b: derefOrImmediate }) })
    .transform(({ BinOp: { op, a, b } }): Operand => {
      return (machine) => {
        const left = machine.cell(a.register, a.offset);
        return op === "Add" ? machine.memory.add(left, b(machine)) : machine.memory.multiply(left, b(machine));
      };
    }),
]);

/** A cell to write. */
export const target: z.ZodType<Target, z.ZodTypeDef, unknown> = cellRef.transform((cell): Target => {
  return (machine, word) => {
    machine.write(cell.register, cell.offset, word);
  };
});

type Fields<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** A kind of hint: the fields of its JSON, and the function they make. */
export function hint<Shape extends z.ZodRawShape>(
  shape: Shape,
  build: (fields: Fields<Shape>) => Hint,
): (body: unknown) => Hint {
  const schema = z.object(shape);
  return (body) => build(schema.parse(body));
}

/** The felt an operand holds. */
export function feltOf(machine: MachineState, value: Operand): bigint {
  return machine.memory.felt(value(machine), "an operand of a hint");
}

/** Writes a felt. */
export function writeFelt(machine: MachineState, to: Target, felt: bigint): void {
  to(machine, machine.memory.word(felt));
}
