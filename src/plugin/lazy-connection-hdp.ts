import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";

import { FaultQueue } from "../processor/faults/fault-queue.js";
import type { ConnectionHdp } from "./connection-hdp.js";
import { LazyInspectionActions } from "./inspection-actions.js";
import { LazyJournalActions } from "./journal-actions.js";
import { LazyModuleTaskActions } from "./module-task-actions.js";
import { LazyProgramActions } from "./program-actions.js";
import { LazyStorageProofActions } from "./storage-proof-actions.js";
import type { HdpConnection } from "./types.js";

/**
 * `connection.hdp` as every connection gets it: loads its implementation, and with it viem and the local data
 * processor, at the first call. The members are bound, so that they survive destructuring.
 */
export class LazyConnectionHdp implements HdpConnection {
  readonly #context: HookContext;
  readonly #connection: NetworkConnection<string>;
  readonly #faults = new FaultQueue();
  #implementation: ConnectionHdp | undefined;

  /** Only the queue is here: what makes the faults happen is loaded with the rest. */
  public readonly faults: HdpConnection["faults"] = this.#faults;

  public readonly verify: HdpConnection["verify"];
  public readonly explain: HdpConnection["explain"];
  public readonly record: HdpConnection["record"];
  public readonly replay: HdpConnection["replay"];
  public readonly program: HdpConnection["program"];
  public readonly storageProof: HdpConnection["storageProof"];
  public readonly moduleTasks: HdpConnection["moduleTasks"];
  public readonly journal: HdpConnection["journal"];

  public constructor(context: HookContext, connection: NetworkConnection<string>) {
    this.#context = context;
    this.#connection = connection;
    const itself = async (): Promise<NetworkConnection<string>> => connection;
    ({
      verify: this.verify,
      explain: this.explain,
      record: this.record,
      replay: this.replay,
    } = new LazyInspectionActions(context, itself));
    this.program = new LazyProgramActions(context, itself);
    this.storageProof = new LazyStorageProofActions(itself);
    this.moduleTasks = new LazyModuleTaskActions(itself);
    this.journal = new LazyJournalActions(context, itself);
  }

  public readonly submit: HdpConnection["submit"] = async (...args) => await (await this.#load()).submit(...args);
  public readonly await: HdpConnection["await"] = async (...args) => await (await this.#load()).await(...args);
  public readonly status: HdpConnection["status"] = async (...args) => await (await this.#load()).status(...args);
  public readonly readResult: HdpConnection["readResult"] = async (...args) =>
    await (await this.#load()).readResult(...args);
  public readonly run: HdpConnection["run"] = async (...args) => await (await this.#load()).run(...args);
  public readonly deployExecutionStore: HdpConnection["deployExecutionStore"] = async (...args) =>
    await (await this.#load()).deployExecutionStore(...args);
  public readonly finalize: HdpConnection["finalize"] = async (...args) => await (await this.#load()).finalize(...args);
  public readonly store: HdpConnection["store"] = async (...args) => await (await this.#load()).store(...args);
  public readonly processor: HdpConnection["processor"] = async (...args) =>
    await (await this.#load()).processor(...args);

  async #load(): Promise<ConnectionHdp> {
    // The import comes before the check: between check and assignment nothing may wait, or two would be made.
    const { ConnectionHdp } = await import("./connection-hdp.js");
    this.#implementation ??= new ConnectionHdp(this.#context, this.#connection, this.#faults);
    return this.#implementation;
  }
}
