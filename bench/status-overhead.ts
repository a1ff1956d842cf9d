/**
 * What the client adds to one status call, over a bare undici request to the same server: authentication, time limits,
 * bounded reading, key removal and schema. Aim: under 1 ms.
 *
 *     npx tsx bench/status-overhead.ts [calls]
 */
import { createServer } from "node:http";

import { Agent, request } from "undici";

import { tasksEdition } from "../src/service/data-processor/editions.js";
import { HttpClient } from "../src/service/http/http-client.js";
import { RemoteDataProcessor } from "../src/service/data-processor/remote-data-processor.js";

const ID = "01JPJ03YJT1A93D6NF56G4GVEQ";
const KEY = "bench-key-0123456789";
const CALLS = Number(process.argv[2] ?? 2_000);
const ROUNDS = 5;

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      taskId: ID,
      status: "AtlanticProvingStarted",
      errorMessage: null,
      updatedAt: "2024",
    }),
  );
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
if (address === null || typeof address === "string") throw new Error("the server has no port");
const url = `http://127.0.0.1:${address.port}`;
const dispatcher = new Agent();
const client = new RemoteDataProcessor({
  http: new HttpClient({
    service: "the data processor",
    url,
    apiKey: () => Promise.resolve(KEY),
    dispatcher,
  }),
  edition: tasksEdition,
});

async function bare(): Promise<string> {
  const { body } = await request(`${url}/tasks/${ID}/status`, {
    headers: { "x-api-key": KEY },
    dispatcher,
  });
  const reply = await body.json();
  if (typeof reply !== "object" || reply === null || !("status" in reply))
    throw new Error("unexpected reply");
  return String(reply.status);
}

async function ours(): Promise<string> {
  return (await client.status({ id: ID })).name;
}

/** Mean time of a call in milliseconds, calls one after the other. */
async function mean(call: () => Promise<string>): Promise<number> {
  const start = performance.now();
  for (let index = 0; index < CALLS; index++) {
    if ((await call()) !== "AtlanticProvingStarted") throw new Error("wrong status");
  }
  return (performance.now() - start) / CALLS;
}

await mean(bare);
await mean(ours);
const rounds: { readonly bare: number; readonly ours: number }[] = [];
for (let round = 0; round < ROUNDS; round++)
  rounds.push({ bare: await mean(bare), ours: await mean(ours) });

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const bareMs = middle(rounds.map((round) => round.bare));
const oursMs = middle(rounds.map((round) => round.ours));
const overhead = oursMs - bareMs;
console.log(`bare undici request  ${bareMs.toFixed(3)} ms`);
console.log(`client.status        ${oursMs.toFixed(3)} ms`);
console.log(
  `overhead             ${overhead.toFixed(3)} ms a call, ratio ${(oursMs / bareMs).toFixed(2)} (aim: under 1 ms)`,
);

await dispatcher.close();
server.close();
if (!(overhead < 1)) process.exitCode = 1;
