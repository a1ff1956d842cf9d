import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Hex } from "viem";

import { type HdpError, isHdpError } from "../../src/errors/hdp-error.js";
import { blockSampled, header } from "../../src/entries/request.js";
import type {
  DataProcessor,
  SubmissionPart,
  SubmitOptions,
  TaskStatus,
} from "../../src/request/data-processor.js";
import type { Task, TaskRequest } from "../../src/request/task.js";
import type { TaskResult } from "../../src/request/task-result.js";
import { taskHash } from "../../src/request/task-hash.js";
import {
  type ExecutionStore,
  NotFinalizedError,
  type StoredStatus,
} from "../../src/store/execution-store.js";
import type { InProcessProcessor } from "../../src/submission/backend/local-data-processor.js";
import { serviceAddress } from "../../src/submission/model.js";
import { SubmissionStore } from "../../src/submission/submission-store.js";
import {
  LocalSubmissions,
  type LocalSubmissionsOptions,
} from "../../src/submission/local-submissions.js";
import { awaitSubmission } from "../../src/service/data-processor/remote-data-processor.js";
import {
  RemoteSubmissions,
  type RemoteSubmissionsOptions,
} from "../../src/submission/remote-submissions.js";
import type { DestinationChain, SubmissionsOptions } from "../../src/submission/submissions.js";
import type { System } from "../../src/submission/system.js";
import { fakeClock, type FakeClock } from "../support/fake-clock.js";
import { watchDatabases } from "../support/watched-database.js";

export const STORE = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

/** A task that differs from others by its first block. */
export function taskOf(block: number): Task {
  return blockSampled({ from: block, to: block + 10, property: header("base_fee_per_gas") }).avg();
}

export const hashOf = (block: number): Hex => taskHash(taskOf(block));

export function requestOf(...blocks: number[]): TaskRequest {
  return { destinationChainId: "ETHEREUM_SEPOLIA", tasks: blocks.map(taskOf) };
}

export function moduleRequest(
  roots: Record<string, Hex> | undefined,
  secret: Hex = "0x7",
): TaskRequest {
  const inputs = [
    { visibility: "public", value: "0x1" },
    { visibility: "private", value: secret },
  ] as const;
  const task: Task = {
    type: "Module",
    programHash: "0xabc",
    inputs,
    ...(roots === undefined ? {} : { injectedState: roots }),
  };
  return { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [task] };
}

export class Refusal extends Error {}

export const outcomeOf = (error: unknown): "refused" | "unknown" =>
  error instanceof Refusal ? "refused" : "unknown";

/** A service that remembers what reached it, independent of what its callers believe. */
export class TestService implements DataProcessor {
  public readonly name: string = "tasks";
  public readonly arrivals: {
    readonly hashes: readonly Hex[];
    readonly id: string;
    readonly key: string | undefined;
  }[] = [];
  public readonly states = new Map<string, TaskStatus>();
  public readonly asked: SubmissionPart[] = [];
  public answer: "accept" | "refuse" | "cut-before" | "cut-after" = "accept";
  /** Called as a request arrives; what it returns is awaited before the answer. */
  public onArrival: () => Promise<void> | void = () => undefined;
  public serviceTaskHashes: readonly Hex[] | undefined;
  readonly ids: string[] = [];

  public async submit(request: TaskRequest, options?: SubmitOptions): Promise<SubmissionPart> {
    const hashes = request.tasks.map((task) => taskHash(task));
    const id = this.ids.shift() ?? `task-${this.arrivals.length + 1}`;
    if (this.answer === "cut-before")
      throw new Error("socket hang up https://key@host/?apiKey=s3cret");
    if (this.answer !== "refuse") {
      this.arrivals.push({ hashes, id, key: options?.idempotencyKey });
      this.states.set(id, { name: "RECEIVED", phase: "pending" });
    }
    await this.onArrival();
    if (this.answer === "refuse") throw new Refusal("the service said no");
    if (this.answer === "cut-after")
      throw new Error("socket hang up https://key@host/?apiKey=s3cret");
    return {
      id,
      processor: this.name,
      destinationChainId: request.destinationChainId,
      taskHashes: hashes,
      ...(this.serviceTaskHashes === undefined
        ? {}
        : { serviceTaskHashes: this.serviceTaskHashes }),
    };
  }

  public async status(submission: SubmissionPart): Promise<TaskStatus> {
    this.asked.push(submission);
    return await Promise.resolve(
      this.states.get(submission.id) ?? { name: "UNHEARD_OF", phase: "pending" },
    );
  }
}

/** The same as a data processor in this process: it can be awaited. */
export class InProcessService extends TestService implements InProcessProcessor {
  public async wait(submission: SubmissionPart): Promise<TaskStatus> {
    return await this.status(submission);
  }

  public async results(): Promise<readonly TaskResult[]> {
    return await Promise.resolve([]);
  }
}

