import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";

import { expect } from "chai";

import { StoreRpcError } from "../../src/entries/store.js";
import { callFailure } from "../../src/base/rpc.js";
import {
  blockSampled,
  describeTask,
  header,
  transactionsInBlock,
  tx,
  isHdpError,
} from "../../src/entries/request.js";
import { failureOfReply } from "../../src/service/http/service-errors.js";
import { annotation } from "../../src/tasks/annotation.js";
import { terminalScreen } from "../../src/tasks/ui/screen.js";
import { testProject } from "../support/remote-project.js";
import { type CommandRun, runCommand } from "../support/run-command.js";

const TASK = {
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0,
    blockRangeEnd: 9,
    sampledProperty: "header.gas_used",
  },
  compute: { aggregateFnId: "avg" },
};
const REQUEST = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [TASK] };

describe("advice on failures of nodes", () => {
  const advice = (message: string, more: object = { code: -32000 }): string =>
    new StoreRpcError("eth_sendTransaction", Object.assign(new Error(message), more)).message;

  it("follows from the node's words: no funds, too much gas, an unknown hardfork", () => {
    for (const words of [
      "Sender doesn't have enough funds to send tx. The max upfront cost is: 1",
      "insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1",
    ]) {
      expect(advice(words)).to.contain(
        "fund it, or send from another (hdp.executionStore.operator)",
      );
    }
    for (const words of [
      "Transaction gas limit is 9 and exceeds block gas limit of 8",
      "exceeds block gas limit",
    ]) {
      expect(advice(words)).to.contain(
        "finalize fewer tasks at once, or raise the network's blockGasLimit",
      );
    }
    expect(
      advice("No known hardfork for execution on historical block 1 in chain with id 5"),
    ).to.contain("chainDescriptors");
    expect(advice("nonce too low"))
      .to.contain("The node answered, and refused")
      .and.not.contain("reachable");
    expect(advice("connect ECONNREFUSED", {})).to.contain("The transaction may have been sent");
    expect(new StoreRpcError("eth_call", new Error("connect ECONNREFUSED")).message).to.contain(
      "Check that the network's node is reachable",
    );
  });

  it("says whose the words of HDP-4103 are", () => {
    const failure = (more: object): string =>
      callFailure("eth_chainId", [], Object.assign(new Error("Cannot connect"), more)).message;
    expect(failure({ errorCode: "HHE702" })).to.contain(
      "The text after the colon is Hardhat's own.",
    );
    expect(failure({ code: -32000 })).to.contain("The text after the colon is the node's own.");
    expect(failure({})).to.not.contain("own.");
  });

  it("names the key where a service answers 403", () => {
    const context = {
      service: "the data processor",
      endpoint: "GET https://x",
      key: "header X-API-KEY",
    };
    const reply = {
      type: "reply",
      status: 403,
      text: "",
      contentType: "",
      retryAfter: undefined,
      location: undefined,
    };
    const { code, message } = failureOfReply(reply, context, 0);
    expect(code).to.equal("HDP-2030");
    expect(message)
      .to.contain("refused the key of this call, or asks for one (403)")
      .and.contain("sent as header X-API-KEY");
  });
});

