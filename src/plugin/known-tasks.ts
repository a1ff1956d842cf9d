import type { Hex } from "viem";

import { isSameHex } from "../base/hex.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { Task } from "../request/task.js";
import type { TaskWord } from "../request/task-result.js";
import type { FinalizedTask, StoredTask } from "../submission/read-finding.js";
import { deliveryNetwork } from "./delivery-network.js";
import type { ConfiguredNetwork } from "./connected-network.js";

/** Maximum number of remembered tasks, and of remembered results. */
const MAX_REMEMBERED = 200;

/** A result that a connection finalized on its own network. */
interface ConnectionResult extends FinalizedTask, TaskWord {
  readonly word: Hex;
  readonly by: symbol;
}

/** The latest results that connections of this process finalized on their own networks. */
const BY_CONNECTION: ConnectionResult[] = [];

/** The tasks that a connection read, and the results that it finalized, to explain failed reads with. */
export class KnownTasks {
  readonly #tasks = new Set<Task>();
  readonly #finalized: FinalizedTask[] = [];
  readonly #underWay = new Set<TaskWord>();
  readonly #network: ConfiguredNetwork;
  readonly #connection = Symbol();

  public constructor(network: ConfiguredNetwork) {
    this.#network = network;
  }

  /** The tasks, the latest first. */
  public get tasks(): readonly Task[] {
    return [...this.#tasks].reverse();
  }

  public get finalized(): readonly FinalizedTask[] {
    return this.#finalized;
  }

  /** The results that are being finalized: a read that fails meanwhile came before them. */
  public get underWay(): readonly TaskWord[] {
    return [...this.#underWay];
  }

  /** Finalizes a result, which is under way until that has ended. */
  public async whileUnderWay<T>(result: TaskWord, finalize: () => Promise<T>): Promise<T> {
    this.#underWay.add(result);
    try {
      return await finalize();
    } finally {
      this.#underWay.delete(result);
    }
  }

  public add(tasks: readonly Task[]): void {
    for (const task of tasks) this.#tasks.add(task);
    for (const task of this.#tasks) {
      if (this.#tasks.size <= MAX_REMEMBERED) return;
      this.#tasks.delete(task);
    }
  }

  /** Remembers results that the store of a destination has; without one, that of the connected chain. */
  public addFinalized(
    results: readonly (StoredTask & TaskWord)[],
    chain: ChainIdentifier | undefined,
  ): void {
    const network = deliveryNetwork(chain, this.#network);
    for (const { taskHash, store, word } of results)
      this.#finalized.push({ taskHash, store, word, network, chain });
    this.#finalized.splice(0, this.#finalized.length - MAX_REMEMBERED);
    if (network !== this.#network.networkName) return;
    for (const { taskHash, store, word } of results)
      BY_CONNECTION.push({ taskHash, store, word, network, chain, by: this.#connection });
    BY_CONNECTION.splice(0, BY_CONNECTION.length - MAX_REMEMBERED);
  }

  /** The latest results that other connections of this process finalized on other networks. */
  public get finalizedElsewhere(): readonly FinalizedTask[] {
    return BY_CONNECTION.filter(
      ({ by, network }) => by !== this.#connection && network !== this.#network.networkName,
    );
  }

  /** Returns the words with which other connections to this network finalized a task. */
  public wordsOfOthers(taskHash: Hex): readonly Hex[] {
    const ofOthers = BY_CONNECTION.filter(
      (one) =>
        one.by !== this.#connection &&
        one.network === this.#network.networkName &&
        isSameHex(one.taskHash, taskHash),
    );
    return ofOthers.map(({ word }) => word);
  }
}
