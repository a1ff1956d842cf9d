import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";

import { rejection } from "../support/failure.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";

interface Call {
  readonly id: number;
  readonly method: string;
}

const STORE = `0x${"11".repeat(20)}`;
const HASH = `0x${"22".repeat(32)}` as const;

/** A node that says which chain it is, and does what it is told with every other call. */
describe("plugin: a node over HTTP that misbehaves", () => {
  let server: Server;
  let project: TestProject;
  let answer: (response: ServerResponse) => void = () => undefined;

  before(async () => {
    server = createServer((request, response) => {
      response.on("error", () => undefined);
      void text(request).then((body) => {
        const call = JSON.parse(body) as Call | Call[];
        const known = Array.isArray(call) ? undefined : { eth_chainId: "0x7a69" }[call.method];
        if (known === undefined || Array.isArray(call)) answer(response);
        else response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, result: known }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const hdp = { timeouts: { rpc: 400 }, executionStore: { address: STORE } };
    project = await testProject({
      networks: {
        silent: { type: "http", url, hdp },
        endless: { type: "http", url, hdp: { ...hdp, timeouts: { rpc: 60_000 } } },
      },
    });
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await removeProject(project);
  });

  const task = {
    destinationChainId: "ETHEREUM_SEPOLIA",
    tasks: [
      {
        type: "DatalakeCompute",
        datalake: {
          type: "BlockSampled",
          ...{ chainId: "ETHEREUM_SEPOLIA", blockRangeStart: 0, blockRangeEnd: 0 },
          sampledProperty: "header.number",
        },
        compute: { aggregateFnId: "sum" },
      },
    ],
  };
  const works: [string, (connection: NetworkConnection<string>) => Promise<unknown>][] = [
    ["reading a result", async ({ hdp }) => await hdp.readResult(HASH)],
    ["a state", async ({ hdp }) => await hdp.status(HASH)],
    ["running a task", async ({ hdp }) => await hdp.run(task)],
    ["explaining one", async ({ hdp }) => await hdp.explain(task)],
  ];

  for (const [name, work] of works) {
    it(`gives up ${name} at the deadline when it says nothing`, async () => {
      answer = () => undefined;
      const connection = await project.hre.network.create("silent");
      const began = Date.now();
      const error = await rejection(work(connection));
      expect(String(error), name).to.match(/no answer|did not answer/);
      // Reads are tried again while a node is busy, each for as long.
      expect(Date.now() - began).to.be.lessThan(15_000);
      await connection.close();
    }).timeout(30_000);
  }

  it("stops reading an answer that never ends", async () => {
    let bytes = 0;
    answer = (response) => {
      const piece = Buffer.alloc(1024 * 1024, " ");
      const more = (): void => {
        if (response.destroyed) return;
        bytes += piece.length;
        if (response.write(piece)) setImmediate(more);
      };
      response.on("drain", more);
      more();
    };
    const connection = await project.hre.network.create("endless");
    const error = await rejection(connection.hdp.readResult(HASH));
    expect(String(error)).to.match(/longer than is read/);
    expect(bytes).to.be.lessThan(160 * 1024 * 1024);
    await connection.close();
  }).timeout(120_000);
});
