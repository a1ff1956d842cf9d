// The memory by which 10,000 submissions grow the development server, without a data folder, once it has taken 10,000:
// until then what grows is Node's, which compiles what runs often: 92 MiB by as many requests that are refused, of 137 MiB
// by those that are kept. The rows themselves take 24 MiB, partly where Node has
// freed memory before. A stub computes, since a chain keeps its blocks, 14 kB each.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

import { startDevServer } from "../src/entries/local.js";
import { toTaskRequestJson } from "../src/request/task-json.js";
import { finishedProcessor } from "./finished-processor.js";
import { bounded, row, sampledBlocks } from "./measure.js";

const [WARM_UP, SUBMISSIONS] = [10_000, 10_000];
const WIDTH = 20;
/** An eighth of the first measurement: 430 MB. */
const AIM_MIB = 51;

const HEADERS = { "content-type": "application/json", "X-API-KEY": "bench" };

const processor = finishedProcessor((hash) => ({
  taskHash: hash,
  word: hash,
  value: 7n,
  store: `0x${"0".repeat(40)}`,
  transactionHash: hash,
  blockNumber: 7n,
}));

/** Submits a task of its own, and polls until it has ended. */
async function submitOne(url: string, number: number): Promise<void> {
  const task = sampledBlocks(number + 1, { kind: "header", field: "number" });
  const request = toTaskRequestJson({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [task] });
  const body = JSON.stringify(request);
  const submitted = await fetch(`${url}/tasks`, { method: "POST", headers: HEADERS, body });
  const { uuid } = (await submitted.json()) as { uuid: string };
  for (;;) {
    const reply = await fetch(`${url}/tasks/${uuid}/status`, { headers: HEADERS });
    const { status } = (await reply.json()) as { status: string };
    if (status === "TaskDecommitmentCompleted") return;
    await pause(5);
  }
}

async function memory(server: ChildProcess): Promise<number> {
  server.send("memory");
  const [mebibytes] = (await once(server, "message")) as [number];
  return mebibytes;
}

async function parent(): Promise<void> {
  const execArgv = ["--expose-gc", "--import", "tsx"];
  const server = fork(import.meta.filename, ["server"], { execArgv });
  const [url] = (await once(server, "message")) as [string];
  await bounded(WARM_UP, WIDTH, (number) => submitOne(url, number));
  const before = await memory(server);
  await bounded(SUBMISSIONS, WIDTH, (number) => submitOne(url, WARM_UP + number));
  const value = (await memory(server)) - before;
  server.kill();
  row({ name: "10,000 submissions, memory of the server", value, unit: "MiB", aim: AIM_MIB });
}

async function child(): Promise<void> {
  const { url } = await startDevServer({
    processor,
    providerFor: () => ({ request: () => Promise.reject(new Error("nothing is read")) }),
  });
  process.on("message", () => {
    globalThis.gc?.();
    // Pages that the collector keeps for later vary from run to run.
    const { rss, heapTotal, heapUsed } = process.memoryUsage();
    process.send?.((rss - heapTotal + heapUsed) / 2 ** 20);
  });
  process.send?.(url);
}

await (process.argv[2] === undefined ? parent() : child());
