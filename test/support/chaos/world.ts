import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { Hex } from "viem";

import { systemClock } from "../../../src/base/clock.js";
import type { Eip1193Provider } from "../../../src/base/rpc.js";
import {
  type Clock,
  HttpClient,
  isServiceFailure,
  RemoteDataProcessor,
  tasksEdition,
} from "../../../src/entries/service.js";
import {
  deployExecutionStoreMock,
  type ExecutionStore,
  finalizeTasks,
  openExecutionStore,
} from "../../../src/entries/store.js";
import { startDevServer } from "../../../src/dev-server/server.js";
import { FaultQueue } from "../../../src/submission/backend/faults/fault-queue.js";
import { InjectedFaultError } from "../../../src/submission/backend/faults/fault.js";
import {
  FaultyDataProcessor,
  faultyFinalization,
  makeForkPoint,
} from "../../../src/submission/backend/faults/faulty.js";
import { LocalDataProcessor } from "../../../src/submission/backend/local-data-processor.js";
import type { DataProcessor, SubmissionPart } from "../../../src/request/data-processor.js";
import type { TaskRequest } from "../../../src/request/task.js";
import { taskHash } from "../../../src/request/task-hash.js";
import { serviceAddress } from "../../../src/submission/model.js";
import { Pipeline } from "../../../src/submission/pipeline.js";
import { SubmissionStore } from "../../../src/submission/submission-store.js";
import { awaitSubmission } from "../../../src/service/data-processor/remote-data-processor.js";
import { RemoteSubmissions } from "../../../src/submission/remote-submissions.js";
import type { Submissions } from "../../../src/submission/submissions.js";
import { nodeSystem } from "../../../src/submission/system.js";
import { fewAccounts } from "../few-accounts.js";
import { BLOCKS, Oracle } from "./tasks.js";

/** What a service accepted, whatever its caller was told. */
export interface Accepted {
  readonly id: string;
  readonly hashes: readonly Hex[];
}

export interface Client {
  readonly store: SubmissionStore;
  readonly pipeline: Pipeline;
  readonly submissions: Submissions;
}

/** Chain, store, data processor and service that outlive every client. */
export interface World {
  readonly oracle: Oracle;
  readonly faults: FaultQueue;
  readonly store: ExecutionStore;
  /** What the service shows of what it accepted, oldest first. */
  accepted(): readonly Accepted[];
  /** Called as a request leaves the client. */
  onSend: (hashes: readonly Hex[]) => Promise<void>;
  /** A client with a database of its own. */
  client(): Client;
  /** What the data processor computed last for a task, if it did. */
  computed(hash: Hex): Hex | undefined;
  /** Time that passes as fast as the work does. */
  readonly clock: Clock;
  close(): Promise<void>;
}

/** The data processor with a list of what it was given. */
class Counted implements DataProcessor {
  public readonly name = "local";
  public readonly accepted: Accepted[] = [];
  public readonly words = new Map<Hex, Hex>();
  readonly #local: LocalDataProcessor;
  readonly #working = new Set<Promise<unknown>>();

  public constructor(local: LocalDataProcessor) {
    this.#local = local;
  }

  public async submit(request: TaskRequest): Promise<SubmissionPart> {
    const submission = await this.#local.submit(request);
    this.accepted.push({ id: submission.id, hashes: submission.taskHashes });
    const work = this.#local
      .results(submission)
      .then((results) => {
        for (const { taskHash: hash, word } of results) this.words.set(hash, word);
      })
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
    return submission;
  }

  public readonly status: DataProcessor["status"] = async (...args) =>
    await this.#local.status(...args);
  public readonly wait: LocalDataProcessor["wait"] = async (...args) =>
    await this.#local.wait(...args);
  public readonly results: LocalDataProcessor["results"] = async (...args) =>
    await this.#local.results(...args);

