import { readFileSync } from "node:fs";

import { expect } from "chai";

import { type ChainReader, runModule } from "../../src/entries/local.js";
import { starknetReaders } from "../../src/plugin/starknet-readers.js";
import type { StarknetConfig } from "../../src/types.js";
import { expectHdpError } from "../support/failure.js";
import { jumpingClock } from "../support/jumping-clock.js";
import { type Answer, httpServer, type OddServer } from "../support/odd-servers.js";

const bridge = "../program/templates/m_bridge_Module.compiled_contract_class.json";
/** Reads a balance of an EVM chain and two slots of a Starknet chain that lie side by side. */
const BRIDGE: unknown = JSON.parse(readFileSync(new URL(bridge, import.meta.url), "utf8"));
const SN_SEPOLIA = 393402133025997798000961n;

function configured(address: string, rpc = 1000) {
  const text = async (): Promise<string> => await Promise.resolve(address);
  const starknet: Readonly<Record<string, StarknetConfig>> = {
    SN_SEPOLIA: {
      rpcUrl: {
        _type: "ResolvedConfigurationVariable",
        format: "{variable}",
        get: text,
        getUrl: text,
        getBigInt: async () => await Promise.resolve(0n),
        getHexString: text,
      },
      executionStore: "0x1",
      entrypoint: undefined,
      account: undefined,
    },
  };
  return starknetReaders({ starknet, timeouts: { rpc } });
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

describe("starknetReaders", () => {
  let server: OddServer | undefined;
  afterEach(async () => {
    await server?.close();
  });

  /** Readers of a node whose address has a key. */
  async function readersOver(answer: Answer, rpc?: number) {
    server = await httpServer(answer);
    return configured(`${server.url}/key-4711`, rpc);
  }

  const answers =
    (result: (call: Call) => unknown): Answer =>
    ({ body }, response) => {
      const asked = JSON.parse(body) as Call | readonly Call[];
      const one = (call: Call): object => ({ jsonrpc: "2.0", id: call.id, result: result(call) });
      response.end(JSON.stringify("id" in asked ? one(asked) : asked.map(one)));
    };

  it("reads from the chain's configured node, under any of the chain's names", async () => {
    const read = await readersOver(answers(() => "0x2a"));
    const reader = await read(SN_SEPOLIA);
    expect(await reader?.storage(7n, "0x0123", "0x05")).to.deep.equal({
      value: 42n,
      proven: false,
    });
    expect(server?.seen.map(({ url, body }) => [url, JSON.parse(body) as unknown])).to.deep.equal([
      [
        "/key-4711",
        {
          jsonrpc: "2.0",
          id: 1,
          method: "starknet_getStorageAt",
          params: { contract_address: "0x123", key: "0x5", block_id: { block_number: 7 } },
        },
      ],
    ]);
  });

  it("returns nothing for chains that are not configured", async () => {
    const read = configured("http://127.0.0.1:1");
    expect(await read(23448594291968334n)).to.equal(undefined);
    expect(await read(31337n)).to.equal(undefined);
  });

  it("reads each value once in a run, and again in the next: a devnet may have started anew", async () => {
    let value = 1;
    const read = await readersOver(answers(() => `0x${(value++).toString(16)}`));
    const readers = [await read(SN_SEPOLIA), await read(SN_SEPOLIA)];
    for (const [index, reader] of readers.entries()) {
      for (const one of [reader?.ahead, reader])
        expect((await one?.storage(7n, "0x1", "0x2"))?.value).to.equal(BigInt(index + 1));
    }
  });

  it("quotes the node without its address", async () => {
    const said = (error: object, status = 200): Answer => {
      return (_request, response) =>
        response.writeHead(status).end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
    };
    for (const [answer, text] of [
      [said({ code: 24, message: "Block not found" }), /starknet_getStorageAt: Block not found/],
      [said({ code: -1, message: "no https://node.example/key-4711" }, 400), /no <url>/],
      [((_, response) => response.end("<html>")) as Answer, /the answer is no JSON-RPC/],
      [((_, response) => response.destroy()) as Answer, /the connection failed/],
    ] as const) {
      const reader = await (await readersOver(answer))(SN_SEPOLIA);
      const asked = reader?.storage(1n, "0x1", "0x1") ?? Promise.resolve();
      await expectHdpError(asked, "HDP-4103", text);
      const message = await asked.then(String, String);
      expect(message).to.contain("hdp.starknet.STARKNET_SEPOLIA.rpcUrl").and.to.not.contain("4711");
      await server?.close();
    }
  });

  it("bounds the length of an answer, and accepts a timeout of any length", async () => {
    let sent = 0;
    const endless: Answer = (_request, response) => {
      const mebibyte = Buffer.alloc(1024 * 1024, 32);
      const send = (): void => {
        if (response.destroyed) return;
        sent += 1;
        response.write(mebibyte, send);
      };
      send();
    };
    const reader = await (await readersOver(endless))(SN_SEPOLIA);
    await expectHdpError(
      reader?.storage(1n, "0x1", "0x1") ?? Promise.resolve(),
      "HDP-4103",
      /longer than is read/,
    );
    expect(sent).to.be.lessThan(40);
    await server?.close();
    const patient = await readersOver(
      answers(() => "0x2a"),
      2 ** 31 + 1,
    );
    expect(await (await patient(SN_SEPOLIA))?.storage(1n, "0x1", "0x1")).to.deep.include({
      value: 42n,
    });
  });

  it("times out after hdp.timeouts.rpc", async () => {
    const reader = await (await readersOver(() => undefined, 50))(SN_SEPOLIA);
    await expectHdpError(
      reader?.storage(1n, "0x1", "0x1") ?? Promise.resolve(),
      "HDP-4103",
      /no answer to starknet_getStorageAt within 0.05 s/,
    );
  });

  describe("for a module", () => {
    const wait = jumpingClock();

    it("answer the reads that it makes together in one batch", async () => {
      const read = await readersOver(answers(({ params: { key } }) => key));
      const account = async (): ReturnType<ChainReader["account"]> => {
        wait(50);
        const value = { nonce: 0n, balance: 9n, storageRoot: "0x", codeHash: "0x" } as const;
        return await Promise.resolve({ value, proven: true });
      };
      const unread = async (): Promise<never> => await Promise.reject(new Error("is not read"));
      const others = { header: unread, storage: unread, transaction: unread, receipt: unread };
      const run = await runModule(BRIDGE, {
        inputs: [1n, 5n, 3n, SN_SEPOLIA, 6n, 8n, 16n].map((value) => {
          return { visibility: "public", value };
        }),
        leadingFelts: 8,
        generation: "head",
        reader: () => ({ account, ...others }),
        starknetReader: read,
      });
      expect(run.reads.map(({ kind, felts }) => [kind, felts[0]])).to.deep.equal([
        ["account", 9n],
        ["starknetStorage", 16n],
        ["starknetStorage", 17n],
      ]);
      expect(server?.seen).to.have.length(1);
    });
  });
});
