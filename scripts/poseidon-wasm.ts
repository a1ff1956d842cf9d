// `npm run poseidon`: assembles Starknet's Poseidon (Hades: 8 full and 83 partial rounds, cube) into
// src/base/generated/poseidon-wasm.ts. A test compares the file with what this writes.
//
// A felt is nine limbs of 28 bits in signed 64-bit words, lowest first, times R = 2^252 (Montgomery's form): sums of
// products fit without carries. As the prime P is 2^251 + 17*2^192 + 1, a multiple of P that clears the lowest limb m is m
// at the limbs that P has: reducing takes shifts and subtractions only.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./root.js";
import {
  ADD,
  ADD32,
  AND,
  assemble,
  call,
  type Code,
  END,
  get,
  i32,
  I32,
  i64,
  I64,
  LESS32,
  load,
  loadHalf,
  LOOP,
  MUL,
  OR32,
  REPEAT_IF,
  RETURN_IF_ZERO,
  set,
  SHIFT_LEFT,
  SHIFT_RIGHT,
  SHIFT_RIGHT_SIGNED,
  store,
  SUB,
  SUB32,
  tee,
  WHEN,
  type WasmFunction,
} from "./wasm.js";

const LIMBS = 9;
const LIMB_BITS = 28;
const MASK = 2 ** LIMB_BITS - 1;
/** The prime's bits by limb: 1, 17 * 2^192 = 2^196 + 2^192, 2^251. */
const PRIME_BITS = [0, 192, 196, 251];
const TOP_BITS = 251 - 8 * LIMB_BITS;
const FULL_ROUNDS_EACH_SIDE = 4;
const PARTIAL_ROUNDS = 83;
const ROUNDS = 2 * FULL_ROUNDS_EACH_SIDE + PARTIAL_ROUNDS;
const LANE = 8 * LIMBS;
const ROW = 3 * LANE;
/** Places in the module's one page of memory. Behind the constants of the last round there is a row of zeros. */
const SQUARE_AT = ROW;
const CONSTANTS_AT = SQUARE_AT + LANE;
const INPUT_AT = CONSTANTS_AT + (ROUNDS + 1) * ROW;
const FELT_BYTES = 32;

const limbs = Array.from({ length: LIMBS }, (_, limb) => limb);

/** Adds to a local, or sets it where nothing was added yet. */
class Columns {
  readonly #first: number;
  readonly #used = new Set<number>();

  public constructor(first: number) {
    this.#first = first;
  }

  public local(column: number): number {
    return this.#first + column;
  }

