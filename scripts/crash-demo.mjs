/**
 * `npm run demo:crash`: one remote submission after the other is killed (SIGKILL) at a random point, and a new process
 * finishes all of them. At the end every task is at the service once, and every result is read. Arguments: [count] [seed].
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { mulberry32 } from "../dist/processor/faults/chaos.js";
import { root } from "./toolchain.mjs";

const COUNT = Number(process.argv[2] ?? 50);
const SEED = Number(process.argv[3] ?? 1);
const LIMIT_MS = 300_000;
/** Clients at once: they share a journal. */
const AT_ONCE = 6;
// Inside the project, so that Hardhat is found from there.
const folder = mkdtempSync(join(root, ".toolchain", "crash-demo-"));
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
writeFileSync(
  join(folder, "hardhat.config.js"),
  'import hardhatHdp from "../../dist/index.js";\nexport default { plugins: [hardhatHdp] };\n',
);
const journal = join(folder, "hdp", "journal.jsonl");

/** Starts `hdp:node` and waits until it says where everything is. */
async function startNode() {
  const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
  const args = [cli, "hdp:node", "--port", "0", "--hdp-port", "0", "--data-dir", join(folder, "service")];
  const child = spawn(process.execPath, args, { cwd: folder, env: plainEnv() });
  let text = "";
  const places = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`hdp:node did not start:\n${text}`)), LIMIT_MS);
    const read = (chunk) => {
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

function plainEnv() {
  const env = { ...process.env, NO_COLOR: "1" };
  delete env.NODE_OPTIONS;
  return env;
}

/** Runs a client to its end, or to its death at step `killAt`. */
async function client(job) {
  const child = spawn(process.execPath, [join(root, "scripts", "crash-demo-client.mjs"), JSON.stringify(job)], {
    cwd: folder,
    env: plainEnv(),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk) => (stderr += chunk.toString()));
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  const { code, signal } = await new Promise((resolve) =>
    child.on("close", (exit, by) => resolve({ code: exit, signal: by })),
  );
  clearTimeout(timer);
  if (code !== 0 && signal === null) throw new Error(`a client failed:\n${stderr}${stdout}`);
  const lines = stdout.trim().split("\n");
  return { killed: signal !== null, last: lines.at(-1) ?? "" };
}

/** What the journal last says of each task, by task hash. */
function leftBehind() {
  const events = new Map();
  const hashes = new Map();
  for (const line of readFileSync(journal, "utf8").split("\n")) {
    let entry;
    try {
      entry = JSON.parse(line);
    } catch {
      // The line that a process was killed in.
      continue;
    }
    if (entry.taskHashes !== undefined) hashes.set(entry.id, entry.taskHashes[0]);
    events.set(hashes.get(entry.id), entry.event);
  }
  return events;
}

/** Does `work` for each item, several at once. */
async function several(items, work) {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const { child: node, places } = await startNode();
let failed = false;
try {
  const rpc = async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const reply = await fetch(places.chain, { method: "POST", headers: { "content-type": "application/json" }, body });
    return (await reply.json()).result;
  };
  for (let mined = 0; mined <= COUNT + 2; mined += 7) await rpc("hardhat_mine", "0x7");
  // A run that is not killed tells how many steps there are. Its task is none of the others'.
  const whole = JSON.parse((await client({ ...places, end: COUNT + 1, action: "run" })).last);
  // How often a run polls differs: beyond this a quick one may be done.
  const last = Math.floor(whole.steps * 0.75);
  console.log(`hdp:node at ${places.service}; seed ${SEED}; killed at one of ${last} steps\n`);
  const random = mulberry32(SEED);
  const crashes = Array.from({ length: COUNT }, (_, end) => ({ end, killAt: 1 + Math.floor(random() * last) }));
  await several(crashes, async (crash) => {
    Object.assign(crash, await client({ ...places, ...crash, action: "run" }));
  });
  const left = leftBehind();
  const ends = crashes.map(({ end }) => end);
  const resumed = JSON.parse((await client({ ...places, end: 0, action: "resume", ends })).last);
  console.log(" #  killed at                       journal ended with  resumed by                       result");
  const resumedBy = new Map();
  for (const { end, killAt, killed, last: place } of crashes) {
    const { how, value, taskHash } = resumed[end];
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
  const tasks = [];
  for (let page = 1; page === 1 || tasks.length === (page - 1) * 100; page += 1) {
    const reply = await fetch(`${places.service}/tasks?hdp_tasks_per_page=100&hdp_tasks_page=${page}`);
    tasks.push(...(await reply.json()).tasks);
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
