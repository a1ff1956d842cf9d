import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";

import { blockSampled, header } from "../../src/entries/request.js";
import { hdpFailure } from "../support/failure.js";
import { testProject } from "../support/remote-project.js";
import { type RpcServer, serve } from "../support/rpc-server.js";

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
  async function another(): Promise<NetworkConnection> {
    const { hre } = await testProject({ networks: { shared: { type: "http", url: node.url } } }, folder);
    return await hre.network.create("shared");
  }

  it("is found by other processes, with the results in it", async () => {
    const [{ store, transactionHash }] = await (await another()).hdp.run(numbers);
    const { hdp } = await another();
    expect(await hdp.store.current({ deploy: false })).to.include({ address: store, mock: true });
    expect((await hdp.store.current()).contract.address).to.equal(store);
    const result = await hdp.readResult(numbers);
    expect(result).to.include({ value: 6n, store, transactionHash });
    expect((await hdp.verify(numbers))[0]).to.include({ agrees: true });
    expect((await (await another()).hdp.run(numbers))[0].store).to.equal(store);
  });

  it("is one, however many processes want the first at once", async () => {
    const connections = await Promise.all([another(), another(), another(), another()]);
    const stores = await Promise.all(connections.map(async ({ hdp }) => (await hdp.store.current()).address));
    expect(new Set(stores).size).to.equal(1);
    // Five blocks were there, and one transaction came.
    expect(await chain.provider.request({ method: "eth_blockNumber" })).to.equal("0x6");
  });

  it("is named as what is missing where a service's results would be read from none", async () => {
    const dataProcessor = { url: "http://127.0.0.1:1", apiKey: "key" };
    const network = { type: "http", url: node.url, hdp: { dataProcessor } } as const;
    const { hre } = await testProject({ networks: { shared: network } }, folder);
    const { code, message } = await hdpFailure((await hre.network.create("shared")).hdp.submit(numbers));
    expect(code).to.equal("HDP-6010");
    expect(message).to.contain("Deploy a mock for trials: npx hardhat hdp deploy-store --network shared");
  });

  it("is the one that was deployed last", async () => {
    await (await another()).hdp.store.current();
    const { address } = await (await another()).hdp.deployExecutionStore();
    expect((await (await another()).hdp.store.current()).address).to.equal(address);
  });

  it("is another one when the node starts anew, without a word of the old", async () => {
    const [{ store }] = await (await another()).hdp.run(numbers);
    await node.close();
    chain = await (await testProject({}, folder)).hre.network.create();
    await chain.provider.request({ method: "hardhat_mine", params: ["0x5"] });
    node = await serve(chain.provider);
    const { hdp } = await another();
    // The same account deploys the same contract first, so the address may be the same: its results are not.
    const [result] = await hdp.run(numbers);
    expect(result).to.include({ value: 6n, blockNumber: 7n });
    expect(await chain.provider.request({ method: "eth_getCode", params: [result.store, "latest"] })).to.not.equal(
      "0x",
    );
    expect(store).to.match(/^0x/);
  });

  it("is used by the process that deployed it, also where nothing can be written for others", async () => {
    const data = join(folder, "hdp");
    await rm(data, { recursive: true, force: true });
    await writeFile(data, "in the way");
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", note);
    try {
      const { hdp } = await another();
      const error = await hdpFailure(hdp.run(numbers));
      expect(error).to.include({ code: "HDP-5101", path: join(data, "submissions.db") });
      const { address } = await hdp.deployExecutionStore();
      expect((await hdp.store.current()).address).to.equal(address);
      expect(await (await another()).hdp.store.current({ deploy: false })).to.equal(undefined);
      const ours = warnings.filter((message) => message.startsWith("hardhat-hdp: other processes will not find"));
      expect(ours.map((message) => message.includes(address))).to.deep.equal([true]);
      expect(ours[0]).to.contain("EEXIST").and.contain("hdp: { executionStore: { address } }");
    } finally {
      process.off("warning", note);
      await rm(data);
    }
  });
});
