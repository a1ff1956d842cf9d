import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";

import { blockSampled, header, type Rehearsal, toTaskJson } from "../../src/entries/request.js";
import { jsonText } from "../../src/base/json.js";
import { hdpFailure } from "../support/failure.js";
import { httpServer, type OddServer, sendJson } from "../support/odd-servers.js";
import { runCommand } from "../support/run-command.js";
import { type ServiceProject, serviceProject } from "../support/service-project.js";

const SEPOLIA = "11155111";
const task = blockSampled({ from: 0n, to: 2n, property: header("gas_limit") }).avg();

describe("what the indexer says before something is sent", () => {
  let opened: ServiceProject;
  let indexer: OddServer;
  /** What the indexer answers next, the last one from then on. */
  let answers: unknown[];

  const ranges = (...held: [number, number][]) => ({
    [SEPOLIA]: { [SEPOLIA]: { keccak: [], poseidon: held } },
  });

  beforeEach(async () => {
    answers = [];
    indexer = await httpServer((_, response) => {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined) sendJson(response, 404, {});
      else sendJson(response, 200, answer);
    });
    opened = await serviceProject(
      "module-tasks",
      { sources: { ETHEREUM_SEPOLIA: "remote" } },
      "remote",
      indexer.url,
    );
    await opened.connection.hdp.mine(2);
    const request = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [toTaskJson(task)] };
    await writeFile(join(opened.project.root, "task.json"), jsonText(request));
  });
  afterEach(async () => {
    await opened.close();
    await indexer.close();
  });

  const check = async (args: Record<string, unknown> = {}) =>
    await runCommand("check", { file: "task.json", more: [], ...args }, opened.project.hre);

  async function rehearsed(): Promise<readonly Rehearsal[]> {
    const seen: Rehearsal[] = [];
    await opened.connection.hdp.submit(task, { onRehearsal: (all) => seen.push(...all) });
    return seen;
  }

  it("shows a block as provable, or as not yet with the block at which it ends: neither refuses, in hdp:check and the rehearsal", async () => {
    answers = [ranges([0, 2])];
    expect(await check()).to.deep.include({ exitCode: undefined });
    expect((await check()).stdout).to.contain("✔ ETHEREUM_SEPOLIA blocks 0 to 2: provable");
    answers = [ranges([0, 1])];
    const early = await check();
    expect([early.exitCode, early.stdout]).to.deep.equal([undefined, early.stdout]);
    expect(early.stdout).to.contain("! ETHEREUM_SEPOLIA blocks 0 to 2: not yet: ends at block 1");
    const [rehearsal] = await rehearsed();
    expect(rehearsal?.provability?.sources?.map(({ text }) => text)).to.deep.equal([
      "not yet: ends at block 1",
    ]);
    expect(opened.server.posts()).to.have.length(1);
  });

  it("reports a service without a connection, with exit code 1 and nothing sent", async () => {
    answers = [{}];
    const far = blockSampled({
      chainId: "OPTIMISM_SEPOLIA",
      from: 0n,
      to: 2n,
      property: header("gas_limit"),
    }).avg();
    const request = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [toTaskJson(far)] };
    await writeFile(join(opened.project.root, "task.json"), jsonText(request));
    const { exitCode, stdout } = await check();
    expect(exitCode).to.equal(1);
    expect(stdout).to.contain(
      "HDP-2045 in destinationChainId: no published connection from OPTIMISM_SEPOLIA to ETHEREUM_SEPOLIA",
    );
    const error = await hdpFailure(opened.connection.hdp.submit(far));
    expect(error.code).to.equal("HDP-2045");
    expect(opened.server.posts()).to.have.length(0);
  });

  it("prints one line and refuses nothing where the indexer does not answer as published, or none is configured", async () => {
    answers = [{ [SEPOLIA]: "soon" }];
    const odd = await check();
    expect(odd.exitCode).to.equal(undefined);
    expect(odd.stdout).to.contain(
      "Whether the destination can prove the blocks already is not known",
    );
    const [rehearsal] = await rehearsed();
    expect(rehearsal?.provability?.problem).to.be.a("string");
    const without = await serviceProject("module-tasks", {}, "remote");
    const { stdout } = await runCommand(
      "check",
      { file: join(opened.project.root, "task.json") },
      without.project.hre,
    );
    expect(stdout).to.contain("no indexer is configured (dataProcessor.indexerUrl)");
    await without.close();
  });

  it("can be waited for, with each new answer printed", async () => {
    answers = [ranges([0, 1]), ranges([0, 1]), ranges([0, 2])];
    const { stdout, exitCode } = await check({ awaitProvable: true });
    expect(exitCode).to.equal(undefined);
    expect(stdout).to.match(/ends at block 1\n[^]*provable\n/);
    expect(indexer.seen.map(({ url }) => url)).to.deep.equal(
      new Array(4).fill("/block-ranges/get-all-ranges-accumulated-per-chain"),
    );
  });
});
