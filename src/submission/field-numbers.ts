import { CHAIN_IDENTIFIERS, numericChainId } from "../request/chains.js";
import {
  distinctWords,
  type KnownWord,
  type MappingSlot,
  mappingSlots,
  membersOf,
  nestedSlots,
  slotsNear,
} from "./known-words.js";
import { inOtherBase } from "./task-numbers.js";
import type { FieldChange, WordField } from "./task-words.js";

/** Numbers that tasks may have been meant to have, the likely ones first. */
export interface WordVocabulary {
  /** Numbers of the sources: blocks, values, slots, accounts. */
  readonly words: readonly KnownWord[];
  /** Accounts that no source has in digits: those of the run, and of contracts. */
  readonly accounts: readonly KnownWord[];
  /** First slots of namespaces in storage. */
  readonly namespaces: readonly KnownWord[];
}

/** Numbers of the sources that are tried in twos, the first. */
const MAX_FACTORS = 60;
/** Keys of mappings, the first. */
const MAX_KEYS = 80;
/** Numbers of the sources that are tried as lengths of ranges beside each other one. */
const MAX_ENDS = 32;
/** Numbers that are tried in two fields at once. */
const MAX_IN_TWO = 10;
/** Blocks by which both ends of a range are moved, at most, each number of them. */
const MOST_MOVED = 1_024n;
const BITS_BESIDE_ADDRESS = 96n;
const HALF = 2n ** 128n;
const BLOCK_LIMIT = 2n ** 64n;
const ADDRESS_LIMIT = 2n ** 160n;

/** Ids of words by the kind of field: as many as a contract may have by mistake, one more than there are. */
const LAST_ID = { function: 7, operator: 7, field: 20, types: 255 } as const;

const CHAINS: readonly KnownWord[] = [
  { value: 31337n, origin: "that of block.chainid" },
  { value: 1n },
  ...CHAIN_IDENTIFIERS.map((chain) => ({ value: numericChainId(chain) })),
];

/** Steps, and distances of round numbers: a digit and zeros. */
const ROUND = Array.from({ length: 7 }, (_, power) => 10n ** BigInt(power)).flatMap((power) =>
  Array.from({ length: 9 }, (_, at) => BigInt(at + 1) * power),
);
const LENGTHS = [64n, 128n, 256n, 512n, 1_024n, 1_800n, 2_048n, 3_600n, 4_096n, 7_200n, 8_192n];
const LONG = [50_400n, 216_000n, 219_000n, 2_628_000n];
const DISTANCES: readonly bigint[] = [...ROUND, ...LENGTHS, ...LONG];

/** The numbers that a field may have been meant to have. */
export class FieldNumbers {
  public readonly words: readonly KnownWord[];
  readonly #accounts: readonly KnownWord[];
  readonly #keys: readonly KnownWord[];
  readonly #factors: readonly bigint[];
  readonly #namespaces: readonly KnownWord[];
  #ofMappings: readonly MappingSlot[] | undefined;
  #ofNested: readonly MappingSlot[] | undefined;

  public constructor({ words, accounts, namespaces }: WordVocabulary, own: readonly KnownWord[]) {
    this.words = distinctWords([...words, ...own]);
    this.#namespaces = namespaces;
    this.#accounts = distinctWords([...words.filter(isAccount), ...accounts]);
    this.#keys = distinctWords([...this.#accounts, ...words, ...own]).slice(0, MAX_KEYS);
    this.#factors = this.words
      .map(({ value }) => value)
      .filter((value) => value > 0n && value < BLOCK_LIMIT)
      .slice(0, MAX_FACTORS);
  }

  /** Slots of known keys in mappings: some thousands, hashed where a task has a slot. */
  get #slots(): readonly MappingSlot[] {
    return (this.#ofMappings ??= [...mappingSlots(this.#keys, this.#namespaces)]);
  }

  get #nested(): readonly MappingSlot[] {
    return (this.#ofNested ??= [...nestedSlots(this.#keys, this.#namespaces)]);
  }

  /** Returns what a slot is, where it is that of known keys in mappings. */
  public findOrigin(slot: bigint): MappingSlot | undefined {
    const isSlot = ({ value }: KnownWord): boolean => value === slot;
    return this.#slots.find(isSlot) ?? this.#nested.find(isSlot);
  }

