import type { Hex } from "viem";

import { isRecord } from "../base/collections.js";
import { HdpError } from "../errors/hdp-error.js";
import { shownJson } from "../base/json.js";
import { evenHex } from "../base/rlp.js";
import type { ItemType } from "../request/fields.js";

/** A JSON object of a node's answer, with the words that name it in errors ("block 12"). */
export interface RpcObject {
  readonly what: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** @throws HdpError HDP-4102 where the answer is not a JSON object. */
export function rpcObject(value: unknown, what: string): RpcObject {
  if (!isRecord(value)) throw malformed(what, undefined, value, "a JSON object");
  return { what, fields: value };
}

/** @throws HdpError HDP-4102 where the field is not a list. */
export function list(object: RpcObject, field: string): readonly unknown[] {
  const value = object.fields[field];
  if (!Array.isArray(value)) throw malformed(object.what, field, value, "a list");
  return value;
}

/** Byte string, lower case. @throws HdpError HDP-4102 where it is not hex of whole bytes (`bytes` of them, if given). */
export function data(object: RpcObject, field: string, bytes?: number): Hex {
  return asData(object.fields[field], object.what, field, bytes);
}

export function asData(value: unknown, what: string, field: string, bytes?: number): Hex {
  if (isEvenHex(value) && (bytes === undefined || value.length === 2 + 2 * bytes)) return value;
  if (typeof value === "string" && value !== value.toLowerCase()) {
    return asData(value.toLowerCase(), what, field, bytes);
  }
  throw malformed(what, field, value, bytes === undefined ? "hex bytes" : `${bytes} bytes of hex`);
}

/** Integer in the form RLP stores: minimal big-endian, zero is `0x`. @throws HdpError HDP-4102 where it is no hex integer. */
export function integer(object: RpcObject, field: string): Hex {
  const value = object.fields[field];
  if (typeof value !== "string" || !/^0x[0-9a-f]+$/i.test(value)) {
    throw malformed(object.what, field, value, "a hex integer");
  }
  const digits = minimalDigits(value);
  return evenHex(digits);
}

export const WIDTHS = { bytes8: 8, address: 20, bytes32: 32, bytes256: 256, bytes: undefined } as const;

/** A field in the form RLP stores, by what it holds. @throws HdpError HDP-4102 where it holds something else. */
export function encodedItem(object: RpcObject, field: string, type: ItemType): Hex {
  return type === "integer" ? integer(object, field) : data(object, field, WIDTHS[type]);
}

/** An integer as nodes write and take it. */
export function quantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

/** @throws HdpError HDP-4102 where the field is not a hex integer. */
export function bigIntOf(object: RpcObject, field: string): bigint {
  return asInteger(object.fields[field], object.what, field);
}

export function asInteger(value: unknown, what: string, field: string): bigint {
  if (typeof value === "string" && /^0x[0-9a-f]+$/i.test(value)) return BigInt(value);
  throw malformed(what, field, value, "a hex integer");
}

export function has(object: RpcObject, field: string): boolean {
  return object.fields[field] !== undefined && object.fields[field] !== null;
}

/** Lower case only, which is what nodes send: such text is passed on as it is. */
function isEvenHex(value: unknown): value is Hex {
  return typeof value === "string" && value.length % 2 === 0 && /^0x[0-9a-f]*$/.test(value);
}

function minimalDigits(integer: string): string {
  let start = 2;
  while (integer[start] === "0") start += 1;
  return integer.slice(start).toLowerCase();
}

function malformed(what: string, field: string | undefined, value: unknown, expected: string): HdpError {
  const place = field === undefined ? what : `field "${field}" of ${what}`;
  const shown = value === undefined ? "missing" : shownJson(value).slice(0, 80);
  return new HdpError({
    code: "HDP-4102",
    message: `the node's answer has a bad ${place}: ${shown}, expected ${expected}`,
    hints: ["The node does not speak standard Ethereum JSON-RPC here. Use another node for this chain."],
  });
}
