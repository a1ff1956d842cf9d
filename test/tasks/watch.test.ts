import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";

import { blockSampled, header, toTaskJson } from "../../src/entries/request.js";
import { root } from "../support/hardhat-cli.js";
import { hdpFailure } from "../support/failure.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";
import { type CommandRun, runCommand } from "../support/run-command.js";

const EXAMPLE = join(root, "examples", "module-balance");
/** An edit shows its result within a second; a loaded machine gets more. */
const PATIENCE = 10_000;

const fileOf = (to: number): string =>
  JSON.stringify({
    destinationChainId: "ETHEREUM_SEPOLIA",
    tasks: [toTaskJson(blockSampled({ from: 0, to, property: header("number") }).max())],
  });

/** A command that is watched in this process. */
class Watching {
  public text = "";
  readonly #before = process.listeners("SIGINT");
  readonly #run: Promise<CommandRun>;

  public constructor(name: string, given: Record<string, unknown>, { hre }: TestProject) {
    this.#run = runCommand(name, { ...given, watch: true }, hre, (text) => (this.text += text));
  }

  /** Waits until what is printed since the last call matches. */
  public async shows(pattern: RegExp): Promise<string> {
    const end = performance.now() + PATIENCE;
    while (!pattern.test(this.text) && performance.now() < end) await sleep(10);
    const { text } = this;
    expect(text).to.match(pattern);
    this.text = "";
    return text;
  }

  public async stop(): Promise<CommandRun> {
    for (const listener of process.listeners("SIGINT"))
      if (!this.#before.includes(listener)) listener("SIGINT");
    return await this.#run;
  }
}

describe("--watch", () => {
  let project: TestProject;
  let running: Watching | undefined;

  const watch = (name: string, given: Record<string, unknown>): Watching =>
    (running = new Watching(name, given, project));

  before(async () => {
    project = await testProject({});
  });
  // One whose test failed is stopped too.
  afterEach(async () => {
    await running?.stop();
  });
  after(async () => await removeProject(project));

  it("explains a task file again after each change, prints its mistakes and goes on", async () => {
    const file = join(project.root, "task.json");
    writeFileSync(file, fileOf(1));
    await (await project.hre.network.getOrCreate()).hdp.mine(9);
    const watching = watch("explain", { file });
    await watching.shows(/Value +1\n[\s\S]*Watching 1 file; Ctrl-C ends it\.\n$/);
    writeFileSync(file, fileOf(4));
    await watching.shows(/Changed +task\.json\n[\s\S]*Value +4\n[\s\S]*Ctrl-C ends it\.\n$/);
    writeFileSync(file, "{ no json");
    await watching.shows(/✘ HDP-\d+[\s\S]*Ctrl-C ends it\.\n$/);
    // As editors do that write a file beside it and move it to its place.
    await rm(file);
    writeFileSync(file, fileOf(6));
    await watching.shows(/Value +6\n[\s\S]*Ctrl-C ends it\.\n$/);
    writeFileSync(join(project.root, "other.json"), "{}");
    await sleep(300);
    expect(watching.text).to.equal("");
    const { error, exitCode } = await watching.stop();
    expect([error, exitCode]).to.deep.equal([undefined, undefined]);
    expect(process.listeners("SIGINT")).to.have.length(new Set(process.listeners("SIGINT")).size);
  });

  it("refuses options that need an end, and standard input", async () => {
    const wrong = async (given: Record<string, unknown>): Promise<string> => {
      const { error } = await runCommand("explain", { watch: true, ...given }, project.hre);
      if (!(error instanceof Error)) return "nothing";
      return (await hdpFailure(Promise.reject(error))).message;
    };
    expect(await wrong({ file: "task.json", json: true })).to.contain('"--json" is not');
    expect(await wrong({ file: "task.json", open: true })).to.contain('"--open" is not');
    expect(await wrong({ file: "-" })).to.contain('"standard input" is not');
  });

  describe("of a module", () => {
    let folder: string;
    let builds: string;

    before(() => {
      folder = join(project.root, "balance");
      builds = join(project.root, "builds");
      for (const part of ["Scarb.toml", "src", "tests", "tasks"])
        cpSync(join(EXAMPLE, part), join(folder, part), { recursive: true });
      mkdirSync(join(folder, "target"), { recursive: true });
      cpSync(join(EXAMPLE, "compiled"), join(folder, "target", "dev"), { recursive: true });
      for (const part of [join("tests", "balance.test.json"), join("tasks", "balance.json")]) {
        const text = readFileSync(join(folder, part), "utf8");
        writeFileSync(join(folder, part), text.replaceAll("../compiled", "../target/dev"));
      }
      // In place of Scarb: a program that writes the classes, as it does.
      const scarb = join(project.root, "scarb");
      writeFileSync(scarb, `#!/bin/sh\necho built >> ${builds}\ntouch target/dev/*\n`);
      chmodSync(scarb, 0o755);
      process.env["SCARB"] = scarb;
    });
    after(() => Reflect.deleteProperty(process.env, "SCARB"));

    const edit = (path: string, change: (text: string) => string): void => {
      const whole = join(folder, path);
      writeFileSync(whole, change(readFileSync(whole, "utf8")));
    };

    it("tests again after a change of an assertion, and builds again after one of a source", async () => {
      const watching = watch("module test", { dir: folder });
      const first = await watching.shows(/\d+ tests? passed, 0 failed\n[\s\S]*Ctrl-C ends it\.\n$/);
      expect(first).not.to.contain("Scarb");
      edit("src/lib.cairo", (text) => `${text}\n// more\n`);
      await watching.shows(
        /Changed +balance\/src\/lib\.cairo\n[\s\S]*Scarb[\s\S]*passed, 0 failed\n[\s\S]*Ctrl-C ends it\.\n$/,
      );
      expect(readFileSync(builds, "utf8")).to.equal("built\n");
      const before = readFileSync(join(folder, "tests", "balance.test.json"), "utf8");
      edit("tests/balance.test.json", (text) => text.replace("1000000", "2000000"));
      await watching.shows(/✘ [\s\S]*[1-9]\d* failed\n[\s\S]*Ctrl-C ends it\.\n$/);
      edit("tests/balance.test.json", () => before);
      await watching.shows(/passed, 0 failed\n[\s\S]*Ctrl-C ends it\.\n$/);
      expect((await watching.stop()).exitCode).to.equal(undefined);
    });

    it("runs again after a change of the task file, and of a source behind its class", async () => {
      const file = join(folder, "tasks", "balance.json");
      const recording = join(folder, "tests", "balance.recording.json");
      const watching = watch("module run", { file, recording });
      await watching.shows(/Felts [\s\S]*Watching 2 files, balance\/; Ctrl-C ends it\.\n$/);
      edit("src/lib.cairo", (text) => `${text}\n// again\n`);
      await watching.shows(
        /Changed +balance\/src\/lib\.cairo\n[\s\S]*Scarb[\s\S]*Felts [\s\S]*Ctrl-C ends it\.\n$/,
      );
      edit("tasks/balance.json", (text) => `${text}\n`);
      await watching.shows(/Changed +balance\/tasks\/balance\.json\n[\s\S]*Felts [\s\S]*Ctrl-C/);
      await watching.stop();
    });
  });
});
