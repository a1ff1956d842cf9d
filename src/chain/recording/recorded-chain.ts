import type { Address, Hex } from "viem";

import { lowerCase } from "../../base/hex.js";
import { keccak256, keccakBytes } from "../../base/keccak.js";
import { bytesToHex, hexToBytes, itemInteger, listStrings } from "../../base/rlp.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type { Anchor } from "../../request/task-result.js";
import { HEADER } from "../blocks.js";
import type { AccountState, ChainReader, Read, SlotRead, StarknetReader } from "../chain-reader.js";
import {
  ABSENT_ACCOUNT,
  accountCodeHash,
  decodeAccount,
  slotRead,
  slotWord,
  accountStorageRoot,
} from "../state-proof.js";
import { EMPTY_TRIE_ROOT, indexKey, trieValue } from "../trie.js";
import type {
  RecordedBlock,
  RecordedChainData,
  RecordedReference,
  RecordedStarknet,
  Recording,
} from "./recording.js";
import { parseRecording, starknetSlot, tampered } from "./recording.js";

interface VerifiedBlock {
  readonly data: RecordedBlock;
  readonly header: readonly Hex[];
  readonly slots: ReadonlyMap<Address, ReadonlySet<Hex>>;
  readonly indices: Readonly<Record<"transactions" | "receipts", ReadonlySet<number>>>;
  readonly states: Map<Address, AccountState>;
}

/** Serves one chain of a fixture, checked against its block hashes when it is opened and when it is read. */
class RecordedChain implements ChainReader {
  readonly #chain: ChainIdentifier;
  readonly #blocks: ReadonlyMap<bigint, VerifiedBlock>;
  /** Nodes by hash, which proves them. Tries share nodes, such as those of an account over many blocks. */
  readonly #nodes: ReadonlyMap<Hex, Uint8Array>;
  /** By code hash. */
  readonly #codes: ReadonlyMap<Hex, Hex>;