describe("task files as they are named and written", () => {
  let folder: string;
  const cwd = process.cwd();

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "hdp-first-")));
    await mkdir(join(folder, "tasks"));
    await mkdir(join(folder, "sub"));
    await writeFile(join(folder, "tasks", "fee.json"), JSON.stringify(REQUEST));
    await writeFile(join(folder, "sub", "one.json"), JSON.stringify(TASK));
    await writeFile(join(folder, "sub", "list.json"), JSON.stringify([TASK, TASK]));
  });
  after(async () => {
    process.chdir(cwd);
    await rm(folder, { recursive: true });
  });

  async function run(name: string, given: object): Promise<CommandRun> {
    return await runCommand(name, { ...given }, (await testProject({}, folder)).hre);
  }

  it("looks for files where the command runs, then in the project", async () => {
    process.chdir(join(folder, "sub"));
    for (const file of ["one.json", "tasks/fee.json", "o*.json", "tasks/*.json"]) {
      expect((await run("hash", { file })).stdout, file).to.match(/^0x[\da-f]{64}\n$/);
    }
    for (const file of ["one.json", "tasks/fee.json"]) {
      // The file was read: its blocks are not there yet.
      expect(String((await run("fixtures", { files: [file] })).error), file).to.include("HDP-4101");
    }
    process.chdir(cwd);
    expect(isHdpError((await run("hash", { file: "one.json" })).error, "HDP-6001")).to.equal(true);
  });

  it("accepts one task, or a list of tasks", async () => {
    const [, hash = ""] = (await run("hash", { file: "tasks/fee.json" })).stdout.split(/(0x\w+)/);
    expect((await run("hash", { file: "sub/one.json" })).stdout).to.equal(`${hash}\n`);
    expect((await run("hash", { file: "sub/list.json" })).stdout).to.equal(`${hash}\n${hash}\n`);
  });

  it("reports line and column in every error, also below a list and of what is missing", async () => {
    const wrong = { ...REQUEST, tasks: [TASK, { ...TASK, compute: {} }] };
    await writeFile(join(folder, "tasks", "bad.json"), JSON.stringify(wrong, null, 2));
    const { error } = await run("check", { file: "tasks/bad.json" });
    expect(String(error)).to.contain(
      "HDP-1101 in tasks/bad.json:26:18, tasks[1].compute.aggregateFnId:",
    );
    expect(isHdpError(error) ? annotation(error) : "").to.match(
      /^::error file=tasks\/bad\.json,line=26,col=18,/,
    );

    const worse = [
      { ...TASK, compute: { aggregateFnId: "avrg" } },
      { ...TASK, compute: { aggregateFnId: 7 } },
    ];
    await writeFile(join(folder, "tasks", "bad.json"), JSON.stringify(worse, null, 1));
    const { message } = (await run("check", { file: "tasks/bad.json" })).error as Error;
    expect(message).to.match(/^HDP-1100 in tasks\/bad\.json: there are 2 errors to correct\./);
    expect(message).to.contain("in tasks/bad.json:12:21, tasks[0].compute.aggregateFnId:");
    expect(message).to.contain("in tasks/bad.json:25:21, tasks[1].compute.aggregateFnId:");
  });

  it("asks for a file where standard input is empty", async () => {
    const { stdin } = process;
    const empty = Object.assign(Readable.from([]), { isTTY: false });
    Object.defineProperty(process, "stdin", { value: empty, configurable: true });
    try {
      const { error } = await run("hash", {});
      expect(String(error))
        .to.contain("HDP-6016 in file: no task file was named, and one is needed.")
        .and.not.contain("submit");
    } finally {
      Object.defineProperty(process, "stdin", { value: stdin, configurable: true });
    }
  });

  it("warns of files that sample very much, or step past their range", async () => {
    const property = header("number");
    const warnings = (task: Parameters<typeof describeTask>[0]): readonly string[] =>
      describeTask(task).warnings;
    expect(warnings(blockSampled({ from: 0, to: 999_999_999, property }).sum())).to.deep.equal([
      "1,000,000,000 samples: each is read and proven. A larger increment samples fewer.",
    ]);
    const past = blockSampled({ from: 5, to: 9, increment: 100, property }).sum();
    expect(warnings(past)).to.deep.equal([
      "the step of 100 is past the range: only block 5 is sampled.",
    ]);
    expect(
      warnings(blockSampled({ from: 5, to: 5, increment: 100, property }).sum()),
    ).to.deep.equal([]);
    expect(warnings(blockSampled({ from: 0, to: 99_999, property }).sum())).to.deep.equal([]);
    const transactions = { block: 7, from: 0, to: 4, increment: 4, property: tx("value") };
    expect(warnings(transactionsInBlock(transactions).sum())).to.have.length(1);
    const json = {
      ...REQUEST,
      tasks: [{ ...TASK, datalake: { ...TASK.datalake, increment: 10 } }],
    };
    await writeFile(join(folder, "tasks", "step.json"), JSON.stringify(json));
    expect((await run("check", { file: "tasks/step.json" })).stdout).to.contain(
      "! the step of 10 is past the range",
    );
  });
});

describe("commands at first use", () => {
  it("list storage among the fields, and print it alone", async () => {
    const { hre } = await testProject({});
    expect((await runCommand("fields", { kind: "storage" }, hre)).stdout).to.equal(
      "\n  storage  avg, sum, min, max, count\n    {address}.{slot}\n",
    );
    const all = JSON.parse((await runCommand("fields", { json: true }, hre)).stdout) as object;
    expect(all).to.have.keys("header", "account", "storage", "tx", "tx_receipt");
  });

  it("take a terminal of 0 columns for one of 80", () => {
    let text = "";
    const stream = { isTTY: true, columns: 0, write: (piece: string) => (text += piece) };
    terminalScreen(false, { stdout: stream, stderr: stream }).line("word ".repeat(20).trimEnd());
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => line.trimEnd().length),
    ).to.deep.equal([79, 21]);
  });

  it("name the schema where a workspace has its packages, and ignore the data folder alone", async () => {
    const workspace = await mkdtemp(join(tmpdir(), "hdp-workspace-"));
    try {
      const root = join(workspace, "packages", "app");
      await mkdir(root, { recursive: true });
      await mkdir(join(workspace, "node_modules"));
      await symlink(process.cwd(), join(workspace, "node_modules", "hardhat-hdp"));
      expect((await runCommand("init", {}, (await testProject({}, root)).hre)).error).to.equal(
        undefined,
      );
      expect(await readFile(join(root, "tasks", "fee.json"), "utf8")).to.contain(
        '"$schema": "../../../node_modules/hardhat-hdp/task.schema.json"',
      );
      expect((await readFile(join(root, ".gitignore"), "utf8")).split("\n")).to.include("/hdp/");
    } finally {
      await rm(workspace, { recursive: true });
    }
  });
});
