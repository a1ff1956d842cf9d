import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";
import { pad, toHex, type Hex } from "viem";

import type { ChainIdentifier } from "../request/chains.js";
import { HdpError } from "../request/errors.js";
import type { Submission, TaskResult, TaskStatus } from "../request/lifecycle.js";
import { taskHash } from "../request/task-hash.js";
import type { Task } from "../request/task.js";
import { ConnectionStores } from "./connection-stores.js";
import { defaultDestination, parseDestination } from "./destination.js";
import { destinationStore, type DestinationStore } from "./destination-store.js";
import { selectProcessor, type ConnectedProcessor } from "./processors.js";
import { atTheEdge } from "./plugin-error.js";
import { readTaskInput } from "./task-input.js";
import type {
  AwaitOptions,
  FinishedSubmission,
  HdpConnection,
  ProcessorInfo,
  ReadResultOptions,
  RunOptions,
  RunResult,
  StoreHandle,
  SubmitOptions,
  TaskInput,
} from "./types.js";

/** `connection.hdp`, loaded at its first use. */
export class ConnectionHdp implements HdpConnection {
  readonly #context: HookContext;
  readonly #connection: NetworkConnection<string>;
  #processor: Promise<ConnectedProcessor> | undefined;

  public constructor(context: HookContext, connection: NetworkConnection<string>) {
    this.#context = context;
    this.#connection = connection;
  }

  public async submit(input: TaskInput, options: SubmitOptions = {}): Promise<Submission> {
    return await atTheEdge(async () => {
      const request = await readTaskInput(
        input,
        this.#context.config.paths.root,
        async () => await defaultDestination(this.#connection),
      );
      return await (await this.#selected()).submit(request, options);
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

  public async deployExecutionStore(): Promise<StoreHandle> {
    return await atTheEdge(async () => await ConnectionStores.of(this.#connection).deploy());
  }

  public async finalize(task: Hex | Task, value: bigint | Hex): Promise<TaskResult> {
    return await atTheEdge(async () => {
      const hash = asTaskHash(task);
      const word = asWord(value);
      const finalized = await ConnectionStores.of(this.#connection).finalize([{ taskHash: hash, word }]);
      return { taskHash: hash, word, value: BigInt(word), ...finalized };
    });
  }

  public async store(): Promise<StoreHandle> {
    return await atTheEdge(async () => await ConnectionStores.of(this.#connection).current());
  }

  public async processor(): Promise<ProcessorInfo> {
    return await atTheEdge(async () => (await this.#selected()).info);
  }

  async #selected(): Promise<ConnectedProcessor> {
    this.#processor ??= selectProcessor(this.#context, this.#connection);
    return await this.#processor;
  }

  async #storeOf(destination: ChainIdentifier | undefined): Promise<DestinationStore> {
    return destination === undefined
      ? ConnectionStores.of(this.#connection)
      : await destinationStore(destination, this.#connection, this.#context);
  }
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
