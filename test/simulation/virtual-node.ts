import { type Hex, keccak256, toHex } from "viem";

import type { Eip1193Provider, RpcCall } from "../../src/base/rpc.js";
import type { Scheduler } from "./scheduler.js";

/** What becomes of a transaction that a node has taken. */
export const TRANSACTION_FATES = [
  "is mined",
  "is mined late",
  "is dropped",
  "is replaced by the same at a higher price",
  "has its nonce taken by another process",
  "is reorganised and mined again",
  "is reorganised and gone",
] as const;
export type TransactionFate = (typeof TRANSACTION_FATES)[number];

/** What befalls the node at one of its calls: before it acts on it, or after it, before it answers. */
export const NODE_FATES = [
  "fails before",
  "fails after",
  "restarts with its chain",
  "restarts without its chain",
] as const;
export type NodeFate = (typeof NODE_FATES)[number];

const BLOCK_TIME = 1_000;
/** Milliseconds in which a restarting node refuses connections. */
const RESTARTING = 3_000;

interface Transaction {
  readonly hash: Hex;
  readonly data: Hex;
  block: number | undefined;
}

/** A node with a mempool, of which one transaction and one call have a fate. */
export class VirtualNode {
  /** Transactions that it was asked to send. */
  public sent = 0;
  /** Data of every transaction that is in a block now. */
  public readonly mined: Hex[] = [];
  readonly #transactions: Transaction[] = [];
  #calls = 0;
  #block = 1;
  #isDownUntil = 0;

  public constructor(
    private readonly options: {
      readonly scheduler: Scheduler;
      readonly transaction: TransactionFate;
      readonly node?: { readonly call: number; readonly fate: NodeFate } | undefined;
    },
  ) {}

  public get calls(): number {
    return this.#calls;
  }

  public readonly provider: Eip1193Provider = {
    request: async (call) => {
      await this.#passes(20);
      const answer = this.#answer(call);
      await this.#passes(20);
      return answer();
    },
  };

  async #passes(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.options.scheduler.after(ms, resolve));
  }

  #answer(call: RpcCall): () => unknown {
    const { scheduler, node } = this.options;
    this.#calls += 1;
    scheduler.note(`node hears call ${this.#calls} ${call.method}`);
    const broken = (): never => {
      throw new Error("socket hang up");
    };
    if (scheduler.now < this.#isDownUntil) return broken;
    const fate = node?.call === this.#calls ? node.fate : undefined;
    if (fate === "fails before") return broken;
    const result = this.#act(call);
    if (fate === "fails after") return broken;
    if (fate === undefined) return () => result;
    this.#isDownUntil = scheduler.now + RESTARTING;
    // The mempool of a node is in memory.
    const pending = this.#transactions.filter(({ block }) => block === undefined);
    const lost = fate === "restarts with its chain" ? pending : [...this.#transactions];
    for (const one of lost) this.#forget(one);
    return broken;
  }

  #act({ method, params = [] }: RpcCall): unknown {
    if (method === "eth_accounts") return [`0x${"11".repeat(20)}`];
    if (method === "eth_sendTransaction") return this.#send(params[0]);
    if (method !== "eth_getTransactionReceipt") throw new Error(`no ${method}`);
    const found = this.#transactions.find(
      ({ hash, block }) => hash === params[0] && block !== undefined,
    );
    return found?.block === undefined
      ? null
      : { blockNumber: toHex(found.block), gasUsed: "0x5208", status: "0x1" };
  }

  #send(given: unknown): Hex {
    const data = (given as { readonly data: Hex }).data;
    this.sent += 1;
    const hash = keccak256(toHex(`${data} ${this.sent}`));
    const transaction: Transaction = { hash, data, block: undefined };
    this.#transactions.push(transaction);
    const { scheduler, transaction: fate } = this.options;
    const later = (ms: number, act: () => void): void => {
      scheduler.after(ms, () => {
        if (this.#transactions.includes(transaction)) act();
      });
    };
    const mine = (): void => {
      this.#mine(transaction);
    };
    if (fate === "is dropped" || fate === "has its nonce taken by another process") {
      later(BLOCK_TIME / 2, () => {
        this.#forget(transaction);
      });
    } else if (fate === "is replaced by the same at a higher price") {
      later(BLOCK_TIME, () => {
        this.#forget(transaction);
        this.#mine({ hash: keccak256(hash), data, block: undefined });
      });
    } else {
      later(fate === "is mined late" ? 200 * BLOCK_TIME : BLOCK_TIME, mine);
    }
    if (fate.startsWith("is reorganised")) {
      later(BLOCK_TIME + 1_100, () => {
        this.#unmine(transaction);
        if (fate === "is reorganised and gone") this.#forget(transaction);
      });
      later(3 * BLOCK_TIME, mine);
    }
    return hash;
  }

  #mine(transaction: Transaction): void {
    this.#block += 1;
    transaction.block = this.#block;
    this.mined.push(transaction.data);
    this.options.scheduler.note(`node mines ${transaction.hash.slice(0, 8)}`);
  }

  #unmine(transaction: Transaction): void {
    if (transaction.block !== undefined) this.mined.splice(this.mined.indexOf(transaction.data), 1);
    transaction.block = undefined;
  }

  #forget(transaction: Transaction): void {
    this.#unmine(transaction);
    this.#transactions.splice(this.#transactions.indexOf(transaction), 1);
    this.options.scheduler.note(`node forgets ${transaction.hash.slice(0, 8)}`);
  }
}
