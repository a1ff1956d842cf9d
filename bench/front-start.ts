// The local front's start with a data folder of 100,000 finished tasks: until it answers, and the memory it takes.
import { fork } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sealLine } from "../src/base/log-line.js";
import { startLocalFront, type FrontProcessor, type LocalFront } from "../src/entries/local.js";
import { taskHash } from "../src/request/task-hash.js";
import { row } from "./measure.js";

const TASKS = 100_000;

const processor: FrontProcessor = {
  submit: (request) =>
    Promise.resolve({
      ...{ id: "one", processor: "local", destinationChainId: request.destinationChainId },
      taskHashes: request.tasks.map((task) => taskHash(task)),
    }),
  wait: () => Promise.resolve({ name: "Finalized", phase: "finalized" }),
  results: ({ taskHashes }) =>
    Promise.resolve(
      taskHashes.map((hash) => ({
        ...{ taskHash: hash, word: `0x${"0".repeat(63)}7`, value: 7n, store: `0x${"0".repeat(40)}` },
      })),
    ),
};

async function start(dataDir: string): Promise<LocalFront> {
  return await startLocalFront({
    ...{ processor, dataDir },
    providerFor: () => ({ request: () => Promise.reject(new Error("nothing is read")) }),
  });
}

const SUBMITTED = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [
    {
      type: "DatalakeCompute",
      datalake: {
        ...{ type: "BlockSampled", chainId: "ETHEREUM_SEPOLIA", blockRangeStart: 0, blockRangeEnd: 10 },
        sampledProperty: "header.base_fee_per_gas",
      },
      compute: { aggregateFnId: "avg" },
    },
  ],
};

/** The log of a front that finished one task, with the lines of that task for each of many. */
async function writeLog(dataDir: string): Promise<void> {
  const front = await start(dataDir);
  const headers = { "content-type": "application/json", "X-API-KEY": "bench" };
  const reply = await fetch(`${front.url}/tasks`, { method: "POST", headers, body: JSON.stringify(SUBMITTED) });
  if (!reply.ok) throw new Error(await reply.text());
  await front.close();
  const path = join(dataDir, "front.jsonl");
  const lines = (await readFile(path, "utf8"))
    .trim()
    .split("\n")
    .map((line) => line.replace(/,"sum":"\w+"\}$/, "}"));
  const id = (JSON.parse(lines[0] ?? "") as { id: string }).id;
  const out = createWriteStream(path);
  for (let task = 0; task < TASKS; task += 1) {
    const other = `00000000-0000-4000-8000-${task.toString().padStart(12, "0")}`;
    const text = lines.map((line) => `${sealLine(line.replaceAll(id, other))}\n`).join("");
    if (!out.write(text)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
}

async function parent(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hdp-bench-front-"));
  try {
    await writeLog(folder);
    const started = fork(import.meta.filename, [folder], { execArgv: ["--import", "tsx"] });
    const [{ ms, mebibytes }] = (await once(started, "message")) as [{ ms: number; mebibytes: number }];
    row({ name: "front with 100,000 tasks, start", value: ms, aim: 1_000 });
    row({ name: "front with 100,000 tasks, memory", value: mebibytes, unit: "MiB", aim: 400 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function child(dataDir: string): Promise<void> {
  const begun = performance.now();
  const front = await start(dataDir);
  const ms = performance.now() - begun;
  await front.close();
  const mebibytes = process.resourceUsage().maxRSS / 1024;
  process.send?.({ ms, mebibytes }, () => process.exit());
}

await (process.argv[2] === undefined ? parent() : child(process.argv[2]));
