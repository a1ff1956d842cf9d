import { z } from "zod";

import { type Constants, isCellOffset, SMALL_LIMIT, reduceToFelt, type Word } from "../words.js";
import type { MachineState } from "../machine-state.js";

/** A compiled hint: acts on the machine before the instruction that it belongs to. */
export type Hint = (machine: MachineState) => void;
/** An operand of a hint: reads its value now. */
type Operand = (machine: MachineState) => Word;
/** Writes a word to the cell that a hint names. */
export type CellWriter = (machine: MachineState, word: Word) => void;

const bigIntAsHex = z
  .string()
  .regex(/^-?0x[0-9a-fA-F]+$/)
  .transform((text) => reduceToFelt(text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text)));

const cellRef = z
  .object({
    register: z.enum(["AP", "FP"]),
    offset: z.number().refine(isCellOffset, "no cell is that far"),
  })
  .transform(({ register, offset }) => ({
    register: register === "AP" ? ("ap" as const) : ("fp" as const),
    offset,
  }));

const derefOrImmediate = z.union([
  z.object({ Deref: cellRef }).transform(({ Deref }) => read(Deref)),
  z.object({ Immediate: bigIntAsHex }).transform(({ Immediate }) => immediate(Immediate)),
]);

function read(cell: z.output<typeof cellRef>): Operand {
  return (machine) => machine.cell(cell.register, cell.offset);
}

function immediate(felt: bigint): Operand {
  const small = felt < BigInt(SMALL_LIMIT) ? Number(felt) : undefined;
  if (small !== undefined) return () => small;
  // A large constant is stored once among the program's constants, however often the hint runs.
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

/** Parses an operand as the compiler writes it: a cell, what a cell points to, a constant, or a sum or product of two. */
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
        return op === "Add"
          ? machine.memory.add(left, b(machine))
          : machine.memory.multiply(left, b(machine));
      };
    }),
]);

/** Parses a cell reference of a hint to the function that writes the cell. */
export const target: z.ZodType<CellWriter, z.ZodTypeDef, unknown> = cellRef.transform(
  (cell): CellWriter => {
    return (machine, word) => machine.write(cell.register, cell.offset, word);
  },
);

/** Returns the compiler of one kind of hint: from the fields of its JSON, and what it does with them. */
export function hint<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (machine: MachineState, fields: z.output<z.ZodObject<Shape>>) => void,
): (body: unknown) => Hint {
  const schema = z.object(shape);
  return (body) => {
    const fields = schema.parse(body);
    return (machine) => run(machine, fields);
  };
}

/** Returns the felt of an operand. */
export function operandFelt(machine: MachineState, value: Operand): bigint {
  return machine.memory.felt(value(machine), "an operand of a hint");
}

/** Returns the compiler of a hint without effect, for conditions that the program asserts itself. */
export function asserted(shape: z.ZodRawShape): (body: unknown) => Hint {
  return hint(shape, () => undefined);
}

const LIMB = 128n;
/** Mask of the lower 128 bits. */
export const LIMB_MASK = (1n << LIMB) - 1n;

/** Returns the names of an integer's limbs, the lowest first: `quotient0`, `quotient1`, … */
export function limbNames(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`);
}

/**
 * Returns the compiler of a hint that computes integers from integers, each in one or more limbs of 128 bits, the lowest first.
 * @param inputs for each integer the operands with its limbs
 * @param outputs for each integer the targets of its limbs, of which the last takes what is left
 * @param compute returns the outputs; undefined for one that is not written
 */
export function integerHint(
  inputs: readonly (readonly string[])[],
  outputs: readonly (readonly string[])[],
  compute: (inputs: readonly bigint[]) => readonly (bigint | undefined)[],
): (body: unknown) => Hint {
  const [operands, targets] = [operandFields(inputs, operand), operandFields(outputs, target)];
  return (body) => {
    const [sources, places] = [operands(body), targets(body)];
    return (machine) => {
      const join = (sum: bigint, part: Operand): bigint =>
        (sum << LIMB) + operandFelt(machine, part);
      const results = compute(sources.map((parts) => parts.reduceRight(join, 0n)));
      for (const [at, parts] of places.entries()) {
        const result = results[at];
        if (result !== undefined) split(machine, result, parts);
      }
    };
  };
}

function operandFields<T>(
  names: readonly (readonly string[])[],
  type: z.ZodType<T, z.ZodTypeDef, unknown>,
) {
  const schema = z.object(Object.fromEntries(names.flat().map((name) => [name, type])));
  return (body: unknown) => {
    const fields = schema.parse(body);
    return names.map((group) => group.flatMap((name) => fields[name] ?? []));
  };
}

function split(machine: MachineState, value: bigint, parts: readonly CellWriter[]): void {
  parts.forEach((part, index) => {
    const rest = value >> (LIMB * BigInt(index));
    part(machine, machine.memory.word(index === parts.length - 1 ? rest : rest & LIMB_MASK));
  });
}
