/**
 * `npm run demo:crash`: one remote submission after the other is killed (SIGKILL) at a random point, and a new process
 * finishes all of them. At the end every task is at the service once, and every result is read. Arguments: [count] [seed].
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { mulberry32 } from "../src/submission/backend/faults/chaos.js";
import { SubmissionStore } from "../src/submission/submission-store.js";
import { hardhatCli, root } from "./root.js";

const COUNT = Number(process.argv[2] ?? 50);
const SEED = Number(process.argv[3] ?? 1);
const LIMIT_MS = 300_000;
/** Clients at once: they share a database. */
const AT_ONCE = 6;
// Inside the project, so that Hardhat is found from there.
const folder = mkdtempSync(join(root, "node_modules", ".crash-demo-"));
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
writeFileSync(
  join(folder, "hardhat.config.js"),
  'import hardhatHdp from "../../dist/index.js";\nexport default { plugins: [hardhatHdp] };\n',
);

interface Places {
  readonly chain: string;
  readonly service: string;
  readonly store: string;
}

/** What a client is asked to do; `killAt` is the step it dies at. */
interface Job extends Places {
  readonly end: number;
  readonly action: "run" | "resume";
  readonly killAt?: number;
  readonly ends?: readonly number[];
}

const runSchema = z.object({ steps: z.number(), taskHash: z.string() });
const resumedSchema = z.array(
  z.object({ how: z.string(), value: z.string(), taskHash: z.string() }),
);
const tasksSchema = z.object({ tasks: z.array(z.object({ taskHash: z.string() })) });

/** Starts `hdp:node` and waits until it says where everything is. */
async function startNode(): Promise<{ child: ChildProcessWithoutNullStreams; places: Places }> {
  const args = [
    hardhatCli,
    "hdp:node",
    "--port",
    "0",
    "--hdp-port",
    "0",
    "--data-dir",
    join(folder, "service"),
  ];
  const child = spawn(process.execPath, args, { cwd: folder, env: plainEnv() });
  let text = "";
  const places = await new Promise<Places>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`hdp:node did not start:\n${text}`)), LIMIT_MS);
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      const chain = /Chain\s+(http:\S+)/.exec(text)?.[1];
      const service = /Data processor\s+(http:\S+)/.exec(text)?.[1];
      const store = /Execution store\s+(0x[0-9a-fA-F]{40})/.exec(text)?.[1];
      if (chain === undefined || service === undefined || store === undefined) return;
      clearTimeout(timer);
      resolve({ chain, service, store });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", () => reject(new Error(`hdp:node ended:\n${text}`)));
  });
  return { child, places };
}

function plainEnv(): NodeJS.ProcessEnv {
  return { ...process.env, NO_COLOR: "1", NODE_OPTIONS: undefined };
}

/** Runs a client to its end, or to its death at step `killAt`. */
async function client(job: Job): Promise<{ readonly killed: boolean; readonly last: string }> {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", join(root, "scripts", "crash-demo-client.ts"), JSON.stringify(job)],
    {
      cwd: folder,
      env: plainEnv(),
    },
  );
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  const { code, signal } = await new Promise<{
    code: number | null;
    signal: NodeJS.Signals | null;
  }>((resolve) => child.on("close", (exit, by) => resolve({ code: exit, signal: by })));
  clearTimeout(timer);
  if (code !== 0 && signal === null) throw new Error(`a client failed:\n${stderr}${stdout}`);
  const lines = stdout.trim().split("\n");
  return { killed: signal !== null, last: lines.at(-1) ?? "" };
}

/** The state that is recorded of each task, by task hash. */
function leftBehind(): ReadonlyMap<string, string> {
  const store = new SubmissionStore({ path: join(folder, "hdp", "submissions.db"), now: Date.now });
  const states = store
    .list()
    .flatMap(({ parts, state }) => parts.map(({ hash }) => [hash, state] as const));
  store.close();
  return new Map(states);
}

/** Does `work` for each item, several at once. */
async function several<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const { child: node, places } = await startNode();
let failed = false;
try {
  const rpc = async (method: string, ...params: unknown[]): Promise<void> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    await fetch(places.chain, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
  };
  for (let mined = 0; mined <= COUNT + 2; mined += 7) await rpc("hardhat_mine", "0x7");
  // A run that is not killed tells how many steps there are. Its task is none of the others'.
  const whole = runSchema.parse(
    JSON.parse((await client({ ...places, end: COUNT + 1, action: "run" })).last),
  );
  // How often a run polls differs: beyond this a quick one may be done.
  const last = Math.floor(whole.steps * 0.75);
  console.log(`hdp:node at ${places.service}; seed ${SEED}; killed at one of ${last} steps\n`);
  const random = mulberry32(SEED);
  const planned = Array.from({ length: COUNT }, (_, end) => ({
    end,
    killAt: 1 + Math.floor(random() * last),
  }));
  const crashes: { end: number; killAt: number; killed: boolean; last: string }[] = [];
  await several(planned, async (crash) => {
    crashes.push({ ...crash, ...(await client({ ...places, ...crash, action: "run" })) });
  });
  crashes.sort((a, b) => a.end - b.end);
  const left = leftBehind();
  const ends = crashes.map(({ end }) => end);
  const resumed = resumedSchema.parse(
    JSON.parse((await client({ ...places, end: 0, action: "resume", ends })).last),
  );
  console.log(
    " #  killed at                       recorded as         resumed by                       result",
  );
  const resumedBy = new Map<string, number>();
  for (const { end, killAt, killed, last: place } of crashes) {
    const { how, value, taskHash } = resumed[end] ?? {
      how: "NOT RESUMED",
      value: "nothing",
      taskHash: "",
    };
    const right = String((end * (end + 1)) / 2);
    failed ||= !killed || value !== right;
    resumedBy.set(how, (resumedBy.get(how) ?? 0) + 1);
    const columns = [
      String(end + 1).padStart(2),
      `${killAt}: ${killed ? place : "NOT REACHED"}`.padEnd(30),
      (left.get(taskHash) ?? "nothing").padEnd(18),
      how.padEnd(31),
      value === right ? value : `${value}, WRONG: ${right}`,
    ];
    console.log(columns.join("  "));
  }
  const tasks: { readonly taskHash: string }[] = [];
  for (let page = 1; page === 1 || tasks.length === (page - 1) * 100; page += 1) {
    const reply = await fetch(
      `${places.service}/tasks?hdp_tasks_per_page=100&hdp_tasks_page=${String(page)}`,
      {
        headers: { "X-API-KEY": "local" },
      },
    );
    tasks.push(...tasksSchema.parse(await reply.json()).tasks);
  }
  // All but the measured one.
  const hashes = tasks.map(({ taskHash }) => taskHash).filter((hash) => hash !== whole.taskHash);
  const twice = hashes.length - new Set(hashes).size;
  console.log(`\n${[...resumedBy].map(([how, times]) => `${times} × ${how}`).join("; ")}`);
  console.log(`${COUNT} results, ${hashes.length} tasks at the service, ${twice} of them twice`);
  failed ||= hashes.length !== COUNT || twice > 0;
} finally {
  node.removeAllListeners("exit");
  node.kill("SIGTERM");
  await new Promise((resolve) => node.once("exit", resolve));
  rmSync(folder, { recursive: true, force: true });
}
if (failed) process.exitCode = 1;
