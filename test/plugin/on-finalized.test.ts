import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";

import { blockSampled, header, isHdpError, type TaskResult } from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";

const first = blockSampled({ from: 0, to: 1, property: header("number") }).sum();
const second = blockSampled({ from: 0, to: 0, property: header("number") }).sum();

describe("hdp.onFinalized", () => {
  async function chain(): Promise<NetworkConnection> {
    return await (
      await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] })
    ).network.create();
  }

  async function until(condition: () => boolean): Promise<void> {
    for (let waited = 0; !condition() && waited < 8_000; waited += 10) await sleep(10);
  }

  it("calls the listener once for each task, in the order in which they are finalized", async () => {
    const { hdp } = await chain();
    const seen: TaskResult[] = [];
    hdp.onFinalized([first, second], (result) => void seen.push(result), { interval: 5 });
    await hdp.finalize(second, 2n);
    await until(() => seen.length === 1);
    await hdp.finalize(first, 1n);
    await until(() => seen.length === 2);
    await hdp.finalize(second, 3n);
    await sleep(50);
    expect(seen.map(({ value }) => value)).to.deep.equal([2n, 1n]);
  });

  it("calls no listener after it was unsubscribed, by its function or by a signal", async () => {
    const { hdp } = await chain();
    const seen: unknown[] = [];
    const end = new AbortController();
    const options = { interval: 5, onError: (error: unknown) => void seen.push(error) };
    const stop = hdp.onFinalized(first, (result) => void seen.push(result), options);
    hdp.onFinalized(first, (result) => void seen.push(result), { ...options, signal: end.signal });
    await sleep(60);
    stop();
    end.abort();
    await hdp.finalize(first, 1n);
    await sleep(60);
    expect(seen).to.deep.equal([]);
  });

  it("goes on after a look that failed, and reports it", async () => {
    const { hdp, provider } = await chain();
    const { address } = await hdp.store.current();
    const request = provider.request.bind(provider);
    let fails = 2;
    provider.request = async (args) => {
      if (args.method === "eth_call" && fails-- > 0) throw new Error("the line is down");
      return (await request(args)) as unknown;
    };
    const errors: unknown[] = [];
    const seen: TaskResult[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    hdp.onFinalized(first, (result) => void seen.push(result), {
      interval: 5,
      onError,
      store: address,
    });
    await until(() => errors.length === 2);
    await hdp.finalize(first, 1n);
    await until(() => seen.length === 1);
    expect(errors.map((error) => isHdpError(error, "HDP-4103"))).to.deep.equal([true, true]);
    expect(seen[0]).to.include({ value: 1n, store: address });
  });

  it("reports a file that cannot be read, and what the listener throws", async () => {
    const { hdp } = await chain();
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    hdp.onFinalized("tasks/none.json", () => undefined, { onError });
    await until(() => errors.length === 1);
    expect(isHdpError(errors[0], "HDP-6001")).to.equal(true);
    await hdp.finalize(first, 1n);
    const broken = new Error("the listener broke");
    hdp.onFinalized(
      first,
      () => {
        throw broken;
      },
      { onError },
    );
    await until(() => errors.length === 2);
    expect(errors[1]).to.equal(broken);
  });

  it("throws an error without a listener where the process sees it", async () => {
    const { hdp } = await chain();
    const listeners = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    try {
      const thrown = new Promise((resolve) => process.once("unhandledRejection", resolve));
      hdp.onFinalized("tasks/none.json", () => undefined);
      expect(isHdpError(await thrown, "HDP-6001")).to.equal(true);
    } finally {
      for (const listener of listeners) process.on("unhandledRejection", listener);
    }
  });
});
