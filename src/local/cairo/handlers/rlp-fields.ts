import { fromRlp, type Hex } from "viem";

import { CairoVmError } from "../vm-error.js";

/** A decoded RLP item: bytes or a list. */
export type RlpItem = Hex | readonly RlpItem[];

/** Splits a hashed transaction or receipt into its type and the items of its list. */
export function openEnvelope(raw: Hex, what: string): { readonly type: number; readonly items: readonly RlpItem[] } {
  const first = Number(`0x${raw.slice(2, 4)}`);
  const type = first < 0x80 ? first : 0;
  if (type > 4) {
    throw new CairoVmError({
      code: "HDP-7112",
      message: `${what} has type ${type}, which the data processor cannot decode`,
      hints: ["Types 0 to 4 are supported."],
    });
  }
  const items: RlpItem = fromRlp(type === 0 ? raw : `0x${raw.slice(4)}`, "hex");
  return { type, items: typeof items === "string" ? [] : items };
}

/** The bytes at a place of a list; lists and absent items are refused by the field's name. */
export function bytesAt(items: readonly RlpItem[], index: number | undefined, what: string): Hex {
  const item = index === undefined ? undefined : items[index];
  if (typeof item === "string") return item;
  throw item === undefined ? notReturned(what, "does not exist") : notReturned(what, "is a list");
}

/** A field that the data processor does not return: its own run stops there too. */
export function notReturned(what: string, why: string): CairoVmError {
  return new CairoVmError({
    code: "HDP-7112",
    message: `${what} ${why}, and the data processor does not return it`,
    hints: ["The service stops such a run too: read another field, or check what the block and transaction type have."],
  });
}

/** Big-endian bytes as an integer. */
export function integer(bytes: Hex): bigint {
  return bytes === "0x" ? 0n : BigInt(bytes);
}

/** Whole 32-byte words. */
export function words(bytes: Hex, what: string): readonly bigint[] {
  if ((bytes.length - 2) % 64 !== 0) {
    throw new CairoVmError({
      code: "HDP-7112",
      message: `${what} has ${(bytes.length - 2) / 2} bytes, which are no whole words of 32`,
      hints: ["The service returns whole words only."],
    });
  }
  return (bytes.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
}
