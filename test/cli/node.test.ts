import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { expect } from "chai";
import { configVariable } from "hardhat/config";

import { isHdpError } from "../../src/base/errors.js";
import type { Eip1193Provider } from "../../src/base/rpc.js";
import { blockSampled } from "../../src/request/builder.js";
import { header } from "../../src/request/properties.js";
import { taskHash } from "../../src/request/task-hash.js";
import { toTaskJson } from "../../src/request/task-request-json.js";
import { openExecutionStore } from "../../src/store/execution-store.js";
import { BATCH_STATES } from "../../src/service/data-processor/batch-edition.js";
import { fixtureProject, root } from "../support/hardhat-cli.js";
import { KEY_VARIABLE, removeProject, testProject, type TestProject } from "../support/remote-project.js";
import { type RpcServer, serve } from "../support/rpc-server.js";
import { runCommand } from "../support/run-command.js";

interface RunningNode {
  readonly output: string;
  readonly chain: string;
  readonly front: string;
  /** As Ctrl-C does. Resolves with the exit code. */
  interrupt(): Promise<number | null>;
}

/** Ports of the chain and of the front; by default any that are free. */
type Ports = readonly [chain: number, front: number];

async function runNode(args: readonly string[], [chainPort, frontPort]: Ports = [0, 0]): Promise<RunningNode> {
  const ports = ["--hostname", "127.0.0.1", "--port", String(chainPort), "--hdp-port", String(frontPort)];
  return await runServer(["hdp:node", ...ports, ...args], fixtureProject);
}

/** A command that serves until it is interrupted. */
async function runServer(args: readonly string[], cwd: string): Promise<RunningNode> {
  const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", HH_TEST: "", NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
      if (/Ctrl-C ends (both|it)/.test(output)) resolve();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    void ended.then((code) => {
      reject(new Error(`${String(args[0])} ended with ${code ?? "a signal"}: ${output}`));
    });
  });
  const address = (name: string): string =>
    new RegExp(`${name}\\s+(http://127\\.0\\.0\\.1:\\d+)`).exec(output)?.[1] ?? "";
  return {
    get output() {
      return output;
    },
    chain: address("Chain"),
    front: address("Data processor"),
    interrupt: async () => {
      child.kill("SIGINT");
      return await ended;
    },
  };
}

