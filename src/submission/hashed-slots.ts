import type { Hex } from "viem";
import { concatHex, hexToString, size, sliceHex } from "viem/utils";

import { toWord } from "../base/hex.js";
import { hashBytes } from "./asked-task.js";
import { type HashedBytes, wordsOf } from "./hashed-task.js";
import { isShort, shortened, wordText } from "./hashed-words.js";
import { MAPPINGS } from "./mapping-slots.js";

/** Elements of a struct or an array behind the slot of a mapping's value. */
const MAX_OFFSET = 16n;

/** Returns what a storage slot is the hash of, in words, by what was hashed; undefined where that is not among it. */
export function slotText(slot: Hex, hashed: HashedBytes): string | undefined {
  for (let offset = 0n; offset <= MAX_OFFSET && offset <= BigInt(slot); offset++) {
    const text = hashText(toWord(BigInt(slot) - offset), hashed);
    if (text !== undefined) return offset === 0n ? text : `${text} + ${offset}`;
  }
  return undefined;
}

/** Hashes within hashes that are put into words: those of nested mappings. Contracts hash trees too. */
const MAX_NESTED = 4;
function hashText(hash: Hex, hashed: HashedBytes, nested = MAX_NESTED): string | undefined {
  const bytes = nested > 0 ? hashed.get(hash) : undefined;
  if (bytes === undefined) return undefined;
  if (!isShort(bytes)) return `keccak256(${shortened(bytes)})`;
  const words = wordsOf(bytes);
  if (words === undefined) return `keccak256(${bytesText(bytes)})`;
  const inner = words.map((word) => hashText(toWord(word), hashed, nested - 1) ?? wordText(word));
  return `keccak256(abi.encode(${inner.join(", ")}))`;
}

/** Returns bytes as text where they are some, and the text with a word behind it: the key of a mapping, and its slot. */
function bytesText(bytes: Hex): string {
  if (isText(bytes)) return JSON.stringify(hexToString(bytes));
  const key = size(bytes) > 32 ? sliceHex(bytes, 0, size(bytes) - 32) : "0x";
  if (!isText(key)) return bytes;
  const slot = wordText(BigInt(sliceHex(bytes, -32)));
  return `abi.encodePacked(${JSON.stringify(hexToString(key))}, ${slot})`;
}

function isText(bytes: Hex): boolean {
  return bytes !== "0x" && /^[ -~]+$/.test(hexToString(bytes));
}

/**
 * Returns what a storage slot is the hash of, in words, where it comes of what was hashed for another slot: with the keys or
 * words the other way round, or in another mapping. Undefined for any other.
 */
export function relatedSlotText(slot: Hex, of: Hex, hashed: HashedBytes): string | undefined {
  for (const variant of variantsOf(of, hashed)) {
    if (variant.has(slot)) return slotText(slot, new Map([...hashed, ...variant]));
  }
  return undefined;
}

/** Returns what would have been hashed for slots that are near: for each the hashes of its parts. */
function* variantsOf(slot: Hex, hashed: HashedBytes): Generator<HashedBytes> {
  const outer = wordPair(slot, hashed);
  if (outer === undefined) return;
  const [key, rest] = outer;
  yield pairHash(rest, key);
  const inner = wordPair(toWord(rest), hashed);
  if (inner === undefined) {
    for (const mapping of MAPPINGS) yield pairHash(key, mapping);
    return;
  }
  const [innerKey, own] = inner;
  for (const [first, second] of [
    [innerKey, key],
    [key, innerKey],
  ] as const)
    for (const mapping of [own, ...MAPPINGS]) yield nestedHash(first, second, mapping);
}

function nestedHash(outer: bigint, inner: bigint, mapping: bigint): HashedBytes {
  const below = pairHash(inner, mapping);
  const [hash] = below.keys();
  return new Map([...pairHash(outer, BigInt(hash ?? "0x")), ...below]);
}

/** Returns the two words of which a word is the hash. */
function wordPair(hash: Hex, hashed: HashedBytes): readonly [bigint, bigint] | undefined {
  const bytes = hashed.get(hash);
  const [first, second, ...more] = (bytes === undefined ? undefined : wordsOf(bytes)) ?? [];
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  return [first, second];
}

function pairHash(first: bigint, second: bigint): HashedBytes {
  const bytes = concatHex([toWord(first), toWord(second)]);
  return new Map([[hashBytes(bytes), bytes]]);
}
