import type { Hex } from "viem";

import { isFelt } from "../base/felt.js";
import {
  outputDigest,
  rootOfFelt,
  rootOfMarked,
  rootOfValue,
  unorderedRoot,
} from "../request/output-root.js";

/** A root is a hash: nobody finds one with so many leading zeros. */
const LEAST_ROOT = 2n ** 128n;
const HALF_LIMIT = 2n ** 128n;
/** What a number is likely to be between them. */
const ACCOUNTS = { from: 2n ** 144n, to: 2n ** 160n };
/** Numbers that a contract or a module may have without anybody writing them down. */
const SMALL_NUMBERS = Array.from({ length: 100 }, (_, number) => BigInt(number));
/** Lengths of lists, and of how many numbers they are made, the first: at most 10,000 lists of a length. */
const LISTS = [
  { length: 2, count: 100 },
  { length: 3, count: 21 },
  { length: 4, count: 10 },
  { length: 5, count: 6 },
] as const;
/** Types of Solidity, with the bytes that each takes when it is packed. */
const PACKED_TYPES = [
  { type: "uint256", bytes: 32 },
  { type: "address", bytes: 20 },
  { type: "uint128", bytes: 16 },
  { type: "uint64", bytes: 8 },
  { type: "uint32", bytes: 4 },
  { type: "uint8", bytes: 1 },
] as const;

/** Whether a word is a number, and no root. */
export function isPlain(word: Hex): boolean {
  return BigInt(word) < LEAST_ROOT;
}

/** Returns the value whose root a word is, of some numbers. */
export function findValue(root: Hex, numbers: readonly bigint[]): bigint | undefined {
  return numbers.find((one) => rootOfValue(one) === root);
}

/**
 * Returns what words of results stand for, by numbers, or lists of them, that they may be the roots of. Small numbers need not be
 * among them.
 * @param isOver whether lists have taken their time
 */
export function findOutputs(
  words: readonly Hex[],
  numbers: readonly bigint[],
  isOver: () => boolean = () => false,
): ReadonlyMap<Hex, string> {
  const found = new Map<Hex, string>();
  for (const word of words) {
    const output = findNumber(word, [...numbers, ...SMALL_NUMBERS]);
    if (output !== undefined) found.set(word, output);
  }
  const missing = (): readonly Hex[] => words.filter((word) => !found.has(word));
  for (const { root, text, digested } of rootsOfLists(numbers)) {
    if (missing().length === 0 || isOver()) break;
    if (!missing().includes(root)) continue;
    found.set(root, text);
    if (digested === undefined) continue;
    const packed = findPacked(missing(), digested, isOver);
    if (packed === undefined) continue;
    found.set(packed.root, `digest of the same numbers packed, ${packed.text}`);
    found.set(root, `${text}, abi.encode`);
  }
  return found;
}

/** Returns what a word stands for, by numbers that it may be the root of; undefined where it is of none. */
function findNumber(word: Hex, numbers: readonly bigint[]): string | undefined {
  if (isPlain(word)) return `plain word ${BigInt(word)}`;
  const felt = numbers.find((one) => isFelt(one) && rootOfFelt(one) === word);
  if (felt !== undefined) return `felt ${numberText(felt)}`;
  const value = findValue(word, numbers);
  return value === undefined ? undefined : `marked_u256 ${numberText(value)}`;
}

/** The root of a list of numbers in a form of output. */
interface ListRoot {
  readonly root: Hex;
  readonly text: string;
  /** The numbers, where the root is that of the digest of their words. */
  readonly digested?: readonly bigint[];
}

/** Returns the roots of lists of numbers, in each form of output, with their words. */
function* rootsOfLists(numbers: readonly bigint[]): Generator<ListRoot> {
  for (const { length, count } of LISTS)
    for (const list of listsOf(numbers.slice(0, count), length)) {
      const text = `[${list.map(numberText).join(", ")}]`;
      if (list.every((one) => one < HALF_LIMIT))
        yield { root: rootOfMarked(list), text: `marked ${text}` };
      yield { root: rootOfFelt(outputDigest(list)), text: `digest ${text}`, digested: list };
      if (list.every(isFelt))
        yield { root: unorderedRoot(list), text: `felts ${text}, in any order` };
    }
}

/** Returns every list of a length, in every order. */
function* listsOf(numbers: readonly bigint[], length: number): Generator<readonly bigint[]> {
  const shorter = length === 1 ? [[]] : listsOf(numbers, length - 1);
  for (const list of shorter) for (const one of numbers) yield [...list, one];
}

/** Returns which of some roots is that of the digest of numbers as Solidity packs them, and by which types. */
function findPacked(
  roots: readonly Hex[],
  numbers: readonly bigint[],
  isOver: () => boolean,
): { readonly root: Hex; readonly text: string } | undefined {
  if (roots.length === 0) return undefined;
  for (const { bytes, types } of packings(numbers)) {
    if (isOver()) return undefined;
    const root = rootOfFelt(outputDigest(bytes));
    if (roots.includes(root)) return { root, text: `abi.encodePacked(${types.join(", ")})` };
  }
  return undefined;
}

/** Numbers as Solidity packs them. */
interface Packing {
  readonly bytes: Hex;
  readonly types: readonly string[];
}

/** Returns numbers packed by each list of types that hold them. */
function packings(numbers: readonly bigint[]): readonly Packing[] {
  const nothing: readonly Packing[] = [{ bytes: "0x", types: [] }];
  return numbers.reduce(
    (shorter, number) =>
      shorter.flatMap(({ bytes, types }) =>
        PACKED_TYPES.filter((one) => number < 2n ** BigInt(8 * one.bytes)).map((one) => ({
          bytes: `${bytes}${number.toString(16).padStart(2 * one.bytes, "0")}` as const,
          types: [...types, one.type],
        })),
      ),
    nothing,
  );
}

/** Returns a number in decimal digits, what is likely an account in hexadecimal ones. */
function numberText(number: bigint): string {
  return number >= ACCOUNTS.from && number < ACCOUNTS.to
    ? `0x${number.toString(16).padStart(40, "0")}`
    : String(number);
}
