import type { Hex } from "viem";

import { StoreRpcError } from "../../src/store/node-requests.js";
import { type ExecutionStore, NotFinalizedError } from "../../src/store/execution-store.js";
import type { TaskResult } from "../../src/request/task-result.js";
import type { Destination } from "../../src/submission/submissions.js";
import type { Process } from "./process.js";

const STORE = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

/** Milliseconds after which a block of a live chain that was replaced is there again. */
const REINCLUDED_AFTER = 12_000;

export interface ChainOptions {
  /** A development chain may start anew, or go back to a snapshot. */
  readonly isDevelopment: boolean;
  readonly after: (ms: number, act: () => void) => unknown;
  readonly note: (line: string) => void;
  /** Milliseconds that the next call takes, and whether the node fails to answer it. */
  readonly nextCall: () => { readonly takes: number; readonly fails: boolean };
}

/** A chain with an execution store: what was finalized is there until the chain says otherwise. */
export class Chain {
  readonly #options: ChainOptions;
  readonly #words = new Map<Hex, Hex>();
  /** Every word that was ever stored for a task. */
  readonly #ever = new Map<Hex, Set<Hex>>();
  /** The block of each word. */
  readonly #blocks = new Map<Hex, bigint>();
  #height = 0n;
  #lives = 1;
  /** The first block as each process has seen it: what it sends is for that chain. */
  readonly #seen = new Map<string, Hex>();
  /** Grows whenever results vanish for good. */
  public reverts = 0;

  public constructor(options: ChainOptions) {
    this.#options = options;
  }

  public get genesis(): Hex {
    return `0x${this.#lives.toString(16).padStart(64, "0")}`;
  }

  public get isDevelopment(): boolean {
    return this.#options.isDevelopment;
  }

  public genesisSeenBy(process: string): Hex {
    return this.#seen.get(process) ?? this.genesis;
  }

  public has(hash: Hex): boolean {
    return this.#words.has(hash);
  }

  /** What was finalized last. */
  public get last(): Hex | undefined {
    return [...this.#words.keys()].at(-1);
  }

  public hasHad(hash: Hex, word: Hex): boolean {
    return this.#ever.get(hash)?.has(word) === true;
  }

  public finalize(hash: Hex, word: Hex): void {
    this.#options.note(`chain finalizes ${hash.slice(0, 8)}`);
    this.#height += 1n;
    this.#blocks.set(hash, this.#height);
    this.#words.set(hash, word);
    this.#ever.set(hash, (this.#ever.get(hash) ?? new Set()).add(word));
  }

  /** The newest block of a live chain is replaced: its result is gone, and comes back in a later one. */
  public reorganise(): void {
    const last = [...this.#words].at(-1);
    if (last === undefined) return;
    const [hash, word] = last;
    this.#options.note(`chain loses ${hash.slice(0, 8)} in a reorganisation`);
    this.#words.delete(hash);
    this.#options.after(REINCLUDED_AFTER, () => {
      this.finalize(hash, word);
    });
  }

  /** A development chain goes back to a snapshot from before all results. */
  public revert(): void {
    this.#options.note("chain goes back to a snapshot");
    this.#words.clear();
    this.reverts += 1;
  }

  /** A development chain starts anew: its first block is another one. */
  public restart(): void {
    this.#options.note("chain starts anew");
    this.#words.clear();
    this.reverts += 1;
    this.#lives += 1;
  }

  /** The chain as a process sees it: each look takes a while, and may fail. */
  public seenBy(process: Process): Destination {
    const look = async <T>(what: string, see: () => T): Promise<T> => {
      const { takes, fails } = this.#options.nextCall();
      return await process.ask(what, takes, () => {
        if (fails) throw new StoreRpcError("eth_call", new Error("the node does not answer"));
        return see();
      });
    };
    const store: ExecutionStore = {
      address: STORE,
      kind: "execution-store",
      readResult: async (hash) => await look("for a result", () => this.#result(hash)),
      readResults: async (hashes) =>
        await look("for results", () => hashes.map((hash) => this.#result(hash))),
      status: async (hash) =>
        await look("for a status", () => (this.has(hash) ? "finalized" : "none")),
      statuses: async (hashes) =>
        await look("the store", () =>
          hashes.map((hash) => (this.has(hash) ? "finalized" : "none")),
        ),
    };
    return {
      chain: async () =>
        await look("for the first block", () => {
          this.#seen.set(process.name, this.genesis);
          return { genesis: this.genesis, startsAnew: this.isDevelopment };
        }),
      head: async () => await look("for the newest block", () => this.#height),
      openForReading: async () => await Promise.resolve(store),
    };
  }

  #result(hash: Hex): TaskResult {
    const word = this.#words.get(hash);
    if (word === undefined) throw new NotFinalizedError(hash, "none", STORE);
    const blockNumber = this.#blocks.get(hash) ?? this.#height;
    return { taskHash: hash, word, value: BigInt(word), store: STORE, blockNumber };
  }
}
