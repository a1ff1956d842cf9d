// The database of submissions with 100,000 of them: the first look at it, what a submit writes, and the memory that it
// takes beside a process with an empty one.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Hex, pad, toHex } from "viem";

import type { TaskRequest } from "../src/request/task.js";
import { taskHash } from "../src/request/task-hash.js";
import type { ExecutionStore } from "../src/store/execution-store.js";
import { serviceAddress } from "../src/submission/model.js";
import { SubmissionStore } from "../src/submission/submission-store.js";
import { awaitSubmission } from "../src/service/data-processor/remote-data-processor.js";
import { RemoteSubmissions } from "../src/submission/remote-submissions.js";
import type { Submissions } from "../src/submission/submissions.js";
import { nodeSystem } from "../src/submission/system.js";
import { milliseconds, percentile, row, sampledBlocks } from "./measure.js";

const SUBMISSIONS = 100_000;
const PLACE = serviceAddress(new URL("https://hdp.example.org/v1"));
const STORE: Hex = `0x${"07".repeat(20)}`;

const requestOf = (end: number): TaskRequest => ({
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [sampledBlocks(end, { kind: "header", field: "number" })],
});

const hashAt = (at: number): Hex => pad(toHex(at), { size: 32 });

/** Finished submissions, as a project has them after its results were read. */
function fill(path: string): void {
  const store = new SubmissionStore({ path, now: Date.now });
  store.transaction(() => {
    for (let at = 0; at < SUBMISSIONS; at += 1) {
      const id = `00000000-0000-4000-8000-${at.toString().padStart(12, "0")}`;
      const hash = hashAt(at);
      const value = BigInt(at);
      store.insert({
        id,
        kind: "tasks",
        state: "sending",
        forced: false,
        network: "sepolia",
        processor: "tasks",
        ...PLACE,
        destinationChainId: "ETHEREUM_SEPOLIA",
        request: requestOf(1),
        parts: [{ hash, identity: `task ${hash}`, live: true }],
      });
      store.move(id, ["sending"], "accepted", { serviceId: `service-${at}` });
      for (const name of ["Received", "ChainProofsFetchCompleted"])
        store.observe(id, { name, phase: "pending" });
      store.observe(id, { name: "TaskDecommitmentCompleted", phase: "finalized" });
      store.recordResults(id, [
        { taskHash: hash, word: hash, value, store: STORE, blockNumber: 12n },
      ]);
    }
  });
  store.close();
}

/** Submits to a service, and an execution store, that take no time. */
function submissionsIn(path: string): Submissions {
  const opened: ExecutionStore = {
    address: STORE,
    kind: "execution-store",
    readResult: async () => await Promise.reject(new Error("not read here")),
    readResults: async () => await Promise.resolve([]),
    status: async () => await Promise.resolve("none"),
    statuses: async (hashes) => await Promise.resolve(hashes.map(() => "none")),
  };
  let ids = 0;
  return new RemoteSubmissions({
    awaitEnd: awaitSubmission,
    processor: {
      name: "tasks",
      submit: async ({ destinationChainId, tasks }) =>
        await Promise.resolve({
          id: `new-${(ids += 1)}`,
          processor: "tasks",
          destinationChainId,
          taskHashes: tasks.map((task) => taskHash(task)),
        }),
      status: async () => await Promise.resolve({ name: "Received", phase: "pending" }),
    },
    store: new SubmissionStore({ path, now: Date.now }),
    system: nodeSystem,
    network: "sepolia",
    place: PLACE,
    destination: async () =>
      await Promise.resolve({
        chain: async () => await Promise.resolve({ startsAnew: false }),
        openForReading: async () => await Promise.resolve(opened),
      }),
    outcomeOf: () => "unknown",
    warn: (problem) => console.error(problem),
    timeout: 60_000,
  });
}

interface Measured {
  readonly first: number;
  readonly submit: number;
  readonly list: number;
  readonly mebibytes: number;
}

async function measuredIn(path: string): Promise<Measured> {
  const started = fork(import.meta.filename, [path], { execArgv: ["--import", "tsx"] });
  const [measured] = (await once(started, "message")) as [Measured];
  return measured;
}

async function parent(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hdp-bench-submissions-"));
  try {
    const path = join(folder, "submissions.db");
    fill(path);
    const empty = await measuredIn(join(folder, "empty.db"));
    const full = await measuredIn(path);
    row({ name: "100,000 submissions, first look", value: full.first, aim: 3 });
    row({ name: "100,000 submissions, a search that finds nothing", value: full.list, aim: 50 });
    row({ name: "100,000 submissions, a submit's writes", value: full.submit, aim: 5 });
    const mebibytes = Math.max(full.mebibytes - empty.mebibytes, 0);
    row({ name: "100,000 submissions, memory", value: mebibytes, unit: "MiB", aim: 5 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function child(path: string): Promise<void> {
  // Node's module and the code are loaded: what is measured is this file.
  new SubmissionStore({ now: Date.now }).list();
  const store = new SubmissionStore({ path, now: Date.now });
  const begun = performance.now();
  store.withHashes([hashAt(SUBMISSIONS / 2)]);
  const first = performance.now() - begun;
  // No filter helps: each is of a row that all submissions before fail.
  const searched = performance.now();
  store.list({ states: ["failed"], since: new Date(0), network: "none", label: "x", newest: 50 });
  store.list({ unfinished: true, newest: 50 });
  store.list({ newest: 50 });
  const list = (performance.now() - searched) / 3;
  store.close();
  const submissions = submissionsIn(path);
  const submits: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    submits.push(await milliseconds(() => submissions.submit(requestOf(2_000 + round))));
  }
  const mebibytes = process.resourceUsage().maxRSS / 1024;
  process.send?.({ first, list, submit: percentile(submits, 0.5), mebibytes }, () =>
    process.exit(),
  );
}

await (process.argv[2] === undefined ? parent() : child(process.argv[2]));
