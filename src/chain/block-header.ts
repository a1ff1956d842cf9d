import type { Hex } from "viem";

import { keccak256 } from "../base/keccak.js";
import { rlpBytes } from "../base/rlp.js";
import { headerMismatch } from "./mismatch.js";
import { bigIntOf, data, has, integer, type RpcObject } from "./rpc-json.js";

const BLOOM_BYTES = 256;

/** Items every header has, in RLP order; a number is the width in bytes, "integer" is minimal big-endian. */
const MANDATORY = [
  ["parentHash", 32],
  ["sha3Uncles", 32],
  ["miner", 20],
  ["stateRoot", 32],
  ["transactionsRoot", 32],
  ["receiptsRoot", 32],
  ["logsBloom", BLOOM_BYTES],
  ["difficulty", "integer"],
  ["number", "integer"],
  ["gasLimit", "integer"],
  ["gasUsed", "integer"],
  ["timestamp", "integer"],
  ["extraData", undefined],
  ["mixHash", 32],
  ["nonce", 8],
] as const;

/** Items that forks appended: London, Shanghai, Cancun (three), Prague. A header ends at the first absent one. */
const APPENDED = [
  ["baseFeePerGas", "integer"],
  ["withdrawalsRoot", 32],
  ["blobGasUsed", "integer"],
  ["excessBlobGas", "integer"],
  ["parentBeaconBlockRoot", 32],
  ["requestsHash", 32],
] as const;

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
const HASHED: ReadonlySet<string> = new Set([...MANDATORY, ...APPENDED].map(([name]) => name));

type Width = number | "integer" | undefined;

/** The items of the header's RLP list, from the node's JSON. @throws HdpError HDP-4102 for a malformed field. */
export function headerItems(block: RpcObject): Hex[] {
  const items: Hex[] = [];
  for (const [name, width] of MANDATORY) items.push(headerItem(block, name, width));
  for (const [name, width] of APPENDED) {
    if (!has(block, name)) break;
    items.push(headerItem(block, name, width));
  }
  return items;
}

function headerItem(block: RpcObject, name: string, width: Width): Hex {
  if (width === "integer") return integer(block, name);
  const value = block.fields[name];
  return width === BLOOM_BYTES && looksLikeBloom(value) ? value : data(block, name, width);
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
