import { writeFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";

import { HdpError } from "../../src/entries/request.js";
import { exitCode } from "../../src/tasks/failure.js";
import { rejection } from "../support/failure.js";
import { closedAddress, httpServer, sendJson, type OddServer } from "../support/odd-servers.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";
import { runCommand, type CommandRun } from "../support/run-command.js";

interface Call {
  readonly id: number;
  readonly method: string;
}

const task = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [
    {
      type: "DatalakeCompute",
      datalake: {
        type: "BlockSampled",
        chainId: "ETHEREUM_SEPOLIA",
        blockRangeStart: 0,
        blockRangeEnd: 0,
        sampledProperty: "header.number",
      },
      compute: { aggregateFnId: "sum" },
    },
  ],
};

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
        const known = Array.isArray(call)
          ? undefined
          : { eth_chainId: "0x7a69", hardhat_metadata: {} }[call.method];
        if (known === undefined || Array.isArray(call)) answer(response);
        else response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, result: known }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const hdp = { timeouts: { rpc: 200 }, executionStore: { address: STORE } };
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

  const works: [string, (connection: NetworkConnection<string>) => Promise<unknown>][] = [
    ["reading a result", async ({ hdp }) => await hdp.readResult(HASH)],
    ["a state", async ({ hdp }) => await hdp.status(HASH)],
    ["running a task", async ({ hdp }) => await hdp.run(task)],
    ["explaining one", async ({ hdp }) => await hdp.explain(task)],
  ];

  for (const [name, work] of works) {
    it(`gives up ${name} at the timeout when it says nothing`, async () => {
      answer = () => undefined;
      const connection = await project.hre.network.create("silent");
      const began = Date.now();
      const error = await rejection(work(connection));
      expect(String(error), name).to.match(/no answer|did not answer/);
      // Reads are tried again while a node is busy, each for as long.
      expect(Date.now() - began).to.be.lessThan(15_000);
      await connection.close();
    });
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
  });
});

/** Answers every call of a request with the same. */
const everywhere = (answer: object) => (response: ServerResponse, call: Call | Call[]) => {
  const one = ({ id }: Call): object => ({ jsonrpc: "2.0", id, ...answer });
  sendJson(response, 200, Array.isArray(call) ? call.map(one) : one(call));
};

const MODES: Readonly<Record<string, (response: ServerResponse, call: Call | Call[]) => void>> = {
  "no JSON": (response) => response.end("<html>see http://node.example/key</html>"),
  "JSON that is no JSON-RPC": (response) => response.end("{}"),
  "HTTP status 500": (response) => response.writeHead(500).end("{}"),
  "HTTP status 302": (response) => response.writeHead(302, { location: "/elsewhere" }).end(),
  "nothing at all": (response) => response.end(),
  silence: () => undefined,
  "JSON-RPC errors": everywhere({
    error: { code: -32000, message: "busy, see http://node.example/key" },
  }),
};

const COMMANDS: readonly (readonly [
  name: string,
  given: Record<string, unknown>,
  first: string,
  later: string,
])[] = [
  ["submit", { file: "task.json" }, "HDP-4103", "HDP-4103"],
  ["explain", { file: "task.json" }, "HDP-4103", "HDP-4103"],
  ["result", { taskHash: HASH }, "HDP-4103", "HDP-4103"],
  ["result", { taskHash: HASH, store: STORE }, "HDP-4103", "HDP-4103"],
  ["verify", { task: "task.json", store: STORE }, "HDP-4103", "HDP-4103"],
  ["check", { file: "task.json" }, "HDP-4103", "HDP-4103"],
  ["watch", { tasks: [HASH], timeout: "5" }, "HDP-4103", "HDP-4103"],
  ["status", { id: HASH }, "HDP-4103", "HDP-4103"],
  ["await", { ids: [HASH], timeout: "5" }, "HDP-4103", "HDP-4103"],
  ["store", { action: "deploy", yes: true }, "HDP-4103", "HDP-4103"],
  ["eth-call", { contract: STORE, function: "a()(uint256)", timeout: "5" }, "HDP-4103", "HDP-4103"],
];

