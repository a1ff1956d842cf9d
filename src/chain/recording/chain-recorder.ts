import type { Address, Hex } from "viem";

import { isRecord } from "../../base/collections.js";
import { formatFelt } from "../../base/felt.js";
import { lowerCase } from "../../base/hex.js";
import { keccak256, keccakBytes } from "../../base/keccak.js";
import { type BoundedProvider, boundedReads } from "../../base/node-reads.js";
import { bytesToHex, encodeRlp, hexToBytes, listStrings } from "../../base/rlp.js";
import type { Eip1193Provider } from "../../base/rpc.js";
import { type ChainIdentifier, identifyChain } from "../../request/chains.js";
import { HEADER } from "../blocks.js";
import type { AccountState, ChainReader, Read, SlotRead } from "../chain-reader.js";
import { asInteger, RpcClient, type RpcClientOptions } from "../node-rpc.js";
import { ProvenChainReader } from "../proven-chain-reader.js";
import { requireChain, type StarknetSource } from "../readers.js";
import { decodeAccount, accountStorageRoot } from "../state-proof.js";
import { EMPTY_TRIE_ROOT, indexKey, listTrie, trieValue } from "../trie.js";
import type {
  RecordedBlock,
  RecordedChainData,
  RecordedStarknet,
  StarknetReads,
} from "./recording.js";
import { isRecordedBytes, starknetSlot } from "./recording.js";

interface BlockReads {
  readonly header: Hex;
  readonly accounts: Map<Address, Set<Hex>>;
  readonly transactions: Set<number>;
  readonly receipts: Set<number>;
}

type ChainRecorderOptions = RpcClientOptions & {
  readonly chain: ChainIdentifier;
  readonly provider: Eip1193Provider;
};

/** Reads a chain as a proven reader does, and records what it read for a fixture. */
export class ChainRecorder implements ChainReader {
  readonly #options: ChainRecorderOptions;
  readonly #reader: ProvenChainReader;
  readonly #blocks = new Map<bigint, BlockReads>();
  /** Nodes of all proofs that the node gave, also of what was read ahead. */
  readonly #nodes = new Set<Hex>();
  readonly #codes = new Set<Hex>();

  public constructor(options: ChainRecorderOptions) {
    this.#options = options;
    const provider = keepingProofs(boundedReads(options.provider, options), this.#nodes);
    this.#reader = new ProvenChainReader(provider, { ...options, prove: "require" });
  }

  public get readAhead(): number {
    return this.#reader.readAhead;
  }

  /** Reads that are not recorded. This reader finds there what it reads later. */
  public get ahead(): ChainReader {
    return this.#reader.ahead;
  }

  public header(block: bigint): Promise<Read<readonly Hex[]>> {
    return this.#noting(block, this.#reader.header(block), () => undefined);
  }

  public account(block: bigint, address: Address): Promise<Read<AccountState>> {
    return this.#noting(block, this.#reader.account(block, address), (reads) =>
      recordedSlots(reads, address),
    );
  }

  public storage(block: bigint, address: Address, slot: Hex): Promise<SlotRead> {
    const reading = this.#reader.storage(block, address, slot);
    return this.#noting(block, reading, (reads) =>
      recordedSlots(reads, address).add(lowerCase(slot)),
    );
  }

  public code(block: bigint, address: Address): Promise<Read<Hex>> {
    return this.#noting(block, this.#reader.code(block, address), (reads, code) => {
      recordedSlots(reads, address);
      this.#codes.add(code.value);
    });
  }

  public transaction(block: bigint, index: number): Promise<Read<Hex>> {
    return this.#noting(block, this.#reader.transaction(block, index), ({ transactions }) =>
      transactions.add(index),
    );
  }

  public receipt(block: bigint, index: number): Promise<Read<Hex>> {
    return this.#noting(block, this.#reader.receipt(block, index), ({ receipts }) =>
      receipts.add(index),
    );
  }

  /** Returns all data read so far. Reads the bodies of blocks again, to build proofs of single transactions. */
  public async recorded(): Promise<RecordedChainData> {
    const nodeChainId = await this.#nodeChainId();
    const nodes = stateNodes(this.#blocks, this.#nodes);
    const blocks: RecordedBlock[] = [];
    for (const [number, reads] of [...this.#blocks].sort(([a], [b]) => Number(a - b))) {
      const body = await this.#body(number, reads);
      for (const node of body?.nodes ?? []) nodes.add(node);
      blocks.push({
        number: Number(number),
        hash: keccak256(hexToBytes(reads.header)),
        header: reads.header,
        accounts: [...reads.accounts]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([address, slots]) => ({ address, slots: [...slots].sort() })),
        ...(body === undefined ? {} : { transactionCount: body.count }),
        transactions: ascending(reads.transactions),
        receipts: ascending(reads.receipts),
      });
    }
    // Sorted, so that a new recording has few differences.
    const codes = this.#codes.size === 0 ? {} : { codes: [...this.#codes].sort() };
    return { chain: this.#options.chain, nodeChainId, blocks, nodes: [...nodes].sort(), ...codes };
  }

  /** @throws HdpError HDP-4605 if the node is of another known chain. */
  async #nodeChainId(): Promise<string> {
    const { chain, provider, ...options } = this.#options;
    const answer = await new RpcClient(provider, options).call("eth_chainId", []);
    const id = asInteger(answer, "eth_chainId", "result");
    requireChain(chain, id);
    return id.toString();
  }

  async #body(block: bigint, { transactions, receipts }: BlockReads) {
    if (transactions.size === 0 && receipts.size === 0) return undefined;
    const count = await this.#reader.transactionCount(block);
    const all = async (what: "transaction" | "receipt"): Promise<readonly Hex[]> =>
      await Promise.all(
        Array.from(
          { length: count },
          async (_, index) => (await this.#reader[what](block, index)).value,
        ),
      );
    // The presence of the last transaction and the absence of the next prove the count.
    const nodes = [...listProof(await all("transaction"), [...transactions, count - 1, count])];
    if (receipts.size > 0) nodes.push(...listProof(await all("receipt"), receipts));
    return { count, nodes };
  }

  /** Notes what was read of a block, once it is there. */
  async #noting<T>(
    block: bigint,
    reading: Promise<T>,
    note: (reads: BlockReads, read: T) => unknown,
  ): Promise<T> {
    const read = await reading;
    const { value: header } = await this.#reader.header(block);
    const reads = this.#blocks.get(block) ?? {
      header: encodeRlp(header),
      accounts: new Map(),
      transactions: new Set(),
      receipts: new Set(),
    };
    this.#blocks.set(block, reads);
    note(reads, read);
    return read;
  }
}

