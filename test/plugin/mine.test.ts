import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";

import { account, blockSampled, header } from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { failure, hdpFailure } from "../support/failure.js";
import { testProject } from "../support/remote-project.js";
import { serve } from "../support/rpc-server.js";

describe("hdp.mine", () => {
  let connection: NetworkConnection<string>;

  beforeEach(async () => {
    const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] });
    connection = await hre.network.create();
  });

  const blockOf = async (block: bigint): Promise<Record<string, string>> =>
    (await connection.provider.request({
      method: "eth_getBlockByNumber",
      params: [`0x${block.toString(16)}`, false],
    })) as Record<string, string>;

  it("mines blocks with a chosen base fee each and a chosen interval, which can all be proven", async () => {
    const { hdp } = connection;
    const { from, to } = await hdp.mine(3, { baseFee: [10n, 20n, 60n], interval: 12 });
    expect([from, to]).to.deep.equal([1n, 3n]);
    const times = await Promise.all(
      [0n, 1n, 2n, 3n].map(async (block) => Number((await blockOf(block))["timestamp"])),
    );
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).to.deep.equal([
      12, 12, 12,
    ]);
    const [average] = await hdp.run(
      blockSampled({ from, to, property: header("base_fee_per_gas") }).avg(),
    );
    expect([average.value, average.proven]).to.deep.equal([30n, true]);
  });

  it("mines one block without arguments, many with one base fee, and accounts in all of them are proven", async () => {
    const { hdp, provider } = connection;
    const [owner = "0x"] = (await provider.request({
      method: "eth_accounts",
    })) as readonly `0x${string}`[];
    expect(await hdp.mine()).to.deep.equal({ from: 1n, to: 1n });
    const { from, to } = await hdp.mine(20n, { baseFee: 7n });
    expect([from, to, BigInt((await blockOf(to))["baseFeePerGas"] ?? 0)]).to.deep.equal([
      2n,
      21n,
      7n,
    ]);
    const [result] = await hdp.run(
      blockSampled({ from, to, property: account(owner, "nonce") }).sum(),
    );
    expect([result.samples, result.proven]).to.deep.equal([20, true]);
  });

  it("refuses what it cannot mine, and mines nothing then", async () => {
    const { hdp } = connection;
    for (const [blocks, options, says] of [
      [0, {}, 'HDP-6003 in blocks: "0" is not 1 to 100,000 blocks.'],
      [1.5, {}, 'HDP-6003 in blocks: "1.5" is not'],
      [100_001n, {}, 'HDP-6003 in blocks: "100001" is not'],
      [
        2,
        { baseFee: [1n] },
        'HDP-6003 in baseFee: "a list of 1" is not a base fee for each of the 2 blocks.',
      ],
      [
        1,
        { baseFee: -1n },
        'HDP-6003 in baseFee: "-1" is not a base fee in wei, a bigint below 2^128.',
      ],
      [
        1,
        { baseFee: 2n ** 128n },
        'HDP-6003 in baseFee: "340282366920938463463374607431768211456" is not a base fee',
      ],
      [
        2,
        { baseFee: 5 as unknown as bigint },
        'HDP-6003 in baseFee: "5" is not a base fee in wei, a bigint below',
      ],
      [
        1,
        { baseFee: [5 as unknown as bigint] },
        'HDP-6003 in baseFee: "5" is not a base fee in wei, a bigint below',
      ],
      [
        1,
        { interval: 0 },
        'HDP-6003 in interval: "0" is not a whole number of seconds, 1 or more.',
      ],
    ] as const) {
      expect(await failure(hdp.mine(blocks, options))).to.include(says);
    }
    expect(await connection.provider.request({ method: "eth_blockNumber" })).to.equal("0x0");
  });

  it("says which nodes mine on request where one does not", async () => {
    const server = await serve({
      request: async (call): Promise<unknown> => {
        if (call.method !== "evm_mine") return await connection.provider.request(call);
        throw Object.assign(new Error("the method evm_mine does not exist/is not available"), {
          code: -32601,
        });
      },
    });
    const { hre } = await testProject({ networks: { geth: { type: "http", url: server.url } } });
    try {
      const { code, hints } = await hdpFailure((await hre.network.create("geth")).hdp.mine());
      expect([code, hints.at(-1)]).to.deep.equal([
        "HDP-4103",
        "hdp.mine needs a node that mines on request: Hardhat's, anvil. geth mines for each transaction.",
      ]);
    } finally {
      await server.close();
    }
  });

  it("says nothing of nodes that mine where no node answers", async () => {
    const server = await serve(connection.provider);
    await server.close();
    const { hre } = await testProject({ networks: { down: { type: "http", url: server.url } } });
    const { hdp } = await hre.network.create("down");
    const { code, message } = await hdpFailure(hdp.mine());
    expect(code).to.equal("HDP-4103");
    expect(message).to.contain("ECONNREFUSED").and.not.contain("mines on request");
  });

  it("says of blocks that hardhat_mine skips what they are, and how to mine others", async () => {
    const { hdp, provider } = connection;
    await provider.request({ method: "hardhat_mine", params: ["0x8"] });
    const task = blockSampled({ from: 0, to: 8, property: header("base_fee_per_gas") }).avg();
    const message = (await hdpFailure(hdp.run(task))).message;
    expect(message).to.include("HDP-4210: block 3 was skipped by one hardhat_mine of 8 or more");
    expect(message).to.include("Mine with hdp.mine(blocks)").and.not.to.include("reorganised");
    expect(message).to.include("Nothing was finalized.");
    const one = blockSampled({ from: 4, to: 4, property: header("number") }).sum();
    expect((await hdp.run(one))[0].value, "a header alone").to.equal(4n);
  });

  it("names the pending transaction's remedy where automine is off", async () => {
    const { hdp, provider } = connection;
    await hdp.deployExecutionStore();
    await provider.request({ method: "evm_setAutomine", params: [false] });
    const task = blockSampled({ from: 0, to: 0, property: header("number") }).sum();
    const message = await failure(hdp.run(task, { timeout: 300 }));
    expect(message)
      .to.include("HDP-2081")
      .and.to.include("its transaction is pending until a block is mined: await hdp.mine()");
    const finalizing = hdp.finalize(task, 5n);
    const pending = async (): Promise<unknown> =>
      await provider.request({
        method: "eth_getBlockTransactionCountByNumber",
        params: ["pending"],
      });
    while ((await pending()) !== "0x2") await new Promise((resolve) => setTimeout(resolve, 10));
    await hdp.mine();
    expect((await finalizing).value).to.equal(5n);
  });

  it("says of a pending transaction that finalizes a submission that nothing else is to be sent", async () => {
    const { hdp, provider } = connection;
    await hdp.deployExecutionStore();
    const task = blockSampled({ from: 0, to: 0, property: header("number") }).sum();
    await provider.request({ method: "evm_setAutomine", params: [false] });
    const message = await failure(hdp.run(task));
    expect(message).to.include("HDP-4407").and.to.include("HDP-3009");
    expect(message)
      .to.include("Do not submit it again")
      .and.not.include("Nothing of it was finalized");
    await hdp.mine();
    expect((await hdp.readResult(task)).value).to.equal(0n);
    await provider.request({ method: "evm_setAutomine", params: [true] });
    const second = blockSampled({ from: 0, to: 1_000, property: header("number") }).sum();
    expect(await failure(hdp.run(second))).to.include(
      "Nothing of it was finalized. Correct the cause and submit it again.",
    );
  });
});
