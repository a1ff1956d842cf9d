import { keccak256, recoverAddress, toRlp, type Hex } from "viem";

import { bytesAt, integer, notReturned, openEnvelope, type RlpItem } from "./rlp-fields.js";

const SIGNATURE_ITEMS = 3;

/** Items of the list by transaction type; a type lacks the fields it does not name. */
const ITEMS: readonly (readonly string[])[] = [
  ["nonce", "gasPrice", "gasLimit", "to", "value", "input", "v", "r", "s"],
  ["chainId", "nonce", "gasPrice", "gasLimit", "to", "value", "input", "accessList", "v", "r", "s"],
  feeMarket(),
  feeMarket("maxFeePerBlobGas", "blobVersionedHashes"),
  feeMarket("authorizationList"),
];

function feeMarket(...own: string[]): readonly string[] {
  return [
    ...["chainId", "nonce", "maxPriorityFeePerGas", "maxFeePerGas", "gasLimit", "to", "value", "input", "accessList"],
    ...own,
    ...["v", "r", "s"],
  ];
}

/** The value of a transaction's field by name, from the form that is hashed. An absent recipient is 0. */
export async function transactionField(raw: Hex, field: string, what: string): Promise<bigint> {
  const { type, items } = openEnvelope(raw, what);
  if (field === "type") return BigInt(type);
  if (field === "hash") return BigInt(keccak256(raw));
  if (field === "sender") return BigInt(await sender(type, items, what));
  if (field === "input") throw notReturned(what, "is of any length");
  const index = ITEMS[type]?.indexOf(field) ?? -1;
  return integer(bytesAt(items, index < 0 ? undefined : index, what));
}

/** Recovers the signer: the signed hash is that of the list without its signature (EIP-155 appends the chain id). */
async function sender(type: number, items: readonly RlpItem[], what: string): Promise<Hex> {
  const unsigned = items.slice(0, -SIGNATURE_ITEMS);
  const [v = 0n, r = 0n, s = 0n] = [3, 2, 1].map((back) => integer(bytesAt(items, items.length - back, what)));
  const yParity = type === 0 ? (v + 1n) % 2n : v;
  if (type === 0 && v >= 35n) unsigned.push(minimalHex((v - 35n) / 2n), "0x", "0x");
  const payload = toRlp(mutable(unsigned));
  const message: Hex = type === 0 ? payload : `0x0${type}${payload.slice(2)}`;
  return await recoverAddress({
    hash: keccak256(message),
    signature: { r: word(r), s: word(s), yParity: Number(yParity) },
  });
}

function minimalHex(value: bigint): Hex {
  const digits = value.toString(16);
  return digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`;
}

function word(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

type MutableItem = Hex | MutableItem[];

/** viem's encoder takes mutable lists. */
function mutable(items: readonly RlpItem[]): MutableItem[] {
  return items.map((item) => (typeof item === "string" ? item : mutable(item)));
}
