import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";

import { type HdpError, taskHash, type DatalakeComputeTask } from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import {
  chaosFaults,
  cutAfterAcceptance,
  failsAt,
  httpBurst,
  lateFinalization,
  reorg,
  stuckAt,
  unknownState,
  wrongResult,
} from "../../src/entries/faults.js";
import { hdpFailure } from "../support/failure.js";
import { fewAccounts } from "../support/few-accounts.js";

/** Sum of the numbers of blocks 0 to `end`. */
function numbersTo(end: bigint): DatalakeComputeTask {
  return {
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: 0n,
      blockRangeEnd: end,
      increment: 1n,
      sampledProperty: { kind: "header", field: "number" },
    },
    compute: { aggregateFnId: "sum" },
  };
}

const TASK = numbersTo(4n);
const SUM = 10n;

describe("failure injection on a connection", () => {
  let connection: NetworkConnection<string>;
  const fails = async (action: () => Promise<unknown>): Promise<HdpError> =>
    await hdpFailure(action());

  beforeEach(async () => {
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [hardhatHdp],
      networks: fewAccounts(),
    });
    connection = await hre.network.create();
    await connection.provider.request({ method: "hardhat_mine", params: ["0x5"] });
  });
  afterEach(async () => {
    expect(connection.hdp.faults.waiting, "every fault happened").to.deep.equal([]);
    // The fault was of one submission: the next is well.
    expect((await connection.hdp.run(numbersTo(3n)))[0].value).to.equal(6n);
    await connection.close();
  });

  it("stays in a state for ever: the wait ends by its limit and names the state", async () => {
    connection.hdp.faults.inject(stuckAt("Sampled"));
    const submission = await connection.hdp.submit(TASK);
    const error = await fails(async () => await connection.hdp.await(submission, { timeout: 100 }));
    expect(error.code).to.equal("HDP-2081");
    expect(error.shortMessage).to.equal(
      `waiting for submission ${submission.id} ended after 0.1 s: Sampled.`,
    );
    expect((await fails(async () => await connection.hdp.readResult(TASK))).code).to.equal(
      "HDP-3001",
    );
  });

  it("fails for good, in the data processor's words", async () => {
    connection.hdp.faults.inject(failsAt("Computed", "no such block"));
    const submission = await connection.hdp.submit(TASK);
    const error = await fails(async () => await connection.hdp.await(submission));
    expect(error.code).to.equal("HDP-4406");
    expect(error.shortMessage).to.equal(
      `submission ${submission.id} failed in the local data processor: no such block.`,
    );
  });

  it("takes an unknown state as pending, and shows it", async () => {
    connection.hdp.faults.inject(unknownState("RECONSIDERING", 2));
    const seen: string[] = [];
    const [{ value }] = await connection.hdp.run(TASK, { onStatus: ({ name }) => seen.push(name) });
    expect(value).to.equal(SUM);
    expect(seen[0]).to.equal("RECONSIDERING");
    expect(seen.at(-1)).to.equal("Finalized");
  });

  for (const status of [429, 500, 502, 503, 504] as const) {
    it(`answers ${status} in its place, to submissions and polls`, async () => {
      const { hdp } = connection;
      hdp.faults.inject(httpBurst(status, 2));
      for (let call = 0; call < 2; call += 1) {
        const error = await fails(async () => await hdp.submit(TASK));
        expect(error.code).to.equal("HDP-4901");
        expect(error.shortMessage).to.equal(
          `a test injected this fault: the data processor answered ${status}.`,
        );
      }
      const submission = await hdp.submit(TASK);
      hdp.faults.inject(httpBurst(status, 3));
      expect((await fails(async () => await hdp.status(submission))).code).to.equal("HDP-4901");
      // The wait lives through the other two.
      await hdp.await(submission);
      expect((await hdp.readResult(TASK)).value).to.equal(SUM);
    });
  }

  it("cuts the connection after acceptance: the result arrives all the same", async () => {
    connection.hdp.faults.inject(cutAfterAcceptance());
    const error = await fails(async () => await connection.hdp.submit(TASK));
    expect(error.code).to.equal("HDP-4901");
    expect(error.shortMessage).to.equal(
      "a test injected this fault: the connection ended before the answer arrived.",
    );
    const hash = taskHash(TASK);
    while ((await connection.hdp.status(hash)).phase === "pending")
      await new Promise((done) => setTimeout(done, 5));
    expect((await connection.hdp.readResult(hash)).value).to.equal(SUM);
  });

  it("stores a wrong word: awaiting says what is stored and what was computed", async () => {
    const wrong = `0x${"00".repeat(31)}63` as const;
    connection.hdp.faults.inject(wrongResult(wrong));
    const submission = await connection.hdp.submit(TASK);
    const error = await fails(async () => await connection.hdp.await(submission));
    expect(error.code).to.equal("HDP-4404");
    expect(error.shortMessage).to.equal(
      `the execution store has ${wrong} for task ${taskHash(TASK)}, and 0x${"00".repeat(31)}0a was computed.`,
    );
    expect((await connection.hdp.readResult(TASK)).value).to.equal(99n);
    expect((await connection.hdp.run(TASK))[0].value).to.equal(SUM);
  });

  it("finalizes later than awaited: the same submission is awaited again", async () => {
    connection.hdp.faults.inject(lateFinalization(30));
    const submission = await connection.hdp.submit(TASK);
    const error = await fails(async () => await connection.hdp.await(submission, { timeout: 50 }));
    expect(error.code).to.equal("HDP-2081");
    expect(error.shortMessage).to.match(/ended after 0\.05 s: Received\.$/);
    const { status } = await connection.hdp.await(submission);
    expect(status.name).to.equal("Finalized");
    expect(await connection.hdp.readResult(TASK)).to.include({
      value: SUM,
      samples: 5,
      proven: true,
    });
  });

  for (const depth of [1, 3]) {
    it(`loses the result to a reorganisation of ${depth}`, async () => {
      const { hdp, provider } = connection;
      await hdp.store.current();
      const call = async (method: string, ...params: unknown[]): Promise<unknown> =>
        await provider.request({ method, params });
      const before = BigInt((await call("eth_blockNumber")) as string);
      const block = await call("eth_getBlockByNumber", "latest", false);
      hdp.faults.inject(reorg(depth));
      const submission = await hdp.submit(TASK);
      const error = await fails(async () => await hdp.await(submission));
      expect(error.code).to.equal("HDP-4406");
      expect(error.shortMessage).to.equal(
        `submission ${submission.id} failed in the local data processor: it was finalized, but the chain was reverted to before that, or its node has started anew: submit it again.`,
      );
      expect((await fails(async () => await hdp.readResult(TASK))).code).to.equal("HDP-3001");
      expect(BigInt((await call("eth_blockNumber")) as string)).to.equal(
        before + BigInt(depth) + 1n,
      );
      expect(await call("eth_getBlockByNumber", `0x${before.toString(16)}`, false)).to.deep.equal(
        block,
      );
      expect((await hdp.run(TASK))[0].value).to.equal(SUM);
    });
  }

  it("queues the random faults of a seed, and removes them", () => {
    const { faults } = connection.hdp;
    const random = chaosFaults({ seed: 7, count: 20 });
    faults.inject(...random);
    expect(faults.waiting).to.deep.equal(random);
    faults.clear();
    expect(faults.waiting).to.deep.equal([]);
  });
});

