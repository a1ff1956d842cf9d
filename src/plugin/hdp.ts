import type { NetworkConnection } from "hardhat/types/network";

import type { ChaosOptions } from "../submission/backend/faults/fault-queue.js";
import type { Fault } from "../submission/backend/faults/fault.js";
import type { AssertionActions } from "./actions/assertion-actions.js";
import type { EthCallActions } from "./actions/eth-call-action.js";
import type { InspectionActions } from "./actions/inspection-actions.js";
import type { JournalActions } from "./actions/journal-actions.js";
import type { ModuleTaskActions } from "./actions/module-task-actions.js";
import type { PreflightActions } from "./actions/preflight-action.js";
import type { ProgramActions } from "./actions/program-actions.js";
import type { StorageProofActions } from "./actions/storage-proof-actions.js";
import type { StorageActions } from "./actions/storage-of.js";
import type { WatchActions } from "./actions/on-finalized.js";
import type { HdpActions } from "./actions/submission-actions.js";

/** The interfaces beside the data processor, in `hre.hdp` and `connection.hdp` alike. */
export interface ServiceActions {
  readonly program: ProgramActions;
  readonly storageProof: StorageProofActions;
  readonly moduleTasks: ModuleTaskActions;
  readonly journal: JournalActions;
  readonly assertions: AssertionActions;
}

/** What goes wrong in the local data processor of one connection, for tests. */
export interface FaultInjection {
  /** Faults that have not happened yet, in order. */
  readonly waiting: readonly Fault[];
  /** Lets these happen, each once, in order: `connection.hdp.faults.inject(stuckAt("Sampled"))`. */
  readonly inject: (...faults: readonly Fault[]) => void;
  /** Injects `count` faults that follow from the seed; returns them. */
  readonly chaos: (options: ChaosOptions) => readonly Fault[];
  /** Takes back what has not happened yet. */
  readonly clear: () => void;
}

/** What `hre.hdp` and `connection.hdp` have in common. */
export interface CommonActions
  extends
    HdpActions,
    EthCallActions,
    InspectionActions,
    PreflightActions,
    ServiceActions,
    StorageActions,
    WatchActions {}

/** `connection.hdp`: bound to one chain. */
export interface HdpConnection extends CommonActions {
  /** Failure injection. The faults are made by `hardhat-hdp/faults`. */
  readonly faults: FaultInjection;
}

/** `hre.hdp`: the same over `hre.network.getOrCreate()`, the connection that tasks and scripts share. */
export interface Hdp extends CommonActions {
  /** The `hdp` of a connection. */
  readonly for: (connection: NetworkConnection<string>) => HdpConnection;
}
