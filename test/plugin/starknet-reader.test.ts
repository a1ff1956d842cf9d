import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";

import type { StarknetConfig } from "../../src/types.js";
import { starknetReaders } from "../../src/plugin/starknet-readers.js";
import { expectHdpError } from "../support/failure.js";

const SN_SEPOLIA = 393402133025997798000961n;
const URL_WITH_KEY = "https://node.example/key-4711";

const starknet: Readonly<Record<string, StarknetConfig>> = {
  SN_SEPOLIA: {
    rpcUrl: {
      _type: "ResolvedConfigurationVariable",
      format: "{variable}",
      get: async () => URL_WITH_KEY,
      getUrl: async () => URL_WITH_KEY,
      getBigInt: async () => 0n,
      getHexString: async () => "",
    },
    executionStore: "0x1",
    entrypoint: undefined,
    account: undefined,
  },
};
const config = { starknet, timeouts: { request: 1000, await: 1000, rpc: 1000 } };

function answering(answer: () => Response | Promise<Response>) {
  const asked: unknown[] = [];
  const send: typeof fetch = async (url, init) => {
    asked.push([
      url,
      typeof init?.body === "string" ? (JSON.parse(init.body) as unknown) : undefined,
    ]);
    return await answer();
  };
  return { asked, read: starknetReaders(config, send) };
}

describe("starknetReaders", () => {
  it("reads from the chain's configured node, under any of the chain's names", async () => {
    const { asked, read } = answering(() =>
      Response.json({ jsonrpc: "2.0", id: 1, result: "0x2a" }),
    );
    const reader = await read(SN_SEPOLIA);
    expect(await reader?.storage(7n, "0x0123", "0x05")).to.deep.equal({
      value: 42n,
      proven: false,
    });
    expect(asked).to.deep.equal([
      [
        URL_WITH_KEY,
        {
          jsonrpc: "2.0",
          id: 1,
          method: "starknet_getStorageAt",
          params: { contract_address: "0x123", key: "0x5", block_id: { block_number: 7 } },
        },
      ],
    ]);
    expect(await read(SN_SEPOLIA)).to.equal(reader);
  });

  it("returns nothing for chains that are not configured", async () => {
    const { read } = answering(() => Response.json({}));
    expect(await read(23448594291968334n)).to.equal(undefined);
    expect(await read(31337n)).to.equal(undefined);
  });

  it("quotes the node without its address", async () => {
    for (const [answer, text] of [
      [
        () => Response.json({ error: { code: 24, message: "Block not found" } }),
        /"Block not found"/,
      ],
      [() => new Response("<html>"), /the answer is not JSON/],
      [() => Response.json([]), /failed to answer starknet_getStorageAt: \[\]/],
      [() => Promise.reject(new TypeError(`fetch failed: ${URL_WITH_KEY}`)), /fetch failed: <url>/],
    ] as const) {
      const reader = await answering(answer).read(SN_SEPOLIA);
      const asked = reader?.storage(1n, "0x1", "0x1") ?? Promise.resolve();
      await expectHdpError(asked, "HDP-4103", text);
      const message = await asked.then(String, String);
      expect(message).to.contain("hdp.starknet.STARKNET_SEPOLIA.rpcUrl").and.to.not.contain("4711");
    }
  });

  it("bounds the length of an answer, and accepts a timeout of any length", async () => {
    let sent = 0;
    const endless = (): Response =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            sent += 1;
            controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
          },
        }),
      );
    const reader = await answering(endless).read(SN_SEPOLIA);
    await expectHdpError(
      reader?.storage(1n, "0x1", "0x1") ?? Promise.resolve(),
      "HDP-4103",
      /longer than the 32 MiB/,
    );
    expect(sent).to.be.lessThan(40);
    const patient = starknetReaders(
      { ...config, timeouts: { ...config.timeouts, rpc: 2 ** 31 + 1 } },
      async () => {
        await sleep(20);
        return Response.json({ result: "0x2a" });
      },
    );
    expect(await (await patient(SN_SEPOLIA))?.storage(1n, "0x1", "0x1")).to.deep.include({
      value: 42n,
    });
  });

  it("times out after hdp.timeouts.rpc", async () => {
    const silent: typeof fetch = async (_url, init) =>
      await new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => {
          reject(new Error("aborted"));
        });
      });
    const reader = await starknetReaders(
      { ...config, timeouts: { ...config.timeouts, rpc: 50 } },
      silent,
    )(SN_SEPOLIA);
    await expectHdpError(
      reader?.storage(1n, "0x1", "0x1") ?? Promise.resolve(),
      "HDP-4103",
      /no answer within 0.05 s/,
    );
  });
});
