// The development server's start with a data folder of 100,000 finished tasks: until it answers, and the memory it takes.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { type DevServer, startDevServer } from "../src/entries/local.js";
import { finishedProcessor } from "./finished-processor.js";
import { row } from "./measure.js";

const TASKS = 100_000;

const processor = finishedProcessor((hash) => ({
  taskHash: hash,
  word: `0x${"0".repeat(63)}7`,
  value: 7n,
  store: `0x${"0".repeat(40)}`,
}));

async function start(dataDir: string): Promise<DevServer> {
  return await startDevServer({
    processor,
    dataDir,
    providerFor: () => ({ request: () => Promise.reject(new Error("nothing is read")) }),
  });
}

const SUBMITTED = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [
    {
      type: "DatalakeCompute",
      datalake: {
        type: "BlockSampled",
        chainId: "ETHEREUM_SEPOLIA",
        blockRangeStart: 0,
        blockRangeEnd: 10,
        sampledProperty: "header.base_fee_per_gas",
      },
      compute: { aggregateFnId: "avg" },
    },
  ],
};

/** The data folder of a server that finished one task, with the rows of that task for each of many. */
async function fill(dataDir: string): Promise<void> {
  const server = await start(dataDir);
  const headers = { "content-type": "application/json", "X-API-KEY": "bench" };
  const reply = await fetch(`${server.url}/tasks`, {
    method: "POST",
    headers,
    body: JSON.stringify(SUBMITTED),
  });
  if (!reply.ok) throw new Error(await reply.text());
  await server.close();
  const database = new DatabaseSync(join(dataDir, "dev-server.db"));
  const row = database.prepare("SELECT id, task, listed, request, searched FROM task").get();
  const insert = database.prepare(
    "INSERT INTO task (id, task, listed, request, searched) VALUES (?, ?, ?, ?, ?)",
  );
  const id = String(row?.["id"]);
  database.exec("BEGIN");
  for (let task = 1; task < TASKS; task += 1) {
    const other = `00000000-0000-4000-8000-${task.toString().padStart(12, "0")}`;
    insert.run(
      other,
      ...["task", "listed", "request", "searched"].map((column) =>
        String(row?.[column]).replaceAll(id, other),
      ),
    );
  }
  database.exec("COMMIT");
  database.close();
}

async function parent(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hdp-bench-server-"));
  try {
    await fill(folder);
    const started = fork(import.meta.filename, [folder], { execArgv: ["--import", "tsx"] });
    const [{ ms, mebibytes }] = (await once(started, "message")) as [
      { ms: number; mebibytes: number },
    ];
    row({ name: "development server with 100,000 tasks, start", value: ms, aim: 1_000 });
    row({
      name: "development server with 100,000 tasks, memory",
      value: mebibytes,
      unit: "MiB",
      aim: 400,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function child(dataDir: string): Promise<void> {
  const begun = performance.now();
  const server = await start(dataDir);
  const ms = performance.now() - begun;
  await server.close();
  const mebibytes = process.resourceUsage().maxRSS / 1024;
  process.send?.({ ms, mebibytes }, () => process.exit());
}

await (process.argv[2] === undefined ? parent() : child(process.argv[2]));
