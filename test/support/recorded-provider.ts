import { fromRlp, type Hex, keccak256, stringToHex } from "viem";
import { z } from "zod";

import type { Eip1193Provider } from "../../src/base/rpc.js";
import { receiptEnvelope, transactionEnvelope } from "../../src/chain/blocks.js";
import { type RpcObject, rpcObject } from "../../src/chain/node-rpc.js";
import { type ChainReader, ProvenChainReader } from "../../src/entries/local.js";

/** Layout of chain-data.json: raw consensus encodings by "block:…" keys. */
const recording = z.object({
  headers: z.record(z.string()),
  accounts: z.record(z.string()),
  storages: z.record(z.string()),
  txs: z.record(z.string()),
  receipts: z.record(z.string()),
});

type Rlp = string | readonly Rlp[];
type Json = Record<string, unknown>;

const HEADER = [
  "parentHash", "sha3Uncles", "miner", "stateRoot", "transactionsRoot", "receiptsRoot", "logsBloom", "*difficulty",
  "*number", "*gasLimit", "*gasUsed", "*timestamp", "extraData", "mixHash", "nonce", "*baseFeePerGas",
  "withdrawalsRoot", "*blobGasUsed", "*excessBlobGas", "parentBeaconBlockRoot", "requestsHash",
]; // prettier-ignore
const CALL = ["*gas", "to", "*value", "input"];
const SIGNATURE = ["*v", "*r", "*s"];
const FEE_MARKET = [
  "*chainId",
  "*nonce",
  "*maxPriorityFeePerGas",
  "*maxFeePerGas",
  ...CALL,
  "accessList",
];
const TRANSACTION = [
  ["*nonce", "*gasPrice", ...CALL, ...SIGNATURE],
  ["*chainId", "*nonce", "*gasPrice", ...CALL, "accessList", ...SIGNATURE],
  [...FEE_MARKET, ...SIGNATURE],
  [...FEE_MARKET, "*maxFeePerBlobGas", "blobVersionedHashes", ...SIGNATURE],
];
const RECEIPT = ["*status", "*cumulativeGasUsed", "logsBloom", "logs"];

/**
 * A node that answers from recorded consensus data: every header, but only some transactions of a block, no proofs.
 * What it does not have it refuses as an unsupported method.
 */
export function recordedProvider(json: unknown): Eip1193Provider {
  const { headers, accounts, storages, txs, receipts } = recording.parse(json);
  const receiptKeys = new Map(
    Object.keys(receipts).map((key) => [transactionHash(txs[key], key), key]),
  );
  const head = Math.max(...Object.keys(headers).map(Number)).toString();
  const answers: Record<string, ((...params: string[]) => unknown) | undefined> = {
    eth_getBlockByNumber: (block, withTransactions) => {
      if (withTransactions === "true") throw unsupported("whole blocks");
      const rlp = headers[block === "latest" ? head : number(block)];
      return rlp === undefined ? null : { ...named(HEADER, list(rlp)), hash: keccak256(hex(rlp)) };
    },
    eth_blockNumber: () => quantity(BigInt(head)),
    eth_getTransactionCount: (address, block) => quantity(account(address, block)[0]),
    eth_getBalance: (address, block) => quantity(account(address, block)[1]),
    eth_getStorageAt: (address, slot, block) =>
      found(storages, `${number(block)}:${low(address)}:${low(slot)}`),
    eth_getTransactionByBlockNumberAndIndex: (block, index) => {
      const key = `${number(block)}:${number(index)}`;
      const envelope = txs[key];
      if (envelope === undefined)
        return key in receipts ? { hash: transactionHash(undefined, key) } : null;
      return {
        ...named(TRANSACTION[type(envelope)] ?? [], payload(envelope)),
        ...typed(envelope),
        hash: transactionHash(envelope, key),
      };
    },
    eth_getTransactionReceipt: (hash) => {
      const envelope = found(receipts, receiptKeys.get(hex(hash)) ?? "");
      return { ...named(RECEIPT, payload(envelope)), ...typed(envelope) };
    },
  };

  function account(address: string | undefined, block: string | undefined): readonly Rlp[] {
    return list(found(accounts, `${number(block)}:${low(address)}`));
  }

  return {
    request: ({ method, params }) => {
      const answer = answers[method];
      if (answer === undefined) return Promise.reject(unsupported(method));
      try {
        return Promise.resolve(answer(...(params ?? []).map(String)));
      } catch (error) {
        return Promise.reject(error instanceof Error ? error : new Error(String(error)));
      }
    },
  };
}