  public add(column: number, code: Code): number[] {
    const local = this.local(column);
    if (this.#used.has(column)) return [...get(local), ...code, ...ADD, ...set(local)];
    this.#used.add(column);
    return [...code, ...set(local)];
  }

  /** Clears the lowest column left by a multiple of the prime, and carries what is above its limb. */
  public clear(column: number, m: number): number[] {
    const code = [...get(this.local(column)), ...i64(MASK), ...AND, ...set(m)];
    code.push(...this.add(column + 1, [...get(this.local(column)), ...i64(LIMB_BITS), ...SHIFT_RIGHT_SIGNED]));
    for (const bit of PRIME_BITS.slice(1)) {
      const to = this.local(column + Math.floor(bit / LIMB_BITS));
      code.push(...get(to), ...get(m), ...shiftedLeft(bit % LIMB_BITS), ...SUB, ...set(to));
    }
    return code;
  }

  /** The limbs of what is left, carried; each is handed over on the stack. */
  public result(take: (limb: number, code: Code) => Code): number[] {
    return limbs.flatMap((limb) => {
      const local = this.local(LIMBS + limb);
      if (limb === LIMBS - 1) return take(limb, get(local));
      const carry = this.add(LIMBS + limb + 1, [...get(local), ...i64(LIMB_BITS), ...SHIFT_RIGHT_SIGNED]);
      return [...take(limb, [...get(local), ...i64(MASK), ...AND]), ...carry];
    });
  }
}

function shiftedLeft(bits: number): Code {
  return bits === 0 ? [] : [...i64(bits), ...SHIFT_LEFT];
}

/** left * right / R of two felts in nine locals each. `columns` are two times nine locals, `m` is one. */
function product(
  left: number,
  right: number,
  columns: number,
  m: number,
  take: (limb: number, code: Code) => Code,
): Code {
  const sums = new Columns(columns);
  return [
    ...limbs.flatMap((row) => [
      ...limbs.flatMap((limb) => sums.add(row + limb, [...get(left + row), ...get(right + limb), ...MUL])),
      ...sums.clear(row, m),
    ]),
    ...sums.result(take),
  ];
}

/** felt * felt / R: products of two limbs are made once. `doubled` is a local. */
function square(
  felt: number,
  columns: number,
  m: number,
  doubled: number,
  take: (limb: number, code: Code) => Code,
): Code {
  const sums = new Columns(columns);
  return [
    ...limbs.flatMap((row) => [
      ...sums.add(2 * row, [...get(felt + row), ...get(felt + row), ...MUL]),
      ...get(felt + row),
      ...i64(1),
      ...SHIFT_LEFT,
      ...set(doubled),
      ...limbs.slice(row + 1).flatMap((limb) => sums.add(row + limb, [...get(doubled), ...get(felt + limb), ...MUL])),
      ...sums.clear(row, m),
    ]),
    ...sums.result(take),
  ];
}

/** cube(lane): of a felt of the state, in place. */
function cube(): WasmFunction {
  const [at, felt, squared, columns, m, doubled] = [0, 1, 10, 19, 37, 38];
  const code = [
    ...limbs.flatMap((limb) => [...get(at), ...load(8 * limb), ...set(felt + limb)]),
    ...square(felt, columns, m, doubled, (limb, value) => [...value, ...set(squared + limb)]),
    ...product(squared, felt, columns, m, (limb, value) => [...get(at), ...value, ...store(8 * limb)]),
  ];
  return { name: "cube", parameters: [I32], results: [], locals: [[38, I64]], code, isInner: true };
}

/** enter(lane, from): adds a felt of 32 bytes, lowest first, to a felt of the state. */
function enter(): WasmFunction {
  const [lane, from, felt, factor, columns, m] = [0, 1, 2, 11, 20, 38];
  const code = [
    ...limbs.flatMap((limb) => [
      ...[...get(from), ...loadHalf(Math.floor((limb * LIMB_BITS) / 8))],
      ...(limb % 2 === 0 ? [...i64(MASK), ...AND] : [...i64(4), ...SHIFT_RIGHT]),
      ...set(felt + limb),
      ...[...i32(0), ...load(SQUARE_AT + 8 * limb), ...set(factor + limb)],
    ]),
    ...product(felt, factor, columns, m, (limb, value) => [
      ...[...get(lane), ...get(lane), ...load(8 * limb), ...value, ...ADD, ...store(8 * limb)],
    ]),
  ];
  return { name: "enter", parameters: [I32, I32], results: [], locals: [[37, I64]], code };
}

/**
 * permute(): Hades over the state. What the matrix [[3,1,1],[1,-1,1],[1,1,-2]] makes gets the next round's constants, and is
 * carried and brought below 2^251 and a little: the bits above q times are taken off with q times the prime.
 */
function permute(): WasmFunction {
  const [row, values, sum, carries, top] = [0, 1, 4, 5, 8];
  const lanes = [0, 1, 2];
  const code: number[] = [];
  for (const word of [...Array(3 * LIMBS).keys()]) {
    code.push(...i32(0), ...i32(0), ...load(8 * word), ...i32(0), ...load(CONSTANTS_AT + 8 * word), ...ADD);
    code.push(...store(8 * word));
  }
  code.push(...LOOP);
  code.push(...get(row), ...i32(FULL_ROUNDS_EACH_SIDE * ROW), ...LESS32);
  code.push(...i32((FULL_ROUNDS_EACH_SIDE + PARTIAL_ROUNDS) * ROW - 1), ...get(row), ...LESS32, ...OR32);
  code.push(...WHEN, ...i32(0), ...call(0), ...i32(LANE), ...call(0), ...END, ...i32(2 * LANE), ...call(0));
  code.push(...get(row), ...i32(ROW), ...ADD32, ...set(row));
  for (const limb of limbs) {
    for (const lane of lanes) code.push(...i32(0), ...load(lane * LANE + 8 * limb), ...set(values + lane));
    code.push(...get(values), ...get(values + 1), ...ADD, ...get(values + 2), ...ADD, ...set(sum));
    for (const lane of lanes) {
      code.push(...get(sum), ...get(values + lane));
      code.push(...(lane === 0 ? [...shiftedLeft(1), ...ADD] : [...i64(lane + 1), ...MUL, ...SUB]));
      code.push(...get(row), ...load(CONSTANTS_AT + lane * LANE + 8 * limb), ...ADD);
      if (limb > 0) code.push(...get(carries + lane), ...ADD);
      const bits = limb === LIMBS - 1 ? TOP_BITS : LIMB_BITS;
      code.push(...tee(values + lane), ...i64(bits), ...SHIFT_RIGHT_SIGNED, ...set(carries + lane));
      code.push(...i32(0), ...get(values + lane), ...i64(2 ** bits - 1), ...AND, ...store(lane * LANE + 8 * limb));
    }
  }
  for (const lane of lanes) {
    for (const bit of PRIME_BITS.slice(0, -1)) {
      const at = lane * LANE + 8 * Math.floor(bit / LIMB_BITS);
      code.push(...i32(0), ...i32(0), ...load(at), ...get(carries + lane), ...shiftedLeft(bit % LIMB_BITS), ...SUB);
      code.push(...store(at));
    }
  }
  code.push(...get(row), ...i32(ROUNDS * ROW), ...LESS32, ...REPEAT_IF, ...END);
  return {
    name: "permute",
    parameters: [],
    results: [],
    locals: [
      [1, I32],
      [top - 1, I64],
    ],
    code,
  };
}

/** absorb(from, pairs): each two felts are added to the state's first two, and the state permuted. */
function absorb(): WasmFunction {
  const [from, pairs] = [0, 1];
  const code = [...get(pairs), ...RETURN_IF_ZERO, ...LOOP];
  code.push(...i32(0), ...get(from), ...call(1), ...i32(LANE), ...get(from), ...i32(FELT_BYTES), ...ADD32, ...call(1));
  code.push(...call(2), ...get(from), ...i32(2 * FELT_BYTES), ...ADD32, ...set(from));
  code.push(...get(pairs), ...i32(1), ...SUB32, ...tee(pairs), ...REPEAT_IF, ...END);
  return { name: "absorb", parameters: [I32, I32], results: [], locals: [], code };
}

/** The text of src/base/generated/poseidon-wasm.ts. */
export function poseidonModule(): string {
  const module = assemble([cube(), enter(), permute(), absorb()]);
  return [
    "// Generated by scripts/poseidon-wasm.ts. Do not edit.",
    "/** A felt of the state or a constant: limbs of so many bits in 64-bit words, lowest first, times R. */",
    `export const FELT = { limbs: ${LIMBS}, limbBits: ${LIMB_BITS} } as const;`,
    "/** Places in the module's memory: the state of three felts, R^2, the constants of the rounds, felts of 32 bytes. */",
    `export const PLACES = { state: 0, square: ${SQUARE_AT}, constants: ${CONSTANTS_AT}, input: ${INPUT_AT} } as const;`,
    "",
    "/** Poseidon as WebAssembly, base64: `memory`, `enter(lane, from)`, `permute()`, `absorb(from, pairs)`. */",
    "export const POSEIDON_WASM =",
    `  "${module.toString("base64")}";`,
    "",
  ].join("\n");
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(root, "src/base/generated/poseidon-wasm.ts"), poseidonModule());
}