  /** Ids of words, near numbers, numbers in other units, and shifted ones. */
  public *near(field: WordField): Generator<KnownWord> {
    const { kind, value } = field;
    if (kind === "chain") yield* CHAINS;
    if (isOfIds(kind)) for (let id = 0; id <= LAST_ID[kind]; id++) yield { value: BigInt(id) };
    if (kind === "types") yield* flags();
    if (kind === "slot" && value < BLOCK_LIMIT)
      for (let slot = 0n; slot <= 255n; slot++) yield { value: slot };
    if (!isNumber(kind)) return;
    for (let distance = 1n; distance <= 8n; distance++)
      for (const one of [value + distance, value - distance]) yield { value: one };
    for (let factor = 10n; factor <= 10n ** 18n; factor *= 10n)
      for (const one of [value * factor, value / factor]) yield { value: one };
    yield* inOtherBase(value);
    if (kind !== "input") return;
    yield { value: value << BITS_BESIDE_ADDRESS, origin: LEFT_ALIGNED };
    const bits = BigInt(4 * (64 - evenDigits(value)));
    yield {
      value: value << bits,
      origin: 'the same bytes on the left of the word, as bytes32("…") has them',
    };
    if (value > 0n)
      yield {
        value: value >> trailingZeros(value),
        origin: "the same bytes on the right of the word",
      };
  }

