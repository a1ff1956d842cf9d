import type { Address, Hex } from "viem";
import { getAddress } from "viem/utils";

import { hdpError } from "../errors/hdp-error.js";

/** Returns hex text in lower case, its prefix included. */
export function lowerCase(hex: string): Hex {
  return `0x${hex.slice(2).toLowerCase()}`;
}

/** Returns whether two texts are the same hex in any letter case, as checksums have it. */
export function isSameHex(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Returns a uint256 as 32 bytes. */
export function toWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

const HALF = 2n ** 128n;

/** Returns the low and high 128 bits of a 32-byte word: Starknet's form of a u256. */
export function splitWord(word: Hex): { readonly low: bigint; readonly high: bigint } {
  const value = BigInt(word);
  return { low: value % HALF, high: value / HALF };
}

/** Returns the low and high half of each word, as Starknet's calldata and the prover's output have them. */
export function splitHalves(...words: readonly Hex[]): bigint[] {
  return words.map(splitWord).flatMap(({ low, high }) => [low, high]);
}

/** Returns the word of a u256's two felts; undefined if they are not a u256. */
export function joinWord(
  felts: readonly string[],
): { readonly word: Hex; readonly value: bigint } | undefined {
  const [low, high] = felts.map(BigInt);
  if (felts.length !== 2 || low === undefined || high === undefined) return undefined;
  if (low < 0n || high < 0n || low >= HALF || high >= HALF) return undefined;
  const value = high * HALF + low;
  return { word: toWord(value), value };
}

/** Returns an address with its checksum. @throws HdpError HDP-1110 for any other text */
export function requireAddress(text: string, path?: string): Address {
  const fault = addressFault(text);
  if (fault === undefined) return getAddress(lowerCase(text));
  throw hdpError("HDP-1110", { value: `"${text}"`, ...fault }, { path });
}

/** Returns what HDP-1110 says of a text that is not an address; undefined for an address. Checksums are of EIP-55. */
export function addressFault(
  text: string,
): Record<"reason" | "digits" | "checksum", string | undefined> | undefined {
  const digits = /^0x([0-9a-f]*)$/i.exec(text)?.[1];
  if (digits?.length !== 40) {
    const counted = digits === undefined ? "" : `; this one has ${digits.length}`;
    return { reason: undefined, digits: counted, checksum: undefined };
  }
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return undefined;
  const checksum = getAddress(lowerCase(text));
  if (checksum.slice(2) === digits) return undefined;
  return { reason: ": its checksum is wrong, a digit may be mistyped", digits: "", checksum };
}

/** Returns whether a text is 0x and 64 hexadecimal digits. */
export function isTaskHash(text: string): text is Hex {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}

/** What a task hash may be given in place of, for the error. */
interface TaskHashAlternative {
  readonly nor: string;
  readonly hint: string;
}

/** Returns a task hash as it is given. @throws HdpError HDP-3011 for any other text */
export function requireTaskHash(
  text: string,
  path?: string,
  alternative?: TaskHashAlternative,
): Hex {
  if (isTaskHash(text)) return text;
  const nor = alternative && `, nor ${alternative.nor}`;
  const hints = alternative && [alternative.hint];
  throw hdpError("HDP-3011", { taskHash: text, nor }, { path, hints });
}

/** Returns in how many places two hashes have other digits. */
export function otherDigits(one: string, other: string): number {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()];
  const places = Array.from({ length: Math.max(first.length, second.length) }, (_, at) => at);
  return places.filter((at) => first[at] !== second[at]).length;
}
