import { HdpError } from "../../base/errors.js";
import type { CairoValue } from "../../request/lifecycle.js";
import { decodeByteArray, feltToInteger } from "./scalar.js";
import { shortName, type TypeTable } from "./type-table.js";
import { MAX_VALUE_DEPTH, tooDeep } from "./value-errors.js";

/** Values that one decoding may make: more than any input list holds. */
const MAX_VALUES = 1_000_000;

/** Takes values off the front of a list of felts. */
export class FeltReader {
  readonly #table: TypeTable;
  readonly #felts: readonly bigint[];
  #position = 0;
  #values = 0;

  public constructor(table: TypeTable, felts: readonly bigint[]) {
    this.#table = table;
    this.#felts = felts;
  }

  public get position(): number {
    return this.#position;
  }

  public get remaining(): number {
    return this.#felts.length - this.#position;
  }

  /** @throws HdpError HDP-7016 where the felts do not hold a value of the type, HDP-7009, HDP-7019. */
  public read(typeName: string, path: string, depth = 0): CairoValue {
    if (depth > MAX_VALUE_DEPTH) throw tooDeep(path);
    if (++this.#values > MAX_VALUES) throw undecodable(path, `more than ${MAX_VALUES} values`);
    const type = this.#table.type(typeName);
    const part = (partType: string, partPath: string): CairoValue => this.read(partType, partPath, depth + 1);
    switch (type.kind) {
      case "felt":
        return this.#next(path);
      case "integer":
        return this.#integer(path, type.name, type.min, type.max);
      case "limbs":
        return this.#limbs(path, type.limbs);
      case "address":
        return `0x${this.#integer(path, type.name, 0n, type.max).toString(16)}`;
      case "bytes31":
        return `0x${this.#integer(path, "bytes31", 0n, 2n ** 248n - 1n).toString(16)}`;
      case "bool":
        return this.#integer(path, "bool", 0n, 1n) === 1n;
      case "byteArray":
        return this.#byteArray(path);
      case "unit":
        return null;
      case "nonZero": {
        const value = part(type.inner, path);
        if (value === 0n) throw undecodable(path, "0 is not a NonZero value");
        return value;
      }
      case "array":
        return this.#list(this.#length(path), (i) => part(type.element, `${path}[${i}]`));
      case "fixedArray":
        return this.#list(type.length, (i) => part(type.element, `${path}[${i}]`));
      case "tuple":
        return type.elements.map((element, i) => part(element, `${path}[${i}]`));
      case "option": {
        if (this.#integer(path, "Option", 0n, 1n) === 1n) return null;
        const value = part(type.inner, path);
        return this.#needsSome(type.inner) ? { Some: value } : value;
      }
      case "struct":
        return Object.fromEntries(
          type.members.map((member) => [member.name, part(member.type, `${path}.${member.name}`)]),
        );
      case "enum": {
        const last = BigInt(type.variants.length - 1);
        const variant = type.variants[Number(this.#integer(path, shortName(type.name), 0n, last))];
        if (variant === undefined) throw undecodable(path, "the enum has no variants");
        if (this.#table.type(variant.type).kind === "unit") return variant.name;
        return { [variant.name]: part(variant.type, `${path}.${variant.name}`) };
      }
    }
  }

  #next(path: string): bigint {
    const felt = this.#felts[this.#position];
    if (felt === undefined) throw undecodable(path, `there are only ${this.#felts.length} felts`);
    this.#position += 1;
    return felt;
  }

  #integer(path: string, typeName: string, min: bigint, max: bigint): bigint {
    const felt = this.#next(path);
    const value = feltToInteger(felt, min, max);
    if (value === undefined) throw undecodable(path, `the felt ${felt} is not a value of ${typeName}`);
    return value;
  }

  #limbs(path: string, count: number): bigint {
    let value = 0n;
    for (let limb = 0; limb < count; limb += 1) {
      value += this.#integer(path, "a 128-bit limb", 0n, 2n ** 128n - 1n) << BigInt(128 * limb);
    }
    return value;
  }

  #length(path: string): number {
    const length = this.#next(path);
    if (length > BigInt(this.remaining)) {
      throw undecodable(path, `its length is ${length}, but only ${this.remaining} felts follow`);
    }
    return Number(length);
  }

  #list(length: number, item: (index: number) => CairoValue): CairoValue[] {
    const values: CairoValue[] = [];
    for (let index = 0; index < length; index += 1) values.push(item(index));
    return values;
  }

  #byteArray(path: string): CairoValue {
    const words: bigint[] = [];
    const count = this.#length(path);
    for (let word = 0; word < count; word += 1) words.push(this.#next(path));
    const rest = this.#next(path);
    const restLength = Number(this.#integer(path, "the length of a pending word", 0n, 30n));
    const text = decodeByteArray(words, rest, restLength);
    if (text === undefined) throw undecodable(path, "a word of the ByteArray has more bytes than it may have");
    return text;
  }

  /** Whether the bare value could be taken for None, or for the `Some` around it. */
  #needsSome(inner: string): boolean {
    const isOptionName = ({ name }: { readonly name: string }): boolean => name === "Some" || name === "None";
    const type = this.#table.type(inner);
    if (type.kind === "struct") return type.members.some(isOptionName);
    if (type.kind === "enum") return type.variants.some(isOptionName);
    return type.kind === "option" || type.kind === "unit";
  }
}

/** HDP-7016: felts that are no value of the ABI's type. */
export function undecodable(path: string, problem: string): HdpError {
  return new HdpError({
    code: "HDP-7016",
    path,
    message: `the felts do not decode: ${problem}.`,
    hints: ["Check that the ABI belongs to the program that the felts were made for."],
  });
}
