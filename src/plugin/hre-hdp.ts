import type { HookContext } from "hardhat/types/hooks";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";

import type { Hdp, HdpConnection } from "./types.js";

/**
 * `hre.hdp`: forwards to the `hdp` of the connection that tasks and scripts share. Every command makes one, so it
 * imports nothing until a member is called. The members are bound.
 */
export class HreHdp implements Hdp {
  readonly #context: HookContext;
  readonly #shared: () => Promise<NetworkConnection<string>>;

  public constructor(context: HookContext, hre: HardhatRuntimeEnvironment) {
    this.#context = context;
    this.#shared = async () => await hre.network.getOrCreate();
  }

  public readonly for = (connection: NetworkConnection<string>): HdpConnection => connection.hdp;

  public readonly submit: Hdp["submit"] = later(async () => (await this.#hdp()).submit);
  public readonly await: Hdp["await"] = later(async () => (await this.#hdp()).await);
  public readonly status: Hdp["status"] = later(async () => (await this.#hdp()).status);
  public readonly readResult: Hdp["readResult"] = later(async () => (await this.#hdp()).readResult);
  public readonly run: Hdp["run"] = later(async () => (await this.#hdp()).run);
  public readonly deployExecutionStore: Hdp["deployExecutionStore"] = later(
    async () => (await this.#hdp()).deployExecutionStore,
  );
  public readonly finalize: Hdp["finalize"] = later(async () => (await this.#hdp()).finalize);
  public readonly store: Hdp["store"] = later(async () => (await this.#hdp()).store);
  public readonly processor: Hdp["processor"] = later(async () => (await this.#hdp()).processor);
  public readonly verify: Hdp["verify"] = later(async () => (await this.#hdp()).verify);
  public readonly explain: Hdp["explain"] = later(async () => (await this.#hdp()).explain);
  public readonly record: Hdp["record"] = later(async () => (await this.#hdp()).record);
  public readonly replay: Hdp["replay"] = later(async () => (await this.#hdp()).replay);

  public readonly program: Hdp["program"] = {
    hash: later(async () => (await this.#program()).hash),
    upload: later(async () => (await this.#program()).upload),
    metadata: later(async () => (await this.#program()).metadata),
    register: later(async () => (await this.#program()).register),
    run: later(async () => (await this.#program()).run),
  };

  public readonly storageProof: Hdp["storageProof"] = {
    submitRequest: later(async () => (await this.#storageProof()).submitRequest),
    awaitRequest: later(async () => (await this.#storageProof()).awaitRequest),
    queries: later(async () => (await this.#storageProof()).queries),
    actions: later(async () => (await this.#storageProof()).actions),
    isAlive: later(async () => (await this.#storageProof()).isAlive),
    growOrders: {
      list: later(async () => (await this.#storageProof()).growOrders.list),
      create: later(async () => (await this.#storageProof()).growOrders.create),
      read: later(async () => (await this.#storageProof()).growOrders.read),
      cancel: later(async () => (await this.#storageProof()).growOrders.cancel),
    },
  };

  public readonly moduleTasks: Hdp["moduleTasks"] = {
    details: later(async () => (await this.#moduleTasks()).details),
    mmrs: later(async () => (await this.#moduleTasks()).mmrs),
    outputPreimage: later(async () => (await this.#moduleTasks()).outputPreimage),
    stateTransitions: later(async () => (await this.#moduleTasks()).stateTransitions),
    list: later(async () => (await this.#moduleTasks()).list),
    retry: later(async () => (await this.#moduleTasks()).retry),
    health: later(async () => (await this.#moduleTasks()).health),
  };

  public readonly journal: Hdp["journal"] = {
    list: later(async () => (await this.#journal()).list),
    resume: later(async () => (await this.#journal()).resume),
  };

  async #hdp(): Promise<HdpConnection> {
    return (await this.#shared()).hdp;
  }

  // These open the connection only where they need one: a program hash needs no network.

  async #program(): Promise<Hdp["program"]> {
    const { LazyProgramActions } = await import("./program-actions.js");
    return new LazyProgramActions(this.#context, this.#shared);
  }

  async #storageProof(): Promise<Hdp["storageProof"]> {
    const { LazyStorageProofActions } = await import("./storage-proof-actions.js");
    return new LazyStorageProofActions(this.#shared);
  }

  async #moduleTasks(): Promise<Hdp["moduleTasks"]> {
    const { LazyModuleTaskActions } = await import("./module-task-actions.js");
    return new LazyModuleTaskActions(this.#shared);
  }

  async #journal(): Promise<Hdp["journal"]> {
    const { LazyJournalActions } = await import("./journal-actions.js");
    return new LazyJournalActions(this.#context, this.#shared);
  }
}

/** A function that is loaded when it is called. */
function later<A extends readonly unknown[], R>(
  load: () => Promise<(...args: A) => Promise<R>>,
): (...args: A) => Promise<R> {
  return async (...args) => await (await load())(...args);
}
