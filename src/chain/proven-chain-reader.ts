import type { Address, Hex } from "viem";

import { BoundedCache } from "../base/bounded-cache.js";
import { HdpError } from "../base/errors.js";
import { DEFAULT_CONCURRENCY, Limiter } from "../base/limiter.js";
import { callsAtOnce, type Eip1193Provider, RpcClient, UnsupportedReadError } from "../base/rpc.js";
import { BlockBodyReader } from "./block-body-reader.js";
import { headerItems, provenHeader } from "./block-header.js";
import type { AccountState, ChainReader, ProveMode, Read } from "./chain-reader.js";
import { cannotProve } from "./mismatch.js";
import { asData, asInteger, bigIntOf, type RpcObject, rpcObject } from "./rpc-json.js";
import { verifyAccount, verifyCode, verifySlot } from "./state-proof.js";

export interface ProvenChainReaderOptions {
  /** Default "when-possible". */
  readonly prove?: ProveMode | undefined;
  /** Calls in flight at once, default 16. Ignored when `limiter` is given. */
  readonly concurrency?: number | undefined;
  /** Shares the bound with other readers. */
  readonly limiter?: Limiter | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Position of stateRoot in the header's RLP list. */
const STATE_ROOT = 3;
/** Headers are about 2 kB each; a window of them serves tasks that walk the same range together. */
const CACHED_HEADERS = 2048;
const CACHED_ACCOUNTS = 2048;
const CACHED_SLOTS = 4096;

/**
 * Reads a chain through an EIP-1193 provider and checks what it reads: headers against the block hash, accounts and
 * slots against the state root, transactions and receipts against their roots. Keeps a bounded window of what it read:
 * make one for a run, not for a process.
 */
export class ProvenChainReader implements ChainReader {
  public readonly readAhead: number | undefined;
  readonly #rpc: RpcClient;
  readonly #prove: ProveMode;
  readonly #bodies: BlockBodyReader;
  readonly #headers = new BoundedCache<bigint, Read<readonly Hex[]>>(CACHED_HEADERS);
  readonly #accounts = new BoundedCache<string, Read<AccountState>>(CACHED_ACCOUNTS);
  readonly #slots = new BoundedCache<string, Read<bigint>>(CACHED_SLOTS);

  public constructor(provider: Eip1193Provider, options: ProvenChainReaderOptions = {}) {
    const limiter = options.limiter ?? new Limiter(options.concurrency ?? DEFAULT_CONCURRENCY);
    this.readAhead = callsAtOnce(provider);
    this.#rpc = new RpcClient(provider, { limiter, signal: options.signal });
    this.#prove = options.prove ?? "when-possible";
    this.#bodies = new BlockBodyReader(this.#rpc, this.#prove, (block, withTransactions) =>
      this.#readBlock(block, withTransactions),
    );
  }

  public header(block: bigint): Promise<Read<readonly Hex[]>> {
    return this.#headers.get(block, async () => this.#checkedHeader(block, await this.#readBlock(block, false)));
  }

  public account(block: bigint, address: Address): Promise<Read<AccountState>> {
    return this.#accounts.get(`${block}:${address}`, async () => {
      const [header, proof] = await Promise.all([this.header(block), this.#proof(block, address, [])]);
      if (proof === undefined) return { value: await this.#plainAccount(block, address), proven: false };
      return { value: verifyAccount(block, item(header, STATE_ROOT), address, proof), proven: true };
    });
  }

  public storage(block: bigint, address: Address, slot: Hex): Promise<Read<bigint>> {
    return this.#slots.get(`${block}:${address}:${slot}`, () => this.#readSlot(block, address, slot));
  }

  async #readSlot(block: bigint, address: Address, slot: Hex): Promise<Read<bigint>> {
    const [header, proof] = await Promise.all([this.header(block), this.#proof(block, address, [slot])]);
    if (proof === undefined) {
      const word = await this.#rpc.call("eth_getStorageAt", [address, slot, quantity(block)]);
      return { value: BigInt(asData(word, `block ${block}`, `storage of ${address}`, 32)), proven: false };
    }
    const account = verifyAccount(block, item(header, STATE_ROOT), address, proof);
    return { value: verifySlot(block, account, address, slot, proof), proven: true };
  }

  public async code(block: bigint, address: Address): Promise<Read<Hex>> {
    const [{ value: account, proven }, answer] = await Promise.all([
      this.account(block, address),
      this.#rpc.call("eth_getCode", [address, quantity(block)]),
    ]);
    const code = asData(answer, `block ${block}`, `code of ${address}`);
    if (proven) verifyCode(block, address, account, code);
    return { value: code, proven };
  }

  public transaction(block: bigint, index: number): Promise<Read<Hex>> {
    return this.#bodies.transaction(block, index);
  }

  public receipt(block: bigint, index: number): Promise<Read<Hex>> {
    return this.#bodies.receipt(block, index);
  }

  public transactionCount(block: bigint): Promise<number> {
    return this.#bodies.transactionCount(block);
  }

  async #readBlock(block: bigint, withTransactions: boolean): Promise<RpcObject> {
    const answer = await this.#rpc.call("eth_getBlockByNumber", [quantity(block), withTransactions]);
    if (answer === null || answer === undefined) throw await this.#noSuchBlock(block);
    return rpcObject(answer, `block ${block}`);
  }

  #checkedHeader(block: bigint, json: RpcObject): Read<readonly Hex[]> {
    if (this.#prove === "never") return { value: headerItems(json), proven: false };
    return { value: provenHeader(block, json), proven: true };
  }

  /** `undefined` where values are to be read without a proof. */
  async #proof(block: bigint, address: Address, slots: readonly Hex[]): Promise<RpcObject | undefined> {
    if (this.#prove === "never") return undefined;
    try {
      const answer = await this.#rpc.call("eth_getProof", [address, slots, quantity(block)]);
      return rpcObject(answer, `account ${address} in block ${block}`);
    } catch (error) {
      if (!(error instanceof UnsupportedReadError)) throw error;
      if (this.#prove === "require") throw cannotProve(block, `account ${address}`, error.message, error);
      return undefined;
    }
  }

  async #plainAccount(block: bigint, address: Address): Promise<AccountState> {
    const at = [address, quantity(block)];
    const [nonce, balance] = await Promise.all([
      this.#rpc.call("eth_getTransactionCount", at),
      this.#rpc.call("eth_getBalance", at),
    ]);
    const what = `account ${address} in block ${block}`;
    // Only eth_getProof tells the two hashes: asking for one of them is the error, not reading the rest.
    const untold = (field: string): Error =>
      cannotProve(block, `${field} of ${address}`, "only an answer to eth_getProof holds it");
    return {
      nonce: asInteger(nonce, what, "nonce"),
      balance: asInteger(balance, what, "balance"),
      get storageRoot(): Hex {
        throw untold("storage_root");
      },
      get codeHash(): Hex {
        throw untold("code_hash");
      },
    };
  }

  async #noSuchBlock(block: bigint): Promise<HdpError> {
    const latest = bigIntOf(
      rpcObject({ number: await this.#rpc.call("eth_blockNumber", []) }, "eth_blockNumber"),
      "number",
    );
    return new HdpError({
      code: "HDP-4101",
      message: `block ${block} does not exist, the chain's latest block is ${latest}`,
      hints: ["Lower the range's end, or wait for the block. On a simulated network: mine it first."],
    });
  }
}

function quantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

function item(header: Read<readonly Hex[]>, position: number): Hex {
  return header.value[position] ?? "0x";
}
