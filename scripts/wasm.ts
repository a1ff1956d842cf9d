// What the WebAssembly modules of this package are assembled with (scripts/keccak-wasm.ts, scripts/poseidon-wasm.ts).
// WebAssembly's binary format: https://webassembly.github.io/spec/core/binary/
export type Code = readonly number[];

export function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}
function signed(value: number): number[] {
  const byte = value & 0x7f;
  const rest = value >> 7;
  const done = (rest === 0 && (byte & 0x40) === 0) || (rest === -1 && (byte & 0x40) !== 0);
  return done ? [byte] : [byte | 0x80, ...signed(rest)];
}
const vector = (items: readonly Code[]): number[] => [...unsigned(items.length), ...items.flat()];
const section = (id: number, content: Code): number[] => [id, ...unsigned(content.length), ...content];
const text = (name: string): number[] => vector([...Buffer.from(name)].map((byte) => [byte]));

export const I32 = 0x7f;
export const I64 = 0x7e;
export const V128 = 0x7b;
export const get = (local: number): number[] => [0x20, ...unsigned(local)];
export const set = (local: number): number[] => [0x21, ...unsigned(local)];
export const tee = (local: number): number[] => [0x22, ...unsigned(local)];
export const i32 = (value: number): number[] => [0x41, ...signed(value)];
export const i64 = (value: number): number[] => [0x42, ...signed(value)];
export const load = (offset: number): number[] => [0x29, 3, ...unsigned(offset)];
export const store = (offset: number): number[] => [0x37, 3, ...unsigned(offset)];
/** The lower half of a word, without a sign. */
export const loadHalf = (offset: number): number[] => [0x35, 2, ...unsigned(offset)];
export const ADD32 = [0x6a];
export const SUB32 = [0x6b];
export const OR32 = [0x72];
export const LESS32 = [0x49];
export const ADD = [0x7c];
export const SUB = [0x7d];
export const MUL = [0x7e];
export const AND = [0x83];
export const XOR = [0x85];
export const SHIFT_LEFT = [0x86];
export const SHIFT_RIGHT_SIGNED = [0x87];
export const SHIFT_RIGHT = [0x88];
export const LOOP = [0x03, 0x40];
export const REPEAT_IF = [0x0d, 0];
export const call = (index: number): number[] => [0x10, ...unsigned(index)];
export const WHEN = [0x04, 0x40];
export const RETURN_IF_ZERO = [0x45, 0x04, 0x40, 0x0f, 0x0b];
export const END = [0x0b];
const bytes = (content: Buffer): number[] => vector([...content].map((byte) => [byte]));

/** A function: the types of its parameters, results and further locals, in runs of one type, and its instructions. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: Code;
  readonly results: Code;
  readonly locals: readonly (readonly [count: number, type: number])[];
  readonly code: Code;
  /** Called by others of the module only. */
  readonly isInner?: boolean;
}

/** A module with one page of memory, which it exports as `memory`, and what is in it from the start. */
export function assemble(
  functions: readonly WasmFunction[],
  data?: { readonly at: number; readonly bytes: Buffer },
): Buffer {
  const body = ({ locals, code }: WasmFunction): number[] => {
    const content = [...vector(locals.map(([count, type]) => [...unsigned(count), type])), ...code, ...END];
    return [...unsigned(content.length), ...content];
  };
  const types = functions.map(({ parameters, results }) => [
    0x60,
    ...vector(parameters.map((type) => [type])),
    ...vector(results.map((type) => [type])),
  ]);
  const exported = functions.flatMap(({ name, isInner }, index) =>
    isInner === true ? [] : [[...text(name), 0, ...unsigned(index)]],
  );
  return Buffer.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector(types)),
    ...section(3, vector(functions.map((_, index) => unsigned(index)))),
    ...section(5, vector([[1, 1, 1]])),
    ...section(7, vector([[...text("memory"), 2, 0], ...exported])),
    ...section(10, vector(functions.map(body))),
    ...(data === undefined ? [] : section(11, vector([[0, ...i32(data.at), ...END, ...bytes(data.bytes)]]))),
  ]);
}
