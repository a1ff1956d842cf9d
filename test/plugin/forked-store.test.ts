import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { JsonRpcServer, NetworkConnection } from "hardhat/types/network";
import { type Hex, numberToHex } from "viem";

import { blockSampled, header, taskHash } from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { compiledContract } from "../support/compiled-contract.js";
import { hdpFailure } from "../support/failure.js";
import { deploy } from "../store/harness.js";

const task = blockSampled({ from: 0, to: 1, property: header("base_fee_per_gas") }).avg();
const other = blockSampled({ from: 0, to: 2, property: header("base_fee_per_gas") }).avg();

describe("the real store on a forked chain", () => {
  let server: JsonRpcServer;
  let url: string;
  const stores: Record<string, Hex> = {};

  before(async () => {
    const hre = await createHardhatRuntimeEnvironment({
      networks: { origin: { type: "edr-simulated", chainId: 11155111 } },
    });
    server = await hre.network.createServer("origin", "127.0.0.1", 0);
    const { address, port } = await server.listen();
    url = `http://${address}:${String(port)}`;
    const remote = await createHardhatRuntimeEnvironment({
      networks: { remote: { type: "http", url } },
    });
    const { provider } = await remote.network.create("remote");
    for (const name of ["RealExecutionStore", "RealSatellite", "HiddenStore"]) {
      stores[name] = await deploy(provider, compiledContract(name).bytecode);
    }
    for (let i = 0; i < 40; i++) await provider.request({ method: "evm_mine" });
  });

  after(() => {
    // Not waited for: a forked node opens connections that it may never send a request on, and keeps them for 90 s.
    void server.close();
  });

  async function fork(name: string): Promise<NetworkConnection> {
    const address = stores[name];
    if (address === undefined) throw new Error(`${name} was not deployed`);
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [hardhatHdp],
      networks: {
        forked: { type: "edr-simulated", forking: { url }, hdp: { executionStore: { address } } },
      },
    });
    return await hre.network.create("forked");
  }

  for (const name of ["RealExecutionStore", "RealSatellite"]) {
    it(`gets a value written into the storage of a ${name}`, async () => {
      const { hdp } = await fork(name);
      const store = await hdp.store.current();
      expect(store).to.include({ mock: false });
      expect(store.address.toLowerCase()).to.equal(stores[name]);
      await hdp.assertions.notFinalized(task);
      const result = await hdp.finalize(task, 7n);
      expect(result).to.include({
        taskHash: taskHash(task),
        value: 7n,
        word: numberToHex(7n, { size: 32 }),
      });
      expect(await hdp.readResult(task)).to.include({ value: 7n });
      await hdp.assertions.finalized(task, 7n);
      await hdp.assertions.notFinalized(other);
      expect((await hdp.finalize(task, 0n)).value).to.equal(0n);
      await hdp.assertions.finalized(task, 0n);
    });
  }

  it("takes no results of the local data processor, and says how a test gets a mock in its place", async () => {
    const { hdp } = await fork("RealSatellite");
    const error = await hdpFailure(hdp.run(task));
    expect([error.code, error.hints[0]]).to.deep.equal([
      "HDP-6024",
      "Configure the service as the network's dataProcessor, or deploy a mock: await hdp.deployExecutionStore()",
    ]);
    const mock = await hdp.deployExecutionStore();
    expect((await hdp.run(other))[0].store).to.equal(mock.address);
  });

  it("returns the value by the contract's own function", async () => {
    const { hdp } = await fork("RealExecutionStore");
    const { contract } = await hdp.store.current();
    const word = numberToHex(2n ** 256n - 1n, { size: 32 });
    await hdp.finalize(task, word);
    expect(await contract.read.getFinalizedTaskResult([taskHash(task)])).to.equal(word);
    expect(await contract.read.getTaskStatus([taskHash(task)])).to.equal(2);
  });

  it("writes nothing to a real store that keeps its results elsewhere", async () => {
    const { hdp, provider } = await fork("HiddenStore");
    const before: unknown = await provider.request({ method: "eth_blockNumber" });
    expect(await hdpFailure(hdp.finalize(task, 7n))).to.include({ code: "HDP-3014" });
    expect(await provider.request({ method: "eth_blockNumber" })).to.equal(before);
    await hdp.assertions.notFinalized(task);
  });
});
