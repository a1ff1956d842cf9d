import { randomUUID } from "node:crypto";

import type { ChainIdentifier } from "../request/chains.js";
import type { TaskWord } from "../request/task-result.js";
import { taskHash } from "../request/task-hash.js";
import type { FaultQueue } from "../submission/backend/faults/fault-queue.js";
import type { Reorganise } from "../submission/backend/faults/faulty.js";
import {
  FaultyDataProcessor,
  faultyFinalization,
  makeForkPoint,
} from "../submission/backend/faults/faulty.js";
import type { Finalization } from "../submission/backend/finalizer.js";
import {
  type InProcessProcessor,
  LocalDataProcessor,
} from "../submission/backend/local-data-processor.js";
import { LocalSubmissions } from "../submission/local-submissions.js";
import { nodeSystem } from "../submission/system.js";
import type { ConnectedProcessor } from "./connected-processor.js";
import { destinationStore, requireDestination } from "./destination.js";
import { ChainSources } from "./chain-sources.js";
import { sessionModuleRunner } from "./module-environment.js";
import { submittedTask, withValue } from "./result-value.js";
import { accountCheck, catchRefusal, conflictCheck, serviceCheck } from "./send-checks.js";
import { KnownTasks } from "./known-tasks.js";
import type { Session } from "./session.js";
import { localSubmissions } from "./project-database.js";
import { warn } from "./warn.js";

/** Returns the local data processor. A finished submission's status is checked against the store: chains revert. */
export function localProcessor(session: Session): ConnectedProcessor {
  const { local, timeouts } = session.config;
  const requireProvable = local.edition === "module-tasks";
  const processor = new LocalDataProcessor({
    ...session.part(ChainSources).options,
    runModule: sessionModuleRunner(session, { requireProvable }),
    requireProvable,
    sink: { finalize: async (...args) => await finalizeHere(session, ...args) },
    onEnded: (...ended) => submissions.ended(...ended),
  });
  let faulty: InProcessProcessor | undefined;
  const submissions = new LocalSubmissions({
    processor: () => {
      const { injected: faults } = session;
      faulty ??=
        faults && new FaultyDataProcessor({ processor, faults, taskHash, newId: randomUUID });
      return faulty ?? processor;
    },
    store: localSubmissions(session),
    system: nodeSystem,
    network: session.networkName,
    destination: async (chain) => await destinationStore(chain, session),
    holds: async (anchor) => await session.part(ChainSources).holds(anchor),
    annotate: async (result, record) =>
      await withValue(result, submittedTask(record, result.taskHash), session),
    warn,
    timeout: timeouts.await,
  });
  return {
    info: { kind: "local", description: "local data processor" },
    submissions,
    checks: [
      conflictCheck,
      serviceCheck(local.edition, session),
      ...(requireProvable ? [accountCheck(session.part(ChainSources))] : []),
      catchRefusal(async (_, destination) => await requireDestination(destination, session)),
      catchRefusal(async (_, destination) => await destination.store.requireWritable()),
    ],
  };
}

/** Stores results with the session's faults, and remembers which, to explain reads that fail. */
async function finalizeHere(
  session: Session,
  results: readonly TaskWord[],
  destination: ChainIdentifier,
): Promise<Finalization> {
  const finalization = await finalizeWith(session, session.injected, results, destination);
  const { store } = finalization;
  const stored = results.map(({ taskHash, word }) => ({ taskHash, word, store }));
  session.part(KnownTasks).addFinalized(stored, destination);
  return finalization;
}

/** Stores results in their destination's store, applying the faults of finalizations. */
export async function finalizeWith(
  session: Session,
  faults: FaultQueue | undefined,
  results: readonly TaskWord[],
  destination: ChainIdentifier,
): Promise<Finalization> {
  const stores = await destinationStore(destination, session);
  if (faults === undefined) return await stores.finalize(results);
  // Only EVM chains can be reverted: for results on Starknet the connected chain is.
  const forkPoint = async (): Promise<Reorganise> =>
    await makeForkPoint(stores.provider ?? session.provider);
  return await faultyFinalization(stores, faults, forkPoint).finalize(results, destination);
}
