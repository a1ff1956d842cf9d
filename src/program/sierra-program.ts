import { FELT_PRIME, shortString } from "../base/felt.js";

/** A statement of a Sierra program. */
export interface Statement {
  /** What it invokes, such as `function_call`; undefined for a return. */
  readonly libfunc: string | undefined;
  /** The function it calls, by its number; undefined where it calls none. */
  readonly callee: number | undefined;
  /** The statements that may follow it, by their numbers; none after a return. */
  readonly next: readonly number[];
}

/** What is read of a Sierra program: statements, and where each function begins. */
export interface SierraProgram {
  readonly statements: readonly Statement[];
  readonly entries: readonly number[];
}

/** Felts in front of the program: versions of Sierra and of the compiler, three each. */
const VERSIONS = 6;
/** The number of a branch to the statement that follows. */
const FALLTHROUGH = 2n ** 64n - 1n;
/** Most felts that are read: those of a class of the largest size on Starknet. */
const MAX_FELTS = 4_000_000;

/**
 * Reads the list `sierra_program` of a Sierra class, as the compiler's `felt252_serde` writes it.
 * @throws RangeError where it is no such list
 */
export function parseSierraProgram(felts: readonly bigint[]): SierraProgram {
  const reader = new Reader(unpacked(felts.slice(VERSIONS)));
  const argument = () => ({ kind: reader.number(), value: reader.next() });
  // Types: a name, the number of arguments below what the type can do, the arguments.
  reader.list(() => {
    reader.next();
    return reader.times(Number(BigInt.asUintN(128, reader.next())), argument);
  });
  const libfuncs = reader.list(() => {
    const name = shortString(reader.next());
    const [first] = reader.list(argument);
    return { name, callee: name === "function_call" ? Number(first?.value) : undefined };
  });
  let position = 0;
  const statements = reader.list((): Statement => {
    position += 1;
    if (reader.number() === 1) {
      reader.list(() => reader.next());
      return { libfunc: undefined, callee: undefined, next: [] };
    }
    const libfunc = libfuncs[reader.number()];
    if (libfunc === undefined) throw new RangeError("A statement has an unknown libfunc.");
    reader.list(() => reader.next());
    const next = reader.list(() => {
      const target = reader.next();
      reader.list(() => reader.next());
      return target === FALLTHROUGH ? position : Number(target);
    });
    return { libfunc: libfunc.name, callee: libfunc.callee, next };
  });
  const entries = reader.list(() => {
    const parameters = reader.list(() => reader.next());
    reader.list(() => reader.next());
    reader.times(parameters.length, () => reader.next());
    return reader.number();
  });
  return { statements, entries };
}

/** Reads felts one behind another. */
class Reader {
  readonly #felts: readonly bigint[];
  #at = 0;

  public constructor(felts: readonly bigint[]) {
    this.#felts = felts;
  }

  public next(): bigint {
    const felt = this.#felts[this.#at];
    if (felt === undefined) throw new RangeError("The Sierra program ends early.");
    this.#at += 1;
    return felt;
  }

  public number(): number {
    return Number(this.next());
  }

  public list<T>(one: () => T): readonly T[] {
    return this.times(this.number(), one);
  }

  public times<T>(count: number, one: () => T): readonly T[] {
    const items: T[] = [];
    while (items.length < count) items.push(one());
    return items;
  }
}

/** Unpacks felts: a dictionary of the felts that occur, and their numbers, as many in a felt as fit. */
function unpacked(felts: readonly bigint[]): readonly bigint[] {
  const size = Number(felts[0]);
  const base = BigInt(size) + (felts[1] ?? 0n);
  const dictionary = felts.slice(2, 2 + size);
  const total = Number(felts[2 + size]);
  if (!(total <= MAX_FELTS) || base < 2n) throw new RangeError("The Sierra program is not packed.");
  let inFelt = 0;
  for (let most = base; most < FELT_PRIME; most *= base) inFelt += 1;
  const numbers = felts.slice(3 + size).flatMap((packed, index) => {
    const count = Math.min(inFelt, total - index * inFelt);
    let left = packed;
    return Array.from({ length: Math.max(0, count) }, () => {
      const number = Number(left % base);
      left /= base;
      return number;
    });
  });
  return numbers.map((number) => {
    const felt = dictionary[number];
    if (felt === undefined) throw new RangeError("The Sierra program has an unknown number.");
    return felt;
  });
}
