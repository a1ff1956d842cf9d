import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";

import {
  account,
  asModule,
  blockSampled,
  header,
  type Rehearsal,
  rootOfValue,
  taskHash,
  toTaskJson,
  valueFelts,
} from "../../src/entries/request.js";
import { jsonText } from "../../src/base/json.js";
import type { HdpUserConfig, WireEditionName } from "../../src/types.js";
import { hdpFailure } from "../support/failure.js";
import { type ServiceProject, serviceProject } from "../support/service-project.js";
import { removeProject, type TestProject, testProject } from "../support/remote-project.js";
import { serve } from "../support/rpc-server.js";
import { runCommand } from "../support/run-command.js";
import { SERVICE_KEY, type ServiceServer } from "../support/service-server.js";

const task = blockSampled({ from: 0n, to: 2n, property: header("gas_limit") }).avg();
const GAS_LIMIT = 60_000_000n;
const nobody = `0x${"ab".repeat(20)}` as const;
const ofNobody = blockSampled({
  from: 0n,
  to: 2n,
  property: account(nobody, "balance"),
}).sum();

/** The configuration that has the network of these tests stand for the chain of the tasks. */
const STANDS_IN: HdpUserConfig = { sources: { ETHEREUM_SEPOLIA: "remote" } };

describe("the rehearsal of what is sent to a service", () => {
  let opened: ServiceProject;
  let project: TestProject;
  let connection: NetworkConnection<string>;
  let server: ServiceServer;

  afterEach(async () => {
    await opened.close();
  });

  async function connect(edition: WireEditionName, hdp: HdpUserConfig = STANDS_IN): Promise<void> {
    opened = await serviceProject(edition, hdp, "remote");
    ({ project, connection, server } = opened);
    await connection.hdp.mine(2);
  }

  for (const edition of ["tasks", "batch", "module-tasks"] as const) {
    it(`gives the value of the task over API version ${edition}, and is remembered with what is sent`, async () => {
      await connect(edition);
      const isModule = edition === "module-tasks";
      const hash = taskHash(isModule ? asModule(task) : task);
      if (isModule) server.state.returned = valueFelts(GAS_LIMIT);
      const seen: Rehearsal[] = [];
      const onRehearsal = (rehearsals: readonly Rehearsal[]): void => {
        expect(server.posts()).to.have.length(0);
        seen.push(...rehearsals);
      };
      const [result] = await connection.hdp.run(task, { onRehearsal });
      expect(seen.map((one) => one.result)).to.have.length(1);
      const [rehearsal] = seen;
      expect(rehearsal).to.include({ taskHash: hash });
      expect(rehearsal?.result).to.include({ value: GAS_LIMIT, samples: 3, proven: true });
      expect(rehearsal?.result?.anchor?.source).to.deep.equal({
        chain: "ETHEREUM_SEPOLIA",
        network: "remote",
        chainId: 31_337n,
      });
      const [record] = project.submissions();
      expect(record?.parts[0]?.computed).to.include({ value: GAS_LIMIT });
      if (!isModule) return;
      expect(rehearsal?.result?.module?.steps).to.be.greaterThan(100);
      expect(result).to.include({ word: rootOfValue(GAS_LIMIT), value: GAS_LIMIT });
      expect(record?.parts[0]?.computed?.output).to.deep.equal(valueFelts(GAS_LIMIT));
    });
  }

  it("ends a submission with nothing sent where the task fails, of several tasks with none", async () => {
    await connect("module-tasks");
    const error = await hdpFailure(connection.hdp.submit([task, ofNobody]));
    expect([error.code, error.path]).to.deep.equal([
      "HDP-1129",
      "tasks[1].datalake.sampledProperty",
    ]);
    expect(error.message)
      .to.contain(`rehearsal of task ${taskHash(asModule(ofNobody))} failed, so nothing was sent`)
      .and.contain("--no-rehearsal");
    expect(server.posts()).to.have.length(0);
    expect(project.submissions()).to.have.length(0);
    await connection.hdp.submit([task, ofNobody], { rehearsal: false });
    expect(server.posts()).to.have.length(2);
  });

  it("rehearses in hdp:check too, for accounts that do not exist, and says where no source has their chain", async () => {
    await connect("module-tasks");
    const file = join(project.root, "task.json");
    await writeFile(file, jsonText([task, ofNobody].map(toTaskJson)));
    const { refusals, unread } = await connection.hdp.preflight([task, ofNobody]);
    expect(unread).to.deep.equal([]);
    const path = "tasks[1].datalake.sampledProperty";
    expect(refusals.map((one) => [one.code, one.path])).to.deep.equal([["HDP-1129", path]]);
    const checked = await runCommand("check", { file }, project.hre);
    expect(checked.stdout).to.contain(
      `✘ HDP-1129 in ${path}: the account ${nobody} does not exist at block 0`,
    );
    expect(checked.exitCode).to.equal(1);
    await opened.close();

    await connect("module-tasks", {});
    await writeFile(join(project.root, "task.json"), jsonText([ofNobody].map(toTaskJson)));
    const unsourced = await runCommand("check", { file: "task.json" }, project.hre);
    expect(unsourced.stdout).to.contain(
      "Not rehearsed  there is no node configured for ETHEREUM_SEPOLIA.",
    );
    expect(unsourced.exitCode).to.equal(undefined);
  });

  it("reads the development chain of a node where the service is one of this machine, and no chain for another one's", async () => {
    await connect("tasks", {});
    const node = await serve(connection.provider);
    const { url } = server;
    const elsewhere = url.replace("127.0.0.1", "service.invalid");
    expect(elsewhere).to.not.equal(url);
    for (const [address, isRead] of [
      [url, true],
      [elsewhere, false],
    ] as const) {
      const dataProcessor = { url: address, apiKey: SERVICE_KEY } as const;
      const networkOf = (edition: WireEditionName) =>
        ({
          type: "http",
          url: node.url,
          hdp: { dataProcessor: { ...dataProcessor, edition } },
        }) as const;
      const networks = { served: networkOf("tasks"), today: networkOf("module-tasks") };
      const over = await testProject({ networks });
      const onNode = await over.hre.network.create("served");
      await onNode.hdp.deployExecutionStore();
      const today = await over.hre.network.create("today");
      const { unread } = await today.hdp.preflight(ofNobody);
      expect(unread.map(({ reason }) => reason)).to.deep.equal(
        isRead ? [] : ["there is no node configured for ETHEREUM_SEPOLIA."],
      );
      const seen: Rehearsal[] = [];
      const submitting = onNode.hdp.submit(task, { onRehearsal: (all) => seen.push(...all) });
      if (isRead) await submitting;
      else expect((await hdpFailure(submitting)).code).to.equal("HDP-2063");
      expect(seen.map(({ result }) => result?.value)).to.deep.equal(isRead ? [GAS_LIMIT] : []);
      await removeProject(over);
    }
    await node.close();
  });

  it("finds a service that is not there, and an earlier submission, before the rehearsal and the question", async () => {
    await connect("tasks", { ...STANDS_IN, development: false });
    const file = join(project.root, "task.json");
    await writeFile(file, jsonText([toTaskJson(task)]));
    server.state.mishap = "drop";
    const unknown = await runCommand("submit", { file, yes: true }, project.hre);
    expect(String(unknown.error)).to.contain("HDP-5008");
    server.state.mishap = "none";
    // Nobody can answer a question here: HDP-6041 would be the error of one.
    const again = await runCommand("submit", { file }, project.hre);
    expect(String(again.error)).to.contain("HDP-5005");
    expect(again.stdout).not.to.contain("ehearsed");
    const { refusals } = await connection.hdp.preflight(task);
    expect(refusals.map(({ code }) => code)).to.deep.equal(["HDP-5005"]);
    const sent = server.posts().length;
    await server.close();
    const dead = await runCommand("submit", { file, force: true, yes: true }, project.hre);
    expect(String(dead.error)).to.contain("HDP-2063");
    expect(dead.stdout).not.to.contain("ehearsed");
    const unanswered = await connection.hdp.preflight(task);
    expect(unanswered.refusals.map(({ code }) => code)).to.deep.equal(["HDP-2063"]);
    expect(server.posts()).to.have.length(sent);
  });

  it("gives the value of a task that was finalized without a submission of this project, not its root", async () => {
    await connect("module-tasks");
    const root = BigInt(rootOfValue(GAS_LIMIT));
    await connection.hdp.finalize(taskHash(asModule(task)), root);
    const other = await connection.hdp.run(task);
    expect(other[0]).to.include({ word: rootOfValue(GAS_LIMIT), value: GAS_LIMIT });
    expect(server.posts()).to.have.length(0);
  });

  it("rehearses nothing that a store has already, unless it is forced", async () => {
    await connect("tasks");
    let rehearsed = 0;
    const onRehearsal = (): void => void (rehearsed += 1);
    await connection.hdp.run(task, { onRehearsal });
    await connection.hdp.run(task, { onRehearsal });
    expect(rehearsed).to.equal(1);
    await connection.hdp.submit(task, { onRehearsal, force: true });
    expect(rehearsed).to.equal(2);
  });

  it("says which configuration would run the task where no source has its chain, and sends it", async () => {
    await connect("tasks", {});
    const seen: Rehearsal[] = [];
    await connection.hdp.submit(task, { onRehearsal: (all) => seen.push(...all) });
    expect(seen).to.deep.equal([
      {
        taskHash: taskHash(task),
        reason: "there is no node configured for ETHEREUM_SEPOLIA.",
        advice: 'Set it in hardhat.config.ts: hdp: { sources: { ETHEREUM_SEPOLIA: "<network>" } }',
        provability: { problem: "no indexer is configured (dataProcessor.indexerUrl)" },
      },
    ]);
    expect(server.posts()).to.have.length(1);
  });

  describe("in a command", () => {
    async function submitted(given: Record<string, unknown>): Promise<string> {
      const file = join(project.root, "task.json");
      await writeFile(file, jsonText([toTaskJson(task)]));
      const { stdout, error } = await runCommand("submit", { file, ...given }, project.hre);
      expect(error).to.equal(undefined);
      return stdout;
    }

    it("prints the rehearsal before the task is sent: value, unit, samples, steps and what stands for the chain", async () => {
      await connect("module-tasks", { ...STANDS_IN, development: true });
      server.state.returned = valueFelts(GAS_LIMIT);
      const dry = await submitted({ dryRun: true });
      expect(server.posts()).to.have.length(0);
      const printed = await submitted({});
      const lines =
        /\n {2}Rehearsed {2}60,000,000 gas on average\n {13}60,000,000\n {13}word 0x\w{64}\n {13}3 samples, [\d,]+ steps, all proven\n {13}proven under block .*\n {13}network "remote" \(chain id 31337\) stands for ETHEREUM_SEPOLIA\n/;
      expect(dry).to.match(lines);
      expect(printed).to.match(lines);
      expect(printed.indexOf("Rehearsed")).to.be.lessThan(printed.indexOf("Submission"));
      expect(server.posts()).to.have.length(1);
      // What is stored is not run again.
      expect(await submitted({})).not.to.contain("ehearsed");
    });

    it("prints no rehearsal with --no-rehearsal, and without a source the line that sets one", async () => {
      await connect("tasks", { development: true });
      expect(await submitted({ dryRun: true })).to.contain(
        '  Not rehearsed  there is no node configured for ETHEREUM_SEPOLIA. Set it in hardhat.config.ts: hdp: { sources: { ETHEREUM_SEPOLIA: "<network>" } }\n',
      );
      expect(await submitted({ noRehearsal: true })).not.to.contain("ehearsed");
    });
  });
});
