import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";
import { configVariable } from "hardhat/config";

import { BATCH_STATES } from "../dev-server/fixture.js";
import { fixtureProject, root } from "../support/hardhat-cli.js";
import {
  KEY_VARIABLE,
  removeProject,
  testProject,
  type TestProject,
} from "../support/remote-project.js";
import { type Ports, runNode, type RunningNode } from "../support/running-node.js";
import { runCommand } from "../support/run-command.js";

describe("hdp:node, restarted and in trouble", () => {
  it("shows the six states of a batch, and says what to do about a program that nobody uploaded", async () => {
    const node = await runNode(["--latency", "0.4"]);
    const submit = async (tasks: readonly unknown[]): Promise<string> => {
      const reply = await fetch(`${node.server}/submit-batch?apiKey=any`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ destinationChainId: "ETHEREUM_SEPOLIA", tasks }),
      });
      return ((await reply.json()) as { batchId: string }).batchId;
    };
    const states = async (id: string): Promise<[states: string[], errorMessage: string]> => {
      const seen = new Set<string>();
      for (;;) {
        const reply = await fetch(`${node.server}/batch-query/${id}`);
        const { status, errorMessage = "" } = (await reply.json()) as {
          status: string;
          errorMessage?: string;
        };
        seen.add(status);
        if (["Finalized", "FAILED"].includes(status)) return [[...seen], errorMessage];
        await sleep(20);
      }
    };
    try {
      expect((await states(await submit([taskFile("avg")])))[0]).to.deep.equal([...BATCH_STATES]);
      const [, message] = await states(
        await submit([{ type: "Module", programHash: "0x7", inputs: [] }]),
      );
      expect(message).to.contain("program 0x7 is not known here").and.contain("/submit-program");
      expect(message).to.not.contain(fixtureProject).and.not.contain("hdp.local.programs");
    } finally {
      await node.interrupt();
    }
  });

  it("plays the faults of --fault, each once, and names what it does not know", async () => {
    const faults =
      "stuck-at:CachedMmrRoot,http-burst:503:1,fails-at:PieSubmittedToProver:no such block";
    const node = await runNode(["--fault", faults]);
    const submit = async (): Promise<{ readonly status: number; readonly batchId?: string }> => {
      const reply = await fetch(`${node.server}/submit-batch?apiKey=any`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [taskFile("avg")] }),
      });
      return { status: reply.status, ...((await reply.json()) as { batchId?: string }) };
    };
    const query = async (id: string | undefined): Promise<unknown> => {
      const { status, errorMessage } = (await (
        await fetch(`${node.server}/batch-query/${id ?? ""}`)
      ).json()) as {
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
      .to.contain('HDP-6003 in --fault: "http-burst:404:1" is not a fault.')
      .and.contain("Allowed: stuck-at:<state>, fails-at:<state>:<words>,");
  });

  it("goes on when a full disk has room again, and says once what could not be written", async function () {
    const disk = await mkdtemp(join(tmpdir(), "hdp-full-disk-"));
    const mount = (...args: readonly string[]): boolean =>
      spawnSync("mount", [...args, disk]).status === 0;
    if (process.platform !== "linux" || !mount("-t", "tmpfs", "-o", "size=512k", "tmpfs")) {
      await rm(disk, { recursive: true });
      console.log("      (not looked at: file systems cannot be mounted here)");
      this.skip();
    }
    let node: RunningNode | undefined;
    const post = async (
      value: number,
    ): Promise<{ readonly status: number; readonly text: string }> => {
      const reply = await fetch(`${node?.server ?? ""}/submit-batch?apiKey=any`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": `k${value}` },
        body: JSON.stringify({
          destinationChainId: "ETHEREUM_SEPOLIA",
          tasks: [countAbove(value)],
        }),
      });
      return { status: reply.status, text: await reply.text() };
    };
    const failures = (): readonly string[] =>
      node?.output.split("\n").filter((line) => line.includes("✘")) ?? [];
    const final = async (text: string): Promise<string> => {
      const { batchId } = JSON.parse(text) as { batchId: string };
      for (let look = 0; look < 200; look += 1) {
        const reply = await fetch(`${node?.server ?? ""}/batch-query/${batchId}`);
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
      expect((await fetch(`${node.server}/is-alive`)).status).to.equal(200);
      for (let look = 0; look < 60 && failures().length === 0; look += 1) await sleep(50);
      const [failure = "", ...more] = failures();
      expect(more).to.deep.equal([]);
      const database = join(disk, "data", "dev-server.db");
      expect(failure).to.contain(
        `HDP-5101 in ${database}: the database cannot be written: database or disk is full.`,
      );
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
  });

  it("starts anew without a word of what a project sent before", async () => {
    process.env[KEY_VARIABLE] = "any";
    const tasks = [taskFile("avg"), taskFile("max")];
    let node = await runNode([]);
    const project = await projectOf(node);
    try {
      const files = tasks.map((_, index) => join(project.root, `task-${String(index)}.json`));
      for (const [index, file] of files.entries())
        await writeFile(file, JSON.stringify(tasks[index]));
      const [read = "", open = ""] = files;
      await finalized(project, read);
      expect(
        (await runCommand("submit", { file: open, noWait: true }, project.hre)).error,
      ).to.equal(undefined);
      const old = project.submissions();
      const genesis = new Set(old.map((one) => one.genesis));
      expect(genesis.size).to.equal(1);
      const again = await runCommand("submit", { file: read }, project.hre);
      expect(again.stdout).to.contain("0 of 1 task to send");

      const ports: Ports = [Number(new URL(node.chain).port), Number(new URL(node.server).port)];
      await node.interrupt();
      node = await runNode([], ports);
      // As in a new process: nothing but the database is remembered.
      const { hre } = await projectOf(node, project.root);
      const forgotten = [...genesis, ...old.map(({ serviceId }) => serviceId)].map(String);
      for (const file of files) {
        const output = await finalized({ hre }, file);
        expect(output).not.to.contain("not sent");
        for (const word of forgotten) expect(output).not.to.contain(word);
      }
      const now = new Set(
        project
          .submissions()
          .slice(old.length)
          .map((one) => one.genesis),
      );
      expect([...now])
        .to.have.length(1)
        .and.not.to.include([...genesis][0]);
    } finally {
      Reflect.deleteProperty(process.env, KEY_VARIABLE);
      await node.interrupt();
      await removeProject(project);
    }
  });
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
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0,
    blockRangeEnd: 0,
    sampledProperty: "header.number",
  },
  compute: {
    aggregateFnId: "count",
    aggregateFnCtx: { operator: "gt", valueToCompare: String(value) },
  },
});

const taskFile = (aggregateFnId: string): unknown => ({
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0,
    blockRangeEnd: 1,
    sampledProperty: "header.gas_limit",
  },
  compute: { aggregateFnId },
});

/** A project whose tasks go to a running node, by default in a folder of its own. */
async function projectOf(node: RunningNode, folder?: string): Promise<TestProject> {
  const { executionStore } = (await (await fetch(node.server)).json()) as {
    executionStore: string;
  };
  const dataProcessor = { url: node.server, apiKey: configVariable(KEY_VARIABLE) };
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