describe("failure injection where it cannot happen", () => {
  it("says so on a network with a service", async () => {
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [hardhatHdp],
      networks: {
        served: { type: "edr-simulated", hdp: { dataProcessor: { url: "http://127.0.0.1:9" } } },
      },
    });
    const connection = await hre.network.create("served");
    connection.hdp.faults.inject(stuckAt("Sampled"));
    const error = await hdpFailure(connection.hdp.submit(TASK));
    expect(error.code).to.equal("HDP-6060");
    expect(error.shortMessage).to.equal(
      'faults were injected into the local data processor, and tasks of network "served" go to the data processor at 127.0.0.1:9, API version tasks.',
    );
    await connection.close();
  });

  it("says so when the chain cannot be taken back", async () => {
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [hardhatHdp],
      networks: fewAccounts(),
    });
    const connection = await hre.network.create();
    const { provider } = connection;
    const request = provider.request.bind(provider);
    provider.request = (async (args: Parameters<typeof request>[0]) => {
      if (args.method === "evm_snapshot") throw new Error("no such method");
      return (await request(args)) as unknown;
    }) as typeof provider.request;
    connection.hdp.faults.inject(reorg(1));
    const error = await hdpFailure(connection.hdp.run(numbersTo(0n)));
    expect(error.code).to.equal("HDP-4406");
    expect(error.shortMessage).to.contain(
      "HDP-4901: a test injected this fault: the chain cannot be reorganised: no such method",
    );
    await connection.close();
  });
});
