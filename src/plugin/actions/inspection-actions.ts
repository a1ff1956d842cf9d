import type { SubmissionStore } from "../../submission/submission-store.js";
import type { Address, Hex } from "viem";

import { type HdpError, hdpError, notAllowed } from "../../errors/hdp-error.js";
import { isTaskHash } from "../../base/hex.js";
import { openRecording } from "../../chain/recording/recorded-chain.js";
import { parseRecording, type Recording, recordingText } from "../../chain/recording/recording.js";
import { explainTask, requireDatalake, type Explanation } from "../../compute/explain-task.js";
import { recordTasks } from "../../compute/record-tasks.js";
import { verifyTask, type StoredWords, type TaskVerification } from "../../compute/verify-task.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type { CallOptions } from "../../request/data-processor.js";
import type { Task } from "../../request/task.js";
import { ChainSources } from "../chain-sources.js";
import { readFixture, writeOutput } from "../project-files.js";
import { sessionModuleRunner } from "../module-environment.js";
import { recordedInOtherForm, recordedTask } from "../../submission/lookup.js";
import { submissionStores } from "../project-database.js";
import type { Scope, Session } from "../session.js";
import { destinationStore } from "../destination.js";
import { withPublished } from "../published-output.js";
import { type AddressedTask, readTaskInput, readTasks, type TaskInput } from "../task-input.js";

export type { ExplainedSample, Explanation } from "../../compute/explain-task.js";
export type { Sample } from "../../compute/samples.js";
export type {
  OtherEncoding,
  PublishedOutput,
  TaskVerification,
} from "../../compute/verify-task.js";

/** Options of `hdp.verify`. */
export interface VerifyOptions extends CallOptions {
  /** Address of another store than the connection's. */
  readonly store?: Address | undefined;
}

/** One verification for each task, in request order. */
export type Verifications = readonly [TaskVerification, ...TaskVerification[]];

/** Options of `hdp.explain`. */
export interface ExplainOptions extends CallOptions {
  /** Position of the task in the request, counted from 1. Default 1. */
  readonly task?: number | undefined;
}

/** Options of `hdp.record`. */
export interface RecordOptions extends CallOptions {
  /** File to write the fixture to, relative to the project. */
  readonly to?: string | undefined;
  /** Called with a line of progress: "12 of 64 sampled". */
  readonly onProgress?: ((detail: string) => void) | undefined;
}

/** A fixture in use. */
export interface Replay {
  /** The tasks it was recorded for. */
  readonly taskHashes: readonly Hex[];
  /** The chains that the fixture stands for: the plugin reads nothing of them from a network any more. */
  readonly chains: readonly ChainIdentifier[];
  /** Ends the replay: chains are read from networks again. */
  readonly stop: () => void;
}

/** Functions that inspect tasks and results: part of `hre.hdp` and `connection.hdp`. */
export interface InspectionActions {
  /**
   * Computes tasks from chain data and compares the values with the stored ones, one verification for each task in
   * order. The hash of a task of this project is enough. A difference is reported, not thrown. A module that a service ran
   * has also what the service says that it returned: the stored root does not fix the order of its felts.
   */
  readonly verify: (task: TaskInput, options?: VerifyOptions) => Promise<Verifications>;
  /** Returns the samples that a task's value is computed from. @throws HdpError HDP-1126 for a module of the user */
  readonly explain: (input: TaskInput, options?: ExplainOptions) => Promise<Explanation>;
  /** Records the chain data that tasks read, with proofs, from the connected network. Files may share a fixture. */
  readonly record: (input: TaskInput, options?: RecordOptions) => Promise<Recording>;
  /**
   * Reads chains from a fixture (a path relative to the project, or its content) instead of from networks: the local
   * data processor, `verify` and `explain` read its chains from it alone, and throw for data that it does not hold.
   */
  readonly replay: (fixture: string | object) => Promise<Replay>;
}