function recordedSlots({ accounts }: BlockReads, address: Address): Set<Hex> {
  const key: Address = lowerCase(address);
  const slots = accounts.get(key) ?? new Set();
  accounts.set(key, slots);
  return slots;
}

function keepingProofs(provider: BoundedProvider, nodes: Set<Hex>): BoundedProvider {
  return {
    readAhead: provider.readAhead,
    request: async (args) => {
      const answer = await provider.request(args);
      if (args.method === "eth_getProof") collectNodes(answer, nodes);
      return answer;
    },
  };
}

function collectNodes(answer: unknown, nodes: Set<Hex>): void {
  const { accountProof, storageProof } = isRecord(answer) ? answer : {};
  const slotProofs = [storageProof]
    .flat()
    .map((entry) => (isRecord(entry) ? entry["proof"] : undefined));
  for (const node of [accountProof, ...slotProofs].flat()) {
    const bytes = typeof node === "string" ? lowerCase(node) : undefined;
    if (isRecordedBytes(bytes)) nodes.add(bytes);
  }
}

/** Returns the nodes that prove the recorded accounts and slots, of those that a node gave. */
function stateNodes(blocks: ReadonlyMap<bigint, BlockReads>, given: ReadonlySet<Hex>): Set<Hex> {
  const known = new Map([...given].map((node) => [keccak256(hexToBytes(node)), node]));
  const met = new Set<Hex>();
  const valueAt = (root: Hex, key: Hex): Uint8Array | undefined => {
    if (root === EMPTY_TRIE_ROOT) return undefined;
    return trieValue(hexToBytes(root), keccakBytes(hexToBytes(key)), (hash) => {
      const node = known.get(bytesToHex(hash));
      if (node === undefined) return undefined;
      met.add(node);
      return hexToBytes(node);
    });
  };
  for (const [number, { header, accounts }] of blocks) {
    const stateRoot = bytesToHex(
      listStrings(hexToBytes(header))[HEADER.stateRoot] ?? new Uint8Array(),
    );
    for (const [address, slots] of accounts) {
      const account = valueAt(stateRoot, address);
      if (account === undefined) continue;
      const root = accountStorageRoot(decodeAccount(number, address, account).storageRoot);
      for (const slot of slots) valueAt(root, slot);
    }
  }
  return met;
}

function ascending(indices: ReadonlySet<number>): number[] {
  return [...indices].sort((a, b) => a - b);
}

/** Returns the nodes that prove elements of a list (a block's transactions or receipts), or their absence. */
function listProof(items: readonly Hex[], indices: Iterable<number>): readonly Hex[] {
  const { root, nodes } = listTrie(items);
  if (items.length === 0) return [];
  const met = new Set<Hex>();
  for (const index of indices) {
    trieValue(hexToBytes(root), indexKey(index), (hash) => {
      const key = bytesToHex(hash);
      met.add(key);
      return nodes.get(key);
    });
  }
  return [...nodes].filter(([hash]) => met.has(hash)).map(([, node]) => bytesToHex(node));
}

type Kept = { -readonly [K in "headers" | "storage"]: RecordedStarknet[K][number][] };

/** Records the values that modules read from Starknet. They are not proven, by the node or by the fixture. */
export class StarknetRecorder {
  readonly #chains = new Map<ChainIdentifier, Kept>();

  public readonly source: StarknetSource = async (chainId, node) => {
    const [chain, reader] = [identifyChain(chainId), await node()];
    if (chain === undefined || reader === undefined) return reader;
    const kept = this.#chains.get(chain) ?? { headers: [], storage: [] };
    this.#chains.set(chain, kept);
    return {
      ahead: reader.ahead,
      header: async (block, field) => {
        const read = await reader.header(block, field);
        kept.headers.push({ block: Number(block), field, value: formatFelt(read.value) });
        return read;
      },
      storage: async (block, address, key) => {
        const read = await reader.storage(block, address, key);
        kept.storage.push({
          block: Number(block),
          ...starknetSlot(address, key),
          value: formatFelt(read.value),
        });
        return read;
      },
    };
  };

  /** Returns all values read so far, each once and sorted; an empty object if no module read Starknet. */
  public recorded(): StarknetReads {
    const starknet = [...this.#chains].map(([chain, { headers, storage }]) => {
      return { chain, headers: sortedOnce(headers), storage: sortedOnce(storage) };
    });
    return starknet.length === 0
      ? {}
      : { starknet: starknet.sort((a, b) => (a.chain < b.chain ? -1 : 1)) };
  }
}

function sortedOnce<T extends { readonly block: number }>(reads: readonly T[]): T[] {
  const once = new Map(reads.map((read) => [JSON.stringify(read), read]));
  return [...once]
    .sort(([a, { block: first }], [b, { block: second }]) => first - second || (a < b ? -1 : 1))
    .map(([, read]) => read);
}
