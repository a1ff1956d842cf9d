import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { expect } from "chai";

import { openExecutionStore } from "../../src/entries/store.js";
import type { Eip1193Provider } from "../../src/entries/local.js";
import {
  blockSampled,
  header,
  isHdpError,
  taskHash,
  toTaskJson,
} from "../../src/entries/request.js";
import { headerTask, post } from "../dev-server/fixture.js";
import { root } from "../support/hardhat-cli.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";
import { runNode, runServer } from "../support/running-node.js";
import { type RpcServer, serve } from "../support/rpc-server.js";
import { runCommand } from "../support/run-command.js";

describe("hdp:node", () => {
  it("runs a chain and the development server beside it, prints what a project needs without the key, and ends with Ctrl-C", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "hdp-node-"));
    const key = "sk_node-8Wq3";
    await writeFile(join(dataDir, "key"), `${key}\n`);
    const node = await runNode(["--api-key-file", join(dataDir, "key"), "--data-dir", dataDir]);
    try {
      expect(node.output)
        .to.include(dataDir)
        .and.include("/swagger/")
        .and.match(/Dashboard +http:.*\/\n/);
      expect(node.output)
        .to.include(`            url: "${node.server}",\n`)
        .and.include('            apiKey: configVariable("HDP_API_KEY"),\n');
      expect(node.output).not.to.include(key);
      const info = (await (await fetch(node.server)).json()) as {
        chainUrl: string;
        executionStore: string;
      };
      expect(info.chainUrl).to.equal(node.chain);
      expect(node.output).to.include(info.executionStore);
      const code = await fetch(node.chain, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "eth_getCode",
          params: [info.executionStore, "latest"],
        }),
      });
      expect(((await code.json()) as { result: string }).result.length).to.be.greaterThan(100);
      expect(
        (await fetch(`${node.server}/grow-orders`, { headers: { "api-key": "other" } })).status,
      ).to.equal(403);
      expect(
        (await fetch(`${node.server}/grow-orders`, { headers: { "api-key": key } })).status,
      ).to.equal(200);
      const explained = async (blocks: number): Promise<[number, unknown]> => {
        const { uuid } = (
          await post(`${node.server}/tasks`, headerTask(blocks), { "X-API-KEY": key })
        ).json() as {
          uuid: string;
        };
        const url = `${node.server}/dashboard/tasks/${uuid}/0`;
        const reply = await fetch(url, { headers: { "X-API-KEY": key } });
        return [reply.status, await reply.json()];
      };
      const [status, run] = await explained(1);
      expect(status).to.equal(200);
      expect(run)
        .to.have.property("samples")
        .that.includes({ unit: "block", aggregate: "sum", isCount: false })
        .and.deep.include({
          positions: ["0", "1"],
          values: ["0", "1"],
          aggregates: ["0", "1"],
          unproven: [],
        });
      const [refused, error] = await explained(10_000);
      expect(refused).to.equal(400);
      expect(error).to.deep.equal({
        error: "the task has 10,001 samples, and the dashboard shows at most 10,000.",
        code: "HDP-4505",
        hints: ["npx hardhat hdp explain <task file> --out samples.csv writes them all."],
      });
    } finally {
      expect(await node.interrupt()).to.equal(0);
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

describe("hdp:node", () => {
  let project: TestProject;
  let node: RpcServer;

  before(async () => {
    project = await testProject({});
    const chain = await project.hre.network.create();
    await chain.provider.request({ method: "hardhat_mine", params: ["0x4"] });
    node = await serve(chain.provider);
    const linked = join(project.root, "node_modules");
    await symlink(join(root, "node_modules"), linked, "junction");
    await writeFile(
      join(project.root, "hardhat.config.ts"),
      `import hdp from ${JSON.stringify(pathToFileURL(join(root, "dist", "index.js")).href)};
       export default { plugins: [hdp], networks: { running: { type: "http", url: "${node.url}" } } };`,
    );
  });
  after(async () => {
    await node.close();
    await removeProject(project);
  });

  it("puts the development server beside a node that runs, with --host, --cors, without the key in the snippet, and a line each request", async () => {
    const args = [
      "--hdp-port",
      "0",
      "--host",
      "0.0.0.0",
      "--cors",
      "http://localhost:3000",
      "--api-key",
      "k1",
    ];
    const server = await runServer(["hdp:node", "--network", "running", ...args], project.root);
    try {
      expect(server.chain).to.equal(node.url);
      expect(server.output)
        .to.include('apiKey: configVariable("HDP_API_KEY")')
        .and.to.include("Ctrl-C ends it; the node goes on.")
        // The keys of a node that runs already are not ours to guess.
        .and.not.include("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
      const address = `http://127.0.0.1:${String(/Data processor\s+http:\/\/\S+:(\d+)/.exec(server.output)?.[1])}`;
      const page = { headers: { "api-key": "k1", origin: "http://localhost:3000" } };
      const allowed = await fetch(`${address}/grow-orders`, page);
      expect(allowed.status).to.equal(200);
      expect(allowed.headers.get("access-control-allow-origin")).to.equal("http://localhost:3000");
      const task = blockSampled({ from: 0, to: 3, property: header("number") }).sum();
      const request = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [toTaskJson(task)] };
      const accepted = await fetch(`${address}/tasks`, {
        method: "POST",
        headers: { "x-api-key": "k1", "content-type": "application/json" },
        body: JSON.stringify(request),
      });
      expect(accepted.status, await accepted.text()).to.equal(200);
      for (let look = 0; look < 100 && !server.output.includes("POST /tasks"); look += 1)
        await sleep(50);
      expect(server.output).to.match(/^ {2}GET \/grow-orders {2}200 {2}\d+ ms$/m);
      expect(server.output).to.match(/^ {2}POST \/tasks {2}200 {2}\d+ ms$/m);
      const store = /Execution store\s+(0x\w{40})/.exec(server.output)?.[1] ?? "";
      const read = await openExecutionStore({ provider: rpcTo(node.url), address: store });
      for (
        let look = 0;
        look < 100 && (await read.status(taskHash(task))) !== "finalized";
        look += 1
      )
        await sleep(100);
      expect((await read.readResult(taskHash(task))).value).to.equal(6n);
    } finally {
      expect(await server.interrupt()).to.equal(0);
    }
    expect((await fetch(node.url, rpcBody("eth_chainId"))).status).to.equal(200);
  });

  it("refuses port numbers above 65535", async () => {
    for (const given of [{ port: 99_999_999 }, { hdpPort: 65_536 }]) {
      const { error } = await runCommand("node", given, project.hre);
      expect(isHdpError(error, "HDP-6003"), String(error)).to.equal(true);
    }
  });
});

function rpcBody(method: string, params: readonly unknown[] = []): RequestInit {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return { method: "POST", headers: { "content-type": "application/json" }, body };
}

function rpcTo(url: string): Eip1193Provider {
  return {
    request: async ({ method, params }) => {
      const reply = (await (await fetch(url, rpcBody(method, [...(params ?? [])]))).json()) as {
        result: unknown;
      };
      return reply.result;
    },
  };
}
