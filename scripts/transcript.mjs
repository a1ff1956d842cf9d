// Writes docs/one-task-everywhere.md: the same task file in this process, and over HTTP in each edition that carries
// it, against `hdp:node`. Everything shown is what the commands and the server really answered.
// Run after `npm run build`: node scripts/run.mjs node scripts/transcript.mjs
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { root } from "./toolchain.mjs";

const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
const cwd = join(root, "test", "fixture-project");
const env = { ...process.env, NO_COLOR: "1", HH_TEST: "" };
const task = "tasks/fee.json";
const body = readFileSync(join(cwd, task), "utf8");
const data = mkdtempSync(join(tmpdir(), "hdp-transcript-"));
const sections = [];
const show = (title, text) => sections.push(`## ${title}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`);
const tidy = (text) => text.replaceAll(data, "/tmp/hdp-data").replace(/^\n/, "");

function hardhat(...args) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [cli, ...args], { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`hardhat ${args.join(" ")}: ${stderr}`);
  return stdout;
}

async function node() {
  const args = ["hdp:node", "--hostname", "127.0.0.1", "--port", "18745", "--hdp-port", "18746", "--data-dir", data];
  const child = spawn(process.execPath, [cli, ...args], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  await new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      text += chunk.toString();
      if (text.includes("Ctrl-C")) resolve();
    });
    child.once("exit", (code) => reject(new Error(`hdp:node ended with ${code}`)));
  });
  return { child, text };
}

async function call(path, init) {
  const reply = await fetch(`http://127.0.0.1:18746${path}`, init);
  return { status: reply.status, json: await reply.json() };
}

async function rpc(method, params) {
  const init = { method: "POST", headers: { "content-type": "application/json" } };
  init.body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const { result, error } = await (await fetch("http://127.0.0.1:18745", init)).json();
  if (error !== undefined) throw new Error(error.message);
  return result;
}

async function polled(path, headers, done) {
  for (let look = 0; look < 500; look += 1) {
    const { json } = await call(path, { headers });
    if (json.status === done) return json;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${path} did not become ${done}`);
}

const own = JSON.parse(hardhat("hdp:submit", task, "--json"));
const hash = own.submission.taskHashes[0];
const word = own.results[0].word;
show(`In this process: npx hardhat hdp:submit ${task}`, hardhat("hdp:submit", task).replace(/^\n/, ""));

const { child, text } = await node();
try {
  show("The local front: npx hardhat hdp:node --port 18745 --hdp-port 18746 --data-dir /tmp/hdp-data", tidy(text));
  const { json: info } = await call("/", {});
  const store = info.executionStore;
  const stored = async () => {
    // getFinalizedTaskResult(bytes32)
    const { toFunctionSelector } = await import("viem");
    const selector = toFunctionSelector("getFinalizedTaskResult(bytes32)");
    return await rpc("eth_call", [{ to: store, data: selector + hash.slice(2) }, "latest"]);
  };
  const editions = [
    {
      name: "tasks",
      submit: "/tasks",
      headers: { "X-API-KEY": "local" },
      curl: "curl -H 'X-API-KEY: local' -H 'content-type: application/json' -d @tasks/fee.json $FRONT/tasks",
      look: "curl -H 'X-API-KEY: local'",
      status: ({ uuid }) => `/tasks/${uuid}/status`,
      done: "TaskDecommitmentCompleted",
    },
    {
      name: "batch",
      submit: "/submit-batch?apiKey=local",
      headers: {},
      curl: "curl -H 'content-type: application/json' -d @tasks/fee.json \"$FRONT/submit-batch?apiKey=local\"",
      look: "curl",
      status: ({ batchId }) => `/batch-query/${batchId}`,
      done: "Finalized",
    },
  ];
  const rows = [`| in this process | \`${hash}\` | \`${word}\` |`];
  for (const { name, submit, headers, curl, look, status, done } of editions) {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
    const accepted = await call(submit, init);
    const path = status(accepted.json);
    const ended = await polled(path, headers, done);
    const result = await stored();
    const same = accepted.json.taskHashes[0] === hash && result === word;
    if (!same) throw new Error(`edition ${name}: ${accepted.json.taskHashes[0]} ${result}, expected ${hash} ${word}`);
    rows.push(`| \`hdp:node\`, edition \`${name}\` | \`${accepted.json.taskHashes[0]}\` | \`${result}\` |`);
    const json = (value) => JSON.stringify(value, null, 2);
    show(
      `Over HTTP, edition ${name}`,
      `$ ${curl}\n${accepted.status} ${json(accepted.json)}\n\n$ ${look} $FRONT${path}\n200 ${json(ended)}`,
    );
  }
  const module = await call("/tasks", {
    method: "POST",
    headers: { "content-type": "application/json", "X-API-KEY": "local" },
    body: JSON.stringify({ destination_chain_id: "0xaa36a7", input: JSON.parse(body) }),
  });
  show(
    "Edition module-tasks",
    `This edition carries one module task a request: a datalake task is refused.\n\n${module.status} ${JSON.stringify(module.json, null, 2)}`,
  );
  const table = ["| submitted | task hash | stored word |", "| --- | --- | --- |", ...rows].join("\n");
  writeFileSync(
    join(root, "docs", "one-task-everywhere.md"),
    [
      "# One task everywhere\n",
      `The task file \`${task}\` of the fixture project, submitted in this process and to \`hdp:node\` over each edition that can carry it. Written by \`scripts/transcript.mjs\`, which fails where a hash or a word differs.\n`,
      `\`\`\`json\n${body.trimEnd()}\n\`\`\`\n`,
      `${table}\n`,
      ...sections,
    ].join("\n"),
  );
  console.log(table);
} finally {
  child.kill("SIGINT");
  await new Promise((resolve) => child.once("exit", resolve));
  rmSync(data, { recursive: true, force: true });
}
