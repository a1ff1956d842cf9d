import { keccakBytes } from "../base/keccak.js";
import { MAPPINGS } from "./mapping-slots.js";

/** A number that a task may have been meant to have. */
export interface KnownWord {
  readonly value: bigint;
  /** What it is, where that says more than its digits: `makeAddr("alice")`. */
  readonly origin?: string | undefined;
}

const OWN_SLOTS: readonly KnownWord[] = MAPPINGS.map((value) => ({ value }));
/** Slots behind that of a mapping's value: members of a struct, or further elements. */
const LAST_MEMBER = 8n;
/** Keys of nested mappings, the first: each pair of them is tried in each mapping. */
const MAX_KEYS = 16;
const WORD_LIMIT = 2n ** 256n;

/** Returns each of the words once, as it came first. */
export function distinctWords(words: readonly KnownWord[]): readonly KnownWord[] {
  const byValue = new Map<bigint, KnownWord>();
  for (const word of words) {
    const isNew = !byValue.has(word.value);
    if (isNew && word.value >= 0n && word.value < WORD_LIMIT) byValue.set(word.value, word);
  }
  return [...byValue.values()];
}

/** Numbers below are rather ids than accounts. */
const FIRST_ACCOUNT = 1024n;

/** Returns a word as a reader knows it: by its origin, an account in 40 digits, a small one as `address(0xB0B)` has it. */
function wordText({ value, origin }: KnownWord): string {
  if (origin !== undefined) return origin;
  if (value < FIRST_ACCOUNT) return String(value);
  const digits = value.toString(16);
  return `0x${value < 2n ** 64n ? digits : digits.padStart(40, "0")}`;
}

/** The slot of a value in a mapping, or in a nested one. What it is is put into words only where it is asked for. */
export class MappingSlot implements KnownWord {
  public readonly value: bigint;
  public readonly mapping: KnownWord;
  /** From the outermost to the innermost. */
  public readonly keys: readonly KnownWord[];
  /** Whether the key is hashed first, as in Solidity. Vyper hashes the mapping's slot first. */
  public readonly isKeyFirst: boolean;

  public constructor(mapping: KnownWord, keys: readonly KnownWord[], isKeyFirst = true) {
    this.mapping = mapping;
    this.keys = keys;
    this.isKeyFirst = isKeyFirst;
    this.value = keys.reduce(
      (slot, { value }) => (isKeyFirst ? hashOf(value, slot) : hashOf(slot, value)),
      mapping.value,
    );
  }

  public get origin(): string {
    const [key, ...others] = this.keys.map(wordText);
    const mapping = wordText(this.mapping);
    if (others.length > 0)
      return `that of [${[key, ...others].join("][")}] in a nested mapping at slot ${mapping}`;
    return this.isKeyFirst
      ? `that of ${key} in a mapping at slot ${mapping}`
      : `keccak256(abi.encode(${mapping}, ${key})): the mapping's slot first, as Vyper has it. Solidity has the key first`;
  }
}

/** Returns the slots of keys in mappings, hashed as Solidity does, then as Vyper does. */
export function* mappingSlots(
  keys: readonly KnownWord[],
  namespaces: readonly KnownWord[],
): Generator<MappingSlot> {
  for (const isKeyFirst of [true, false])
    for (const mapping of [...OWN_SLOTS, ...namespaces])
      for (const key of keys) yield new MappingSlot(mapping, [key], isKeyFirst);
}

/** Returns slots near one: of its keys the other way round, in other mappings, and of other keys in the same. */
export function* slotsNear(
  { mapping: own, keys: ownKeys, isKeyFirst }: MappingSlot,
  keys: readonly KnownWord[],
  namespaces: readonly KnownWord[],
): Generator<MappingSlot> {
  yield new MappingSlot(own, ownKeys.toReversed(), isKeyFirst);
  yield new MappingSlot(own, ownKeys, !isKeyFirst);
  for (const mapping of [...OWN_SLOTS, ...namespaces])
    yield new MappingSlot(mapping, ownKeys, isKeyFirst);
  for (const at of ownKeys.keys())
    for (const key of keys) yield new MappingSlot(own, ownKeys.with(at, key), isKeyFirst);
}

/** Returns the slots behind others, of members of a struct. */
export function* membersOf(slots: Iterable<KnownWord>): Generator<KnownWord> {
  for (const slot of slots)
    for (let member = 1n; member <= LAST_MEMBER; member++) yield new MemberSlot(slot, member);
}

class MemberSlot implements KnownWord {
  public readonly value: bigint;
  readonly #slot: KnownWord;
  readonly #member: bigint;

  public constructor(slot: KnownWord, member: bigint) {
    this.value = slot.value + member;
    this.#slot = slot;
    this.#member = member;
  }

  public get origin(): string {
    return `${this.#member} behind ${wordText(this.#slot)}`;
  }
}

/** Returns the slots of two keys in nested mappings, in both orders of the keys. */
export function* nestedSlots(
  keys: readonly KnownWord[],
  namespaces: readonly KnownWord[],
): Generator<MappingSlot> {
  const tried = keys.slice(0, MAX_KEYS);
  for (const mapping of [...OWN_SLOTS, ...namespaces])
    for (const outer of tried)
      for (const inner of tried) yield new MappingSlot(mapping, [outer, inner]);
}

const preimage = Buffer.alloc(64);

function hashOf(first: bigint, second: bigint): bigint {
  preimage.write(digits(first) + digits(second), "hex");
  return BigInt(`0x${Buffer.from(keccakBytes(preimage)).toString("hex")}`);
}

function digits(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}