  /** Numbers and accounts of the sources, and of the tasks. */
  public *known({ kind }: WordField): Generator<KnownWord> {
    if (kind === "function" || kind === "operator" || kind === "field") return;
    if (kind === "address" || kind === "input") yield* this.#accounts;
    yield* this.words;
    if (kind === "input" || kind === "program")
      for (const { value } of this.#accounts)
        yield { value: value << BITS_BESIDE_ADDRESS, origin: LEFT_ALIGNED };
  }

  /** Slots like that of the field, then those of known keys in mappings. */
  public *slots({ kind, value }: WordField): Generator<KnownWord> {
    const isHashed = kind === "slot" && value >= BLOCK_LIMIT;
    const own = isHashed ? this.findOrigin(value) : undefined;
    if (own !== undefined) yield* slotsNear(own, this.#keys, this.#namespaces);
    if (kind !== "slot" && !(kind === "input" && value >= ADDRESS_LIMIT)) return;
    yield* this.#namespaces;
    yield* this.#slots;
  }

  /** Slots in nested mappings. */
  public *nested({ kind }: WordField): Generator<KnownWord> {
    if (kind === "slot") yield* this.#nested;
  }

  /** Slots of members of structs in mappings and namespaces. */
  public *members({ kind }: WordField): Generator<KnownWord> {
    if (kind !== "slot") return;
    yield* membersOf(this.#namespaces);
    yield* membersOf(this.#slots);
  }

  /** Two numbers of the sources in one: `FIRST + LENGTH - 1`, `24 * HOUR`. */
  public *computed({ kind, value: own }: WordField): Generator<KnownWord> {
    if (!isNumber(kind) || kind === "slot") return;
    for (const one of this.#factors)
      for (const value of [own + one, own - one, own * one, own / one]) yield { value };
    for (const one of this.#factors)
      for (const other of this.#factors)
        for (const value of [one - other, one + other, one * other, one - other - 1n])
          if (value >= 0n) yield { value };
    for (const one of this.#factors)
      for (const other of this.#factors)
        for (const value of [one + other - 1n, one / other, own + one * other, own - one * other])
          if (value >= 0n) yield { value };
  }

  /** Both ends of a range: moved, two numbers of the sources, a number and a length, periods of a length. */
  public *ranges(fields: readonly WordField[]): Generator<readonly FieldChange[]> {
    for (const [start, end] of rangesOf(fields)) {
      const both = (first: bigint, last: bigint): readonly FieldChange[] => [
        { field: start, value: first },
        { field: end, value: last },
      ];
      const ends = this.#factors.slice(0, MAX_ENDS);
      for (const far of [...near(8n), ...ends, ...DISTANCES])
        for (const distance of [far, -far]) {
          const first = start.value + distance;
          yield both(first, end.value + distance);
        }
      for (const one of [0n, ...ends]) for (const other of [0n, ...ends]) yield both(one, other);
      for (const one of ends)
        for (const length of ends) {
          yield both(one, one + length);
          yield both(one, one + length - 1n);
          yield both(one - length, one);
          yield both(one - length, one - 1n);
        }
      for (const one of ends)
        for (const length of ends) {
          yield both(one - length + 1n, one);
          yield both(one * length, one * length + length - 1n);
          yield both(one * length, one * length + length);
          const period = one - (one % length);
          yield both(period, period + length - 1n);
          yield both(period - length, period - 1n);
        }
      for (let distance = 9n; distance <= MOST_MOVED; distance++) {
        yield both(start.value + distance, end.value + distance);
        yield both(start.value - distance, end.value - distance);
      }
      const length = end.value - start.value;
      for (let times = 1n; times <= 64n && length > 0n; times++)
        for (const distance of [times * length, times * (length + 1n)]) {
          yield both(start.value + distance, end.value + distance);
          yield both(start.value - distance, end.value - distance);
        }
    }
  }

  /** Two inputs that are the halves of a word: the high one first, or of another word. */
  public *halves(fields: readonly WordField[]): Generator<readonly FieldChange[]> {
    const inputs = fields.filter(({ kind }) => kind === "input");
    for (const [at, low] of inputs.entries()) {
      const high = inputs[at + 1];
      if (high === undefined) return;
      const isHashed = low.value + high.value >= BLOCK_LIMIT;
      const wide = [...this.words, ...(isHashed ? this.#slots : [])];
      for (const { value, origin } of wide) {
        const halves = [value % HALF, value / HALF] as const;
        if (!isHashed && halves[1] === 0n) continue;
        yield [
          { field: low, value: halves[0], origin: origin && `the low half of ${origin}` },
          { field: high, value: halves[1] },
        ];
        yield [
          { field: low, value: halves[1], origin: origin && `the high half of ${origin}` },
          { field: high, value: halves[0] },
        ];
      }
    }
  }

  /** Two fields with other numbers, each of a few. */
  public *pairs(fields: readonly WordField[]): Generator<readonly FieldChange[]> {
    const few = fields.map((field) => this.#few(field));
    for (const [at, ones] of few.entries())
      for (const others of few.slice(at + 1))
        for (const one of ones) for (const other of others) yield [one, other];
  }

  #few(field: WordField): readonly FieldChange[] {
    const { kind, value: own } = field;
    const ofKind = isOfIds(kind) || kind === "chain" ? [...this.near(field)] : [];
    const numbers = isNumber(kind) ? [own + 1n, own - 1n].map((value) => ({ value })) : [];
    const slots = kind === "slot" ? this.#slots.slice(0, 2 * MAX_IN_TWO) : [];
    const known = [...this.known(field)].slice(0, MAX_IN_TWO);
    return distinctWords([...ofKind, ...numbers, ...slots, ...known])
      .filter(({ value }) => value !== own)
      .map(({ value, origin }) => ({ field, value, origin }));
  }

  /** Numbers that are far away: by up to 64, or by a round number. */
  public *far({ kind, value: own }: WordField): Generator<KnownWord> {
    if (!isNumber(kind)) return;
    for (const distance of [...near(64n), ...DISTANCES])
      for (const value of [own + distance, own - distance, distance]) yield { value };
  }
}

/** Returns how many hexadecimal digits the bytes of a number have. */
function evenDigits(value: bigint): number {
  return 2 * Math.ceil(value.toString(16).length / 2);
}

/** Returns the bits of the bytes that are zero on the right of a number. */
function trailingZeros(value: bigint): bigint {
  let bits = 0n;
  while (value % 2n ** (bits + 8n) === 0n) bits += 8n;
  return bits;
}

const LEFT_ALIGNED = "an account on the left of its word, as bytes32(bytes20(account)) has it";

/** Numbers below are rather blocks than accounts; `address(0xA11CE)` is above. */
const FIRST_ACCOUNT = 2n ** 10n;

function isAccount({ value, origin }: KnownWord): boolean {
  return value < ADDRESS_LIMIT && (value >= FIRST_ACCOUNT || origin !== undefined);
}

function isOfIds(kind: WordField["kind"]): kind is keyof typeof LAST_ID {
  return Object.hasOwn(LAST_ID, kind);
}

const NUMBERS: readonly WordField["kind"][] = ["block", "index", "step", "slot", "value", "input"];

function isNumber(kind: WordField["kind"]): boolean {
  return NUMBERS.includes(kind);
}

function near(upTo: bigint): readonly bigint[] {
  return Array.from({ length: Number(upTo) }, (_, at) => BigInt(at + 1));
}

/** Types of transactions as they are hashed: a byte each. */
function* flags(): Generator<KnownWord> {
  for (let mask = 0; mask < 16; mask++) {
    const bytes = [3, 2, 1, 0].map((bit) => ((mask >> bit) & 1) * 256 ** bit);
    yield { value: BigInt(bytes.reduce((one, other) => one + other)) };
  }
}

/** Returns the fields that are the ends of a range: two neighbouring inputs of a module may be. */
function rangesOf(
  fields: readonly WordField[],
): readonly (readonly [start: WordField, end: WordField])[] {
  return fields.flatMap((start, at) => {
    const end = fields[at + 1];
    if (end?.kind !== start.kind) return [];
    const isRange = ["block", "index"].includes(start.kind);
    const isOfInputs =
      start.kind === "input" && end.value < BLOCK_LIMIT && start.value < BLOCK_LIMIT;
    return isRange || isOfInputs ? [[start, end] as const] : [];
  });
}
