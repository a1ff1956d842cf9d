import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import networkHelpers from "@nomicfoundation/hardhat-network-helpers";
import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatUserConfig } from "hardhat/types/config";
import type { NetworkConnection } from "hardhat/types/network";
import type { Hex } from "viem";

import { jsonText } from "../../src/base/json.js";
import hardhatHdp from "../../src/index.js";
import {
  account,
  asModule,
  blockSampled,
  header,
  storage,
  taskHash,
  toTaskJson,
  toTaskRequestJson,
  type ModuleTask,
  type ResolvedBlock,
  type TaskRequest,
} from "../../src/entries/request.js";
import { projectSubmissions } from "../../src/plugin/project-database.js";
import { finalizeTasks } from "../../src/entries/store.js";
import { failure } from "../support/failure.js";
import { runCommand } from "../support/run-command.js";

const SOMEBODY = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const NODE: Hex = `0x${"00".repeat(32)}`;

const numbers = blockSampled({ from: 1, to: 4, property: header("number") }).sum();
const balances = blockSampled({ from: 1, to: 3, property: account(SOMEBODY, "balance") }).min();
const slots = blockSampled({ from: 1, to: 3, property: storage(SOMEBODY, NODE) }).sum();

describe("verify, explain, record and replay on a connection", () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "hdp-inspection-"));
    await writeFile(join(root, "package.json"), "{}");
  });
  after(async () => {
    await rm(root, { recursive: true, force: true });
  });

  async function connect(config: HardhatUserConfig = {}): Promise<NetworkConnection<string>> {
    const hre = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp, networkHelpers], ...config },
      {},
      root,
    );
    const connection = await hre.network.create();
    await mine(connection, 4);
    return connection;
  }
  async function mine({ provider }: NetworkConnection<string>, blocks: number): Promise<void> {
    await provider.request({ method: "hardhat_mine", params: [`0x${blocks.toString(16)}`] });
  }

  it("verifies what was just run, by task, by hash and in another store", async () => {
    const { hdp } = await connect();
    const [{ taskHash: hash }] = await hdp.run([numbers, balances]);
    const reports = await hdp.verify([numbers, balances]);
    expect(reports[0]).to.include({ agrees: true, taskHash: hash, samples: 4, proven: true });
    expect(reports.map(({ agrees }) => agrees)).to.deep.equal([true, true]);
    expect((await hdp.verify(hash))[0]).to.include({ agrees: true, taskHash: hash });
    const [{ store }] = reports;
    await hdp.deployExecutionStore();
    const [elsewhere] = await hdp.verify(hash);
    expect(elsewhere).to.include({ agrees: false }).and.not.to.have.property("stored");
    expect((await hdp.verify(hash, { store }))[0]).to.include({ agrees: true, store });
  });

  it("names the network that stood for a chain in everything that says what proofs rest on", async () => {
    const { hdp, networkName } = await connect();
    const source = { chain: "ETHEREUM_SEPOLIA", network: networkName, chainId: 31337n };
    const [{ anchor }] = await hdp.run(numbers);
    expect(anchor).to.deep.include({ kind: "node", source });
    expect((await hdp.readResult(numbers)).anchor).to.deep.include({ source });
    expect((await hdp.explain(numbers)).anchor).to.deep.include({ source });
    expect((await hdp.verify(numbers))[0].anchor).to.deep.include({ source });
  });

  it("says first that values are not proven, wherever a result is printed", async () => {
    const hdp = { local: { prove: "never" as const } };
    const config: HardhatUserConfig = { networks: { default: { type: "edr-simulated", hdp } } };
    const hre = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp], ...config },
      {},
      root,
    );
    await mine(await hre.network.getOrCreate(), 4);
    await writeFile(join(root, "numbers.json"), JSON.stringify(toTaskJson(numbers)));
    const file = join(root, "numbers.json");
    const first = /! not all values proven: 10/;
    expect((await runCommand("submit", { file }, hre)).stdout).to.match(
      new RegExp(`Result {2}${first.source}`),
    );
    expect((await runCommand("result", { taskHash: taskHash(numbers) }, hre)).stdout).to.match(
      first,
    );
    expect((await runCommand("explain", { file }, hre)).stdout).to.match(
      new RegExp(`Value {2}${first.source}`),
    );
    expect((await runCommand("verify", { task: file }, hre)).stdout).to.match(
      new RegExp(`Computed +${first.source}`),
    );
    // Proven ones are told as before, with the network that stood for their chain.
    const proving = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] }, {}, root);
    await mine(await proving.network.getOrCreate(), 4);
    const { stdout } = await runCommand("submit", { file }, proving);
    expect(stdout)
      .to.match(/Result {2}10 /)
      .and.to.contain("4 samples, all proven");
    expect(stdout).to.contain('network "default" (chain id 31337) stands for ETHEREUM_SEPOLIA');
  });

  for (const isAnchorGone of [true, false]) {
    it(`no longer says what a result rests on once its ${isAnchorGone ? "anchor" : "transaction"} is gone`, async () => {
      const connection = await connect();
      const { hdp, provider } = connection;
      await hdp.deployExecutionStore();
      const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
        const answer: unknown = await provider.request({ method, params });
        return answer;
      };
      const before = await ask("evm_snapshot");
      await mine(connection, 1);
      const middle = await ask("evm_snapshot");
      const [first] = await hdp.run(numbers);
      expect(first).to.include({ proven: true, samples: 4, blockNumber: 7n });
      expect(first.anchor).to.include({ number: 6n });
      expect(await hdp.readResult(numbers)).to.deep.equal(first);
      await ask("evm_revert", isAnchorGone ? before : middle);
      await ask("hardhat_setCoinbase", SOMEBODY);
      await mine(connection, 1);
      // The same value by hand: nobody computed it over these blocks.
      await hdp.finalize(numbers, first.value);
      const second = await hdp.readResult(numbers);
      expect(second).to.include({ word: first.word, store: first.store });
      expect(second).to.not.have.any.keys("proven", "samples", "anchor", "gasUsed");
      const receipt = await ask("eth_getTransactionReceipt", second.transactionHash);
      expect(receipt).to.include({ blockNumber: `0x${(second.blockNumber ?? 0n).toString(16)}` });
      const [third] = await hdp.run(numbers);
      expect(third).to.include({ proven: true, samples: 4 });
      expect(await hdp.readResult(numbers)).to.deep.equal(third);
    });
  }

  it("reports a result that another account finalized, with the first values", async () => {
    const { hdp } = await connect();
    await hdp.run(balances);
    await hdp.finalize(numbers, 11n);
    const reports = await hdp.verify([balances, numbers]);
    expect(reports.map(({ agrees }) => agrees)).to.deep.equal([true, false]);
    expect(reports[1]?.firstSamples.map(({ value }) => value)).to.deep.equal([1n, 2n, 3n, 4n]);
    expect(BigInt(reports[1]?.computed ?? "0x")).to.equal(10n);
  });

  it("takes the task of a hash that was submitted before, but not one with private inputs", async () => {
    const { hdp, networkConfig } = await connect();
    const module: ModuleTask = {
      type: "Module",
      programHash: "0x1",
      inputs: [{ visibility: "private", value: "0x2" }],
    };
    const open: ModuleTask = {
      type: "Module",
      programHash: "0x1",
      inputs: [{ visibility: "public", value: "0x2" }],
    };
    const request: TaskRequest = {
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [slots, module, open],
    };
    const hashes = request.tasks.map((task) => taskHash(task));
    projectSubmissions(networkConfig.hdp.dataDir).insert({
      id: "1",
      kind: "tasks",
      state: "accepted",
      forced: false,
      network: "default",
      processor: "tasks",
      request,
      destinationChainId: "ETHEREUM_SEPOLIA",
      parts: hashes.map((hash) => ({ hash, identity: hash, live: true })),
    });
    await hdp.finalize(hashes[0] ?? "0x", 0n);
    expect((await hdp.verify(`0x${(hashes[0] ?? "0x").slice(2).toUpperCase()}`))[0]).to.include({
      agrees: true,
      samples: 3,
    });
    expect(await failure(hdp.verify(hashes[1] ?? "0x"))).to.contain("HDP-6204");
    expect(await failure(hdp.verify(hashes[2] ?? "0x"))).to.contain("HDP-4411");
    expect(await failure(hdp.verify(`0x${"12".repeat(32)}`))).to.match(/HDP-6204.*0x1212/);
  });

  it("explains a task of a request", async () => {
    const { hdp } = await connect();
    const { samples, value, taskHash: hash } = await hdp.explain([balances, numbers], { task: 2 });
    expect(samples.map(({ position, aggregate }) => [position, aggregate])).to.deep.equal([[1n, 1n], [2n, 3n], [3n, 6n], [4n, 10n]]); // prettier-ignore
    expect([value, hash]).to.deep.equal([10n, taskHash(numbers)]);
    for (const task of [0, 3, 1.5]) {
      expect(await failure(hdp.explain([balances, numbers], { task }))).to.contain(
        `HDP-6003 in task: "${task}" is not the number of a task: the request has 2.`,
      );
    }
  });

  it("replays blocks that were named by place or date as what they were when they were recorded", async () => {
    const hre = await createHardhatRuntimeEnvironment(
      {
        plugins: [hardhatHdp],
        networks: { default: { type: "edr-simulated", initialDate: "2026-01-31" } },
      },
      {},
      root,
    );
    const source = await hre.network.getOrCreate();
    await mine(source, 4);
    const ends = { property: header("number") };
    const open = blockSampled({ from: "2026-01-31", to: "latest - 1", ...ends }).sum();
    await writeFile(join(root, "open.json"), jsonText([open]));
    const recording = await source.hdp.record(open);
    expect(
      recording.chains[0]?.references?.map(({ text, isEnd, block }) => [text, isEnd, block]),
    ).to.deep.equal([
      ["2026-01-31", false, 0],
      ["latest-1", true, 3],
    ]);
    await runCommand("record", { files: ["open.json"], out: "open-chain.json" }, hre);

    const { hdp } = await connect();
    for (const fixture of [recording, "open-chain.json"]) {
      const { stop } = await hdp.replay(fixture);
      const blocks: ResolvedBlock[] = [];
      const [result] = await hdp.run(open, { onBlock: (block) => blocks.push(block) });
      expect(result).to.include({ value: 6n, samples: 4 });
      expect(blocks.map(({ block }) => block)).to.deep.equal([0n, 3n]);
      expect((await hdp.explain("open.json")).value).to.equal(6n);
      const other = blockSampled({ from: 1, to: "latest", ...ends }).sum();
      const unknown = await failure(hdp.run(other));
      expect(unknown).to.contain("HDP-6123").and.contain("have no task that names it");
      stop();
    }
  });

  it("replays a fixture on an empty chain, within loadFixture, and stops", async () => {
    const source = await connect();
    await source.provider.request({ method: "hardhat_setBalance", params: [SOMEBODY, "0x7b"] });
    await mine(source, 3);
    const later = blockSampled({ from: 6, to: 7, property: account(SOMEBODY, "balance") }).sum();
    await writeFile(
      join(root, "later.json"),
      JSON.stringify(toTaskRequestJson({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [later] })),
    );
    const recording = await source.hdp.record(["later.json"], { to: "fixtures/later.json" });
    expect(JSON.parse(await readFile(join(root, "fixtures", "later.json"), "utf8"))).to.deep.equal(
      recording,
    );

    const connection = await connect();
    const { hdp } = connection;
    async function replayed() {
      return await hdp.replay("fixtures/later.json");
    }
    const helpers = connection.networkHelpers;
    await helpers.loadFixture(replayed);
    const [result] = await hdp.run("later.json");
    expect(result).to.include({ value: 246n, samples: 2, proven: true });
    const { hash } = recording.chains[0]?.blocks.at(-1) ?? {};
    expect(result.anchor).to.deep.equal({ kind: "recording", number: 7n, hash });
    expect((await hdp.readResult(later)).anchor).to.deep.equal(result.anchor);
    const replay = await helpers.loadFixture(replayed);
    expect(replay.chains).to.deep.equal(["ETHEREUM_SEPOLIA"]);
    expect(replay.taskHashes).to.deep.equal([taskHash(later), taskHash(asModule(later))]);
    expect(await failure(hdp.readResult(taskHash(later)))).to.contain("HDP-3001");
    expect((await hdp.run("later.json"))[0]).to.include({ value: 246n });
    expect((await hdp.verify("later.json"))[0]).to.include({ agrees: true });
    expect((await hdp.explain("later.json")).samples.map(({ value }) => value)).to.deep.equal([
      123n,
      123n,
    ]);
    expect(await failure(hdp.run(balances))).to.contain("HDP-4604");
    replay.stop();
    expect((await hdp.run(balances))[0]).to.include({ value: 10n ** 22n });
  });

  it("lets a later fixture take a chain over, and refuses what is no fixture", async () => {
    const { hdp } = await connect();
    const first = await hdp.replay(await hdp.record(numbers));
    const second = await hdp.replay(
      JSON.parse(JSON.stringify(await hdp.record(balances))) as object,
    );
    expect((await hdp.run(balances))[0]).to.include({ value: 10n ** 22n });
    expect(await failure(hdp.run(numbers))).to.contain("HDP-4604");
    first.stop();
    expect((await hdp.run(balances))[0]).to.include({ proven: true });
    expect(await failure(hdp.run(slots))).to.contain("HDP-4604");
    second.stop();
    expect((await hdp.run(slots))[0]).to.include({ value: 0n });
    expect(await failure(hdp.replay("fixtures/none.json"))).to.match(
      /HDP-6001 in fixtures\/none\.json: the recorded chain data can't be read \(ENOENT\)\./,
    );
    expect(await failure(hdp.replay({}))).to.contain("HDP-6001");
    expect(await failure(hdp.record(numbers, { to: "package.json/x.json" }))).to.match(
      /HDP-6207 in --out: .*\(E/,
    );
  });

  it("does not replay where tasks go to a service", async () => {
    const { hdp } = await connect({
      networks: {
        default: { type: "edr-simulated", hdp: { dataProcessor: { url: "https://hdp.example" } } },
      },
    });
    const recording = await hdp.record(numbers);
    expect(await failure(hdp.replay(recording))).to.match(
      /HDP-6060: recorded chain data .*"default".*data processor at hdp\.example/,
    );
  });

  it("proves results into an authentic store, and reports the gas of the batch", async () => {
    const { hdp, provider } = await connect();
    const { address } = await hdp.deployExecutionStore({ authentic: true });
    const submission = await hdp.submit([numbers, balances]);
    const { status } = await hdp.await(submission);
    expect(status.detail).to.match(
      /^block \d+, batch of 2 proven, [\d,]+ gas \(authentication [\d,]+\)$/,
    );
    const gas = [...(status.detail ?? "").matchAll(/([\d,]{5,})/g)].map(([text]) =>
      Number(text.replaceAll(",", "")),
    );
    const [result] = await Promise.all(
      submission.taskHashes.map(async (hash) => await hdp.readResult(hash)),
    );
    expect(result).to.include({
      value: 10n,
      store: address,
      proven: true,
      gasUsed: BigInt(gas[0] ?? 0),
    });
    expect(gas[1])
      .to.be.greaterThan(50_000)
      .and.lessThan(gas[0] ?? 0);
    expect((await hdp.verify(numbers))[0]).to.include({ agrees: true });

    expect(await failure(hdp.finalize(numbers, 7n))).to.match(
      /HDP-3007: .*MockPlainFinalizingDisabled/,
    );
    const from = ((await provider.request({ method: "eth_accounts" })) as Hex[]).at(-1);
    const plain = finalizeTasks({
      provider,
      store: address,
      from,
      results: [{ taskHash: taskHash(slots), word: NODE }],
    });
    expect(await failure(plain)).to.match(/HDP-3007: .*MockPlainFinalizingDisabled/);
    expect(await failure(hdp.readResult(slots))).to.contain("HDP-3001");
  });

  it("proves into a satellite of the development branch, each result by itself", async () => {
    const { hdp } = await connect();
    const { address, contract } = await hdp.deployExecutionStore({
      kind: "satellite-develop",
      authentic: true,
    });
    const submission = await hdp.submit([numbers, balances]);
    expect((await hdp.await(submission)).status.detail).to.match(/^block \d+, batch of 2 proven, /);
    expect(await hdp.readResult(numbers)).to.include({ value: 10n, store: address, proven: true });
    expect(await contract.read.getDataProcessorTaskStatus([taskHash(balances)])).to.equal(2);
    expect(await failure(hdp.run(numbers))).to.match(/HDP-3007: .*TaskAlreadyFinalized/);
  });

  it("finalizes plainly in the store from before, once an authentic one is gone with a revert", async () => {
    const { hdp, provider } = await connect();
    const plain = await hdp.deployExecutionStore();
    const before: unknown = await provider.request({ method: "evm_snapshot" });
    const authentic = await hdp.deployExecutionStore({ authentic: true });
    expect((await hdp.run(numbers))[0]).to.include({ value: 10n, store: authentic.address });
    await provider.request({ method: "evm_revert", params: [before] });
    const submission = await hdp.submit(numbers);
    const { status } = await hdp.await(submission);
    expect(status.detail).to.match(/^block \d+, [\d,]+ gas$/);
    expect(await hdp.readResult(numbers)).to.include({ value: 10n, store: plain.address });
  });

  it("proves by configuration, in batches that fit a transaction", async () => {
    const { hdp } = await connect({ hdp: { local: { finalize: "proven" } } });
    const tasks = Array.from({ length: 130 }, (_, index) =>
      blockSampled({ from: 1, to: 4, property: header("number") }).count("gteq", index),
    ); // prettier-ignore
    const submission = await hdp.submit(tasks);
    const { status } = await hdp.await(submission);
    expect(status.detail).to.match(
      /^block \d+, 2 batches proven, [\d,]+ gas \(128 for [\d,]+, 2 for [\d,]+\)$/,
    );
    expect(await hdp.readResult(submission.taskHashes[129] ?? "0x")).to.include({ value: 0n });
    expect(await hdp.readResult(submission.taskHashes[2] ?? "0x")).to.include({ value: 3n });
    expect(await failure(hdp.finalize(numbers, 7n))).to.contain("MockPlainFinalizingDisabled");
    await hdp.deployExecutionStore({ authentic: false });
    await hdp.finalize(numbers, 7n);
    expect((await hdp.await(await hdp.submit(balances))).status.detail).to.contain(
      "batch of 1 proven",
    );
  });
});
