import type { Address, Hex } from "viem";

import { HdpError } from "../../errors/hdp-error.js";
import { openRecording } from "../../chain/recording/recorded-chain.js";
import { parseRecording, type Recording } from "../../chain/recording/recording.js";
import { explainTask, requireDatalake, type Explanation } from "../../compute/explain-task.js";
import { recordTasks } from "../../compute/record-tasks.js";
import { verifyTask, type StoredWords, type TaskVerification } from "../../compute/verify-task.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type { Task } from "../../request/task.js";
import { ChainSources } from "../chain-sources.js";
import { readFixture, writeFixture } from "../project-files.js";
import { type KnownTask, KnownTasks } from "../known-tasks.js";
import { moduleRunnerOf } from "../module-runner-of.js";
import { isTaskHash } from "../parse-arguments.js";
import { SelectedProcessor } from "../processors/select-processor.js";
import type { Scope, Session } from "../session.js";
import { destinationStore } from "../stores/destination-store.js";
import { readTaskInput, readTasks, type Taken } from "../task-input.js";

export type { ExplainedSample, Explanation } from "../../compute/explain-task.js";
export type { Sample } from "../../compute/sample-datalake.js";
export type { OtherEncoding, TaskVerification } from "../../compute/verify-task.js";

export interface VerifyOptions {
  /** Another store than the connection's. */
  readonly store?: Address | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The first task's verification, with all of them in `results`, in request order. */
export interface VerifyReport extends TaskVerification {
  /** Whether every task agrees. */
  readonly agrees: boolean;
  readonly results: readonly TaskVerification[];
}

export interface ExplainOptions {
  /** Which task of the request, counted from 1. Default 1. */
  readonly task?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RecordOptions {
  /** File to write the fixture to, relative to the project. */
  readonly to?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** "12 of 64 sampled" */
  readonly onProgress?: ((detail: string) => void) | undefined;
}

/** A fixture in use. */
export interface Replay {
  /** The tasks it was recorded for. */
  readonly taskHashes: readonly Hex[];
  /** The chains it stands for: nothing of them is read from a network any more. */
  readonly chains: readonly ChainIdentifier[];
  /** Reads from networks again. */
  readonly stop: () => void;
}

/** Looking into tasks and results: part of `hre.hdp` and `connection.hdp`. */
export interface InspectionActions {
  /**
   * Computes tasks from chain data and compares with the store's words, whoever finalized them. A hash is enough for a
   * task that was submitted in this process or is in the journal. A difference is a report, not an error.
   */
  readonly verify: <const T>(task: T & Taken<T>, options?: VerifyOptions) => Promise<VerifyReport>;
  /** The samples a task's value is made of. */
  readonly explain: <const T>(input: T & Taken<T>, options?: ExplainOptions) => Promise<Explanation>;
  /** Reads what tasks read, with its proofs, from the connected network. Several files may share a fixture. */
  readonly record: <const T>(input: T & Taken<T>, options?: RecordOptions) => Promise<Recording>;
  /**
   * Lets a fixture (a path relative to the project, or its content) stand for its chains: the local data processor,
   * `verify` and `explain` read them from it alone. What it does not hold is an error.
   */
  readonly replay: (fixture: string | object) => Promise<Replay>;
}

export function inspectionActions(scope: Scope): InspectionActions {
  return {
    verify: async (input, options = {}) => {
      const session = await scope.session();
      const known = await knownTasks(input, session);
      const { readerFor } = session.part(ChainSources).readers.forRun(options.signal);
      const { concurrency } = session.config.local;
      const runModule = moduleRunnerOf(session);
      const results: TaskVerification[] = [];
      for (const { task, destinationChainId } of known) {
        const store = await storedWords(session, destinationChainId, options.store);
        results.push(await verifyTask(task, { readerFor, store, runModule, concurrency, signal: options.signal }));
      }
      const [first] = results;
      if (first === undefined) throw new Error("a request without tasks was parsed");
      return { ...first, agrees: results.every(({ agrees }) => agrees), results };
    },

    explain: async (input, { task: position = 1, signal } = {}) => {
      const session = await scope.session();
      const task = requireDatalake(taskAt(await readTasks(input, session), position));
      const { readerFor } = session.part(ChainSources).readers.forRun(signal);
      const reader = await readerFor(task.datalake.chainId);
      const { concurrency } = session.config.local;
      return await explainTask(reader, task, { concurrency, signal });
    },

    record: async (input, options = {}) => {
      const session = await scope.session();
      const tasks = await readTasks(input, session);
      const { signal, onProgress, to } = options;
      const { recording } = await recordTasks(tasks, {
        ...session.part(ChainSources).options,
        runModule: moduleRunnerOf(session),
        signal,
        onProgress,
      });
      if (to !== undefined) await writeFixture(to, session.root, recording);
      return recording;
    },

    replay: async (fixture) => {
      const session = await scope.session();
      const { kind, description } = (await session.part(SelectedProcessor).get()).info;
      if (kind !== "local") throw notLocal(session.networkName, description);
      const recording =
        typeof fixture === "string" ? await readFixture(fixture, session.root) : parseRecording(fixture);
      const opened = await openRecording(recording);
      const stop = session.part(ChainSources).replay(opened);
      return { taskHashes: opened.taskHashes, chains: [...opened.readers.keys()], stop };
    },
  };
}

async function knownTasks(input: unknown, session: Session): Promise<readonly KnownTask[]> {
  if (typeof input === "string" && isTaskHash(input)) return [await session.part(KnownTasks).find(input)];
  const { destinationChainId, tasks } = await readTaskInput(input, session);
  return tasks.map((task) => ({ task, destinationChainId }));
}

async function storedWords(
  session: Session,
  destination: ChainIdentifier,
  address: Address | undefined,
): Promise<StoredWords> {
  const store = await (await destinationStore(destination, session)).openForReading(address);
  return {
    address: store.address,
    read: async (hash) =>
      (await store.status(hash)) === "finalized" ? (await store.readResult(hash)).word : undefined,
  };
}

function taskAt(tasks: readonly Task[], position: number): Task {
  const task = Number.isInteger(position) && position >= 1 ? tasks[position - 1] : undefined;
  if (task !== undefined) return task;
  throw new HdpError({
    code: "HDP-6205",
    path: "task",
    message: `there is no task ${position}: the request has ${tasks.length}.`,
    hints: [`Tasks are counted from 1 to ${tasks.length}.`],
  });
}

function notLocal(network: string, description: string): HdpError {
  return new HdpError({
    code: "HDP-6203",
    message: `recorded chain data cannot be replayed on network "${network}": its tasks go to the ${description}.`,
    hints: ['Replay on an in-process network, or on one with hdp.dataProcessor set to "local".'],
  });
}
