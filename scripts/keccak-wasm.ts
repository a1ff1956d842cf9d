// `npm run keccak`: assembles keccak-f[1600] (FIPS 202, section 3) into src/base/generated/keccak-wasm.ts. One round
// is unrolled over WebAssembly locals and repeated 24 times. What is hashed comes as hex from nodes, so that the module
// reads that too. A test compares the file with what this writes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./root.js";
import {
  ADD32,
  AND,
  assemble,
  call,
  END,
  get,
  I32,
  i32,
  I64,
  i64,
  LESS32,
  load,
  LOOP,
  REPEAT_IF,
  RETURN_IF_ZERO,
  set,
  store,
  SUB32,
  tee,
  unsigned,
  V128,
  type WasmFunction,
  XOR,
} from "./wasm.js";

const ROUNDS = 24;
const STATE_LANES = 25;
const RATE_LANES = 17;
/** Places in the module's one page of memory: the state, the round constants behind it, then input to absorb. */
const CONSTANTS_AT = 8 * STATE_LANES;
const INPUT_AT = 512;

/** Iota's constants: bits of the degree-8 shift register (FIPS 202, algorithm 5) at the places 2^j - 1. */
function roundConstants(): bigint[] {
  const bits: bigint[] = [];
  for (let register = 1, index = 0; index < 255; index += 1) {
    bits.push(BigInt(register & 1));
    register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
  }
  return Array.from({ length: ROUNDS }, (_, round) => {
    let constant = 0n;
    for (let j = 0; j <= 6; j += 1) constant |= (bits[(7 * round + j) % 255] ?? 0n) << (2n ** BigInt(j) - 1n);
    return constant;
  });
}

