import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";

import { executionStore } from "../../src/entries/ignition.js";
import {
  blockSampled,
  header,
  taskHash,
  taskRequest,
  toTaskRequestJson,
} from "../../src/entries/request.js";
import { isHdpError } from "../../src/errors/hdp-error.js";
import { deployExecutionStoreMock, NotFinalizedError } from "../../src/entries/store.js";
import { hdpFailure } from "../support/failure.js";
import { withSlowClock } from "../support/jumping-clock.js";
import { testProject } from "../support/remote-project.js";
import { runCommand } from "../support/run-command.js";
import { type RpcServer, serve } from "../support/rpc-server.js";
import { recordWarnings } from "../support/warnings.js";

const numbers = blockSampled({ from: 0, to: 3, property: header("number") }).sum();

describe("the mock store of a development node", () => {
  let folder: string;
  let chain: NetworkConnection;
  let node: RpcServer;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-node-"));
  });
  beforeEach(async () => {
    chain = await (await testProject({}, folder)).hre.network.create();
    await chain.provider.request({ method: "hardhat_mine", params: ["0x5"] });
    node = await serve(chain.provider);
  });
  afterEach(async () => {
    await node.close();
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  /** The node as another process of the same project has it: nothing is remembered but what is on the disk. */
  async function another({ url } = node): Promise<NetworkConnection> {
    const { hre } = await testProject({ networks: { shared: { type: "http", url } } }, folder);
    return await hre.network.create("shared");
  }

  it("finds the store from other processes, with the results in it", async () => {
    const [{ store, transactionHash }] = await (await another()).hdp.run(numbers);
    const { hdp } = await another();
    expect(await hdp.store.current({ deploy: false })).to.include({ address: store, mock: true });
    expect((await hdp.store.current()).contract.address).to.equal(store);
    const result = await hdp.readResult(numbers);
    expect(result).to.include({ value: 6n, store, transactionHash });
    expect((await hdp.verify(numbers))[0]).to.include({ agrees: true });
    expect((await (await another()).hdp.run(numbers))[0].store).to.equal(store);
  });

  it("says in hdp why of a task what became of its submission where the network has no store", async () => {
    const late = blockSampled({ from: 0, to: 1_003, property: header("number") }).sum();
    const { hdp } = await another();
    const { id } = await hdp.submit(late);
    await hdpFailure(hdp.await(id));
    const { url } = node;
    const networks = { shared: { type: "http", url } } as const;
    const { hre } = await testProject({ networks }, folder, "shared");
    const hintsOf = async (hash: string): Promise<readonly string[]> => {
      const { error } = await runCommand("why", { hash }, hre);
      if (!isHdpError(error, "HDP-6010")) throw new Error("the command did not fail with HDP-6010");
      return error.hints;
    };
    const others = await hintsOf(`0x${"12".repeat(32)}`);
    const [outcome, ...rest] = await hintsOf(taskHash(late));
    expect(rest).to.deep.equal(others);
    expect(outcome).to.equal(
      `Submission ${id} of it ended (failed): HDP-4101 in tasks[0].datalake.blockRangeEnd: block 1003 does not exist, the latest block of the chain is 5. Read up to block 5, or wait for block 1003. Correct that, and submit it again.`,
    );
  });

  it("takes 17 round trips to run a task, the transaction's six included, in a process that did not deploy the store", async () => {
    await (await another()).hdp.store.current();
    const far = await serve(chain.provider, { delayMs: 10 });
    try {
      const { hdp } = await another(far);
      const [result] = await withSlowClock(async () => await hdp.run(numbers));
      expect(result.value).to.equal(6n);
      expect(far.trips()).to.equal(17);
    } finally {
      await far.close();
    }
  });

  it("compares the chain that has the result, where that is on another network than the submission", async () => {
    const other = await (
      await testProject(
        { networks: { default: { type: "edr-simulated", initialDate: new Date(0) } } },
        folder,
      )
    ).hre.network.create();
    const otherNode = await serve(other.provider);
    const networks = {
      shared: { type: "http", url: node.url },
      world: { type: "http", url: otherNode.url },
    } as const;
    const chains = { WORLD_SEPOLIA: "world" } as const;
    const { hre } = await testProject({ networks, hdp: { chains } }, folder, "shared");
    const file = join(folder, "elsewhere.json");
    const request = taskRequest({ destinationChainId: "WORLD_SEPOLIA", tasks: [numbers] });
    await writeFile(file, JSON.stringify(toTaskRequestJson(request)));
    const submitted = await runCommand("submit", { file }, hre);
    const where =
      '  Destination  WORLD_SEPOLIA (network "world", submitted on "shared", local data';
    expect(submitted.stdout).to.contain(where);
    const last = (await hre.hdp.submissions.list()).at(-1) ?? expect.fail();
    expect(last).to.include({ state: "finalized", network: "shared" });
    const list = async (): Promise<string> => (await runCommand("list", {}, hre)).stdout;
    const status = async (): Promise<string> =>
      (await runCommand("status", { id: last.id }, hre)).stdout;
    expect(await list()).to.match(new RegExp(`${last.id.slice(0, 8)} +finalized +`));
    expect(await status()).to.not.contain("gone");
    await otherNode.close();
    const anew = await (await testProject({}, folder)).hre.network.create();
    const restarted = await serve(anew.provider);
    const moved = {
      ...networks,
      world: { type: "http", url: restarted.url },
    } as const;
    const { hre: after } = await testProject(
      { networks: moved, hdp: { chains } },
      folder,
      "shared",
    );
    const gone = `The node of "world" has started anew since: the chain, store and results of ${last.id} are gone.`;
    expect((await runCommand("status", { id: last.id }, after)).stdout).to.contain(gone);
    expect((await runCommand("list", {}, after)).stdout).to.contain(
      'The node of "world" has started anew since',
    );
    await restarted.close();
  });

  it("says in the list and in errors that the node has started anew since a submission", async () => {
    const [{ taskHash }] = await (await another()).hdp.run(numbers);
    await node.close();
    chain = await (
      await testProject(
        { networks: { default: { type: "edr-simulated", initialDate: new Date(0) } } },
        folder,
      )
    ).hre.network.create();
    node = await serve(chain.provider);
    const networks = { shared: { type: "http", url: node.url } } as const;
    const { hre } = await testProject({ networks }, folder, "shared");
    const { stdout } = await runCommand("list", { json: true }, hre);
    const listed = JSON.parse(stdout) as readonly { id: string; chainIsGone: boolean }[];
    const last = listed.at(-1) ?? expect.fail();
    expect(last.chainIsGone).to.equal(true);
    const shown = await runCommand("list", {}, hre);
    expect(shown.stdout)
      .to.contain('The node of "shared" has started anew since: the chain, store and results of ')
      .and.contain(last.id.slice(0, 8))
      .and.match(new RegExp(`${last.id.slice(0, 8)} +finalized, gone `));
    const { hdp } = await hre.network.create("shared");
    const gone = `The node of "shared" has started anew since: the chain, store and results of ${last.id} are gone.`;
    const again = "npx hardhat hdp:submit <file> --network shared";
    const status = await runCommand("status", { id: last.id }, hre);
    expect(status.stdout).to.equal(
      `  Submission  ${last.id}\n  finalized, gone\n  ! ${gone}\n    Submit it again: ${again}\n`,
    );
    expect(await hdp.status(last.id)).to.include({ name: "ChainGone", phase: "failed" });
    const notAwaited = await hdpFailure(hdp.await(last.id));
    expect(notAwaited).to.include({ code: "HDP-5009" });
    expect(notAwaited.hints).to.deep.equal([`Submit it again: ${again}`]);
    const anew = `The node of network "shared" has started anew since submission ${last.id}: its chain, store and results are gone. Submit the task again.`;
    const noStore = await hdpFailure(hdp.readResult(taskHash));
    expect(noStore).to.include({ code: "HDP-6010" });
    expect(noStore.hints).to.include(anew);
    await hdp.deployExecutionStore();
    const notFinalized = await hdpFailure(hdp.readResult(taskHash));
    expect(notFinalized).to.be.instanceOf(NotFinalizedError);
    expect(notFinalized.hints).to.include(anew);
    await chain.provider.request({ method: "hardhat_mine", params: ["0x5"] });
    await hdp.run(numbers);
    const now = JSON.parse((await runCommand("list", { json: true }, hre)).stdout) as typeof listed;
    expect(now.at(-1)?.chainIsGone).to.equal(false);
  });

  it("deploys a mock of the kind that the configuration names where the remembered one is of another", async () => {
    const { address } = await (await another()).hdp.store.current();
    const ofKind = async (kind: "execution-store" | "satellite"): Promise<string> => {
      const shared = { type: "http", url: node.url, hdp: { executionStore: { kind } } } as const;
      const { hre } = await testProject({ networks: { shared } }, folder);
      const { hdp } = await hre.network.create("shared");
      const [{ taskHash, store }] = await hdp.run(numbers);
      const result = await hdp.readResult(taskHash);
      expect(result).to.include({ value: 6n, store });
      return result.store;
    };
    expect(await ofKind("satellite")).to.equal(address);
    const store = await ofKind("execution-store");
    expect(store).to.not.equal(address);
    expect(await ofKind("execution-store")).to.equal(store);
    expect((await (await another()).hdp.store.current()).address).to.equal(store);
  });

  it("deploys one store, however many processes want the first at once", async () => {
    const connections = await Promise.all([another(), another(), another(), another()]);
    const stores = await Promise.all(
      connections.map(async ({ hdp }) => (await hdp.store.current()).address),
    );
    expect(new Set(stores).size).to.equal(1);
    // Five blocks were there, and one transaction came.
    expect(await chain.provider.request({ method: "eth_blockNumber" })).to.equal("0x6");
  });

  it("names the missing store where a service's results would be read from none", async () => {
    const dataProcessor = { url: "http://127.0.0.1:1", apiKey: "key" };
    const network = { type: "http", url: node.url, hdp: { dataProcessor } } as const;
    const { hre } = await testProject({ networks: { shared: network } }, folder, "shared");
    const file = join(folder, "task.json");
    await writeFile(file, JSON.stringify(toTaskRequestJson(taskRequest({ tasks: [numbers] }))));
    const { stdout } = await runCommand("check", { file }, hre);
    expect(stdout).to.contain("Store        none is known").and.contain("✘ HDP-6010");
    const { code, message } = await hdpFailure(
      (await hre.network.create("shared")).hdp.submit(numbers),
    );
    expect(code).to.equal("HDP-6010");
    expect(message).to.contain(
      "Deploy a mock for trials: npx hardhat hdp store deploy --network shared",
    );
  });

  it("finds the store that was deployed last", async () => {
    await (await another()).hdp.store.current();
    const { address } = await (await another()).hdp.deployExecutionStore();
    expect((await (await another()).hdp.store.current()).address).to.equal(address);
  });

  it("deploys another store when the node starts anew, without a word of the old", async () => {
    const [{ store }] = await (await another()).hdp.run(numbers);
    await node.close();
    chain = await (await testProject({}, folder)).hre.network.create();
    await chain.provider.request({ method: "hardhat_mine", params: ["0x5"] });
    node = await serve(chain.provider);
    const { hdp } = await another();
    // The same account deploys the same contract first, so the address may be the same: its results are not.
    const [result] = await hdp.run(numbers);
    expect(result).to.include({ value: 6n, blockNumber: 7n });
    expect(
      await chain.provider.request({ method: "eth_getCode", params: [result.store, "latest"] }),
    ).to.not.equal("0x");
    expect(store).to.match(/^0x/);
  });

  /** Deploys a mock as Ignition does, and writes its address where Ignition does. */
  async function deployedByIgnition(deployment = "chain-31337"): Promise<string> {
    const { address } = await deployExecutionStoreMock({ provider: chain.provider });
    const path = join(folder, "ignition", "deployments", deployment);
    await mkdir(path, { recursive: true });
    const addresses = {
      "Gate#FeeGate": `0x${"11".repeat(20)}`,
      "HdpExecutionStore#HdpExecutionStoreMock": address,
    };
    await writeFile(join(path, "deployed_addresses.json"), JSON.stringify(addresses));
    return address;
  }

  /** Type and contract of the future that a module of Ignition gets, and the accounts that may finalize in a mock. */
  async function future(): Promise<readonly unknown[]> {
    const store = await executionStore(await another());
    const { results } = buildModule("Store", (m) => ({ store: store(m) }));
    const made = results.store;
    return [made.type, made.id, "constructorArgs" in made ? made.constructorArgs : made.address];
  }

  it("deploys the same future of Ignition, whatever the node holds", async () => {
    const first = await future();
    expect(first.slice(0, 2)).to.deep.equal(["CONTRACT_DEPLOYMENT", "Store#HdpExecutionStoreMock"]);
    await (await another()).hdp.run(numbers);
    expect(await future()).to.deep.equal(first);
    await (
      await another()
    ).hdp.deployExecutionStore({
      operator: (
        (await chain.provider.request({ method: "eth_accounts" })) as [never, `0x${string}`]
      )[1],
    });
    expect(await future()).to.deep.equal(first);
  });

  it("takes the store that Ignition deployed, where hdp deployed none", async () => {
    try {
      const gone = await deployedByIgnition("another");
      await chain.provider.request({ method: "hardhat_setCode", params: [gone, "0x"] });
      expect(await (await another()).hdp.store.current({ deploy: false })).to.equal(undefined);
      const address = await deployedByIgnition();
      expect((await (await another()).hdp.run(numbers))[0].store).to.equal(address);
      expect((await (await another()).hdp.readResult(numbers)).store).to.equal(address);
      await writeFile(
        join(folder, "ignition", "deployments", "another", "deployed_addresses.json"),
        "{",
      );
      expect((await (await another()).hdp.store.current()).address).to.equal(address);
    } finally {
      await rm(join(folder, "ignition"), { recursive: true });
    }
  });

  it("names both stores where hdp and Ignition each deployed one, until one is chosen", async () => {
    const warnings = recordWarnings();
    try {
      const ours = (await (await another()).hdp.store.current()).address;
      const theirs = await deployedByIgnition();
      const { hdp } = await another();
      expect((await hdp.store.current()).address).to.equal(ours);
      await hdp.run(numbers);
      expect(warnings.lines).to.deep.equal([
        `hardhat-hdp: network "shared" has two mock execution stores: ${ours} is in use, and contracts that Ignition deployed read ${theirs}. If yours are such contracts, use that one from now on: npx hardhat hdp store use ${theirs} --network shared`,
      ]);
      const { hre } = await testProject(
        { networks: { shared: { type: "http", url: node.url } } },
        folder,
        "shared",
      );
      const chosen = await runCommand("store", { action: "use", address: theirs }, hre);
      expect(chosen.error).to.equal(undefined);
      expect(chosen.stdout).to.contain(`Execution store  ${theirs}  (mock, network "shared")`);
      expect(chosen.stdout).to.contain(`The one before, ${ours}, keeps its results`);
      expect((await (await another()).hdp.store.current()).address).to.equal(theirs);
      expect(warnings.lines).to.have.length(1);
      expect((await runCommand("store", {}, hre)).stdout).to.contain(
        `Execution store  ${theirs}  (mock, network`,
      );
      expect(String((await runCommand("store", { action: "use" }, hre)).error)).to.contain(
        "HDP-6016 in address",
      );
      const own = await testProject({}, folder);
      const nothing = await runCommand("store", { json: true }, own.hre);
      expect(JSON.parse(nothing.stdout)).to.deep.equal({ networkName: "default", address: null });
      const passing = await runCommand("store", { action: "deploy" }, own.hre);
      expect(passing.stdout).to.contain(
        "The in-process chain ends with this command, and the store on it too.",
      );
      const useless = await runCommand("store", { action: "use", address: theirs }, own.hre);
      expect(String(useless.error))
        .to.contain("HDP-6026")
        .and.contain("its chain ends with this command");
    } finally {
      warnings.stop();
      await rm(join(folder, "ignition"), { recursive: true, force: true });
    }
  });

  it("names the former store where another takes its place: Ignition's, and a published one only where it is", async () => {
    const deployed = async (): Promise<string> => {
      const { hre } = await testProject(
        { networks: { shared: { type: "http", url: node.url } } },
        folder,
        "shared",
      );
      const { stdout, error } = await runCommand("store", { action: "deploy" }, hre);
      expect(error).to.equal(undefined);
      return stdout;
    };
    try {
      const theirs = await deployedByIgnition();
      expect(await deployed()).to.contain(`The one before, ${theirs}, keeps its results`);
    } finally {
      await rm(join(folder, "ignition"), { recursive: true, force: true });
    }
    await node.close();
    const network = { type: "edr-simulated", chainId: 11_155_111 } as const;
    node = await serve(
      (await (await testProject({ networks: { network } }, folder)).hre.network.create("network"))
        .provider,
    );
    expect(await deployed())
      .to.contain("It is in use on this chain from now on")
      .and.not.to.contain("The one before");
  });

  it("uses the store in the process that deployed it, also where nothing can be written for others", async () => {
    const data = join(folder, "hdp");
    await rm(data, { recursive: true, force: true });
    await writeFile(data, "in the way");
    const warnings = recordWarnings();
    try {
      const { hdp } = await another();
      const error = await hdpFailure(hdp.run(numbers));
      expect(error).to.include({ code: "HDP-5101", path: join(data, "submissions.db") });
      const { address } = await hdp.deployExecutionStore();
      expect((await hdp.store.current()).address).to.equal(address);
      expect(await (await another()).hdp.store.current({ deploy: false })).to.equal(undefined);
      const ours = warnings.lines.filter((message) =>
        message.startsWith("hardhat-hdp: other processes will not find"),
      );
      expect(ours.map((message) => message.includes(address))).to.deep.equal([true]);
      expect(ours[0]).to.contain("EEXIST").and.contain("hdp: { executionStore: { address } }");
    } finally {
      warnings.stop();
      await rm(data);
    }
  });
});