  /** @throws HdpError HDP-4603 with the first header that is not of its block's hash and parent. */
  public constructor({ chain, blocks, nodes, codes = [] }: RecordedChainData) {
    this.#chain = chain;
    this.#nodes = new Map(nodes.map(hexToBytes).map((node) => [keccak256(node), node]));
    this.#codes = new Map(
      ["0x" as const, ...codes].map((code) => [keccak256(hexToBytes(code)), code]),
    );
    const verified = new Map<bigint, VerifiedBlock>();
    for (const block of blocks) {
      if (verified.has(BigInt(block.number)))
        throw tampered(chain, block.number, "number", "the block is there twice");
      verified.set(BigInt(block.number), {
        data: block,
        header: verifiedHeader(chain, block),
        slots: new Map(block.accounts.map(({ address, slots }) => [address, new Set(slots)])),
        indices: { transactions: new Set(block.transactions), receipts: new Set(block.receipts) },
        states: new Map(),
      });
    }
    for (const [number, { header }] of verified) {
      const parent = verified.get(number - 1n);
      if (parent !== undefined && header[HEADER.parentHash] !== parent.data.hash) {
        throw tampered(
          chain,
          number,
          "header",
          `its parent is not the recorded block ${number - 1n}`,
        );
      }
    }
    this.#blocks = verified;
  }

  public async header(block: bigint): Promise<Read<readonly Hex[]>> {
    return { value: this.#block(block, "the header").header, proven: true };
  }

  public async account(block: bigint, address: Address): Promise<Read<AccountState>> {
    const key = lowerCase(address);
    const what = `account ${key}`;
    if (!this.#block(block, what).slots.has(key)) throw this.#missing(block, what);
    return { value: this.#account(block, key), proven: true };
  }

  public async storage(block: bigint, address: Address, slot: Hex): Promise<SlotRead> {
    const owner = lowerCase(address);
    const what = `slot ${slot} of ${owner}`;
    const slots = this.#block(block, what).slots.get(owner);
    if (slots?.has(lowerCase(slot)) !== true) throw this.#missing(block, what);
    const account = this.#account(block, owner);
    const root = accountStorageRoot(account.storageRoot);
    const key = keccakBytes(hexToBytes(slot));
    const rlp = this.#read(block, root, key, `accounts.${owner}.${slot}`);
    const value = rlp === undefined ? 0n : slotWord(block, what, hexToBytes(rlp));
    return slotRead(account, value);
  }

  public async code(block: bigint, address: Address): Promise<Read<Hex>> {
    const { value: account } = await this.account(block, address);
    const code = this.#codes.get(accountCodeHash(account));
    if (code === undefined) throw this.#missing(block, `the code of ${lowerCase(address)}`);
    return { value: code, proven: true };
  }

  /** Returns the latest recorded block: all rest on the word of the recording's author. */
  public async anchor(): Promise<Anchor | undefined> {
    const [latest] = [...this.#blocks].sort(([a], [b]) => Number(b - a));
    if (latest === undefined) return undefined;
    const [number, { data }] = latest;
    return await Promise.resolve({ kind: "recording", number, hash: data.hash });
  }

  public async transaction(block: bigint, index: number): Promise<Read<Hex>> {
    return this.#listed(block, index, "transactions");
  }

  public async receipt(block: bigint, index: number): Promise<Read<Hex>> {
    return this.#listed(block, index, "receipts");
  }

  #missing(block: bigint, subject: string): HdpError {
    return hdpError("HDP-4604", { subject, chain: this.#chain, block });
  }

  #block(block: bigint, what: string): VerifiedBlock {
    const found = this.#blocks.get(block);
    if (found === undefined) throw this.#missing(block, what);
    return found;
  }

  #requireCount(block: bigint, header: readonly Hex[], count: number): void {
    const root = header[HEADER.transactionsRoot] ?? "0x";
    const at = (index: number): Hex | undefined =>
      this.#read(block, root, indexKey(index), "transactionCount");
    const lastIsThere = count === 0 || at(count - 1) !== undefined;
    if (lastIsThere && at(count) === undefined) return;
    throw tampered(
      this.#chain,
      block,
      "transactionCount",
      `the block does not have ${count} transactions`,
    );
  }

  /** Reads all values that the fixture lists. @throws HdpError HDP-4603 with the first damaged one */
  public async readAll(): Promise<void> {
    for (const [block, { data, header }] of this.#blocks) {
      for (const { address, slots } of data.accounts) {
        await this.account(block, address);
        for (const slot of slots) await this.storage(block, address, slot);
      }
      if (data.transactionCount !== undefined)
        this.#requireCount(block, header, data.transactionCount);
      for (const index of data.transactions) await this.transaction(block, index);
      for (const index of data.receipts) await this.receipt(block, index);
    }
  }

  #account(block: bigint, address: Address): AccountState {
    const { header, states } = this.#block(block, `account ${address}`);
    const known = states.get(address);
    if (known !== undefined) return known;
    const key = keccakBytes(hexToBytes(address));
    const rlp = this.#read(block, header[HEADER.stateRoot] ?? "0x", key, `accounts.${address}`);
    const state =
      rlp === undefined ? ABSENT_ACCOUNT : decodeAccount(block, address, hexToBytes(rlp));
    states.set(address, state);
    return state;
  }

  #listed(block: bigint, index: number, field: "transactions" | "receipts"): Read<Hex> {
    const what = `${field.slice(0, -1)} ${index}`;
    const { indices, header } = this.#block(block, what);
    if (!indices[field].has(index)) throw this.#missing(block, what);
    const root = header[HEADER[`${field}Root`]] ?? "0x";
    const value = this.#read(block, root, indexKey(index), `${field}.${index}`);
    if (value !== undefined) return { value, proven: true };
    throw tampered(this.#chain, block, `${field}.${index}`, "the block has none of that index");
  }

  #read(block: bigint, root: Hex, key: Uint8Array, field: string): Hex | undefined {
    if (root === EMPTY_TRIE_ROOT) return undefined;
    try {
      const value = trieValue(hexToBytes(root), key, (hash) => this.#nodes.get(bytesToHex(hash)));
      return value && bytesToHex(value);
    } catch {
      throw tampered(
        this.#chain,
        block,
        field,
        `its proof does not lead to the root ${root} of the block's header`,
      );
    }
  }
}

function verifiedHeader(
  chain: ChainIdentifier,
  { number, hash, header }: RecordedBlock,
): readonly Hex[] {
  const computed = keccak256(hexToBytes(header));
  if (computed !== hash)
    throw tampered(chain, number, "header", `it hashes to ${computed}, not to ${hash}`);
  let items: readonly Hex[] = [];
  try {
    items = listStrings(hexToBytes(header)).map(bytesToHex);
  } catch {
    // Not a list of byte strings.
  }
  const own = items[HEADER.number];
  if (own === undefined) throw tampered(chain, number, "header", "it is not a block header");
  if (itemInteger(own) === BigInt(number)) return items;
  throw tampered(chain, number, "number", `the header is that of block ${itemInteger(own)}`);
}

/** A fixture whose contents match its block hashes. */
export interface OpenedRecording {
  /** The recorded tasks. Other tasks can be computed too if they read only the same data. */
  readonly taskHashes: readonly Hex[];
  readonly readers: ReadonlyMap<ChainIdentifier, ChainReader>;
  /** All chains of the fixture, including Starknet. */
  readonly chains: ReadonlySet<ChainIdentifier>;
  /** Returns the reader of a chain. Every read fails for a chain that is not in the fixture. */
  readonly readerOf: (chain: ChainIdentifier) => ChainReader;
  /** Returns the blocks of a chain that the recorded tasks name by place or date. */
  readonly referencesOf: (chain: ChainIdentifier) => readonly RecordedReference[];
  /** Returns the reader of a Starknet chain, whose values are the node's answers without proofs. */
  readonly starknetOf: (chain: ChainIdentifier) => StarknetReader;
}

/**
 * Verifies a fixture and serves it. Headers must hash to the pinned block hashes, recorded neighbours must be parent and
 * child, and accounts, slots, transactions and receipts must be proven by the headers' roots. It does not verify that
 * the pinned hashes are on the real chain: this depends on the author of the recording.
 * @throws HdpError HDP-4603 with block and field, HDP-6001 as `parseRecording`.
 */
export async function openRecording(recording: Recording): Promise<OpenedRecording> {
  const { taskHashes, chains, starknet = [] } = parseRecording(recording);
  const readers = new Map<ChainIdentifier, ChainReader>();
  for (const data of chains) {
    if (readers.has(data.chain)) {
      throw tampered(data.chain, data.blocks[0]?.number ?? 0, "chain", "the chain is there twice");
    }
    const chain = new RecordedChain(data);
    await chain.readAll();
    readers.set(data.chain, chain);
  }
  const nodes = new Map(starknet.map((data) => [data.chain, recordedStarknet(data)]));
  return {
    taskHashes,
    readers,
    chains: new Set([...readers.keys(), ...nodes.keys()]),
    readerOf: (chain) =>
      readers.get(chain) ?? new RecordedChain({ chain, nodeChainId: "0", blocks: [], nodes: [] }),
    referencesOf: (chain) => chains.find((one) => one.chain === chain)?.references ?? [],
    starknetOf: (chain) =>
      nodes.get(chain) ?? recordedStarknet({ chain, headers: [], storage: [] }),
  };
}

/** Returns a reader of one Starknet chain of a fixture. Reading a value that is not recorded is an error. */
function recordedStarknet({ chain, headers, storage }: RecordedStarknet): StarknetReader {
  const read = (found: { readonly value: string } | undefined, block: bigint, subject: string) => {
    if (found === undefined) throw hdpError("HDP-4604", { subject, chain, block });
    return { value: BigInt(found.value), proven: false };
  };
  return {
    header: async (block, field) => {
      const found = headers.find((one) => BigInt(one.block) === block && one.field === field);
      return await Promise.resolve(read(found, block, `the header field ${field}`));
    },
    storage: async (block, address, key) => {
      const wanted = starknetSlot(address, key);
      const found = storage.find((one) => {
        return (
          BigInt(one.block) === block && one.address === wanted.address && one.key === wanted.key
        );
      });
      return await Promise.resolve(read(found, block, `key ${wanted.key} of ${wanted.address}`));
    },
  };
}
