import { appendFileSync, existsSync, readFileSync, writeSync } from "node:fs";

import type { Database, DatabaseOptions } from "../../../src/base/sqlite.js";
import { isHdpError } from "../../../src/errors/hdp-error.js";
import type { TaskStatus } from "../../../src/request/data-processor.js";
import type { TaskResult } from "../../../src/request/task-result.js";
import { Pipeline } from "../../../src/submission/pipeline.js";
import { settle } from "../../../src/submission/settle.js";
import { SubmissionStore } from "../../../src/submission/submission-store.js";
import { awaitSubmission } from "../../../src/service/data-processor/remote-data-processor.js";
import { RemoteSubmissions } from "../../../src/submission/remote-submissions.js";
import type { Submissions } from "../../../src/submission/submissions.js";
import { nodeSystem } from "../../../src/submission/system.js";
import { watchDatabases } from "../../support/watched-database.js";
import { outcomeOf, requestOf, TestService, TestStore } from "../world.js";

/** What a process is asked to do with a project's database; it dies at its `killAt`-th step. */
export interface ChildJob {
  readonly path: string;
  /** A file with a line for each task that the service has accepted. */
  readonly accepted: string;
  readonly blocks: readonly number[];
  /** Whether it goes on with what another process left. Default: it submits and awaits. */
  readonly resumes?: boolean;
  readonly killAt?: number;
  /** The step at which it is suspended, after a line on standard output. */
  readonly stopAt?: number;
}

/** A service whose memory is a file: what it accepted survives its callers. */
export class FileService extends TestService {
  readonly #file: string;

  public constructor(file: string) {
    super();
    this.#file = file;
    this.onArrival = () => {
      const { hashes, id } = this.arrivals.at(-1) ?? { hashes: [], id: "" };
      appendFileSync(file, hashes.map((hash) => `${id} ${hash}\n`).join(""));
      step();
    };
  }

  public override async submit(
    ...args: Parameters<TestService["submit"]>
  ): ReturnType<TestService["submit"]> {
    step();
    this.ids.push(`task-${acceptedIn(this.#file).length + 1}`);
    return await super.submit(...args);
  }

  public override async status(): Promise<TaskStatus> {
    step();
    return await Promise.resolve({ name: "DONE", phase: "finalized" });
  }
}

/** Lines of the service's file: its id and the task hash. */
export function acceptedIn(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

let steps = 0;
let killAt = Infinity;
let stopAt = Infinity;

function step(): void {
  steps += 1;
  if (steps === killAt) process.kill(process.pid, "SIGKILL");
  if (steps !== stopAt) return;
  writeSync(1, "suspended\n");
  process.kill(process.pid, "SIGSTOP");
}

interface OverOptions {
  /** Lines of what is in the execution store. Default: all that was accepted. */
  readonly finalized?: readonly string[];
  /** Milliseconds that a process which is sending the same is waited for. */
  readonly patience?: number;
  readonly open?: (options: DatabaseOptions) => Database;
}

/** Submissions of a process over the file, where what was accepted is finalized. */
export function submissionsOver(
  path: string,
  accepted: string,
  { finalized = acceptedIn(accepted), ...impatience }: OverOptions = {},
): Submissions {
  const results = new TestStore();
  for (const line of finalized) results.put(`0x${(line.split(" 0x")[1] ?? "").slice(0, 64)}`, 7n);
  return new RemoteSubmissions({
    awaitEnd: awaitSubmission,
    processor: new FileService(accepted),
    store: new SubmissionStore({ path, now: Date.now, open: impatience.open }),
    system: nodeSystem,
    ...impatience,
    network: "sepolia",
    place: { host: "hdp.example.org", endpoint: "e" },
    outcomeOf,
    destination: async () =>
      await Promise.resolve({
        chain: async () => await Promise.resolve(results.chain),
        openForReading: async () => await Promise.resolve(results.opened),
      }),
    warn: () => undefined,
    timeout: 5_000,
  });
}

/**
 * Does what a user does after a crash: gives the command again and, where the outcome of a submission is unknown, records
 * what the service shows; then awaits it and reads the results.
 */
export async function resumeOver(
  path: string,
  accepted: string,
  ...blocks: readonly number[]
): Promise<TaskResult[]> {
  const request = requestOf(...blocks);
  await submissionsOver(path, accepted)
    .submit(request)
    .catch(async (error: unknown) => {
      if (!isHdpError(error, "HDP-5005")) throw error;
      const store = new SubmissionStore({ path, now: Date.now });
      const record = store
        .list()
        .findLast(({ state }) => state === "sending" || state === "unknown");
      if (record === undefined) throw error;
      const serviceId = acceptedIn(accepted)[0]?.split(" ")[0];
      const finding =
        serviceId === undefined
          ? ({ as: "lost" } as const)
          : ({ as: "accepted", serviceId } as const);
      await settle(store, new Pipeline({ store, system: nodeSystem, outcomeOf }), record, finding);
      store.close();
    });
  const submission = await submissionsOver(path, accepted).submit(request);
  const { results } = await submissionsOver(path, accepted).finish(submission);
  return [...(await results())];
}

const [, , text] = process.argv;
if (text?.startsWith("{") === true) {
  const job = JSON.parse(text) as ChildJob;
  killAt = job.killAt ?? Infinity;
  stopAt = job.stopAt ?? Infinity;
  // Every statement that writes, and every transaction, is a step before and after it.
  watchDatabases(["run", "transaction"], () => {
    step();
    return step;
  });
  if (job.resumes === true) {
    await resumeOver(job.path, job.accepted, ...job.blocks);
  } else {
    const submission = await submissionsOver(job.path, job.accepted).submit(
      requestOf(...job.blocks),
    );
    const { results } = await submissionsOver(job.path, job.accepted).finish(submission);
    await results();
  }
  process.stdout.write(`ended ${steps}\n`);
}
