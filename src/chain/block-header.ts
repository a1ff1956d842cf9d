import type { Hex } from "viem";

import { keccak256 } from "../base/keccak.js";
import { rlpBytes } from "../base/rlp.js";
import { type FieldEntry, FIELDS, type ItemType, LATER_HEADER_FIELDS } from "../request/field-table.js";
import { headerMismatch } from "./mismatch.js";
import { bigIntOf, data, encodedItem, has, type RpcObject } from "./rpc-json.js";

const BLOOM_BYTES = 256;

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
  const value = block.fields[rpc];
  return type === "bytes256" && looksLikeBloom(value) ? value : encodedItem(block, rpc, type);
}

/**
 * Text of a bloom's length. Its digits are left for the hash to check, since looking at all 512 of them takes about as
 * long as hashing the header: a digit that is none changes the hash.
 */
function looksLikeBloom(value: unknown): value is Hex {
  return typeof value === "string" && value.startsWith("0x") && value.length === 2 + 2 * BLOOM_BYTES;
}

/**
 * Checks that the header is that of `number` and hashes to the block hash the node names.
 *
 * @throws HdpError HDP-4201 naming the block and the field.
 */
export function verifyHeader(number: bigint, block: RpcObject, items: readonly Hex[]): void {
  const stated = bigIntOf(block, "number");
  if (stated !== number) throw headerMismatch(number, "number", `the node returned block ${stated}`);
  const hash = data(block, "hash", 32);
  const computed = keccak256(rlpBytes(items));
  if (computed === hash) return;
  data(block, "logsBloom", BLOOM_BYTES);
  const unknown = Object.keys(block.fields).filter((name) => !HASHED.has(name) && !NOT_HASHED.has(name));
  const hints =
    unknown.length === 0
      ? ["One of the returned header fields is wrong, or the chain does not hash its headers as Ethereum does."]
      : [`The node returns fields this version does not know: ${unknown.join(", ")}. A later fork may hash them.`];
  throw headerMismatch(number, "hash", `the header hashes to ${computed}, the node says ${hash}`, hints);
}
