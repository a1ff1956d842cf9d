/** A client of its own process for crash-demo.ts: submits a task and reads its result, or finishes what is there. */
import { subscribe } from "node:diagnostics_channel";
import { writeSync } from "node:fs";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { z } from "zod";

import hardhatHdp from "../src/index.js";
import type { DatalakeComputeTask } from "../src/request/task.js";
import { taskHash } from "../src/request/task-hash.js";
import { watchDatabases } from "../test/support/watched-database.js";

const job = z.object({
  chain: z.string(),
  service: z.string(),
  store: z.string(),
  end: z.number(),
  action: z.enum(["run", "resume"]),
  killAt: z.number().optional(),
  ends: z.array(z.number()).default([]),
});
const { chain, service, store, end, action, killAt, ends } = job.parse(
  JSON.parse(process.argv[2] ?? "{}"),
);
let steps = 0;
let counting = false;

/** A point at which the process may die. */
function step(name: string): void {
  if (!counting) return;
  steps += 1;
  if (steps !== killAt) return;
  writeSync(1, `${name}\n`);
  process.kill(process.pid, "SIGKILL");
}

/** Every statement that writes to the database, and every commit, is two steps: before and after. */
function watchDatabase(): void {
  watchDatabases(["run", "transaction"], (method) => {
    const what = method === "run" ? "a write" : "a commit";
    step(`before ${what}`);
    return () => {
      step(`after ${what}`);
    };
  });
}

/** Every request is four: begun, sent, answered, read. */
function watchRequests(): void {
  const names = new Map([
    ["undici:request:create", "begun"],
    ["undici:request:bodySent", "sent"],
    ["undici:request:headers", "answered"],
    ["undici:request:trailers", "read"],
  ]);
  for (const [channel, name] of names) {
    subscribe(channel, (message) => {
      const { request } = message as {
        readonly request: { readonly origin: unknown; readonly method: string };
      };
      const where = String(request.origin) === service ? "service" : "chain";
      // Node tells of a body before it is written: what was handed to the system survives the process.
      if (name === "sent")
        setImmediate(() => {
          step(`${where}: ${request.method} sent`);
        });
      else step(`${where}: ${request.method} ${name}`);
    });
  }
}

const taskTo = (last: number): DatalakeComputeTask => ({
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0n,
    blockRangeEnd: BigInt(last),
    increment: 1n,
    sampledProperty: { kind: "header", field: "number" },
  },
  compute: { aggregateFnId: "sum" },
});

const hdp = {
  dataProcessor: { url: service, apiKey: "local" },
  executionStore: { address: store },
};
const hre = await createHardhatRuntimeEnvironment(
  { plugins: [hardhatHdp], networks: { served: { type: "http", url: chain, hdp } } },
  {},
  process.cwd(),
);
const connection = await hre.network.create("served");

const listSchema = z.object({
  tasks: z.array(z.object({ uuid: z.string(), taskHash: z.string() })),
});

async function resume(
  task: DatalakeComputeTask,
): Promise<{ readonly how: string; readonly value: bigint | undefined }> {
  const hash = taskHash(task);
  const { submissions } = connection.hdp;
  const record = (await submissions.list()).findLast(({ parts }) =>
    parts.some((part) => part.hash === hash),
  );
  if (record === undefined)
    return { how: "sent: nothing had been", value: (await connection.hdp.run(task))[0].value };
  if (record.serviceId !== undefined) {
    const { results } = await submissions.resume(record.id);
    return { how: "awaited under its id", value: results[0]?.value };
  }
  // Sent or not? The service shows what it has.
  const reply = await fetch(`${service}/tasks?hdp_tasks_search=${hash}`, {
    headers: { "X-API-KEY": "local" },
  });
  const { tasks } = listSchema.parse(await reply.json());
  const [found] = tasks.filter(({ taskHash: shown }) => shown === hash);
  if (found === undefined) {
    await submissions.resume(record.id, { lost: true });
    return {
      how: "not at the service: sent again",
      value: (await connection.hdp.run(task))[0].value,
    };
  }
  const { results } = await submissions.resume(record.id, { accepted: found.uuid });
  return { how: "found at the service", value: results[0]?.value };
}

if (action === "run") {
  watchDatabase();
  watchRequests();
  counting = true;
  const task = taskTo(end);
  const [{ value }] = await connection.hdp.run(task);
  counting = false;
  console.log(JSON.stringify({ value: String(value), steps, taskHash: taskHash(task) }));
} else {
  const finished = [];
  for (const task of ends.map(taskTo)) {
    const { how, value } = await resume(task);
    finished.push({ how, value: String(value), taskHash: taskHash(task) });
  }
  console.log(JSON.stringify(finished));
}
await connection.close();
