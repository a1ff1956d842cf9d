import type { HookContext } from "hardhat/types/hooks";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";

import { LazyInspectionActions } from "./inspection-actions.js";
import { LazyJournalActions } from "./journal-actions.js";
import { LazyModuleTaskActions } from "./module-task-actions.js";
import { LazyProgramActions } from "./program-actions.js";
import { LazyStorageProofActions } from "./storage-proof-actions.js";
import type { Hdp, HdpConnection } from "./types.js";

/** `hre.hdp`: forwards to the `hdp` of the connection that tasks and scripts share. Loads nothing by itself. */
export class HreHdp implements Hdp {
  readonly #hre: HardhatRuntimeEnvironment;

  public readonly verify: Hdp["verify"];
  public readonly explain: Hdp["explain"];
  public readonly record: Hdp["record"];
  public readonly replay: Hdp["replay"];
  public readonly program: Hdp["program"];
  public readonly storageProof: Hdp["storageProof"];
  public readonly moduleTasks: Hdp["moduleTasks"];
  public readonly journal: Hdp["journal"];

  public constructor(context: HookContext, hre: HardhatRuntimeEnvironment) {
    this.#hre = hre;
    const shared = async (): Promise<NetworkConnection<string>> => await hre.network.getOrCreate();
    ({
      verify: this.verify,
      explain: this.explain,
      record: this.record,
      replay: this.replay,
    } = new LazyInspectionActions(context, shared));
    this.program = new LazyProgramActions(context, shared);
    this.storageProof = new LazyStorageProofActions(shared);
    this.moduleTasks = new LazyModuleTaskActions(shared);
    this.journal = new LazyJournalActions(context, shared);
  }

  public readonly for = (connection: NetworkConnection<string>): HdpConnection => connection.hdp;

  public readonly submit: Hdp["submit"] = async (...args) => await (await this.#shared()).submit(...args);
  public readonly await: Hdp["await"] = async (...args) => await (await this.#shared()).await(...args);
  public readonly status: Hdp["status"] = async (...args) => await (await this.#shared()).status(...args);
  public readonly readResult: Hdp["readResult"] = async (...args) => await (await this.#shared()).readResult(...args);
  public readonly run: Hdp["run"] = async (...args) => await (await this.#shared()).run(...args);
  public readonly deployExecutionStore: Hdp["deployExecutionStore"] = async (...args) =>
    await (await this.#shared()).deployExecutionStore(...args);
  public readonly finalize: Hdp["finalize"] = async (...args) => await (await this.#shared()).finalize(...args);
  public readonly store: Hdp["store"] = async (...args) => await (await this.#shared()).store(...args);
  public readonly processor: Hdp["processor"] = async (...args) => await (await this.#shared()).processor(...args);

  async #shared(): Promise<HdpConnection> {
    return (await this.#hre.network.getOrCreate()).hdp;
  }
}
