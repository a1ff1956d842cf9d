import type { Hex } from "viem";
import { concatHex, keccak256, stringToHex } from "viem/utils";

import { requireAddress, toWord } from "../base/hex.js";
import { storage, type StorageProperty } from "./sampled-property.js";

/** An address or 32 bytes as hex, an integer (negative ones as int256), a boolean, or the text of a `string` key. */
export type MappingKey = string | bigint | number | boolean | { readonly text: string };

/**
 * Returns the storage slot of a mapping's value in Solidity: keccak256(key . slot), once for each key of nested mappings.
 * @param slot the mapping's own slot
 * @param keys from the outermost to the innermost
 * @throws RangeError for a key that is not an address, a word or an integer of 256 bits
 * @example mappingSlot(3n, owner, spender)
 */
export function mappingSlot(
  slot: Hex | bigint | number,
  ...keys: readonly [MappingKey, ...MappingKey[]]
): Hex {
  return keys.reduce<Hex>(
    (at, key) => keccak256(concatHex([keyHex(key), at])),
    toWord(BigInt(slot)),
  );
}

/**
 * Returns the first slot of a namespace of storage: keccak256(keccak256(id) - 1), its last byte cleared (ERC-7201).
 * A variable of the namespace is at this slot and the slots behind it.
 * @param id the namespace in `@custom:storage-location erc7201:<id>`
 * @example mappingSlot(erc7201("openzeppelin.storage.ERC20"), holder)
 */
export function erc7201(id: string): Hex {
  const before = toWord(BigInt.asUintN(256, BigInt(keccak256(stringToHex(id))) - 1n));
  return toWord(BigInt(keccak256(before)) & ~0xffn);
}

/**
 * Returns the property of a holder's balance of an ERC-20 token. `hdp.erc20Balance(token, holder)` of a connection finds
 * the slot itself, and compares what it holds with the token's `balanceOf`.
 * @param options.slot slot of the token's mapping of balances: 0 for OpenZeppelin's ERC20,
 *   `erc7201("openzeppelin.storage.ERC20")` for its upgradeable one. A wrong slot holds 0 or something else.
 * @example blockSampled({ from, to, property: erc20Balance(token, holder, { slot: 0n }) }).min()
 */
export function erc20Balance(
  token: string,
  holder: string,
  { slot }: { readonly slot: Hex | bigint | number },
): StorageProperty {
  return storage(token, mappingSlot(slot, requireAddress(holder, "holder")));
}

function keyHex(key: MappingKey): Hex {
  if (typeof key === "object") return stringToHex(key.text);
  if (typeof key === "string") {
    if (/^0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/.test(key)) return toWord(BigInt(key));
    throw new RangeError(
      `"${key}" is not a key of a mapping: give an address, 32 bytes, an integer or { text }`,
    );
  }
  const value = BigInt(key);
  if (value >= 2n ** 256n || value < -(2n ** 255n))
    throw new RangeError(`${value.toString()} has more than 256 bits`);
  return toWord(BigInt.asUintN(256, value));
}
