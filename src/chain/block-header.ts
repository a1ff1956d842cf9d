import type { Hex } from "viem";

import { keccak256, keccakOfHex } from "../base/keccak.js";
import { rlpBytes, rlpPrefix } from "../base/rlp.js";
import { type FieldEntry, FIELDS, type ItemType, LATER_HEADER_FIELDS } from "../request/fields.js";
import { headerMismatch } from "./chain-reader.js";
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

/** What the hash leaves open of an item: its width, which for a plain one is its RLP prefix as well. */
const PLAIN = ITEMS.map(({ type, rpc, since }) => {
  const bytes = type === "integer" ? undefined : WIDTHS[type];
  return {
    ...{ rpc, isInteger: type === "integer", isOptional: since !== undefined },
    ...{ characters: bytes === undefined ? 0 : 2 + 2 * bytes, prefix: bytes === undefined ? "" : rlpPrefix(bytes) },
  };
});

/** Characters of the longest item of any length that is hashed without a look at it. */
const LONGEST_ITEM = 2 + 2 * 1024;

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

export interface ProvenHeader {
  /** Lower case. */
  readonly hash: Hex;
  /** In the order of the header's RLP list. */
  readonly items: readonly Hex[];
}

/**
 * A header that is that of `number` and hashes to the block hash the node names. The hash is looked at
 * first: where it is right there is nothing wrong with any field.
 *
 * @throws HdpError HDP-4201 naming the block and the field, HDP-4102 for a malformed field.
 */
export function provenHeader(number: bigint, block: RpcObject): ProvenHeader {
  const matching = matchingHeader(number, block.fields);
  if (matching !== undefined) return matching;
  const items = headerItems(block);
  return { hash: explainHeader(number, block, items), items };
}

/**
 * A header that is the right one. `undefined` where it is not, or where an item is not written as nodes
 * write it: the slow way says what it is. Lengths are looked at here, digits are left to the hash.
 */
function matchingHeader(number: bigint, fields: RpcObject["fields"]): ProvenHeader | undefined {
  const items: Hex[] = [];
  let digits = "";
  for (const { rpc, isInteger, isOptional, characters, prefix } of PLAIN) {
    const value = fields[rpc];
    if (isOptional && (value === undefined || value === null)) break;
    if (!isPrefixed(value)) return undefined;
    if (characters > 0) {
      if (value.length !== characters) return undefined;
      items.push(value);
      digits += prefix + value.slice(2);
      continue;
    }
    const item = isInteger ? minimalInteger(value) : value;
    if (item === undefined || item.length % 2 !== 0 || item.length > LONGEST_ITEM) return undefined;
    items.push(item);
    digits += item.length === 4 && item < "0x80" ? item.slice(2) : rlpPrefix(item.length / 2 - 1) + item.slice(2);
  }
  if (fields["number"] !== `0x${number.toString(16)}`) return undefined;
  // For its bloom, a header is longer than 255 bytes, and it is shorter than 65,536 here.
  const length = (digits.length / 2).toString(16).padStart(4, "0");
  const hash = keccakOfHex(`0xf9${length}${digits}`);
  return hash !== undefined && fields["hash"] === hash ? { hash, items } : undefined;
}

function isPrefixed(value: unknown): value is Hex {
  return typeof value === "string" && value.startsWith("0x");
}

/** `undefined` for what the rule for malformed fields has to look at. */
function minimalInteger(value: Hex): Hex | undefined {
  if (value.length < 3) return undefined;
  if (value[2] !== "0") return value.length % 2 === 0 ? value : `0x0${value.slice(2)}`;
  return value === "0x0" ? "0x" : undefined;
}

/** The header's hash. @throws HdpError HDP-4201 where the header is not what it is taken for. */
function explainHeader(number: bigint, block: RpcObject, items: readonly Hex[]): Hex {
  const stated = bigIntOf(block, "number");
  if (stated !== number) throw headerMismatch(number, "number", `the node returned block ${stated}`);
  const hash = data(block, "hash", 32);
  const computed = keccak256(rlpBytes(items));
  if (computed === hash) return hash;
  const unknown = Object.keys(block.fields).filter((name) => !HASHED.has(name) && !NOT_HASHED.has(name));
  const hints =
    unknown.length === 0
      ? ["One of the returned header fields is wrong, or the chain does not hash its headers as Ethereum does."]
      : [`The node returns fields this version does not know: ${unknown.join(", ")}. A later fork may hash them.`];
  throw headerMismatch(number, "hash", `the header hashes to ${computed}, the node says ${hash}`, hints);
}
