import type { Address, Hex } from "viem";

import { lowerCase, toWord } from "../base/hex.js";
import { keccak256 } from "../base/keccak.js";

/** What a storage slot is the hash of: a mapping's own slot and an account as its key. */
export interface SlotOrigin {
  /** The mapping's own slot. */
  readonly mapping: bigint;
  readonly key: Address;
  /** Whether the key is hashed first, as in Solidity. Vyper hashes the mapping's slot first. */
  readonly isKeyFirst: boolean;
}

/** Own slots of mappings that are tried: contracts have their balances among their first. */
export const MAPPINGS: readonly bigint[] = Array.from({ length: 21 }, (_, slot) => BigInt(slot));

/** Returns the storage slot that has an origin. */
export function slotOf({ mapping, key, isKeyFirst }: SlotOrigin): Hex {
  const [slot, word] = [toWord(mapping), toWord(BigInt(key))];
  const preimage = isKeyFirst ? word + slot.slice(2) : slot + word.slice(2);
  return keccak256(Buffer.from(preimage.slice(2), "hex"));
}

/** Returns the origins with a key, those of Solidity first. */
export function originsOf(key: Address): readonly SlotOrigin[] {
  return [true, false].flatMap((isKeyFirst) =>
    MAPPINGS.map((mapping) => ({ mapping, key, isKeyFirst })),
  );
}

/** The storage slots of mappings whose keys are known accounts. Hashed when one is first looked for, some hundreds. */
export class MappingSlots {
  readonly #keys: ReadonlySet<Address>;
  #origins: ReadonlyMap<Hex, SlotOrigin> | undefined;

  public constructor(keys: readonly Address[]) {
    this.#keys = new Set(keys.map(lowerCase));
  }

  /** All slots, in the order of their keys. */
  public get all(): ReadonlyMap<Hex, SlotOrigin> {
    const origins = (): readonly SlotOrigin[] => [...this.#keys].flatMap(originsOf);
    return (this.#origins ??= new Map(origins().map((one) => [slotOf(one), one])));
  }

  /** Returns the origin of a slot; undefined for one of another kind, or of an account that is not known. */
  public find(slot: Hex): SlotOrigin | undefined {
    return this.all.get(lowerCase(slot));
  }
}
