import type { Address, Hex } from "viem";

import { keccak256 } from "../base/keccak.js";
import { toWord } from "../base/hex.js";
import { storage, type StorageProperty } from "./builder.js";

/**
 * A key of a mapping: an address or 32 bytes as hex, an integer (negative ones as int256), a boolean, or the text of a
 * `string` key.
 */
export type MappingKey = Hex | bigint | number | boolean | { readonly text: string };

/**
 * Returns the storage slot of a mapping's value, as Solidity places it: keccak256(key . slot), once for each key of nested
 * mappings.
 *
 * @param slot the mapping's own slot
 * @param keys from the outermost to the innermost
 * @throws RangeError for a key that is not an address, a word or an integer of 256 bits
 * @example mappingSlot(3n, owner, spender)
 */
export function mappingSlot(slot: Hex | bigint | number, ...keys: readonly [MappingKey, ...MappingKey[]]): Hex {
  return keys.reduce<Hex>((at, key) => keccak256(Buffer.concat([keyBytes(key), bytes(at)])), toWord(BigInt(slot)));
}

/**
 * Returns the storage slot of a holder's balance of an ERC-20 token.
 *
 * @param options.slot slot of the token's mapping of balances. Default 0, where OpenZeppelin's ERC20 has it; other tokens
 *   have it elsewhere, and a wrong one holds 0 or something else
 * @example blockSampled({ from, to, property: erc20Balance(token, holder) }).min()
 */
export function erc20Balance(
  token: Address,
  holder: Address,
  { slot = 0n }: { readonly slot?: Hex | bigint | number | undefined } = {},
): StorageProperty {
  return storage(token, mappingSlot(slot, holder));
}

function keyBytes(key: MappingKey): Uint8Array {
  if (typeof key === "object") return Buffer.from(key.text, "utf8");
  if (typeof key === "boolean") return bytes(toWord(key ? 1n : 0n));
  if (typeof key === "string") {
    if (/^0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/.test(key)) return bytes(toWord(BigInt(key)));
    throw new RangeError(`"${key}" is not a key of a mapping: give an address, 32 bytes, an integer or { text }`);
  }
  const value = BigInt(key);
  if (value >= 2n ** 256n || value < -(2n ** 255n)) throw new RangeError(`${value.toString()} has more than 256 bits`);
  return bytes(toWord(BigInt.asUintN(256, value)));
}

function bytes(word: Hex): Uint8Array {
  return Buffer.from(word.slice(2), "hex");
}
