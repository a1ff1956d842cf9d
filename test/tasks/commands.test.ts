import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import hardhatHdp from "../../src/index.js";
import { tasks } from "../../src/tasks/commands.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";
import { type CommandRun, COMMANDS, runCommand } from "../support/run-command.js";

describe("commands", () => {
  let project: TestProject;
  before(async () => (project = await testProject({})));
  after(async () => await removeProject(project));

  it("define at most 54 tasks with test cairo, each with its own id", () => {
    const names = tasks.map(({ id }) => id.join(" "));
    expect(new Set(names).size).to.equal(names.length);
    expect(names.length).to.be.at.most(53);
  });

  it("define subtasks of hdp, and eight of them as root tasks, too", () => {
    const { rootTasks } = project.hre.tasks;
    const own = [...rootTasks.keys()].filter((name) => name.startsWith("hdp"));
    expect(own.sort()).to.deep.equal([
      "hdp",
      "hdp:await",
      "hdp:check",
      "hdp:init",
      "hdp:node",
      "hdp:program:upload",
      "hdp:proof:submit",
      "hdp:result",
      "hdp:submit",
    ]);
    for (const name of own.slice(1)) {
      const root = project.hre.tasks.getTask(name);
      const subtask = project.hre.tasks.getTask(name.split(":"));
      expect(root.actions[0]).to.deep.equal(subtask.actions[0]);
      expect([...root.options.keys()]).to.deep.equal([...subtask.options.keys()]);
    }
  });

  it("load the action that each of them names", async () => {
    for (const [name, { action }] of Object.entries(COMMANDS)) {
      expect((await action?.())?.default, name).to.be.a("function");
    }
  });

  it("print one document with --json, also where nothing was done", async () => {
    const { stdout } = await runCommand("fields", { kind: "header", json: true }, project.hre);
    expect(JSON.parse(stdout)).to.have.keys("header");
  });

  it("init names the file that it cannot write, and keeps what is there when it is repeated", async () => {
    const own = await testProject({});
    try {
      await rm(join(own.root, "tasks"), { recursive: true, force: true });
      await writeFile(join(own.root, "tasks"), "a file where a folder is needed");
      const { error } = await runCommand("init", {}, own.hre);
      expect(String(error)).to.match(
        /HDP-6207 in tasks\/fee\.json: "tasks\/fee\.json" can't be written \(E\w+\)\./,
      );
      await rm(join(own.root, "tasks"));
      const first = await runCommand("init", { json: true }, own.hre);
      const again = await runCommand("init", { json: true }, own.hre);
      const changes = ({ stdout }: CommandRun): unknown[] =>
        (JSON.parse(stdout) as { files: { change: string }[] }).files.map(({ change }) => change);
      expect(changes(first)).to.include("created");
      expect(new Set(changes(again))).to.deep.equal(new Set(["kept"]));
    } finally {
      await removeProject(own);
    }
  });

  it("add test cairo only where a Cairo package is configured", async () => {
    expect(project.hre.tasks.getTask("test").subtasks.has("cairo")).to.equal(false);
    const config = { plugins: [hardhatHdp], hdp: { cairo: { package: "cairo" } } };
    const hre = await createHardhatRuntimeEnvironment(config, {}, project.root);
    expect(hre.tasks.getTask("test").subtasks.has("cairo")).to.equal(true);
  });
});
