/**
 * Datalake tasks over HTTP: submitted to the development server, finalized, and every result read from the execution
 * store and checked, without a data folder and with one. Aim: 200 tasks a second of 10 samples each. The floor, in the
 * same run: the same number of POSTs of the same body to a server that answers an empty JSON object.
 *
 *     npx tsx bench/dev-server-throughput.ts [tasks]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Agent, request } from "undici";

import { startDevServer } from "../src/dev-server/server.js";
import { LocalDataProcessor } from "../src/submission/backend/local-data-processor.js";
import { parseTaskRequest, taskHash } from "../src/entries/request.js";
import {
  bounded,
  deployStore,
  line,
  milliseconds,
  row as report,
  simulatedChain,
} from "./measure.js";

const TASKS = Number(process.argv[2] ?? 1_000);
const SAMPLES = 10;
const WIDTH = 50;
const ROUNDS = 3;

const provider = await simulatedChain(TASKS + SAMPLES);
const store = await deployStore(provider);
const processor = new LocalDataProcessor({ providerFor: () => provider, sink: store.sink });
const dispatcher = new Agent({ connections: WIDTH });

const dataDir = await mkdtemp(join(tmpdir(), "hdp-bench-server-"));
const servers = [undefined, dataDir].map(async (folder) => {
  return await startDevServer({ processor, providerFor: () => provider, dataDir: folder });
});
const [inMemory = "", onDisk = ""] = (await Promise.all(servers)).map(({ url }) => url);
const empty = createServer((incoming, response) => {
  incoming
    .resume()
    .on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
});
await new Promise<void>((resolve) => empty.listen(0, "127.0.0.1", resolve));
const address = empty.address();
if (address === null || typeof address === "string") throw new Error("the server has no port");

/** Sum of the block numbers first to first + 9; a `round` of its own makes a hash of its own. */
function body(
  first: number,
  round: number,
): { readonly text: string; readonly hash: `0x${string}`; readonly sum: bigint } {
  const json = {
    destinationChainId: "ETHEREUM_SEPOLIA",
    tasks: [
      {
        type: "DatalakeCompute",
        datalake: {
          type: "BlockSampled",
          chainId: "ETHEREUM_SEPOLIA",
          blockRangeStart: first,
          blockRangeEnd: first + SAMPLES - 1,
          increment: 1,
          sampledProperty: "header.number",
        },
        compute: {
          aggregateFnId: "sum",
          aggregateFnCtx: { operator: "eq", valueToCompare: String(round) },
        },
      },
    ],
  };
  const [task] = parseTaskRequest(json).tasks;
  if (task === undefined) throw new Error("no task");
  const sum = BigInt(SAMPLES * first + (SAMPLES * (SAMPLES - 1)) / 2);
  return { text: JSON.stringify(json), hash: taskHash(task), sum };
}

async function call(base: string, path: string, text?: string): Promise<unknown> {
  const headers = { "content-type": "application/json", "x-api-key": "bench" };
  const reply = await request(base + path, {
    method: text === undefined ? "GET" : "POST",
    headers,
    body: text ?? null,
    dispatcher,
  });
  if (reply.statusCode !== 200) throw new Error(`${path} answered ${reply.statusCode}`);
  return await reply.body.json();
}

function field(reply: unknown, name: string): string {
  const members: Readonly<Record<string, unknown>> = {
    ...(typeof reply === "object" ? reply : {}),
  };
  return String(members[name]);
}

/** Submits all tasks, polls each until it is finalized, and checks its word in the store. */
async function ours(url: string, round: number): Promise<void> {
  const bodies = Array.from({ length: TASKS }, (_, first) => body(first, round));
  let submitted = 0;
  const waiting: { uuid: string; hash: `0x${string}`; sum: bigint }[] = [];
  const submitting = bounded(TASKS, WIDTH / 2, async (index) => {
    const { text, hash, sum } = bodies[index] ?? body(index, round);
    waiting.push({ uuid: field(await call(url, "/tasks", text), "uuid"), hash, sum });
    submitted += 1;
  });
  while (submitted < TASKS || waiting.length > 0) {
    const next = waiting.shift();
    if (next === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      continue;
    }
    const status = field(await call(url, `/tasks/${next.uuid}/status`), "status");
    if (status.endsWith("Failed")) throw new Error(`task ${next.uuid} ended as ${status}`);
    if (status !== "TaskDecommitmentCompleted") {
      waiting.unshift(next);
      await new Promise((resolve) => setTimeout(resolve, 10));
    } else if ((await store.read(next.hash)) !== next.sum) {
      throw new Error(`task ${next.hash} has a wrong result`);
    }
  }
  await submitting;
}

const floor = async (): Promise<void> => {
  await bounded(TASKS, WIDTH / 2, (index) =>
    call(`http://127.0.0.1:${address.port}`, "/", body(index, 0).text),
  );
};

await floor();
const best = { floor: Infinity, inMemory: Infinity, onDisk: Infinity };
for (let round = 0; round < ROUNDS; round += 1) {
  best.floor = Math.min(best.floor, await milliseconds(floor));
  best.inMemory = Math.min(best.inMemory, await milliseconds(() => ours(inMemory, 2 * round)));
  best.onDisk = Math.min(best.onDisk, await milliseconds(() => ours(onDisk, 2 * round + 1)));
}
const row = (name: string, value: number): void => {
  line(`tasks a second, ${name}`, `${((TASKS * 1_000) / value).toFixed(0)} (at least 200)`);
  report({ name: `${TASKS} tasks over HTTP, ${name}`, value, floor: best.floor, aim: 12 });
};
row("in memory", best.inMemory);
row("with a data folder", best.onDisk);
await dispatcher.close();
processor.close();
await rm(dataDir, { recursive: true, force: true });
process.exit(Math.max(best.inMemory, best.onDisk) <= TASKS * 5 ? 0 : 1);
