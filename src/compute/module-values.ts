import type { Hex } from "viem";
import { keccak256, recoverAddress } from "viem/utils";

import { toWord } from "../base/hex.js";
import { encodeRlp, integerItem, itemInteger, type RlpItem } from "../base/rlp.js";
import { describeRead, type ModuleRead, type ModuleValue } from "../cairo/module-read.js";
import { inconsistent } from "../cairo/words.js";
import { envelopeItems, parseEnvelopeType } from "../chain/blocks.js";
import type { ChainReader, Read, StarknetReader } from "../chain/chain-reader.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { identifyChain } from "../request/chains.js";
import { camelCase } from "../request/fields.js";
import { STARKNET_HEADER_FIELDS } from "../request/starknet-fields.js";
import { HEADER_LIST, TRANSACTION_LISTS } from "../request/rlp-lists.js";

function openEnvelope(
  raw: Hex,
  what: string,
): { readonly type: number; readonly items: readonly RlpItem[] } {
  const type = parseEnvelopeType(raw);
  if (type > 4) {
    throw notReturned(what, `has type ${type}, of which 0 to 4 are decoded`);
  }
  return { type, items: envelopeItems(raw) };
}

/** Returns the bytes at an index of a list. Throws an error with the field's name for a list or a missing item. */
function bytesAt(items: readonly RlpItem[], index: number | undefined, what: string): Hex {
  const item = index === undefined ? undefined : items[index];
  if (typeof item === "string") return item;
  throw item === undefined ? notReturned(what, "does not exist") : notReturned(what, "is a list");
}

/** Returns the error of a field that the data processor does not return either. */
function notReturned(what: string, reason: string): HdpError {
  return hdpError("HDP-7112", { what, reason });
}

