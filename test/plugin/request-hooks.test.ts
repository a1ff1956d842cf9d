import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";
import type { HardhatPlugin } from "hardhat/types/plugins";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

import type { Eip1193Provider } from "../../src/entries/local.js";
import { blockSampled, header } from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { fewAccounts } from "../support/few-accounts.js";
import { hdpFailure } from "../support/failure.js";
import { simulatedChain } from "../support/simulated-chain.js";

type Hook = (
  request: JsonRpcRequest,
  next: (request: JsonRpcRequest) => Promise<JsonRpcResponse>,
) => Promise<JsonRpcResponse>;
interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const STORE = `0x${"11".repeat(20)}` as const;
const HASH = `0x${"22".repeat(32)}` as const;
const task = blockSampled({ from: 1, to: 5, property: header("number") }).sum();
const shown = ({ method, params }: Pick<JsonRpcRequest, "method" | "params">): string =>
  [method, ...(Array.isArray(params) ? (params as unknown[]) : [])].map(String).join(" ");

describe("plugin: the request hooks of other plugins", () => {
  let chain: Eip1193Provider;
  let server: Server;
  /** The calls of each HTTP request. */
  let requests: string[][];
  let hook: Hook;

  const another: HardhatPlugin = {
    id: "another-plugin",
    hookHandlers: {
      network: async () =>
        await Promise.resolve({
          default: async () =>
            await Promise.resolve({
              onRequest: async (context, connection, request, next) =>
                await hook(request, async (changed) => await next(context, connection, changed)),
            }),
        }),
    },
  };

  const answer = async ({ id, method, params }: Call): Promise<object> => {
    try {
      return { jsonrpc: "2.0", id, result: await chain.request({ method, params }) };
    } catch (error) {
      return { jsonrpc: "2.0", id, error: { code: -32000, message: (error as Error).message } };
    }
  };

  before(async () => {
    chain = await simulatedChain();
    server = createServer((request, response) => {
      void (async () => {
        const body = JSON.parse(await text(request)) as Call | Call[];
        requests.push([body].flat().map(shown));
        response.end(
          JSON.stringify(
            Array.isArray(body) ? await Promise.all(body.map(answer)) : await answer(body),
          ),
        );
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    requests = [];
    hook = async (request, next) => await next(request);
  });

  /** A connection to the node with this plugin and another one. */
  async function connect(
    network: "live" | "simulated" = "live",
    rpc = 10_000,
  ): Promise<NetworkConnection> {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const hdp = { executionStore: { address: STORE }, timeouts: { rpc } };
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [hardhatHdp, another],
      networks: fewAccounts({
        live: { type: "http", url, hdp },
        simulated: { type: "edr-simulated", hdp },
      }),
    });
    return await hre.network.create(network);
  }

  it("see every read of a node over HTTP once, and the reads still go in batches", async () => {
    const seen: string[] = [];
    hook = async (request, next) => {
      seen.push(shown(request));
      return await next(request);
    };
    const { hdp } = await connect();
    expect(await hdp.explain(task)).to.include({ value: 15n, proven: true });
    const blocks = [1, 2, 3, 4, 5].map(
      (number) => `eth_getBlockByNumber 0x${String(number)} false`,
    );
    expect(seen.filter((call) => blocks.includes(call))).to.deep.equal(blocks);
    expect(requests).to.deep.include(blocks);
    expect(seen.toSorted()).to.deep.equal(requests.flat().toSorted());
  });

  it("see the reads of a store, which do not ask the node for its accounts", async () => {
    const seen: JsonRpcRequest[] = [];
    hook = async (request, next) => {
      seen.push(request);
      return await next(request);
    };
    const { hdp } = await connect();
    await hdpFailure(hdp.readResult(HASH));
    const calls = seen.filter(({ method }) => method === "eth_call");
    expect(calls).not.to.deep.equal([]);
    for (const { params } of calls) {
      expect(params).to.have.nested.property("[0].from", `0x${"0".repeat(40)}`);
      expect(params).to.have.nested.property("[0].to", STORE);
    }
    expect(requests.flat().join()).not.to.contain("eth_accounts");
  });

  it("change what is asked", async () => {
    hook = async (request, next) =>
      await next(
        shown(request).includes("0x2 ") ? { ...request, params: ["0x3", false] } : request,
      );
    const error = await hdpFailure((await connect()).hdp.explain(task));
    expect([error.code, error.shortMessage]).to.deep.equal([
      "HDP-4201",
      'block 2 does not match its field "number": the node returned block 3.',
    ]);
    expect(requests.flat()).not.to.include("eth_getBlockByNumber 0x2 false");
  });

  it("answer in the node's place, with a result or an error", async () => {
    const block = await chain.request({ method: "eth_getBlockByNumber", params: ["0x2", false] });
    const { hdp } = await connect();
    hook = async (request, next) =>
      shown(request).includes("0x2 ")
        ? { jsonrpc: "2.0", id: request.id, result: block }
        : await next(request);
    expect(await hdp.explain(task)).to.include({ value: 15n, proven: true });
    expect(requests.flat()).not.to.include("eth_getBlockByNumber 0x2 false");
    hook = async (request, next) =>
      shown(request).includes("eth_call")
        ? {
            jsonrpc: "2.0",
            id: request.id,
            error: { code: -32000, message: "calls are not allowed" },
          }
        : await next(request);
    expect((await hdpFailure(hdp.readResult(HASH))).message).to.contain("calls are not allowed");
  });

  it("see the error of a node as a response", async () => {
    const errors: unknown[] = [];
    hook = async (request, next) => {
      const response = await next(
        shown(request).includes("0x3 ") ? { ...request, method: "eth_nonsense" } : request,
      );
      if ("error" in response) errors.push(response.error.code);
      return response;
    };
    const error = await hdpFailure((await connect()).hdp.explain(task));
    expect(error.shortMessage).to.match(
      /^the node failed to answer eth_getBlockByNumber\("0x3", false\): .*not supported/,
    );
    expect(errors).to.deep.equal([-32000]);
  });

  it("throw errors of their own", async () => {
    hook = async (request, next) => {
      if (shown(request).includes("0x3 ")) throw new Error("not through here");
      return await next(request);
    };
    const error = await hdpFailure((await connect()).hdp.explain(task));
    expect(error.shortMessage).to.equal(
      'the node failed to answer eth_getBlockByNumber("0x3", false): not through here.',
    );
  });

  for (const network of ["live", "simulated"] as const) {
    it(`end after hdp.timeouts.rpc where they hand nothing on (${network})`, async () => {
      hook = async (request, next) =>
        request.method === "eth_getBlockByNumber"
          ? await new Promise(() => undefined)
          : await next(request);
      const work = (await connect(network, 300)).hdp.explain(
        blockSampled({ from: 0, to: 0, property: header("number") }).sum(),
      );
      expect((await hdpFailure(work)).shortMessage).to.match(
        /no answer to eth_getBlockByNumber within 0\.3 s/,
      );
    });
  }
});
