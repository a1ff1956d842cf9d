import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { configVariable } from "hardhat/config";
import type { NetworkConnection } from "hardhat/types/network";

import { blockSampled, header, moduleTask, taskRequest } from "../../src/entries/request.js";
import type { HdpUserConfig } from "../../src/types.js";
import { hdpFailure } from "../support/failure.js";
import { KEY_VARIABLE, testProject } from "../support/remote-project.js";
import { type RpcServer, serve } from "../support/rpc-server.js";
import { interfacesServer, type InterfacesServer } from "../support/interfaces-server.js";

const onBase = (to: number) => blockSampled({ chainId: "BASE_MAINNET", from: 0, to, property: header("number") }).sum();
const numbers = blockSampled({ from: 0, to: 3, property: header("number") }).sum();

describe("a live chain", () => {
  let folder: string;
  let node: RpcServer;
  let chain: NetworkConnection;
  let service: InterfacesServer;

  before(async () => {
    process.env[KEY_VARIABLE] = "key";
    folder = await mkdtemp(join(tmpdir(), "hdp-live-"));
    const { hre } = await testProject({ networks: { base: { type: "edr-simulated", chainId: 8453 } } }, folder);
    chain = await hre.network.create("base");
    await chain.provider.request({ method: "hardhat_mine", params: ["0x5"] });
    node = await serve(chain.provider);
    service = await interfacesServer();
  });

  after(async () => {
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    await node.close();
    await service.close();
    await rm(folder, { recursive: true });
  });

  async function live(hdp: HdpUserConfig, others: HdpUserConfig = {}): Promise<NetworkConnection> {
    const { hre } = await testProject(
      { hdp: others, networks: { live: { type: "http", url: node.url, hdp }, mine: { type: "edr-simulated" } } },
      folder,
    );
    return await hre.network.create("live");
  }

  const sent = async (): Promise<bigint> =>
    BigInt((await chain.provider.request({ method: "eth_blockNumber" })) as string);
  const remote = (): HdpUserConfig => ({
    dataProcessor: { url: service.url, apiKey: configVariable(KEY_VARIABLE), edition: "tasks" },
  });

  it("takes no mock store unless that is said", async () => {
    const { hdp } = await live({ dataProcessor: "local" });
    const before = await sent();
    const { code, message } = await hdpFailure(hdp.deployExecutionStore());
    expect(code).to.equal("HDP-6022");
    expect(message).to.contain('network "live" is chain 8453').and.to.contain("--yes");
    expect(await sent()).to.equal(before);

    const { address } = await hdp.deployExecutionStore({ onLiveChain: true });
    const configured = await live({ dataProcessor: "local", executionStore: { address } });
    expect(await configured.hdp.store()).to.deep.equal({ address, mock: true });
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(3)] });
    expect(await configured.hdp.run(request)).to.include({ value: 6n, store: address });
  });

  it("stores nothing at an address without code, nor in a store that is no mock", async () => {
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(3)] });
    const before = await sent();
    const empty = await live({ dataProcessor: "local", executionStore: { address: `0x${"12".repeat(20)}` } });
    expect((await hdpFailure(empty.hdp.run(request))).code).to.equal("HDP-3002");
    expect((await hdpFailure(empty.hdp.finalize(onBase(3), 1n))).code).to.equal("HDP-3002");
    expect((await hdpFailure((await live({ dataProcessor: "local" })).hdp.run(request))).code).to.equal("HDP-3002");
    expect(await sent()).to.equal(before);

    // It answers to the store's names and has no IS_MOCK.
    const stranger = `0x${"34".repeat(20)}`;
    await chain.provider.request({ method: "hardhat_setCode", params: [stranger, statusOnly] });
    const real = await live({ dataProcessor: "local", executionStore: { address: stranger } });
    expect(await real.hdp.store()).to.deep.include({ mock: false });
    const { code, message } = await hdpFailure(real.hdp.run(request));
    expect(code).to.equal("HDP-6024");
    expect(message).to.contain("is no mock");
  });

  it("refuses a task for another chain before it is sent", async () => {
    const { hdp } = await live(remote());
    const request = taskRequest({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [numbers] });
    const { code, message } = await hdpFailure(hdp.submit(request));
    expect(code).to.equal("HDP-6023");
    expect(message).to.contain('goes to ETHEREUM_SEPOLIA, but network "live" is BASE_MAINNET (chain id 8453)');
    expect(service.seen).to.deep.equal([]);
  });

  it("refuses blocks after the head, and programs that the registry does not know, before they are sent", async () => {
    const { hdp } = await live(remote());
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(3), onBase(5_000_000)] });
    const { code, path, message } = await hdpFailure(hdp.submit(request));
    expect({ code, path }).to.deep.equal({ code: "HDP-4101", path: "tasks[1].datalake.blockRangeEnd" });
    expect(message).to.contain("block 5000000 does not exist, the latest block of BASE_MAINNET is");

    const registry = await live({ ...remote(), programRegistry: { submitUrl: service.url } });
    const modules = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [moduleTask({ programHash: "0x7" })] });
    expect((await hdpFailure(registry.hdp.submit(modules))).code).to.equal("HDP-2041");
    expect(service.seen.map(({ method }) => method)).to.deep.equal(["GET"]);
  });

  it("reads a live chain and finalizes locally", async () => {
    const { hre } = await testProject(
      {
        hdp: { sources: { BASE_MAINNET: "live" } },
        networks: { live: { type: "http", url: node.url }, mine: { type: "edr-simulated" } },
      },
      folder,
    );
    const { hdp, provider } = await hre.network.create("mine");
    const before = await sent();
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(5)] });
    const { value, store } = await hdp.run(request);
    expect(value).to.equal(15n);
    expect(await sent()).to.equal(before);
    expect(await provider.request({ method: "eth_getCode", params: [store, "latest"] })).to.not.equal("0x");
  });
});

/** Answers a zero word to `getTaskStatus(bytes32)` and reverts on all else. */
const statusOnly = "0x5f3560e01c632bf6cc79146011575f5ffd5b60205ff3";