/** Returns the actions that verify, explain, record and replay over a connection. */
export function inspectionActions(scope: Scope): InspectionActions {
  return {
    verify: async (input, options = {}) => {
      const session = await scope.session();
      const known = await knownTasks(input, session);
      const { readerFor, starknet } = session.part(ChainSources).readersFor(options.signal);
      const { concurrency } = session.config.local;
      const runModule = sessionModuleRunner(session);
      const sources = { readerFor, starknet, runModule, concurrency, signal: options.signal };
      const results: TaskVerification[] = [];
      for (const { task, destinationChainId } of known) {
        const store = await storedWords(session, destinationChainId, options.store);
        const verification = await verifyTask(task, { ...sources, store });
        results.push(await withPublished(verification, session));
      }
      const [first, ...others] = results;
      if (first === undefined) throw new TypeError("a request without tasks was parsed");
      return [first, ...others];
    },

    explain: async (input, { task: position = 1, signal } = {}) => {
      const session = await scope.session();
      const { task } = taskAt(await readTasks(input, session), position);
      return await explained(task, session, signal);
    },

    record: async (input, options = {}) => {
      const session = await scope.session();
      const tasks = (await readTasks(input, session)).map(({ task }) => task);
      const { to, ...call } = options;
      const sources = session.part(ChainSources).options;
      const { recording } = await recordTasks(tasks, {
        referencesOf: (chain) => session.part(ChainSources).listReferences(chain),
        ...call,
        ...sources,
        runModule: sessionModuleRunner(session),
      });
      if (to !== undefined) await writeOutput(to, session.root, recordingText(recording));
      return recording;
    },

    replay: async (fixture) => {
      const session = await scope.session();
      const { kind, description } = (await session.processor()).info;
      if (kind !== "local") {
        const what = "recorded chain data is replayed by the local data processor";
        throw hdpError("HDP-6060", { what, network: session.networkName, description });
      }
      const recording =
        typeof fixture === "string"
          ? await readFixture(fixture, session.root)
          : parseRecording(fixture);
      const opened = await openRecording(recording);
      const stop = session.part(ChainSources).replay(opened);
      return { taskHashes: opened.taskHashes, chains: [...opened.chains], stop };
    },
  };
}

/** Computes a datalake task of either form, keeping its samples. @throws HDP-1126 for a module of the user */
export async function explained(
  task: Task,
  session: Session,
  signal?: AbortSignal,
): Promise<Explanation> {
  const { readerFor } = session.part(ChainSources).readersFor(signal);
  const reader = await readerFor(requireDatalake(task).datalake.chainId);
  const { concurrency } = session.config.local;
  return await explainTask(reader, task, { concurrency, signal });
}

interface TaskAndDestination {
  readonly task: Task;
  readonly destinationChainId: ChainIdentifier;
}

/** @throws HdpError HDP-6204 for a hash that was not submitted from this project, or whose private inputs are needed */
async function knownTasks(
  input: unknown,
  session: Session,
): Promise<readonly TaskAndDestination[]> {
  if (typeof input === "string" && isTaskHash(input))
    return [taskOfHash(input, submissionStores(session))];
  const { destinationChainId, tasks } = await readTaskInput(input, session);
  return tasks.map((task) => ({ task, destinationChainId }));
}

function taskOfHash(hash: Hex, stores: readonly SubmissionStore[]): TaskAndDestination {
  const unknown = (reason: string): HdpError =>
    hdpError("HDP-6204", { hash, reason }, { path: "task" });
  for (const store of stores) {
    const { task, record } = recordedTask(store, hash) ?? recordedInOtherForm(store, hash) ?? {};
    if (task === undefined || record?.destinationChainId === undefined) continue;
    const isPrivate =
      task.type === "Module" && task.inputs.some(({ visibility }) => visibility === "private");
    if (isPrivate && !store.holdsPrivateInputs)
      throw unknown("its private inputs are not recorded");
    return { task, destinationChainId: record.destinationChainId };
  }
  throw unknown("no submission of it is recorded here");
}

async function storedWords(
  session: Session,
  chain: ChainIdentifier,
  address?: Address,
): Promise<StoredWords> {
  const store = await (await destinationStore(chain, session)).openForReading(address);
  return {
    address: store.address,
    read: async (hash) =>
      (await store.status(hash)) === "finalized" ? (await store.readResult(hash)).word : undefined,
  };
}

function taskAt(tasks: readonly AddressedTask[], position: number): AddressedTask {
  const task = Number.isInteger(position) && position >= 1 ? tasks[position - 1] : undefined;
  if (task !== undefined) return task;
  throw notAllowed(position, `the number of a task: the request has ${tasks.length}`, {
    path: "task",
  });
}
