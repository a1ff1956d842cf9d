import type { Hex } from "viem";

import { isSameHex } from "../base/hex.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { Task } from "../request/task.js";
import type { FinalizedTask, StoredTask } from "../submission/explain-read.js";
import { deliveryNetwork } from "./destination.js";
import type { ConfiguredNetwork } from "./connected-network.js";

/** Maximum number of remembered tasks, and of remembered results. */
const MAX_REMEMBERED = 200;

/** The latest results that connections of this process finalized on their own networks. */
const BY_CONNECTION: { readonly taskHash: Hex; readonly network: string; readonly by: symbol }[] =
  [];

/** The tasks that a connection read, and the results that it finalized, to explain failed reads with. */
export class KnownTasks {
  readonly #tasks = new Set<Task>();
  readonly #finalized: FinalizedTask[] = [];
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

  public add(tasks: readonly Task[]): void {
    for (const task of tasks) this.#tasks.add(task);
    for (const task of this.#tasks) {
      if (this.#tasks.size <= MAX_REMEMBERED) return;
      this.#tasks.delete(task);
    }
  }

  /** Remembers results that the store of a destination has; without one, that of the connected chain. */
  public addFinalized(results: readonly StoredTask[], chain: ChainIdentifier | undefined): void {
    const network = deliveryNetwork(chain, this.#network);
    for (const { taskHash, store } of results)
      this.#finalized.push({ taskHash, store, network, chain });
    this.#finalized.splice(0, this.#finalized.length - MAX_REMEMBERED);
    if (network !== this.#network.networkName) return;
    for (const { taskHash } of results)
      BY_CONNECTION.push({ taskHash, network, by: this.#connection });
    BY_CONNECTION.splice(0, BY_CONNECTION.length - MAX_REMEMBERED);
  }

  /** Returns whether another connection to this network finalized a task. */
  public isFinalizedByOthers(taskHash: Hex): boolean {
    return BY_CONNECTION.some(
      (one) =>
        one.by !== this.#connection &&
        one.network === this.#network.networkName &&
        isSameHex(one.taskHash, taskHash),
    );
  }
}