  public async settled(): Promise<void> {
    await Promise.all(this.#working);
  }
}

interface Parts {
  readonly remote: DataProcessor;
  readonly accepted: () => readonly Accepted[];
  readonly outcomeOf: (error: unknown) => "refused" | "unknown";
  readonly endpoint: URL;
  close(): Promise<void>;
}

/** Everything in one process: faults of the data processor are thrown at its caller. */
function inProcess(counted: Counted, faults: FaultQueue): Parts {
  /** Accepted under an id that the data processor itself does not have (yet). */
  const odd: SubmissionPart[] = [];
  let ids = 0;
  const newId = (): string => `odd-${(ids += 1)}`;
  const faulty = new FaultyDataProcessor({ processor: counted, faults, taskHash, newId });
  return {
    remote: {
      name: "local",
      submit: async (request, options) => {
        const submission = await faulty.submit(request, options);
        if (submission.id.startsWith("odd-")) odd.push(submission);
        return submission;
      },
      status: async (submission, options) => await faulty.status(submission, options),
    },
    accepted: () => {
      const passedOn = new Set(odd.map((submission) => faulty.inner(submission).id));
      const own = counted.accepted.filter(({ id }) => !passedOn.has(id));
      return [...own, ...odd.map(({ id, taskHashes }) => ({ id, hashes: taskHashes }))];
    },
    outcomeOf: (error) =>
      error instanceof InjectedFaultError && error.status === 429 ? "refused" : "unknown",
    endpoint: new URL("https://in.process"),
    close: async () => {
      await Promise.resolve();
    },
  };
}

/** Over real sockets: the development server misbehaves, and the client is the one for services. */
async function overHttp(
  counted: Counted,
  faults: FaultQueue,
  provider: Eip1193Provider,
): Promise<Parts> {
  const accepted: Accepted[] = [];
  let last = 0;
  const newId = (): string => `task-${(last += 1)}`;
  const server = await startDevServer({
    processor: counted,
    providerFor: () => provider,
    faults,
    newId,
  });
  const http = new HttpClient({
    service: "the data processor",
    url: server.url,
    apiKey: async () => await Promise.resolve("key"),
  });
  const remote = new RemoteDataProcessor({ http, edition: tasksEdition, taskHash });
  return {
    remote: {
      name: remote.name,
      submit: async (request, options) => {
        try {
          return await remote.submit(request, options);
        } finally {
          await list();
        }
      },
      status: async (submission, options) => await remote.status(submission, options),
    },
    accepted: () => accepted,
    outcomeOf: (error) =>
      isServiceFailure(error) && error.kind !== "outcome-unknown" ? "refused" : "unknown",
    endpoint: new URL(server.url),
    close: async () => {
      await server.close();
    },
  };

  /** Asks the service what it has; a burst of faults may answer in its place. */
  async function list(): Promise<void> {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const reply = await fetch(`${server.url}/tasks?hdp_tasks_per_page=100`, {
        headers: { "X-API-KEY": "key" },
      });
      if (!reply.ok) {
        await reply.body?.cancel();
        continue;
      }
      const { tasks } = (await reply.json()) as { tasks: { uuid: string; taskHash: Hex }[] };
      for (const { uuid, taskHash: hash } of tasks.reverse()) {
        if (accepted.every(({ id }) => id !== uuid)) accepted.push({ id: uuid, hashes: [hash] });
      }
      return;
    }
    throw new Error("the server does not list its tasks");
  }
}

export async function createWorld(path: "in process" | "over HTTP"): Promise<World> {
  const hre = await createHardhatRuntimeEnvironment({ networks: fewAccounts() });
  const connection = await hre.network.create();
  const { provider } = connection;
  for (let mined = 0; mined <= BLOCKS; mined += 6)
    await provider.request({ method: "hardhat_mine", params: ["0x6"] });
  const { address, from } = await deployExecutionStoreMock({ provider });
  const faults = new FaultQueue();
  const sink = faultyFinalization(
    {
      finalize: async (results: readonly { readonly taskHash: Hex; readonly word: Hex }[]) => ({
        store: address,
        ...(await finalizeTasks({ provider, store: address, from, results })),
      }),
    },
    faults,
    async () => await makeForkPoint(provider),
  );
  const counted = new Counted(
    new LocalDataProcessor({ providerFor: () => provider, sink, prove: "require" }),
  );
  const parts =
    path === "in process" ? inProcess(counted, faults) : await overHttp(counted, faults, provider);
  let now = 0;
  const world: World = {
    oracle: await Oracle.of(provider),
    faults,
    store: await openExecutionStore({ provider, address }),
    accepted: parts.accepted,
    onSend: async () => {
      await Promise.resolve();
    },
    client: () => {
      const store = new SubmissionStore({ now: () => now });
      const system = { ...nodeSystem, clock: world.clock };
      const { remote, outcomeOf, endpoint } = parts;
      const watched: DataProcessor = {
        name: remote.name,
        submit: async (request, options) => {
          await world.onSend(request.tasks.map((task) => taskHash(task)));
          return await remote.submit(request, options);
        },
        status: async (submission, options) => await remote.status(submission, options),
      };
      const submissions = new RemoteSubmissions({
        awaitEnd: awaitSubmission,
        processor: watched,
        store,
        system,
        network: "chaos",
        place: serviceAddress(endpoint),
        outcomeOf,
        destination: async () =>
          await Promise.resolve({
            chain: async () => await Promise.resolve({ startsAnew: false }),
            openForReading: async () => await Promise.resolve(world.store),
          }),
        warn: (problem) => {
          throw problem;
        },
        timeout: 3_600_000,
      });
      return { store, submissions, pipeline: new Pipeline({ store, system, outcomeOf }) };
    },
    computed: (hash) => counted.words.get(hash),
    clock: {
      now: () => now,
      monotonic: () => now,
      after: (ms, act) => systemClock.after(ms, act),
      sleep: async (ms) => {
        now += ms;
        await counted.settled();
        // Lets what follows a settled promise in the server happen as well.
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
    close: async () => {
      await parts.close();
      await connection.close();
    },
  };
  return world;
}
