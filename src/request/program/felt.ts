import type { Hex } from "viem";

/** Modulus of Starknet's field: 2^251 + 17 * 2^192 + 1. A felt is an integer from 0 up to, but not including, it. */
export const FELT_PRIME = 0x800000000000011000000000000000000000000000000000000000000000001n;

/** Characters that fit into one felt as a short string. */
export const SHORT_STRING_LENGTH = 31;

/** A felt as the registry prints it: lower-case hex without leading zeros. */
export function feltToHex(felt: bigint): Hex {
  return `0x${felt.toString(16)}`;
}

/** Bytes of an ASCII text as one big-endian integer: how Cairo writes short strings and builtin names. */
export function asciiToInteger(text: string): bigint {
  let value = 0n;
  for (const character of text) value = value * 256n + BigInt(character.charCodeAt(0));
  return value;
}
