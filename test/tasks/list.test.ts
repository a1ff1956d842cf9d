import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { pad, toHex } from "viem";

import { header, blockSampled, taskHash, toTaskJson } from "../../src/entries/request.js";
import { possibleHashes } from "../../src/submission/asked-task.js";
import { SubmissionStore } from "../../src/submission/submission-store.js";
import {
  KEY_VARIABLE,
  remoteNetwork,
  removeProject,
  testProject,
  type TestProject,
} from "../support/remote-project.js";
import { hdpFailure } from "../support/failure.js";
import { runCommand } from "../support/run-command.js";
import { SERVICE_KEY, type ServiceServer, serviceServer } from "../support/service-server.js";

const DAY = 86_400_000;
const FEE = blockSampled({ from: 1, to: 3, property: header("base_fee_per_gas") }).avg();
const id = (at: number): string =>
  `${at.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;

describe("hdp list", () => {
  let project: TestProject;

  before(async () => {
    project = await testProject({});
    const now = Date.now();
    let at = now;
    const path = join(project.root, "hdp", "submissions.db");
    const store = new SubmissionStore({ path, now: () => at });
    for (let one = 0; one < 60; one += 1) {
      at = now - (60 - one) * DAY;
      const hash =
        one === 7 ? (possibleHashes(FEE)[2]?.hash ?? "0x") : pad(toHex(one), { size: 32 });
      store.insert({
        id: id(one),
        kind: "tasks",
        state: "sending",
        network: one % 2 === 0 ? "sepolia" : "mainnet",
        processor: "tasks",
        label: one % 3 === 0 ? "tasks/fee.json" : "tasks/gas.json",
        forced: false,
        parts: [{ hash, identity: hash, live: true }],
      });
      if (one === 3) continue;
      store.move(id(one), ["sending"], "accepted", { serviceId: `service-${one}` });
      store.move(id(one), ["accepted"], one % 5 === 0 ? "failed" : "finalized");
    }
    store.close();
  });
  after(async () => await removeProject(project));

  async function listed(given: Record<string, unknown>, network?: string): Promise<string[]> {
    const { hre } = await testProject(
      { networks: { sepolia: { type: "edr-simulated" } } },
      project.root,
      network,
    );
    const { stdout, error } = await runCommand("list", { ...given, json: true }, hre);
    if (error instanceof Error) throw error;
    return (JSON.parse(stdout) as { id: string }[]).map((one) => one.id);
  }
  const where = (test: (at: number) => boolean): string[] =>
    Array.from({ length: 60 }, (_, at) => at)
      .filter(test)
      .map(id);

  it("selects by state, age, network, label, and by all of them at once", async () => {
    expect(await listed({ state: "failed" })).to.deep.equal(where((at) => at % 5 === 0));
    expect(await listed({ state: "unknown" })).to.deep.equal([id(3)]);
    expect(await listed({ since: "2d" })).to.deep.equal(where((at) => at >= 59));
    expect(await listed({ since: "1w" })).to.deep.equal(where((at) => at >= 54));
    const date = new Date(Date.now() - 10.5 * DAY).toISOString();
    expect(await listed({ since: date })).to.deep.equal(where((at) => at >= 50));
    expect(await listed({ label: "fee" })).to.deep.equal(where((at) => at % 3 === 0));
    expect(await listed({}, "sepolia")).to.deep.equal(where((at) => at % 2 === 0));
    const all = { state: "failed", since: "31d", label: "fee.json" };
    expect(await listed(all, "sepolia")).to.deep.equal([id(30)]);
  });

  it("selects by a task hash, and by a task file whatever form its task was sent in", async () => {
    expect(await listed({ task: pad(toHex(9), { size: 32 }) })).to.deep.equal([id(9)]);
    const file = join(project.root, "fee.json");
    const request = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [toTaskJson(FEE)] };
    await writeFile(file, JSON.stringify(request));
    expect(await listed({ task: file })).to.deep.equal([id(7)]);
    expect(taskHash(FEE)).not.to.equal(possibleHashes(FEE)[2]?.hash);
  });

  it("shows the newest 50, says so, and that an earlier one is of unknown outcome; the document has all", async () => {
    const { stdout } = await runCommand("list", {}, project.hre);
    expect(stdout.match(/^ {2}service-/gm)).to.have.length(50);
    expect(stdout).to.contain("These are the newest 50.");
    expect(stdout).to.contain("! 1 more of unknown outcome: npx hardhat hdp list --state unknown");
    expect(await listed({})).to.have.length(60);
    expect(await listed({ limit: "2" })).to.deep.equal([id(58), id(59)]);
    const few = await runCommand("list", { limit: "1" }, project.hre);
    expect(few.stdout).to.contain("These are the newest 1.");
    const none = await runCommand("list", { label: "nothing" }, project.hre);
    expect(none.stdout).to.contain("All of them: npx hardhat hdp list");
  });

  it("names a state, an age, a number and a file that it can't take, with what it takes", async () => {
    const wrong = async (given: Record<string, unknown>): Promise<string> =>
      (await hdpFailure(listed(given))).message;
    expect(await wrong({ state: "fialed" }))
      .to.contain('Did you mean "failed"')
      .and.to.contain("given-up");
    for (const since of ["yesterday", "2 days", "d", "2026", "2026-13-45"])
      expect(await wrong({ since })).to.contain("30m, 12h, 2d, 1w, or a date such as 2026-11-01");
    expect(await wrong({ limit: "0" })).to.contain("--limit");
    expect(await wrong({ task: "none.json" })).to.contain("none.json");
  });
});

describe("the id of a submission", () => {
  let server: ServiceServer;
  let project: TestProject;

  before(async () => {
    process.env[KEY_VARIABLE] = SERVICE_KEY;
    const chain = await testProject({});
    server = await serviceServer(await chain.hre.network.create());
    project = await testProject(remoteNetwork(server.url, "tasks"), chain.root);
  });
  after(async () => {
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    await server.close();
    await removeProject(project);
  });

  it("shows one name on every screen: list, status, resume and submit, whatever names it", async () => {
    const { hdp } = await project.hre.network.getOrCreate("remote");
    server.state.id = "01JPJ03YJTW3Q8K2V5M7N9";
    server.state.mishap = "fail";
    const { parts } = await hdp.submit(FEE);
    expect(parts[0]?.id).to.equal(server.state.id);
    const own = project.submissions()[0]?.id ?? "";
    const shown = async (name: string, args: object): Promise<string> =>
      (await runCommand(name, { ...args }, project.hre)).stdout;
    expect(await shown("list", {})).to.match(/^ {2}01JPJ03YJT /m);
    for (const name of [own, own.slice(0, 8), "01JPJ03YJT", taskHash(FEE)]) {
      for (const command of ["status", "resume"]) {
        const stdout = await shown(command, { id: name });
        expect(stdout, `${command} ${name}`).to.contain("Submission  01JPJ03YJTW3Q8K2V5M7N9");
        expect(stdout).not.to.contain(own);
      }
    }
  });
});
