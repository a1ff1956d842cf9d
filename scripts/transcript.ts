// Writes contributing/one-task-everywhere.md: the same task file in this process, and over HTTP in each API version that carries
// it, against `hdp:node`. Everything shown is what the commands and the server really answered.
// Run after `npm run build`: npm run docs:transcript
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { toFunctionSelector } from "viem";
import { z } from "zod";

import { hardhatCli, root } from "./root.js";

const cwd = join(root, "test", "fixture-project");
const env = { ...process.env, NO_COLOR: "1", HH_TEST: "" };
const task = "tasks/fee.json";
const body = readFileSync(join(cwd, task), "utf8");
const data = mkdtempSync(join(tmpdir(), "hdp-transcript-"));
const sections: string[] = [];
const show = (title: string, shown: string): void => {
  sections.push(`## ${title}\n\n\`\`\`text\n${shown.trimEnd()}\n\`\`\`\n`);
};
const tidy = (printed: string): string =>
  printed
    .replaceAll(data, "/tmp/hdp-data")
    .replace(/^\n/, "")
    .replace(/^ {2}Private keys[\s\S]*?\n\n/m, "");

function hardhat(...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [hardhatCli, ...args], {
    cwd,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`hardhat ${args.join(" ")}: ${stderr}`);
  return stdout;
}

async function node(): Promise<{ child: ChildProcess; text: string }> {
  const args = [
    "hdp:node",
    "--hostname",
    "127.0.0.1",
    "--port",
    "18745",
    "--hdp-port",
    "18746",
    "--data-dir",
    data,
  ];
  const child = spawn(process.execPath, [hardhatCli, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes("Ctrl-C")) resolve();
    });
    child.once("exit", (code) => {
      reject(new Error(`hdp:node ended with ${String(code)}`));
    });
  });
  return { child, text: printed };
}

async function call(
  path: string,
  init?: RequestInit,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const reply = await fetch(`http://127.0.0.1:18746${path}`, init);
  return { status: reply.status, json: await reply.json() };
}

const rpcReply = z.object({
  result: z.string().optional(),
  error: z.object({ message: z.string() }).optional(),
});

async function rpc(method: string, params: readonly unknown[]): Promise<string | undefined> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const reply = await fetch("http://127.0.0.1:18745", { method: "POST", headers, body });
  const { result, error } = rpcReply.parse(await reply.json());
  if (error !== undefined) throw new Error(error.message);
  return result;
}

const statusReply = z.object({ status: z.string() }).passthrough();

async function polled(
  path: string,
  headers: Record<string, string>,
  done: string,
): Promise<unknown> {
  for (let look = 0; look < 500; look += 1) {
    const json = statusReply.parse((await call(path, { headers })).json);
    if (json.status === done) return json;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${path} did not become ${done}`);
}

const submitted = z.object({
  submission: z.object({ taskHashes: z.tuple([z.string()]) }),
  results: z.tuple([z.object({ word: z.string() })]),
});
const accepted = z.object({
  taskHashes: z.tuple([z.string()]),
  uuid: z.string().default(""),
  batchId: z.string().default(""),
});
const own = submitted.parse(JSON.parse(hardhat("hdp:submit", task, "--json")));
const [hash] = own.submission.taskHashes;
const [{ word }] = own.results;
show(
  `In this process: npx hardhat hdp:submit ${task}`,
  hardhat("hdp:submit", task).replace(/^\n/, ""),
);

const { child, text } = await node();
try {
  show(
    "The development server: npx hardhat hdp:node --port 18745 --hdp-port 18746 --data-dir /tmp/hdp-data",
    tidy(text),
  );
  const { executionStore } = z.object({ executionStore: z.string() }).parse((await call("/")).json);
  const stored = async (): Promise<string | undefined> => {
    const selector = toFunctionSelector("getDataProcessorFinalizedTaskResult(bytes32)");
    return await rpc("eth_call", [
      { to: executionStore, data: selector + hash.slice(2) },
      "latest",
    ]);
  };
  const editions = [
    {
      name: "tasks",
      submit: "/tasks",
      headers: { "X-API-KEY": "local" } as Record<string, string>,
      curl: "curl -H 'X-API-KEY: local' -H 'content-type: application/json' -d @tasks/fee.json $SERVER/tasks",
      look: "curl -H 'X-API-KEY: local'",
      status: ({ uuid }: z.output<typeof accepted>) => `/tasks/${uuid}/status`,
      done: "TaskDecommitmentCompleted",
    },
    {
      name: "batch",
      submit: "/submit-batch?apiKey=local",
      headers: {},
      curl: "curl -H 'content-type: application/json' -d @tasks/fee.json \"$SERVER/submit-batch?apiKey=local\"",
      look: "curl",
      status: ({ batchId }: z.output<typeof accepted>) => `/batch-query/${batchId}`,
      done: "Finalized",
    },
  ];
  const rows = [`| in this process | \`${hash}\` | \`${word}\` |`];
  for (const { name, submit, headers, curl, look, status, done } of editions) {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    };
    const reply = await call(submit, init);
    const {
      taskHashes: [replied],
      ...ids
    } = accepted.parse(reply.json);
    const path = status({ taskHashes: [replied], ...ids });
    const ended = await polled(path, headers, done);
    const result = await stored();
    const same = replied === hash && result === word;
    if (!same)
      throw new Error(`edition ${name}: ${replied} ${String(result)}, expected ${hash} ${word}`);
    rows.push(`| \`hdp:node\`, edition \`${name}\` | \`${replied}\` | \`${result}\` |`);
    const json = (value: unknown): string => JSON.stringify(value, null, 2);
    show(
      `Over HTTP, edition ${name}`,
      `$ ${curl}\n${String(reply.status)} ${json(reply.json)}\n\n$ ${look} $SERVER${path}\n200 ${json(ended)}`,
    );
  }
  const module = await call("/tasks", {
    method: "POST",
    headers: { "content-type": "application/json", "X-API-KEY": "local" },
    body: JSON.stringify({ destination_chain_id: "0xaa36a7", input: JSON.parse(body) as unknown }),
  });
  show(
    "Edition module-tasks",
    `This edition carries one module task a request: a datalake task is refused.\n\n${String(module.status)} ${JSON.stringify(module.json, null, 2)}`,
  );
  const table = ["| submitted | task hash | stored word |", "| --- | --- | --- |", ...rows].join(
    "\n",
  );
  writeFileSync(
    join(root, "contributing", "one-task-everywhere.md"),
    [
      "# One task everywhere\n",
      `The task file \`${task}\` of the fixture project, submitted in this process and to \`hdp:node\` over each edition that can carry it. Written by \`scripts/transcript.ts\`, which fails where a hash or a word differs.\n`,
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
