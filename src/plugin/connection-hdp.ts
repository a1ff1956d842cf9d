import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";
import { type Hex, pad, toHex } from "viem";

import { HdpError } from "../base/errors.js";
import type { FaultQueue } from "../processor/faults/fault-queue.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { Submission, TaskResult, TaskStatus } from "../request/lifecycle.js";
import { taskHash } from "../request/task-hash.js";
import type { Task } from "../request/task.js";
import { finalizeTasks } from "../store/finalize.js";
import { ConnectionStores } from "./connection-stores.js";
import { destinationStore, type DestinationStore } from "./destination-store.js";
import { defaultDestination, parseDestination } from "./destination.js";
import { knownPrograms } from "./known-programs.js";
import { rememberTasks } from "./known-tasks.js";
import { atTheEdge } from "./plugin-error.js";
import { type ConnectedProcessor, selectProcessor } from "./processors.js";
import { readTaskInput } from "./task-input.js";
import type {
  AwaitOptions,
  DeployStoreOptions,
  FinishedSubmission,
  HdpActions,
  ProcessorInfo,
  ReadResultOptions,
  RunOptions,
  RunResult,
  StoreHandle,
  SubmitOptions,
  TaskInput,
} from "./types.js";

/** `connection.hdp`, loaded at its first use. */
export class ConnectionHdp implements HdpActions {
  readonly #context: HookContext;
  readonly #connection: NetworkConnection<string>;
  readonly #faults: FaultQueue;
  #processor: Promise<ConnectedProcessor> | undefined;

  public constructor(context: HookContext, connection: NetworkConnection<string>, faults: FaultQueue) {
    this.#context = context;
    this.#connection = connection;
    this.#faults = faults;
  }

  public async submit(input: TaskInput, options: SubmitOptions = {}): Promise<Submission> {
    return await atTheEdge(async () => {
      const request = await readTaskInput(
        input,
        { projectRoot: this.#context.config.paths.root, programs: knownPrograms(this.#context.config) },
        async () => await defaultDestination(this.#connection),
      );
      const submission = await (await this.#selected()).submit(request, options);
      rememberTasks(this.#connection, request);
      return submission;
    });
  }

  public async await(submission: Submission | string, options: AwaitOptions = {}): Promise<FinishedSubmission> {
    return await atTheEdge(async () => {
      const processor = await this.#selected();
      const known = await processor.find(submission);
      const timeout = options.timeout ?? this.#connection.networkConfig.hdp.timeouts.await;
      const status = await processor.wait(known, { ...options, timeout });
      return { submission: known, taskHashes: known.taskHashes, status };
    });
  }

  public async status(submission: Submission | string): Promise<TaskStatus> {
    return await atTheEdge(async () => {
      const processor = await this.#selected();
      return await processor.status(await processor.find(submission));
    });
  }

  public async readResult(task: Hex | Task, options: ReadResultOptions = {}): Promise<TaskResult> {
    return await atTheEdge(async () => {
      const hash = asTaskHash(task);
      const processor = await this.#selected();
      const { destination } = options;
      const chain = destination === undefined ? processor.destinationOf(hash) : parseDestination(destination);
      const store = await (await this.#storeOf(chain)).openForReading(options.store);
      return await processor.annotate(await store.readResult(hash));
    });
  }

  public async run(input: TaskInput, options: RunOptions = {}): Promise<RunResult> {
    const submission = await this.submit(input, options);
    await this.await(submission, options);
    const results = await Promise.all(submission.taskHashes.map(async (hash) => await this.readResult(hash)));
    const [first] = results;
    if (first === undefined) throw new Error("a submission without tasks was accepted");
    return { ...first, results };
  }

  public async deployExecutionStore(options: DeployStoreOptions = {}): Promise<StoreHandle> {
    return await atTheEdge(async () => await ConnectionStores.of(this.#connection).deploy(options));
  }

  public async finalize(task: Hex | Task, value: bigint | Hex): Promise<TaskResult> {
    return await atTheEdge(async () => {
      const hash = asTaskHash(task);
      const word = asWord(value);
      const stores = ConnectionStores.of(this.#connection);
      // Plainly, also where results are proven otherwise: a value of one's choice has no proof.
      const { address: store } = await stores.current();
      const from = await stores.operator();
      const results = [{ taskHash: hash, word }];
      const { transactionHash, blockNumber, gasUsed } = await finalizeTasks({
        ...{ provider: stores.provider, store, from, results },
      });
      return { taskHash: hash, word, value: BigInt(word), store, transactionHash, blockNumber, gasUsed };
    });
  }

  public async store(): Promise<StoreHandle> {
    return await atTheEdge(async () => await ConnectionStores.of(this.#connection).current());
  }

  public async processor(): Promise<ProcessorInfo> {
    return await atTheEdge(async () => (await this.#selected()).info);
  }

  async #selected(): Promise<ConnectedProcessor> {
    this.#processor ??= selectProcessor(this.#context, this.#connection, this.#faults);
    const processor = await this.#processor;
    if (processor.info.kind === "remote" && this.#faults.waiting.length > 0) throw faultsOfAService(processor.info);
    return processor;
  }

  async #storeOf(destination: ChainIdentifier | undefined): Promise<DestinationStore> {
    return destination === undefined
      ? ConnectionStores.of(this.#connection)
      : await destinationStore(destination, this.#connection, this.#context);
  }
}

function faultsOfAService({ description }: ProcessorInfo): HdpError {
  return new HdpError({
    code: "HDP-6060",
    message: `faults were injected, but tasks go to the ${description}.`,
    hints: [
      'Faults happen in the local data processor: use a network without a service, or dataProcessor: "local".',
      "To see a client under HTTP faults, start the local front with them. Take these back with hdp.faults.clear().",
    ],
  });
}

function asTaskHash(task: Hex | Task): Hex {
  return typeof task === "string" ? task : taskHash(task);
}

/** A result as the stored word; what does not fit 256 bits is a mistake, not a wrap. */
function asWord(value: bigint | Hex): Hex {
  if (typeof value === "bigint" && value >= 0n && value < 1n << 256n) return pad(toHex(value), { size: 32 });
  if (typeof value === "string" && /^0x[0-9a-fA-F]{64}$/.test(value)) return value;
  throw new HdpError({
    code: "HDP-6013",
    path: "value",
    message: `${String(value)} is not a result.`,
    hints: ["A result is a bigint from 0 to 2^256 - 1, or 32 bytes of hex."],
  });
}
