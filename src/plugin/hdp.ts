import type { HookContext } from "hardhat/types/hooks";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { Fault } from "../submission/backend/faults/fault.js";
import type { DeliverActions } from "./actions/deliver-action.js";
import type { EthCallActions } from "./actions/eth-call-action.js";
import type { AssertionActions, WatchActions } from "./actions/finalized-actions.js";
import type { InspectionActions } from "./actions/inspection-actions.js";
import type { MineActions } from "./actions/mine-action.js";
import type { PreflightActions } from "./actions/preflight-action.js";
import type { ProgramActions } from "./actions/program-actions.js";
import type { ClientActions, StorageProofActions } from "./actions/service-actions.js";
import type { RecordActions } from "./actions/record-actions.js";
import type { StorageActions } from "./actions/storage-of.js";
import type { HdpActions, StoreActions } from "./actions/submission-actions.js";
import { callSite, keepCaller } from "./caller.js";
import type { Scope, Session } from "./session.js";

/** `hre.hdp`: works on `hre.network.getOrCreate()`, the connection that tasks and scripts share. */
export interface Hdp
  extends
    HdpActions,
    DeliverActions,
    EthCallActions,
    InspectionActions,
    MineActions,
    PreflightActions,
    StorageActions,
    WatchActions {
  readonly store: StoreActions;
  readonly program: ProgramActions;
  readonly storageProof: StorageProofActions;
  readonly clients: ClientActions;
  readonly submissions: RecordActions;
  readonly assertions: AssertionActions;
}

/** Failure injection into the local data processor of one connection, for tests. */
export interface FaultInjection {
  /** Faults that have not happened yet, in order. */
  readonly waiting: readonly Fault[];
  /** Injects faults, which happen once each, in order: `connection.hdp.faults.inject(stuckAt("Sampled"))`. */
  readonly inject: (...faults: readonly Fault[]) => void;
  /** Removes the faults that have not happened yet. */
  readonly clear: () => void;
}

/** `connection.hdp`: bound to one chain. */
export interface HdpConnection extends Hdp {
  /** Failure injection. The faults are made by `hardhat-hdp/faults`. */
  readonly faults: FaultInjection;
}

type AsyncFunction = (...args: never[]) => Promise<unknown>;

/** The names of all functions of `T`: a missing or extra name does not compile. */
type Names<T> = Readonly<Record<keyof T, true>>;

/** Returns an object whose bound functions load their implementation on the first call. */
function lazy<T extends Readonly<Record<keyof T, AsyncFunction>>>(
  names: Names<T>,
  load: () => Promise<T>,
): T;
function lazy(
  names: Readonly<Record<string, true>>,
  load: () => Promise<Readonly<Record<string, AsyncFunction>>>,
): Readonly<Record<string, AsyncFunction>> {
  // Module loaders check an import() on each call: in a short run that takes a twentieth of the time.
  let loaded: ReturnType<typeof load> | undefined;
  const loadOnce = async (): ReturnType<typeof load> => {
    loaded ??= load();
    loaded.catch(() => (loaded = undefined));
    return await loaded;
  };
  const later = (name: string): AsyncFunction => {
    const called: AsyncFunction = async (...args) => {
      const site = callSite(called);
      try {
        const member = (await loadOnce())[name];
        if (member === undefined) throw new TypeError(`nothing is called ${name}`);
        return await member(...args);
      } catch (error) {
        keepCaller(error, site);
        throw error;
      }
    };
    return called;
  };
  return Object.fromEntries(Object.keys(names).map((name) => [name, later(name)]));
}

/** Creates `hre.hdp`. Every command does so, so nothing is imported until a function is called. */
export function sharedHdp(project: HookContext, hre: HardhatRuntimeEnvironment): Hdp {
  const session = async (): Promise<Session> => {
    const { Session } = await import("./session.js");
    return Session.of(await hre.network.getOrCreate());
  };
  return actions({ project, session });
}

/** Returns the `hdp` object of a connection. A member loads its code when it is first called. */
export function connectionHdp(session: Session): HdpConnection {
  return {
    ...actions(session),
    get faults() {
      return session.faults;
    },
  };
}

/** Returns all functions of `hdp`, grouped by module. A module is loaded when one of its functions is called. */
function actions(scope: Scope): Hdp {
  return {
    ...lazy<HdpActions>(
      {
        task: true,
        submit: true,
        await: true,
        status: true,
        readResult: true,
        run: true,
        deployExecutionStore: true,
        finalize: true,
      },
      async () => (await import("./actions/submission-actions.js")).submissionActions(scope),
    ),
    ...lazy<DeliverActions>({ deliver: true }, async () =>
      (await import("./actions/deliver-action.js")).deliverActions(scope),
    ),
    ...lazy<EthCallActions>({ ethCall: true }, async () =>
      (await import("./actions/eth-call-action.js")).ethCallActions(scope),
    ),
    ...lazy<InspectionActions>(
      { verify: true, explain: true, record: true, replay: true },
      async () => (await import("./actions/inspection-actions.js")).inspectionActions(scope),
    ),
    ...lazy<MineActions>({ mine: true }, async () =>
      (await import("./actions/mine-action.js")).mineActions(scope),
    ),
    ...lazy<PreflightActions>({ preflight: true, awaitProvable: true }, async () =>
      (await import("./actions/preflight-action.js")).preflightActions(scope),
    ),
    ...lazy<StorageActions>({ storageOf: true, erc20Balance: true }, async () =>
      (await import("./actions/storage-of.js")).storageActions(scope),
    ),
    onFinalized: (task, listener, options = {}) => {
      const end = new AbortController();
      const signal = AbortSignal.any([
        end.signal,
        ...(options.signal === undefined ? [] : [options.signal]),
      ]);
      // The caller does not await the import: its rejection is reported as an uncaught one.
      void import("./actions/finalized-actions.js").then(
        async ({ watchFinalized }) =>
          await watchFinalized(scope, task, listener, { ...options, signal }),
      );
      return () => end.abort();
    },
    store: lazy<StoreActions>({ current: true, forDeployment: true, use: true }, async () =>
      (await import("./actions/submission-actions.js")).storeActions(scope),
    ),
    assertions: lazy<AssertionActions>({ finalized: true, notFinalized: true }, async () =>
      (await import("./actions/finalized-actions.js")).assertionActions(scope),
    ),
    program: lazy<ProgramActions>(
      { upload: true, metadata: true, register: true, run: true },
      async () => (await import("./actions/program-actions.js")).programActions(scope),
    ),
    storageProof: lazy<StorageProofActions>(
      { submitRequest: true, awaitRequest: true, createGrowOrder: true },
      async () => (await import("./actions/service-actions.js")).storageProofActions(scope),
    ),
    clients: lazy<ClientActions>(
      { storageProof: true, moduleTasks: true, moduleRegistry: true },
      async () => (await import("./actions/service-actions.js")).clientActions(scope),
    ),
    submissions: lazy<RecordActions>({ list: true, resume: true }, async () =>
      (await import("./actions/record-actions.js")).recordActions(scope),
    ),
  };
}
