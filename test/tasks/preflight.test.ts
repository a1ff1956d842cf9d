import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { configVariable } from "hardhat/config";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatUserConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { getAddress, type Hex } from "viem";

import type { Preflight } from "../../src/types.js";
import hardhatHdp from "../../src/index.js";
import {
  account,
  blockSampled,
  header,
  isHdpError,
  taskHash,
  toTaskJson,
} from "../../src/entries/request.js";
import { compiledContract } from "../support/compiled-contract.js";
import { interfacesServer, type InterfacesServer } from "../support/interfaces-server.js";
import { closedAddress } from "../support/odd-servers.js";
import { KEY_VARIABLE, testProject } from "../support/remote-project.js";
import { type RpcServer, serve } from "../support/rpc-server.js";
import { runCommand } from "../support/run-command.js";
import { deploy } from "../store/harness.js";
import { SERVICE_KEY, type ServiceServer, serviceServer } from "../support/service-server.js";

const onBase = (to: number) =>
  blockSampled({
    chainId: "BASE_MAINNET",
    from: 0,
    to,
    increment: 2,
    property: header("number"),
  }).sum();
const onEthereum = blockSampled({ from: 0, to: 3, property: header("number") }).sum();

describe("what submitting would do", () => {
  let folder: string;
  let chain: NetworkConnection;
  let node: RpcServer;
  let service: ServiceServer;
  let proofs: InterfacesServer;
  let store: string;
  /** A store that is no mock: for tasks that go to a service. */
  let real: string;

  before(async () => {
    process.env[KEY_VARIABLE] = SERVICE_KEY;
    folder = await mkdtemp(join(tmpdir(), "hdp-preflight-"));
    const { hre } = await testProject(
      { networks: { base: { type: "edr-simulated", chainId: 8453 } } },
      folder,
    );
    chain = await hre.network.create("base");
    await chain.provider.request({ method: "hardhat_mine", params: ["0x3"] });
    store = (await chain.hdp.deployExecutionStore()).address;
    real = getAddress(
      await deploy(chain.provider, compiledContract("RealExecutionStore").bytecode),
    );
    node = await serve(chain.provider, { isLive: true });
    service = await serviceServer(chain);
    proofs = await interfacesServer();
    const write = async (file: string, ...tasks: Parameters<typeof toTaskJson>): Promise<void> =>
      await writeFile(
        join(folder, file),
        JSON.stringify({
          destinationChainId: "BASE_MAINNET",
          tasks: tasks.map((task) => toTaskJson(task)),
        }),
      );
    await write("there.json", onBase(5));
    await write("missing.json", onBase(6));
    await write("elsewhere.json", onEthereum);
  });
  after(async () => {
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    await node.close();
    await service.close();
    await proofs.close();
    await rm(folder, { recursive: true });
  });

  async function project(isRemote: boolean, proofUrl?: string): Promise<HardhatRuntimeEnvironment> {
    const apiKey = configVariable(KEY_VARIABLE);
    const config: HardhatUserConfig = {
      plugins: [hardhatHdp],
      networks: {
        live: {
          type: "http",
          url: node.url,
          hdp: {
            executionStore: { address: isRemote ? real : store },
            dataProcessor: isRemote ? { url: service.url, apiKey, edition: "tasks" } : "local",
            ...(proofUrl === undefined ? {} : { storageProof: { url: proofUrl, apiKey } }),
          },
        },
      },
    };
    return await createHardhatRuntimeEnvironment(config, { network: "live" }, folder);
  }

  it("prints samples, steps and blocks with --dry-run, and sends nothing", async () => {
    const hre = await project(true);
    const { stdout, error } = await runCommand("submit", { file: "there.json", dryRun: true }, hre);
    expect(error).to.equal(undefined);
    expect(stdout).to.include("sum of header.number").and.to.include(`Store        ${real}`);
    expect(stdout).to.include("Task 1       3 samples, step 2; block 5 is there (head 5)");
    expect(stdout).to.include("Price        the service says none before it is used");
    expect(stdout).to.include(
      "The service's published prover takes no datalake tasks since October 2024.",
    );
    // The module form has no data of this chain either.
    expect(stdout)
      .to.include("Nor can it prove each of them in the module form: npx hardhat hdp error 1129")
      .and.not.include("set dataProcessor.edition");
    expect(stdout).to.include("Nothing was sent.");
    expect(stdout.match(/Whether the destination can prove/g)).to.have.length(1);
    expect(service.posts()).to.deep.equal([]);
  });

  it("names the module form where the service's prover takes no datalake task, and can prove it so", async () => {
    const request = { destinationChainId: "BASE_MAINNET", tasks: [toTaskJson(onEthereum)] };
    await writeFile(join(folder, "ethereum.json"), JSON.stringify(request));
    const hre = await project(true);
    const { stdout } = await runCommand("submit", { file: "ethereum.json", dryRun: true }, hre);
    expect(stdout).to.include(
      'It takes them in the module form: set dataProcessor.edition to "module-tasks".',
    );
  });

  it("prints one document with --json", async () => {
    const { stdout } = await runCommand(
      "submit",
      { file: "there.json", dryRun: true, json: true },
      await project(true),
    );
    const document = JSON.parse(stdout) as Record<string, unknown>;
    expect(document).to.deep.include({ networkName: "live", isLive: true });
    expect(document["tasks"]).to.deep.equal([
      {
        taskHash: taskHash(onBase(5)),
        samples: { count: "3", step: "2" },
        lastBlock: { chainId: "BASE_MAINNET", number: "5", head: "5", state: "there" },
        isFinalized: false,
      },
    ]);
  });

  it("prints them in hdp:check with --network, which fails for a missing block", async () => {
    const hre = await project(true);
    const there = await runCommand("check", { file: "there.json" }, hre);
    expect(there.stdout)
      .to.include("block 5 is there")
      .and.to.include("✔ 1 task, valid. Nothing was sent.");
    const missing = await runCommand("check", { file: "missing.json" }, hre);
    expect(missing.stdout)
      .to.include("block 6 is not there yet (head 5)")
      .and.to.include("✘ 1 task, 1 with blocks or state that are not there. Nothing was sent.");
    const elsewhere = await runCommand("check", { file: "elsewhere.json" }, hre);
    expect(elsewhere.stdout)
      .to.include("block 3 was not looked for: no network here is ETHEREUM_SEPOLIA")
      .and.to.include("✔ 1 task, valid as written, blocks not looked at. Nothing was sent.")
      .and.not.to.include("--network <name>");
  });

  it("connects to no network in hdp:check without --network, and prints none of them", async () => {
    const { hre } = await testProject(
      { networks: { live: { type: "http", url: await closedAddress() } } },
      folder,
    );
    const { stdout } = await runCommand("check", { file: "there.json" }, hre);
    expect(stdout)
      .to.include("✔ 1 task, valid as written, blocks not looked at. Nothing was sent.")
      .and.to.include("To look whether the blocks are there: --network <name>")
      .and.not.to.include("Store");
  });

  it("shows grow orders, and prices where the interface says them", async () => {
    const hre = await project(true, `${proofs.url}/sp`);
    const { hdp } = await hre.network.getOrCreate();
    await hdp.storageProof.createGrowOrder({ origin: "8453", estimated_cost: "12" });
    const { proofs: found }: Preflight = await hdp.preflight(onBase(5));
    expect(found?.growOrders).to.have.length(1);
    expect(Object.values(found?.prices ?? {})).to.deep.equal(["12"]);
    const { stdout } = await runCommand("submit", { file: "there.json", dryRun: true }, hre);
    expect(stdout)
      .to.include("1 grow order at the storage proof interface")
      .and.to.match(/Price\s+.*estimated_cost 12/);
  });

  it("says why the storage proof interface could not be asked", async () => {
    const { stdout } = await runCommand(
      "submit",
      { file: "there.json", dryRun: true },
      await project(true, await closedAddress()),
    );
    expect(stdout).to.include("Grow orders are not known: HDP-20");
  });

  it("costs nothing here", async () => {
    const { stdout } = await runCommand(
      "submit",
      { file: "there.json", dryRun: true },
      await project(false),
    );
    expect(stdout)
      .to.include("Price        none: it is computed here")
      .and.to.include("block 5 is there");
  });

  it("says which state the node does not have, for what is computed here", async () => {
    const pruned = await serve({
      request: async (call) => {
        if (
          call.method === "eth_getProof" ||
          call.method === "eth_getBalance" ||
          call.method.startsWith("eth_getTr")
        ) {
          if (Number(call.params?.at(-1)) < 3) throw new Error("missing trie node ab12 (path )");
        }
        const answer: unknown = await chain.provider.request({
          ...call,
          params: [...(call.params ?? [])],
        });
        return answer;
      },
    });
    const balance = (from: number) =>
      blockSampled({
        chainId: "BASE_MAINNET",
        from,
        to: 4,
        property: account(real as Hex, "balance"),
      }).sum();
    const networks = {
      live: { type: "http" as const, url: pruned.url, hdp: { dataProcessor: "local" as const } },
    };
    const hre = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp], networks },
      { network: "live" },
      folder,
    );
    const { hdp } = await hre.network.getOrCreate();
    const request = {
      destinationChainId: "BASE_MAINNET" as const,
      tasks: [balance(3), balance(2), onBase(5)],
    };
    const { tasks } = await hdp.preflight(request);
    expect(tasks.map(({ stateProblem }) => stateProblem)).to.deep.equal([
      undefined,
      "the node has no state of block 2, 3 blocks behind its head 5, or no proofs of it: missing trie node ab12 (path ).",
      undefined,
    ]);
    await writeFile(
      join(folder, "old.json"),
      JSON.stringify({ ...request, tasks: request.tasks.map((one) => toTaskJson(one)) }),
    );
    const { stdout } = await runCommand("check", { file: "old.json" }, hre);
    expect(stdout).to.match(/Task 2 .*✘ the node has no state of block 2, .*\(HDP-4208\)/);
    expect(stdout).to.include(
      "✘ 3 tasks, 1 with blocks or state that are not there. Nothing was sent.",
    );
    await pruned.close();
  });

  it("asks on a live chain: without --yes, and with nobody to answer, it sends nothing", async () => {
    const hre = await project(true);
    const { stdout, error } = await runCommand("submit", { file: "there.json", noWait: true }, hre);
    expect(isHdpError(error, "HDP-6041"), String(error)).to.equal(true);
    expect(stdout).to.include("Destination");
    expect(service.posts()).to.deep.equal([]);

    const sent = await runCommand("submit", { file: "there.json", noWait: true, yes: true }, hre);
    expect(sent.error).to.equal(undefined);
    expect(service.accepted.map(({ hashes }) => hashes)).to.deep.equal([[taskHash(onBase(5))]]);
    const { isLive, tasks } = await (await hre.network.getOrCreate()).hdp.preflight(onBase(5));
    expect([isLive, tasks[0]?.isFinalized]).to.deep.equal([true, false]);
  });

  it("asks no question where an earlier submission is in the way: it ends with its error before", async () => {
    const hre = await project(true);
    await writeFile(join(folder, "lost.json"), JSON.stringify(toTaskJson(onBase(4))));
    service.state.mishap = "drop";
    const options = { file: "lost.json", noWait: true };
    const lost = await runCommand("submit", { ...options, yes: true }, hre);
    expect(String(lost.error)).to.contain("HDP-5008");
    const [posts, again] = [service.posts().length, await runCommand("submit", options, hre)];
    expect(isHdpError(again.error, "HDP-5005"), String(again.error)).to.equal(true);
    const checked = await runCommand("check", { file: "lost.json" }, hre);
    expect(checked.stdout).to.contain("✘ HDP-5005");
    const forced = await runCommand("submit", { ...options, force: true }, hre);
    expect(isHdpError(forced.error, "HDP-6041"), String(forced.error)).to.equal(true);
    expect(service.posts()).to.have.length(posts);
  });
});