/** Rho's offset of each lane, by x + 5y (FIPS 202, algorithm 2). */
function rotations(): number[] {
  const offsets = new Array<number>(STATE_LANES).fill(0);
  for (let t = 0, x = 1, y = 0; t < ROUNDS; t += 1) {
    offsets[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return offsets;
}

const ROTL = [0x89];
const rotl = (bits: number): number[] => (bits === 0 ? [] : [...i64(bits), ...ROTL]);
/** Instructions over sixteen bytes at once have a prefix. */
const simd = (opcode: number): number[] => [0xfd, ...unsigned(opcode)];
const LOAD128 = [...simd(0), 0, 0];
const STORE_HALF = [...simd(0x5b), 0, 0, 0];
const BYTES = simd(0x0f);
const PAIRS = simd(0x10);
const LESS = simd(0x26);
const MORE = simd(0x28);
const BOTH = simd(0x4e);
const EITHER = simd(0x50);
const ANY = simd(0x53);
const MINUS = simd(0x71);
const PAIR_LEFT = simd(0x8b);
const PAIR_RIGHT = simd(0x8d);
const NARROW = simd(0x66);
const lanes = (count: number): number[] => Array.from({ length: count }, (_, lane) => lane);

/** permute(): keccak-f over the state. */
function permute(): WasmFunction {
  const A = (lane: number): number => lane;
  const B = (lane: number): number => 25 + lane;
  const C = (x: number): number => 50 + (x % 5);
  const D = 55;
  const round = 56;
  const offsets = rotations();
  const code = lanes(25).flatMap((lane) => [...i32(0), ...load(8 * lane), ...set(A(lane))]);
  code.push(...LOOP);
  for (const x of lanes(5)) {
    code.push(...get(A(x)), ...[5, 10, 15, 20].flatMap((row) => [...get(A(x + row)), ...XOR]), ...set(C(x)));
  }
  for (const x of lanes(5)) {
    code.push(...get(C(x + 4)), ...get(C(x + 1)), ...rotl(1), ...XOR, ...set(D));
    for (const y of lanes(5)) {
      const to = y + 5 * ((2 * x + 3 * y) % 5);
      code.push(...get(A(x + 5 * y)), ...get(D), ...XOR, ...rotl(offsets[x + 5 * y] ?? 0), ...set(B(to)));
    }
  }
  for (const y of lanes(5)) {
    for (const x of lanes(5)) {
      const b = (step: number): number[] => get(B(((x + step) % 5) + 5 * y));
      code.push(...b(0), ...b(1), ...i64(-1), ...XOR, ...b(2), ...AND, ...XOR, ...set(A(x + 5 * y)));
    }
  }
  code.push(...get(A(0)), ...get(round), ...load(CONSTANTS_AT), ...XOR, ...set(A(0)));
  code.push(...get(round), ...i32(8), ...ADD32, ...tee(round), ...i32(8 * ROUNDS), ...LESS32, ...REPEAT_IF, ...END);
  code.push(...lanes(25).flatMap((lane) => [...i32(0), ...get(A(lane)), ...store(8 * lane)]));
  const locals = [
    [56, I64],
    [1, I32],
  ] as const;
  return { name: "permute", parameters: [], results: [], locals, code };
}

/** absorb(at, blocks): each block of 136 bytes is added to the state, which is permuted. */
function absorb(): WasmFunction {
  const [at, blocks] = [0, 1] as const;
  const code = [...get(blocks), ...RETURN_IF_ZERO, ...LOOP];
  for (const lane of lanes(RATE_LANES)) {
    code.push(...i32(0), ...i32(0), ...load(8 * lane), ...get(at), ...load(8 * lane), ...XOR, ...store(8 * lane));
  }
  code.push(...call(0), ...get(at), ...i32(8 * RATE_LANES), ...ADD32, ...set(at));
  code.push(...get(blocks), ...i32(1), ...SUB32, ...tee(blocks), ...REPEAT_IF, ...END);
  return { name: "absorb", parameters: [I32, I32], results: [], locals: [], code };
}

/**
 * unhex(from, to, parts): each sixteen hex digits there become eight bytes here. Whether one of them is no lower-case
 * digit: no digit's distance from "0" is above 15 once the letters have moved down by 39, and no letter's below 10.
 */
function unhex(): WasmFunction {
  const [from, to, parts, digits, letters, wrong] = [0, 1, 2, 3, 4, 5] as const;
  const all = (byte: number): number[] => [...i32(byte), ...BYTES];
  const code = [...LOOP, ...get(from), ...LOAD128, ...all(48), ...MINUS, ...tee(digits)];
  code.push(...all(9), ...MORE, ...set(letters));
  code.push(...get(digits), ...get(letters), ...all(39), ...BOTH, ...MINUS, ...tee(digits), ...all(15), ...MORE);
  code.push(...get(letters), ...get(digits), ...all(10), ...LESS, ...BOTH, ...EITHER);
  code.push(...get(wrong), ...EITHER, ...set(wrong));
  code.push(...get(to), ...get(digits), ...i32(4), ...PAIR_LEFT, ...get(digits), ...i32(8), ...PAIR_RIGHT, ...EITHER);
  code.push(...i32(0xff), ...PAIRS, ...BOTH, ...tee(digits), ...get(digits), ...NARROW, ...STORE_HALF);
  code.push(...get(from), ...i32(16), ...ADD32, ...set(from), ...get(to), ...i32(8), ...ADD32, ...set(to));
  code.push(...get(parts), ...i32(1), ...SUB32, ...tee(parts), ...REPEAT_IF, ...END, ...get(wrong), ...ANY);
  return { name: "unhex", parameters: [I32, I32, I32], results: [I32], locals: [[3, V128]], code };
}

function constantBytes(): Buffer {
  const constants = Buffer.alloc(8 * ROUNDS);
  roundConstants().forEach((constant, round) => constants.writeBigUInt64LE(constant, 8 * round));
  return constants;
}

/** The text of src/base/generated/keccak-wasm.ts. */
export function keccakModule(): string {
  return [
    "// Generated by scripts/keccak-wasm.ts. Do not edit.",
    `/** Where the module's memory takes input: behind the state of ${8 * STATE_LANES} bytes and the round constants. */`,
    `export const INPUT_AT = ${INPUT_AT};`,
    "",
    "/** keccak-f[1600] as WebAssembly, base64: `memory`, `permute()`, `absorb(at, blocks)`, `unhex(from, to, parts)`. */",
    "export const KECCAK_WASM =",
    `  "${assemble([permute(), absorb(), unhex()], { at: CONSTANTS_AT, bytes: constantBytes() }).toString("base64")}";`,
    "",
  ].join("\n");
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(root, "src/base/generated/keccak-wasm.ts"), keccakModule());
}
