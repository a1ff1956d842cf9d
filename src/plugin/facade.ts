import type { HookContext } from "hardhat/types/hooks";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { AssertionActions } from "./actions/assertion-actions.js";
import type { EthCallActions } from "./actions/eth-call-action.js";
import type { InspectionActions } from "./actions/inspection-actions.js";
import type { JournalActions } from "./actions/journal-actions.js";
import type { ModuleTaskActions } from "./actions/module-task-actions.js";
import type { PreflightActions } from "./actions/preflight-action.js";
import type { ProgramActions } from "./actions/program-actions.js";
import type { GrowOrderActions, StorageProofActions } from "./actions/storage-proof-actions.js";
import type { StorageActions } from "./actions/storage-of.js";
import type { HdpActions } from "./actions/submission-actions.js";
import type { CommonActions, Hdp, HdpConnection } from "./hdp.js";
import { lazy } from "./lazy.js";
import type { Scope, Session } from "./session.js";

/**
 * `hre.hdp`: works on the connection that tasks and scripts share, and opens it where a function needs one. Every
 * command makes it, so it imports nothing until a function is called.
 */
export function sharedHdp(project: HookContext, hre: HardhatRuntimeEnvironment): Hdp {
  const session = async (): Promise<Session> => {
    const { Session } = await import("./session.js");
    return Session.of(await hre.network.getOrCreate());
  };
  return { ...actions({ project, session }), for: (connection) => connection.hdp };
}

/** `connection.hdp`. */
export function connectionHdp(session: Session): HdpConnection {
  return { ...actions(session), faults: session.faults };
}

/** Everything that `hdp` offers, by the module that has it: none is loaded before one of its functions is called. */
function actions(scope: Scope): CommonActions {
  return {
    ...lazy<HdpActions>(
      {
        ...{ submit: true, await: true, status: true, readResult: true, run: true },
        ...{ deployExecutionStore: true, useExecutionStore: true, addOperators: true },
        ...{ finalize: true, processor: true, store: true, findStore: true, operator: true },
      },
      async () => (await import("./actions/submission-actions.js")).submissionActions(scope),
    ),
    ...lazy<EthCallActions>({ ethCall: true }, async () =>
      (await import("./actions/eth-call-action.js")).ethCallActions(scope),
    ),
    ...lazy<InspectionActions>({ verify: true, explain: true, record: true, replay: true }, async () =>
      (await import("./actions/inspection-actions.js")).inspectionActions(scope),
    ),
    ...lazy<PreflightActions>({ preflight: true }, async () =>
      (await import("./actions/preflight-action.js")).preflightActions(scope),
    ),
    ...lazy<StorageActions>({ storageOf: true }, async () =>
      (await import("./actions/storage-of.js")).storageActions(scope),
    ),
    onFinalized: (task, listener, options = {}) => {
      const end = new AbortController();
      const { signal: given } = options;
      const signal = given === undefined ? end.signal : AbortSignal.any([given, end.signal]);
      // Nobody awaits it: what it rejects with is what nobody listens for.
      void import("./actions/on-finalized.js").then(
        async ({ watchFinalized }) => await watchFinalized(scope, task, listener, { ...options, signal }),
      );
      return () => {
        end.abort();
      };
    },
    assertions: lazy<AssertionActions>({ finalized: true, notFinalized: true }, async () =>
      (await import("./actions/assertion-actions.js")).assertionActions(scope),
    ),
    program: lazy<ProgramActions>({ hash: true, upload: true, metadata: true, register: true, run: true }, async () =>
      (await import("./actions/program-actions.js")).programActions(scope),
    ),
    storageProof: {
      ...lazy<Omit<StorageProofActions, "growOrders">>(
        { submitRequest: true, awaitRequest: true, queries: true, actions: true, isAlive: true },
        async () => (await import("./actions/storage-proof-actions.js")).storageProofActions(scope),
      ),
      growOrders: lazy<GrowOrderActions>({ list: true, create: true, read: true, cancel: true }, async () =>
        (await import("./actions/storage-proof-actions.js")).growOrderActions(scope),
      ),
    },
    moduleTasks: lazy<ModuleTaskActions>(
      {
        ...{ details: true, mmrs: true, outputPreimage: true, stateTransitions: true },
        ...{ list: true, retry: true, health: true },
      },
      async () => (await import("./actions/module-task-actions.js")).moduleTaskActions(scope),
    ),
    journal: lazy<JournalActions>({ list: true, check: true, resume: true, calls: true, resumeCall: true }, async () =>
      (await import("./actions/journal-actions.js")).journalActions(scope),
    ),
  };
}