describe("plugin: commands at a node over HTTP that misbehaves", () => {
  let server: OddServer;
  let answer: (response: ServerResponse, call: Call | Call[]) => void = () => undefined;
  let chainId: string | undefined;

  before(async () => {
    server = await httpServer(({ body }, response) => {
      const call = JSON.parse(body || "[]") as Call | Call[];
      const known = { eth_chainId: chainId, hardhat_metadata: {} }[
        Array.isArray(call) ? "" : call.method
      ];
      (chainId !== undefined && known !== undefined ? everywhere({ result: known }) : answer)(
        response,
        call,
      );
    });
  });
  after(async () => {
    await server.close();
  });

  let project: TestProject;
  const begin = async (url: string, configured?: number): Promise<void> => {
    const chain = configured === undefined ? {} : { chainId: configured };
    const odd = { type: "http", url, ...chain, hdp: { timeouts: { rpc: 250 } } } as const;
    project = await testProject({ networks: { odd } }, undefined, "odd");
    await writeFile(join(project.root, "task.json"), JSON.stringify(task));
  };
  beforeEach(async () => {
    await begin(server.url);
  });
  afterEach(async () => {
    await removeProject(project);
  });

  /** One document on standard output, an error that Hardhat prints without a stack, and the exit code of a service. */
  function expectFailure({ stdout, error }: CommandRun, code: string): string {
    const document = JSON.parse(stdout) as {
      error: { code: string; message: string; hints: string[] };
    };
    expect(document.error.code, document.error.message).to.equal(code);
    expect(document.error.hints).not.to.deep.equal([]);
    expect(document.error.message).not.to.match(/http:|127\.0\.0\.1/);
    expect(error).to.be.instanceOf(HdpError);
    expect(exitCode(error)).to.equal(2);
    return document.error.message;
  }

  for (const [name, given, first, later] of COMMANDS) {
    const words = `hdp ${name}${"store" in given ? " --store" : ""}`;
    const run = async (): Promise<CommandRun> =>
      await runCommand(name, { ...given, json: true }, project.hre);

    it(`ends ${words} with a number where the connection is refused`, async () => {
      await removeProject(project);
      await begin(await closedAddress());
      expect(expectFailure(await run(), first)).to.match(
        /eth_\w+.*: (HHE703: Cannot connect to the network "odd"|the connection failed: ECONNREFUSED)/,
      );
    });

    for (const [mode, misbehave] of Object.entries(MODES)) {
      it(`ends ${words} with a number where the node answers with ${mode}`, async () => {
        answer = misbehave;
        chainId = undefined;
        expect(expectFailure(await run(), first)).to.match(/eth_[a-z]+/i);
        chainId = "0x7a69";
        expect(expectFailure(await run(), later)).not.to.match(/eth_chainId/);
      });
    }

    // What stands in the configuration is told by Hardhat, which has a number for it.
    if (name === "store") continue;
    it(`leaves the wrong chain id of a configuration to Hardhat in ${words}`, async () => {
      answer = MODES["JSON-RPC errors"] ?? answer;
      chainId = "0x7a69";
      await removeProject(project);
      await begin(server.url, 1);
      const { stdout, error } = await run();
      const document = JSON.parse(stdout) as { error: { code: string } };
      expect([document.error.code, exitCode(error)]).to.deep.equal(["HHE708", 1]);
    });
  }

  it("names the HTTP status, which Hardhat's own words leave out", async () => {
    answer = MODES["HTTP status 500"] ?? answer;
    chainId = undefined;
    const { stdout } = await runCommand("result", { taskHash: HASH, json: true }, project.hre);
    const { error } = JSON.parse(stdout) as { error: { message: string } };
    expect(error.message).to.equal(
      "the node failed to answer eth_chainId(): Received an unexpected status code from <url> (HTTP status 500).",
    );
  });

  for (const [result, shown] of [
    ["word", '"word"'],
    [null, "null"],
    ["0x", '"0x"'],
    [31337, "31337"],
  ] as const) {
    it(`refuses the chain id ${shown}`, async () => {
      answer = everywhere({ result });
      chainId = undefined;
      const run = await runCommand("result", { taskHash: HASH, json: true }, project.hre);
      expect(expectFailure(run, "HDP-4102")).to.equal(
        `the node's answer has a bad field "result" of eth_chainId: ${shown}, expected a hex integer of at most 64 digits.`,
      );
    });
  }

  it("refuses accounts that are no list", async () => {
    answer = everywhere({ result: "word" });
    chainId = "0x7a69";
    const run = await runCommand("store", { action: "deploy", yes: true, json: true }, project.hre);
    expect(expectFailure(run, "HDP-4102")).to.match(
      /"result" of eth_accounts: "word", expected a list/,
    );
  });
});