describe("hdp:node", () => {
  it("runs a chain and the front beside it, prints what a project needs with the real key, and ends with Ctrl-C", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "hdp-node-"));
    const key = "sk_node-8Wq3";
    const node = await runNode(["--api-key", key, "--data-dir", dataDir]);
    try {
      expect(node.output).to.include(dataDir).and.include("/swagger/");
      expect(node.output).to.include(`dataProcessor: { url: "${node.front}", apiKey: "${key}" }`);
      expect(node.output.split(key)).to.have.length(2);
      const info = (await (await fetch(node.front)).json()) as { chainUrl: string; executionStore: string };
      expect(info.chainUrl).to.equal(node.chain);
      expect(node.output).to.include(info.executionStore);
      const code = await fetch(node.chain, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getCode", params: [info.executionStore, "latest"] }),
      });
      expect(((await code.json()) as { result: string }).result.length).to.be.greaterThan(100);
      expect((await fetch(`${node.front}/grow-orders`, { headers: { "api-key": "other" } })).status).to.equal(403);
      expect((await fetch(`${node.front}/grow-orders`, { headers: { "api-key": key } })).status).to.equal(200);
    } finally {
      expect(await node.interrupt()).to.equal(0);
      await rm(dataDir, { recursive: true, force: true });
    }
  }).timeout(60_000);

  it("shows the six states of a batch, and says what to do about a program that nobody uploaded", async () => {
    const node = await runNode(["--latency", "0.4"]);
    const submit = async (tasks: readonly unknown[]): Promise<string> => {
      const reply = await fetch(`${node.front}/submit-batch?apiKey=any`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ destinationChainId: "ETHEREUM_SEPOLIA", tasks }),
      });
      return ((await reply.json()) as { batchId: string }).batchId;
    };
    const states = async (id: string): Promise<[states: string[], errorMessage: string]> => {
      const seen = new Set<string>();
      for (;;) {
        const reply = await fetch(`${node.front}/batch-query/${id}`);
        const { status, errorMessage = "" } = (await reply.json()) as { status: string; errorMessage?: string };
        seen.add(status);
        if (["Finalized", "FAILED"].includes(status)) return [[...seen], errorMessage];
        await sleep(20);
      }
    };
    try {
      expect((await states(await submit([taskFile("avg")])))[0]).to.deep.equal([...BATCH_STATES]);
      const [, message] = await states(await submit([{ type: "Module", programHash: "0x7", inputs: [] }]));
      expect(message).to.contain("program 0x7 is not known here").and.contain("/submit-program");
      expect(message).to.not.contain(fixtureProject).and.not.contain("hdp.local.programs");
    } finally {
      await node.interrupt();
    }
  }).timeout(120_000);

  it("plays the faults of --fault, each once, and names what it does not know", async () => {
    const faults = "stuck-at:CachedMmrRoot,http-burst:503:1,fails-at:PieSubmittedToProver:no such block";
    const node = await runNode(["--fault", faults]);
    const submit = async (): Promise<{ readonly status: number; readonly batchId?: string }> => {
      const reply = await fetch(`${node.front}/submit-batch?apiKey=any`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [taskFile("avg")] }),
      });
      return { status: reply.status, ...((await reply.json()) as { batchId?: string }) };
    };
    const query = async (id: string | undefined): Promise<unknown> => {
      const { status, errorMessage } = (await (await fetch(`${node.front}/batch-query/${id ?? ""}`)).json()) as {
        status: string;
        errorMessage?: string;
      };
      return [status, errorMessage];
    };
    try {
      expect(node.output).to.include(`${faults}  (each once, in order)`);
      expect((await submit()).status).to.equal(503);
      const stuck = await submit();
      const failed = await submit();
      const well = await submit();
      expect(await query(failed.batchId)).to.deep.equal(["FAILED", "no such block"]);
      let last: unknown;
      for (let look = 0; look < 200; look += 1) {
        last = await query(well.batchId);
        if (JSON.stringify(last) === '["Finalized",null]') break;
        await sleep(50);
      }
      expect(last).to.deep.equal(["Finalized", undefined]);
      expect(await query(stuck.batchId)).to.deep.equal(["CachedMmrRoot", undefined]);
    } finally {
      expect(await node.interrupt()).to.equal(0);
    }
    const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
    const refused = spawnSync(process.execPath, [cli, "hdp:node", "--fault", "http-burst:404:1"], {
      cwd: fixtureProject,
      env: { ...process.env, NO_COLOR: "1", HH_TEST: "", NODE_OPTIONS: "" },
      encoding: "utf8",
    });
    expect(refused.status).to.equal(1);
    expect(refused.stdout + refused.stderr)
      .to.contain('HDP-4904 in --fault: "http-burst:404:1" is not a fault.')
      .and.contain("Allowed, with commas between several: stuck-at:<state>, fails-at:<state>:<words>,");
  }).timeout(60_000);

  it("goes on when a full disk has room again, and says once what could not be written", async function () {
    const disk = await mkdtemp(join(tmpdir(), "hdp-full-disk-"));
    const mount = (...args: readonly string[]): boolean => spawnSync("mount", [...args, disk]).status === 0;
    if (process.platform !== "linux" || !mount("-t", "tmpfs", "-o", "size=64k", "tmpfs")) {
      await rm(disk, { recursive: true });
      console.log("      (not looked at: file systems cannot be mounted here)");
      this.skip();
    }
    let node: RunningNode | undefined;
    const post = async (value: number): Promise<{ readonly status: number; readonly text: string }> => {
      const reply = await fetch(`${node?.front ?? ""}/submit-batch?apiKey=any`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": `k${value}` },
        body: JSON.stringify({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [countAbove(value)] }),
      });
      return { status: reply.status, text: await reply.text() };
    };
    const failures = (): readonly string[] => node?.output.split("\n").filter((line) => line.includes("✘")) ?? [];
    const final = async (text: string): Promise<string> => {
      const { batchId } = JSON.parse(text) as { batchId: string };
      for (let look = 0; look < 200; look += 1) {
        const reply = await fetch(`${node?.front ?? ""}/batch-query/${batchId}`);
        const { status } = (await reply.json()) as { status: string };
        if (status === "Finalized") return status;
        await sleep(50);
      }
      return "not finalized within 10 s";
    };
    try {
      node = await runNode(["--data-dir", join(disk, "data")]);
      const first = await post(0);
      expect([first.status, await final(first.text)]).to.deep.equal([200, "Finalized"]);
      await fill(disk);
      const accepted: string[] = [];
      const refused: number[] = [];
      for (let value = 1; refused.length < 5; value += 1) {
        const { status, text } = await post(value);
        if (status === 200) accepted.push(text);
        else refused.push(value);
        expect([200, 500]).to.include(status);
        expect(value).to.be.lessThan(100);
      }
      expect((await fetch(`${node.front}/is-alive`)).status).to.equal(200);
      for (let look = 0; look < 60 && failures().length === 0; look += 1) await sleep(50);
      const [failure = "", ...more] = failures();
      expect(more).to.deep.equal([]);
      expect(failure).to.contain(`${join(disk, "data", "front.jsonl")} cannot be written: ENOSPC: no space left`);
      await rm(join(disk, "filler"), { recursive: true });
      expect(mount("-o", "remount,size=1m")).to.equal(true);
      for (const text of accepted) expect(await final(text)).to.equal("Finalized");
      const [value = 0] = refused;
      const resent = await post(value);
      expect([resent.status, await final(resent.text)]).to.deep.equal([200, "Finalized"]);
      expect(failures()).to.have.length(1);
      // What was accepted is known to the next process, and what was refused is not there twice.
      expect(await node.interrupt()).to.equal(0);
      node = await runNode(["--data-dir", join(disk, "data")]);
      expect(await post(value)).to.deep.equal(resent);
      for (const text of [first.text, ...accepted]) expect(await final(text)).to.equal("Finalized");
    } finally {
      await node?.interrupt();
      spawnSync("umount", [disk]);
      await rm(disk, { recursive: true });
    }
  }).timeout(120_000);

  it("starts anew without a word of what a project sent before", async () => {
    process.env[KEY_VARIABLE] = "any";
    const tasks = [taskFile("avg"), taskFile("max")];
    let node = await runNode([]);
    const project = await projectOf(node);
    try {
      const files = tasks.map((_, index) => join(project.root, `task-${String(index)}.json`));
      for (const [index, file] of files.entries()) await writeFile(file, JSON.stringify(tasks[index]));
      const [read = "", open = ""] = files;
      await finalized(project, read);
      expect((await runCommand("submit", { file: open, noWait: true }, project.hre)).error).to.equal(undefined);
      const old = await project.journal();
      const genesis = new Set(old.flatMap((line) => line["genesis"] ?? []));
      expect(genesis.size).to.equal(1);
      const again = await runCommand("submit", { file: read }, project.hre);
      expect(again.stdout).to.contain("0 of 1 task to send");

      const ports: Ports = [Number(new URL(node.chain).port), Number(new URL(node.front).port)];
      await node.interrupt();
      node = await runNode([], ports);
      // As in a new process: nothing but the journal is remembered.
      const { hre } = await projectOf(node, project.root);
      const forgotten = [...genesis, ...old.flatMap((line) => line["serviceId"] ?? [])].map(String);
      for (const file of files) {
        const output = await finalized({ hre }, file);
        expect(output).not.to.contain("not sent");
        for (const word of forgotten) expect(output).not.to.contain(word);
      }
      const now = new Set((await project.journal()).slice(old.length).flatMap((line) => line["genesis"] ?? []));
      expect([...now])
        .to.have.length(1)
        .and.not.to.include([...genesis][0]);
    } finally {
      Reflect.deleteProperty(process.env, KEY_VARIABLE);
      await node.interrupt();
      await removeProject(project);
    }
  }).timeout(120_000);
});

