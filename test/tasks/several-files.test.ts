import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";

import {
  blockSampled,
  header,
  isHdpError,
  taskHash,
  toTaskJson,
} from "../../src/entries/request.js";
import { failureDocument } from "../../src/tasks/failure.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";
import { type CommandRun, runCommand } from "../support/run-command.js";

const average = blockSampled({ from: 0, to: 0, property: header("base_fee_per_gas") }).avg();
const latest = blockSampled({ from: 0, to: 0, property: header("timestamp") }).max();
const document = ({ stdout, error }: CommandRun): Record<string, unknown> => {
  expect(error).to.equal(undefined);
  return JSON.parse(stdout) as Record<string, unknown>;
};

describe("several task files", () => {
  let project: TestProject;
  const run = async (name: string, given: Record<string, unknown>): Promise<CommandRun> =>
    await runCommand(name, given, project.hre);

  before(async () => {
    project = await testProject({});
    await mkdir(join(project.root, "tasks", "more"), { recursive: true });
    const write = async (file: string, task: object): Promise<void> =>
      await writeFile(
        join(project.root, "tasks", file),
        JSON.stringify({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [task] }),
      );
    await write("a.json", toTaskJson(average));
    await write("more/b.json", toTaskJson(latest));
    await write("bad.txt", { type: "Module", programHash: "x", inputs: "y" });
  });
  after(async () => await removeProject(project));

  it("checks and hashes files by a pattern, each once", async () => {
    const hashes = await run("hash", {
      file: "tasks/**/*.json",
      more: ["tasks/a.json", "./tasks/a.json", join(project.root, "tasks", "a.json")],
    });
    expect(hashes.stdout).to.equal(
      `${taskHash(average)}  tasks/a.json\n${taskHash(latest)}  tasks/more/b.json\n`,
    );
    const checked = document(await run("check", { file: "tasks/**/*.json", json: true }));
    expect(checked).to.have.nested.property("files[1].file", "tasks/more/b.json");
    expect(checked).to.have.nested.property("files[1].tasks[0].taskHash", taskHash(latest));
    expect((await run("check", { file: "tasks/**/*.json" })).stdout).to.include(
      "2 tasks in 2 files, valid as written, blocks not looked at.",
    );
    const one = document(await run("hash", { file: "tasks/a.json", json: true }));
    expect(one).to.deep.equal({
      datalakeEncoding: "with-chain-id",
      taskHashes: [taskHash(average)],
    });
  });

  it("submits without what only traces need; a store that is deployed afterwards has it", async () => {
    const { hdp, provider } = await project.hre.network.getOrCreate();
    let told = 0;
    const tell: unknown = Reflect.get(provider, "addCompilationResult");
    if (typeof tell !== "function") throw new Error("the in-process node takes no sources");
    const counted = async (...args: unknown[]): Promise<void> => {
      told += 1;
      await Reflect.apply(tell, provider, args);
    };
    Object.assign(provider, { addCompilationResult: counted });
    const submitted = document(await run("submit", { file: "tasks/a.json", json: true }));
    expect(submitted).to.have.nested.property("status.phase", "finalized");
    expect(told).to.equal(0);
    await hdp.deployExecutionStore();
    expect(told).to.equal(1);
  });

  it("report all errors of all files at once", async () => {
    const { error } = await run("check", {
      file: "tasks/a.json",
      more: ["tasks/bad.txt", "tasks/none.json"],
    });
    expect(isHdpError(error, "HDP-1100")).to.equal(true);
    const { errors } = failureDocument(error).error;
    expect(errors?.map(({ path, code }) => path ?? code)).to.deep.equal([
      "tasks/bad.txt:1:82, tasks[0].programHash",
      "tasks/bad.txt:1:95, tasks[0].inputs",
      "HDP-6001",
    ]);
    const alone = await run("check", { file: "tasks/a.json", more: ["tasks/none.json"] });
    expect(isHdpError(alone.error, "HDP-6001")).to.equal(true);
    expect(isHdpError((await run("hash", { file: "task/*.json" })).error, "HDP-6001")).to.equal(
      true,
    );
  });

  it("submits files together for their destination, and says the units of results", async () => {
    const submitted = await run("submit", { file: "tasks/**/*.json" });
    expect(submitted.error).to.equal(undefined);
    expect(submitted.stdout.match(/Destination/g)).to.have.length(1);
    expect(submitted.stdout)
      .to.match(/ Result 1 {2}[\d.,]+ gwei on average\n/)
      .and.to.match(/ Result 2 {2}20\d\d-.* UTC at most\n/);
    const again = document(
      await run("submit", { file: "tasks/a.json", more: ["tasks/more/b.json"], json: true }),
    );
    expect(again)
      .to.have.nested.property("submission.taskHashes")
      .that.deep.equals([taskHash(average), taskHash(latest)]);
    const inEther = await run("result", { taskHash: taskHash(average), unit: "ether" });
    expect(inEther.stdout).to.match(/ Result {2}0\.0000[\d]+ ether\n/);
  });

  it("watches files until they are finalized, or until the timeout", async () => {
    const { hdp } = await project.hre.network.getOrCreate();
    const later = blockSampled({ from: 0, to: 0, property: header("gas_limit") }).avg();
    const watching = run("watch", {
      tasks: ["tasks/a.json", taskHash(later)],
      interval: "0.05",
      json: true,
    });
    await sleep(300);
    await hdp.finalize(later, 7n);
    expect(document(await watching)).to.have.nested.property("results[1].value", "7");
    const never = await run("watch", {
      tasks: [`0x${"12".repeat(32)}`],
      interval: "0.05",
      timeout: "0.2",
    });
    expect(isHdpError(never.error, "HDP-2081")).to.equal(true);
    expect(never.stdout).to.include("Watching  1 task on network");
  });

  it("watches files by a pattern, each task once, to the end of the timeout", async () => {
    const all = await run("watch", {
      tasks: ["tasks/**/*.json", "tasks/a.json", taskHash(latest)],
    });
    expect(all.error).to.equal(undefined);
    expect(all.stdout).to.include("Watching  2 tasks on network");
    expect(isHdpError((await run("watch", { tasks: ["task/*.json"] })).error, "HDP-6001")).to.equal(
      true,
    );

    const { hdp } = await project.hre.network.getOrCreate();
    const last = blockSampled({ from: 0, to: 0, property: header("gas_used") }).avg();
    const watching = run("watch", {
      tasks: [taskHash(last)],
      interval: "60",
      timeout: "1.5",
      json: true,
    });
    await sleep(300);
    await hdp.finalize(last, 7n);
    expect(document(await watching)).to.have.nested.property("results[0].value", "7");
  });

  it("name the wrong option of a watch, and what a truncated hash lacks", async () => {
    const { error } = await run("watch", { tasks: ["tasks/a.json"], interval: "soon" });
    expect(error).to.include({ code: "HDP-6003", path: "--interval" });
    for (const [name, given] of [
      ["watch", { tasks: ["0x1234"] }],
      ["verify", { task: "0x1234" }],
    ] as const) {
      const cut = await run(name, given);
      expect(isHdpError(cut.error, "HDP-6001")).to.equal(true);
      expect(String(cut.error)).to.include(
        "A task hash is 0x and 64 hexadecimal digits; this has 4.",
      );
    }
  });
});
