// A journal of 100,000 finished submissions: reading it with and without the index beside it, a look at it while
// waiting, a submission, and the memory.
import { fork } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sealLine } from "../src/base/log-line.js";
import { JournaledDataProcessor } from "../src/journal/journaled-data-processor.js";
import { openJournal } from "../src/plugin/open-journal.js";
import type { TaskResult } from "../src/request/lifecycle.js";
import type { TaskRequest } from "../src/request/task.js";
import { taskHash } from "../src/request/task-hash.js";
import { milliseconds, percentile, row, sampledBlocks } from "./measure.js";

const SUBMISSIONS = 100_000;
const STATES = ["Received", "ChainProofsFetchCompleted", "TaskDecommitmentCompleted"];

const requestOf = (end: number): TaskRequest => ({
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [sampledBlocks(end, { kind: "header", field: "number" })],
});

/** A service that takes no time, behind the journal in a folder. */
function journaled(folder: string): JournaledDataProcessor {
  let looks = 0;
  return new JournaledDataProcessor({
    processor: {
      name: "bench",
      submit: ({ destinationChainId, tasks }) =>
        Promise.resolve({
          ...{ id: "service-id", processor: "bench", destinationChainId },
          taskHashes: tasks.map((task) => taskHash(task)),
        }),
      status: () => {
        const name = STATES[looks % STATES.length] ?? "";
        looks += 1;
        return Promise.resolve({ name, phase: looks % STATES.length === 0 ? "finalized" : "pending" });
      },
    },
    ...{ journal: openJournal(folder), taskHash, outcomeOf: () => "unknown", network: "sepolia" },
    endpoint: new URL("https://hdp.example.org/v1"),
  });
}

function resultOf(hash: TaskResult["taskHash"]): TaskResult {
  return { taskHash: hash, word: `0x${"0".repeat(63)}7`, value: 7n, store: `0x${"07".repeat(20)}`, blockNumber: 12n };
}

/** The journal of one submission, with its lines for each of many. */
async function writeJournal(folder: string): Promise<void> {
  const processor = journaled(folder);
  const submission = await processor.submit(requestOf(1));
  while ((await processor.status(submission)).phase === "pending") continue;
  const [hash] = submission.taskHashes;
  if (hash === undefined) throw new Error("nothing was submitted");
  await processor.recordResults([{ submission, result: resultOf(hash) }]);
  const path = join(folder, "journal.jsonl");
  const lines = (await readFile(path, "utf8"))
    .trim()
    .split("\n")
    .map((line) => line.replace(/,"sum":"\w+"\}$/, "}"));
  const { id } = JSON.parse(lines[0] ?? "") as { id: string };
  const out = createWriteStream(path);
  for (let at = 0; at < SUBMISSIONS; at += 1) {
    const digits = at.toString().padStart(12, "0");
    const other = (line: string): string =>
      line
        .replaceAll(id, `00000000-0000-4000-8000-${digits}`)
        .replaceAll(hash, `0x${digits.padStart(64, "0")}`)
        .replaceAll("service-id", `service-${digits}`);
    const text = lines.map((line) => `${sealLine(other(line))}\n`).join("");
    if (!out.write(text)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
}

interface Measured {
  readonly read: number;
  readonly look: number;
  readonly submit: number;
  readonly mebibytes: number;
}

/** A process that reads the journal, and leaves an index beside it. */
async function measuredIn(folder: string): Promise<Measured> {
  const started = fork(import.meta.filename, [folder], { execArgv: ["--import", "tsx"] });
  const [measured] = (await once(started, "message")) as [Measured];
  return measured;
}

async function parent(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hdp-bench-journal-"));
  try {
    await writeJournal(folder);
    const bare = await measuredIn(folder);
    const measured = await measuredIn(folder);
    row({ name: "journal of 100,000, first read without its index", value: bare.read, aim: 5_000 });
    row({ name: "journal of 100,000, memory without its index", value: bare.mebibytes, unit: "MiB", aim: 200 });
    row({ name: "journal of 100,000, first read", value: measured.read, aim: 2_000 });
    row({ name: "journal of 100,000, a look while waiting", value: measured.look, aim: 5 });
    row({ name: "journal of 100,000, a submit", value: measured.submit, aim: 10 });
    row({ name: "journal of 100,000, memory", value: measured.mebibytes, unit: "MiB", aim: 200 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function child(folder: string): Promise<void> {
  const processor = journaled(folder);
  const begun = performance.now();
  const submission = await processor.submit(requestOf(1_000));
  const read = performance.now() - begun;
  const looks: number[] = [];
  const submits: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    submits.push(await milliseconds(() => processor.submit(requestOf(2_000 + round))));
    looks.push(await milliseconds(() => processor.status(submission)));
  }
  const mebibytes = process.resourceUsage().maxRSS / 1024;
  const measured = { read, look: percentile(looks, 0.5), submit: percentile(submits, 0.5), mebibytes };
  process.send?.(measured, () => process.exit());
}

await (process.argv[2] === undefined ? parent() : child(process.argv[2]));
