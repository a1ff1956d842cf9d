import type { Hex } from "viem";

import { keccak256, keccakInput, keccakOfInput } from "../base/keccak.js";
import { rlpBytes } from "../base/rlp.js";
import { type FieldEntry, FIELDS, type ItemType, LATER_HEADER_FIELDS } from "../request/field-table.js";
import { headerMismatch } from "./mismatch.js";
import { bigIntOf, data, encodedItem, has, type RpcObject, WIDTHS } from "./rpc-json.js";

type HeaderItem = FieldEntry & { readonly type: ItemType };

/** A header's items in RLP order. What forks appended stands at the end: a header ends at the first absent one. */
const ITEMS: readonly HeaderItem[] = [...Object.values(FIELDS.header), ...Object.values(LATER_HEADER_FIELDS)];

/** What nodes return beside the header: never part of its hash. */
const NOT_HASHED = new Set([
  "hash",
  "totalDifficulty",
  "size",
  "uncles",
  "transactions",
  "withdrawals",
  "totalBlobGas",
]);
const HASHED: ReadonlySet<string> = new Set(ITEMS.map(({ rpc }) => rpc));

/** What the hash leaves open of an item: its width. */
const PLAIN = ITEMS.map(({ type, rpc, since }) => ({ rpc, since, bytes: widthOf(type) }));

function widthOf(type: ItemType): number | "integer" | "any" {
  return type === "integer" ? type : (WIDTHS[type] ?? "any");
}

/** Characters of the longest item that is hashed without a look at it; with all others it fits `keccakInput`. */
const LONGEST_ITEM = 2 + 2 * 1024;
/** Bytes in front of the RLP list: 0xf9 and two of length. */
const LIST_PREFIX = 3;

/** The items of the header's RLP list, from the node's JSON. @throws HdpError HDP-4102 for a malformed field. */
export function headerItems(block: RpcObject): Hex[] {
  const items: Hex[] = [];
  for (const field of ITEMS) {
    if (field.since !== undefined && !has(block, field.rpc)) break;
    items.push(headerItem(block, field));
  }
  return items;
}

function headerItem(block: RpcObject, { type, rpc }: HeaderItem): Hex {
  return encodedItem(block, rpc, type);
}

/**
 * The items of a header that is that of `number` and hashes to the block hash the node names. The hash is looked at
 * first: where it is right there is nothing wrong with any field.
 *
 * @throws HdpError HDP-4201 naming the block and the field, HDP-4102 for a malformed field.
 */
export function provenHeader(number: bigint, block: RpcObject): readonly Hex[] {
  const items = plainItems(block.fields);
  if (items !== undefined && isHeader(number, block.fields, items)) return items;
  const explained = headerItems(block);
  explainHeader(number, block, explained);
  return explained;
}

function isHeader(number: bigint, { hash, number: stated }: RpcObject["fields"], items: readonly Hex[]): boolean {
  if (stated !== `0x${number.toString(16)}`) return false;
  const length = writeHeader(items);
  return length !== undefined && keccakOfInput(length) === hash;
}

/** The items as far as their lengths tell, `undefined` where one has another. Digits are left to the hash. */
function plainItems(fields: RpcObject["fields"]): Hex[] | undefined {
  const items: Hex[] = [];
  for (const { rpc, bytes, since } of PLAIN) {
    const value = fields[rpc];
    if (since !== undefined && (value === undefined || value === null)) break;
    if (!isPrefixed(value)) return undefined;
    if (bytes === "integer") {
      const minimal = minimalInteger(value);
      if (minimal === undefined) return undefined;
      items.push(minimal);
    } else {
      const digits = value.length - 2;
      if (bytes === "any" ? digits % 2 !== 0 : digits !== 2 * bytes) return undefined;
      items.push(value);
    }
  }
  return items;
}

function isPrefixed(value: unknown): value is Hex {
  return typeof value === "string" && value.startsWith("0x") && value.length <= LONGEST_ITEM;
}

/** `undefined` for what the rule for malformed fields has to look at. */
function minimalInteger(value: Hex): Hex | undefined {
  if (value.length < 3) return undefined;
  if (value[2] !== "0") return value.length % 2 === 0 ? value : `0x0${value.slice(2)}`;
  return value === "0x0" ? "0x" : undefined;
}

/**
 * Writes the RLP list of the items where it is hashed. `undefined` where an item is not lower-case hex: the slow way
 * says what it is. A header is longer than 255 bytes, for its bloom, and shorter than 65,536 here.
 */
function writeHeader(items: readonly Hex[]): number | undefined {
  let at = LIST_PREFIX;
  for (const item of items) {
    const bytes = item.length / 2 - 1;
    if (item !== item.toLowerCase()) return undefined;
    const start = bytes > 255 ? at + 3 : bytes > 55 ? at + 2 : at + 1;
    if (keccakInput.write(item.slice(2), start, "hex") !== bytes) return undefined;
    if (bytes === 1 && (keccakInput[start] ?? 0) < 0x80) {
      keccakInput[at] = keccakInput[start] ?? 0;
      at += 1;
      continue;
    }
    keccakInput[at] = bytes > 255 ? 0xb9 : bytes > 55 ? 0xb8 : 0x80 + bytes;
    if (bytes > 255) keccakInput[at + 1] = bytes >> 8;
    if (bytes > 55) keccakInput[start - 1] = bytes & 0xff;
    at = start + bytes;
  }
  keccakInput[0] = 0xf9;
  keccakInput.writeUInt16BE(at - LIST_PREFIX, 1);
  return at;
}

/** @throws HdpError HDP-4201 where the header is not what it is taken for. */
function explainHeader(number: bigint, block: RpcObject, items: readonly Hex[]): void {
  const stated = bigIntOf(block, "number");
  if (stated !== number) throw headerMismatch(number, "number", `the node returned block ${stated}`);
  const hash = data(block, "hash", 32);
  const computed = keccak256(rlpBytes(items));
  if (computed === hash) return;
  const unknown = Object.keys(block.fields).filter((name) => !HASHED.has(name) && !NOT_HASHED.has(name));
  const hints =
    unknown.length === 0
      ? ["One of the returned header fields is wrong, or the chain does not hash its headers as Ethereum does."]
      : [`The node returns fields this version does not know: ${unknown.join(", ")}. A later fork may hash them.`];
  throw headerMismatch(number, "hash", `the header hashes to ${computed}, the node says ${hash}`, hints);
}