/** Reads the recording. Its transactions are a part of their blocks, and so without a proof. */
export function recordedReader(json: unknown): ChainReader {
  const provider = recordedProvider(json);
  const reader = new ProvenChainReader(provider);
  const read = async (method: string, ...params: readonly unknown[]): Promise<RpcObject> =>
    rpcObject(await provider.request({ method, params }), method);
  const transaction = async (block: bigint, index: number): Promise<RpcObject> =>
    await read("eth_getTransactionByBlockNumberAndIndex", quantity(block), quantity(BigInt(index)));
  return {
    header: (block) => reader.header(block),
    account: (block, address) => reader.account(block, address),
    storage: (block, address, slot) => reader.storage(block, address, slot),
    transaction: async (block, index) => {
      return { value: transactionEnvelope(await transaction(block, index)), proven: false };
    },
    receipt: async (block, index) => {
      const { hash } = (await transaction(block, index)).fields;
      return {
        value: receiptEnvelope(await read("eth_getTransactionReceipt", hash)),
        proven: false,
      };
    },
  };
}

function unsupported(what: string): Error {
  return Object.assign(new Error(`${what} not supported by the recording`), { code: -32601 });
}

function found(from: Record<string, string>, key: string): string {
  const value = from[key];
  if (value === undefined) throw new Error(`not recorded: ${key}`);
  return value;
}

/** Names in RLP order; a star marks an integer, which JSON-RPC spells without leading zeros. */
function named(names: readonly string[], items: readonly Rlp[]): Json {
  return Object.fromEntries(
    items.map((item, position): [string, unknown] => {
      const name = names[position] ?? `item${position}`;
      if (name.startsWith("*")) return [name.slice(1), quantity(item)];
      if (name === "to") return [name, item === "0x" ? null : item];
      if (name === "accessList")
        return [name, lists(item).map(([address, storageKeys]) => ({ address, storageKeys }))];
      if (name === "logs")
        return [name, lists(item).map(([address, topics, data]) => ({ address, topics, data }))];
      return [name, item];
    }),
  );
}

function lists(item: Rlp): readonly (readonly Rlp[])[] {
  return typeof item === "string"
    ? []
    : item.map((entry) => (typeof entry === "string" ? [] : entry));
}

function quantity(item: Rlp | bigint | undefined): string {
  if (typeof item === "bigint") return `0x${item.toString(16)}`;
  if (typeof item !== "string") throw new Error("not an integer");
  return item === "0x" ? "0x0" : `0x${BigInt(item).toString(16)}`;
}

function type(envelope: string): number {
  const first = Number.parseInt(envelope.slice(2, 4), 16);
  return first >= 0xc0 ? 0 : first;
}

function typed(envelope: string): Json {
  return { type: `0x${type(envelope).toString(16)}` };
}

function payload(envelope: string): readonly Rlp[] {
  return list(type(envelope) === 0 ? envelope : `0x${envelope.slice(4)}`);
}

function transactionHash(envelope: string | undefined, key: string): Hex {
  return keccak256(envelope === undefined ? stringToHex(key) : hex(envelope));
}

function list(rlp: string): readonly Rlp[] {
  const decoded = fromRlp(hex(rlp), "hex");
  if (typeof decoded === "string") throw new Error("not an RLP list");
  return decoded;
}

function hex(text: string): Hex {
  return `0x${text.slice(2)}`;
}

function low(text: string | undefined): string {
  return (text ?? "").toLowerCase();
}

function number(text: string | undefined): string {
  return BigInt(text ?? "0x0").toString();
}