/** Returns bytes as whole 32-byte words. */
function words(bytes: Hex, what: string): readonly bigint[] {
  if ((bytes.length - 2) % 64 !== 0) {
    const length = (bytes.length - 2) / 2;
    throw notReturned(what, `has ${length} bytes, which are not whole words of 32`);
  }
  return (bytes.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
}

const RECEIPT_ITEMS = ["status", "cumulativeGasUsed", "logsBloom", "logs"];
const LOGS = RECEIPT_ITEMS.indexOf("logs");

/** Returns a field of a receipt's log: address, topic0 … topic4, or data in words. */
function logField(
  raw: Hex,
  logIndex: number,
  field: string,
  what: string,
): bigint | readonly bigint[] {
  const log = listAt(listAt(openEnvelope(raw, what).items, LOGS), logIndex);
  if (field === "address") return itemInteger(bytesAt(log, 0, what));
  if (field === "data") return words(bytesAt(log, 2, what), what);
  return itemInteger(bytesAt(listAt(log, 1), Number(field.slice("topic".length)), what));
}

/** Returns a nested list, empty if it is missing, so that reads of its items fail with the field's name. */
function listAt(items: readonly RlpItem[], index: number): readonly RlpItem[] {
  const item = items[index];
  return item === undefined || typeof item === "string" ? [] : item;
}

/** Field names of a header's RLP list. */
const HEADER_ITEMS = HEADER_LIST.map(camelCase);

/** Field names of the RLP list by transaction type. */
const TRANSACTION_ITEMS = TRANSACTION_LISTS.map((names) => names.map(camelCase));

/** Returns a transaction's field by name, from the hashed form. A missing recipient is 0. */
async function transactionField(raw: Hex, field: string, what: string): Promise<bigint> {
  const { type, items } = openEnvelope(raw, what);
  if (field === "type") return BigInt(type);
  if (field === "hash") return BigInt(keccak256(raw));
  if (field === "sender") return BigInt(await sender(type, items, what));
  if (field === "input") throw notReturned(what, "is of any length");
  const index = TRANSACTION_ITEMS[type]?.indexOf(field) ?? -1;
  return itemInteger(bytesAt(items, index < 0 ? undefined : index, what));
}

/** Returns whether a transaction has no receiver. */
function isCreation(raw: Hex, what: string): boolean {
  const { type, items } = openEnvelope(raw, what);
  return items[TRANSACTION_ITEMS[type]?.indexOf("to") ?? -1] === "0x";
}

/** Recovers the signer. The signed hash covers the list without its signature (EIP-155 appends the chain id). */
async function sender(type: number, items: readonly RlpItem[], what: string): Promise<Hex> {
  const unsigned = items.slice(0, -3);
  const [v = 0n, r = 0n, s = 0n] = [3, 2, 1].map((back) =>
    itemInteger(bytesAt(items, items.length - back, what)),
  );
  const yParity = type === 0 ? (v + 1n) % 2n : v;
  if (type === 0 && v >= 35n) unsigned.push(integerItem((v - 35n) / 2n), "0x", "0x");
  const payload = encodeRlp(unsigned);
  const message: Hex = type === 0 ? payload : `0x0${type}${payload.slice(2)}`;
  const signature = { r: toWord(r), s: toWord(s), yParity: Number(yParity) };
  return await recoverAddress({ hash: keccak256(message), signature });
}

const ACCOUNT_FIELDS = ["nonce", "balance", "storageRoot", "codeHash"] as const;

type Configured<T> = T | undefined | Promise<T | undefined>;

/** Readers by chain; undefined or an error for a chain that is not configured. */
export interface ChainReaders {
  readonly reader: (chainId: bigint) => Configured<ChainReader>;
  readonly starknetReader?: ((chainId: bigint) => Configured<StarknetReader>) | undefined;
}

/** Returns readers that open each chain once. */
export function openedOnce({ reader, starknetReader }: ChainReaders): ChainReaders {
  return {
    reader: onceByChain(reader),
    starknetReader: starknetReader && onceByChain(starknetReader),
  };
}

function onceByChain<T>(open: (chainId: bigint) => T): (chainId: bigint) => T {
  const opened = new Map<bigint, { readonly reader: T }>();
  return (chainId) => {
    const known = opened.get(chainId) ?? { reader: open(chainId) };
    opened.set(chainId, known);
    return known.reader;
  };
}

/** Returns the readers that leave no trace, of the chains that have one. */
export function readersAhead({ reader, starknetReader }: ChainReaders): ChainReaders {
  return {
    reader: async (chainId) => (await reader(chainId))?.ahead,
    starknetReader: async (chainId) => (await starknetReader?.(chainId))?.ahead,
  };
}

/** Returns the reader of the chain that a read is of; undefined if it is not configured. */
export async function findReader(
  readers: ChainReaders,
  { kind, chainId }: ModuleRead,
): Promise<ChainReader | StarknetReader | undefined> {
  return kind === "starknetHeader" || kind === "starknetStorage"
    ? await readers.starknetReader?.(chainId)
    : await readers.reader(chainId);
}

/** A value that a chain's reader has. */
export interface ChainValue extends Read<ModuleValue> {
  /** Whether the value is 0 since there is none: the receiver of a transaction that creates a contract. */
  readonly isMissing?: boolean;
}

/** Returns the answer to a module's read from chain readers: a field of the proven form. */
export async function readChainValue(readers: ChainReaders, read: ModuleRead): Promise<ChainValue> {
  if (read.kind === "starknetHeader" || read.kind === "starknetStorage") {
    const reader = await readers.starknetReader?.(read.chainId);
    if (reader === undefined) throw notConfigured(read);
    return read.kind === "starknetStorage"
      ? await reader.storage(read.block, read.address, read.slot)
      : await reader.header(
          read.block,
          requireField(STARKNET_HEADER_FIELDS, read.field, "a Starknet header"),
        );
  }
  const reader = await readers.reader(read.chainId);
  if (reader === undefined) throw notConfigured(read);
  if (read.kind === "storage") return await reader.storage(read.block, read.address, read.slot);
  const what = describeRead(read);
  switch (read.kind) {
    case "header": {
      const { value, proven } = await reader.header(read.block);
      const bytes = bytesAt(value, HEADER_ITEMS.indexOf(read.field), what);
      if (read.field === "logsBloom") return { value: words(bytes, what), proven };
      if (read.field === "extraData") throw notReturned(what, "is of any length");
      return { value: itemInteger(bytes), proven };
    }
    case "account": {
      const { value, proven } = await reader.account(read.block, read.address);
      return {
        value: BigInt(value[requireField(ACCOUNT_FIELDS, read.field, "an account")]),
        proven,
      };
    }
    case "transaction": {
      const { value, proven } = await reader.transaction(read.block, read.index);
      return {
        value: await transactionField(value, read.field, what),
        proven,
        isMissing: read.field === "to" && isCreation(value, what),
      };
    }
    case "receipt": {
      const { value, proven } = await reader.receipt(read.block, read.index);
      const bytes = bytesAt(
        openEnvelope(value, what).items,
        RECEIPT_ITEMS.indexOf(read.field),
        what,
      );
      return {
        value: read.field === "logsBloom" ? words(bytes, what) : itemInteger(bytes),
        proven,
      };
    }
    case "bytecode":
      if (reader.code === undefined)
        throw notReturned(what, "is not offered by this reader of the chain");
      return await reader.code(read.block, read.address);
    case "log": {
      const { value, proven } = await reader.receipt(read.block, read.index);
      return { value: logField(value, read.logIndex, read.field, what), proven };
    }
  }
}

function requireField<F extends string>(fields: readonly F[], name: string, what: string): F {
  const field = fields.find((known) => known === name);
  if (field === undefined) throw inconsistent(`${what} has no ${name}`);
  return field;
}

function notConfigured(read: ModuleRead): HdpError {
  const node = read.kind.startsWith("starknet") ? "Starknet RPC" : "node";
  const where = `, and the module reads ${describeRead(read)}`;
  if (identifyChain(read.chainId) === undefined) {
    const hint = `The data processor has no chain ${read.chainId}. On a development chain give the module the id of one that it has: 11155111.`;
    return hdpError("HDP-2004", { what: node, where, example: undefined }, { hints: [hint] });
  }
  const example = 'hdp: { sources: { <chain>: "<network>" } }';
  return hdpError("HDP-2004", { what: node, where, example });
}