/** Takes the room that is left, to the last byte. */
async function fill(disk: string): Promise<void> {
  const folder = join(disk, "filler");
  await mkdir(folder);
  for (let bytes = 4_096, name = 0; bytes >= 1; bytes /= 2) {
    const isWritten = await writeFile(join(folder, String(name)), Buffer.alloc(bytes)).then(
      () => true,
      () => false,
    );
    if (isWritten) bytes *= 2;
    name += 1;
  }
}

const countAbove = (value: number): unknown => ({
  type: "DatalakeCompute",
  datalake: {
    ...{ type: "BlockSampled", chainId: "ETHEREUM_SEPOLIA", blockRangeStart: 0, blockRangeEnd: 0 },
    sampledProperty: "header.number",
  },
  compute: { aggregateFnId: "count", aggregateFnCtx: { operator: "gt", valueToCompare: String(value) } },
});

const taskFile = (aggregateFnId: string): unknown => ({
  type: "DatalakeCompute",
  datalake: {
    ...{ type: "BlockSampled", chainId: "ETHEREUM_SEPOLIA", blockRangeStart: 0, blockRangeEnd: 1 },
    sampledProperty: "header.gas_limit",
  },
  compute: { aggregateFnId },
});

/** A project whose tasks go to a running node, by default in a folder of its own. */
async function projectOf(node: RunningNode, folder?: string): Promise<TestProject> {
  const { executionStore } = (await (await fetch(node.front)).json()) as { executionStore: string };
  const dataProcessor = { url: node.front, apiKey: configVariable(KEY_VARIABLE) };
  const hdp = { dataProcessor, executionStore: { address: executionStore } };
  const networks = { default: { type: "http", url: node.chain, hdp } } as const;
  return await testProject({ networks }, folder);
}

