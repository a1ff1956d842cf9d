import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";
import type { Address } from "viem";

import { explainTask, requireDatalake, type Explanation } from "../compute/explain-task.js";
import { openRecording } from "../chain/recording/recorded-chain.js";
import { recordTasks } from "../compute/record-tasks.js";
import { parseRecording, type Recording } from "../chain/recording/recording.js";
import { verifyTask, type StoredWords, type TaskVerification } from "../compute/verify-task.js";
import type { ChainIdentifier } from "../request/chains.js";
import { HdpError } from "../base/errors.js";
import type { Task } from "../request/task.js";
import { ChainSources } from "./chain-sources.js";
import { connectionModules } from "./connection-modules.js";
import { destinationStore } from "./destination-store.js";
import { defaultDestination } from "./destination.js";
import { readFixture, writeFixture } from "./fixture-file.js";
import type { ExplainOptions, InspectionActions, RecordOptions, Replay, VerifyOptions } from "./inspection-types.js";
import { knownPrograms } from "./known-programs.js";
import { findTask, type KnownTask } from "./known-tasks.js";
import { isTaskHash } from "./parse-arguments.js";
import { atTheEdge } from "./plugin-error.js";
import { readTaskInput, type TaskInputContext } from "./task-input.js";
import type { TaskInput, VerifyReport } from "./types.js";

/** What `connection.hdp` offers for looking into tasks and results. Keeps nothing: state is the connection's. */
export class Inspection implements InspectionActions {
  readonly #context: HookContext;
  readonly #connection: NetworkConnection<string>;
  readonly #sources: ChainSources;

  public constructor(context: HookContext, connection: NetworkConnection<string>) {
    this.#context = context;
    this.#connection = connection;
    this.#sources = ChainSources.of(connection);
  }

  public async verify(input: TaskInput, options: VerifyOptions = {}): Promise<VerifyReport> {
    return await atTheEdge(async () => {
      const known = await this.#knownTasks(input);
      const readerFor = this.#sources.readers(this.#context, options.signal);
      const { concurrency } = this.#connection.networkConfig.hdp.local;
      const runModule = connectionModules(this.#context, this.#connection);
      const results: TaskVerification[] = [];
      for (const { task, destinationChainId } of known) {
        const store = await this.#storedWords(destinationChainId, options.store);
        results.push(await verifyTask(task, { readerFor, store, runModule, concurrency, signal: options.signal }));
      }
      const [first] = results;
      if (first === undefined) throw new Error("a request without tasks was parsed");
      return { ...first, agrees: results.every(({ agrees }) => agrees), results };
    });
  }

  public async explain(input: TaskInput, { task: position = 1, signal }: ExplainOptions = {}): Promise<Explanation> {
    return await atTheEdge(async () => {
      const tasks = await this.#tasks(input);
      const task = requireDatalake(taskAt(tasks, position));
      const reader = await this.#sources.readers(this.#context, signal)(task.datalake.chainId);
      const { concurrency } = this.#connection.networkConfig.hdp.local;
      return await explainTask(reader, task, { concurrency, signal });
    });
  }

  public async record(input: TaskInput | readonly string[], options: RecordOptions = {}): Promise<Recording> {
    return await atTheEdge(async () => {
      const inputs = isPaths(input) ? input : [input];
      const tasks: Task[] = [];
      for (const one of inputs) tasks.push(...(await this.#tasks(one)));
      const { signal, onProgress, to } = options;
      const { concurrency } = this.#connection.networkConfig.hdp.local;
      const { recording } = await recordTasks(tasks, {
        providerFor: async (chain) => await this.#sources.providerFor(chain, this.#context),
        runModule: connectionModules(this.#context, this.#connection),
        concurrency,
        signal,
        onProgress,
      });
      if (to !== undefined) await writeFixture(to, this.#root, recording);
      return recording;
    });
  }

  public async replay(fixture: string | object): Promise<Replay> {
    return await atTheEdge(async () => {
      const { kind, description } = await this.#connection.hdp.processor();
      if (kind !== "local") throw notLocal(this.#connection.networkName, description);
      const recording = typeof fixture === "string" ? await readFixture(fixture, this.#root) : parseRecording(fixture);
      const opened = await openRecording(recording);
      const stop = this.#sources.replay(opened);
      return { taskHashes: opened.taskHashes, chains: [...opened.readers.keys()], stop };
    });
  }

  get #root(): string {
    return this.#context.config.paths.root;
  }

  get #inputContext(): TaskInputContext {
    return { projectRoot: this.#root, programs: knownPrograms(this.#context.config) };
  }

  async #knownTasks(input: TaskInput): Promise<readonly KnownTask[]> {
    if (typeof input === "string" && isTaskHash(input)) return [await findTask(this.#connection, input)];
    const { destinationChainId, tasks } = await readTaskInput(
      input,
      this.#inputContext,
      async () => await defaultDestination(this.#connection),
    );
    return tasks.map((task) => ({ task, destinationChainId }));
  }

  async #tasks(input: TaskInput): Promise<readonly Task[]> {
    // Where results would go does not matter to what is read.
    return (await readTaskInput(input, this.#inputContext, async () => "ETHEREUM_SEPOLIA")).tasks;
  }

  async #storedWords(destination: ChainIdentifier, address: Address | undefined): Promise<StoredWords> {
    const stores = await destinationStore(destination, this.#connection, this.#context);
    const store = await stores.openForReading(address);
    return {
      address: store.address,
      read: async (hash) =>
        (await store.status(hash)) === "finalized" ? (await store.readResult(hash)).word : undefined,
    };
  }
}

function isPaths(input: TaskInput | readonly string[]): input is readonly string[] {
  return Array.isArray(input) && input.every((item) => typeof item === "string");
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
