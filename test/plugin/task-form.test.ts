import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";
import { encodeFunctionData, type Hex } from "viem";

import "../../src/entries/chai.js";
import {
  account,
  asModule,
  blockSampled,
  HDP_FORM,
  header,
  rootOfValue,
  storage,
  type TaskForm,
  taskHash,
  toTaskJson,
  transactionsInBlock,
  tx,
  txReceipt,
  valueFelts,
} from "../../src/entries/request.js";
import type { HdpUserConfig } from "../../src/types.js";
import { hdpFailure, rejection } from "../support/failure.js";
import { compiledContract } from "../support/compiled-contract.js";
import {
  remoteNetwork,
  removeProject,
  type TestProject,
  testProject,
} from "../support/remote-project.js";
import { runCommand } from "../support/run-command.js";
import { serviceProject } from "../support/service-project.js";
import type { ServiceServer } from "../support/service-server.js";
import { recordWarnings } from "../support/warnings.js";

const task = blockSampled({ from: 0n, to: 2n, property: header("gas_limit") }).avg();
const other = blockSampled({ from: 0n, to: 2n, property: header("number") }).sum();
const GAS_LIMIT = 60_000_000n;
const HOLDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

describe("the form of a connection", () => {
  let project: TestProject;
  let connection: NetworkConnection<string>;
  let close: () => Promise<void>;

  afterEach(async () => {
    await close();
  });

  async function connect(hdp: HdpUserConfig = {}): Promise<void> {
    project = await testProject({ hdp });
    connection = await project.hre.network.create();
    close = async () => {
      await connection.close();
      await removeProject(project);
    };
    await connection.hdp.mine(2);
  }

  /** Connects to a service of today. */
  async function connectService(): Promise<ServiceServer> {
    const opened = await serviceProject("module-tasks");
    ({ project, connection, close } = opened);
    await connection.hdp.mine(2);
    return opened.server;
  }

  /** Deploys a contract that asks `HdpResults.requireValue` over the store in use. */
  async function checker(): Promise<(hash: Hex, form: number, value: bigint) => Promise<boolean>> {
    const { abi, bytecode } = compiledContract("ChecksHarness");
    const { provider, hdp } = connection;
    const [from] = (await provider.request({ method: "eth_accounts" })) as Hex[];
    const { address: store } = await hdp.store.current();
    const sent = (await provider.request({
      method: "eth_sendTransaction",
      params: [{ from, data: bytecode }],
    })) as Hex;
    const { contractAddress: to } = (await provider.request({
      method: "eth_getTransactionReceipt",
      params: [sent],
    })) as { contractAddress: Hex };
    return async (hash, form, value) => {
      const args = [store, { hash, form }, value];
      const data = encodeFunctionData({ abi, functionName: "requireValue", args });
      const call = provider.request({ method: "eth_call", params: [{ to, data }, "latest"] });
      return await call.then(
        () => true,
        () => false,
      );
    };
  }

  for (const [form, hdp] of [
    ["datalake", {}],
    ["datalake", { local: { edition: "tasks" } }],
    ["module", { local: { edition: "module-tasks" } }],
  ] satisfies readonly [TaskForm, HdpUserConfig][]) {
    it(`runs, finalizes, reads and asserts a datalake task in the ${form} form of ${JSON.stringify(hdp)}`, async () => {
      await connect(hdp);
      const { hdp: actions } = connection;
      const hash = taskHash(form === "module" ? asModule(task) : task);
      const pinned = await actions.task(task);
      expect(pinned).to.deep.equal({ hash, form: HDP_FORM[form] });

      const [result] = await actions.run(task);
      expect(result).to.include({ taskHash: hash, value: GAS_LIMIT, samples: 3, proven: true });
      expect(result.word === rootOfValue(GAS_LIMIT)).to.equal(form === "module");
      const accepts = await checker();
      expect(await accepts(pinned.hash, pinned.form, GAS_LIMIT)).to.equal(true);
      expect(await accepts(pinned.hash, pinned.form, GAS_LIMIT + 1n)).to.equal(false);
      expect(await accepts(pinned.hash, 1 - pinned.form, GAS_LIMIT)).to.equal(false);

      expect((await actions.finalize(other, 7n)).value).to.equal(7n);
      const otherHash = (await actions.task(other)).hash;
      expect(await accepts(otherHash, pinned.form, 7n)).to.equal(true);
      expect((await actions.readResult(other)).value).to.equal(7n);
      expect((await actions.readResult(otherHash)).value).to.equal(7n);
      await actions.assertions.finalized(other, 7n);
      await actions.assertions.finalized(otherHash, 7n);
      expect(String(await rejection(actions.assertions.finalized(other, 8n)))).to.contain(
        "is finalized with 7, not with 8",
      );

      const explained = await actions.explain(task);
      expect(explained).to.deep.include({ task, taskHash: hash, value: GAS_LIMIT });
      const [verified] = await actions.verify(task);
      expect(verified).to.include({ agrees: true, taskHash: hash });
      expect((await actions.verify(hash))[0]).to.include({ agrees: true, samples: 3 });
    });
  }

  it("shows in hdp verify the value that a root is of, and no root as a value", async () => {
    await connect({ local: { edition: "module-tasks" } });
    const { hre } = project;
    const { hdp } = await hre.network.getOrCreate();
    await hdp.mine(2);
    await writeFile(join(project.root, "gas.json"), JSON.stringify(toTaskJson(task)));
    await hdp.run(task);
    const verified = await runCommand("verify", { task: "gas.json" }, hre);
    const word = rootOfValue(GAS_LIMIT);
    const spoken = `60,000,000 gas on average   (${word})`;
    expect(verified.stdout).to.contain(`Stored    ${spoken}`).and.contain(`Computed  ${spoken}`);
    await hdp.finalize(task, 7n);
    const other = await runCommand("verify", { task: "gas.json" }, hre);
    expect(other.stdout).to.contain(`Stored    the root of another value   (${rootOfValue(7n)})`);
  });

  it("names a datalake task in the module form in matchers, fixtures and the screens of commands", async () => {
    await connect({ local: { edition: "module-tasks" } });
    await connection.hdp.run(task);
    await expect(connection.hdp).to.have.finalized(task, GAS_LIMIT);
    const wrong = await rejection(expect(connection.hdp).to.have.finalized(task, 1n));
    expect(String(wrong)).to.contain(`is finalized with ${GAS_LIMIT}`);
    await expect(connection.hdp).to.have.notFinalized(other);

    const block = blockSampled({ from: 0n, to: 0n, property: header("gas_limit") }).avg();
    await writeFile(join(project.root, "fee.json"), JSON.stringify([toTaskJson(block)]));
    const inModuleForm = taskHash(asModule(block));
    const { hre } = project;
    const run = async (name: string, given: Record<string, unknown>): Promise<string> => {
      const { stdout, error } = await runCommand(name, given, hre);
      expect(error, name).to.equal(undefined);
      return stdout;
    };
    expect(await run("hash", { file: "fee.json" })).to.contain(inModuleForm);
    expect(await run("check", { file: "fee.json" }))
      .to.contain(`hash ${inModuleForm}`)
      .and.contain("Form  module: a store keeps the root of the value");
    const explained = JSON.parse(await run("explain", { file: "fee.json", json: true })) as object;
    const value = String(GAS_LIMIT);
    expect(explained).to.include({ taskHash: inModuleForm, form: "module", value });
    expect(await run("explain", { file: "fee.json" })).to.contain(`${inModuleForm} (module form)`);
    await run("types", { files: ["fee.json"], out: "hdp-tasks.ts" });
    const types = (await import(join(project.root, "hdp-tasks.ts"))) as {
      readonly tasks: { readonly fee: unknown };
    };
    expect(types.tasks.fee).to.deep.equal({
      file: "fee.json",
      task: { hash: inModuleForm, form: 1 },
      tasks: [{ hash: inModuleForm, form: 1 }],
      request: { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [block] },
    });
    for (const [out, form] of [
      ["Fixtures.sol", "HdpForm.Module"],
      ["fixtures.ts", "_FORM = 1"],
      ["fixtures.cairo", "HdpForm::Module"],
    ] as const) {
      await run("fixtures", { files: ["fee.json"], out });
      const text = await readFile(join(project.root, out), "utf8");
      expect(text, out).to.contain(inModuleForm).and.contain(form).and.contain(String(GAS_LIMIT));
    }
    await run("record", { files: ["fee.json"], out: "fee.recording.json" });
    expect(await readFile(join(project.root, "fee.recording.json"), "utf8")).to.contain(
      inModuleForm,
    );
  });

  it("returns the root that a slot holds as the value of a task over the slot, also where its value is known", async () => {
    await connect();
    const { hdp } = connection;
    const root = BigInt(rootOfValue(7n));
    const slot = blockSampled({ from: 1n, to: 1n, property: storage(HOLDER, 0n) }).max();
    // Whoever asserts by hash alone names the value in either form: from then on this process knows the root's value.
    await hdp.finalize(other, 7n);
    await hdp.assertions.finalized(taskHash(other), 7n);
    expect((await hdp.finalize(slot, root)).value).to.equal(root);
    expect((await hdp.readResult(slot)).value).to.equal(root);
    expect((await hdp.readResult(taskHash(slot))).value).to.equal(root);
  });

  it("sends the module form to a service of today, a request for each task", async () => {
    const server = await connectService();
    server.state.returned = valueFelts(GAS_LIMIT);
    server.state.published = valueFelts(GAS_LIMIT);
    const [first, second] = await connection.hdp.run([task, other]);
    expect(server.posts().map(({ url }) => url)).to.deep.equal(["/tasks", "/tasks"]);
    expect(server.accepted.map(({ hashes }) => hashes)).to.deep.equal([
      [taskHash(asModule(task))],
      [taskHash(asModule(other))],
    ]);
    expect(first).to.include({ value: GAS_LIMIT, word: rootOfValue(GAS_LIMIT) });
    expect(second?.value).to.equal(GAS_LIMIT);
    const { stdout } = await runCommand("list", {}, project.hre);
    expect(stdout).to.match(/average of header.gas_limit.*\(module form\)/);
    const listed = await runCommand("list", { json: true }, project.hre);
    expect(JSON.parse(listed.stdout)).to.have.nested.property("[0].forms[0]", "module");
    const [again] = await connection.hdp.run(task);
    expect(again.value).to.equal(GAS_LIMIT);
    expect(server.posts()).to.have.length(2);
  });

  for (const [recorded, replayed] of [
    ["datalake", "module"],
    ["module", "datalake"],
  ] as const) {
    it(`replays in the ${replayed} form what was recorded in the ${recorded} form, and names it by both hashes`, async () => {
      const edition = { datalake: "tasks", module: "module-tasks" } as const;
      await connect({ local: { edition: edition[recorded] } });
      await connection.provider.request({
        method: "eth_sendTransaction",
        params: [{ from: HOLDER, to: HOLDER, value: "0x7" }],
      });
      const tasks = [
        task,
        blockSampled({ from: 1n, to: 3n, property: account(HOLDER, "balance") }).min(),
        blockSampled({ from: 1n, to: 3n, property: storage(HOLDER, 0n) }).count("eq", 0n),
        transactionsInBlock({ block: 3n, from: 0n, to: 1n, property: tx("value") }).sum(),
        transactionsInBlock({ block: 3n, from: 0n, to: 1n, property: txReceipt("success") }).sum(),
      ];
      const results = await connection.hdp.run(tasks);
      const recording = await connection.hdp.record(tasks);
      const both = tasks.flatMap((one) => [taskHash(one), taskHash(asModule(one))]);
      expect([...recording.taskHashes].sort()).to.deep.equal(both.sort());
      await close();

      await connect({ local: { edition: edition[replayed] } });
      const { hdp } = connection;
      const { taskHashes } = await hdp.replay(recording);
      const again = await hdp.run(tasks);
      expect(again.map(({ value }) => value)).to.deep.equal(results.map(({ value }) => value));
      expect(again.every(({ proven }) => proven)).to.equal(true);
      for (const one of tasks) expect(taskHashes).to.include((await hdp.task(one)).hash);
      expect((await hdp.verify(tasks)).every(({ agrees }) => agrees)).to.equal(true);
      expect((await hdp.explain(task)).value).to.equal(GAS_LIMIT);
    });
  }

  describe("after a change of the API version", () => {
    const sent = taskHash(task);
    const asked = taskHash(asModule(task));
    let server: ServiceServer;
    let first: TestProject;

    beforeEach(async () => {
      const before = await serviceProject("tasks");
      ({ project: first, server } = before);
      await before.connection.hdp.mine(2);
      await before.connection.hdp.run(task);
      project = await testProject(remoteNetwork(server.url, "module-tasks"), first.root, "remote");
      connection = await project.hre.network.getOrCreate("remote");
      close = async () => {
        await connection.close();
        await before.close();
      };
      await connection.hdp.mine(2);
      await writeFile(
        join(project.root, "fee.json"),
        JSON.stringify({
          destinationChainId: "ETHEREUM_SEPOLIA",
          tasks: [toTaskJson(task)],
        }),
      );
    });

    const SUBMITTED = `Task ${asked} is looked up anew: in the datalake form it has another hash, ${sent}, sent as`;

    it("says in hdp check and before hdp submit that a task is looked up anew, and nothing the second time", async () => {
      const checked = await runCommand("check", { file: "fee.json" }, project.hre);
      expect(checked.stdout).to.contain(SUBMITTED);
      const dry = await runCommand("submit", { file: "fee.json", dryRun: true }, project.hre);
      expect(dry.stdout).to.contain(SUBMITTED);
      const sending = { file: "fee.json", yes: true, noWait: true };
      const { stdout } = await runCommand("submit", sending, project.hre);
      expect(stdout).to.contain(SUBMITTED);
      const again = await runCommand("submit", sending, project.hre);
      expect(again.stdout).to.not.contain("looked up anew");
    });

    it("warns once in hdp.submit, also where only the store has the result", async () => {
      const warnings = recordWarnings();
      try {
        await connection.hdp.submit(task);
        await connection.hdp.submit(task);
        await connection.hdp.finalize(taskHash(other), 7n);
        await connection.hdp.submit(other);
      } finally {
        warnings.stop();
      }
      const stored = `in the datalake form it has another hash, ${taskHash(other)}, stored.`;
      expect(warnings.lines).to.have.length(2);
      expect(warnings.lines[0]).to.contain(SUBMITTED);
      expect(warnings.lines[1]).to.contain(stored);
    });

    it("says in hdp list and hdp status which hash is looked up now, and of the new hash where it was sent", async () => {
      const now = `In the module form, which network "remote" has now: ${asked}, it is looked up anew`;
      expect((await runCommand("list", {}, project.hre)).stdout).to.contain(now);
      expect((await runCommand("status", { id: asked }, project.hre)).stdout).to.match(
        new RegExp(`In the datalake form: ${sent}, sent as`),
      );
      const listed = await runCommand("list", { json: true }, project.hre);
      expect(JSON.parse(listed.stdout)).to.have.deep.nested.property("[0].otherForms", [
        { taskHash: asked, form: "module", network: "remote", isNow: true },
      ]);
      expect((await runCommand("status", { id: sent }, project.hre)).stdout).to.contain(now);
      await connection.hdp.submit(task);
      const both = (await runCommand("list", {}, project.hre)).stdout;
      expect(both).to.match(/In the module form, which .* now: 0x[0-9a-f]{64}, sent as /);
      expect(both).to.match(/In the datalake form: 0x[0-9a-f]{64}, sent as /);
    });

    it("verifies a task by the hash of the form in which it was not sent", async () => {
      await connection.hdp.finalize(asked, rootOfValue(GAS_LIMIT));
      const [verified] = await connection.hdp.verify(asked);
      expect(verified).to.include({ taskHash: asked, agrees: true, samples: 3 });
    });
  });

  it("says which value is not known where a service publishes no output and no source has the chain", async () => {
    const server = await connectService();
    server.state.returned = valueFelts(1_234_567n);
    const error = await hdpFailure(connection.hdp.run(task));
    expect(error.code).to.equal("HDP-3015");
    expect(error.message).to.contain(rootOfValue(1_234_567n)).and.contain("ETHEREUM_SEPOLIA");
  });
});
