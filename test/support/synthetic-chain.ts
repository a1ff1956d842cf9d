import { concatHex, type Hex, keccak256, numberToHex, stringToHex } from "viem";

import { encodeRlp, integerItem, type RlpItem } from "../../src/base/rlp.js";
import { noSuchBlock } from "../../src/chain/verified-reads.js";
import type { ChainReader } from "../../src/entries/local.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import { FIELDS, type FieldType, LATER_HEADER_FIELDS } from "../../src/request/fields.js";
import { TRANSACTION_LISTS } from "../../src/request/rlp-lists.js";

/** What blocks have in a time of the chain. */
export interface Era {
  readonly name: string;
  /** Length of a header's RLP list. */
  readonly headerItems: number;
  /** EIP-2718 types of its transactions; 0x7e is a deposit of Optimism. */
  readonly types: readonly number[];
  /** Receipts have a state root in the place of their success. */
  readonly stateRoots?: boolean;
}

export const ERAS: readonly Era[] = [
  { name: "Frontier", headerItems: 15, types: [0], stateRoots: true },
  { name: "Byzantium", headerItems: 15, types: [0] },
  { name: "Berlin", headerItems: 15, types: [0, 1] },
  { name: "London", headerItems: 16, types: [0, 1, 2] },
  { name: "Shanghai", headerItems: 17, types: [0, 1, 2] },
  { name: "Cancun", headerItems: 20, types: [0, 1, 2, 3] },
  { name: "Prague", headerItems: 21, types: [0, 1, 2, 3, 4] },
  { name: "Optimism", headerItems: 20, types: [0, 1, 2, 0x7e] },
];

const HEADER_TYPES: readonly FieldType[] = [
  ...Object.values(FIELDS.header),
  ...Object.values(LATER_HEADER_FIELDS),
].map(({ type }) => type);
const MOST_TRANSACTIONS = 9;
const DEPOSIT = ["source_hash", "from", "to", "mint", "value", "gas", "is_system", "data"];

/**
 * A chain without a node: everything in it follows from a seed, at every block up to 2^64. One block in 200 is
 * missing, and a tenth of its accounts is empty.
 */
export function syntheticChain(seed: string, era: Era): Required<Pick<ChainReader, Reads>> {
  const random = (...place: readonly unknown[]): bigint =>
    BigInt(keccak256(stringToHex([seed, ...place].join(" "))));
  const upTo = (most: number, ...place: readonly unknown[]): number =>
    Number(random("choice", ...place) % BigInt(most));
  /** A number of up to `bits` bits, often a short one, sometimes 0 or the largest. */
  const integer = (bits: number, ...place: readonly unknown[]): bigint => {
    const length = upTo(bits + 1, "bits", ...place);
    if (upTo(20, "largest", ...place) === 0) return 2n ** BigInt(bits) - 1n;
    return BigInt.asUintN(length, random("number", ...place));
  };
  const item = (type: FieldType, ...place: readonly unknown[]): Hex => {
    const word = numberToHex(random("bytes", ...place), { size: 32 });
    if (type === "integer")
      return integerItem(integer(upTo(2, ...place) === 0 ? 64 : 256, ...place));
    if (type === "bytes32") return word;
    if (type === "bytes256") return concatHex(new Array<Hex>(8).fill(word));
    if (type === "address") return `0x${word.slice(2, 42)}`;
    return `0x${word.slice(2, 18)}`;
  };
  const requireBlock = (block: bigint): void => {
    if (upTo(200, "missing", block) === 0) throw noSuchBlock(block, block - 1n);
  };
  const typeAt = (block: bigint, index: number): number => {
    const count = upTo(MOST_TRANSACTIONS, "count", block);
    if (index >= count) {
      throw hdpError("HDP-4301", { block, index, transactions: String(count), count });
    }
    return era.types[upTo(era.types.length, "type", block, index)] ?? 0;
  };
  const enveloped = (type: number, items: readonly RlpItem[]): Hex =>
    type === 0 ? encodeRlp(items) : concatHex([numberToHex(type, { size: 1 }), encodeRlp(items)]);
  const transactionItem = (name: string, place: readonly unknown[]): RlpItem => {
    if (name === "to") return upTo(5, ...place) === 0 ? "0x" : item("address", ...place);
    if (name === "input") return item("bytes", ...place);
    if (/list|hashes/.test(name)) return [];
    // Legacy transactions with and without EIP-155.
    if (name === "v") return integerItem([27n, 28n, 37n, 22310257n][upTo(4, ...place)] ?? 0n);
    return item("integer", ...place);
  };
  const proven = true;
  return {
    header: async (block) => {
      requireBlock(block);
      const types = HEADER_TYPES.slice(0, era.headerItems);
      return { value: types.map((type, at) => item(type, "header", block, at)), proven };
    },
    account: async (block, address) => {
      requireBlock(block);
      const place = ["account", block, address] as const;
      const isEmpty = upTo(10, ...place) === 0;
      const zeros = numberToHex(0n, { size: 32 });
      const value = {
        nonce: isEmpty ? 0n : integer(64, "nonce", ...place),
        balance: isEmpty ? 0n : integer(256, "balance", ...place),
        storageRoot: isEmpty ? zeros : item("bytes32", "root", ...place),
        codeHash: isEmpty ? zeros : item("bytes32", "code", ...place),
      };
      return { value, proven };
    },
    storage: async (block, address, slot) => {
      requireBlock(block);
      return { value: integer(256, "slot", block, address, slot), proven };
    },
    transaction: async (block, index) => {
      requireBlock(block);
      const type = typeAt(block, index);
      const names: readonly string[] = TRANSACTION_LISTS[type] ?? DEPOSIT;
      const items = names.map((name) => transactionItem(name, ["tx", block, index, name]));
      return { value: enveloped(type, items), proven };
    },
    receipt: async (block, index) => {
      requireBlock(block);
      const type = typeAt(block, index);
      const place = ["receipt", block, index] as const;
      const success = integerItem(BigInt(upTo(2, ...place)));
      const status = era.stateRoots === true ? item("bytes32", ...place) : success;
      const gas = integerItem(integer(64, "gas", ...place));
      return { value: enveloped(type, [status, gas, item("bytes256", ...place), []]), proven };
    },
  };
}

type Reads = "header" | "account" | "storage" | "transaction" | "receipt";
