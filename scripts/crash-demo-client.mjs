/** A client of its own process for crash-demo.mjs: submits a task and reads its result, or finishes what is there. */
import { subscribe } from "node:diagnostics_channel";
import { writeSync } from "node:fs";
import { open } from "node:fs/promises";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import hardhatHdp from "../dist/index.js";
import { taskHash } from "../dist/request/task-hash.js";

const { chain, service, store, end, action, killAt, ends } = JSON.parse(process.argv[2]);
let steps = 0;
let counting = false;

/** A point at which the process may die. */
function step(name) {
  if (!counting) return;
  steps += 1;
  if (steps !== killAt) return;
  writeSync(1, `${name}\n`);
  process.kill(process.pid, "SIGKILL");
}

/** Every write and sync of a file is two steps, before and after. */
async function watchFiles() {
  const file = await open(process.argv[1]);
  const prototype = Object.getPrototypeOf(file);
  await file.close();
  for (const name of ["write", "sync"]) {
    const original = prototype[name];
    prototype[name] = async function (...args) {
      step(`before ${name}`);
      const done = await original.apply(this, args);
      step(`after ${name}`);
      return done;
    };
  }
}

/** Every request is four: begun, sent, answered, read. */
function watchRequests() {
  const names = new Map([
    ["undici:request:create", "begun"],
    ["undici:request:bodySent", "sent"],
    ["undici:request:headers", "answered"],
    ["undici:request:trailers", "read"],
  ]);
  for (const [channel, name] of names) {
    subscribe(channel, ({ request }) => {
      const where = String(request.origin) === service ? "service" : "chain";
      // Node tells of a body before it is written: what was handed to the system survives the process.
      if (name === "sent") setImmediate(() => step(`${where}: ${request.method} sent`));
      else step(`${where}: ${request.method} ${name}`);
    });
  }
}

const taskTo = (end) => ({
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0n,
    blockRangeEnd: BigInt(end),
    increment: 1n,
    sampledProperty: { kind: "header", field: "number" },
  },
  compute: { aggregateFnId: "sum" },
});

const hdp = { dataProcessor: { url: service, apiKey: "local" }, executionStore: { address: store } };
const config = { plugins: [hardhatHdp], networks: { served: { type: "http", url: chain, hdp } } };
const hre = await createHardhatRuntimeEnvironment(config, {}, process.cwd());
const connection = await hre.network.create("served");

async function resume(task) {
  const hash = taskHash(task);
  const { journal } = connection.hdp;
  const record = (await journal.list()).findLast(({ taskHashes }) => taskHashes.includes(hash));
  if (record === undefined) return { how: "sent: nothing had been", value: (await connection.hdp.run(task)).value };
  if (record.serviceId !== undefined) {
    const { results } = await journal.resume(record.id);
    return { how: "awaited under its id", value: results[0].value };
  }
  // Sent or not? The service shows what it has.
  const { tasks } = await (await fetch(`${service}/tasks?hdp_tasks_search=${hash}`)).json();
  const [found] = tasks.filter(({ taskHash: shown }) => shown === hash);
  if (found === undefined) {
    await journal.resume(record.id, { lost: true });
    return { how: "not at the service: sent again", value: (await connection.hdp.run(task)).value };
  }
  const { results } = await journal.resume(record.id, { accepted: found.uuid });
  return { how: "found at the service", value: results[0].value };
}

if (action === "run") {
  await watchFiles();
  watchRequests();
  counting = true;
  const task = taskTo(end);
  const { value } = await connection.hdp.run(task);
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
