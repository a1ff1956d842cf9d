import { computeTask, type ModuleOutcome } from "../compute/compute-request.js";
import { isHdpError } from "../errors/hdp-error.js";
import type { ModuleTask } from "../request/task.js";
import { ChainSources } from "./chain-sources.js";
import { sessionModuleRunner } from "./module-environment.js";
import type { Session } from "./session.js";

/** Milliseconds after which a module's run no longer settles the order of a preimage. */
const RUN_TIMEOUT = 60_000;

/** Runs a submitted module here; undefined where that is not possible: a chain without a source, no private inputs. */
export async function ownRun(
  task: ModuleTask,
  session: Session,
): Promise<ModuleOutcome | undefined> {
  // A project keeps no private inputs.
  if (task.inputs.some(({ visibility }) => visibility !== "public")) return undefined;
  const isLocal = (await session.processor()).info.kind === "local";
  const signal = AbortSignal.timeout(RUN_TIMEOUT);
  const sources = session.part(ChainSources);
  const { readerFor, starknet, anchors } = isLocal
    ? sources.readersFor(signal)
    : sources.sourcedReadersFor(signal);
  try {
    const runModule = sessionModuleRunner(session);
    const outcome = await computeTask(task, { readerFor, starknet, runModule, signal });
    // The blocks that the proofs rest on must still be there after the last read.
    await anchors();
    return outcome;
  } catch (error) {
    if (isHdpError(error) || signal.aborted) return undefined;
    throw error;
  }
}
