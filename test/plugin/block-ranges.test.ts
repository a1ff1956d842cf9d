import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";

import {
  blockSampled,
  header,
  last,
  parseTask,
  taskHash,
  type ResolvedBlock,
} from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { type BlockTime, firstBlockAtOrAfter } from "../../src/request/block-reference.js";
import { failure, hdpFailure, hdpThrown } from "../support/failure.js";

const number = header("number");

describe("blocks by their place and date", () => {
  /** Blocks 1 to 9 on the 1st to 9th of January 2027, at noon. */
  async function chain(): Promise<NetworkConnection> {
    const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] });
    const { provider, ...connection } = await hre.network.create();
    for (let day = 1; day <= 9; day++) {
      const seconds = Date.parse(`2027-01-0${day}T12:00:00Z`) / 1000;
      await provider.request({ method: "evm_setNextBlockTimestamp", params: [seconds] });
      await provider.request({ method: "evm_mine" });
    }
    return { provider, ...connection };
  }

  async function ends(range: { from: string | number; to: string | number }): Promise<string> {
    const { hdp } = await chain();
    const blocks: ResolvedBlock[] = [];
    const task = blockSampled({ ...range, property: number }).sum();
    const { datalake } = await new Promise<{ datalake: unknown }>((resolve, reject) => {
      hdp
        .submit(task, { onBlock: (block) => void blocks.push(block) })
        .then(async (submission) => {
          const { taskHashes } = submission;
          const numbers = blocks.map(({ block }) => block);
          const from = typeof range.from === "number" ? BigInt(range.from) : (numbers[0] ?? -1n);
          const to = typeof range.to === "number" ? BigInt(range.to) : (numbers.at(-1) ?? -1n);
          const closed = blockSampled({ from, to, property: number }).sum();
          // What was sent is the task with numbers.
          expect(taskHashes).to.deep.equal([taskHash(closed)]);
          await hdp.await(submission);
          resolve(closed);
        })
        .catch(reject);
    });
    const { blockRangeStart, blockRangeEnd } = datalake as Record<string, bigint>;
    return `${String(blockRangeStart)}..${String(blockRangeEnd)}`;
  }

  it("submits numbers, and shows them before", async () => {
    expect(await ends(last(3))).to.equal("7..9");
    expect(await ends({ from: "latest-4", to: "latest - 2" })).to.equal("5..7");
    expect(await ends({ from: "2027-01-02", to: "2027-01-04" })).to.equal("2..4");
    expect(await ends({ from: "2027-01-02T12:00:00Z", to: "2027-01-04T11:59:59Z" })).to.equal(
      "2..3",
    );
    expect(await ends({ from: 3, to: "2027-01-09" })).to.equal("3..9");
  });

  it("reports what was written and the block's time", async () => {
    const { hdp } = await chain();
    const blocks: ResolvedBlock[] = [];
    const task = blockSampled({ ...last(2), property: number }).avg();
    await hdp.run(task, { onBlock: (block) => void blocks.push(block) });
    const at = (day: number): bigint => BigInt(Date.parse(`2027-01-0${day}T12:00:00Z`) / 1000);
    expect(blocks).to.deep.equal([
      { path: "datalake.blockRangeStart", text: "latest-1", block: 8n, timestamp: at(8) },
      { path: "datalake.blockRangeEnd", text: "latest", block: 9n, timestamp: at(9) },
    ]);
  });

  it("looks blocks up in task documents, in all tasks of a list, and for explaining", async () => {
    const { hdp } = await chain();
    const task = blockSampled({ from: "latest-1", to: "latest", property: number }).sum();
    const closed = blockSampled({ from: 3, to: 4, property: number }).max();
    const results = await hdp.run([task, closed]);
    expect(results.map(({ value }) => value)).to.deep.equal([17n, 4n]);
    const { samples } = await hdp.explain({
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [task],
    });
    expect(samples.length).to.equal(2);
  });

  it("that do not exist are errors with their place", async () => {
    const { hdp } = await chain();
    for (const range of [
      { from: "2031-01-01", to: "latest" },
      { from: "latest-99", to: "latest" },
      { from: 0, to: "2001-01-01" },
    ]) {
      const task = blockSampled({ ...range, property: number }).sum();
      expect(await hdpFailure(hdp.submit(task))).to.include({ code: "HDP-6123" });
    }
    const elsewhere = blockSampled({ ...last(2), chainId: "STARKNET_SEPOLIA", property: number });
    expect((await hdpFailure(hdp.submit(elsewhere.sum()))).code).to.equal("HDP-6123");
  });

  it("refuses blocks by date with a sentence where no network is at hand", async () => {
    const task = blockSampled({ ...last(5), property: number }).sum();
    const error = await failure(Promise.resolve().then(() => parseTask(task)));
    expect(error)
      .to.contain('"latest-4" has to be looked up on a chain')
      .and.to.contain("--network");
    expect(() =>
      blockSampled({ from: "yesterday", to: "latest", property: number }).sum(),
    ).to.throw(/not an integer/);
    expect(hdpThrown(() => last(0)).code).to.equal("HDP-6003");
  });
});

describe("the first block at or after a time", () => {
  it("finds the block with 25 headers on a chain of 20 million blocks", async () => {
    const latest = 20_000_000n;
    const at = (number: bigint): BlockTime => ({
      number,
      timestamp: number === 0n ? 0n : 1_500_000_000n + 12n * number,
    });
    for (const wanted of [0n, 1n, 2n, 12_345_678n, latest - 1n, latest]) {
      let reads = 0;
      const read = async (number: bigint): Promise<BlockTime> => {
        reads += 1;
        return await Promise.resolve(at(number));
      };
      expect(await firstBlockAtOrAfter(at(wanted).timestamp - 1n, at(latest), read)).to.deep.equal(
        at(wanted),
      );
      expect(reads).to.be.at.most(25);
    }
  });

  it("finds the first of several blocks of one second, and none after the latest block", async () => {
    const times = [5, 10, 10, 10, 11];
    const at = (number: bigint): BlockTime => ({
      number,
      timestamp: BigInt(times[Number(number)] ?? 0),
    });
    const find = async (seconds: bigint): Promise<bigint | undefined> =>
      (
        await firstBlockAtOrAfter(
          seconds,
          at(4n),
          async (number) => await Promise.resolve(at(number)),
        )
      )?.number;
    const found = await Promise.all([0n, 5n, 6n, 10n, 11n, 12n].map(find));
    expect(found).to.deep.equal([0n, 0n, 1n, 1n, 4n, undefined]);
  });
});