/** An execution store whose results are put in by hand. */
export class TestStore {
  public readonly words = new Map<Hex, Hex>();
  public reads = 0;
  /** Of transactions. */
  public readonly blocks = new Map<Hex, bigint>();
  public chain: DestinationChain = { genesis: `0x${"01".repeat(32)}`, startsAnew: false };

  public put(hash: Hex, value: bigint): TaskResult {
    const word: Hex = `0x${value.toString(16).padStart(64, "0")}`;
    this.words.set(hash, word);
    return { taskHash: hash, word, value, store: STORE };
  }

  readonly #result = (hash: Hex): TaskResult => {
    const word = this.words.get(hash);
    if (word === undefined) throw new NotFinalizedError(hash, "none", STORE);
    return { taskHash: hash, word, value: BigInt(word), store: STORE };
  };

  readonly #status = (hash: Hex): StoredStatus => (this.words.has(hash) ? "finalized" : "none");

  public readonly opened: ExecutionStore = {
    address: STORE,
    kind: "execution-store",
    readResult: async (hash) => await Promise.resolve(this.#result(hash)),
    readResults: async (hashes) => {
      this.reads += 1;
      return await Promise.resolve(hashes.map(this.#result));
    },
    status: async (hash) => await Promise.resolve(this.#status(hash)),
    statuses: async (hashes) => await Promise.resolve(hashes.map(this.#status)),
  };
}

/** A project's database, a service, an execution store, and as many processes as are started. */
export class World {
  public readonly folder: string;
  public readonly path: string;
  public readonly service = new TestService();
  public readonly store = new TestStore();
  public readonly clock: FakeClock = fakeClock(Date.parse("2026-01-01T00:00:00.000Z"));
  public readonly warnings: unknown[] = [];
  /** Numbers of processes that have ended. */
  public readonly ended = new Set<number>();
  readonly #opened: SubmissionStore[] = [];
  #ids = 0;

  private constructor(folder: string) {
    this.folder = folder;
    this.path = join(folder, "hdp", "submissions.db");
  }

  public static async create(): Promise<World> {
    return new World(await mkdtemp(join(tmpdir(), "hdp-submissions-")));
  }

  public async remove(): Promise<void> {
    for (const store of this.#opened) store.close();
    await rm(this.folder, { recursive: true });
  }

  /** The database as one process has it open. */
  public open(path: string | undefined = this.path): SubmissionStore {
    const store = new SubmissionStore({ path, now: () => this.clock.now() });
    this.#opened.push(store);
    return store;
  }

  public system(pid = 1): System {
    return {
      clock: this.clock,
      random: Math.random,
      newId: () => `id-${(this.#ids += 1)}`,
      processes: {
        self: `here:${pid}`,
        mayRun: (name) => !this.ended.has(Number(name.split(":")[1])),
      },
    };
  }

  /** A process that submits to the service. */
  public process(
    pid = 1,
    options: Partial<RemoteSubmissionsOptions> & { readonly url?: string } = {},
  ): RemoteSubmissions {
    const { url = "https://user:pw@hdp.example.org/v1?apiKey=s3cret", ...others } = options;
    return new RemoteSubmissions({
      awaitEnd: awaitSubmission,
      ...this.#common(pid),
      processor: this.service,
      place: serviceAddress(new URL(url)),
      outcomeOf,
      ...others,
    });
  }

  /** A process that submits to its local data processor. */
  public local(
    pid: number,
    processor: ReturnType<LocalSubmissionsOptions["processor"]>,
    options: Partial<LocalSubmissionsOptions> = {},
  ): LocalSubmissions {
    return new LocalSubmissions({
      ...this.#common(pid),
      processor: () => processor,
      ...options,
    });
  }

  #common(pid: number): SubmissionsOptions {
    return {
      store: this.open(),
      system: this.system(pid),
      network: "sepolia",
      destination: async () =>
        await Promise.resolve({
          chain: async () => await Promise.resolve(this.store.chain),
          transactionBlock: async (hash) => await Promise.resolve(this.store.blocks.get(hash)),
          openForReading: async () => await Promise.resolve(this.store.opened),
        }),
      warn: (problem) => this.warnings.push(problem),
      timeout: 60_000,
    };
  }
}

/** Makes a world before each test of a suite, and removes it after the test. */
export function withWorld(begin: (world: World) => void): void {
  let world: World;
  beforeEach(async () => {
    world = await World.create();
    begin(world);
  });
  afterEach(async () => {
    await world.remove();
  });
}

/** How often databases are read while something is done, and how many rows they return. */
export async function readsOf(
  action: () => Promise<unknown>,
): Promise<{ readonly calls: number; readonly rows: number }> {
  const reads = { calls: 0, rows: 0 };
  const stop = watchDatabases(["all", "get"], () => {
    reads.calls += 1;
    return (result) => {
      if (result !== undefined) reads.rows += Array.isArray(result) ? result.length : 1;
    };
  });
  try {
    await action();
  } finally {
    stop();
  }
  return reads;
}

/** The HdpError that an action ends with. */
export async function errorOf(action: () => unknown): Promise<HdpError> {
  try {
    await action();
  } catch (error) {
    if (isHdpError(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