/** What `hdp:submit` prints of a task that it brings to its end. */
async function finalized({ hre }: Pick<TestProject, "hre">, file: string): Promise<string> {
  const { stdout, error } = await runCommand("submit", { file }, hre);
  expect(error, stdout).to.equal(undefined);
  expect(stdout).to.contain("Submission").and.to.contain("Result");
  return stdout;
}

describe("hdp:serve", function () {
  this.timeout(90_000);
  let project: TestProject;
  let node: RpcServer;

  before(async () => {
    project = await testProject({});
    const chain = await project.hre.network.create();
    await chain.provider.request({ method: "hardhat_mine", params: ["0x4"] });
    node = await serve(chain.provider);
    const linked = join(project.root, "node_modules");
    await symlink(join(root, "node_modules"), linked, "junction");
    await writeFile(
      join(project.root, "hardhat.config.ts"),
      `import hdp from ${JSON.stringify(pathToFileURL(join(root, "dist", "index.js")).href)};
       export default { plugins: [hdp], networks: { running: { type: "http", url: "${node.url}" } } };`,
    );
  });
  after(async () => {
    await node.close();
    await removeProject(project);
  });

  it("puts the front beside a node that runs, with --host, --cors, the key in the snippet and a line each request", async () => {
    const args = ["--hdp-port", "0", "--host", "0.0.0.0", "--cors", "http://localhost:3000", "--api-key", "k1"];
    const server = await runServer(["hdp:serve", "--network", "running", ...args], project.root);
    try {
      expect(server.chain).to.equal(node.url);
      expect(server.output).to.include('apiKey: "k1"').and.to.include("Ctrl-C ends it; the node goes on.");
      const front = `http://127.0.0.1:${String(/Data processor\s+http:\/\/\S+:(\d+)/.exec(server.output)?.[1])}`;
      const page = { headers: { "api-key": "k1", origin: "http://localhost:3000" } };
      const allowed = await fetch(`${front}/grow-orders`, page);
      expect(allowed.status).to.equal(200);
      expect(allowed.headers.get("access-control-allow-origin")).to.equal("http://localhost:3000");
      const task = blockSampled({ from: 0, to: 3, property: header("number") }).sum();
      const request = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [toTaskJson(task)] };
      const accepted = await fetch(`${front}/tasks`, {
        method: "POST",
        headers: { "x-api-key": "k1", "content-type": "application/json" },
        body: JSON.stringify(request),
      });
      expect(accepted.status, await accepted.text()).to.equal(200);
      for (let look = 0; look < 100 && !server.output.includes("POST /tasks"); look += 1) await sleep(50);
      expect(server.output).to.match(/^ {2}GET \/grow-orders {2}200 {2}\d+ ms$/m);
      expect(server.output).to.match(/^ {2}POST \/tasks {2}200 {2}\d+ ms$/m);
      const store = /Execution store\s+(0x\w{40})/.exec(server.output)?.[1] ?? "";
      const read = await openExecutionStore({ provider: rpcTo(node.url), address: store });
      for (let look = 0; look < 100 && (await read.status(taskHash(task))) !== "finalized"; look += 1) await sleep(100);
      expect((await read.readResult(taskHash(task))).value).to.equal(6n);
    } finally {
      expect(await server.interrupt()).to.equal(0);
    }
    expect((await fetch(node.url, rpcBody("eth_chainId"))).status).to.equal(200);
  });

  it("refuses a chain inside its own process, and ports that are none", async () => {
    const inside = await runCommand("serve", {}, project.hre);
    expect(isHdpError(inside.error, "HDP-6052"), String(inside.error)).to.equal(true);
    for (const [name, given] of [
      ["node", { port: 99_999_999 }],
      ["node", { hdpPort: 70_000 }],
      ["serve", { hdpPort: 65_536 }],
    ] as const) {
      const { error } = await runCommand(name, given, project.hre);
      expect(isHdpError(error, "HDP-6053"), String(error)).to.equal(true);
    }
  });
});

function rpcBody(method: string, params: readonly unknown[] = []): RequestInit {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return { method: "POST", headers: { "content-type": "application/json" }, body };
}

function rpcTo(url: string): Eip1193Provider {
  return {
    request: async ({ method, params }) => {
      const reply = (await (await fetch(url, rpcBody(method, [...(params ?? [])]))).json()) as { result: unknown };
      return reply.result;
    },
  };
}
