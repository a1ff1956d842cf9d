import { expect } from "chai";

import { blockSampled, header, taskHash, toTaskJson } from "../../src/entries/request.js";
import { openExecutionStore } from "../../src/entries/store.js";
import { type LocalNode, startLocalNode, startServerBeside } from "../../src/plugin/local-node.js";
import { hdpFailure } from "../support/failure.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";
import { type RpcServer, serve } from "../support/rpc-server.js";

const task = blockSampled({ from: 0, to: 1, property: header("number") }).sum();
const options = { hdpPort: 0, apiKey: undefined, dataDir: undefined };
const NOBODY = "0x00000000000000000000000000000000000c0de0";

/** Whether the server's own store has the result of a task that is sent to it. */
async function finalizes(
  { server, executionStore }: LocalNode,
  chain: RpcServer | string,
): Promise<boolean> {
  const reply = await fetch(`${server.url}/tasks`, {
    method: "POST",
    headers: { "X-API-KEY": "any", "content-type": "application/json" },
    body: JSON.stringify({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [toTaskJson(task)] }),
  });
  const { uuid } = (await reply.json()) as { uuid: string };
  for (;;) {
    const read = await fetch(`${server.url}/tasks/${uuid}/status`, {
      headers: { "X-API-KEY": "any" },
    });
    const { status } = (await read.json()) as { status: string };
    if (status.endsWith("Failed")) return false;
    if (status === "TaskDecommitmentCompleted") break;
  }
  const url = typeof chain === "string" ? chain : chain.url;
  const provider = {
    request: async (call: object) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...call });
      const headers = { "content-type": "application/json" };
      return (
        (await (await fetch(url, { method: "POST", headers, body })).json()) as { result: unknown }
      ).result;
    },
  };
  const store = await openExecutionStore({ provider, address: executionStore });
  return (await store.readResult(taskHash(task))).value === 1n;
}

describe("a development server with its chain", () => {
  let project: TestProject;
  let sepolia: RpcServer;
  let live: RpcServer;

  before(async () => {
    const first = await testProject({
      networks: { sepolia: { type: "edr-simulated", chainId: 11155111 } },
    });
    const { provider } = await first.hre.network.create("sepolia");
    await provider.request({ method: "hardhat_mine", params: ["0x2"] });
    sepolia = await serve(provider);
    live = await serve({
      request: async (call) => {
        if (call.method === "hardhat_metadata") throw new Error("the method does not exist");
        return (await provider.request({ ...call, params: [...(call.params ?? [])] })) as unknown;
      },
    });
    const configured = { hdp: { executionStore: { address: NOBODY } } } as const;
    project = await testProject(
      {
        networks: {
          sepolia: { type: "http", url: sepolia.url },
          live: { type: "http", url: live.url },
          configured: { type: "http", url: sepolia.url, ...configured },
        },
      },
      first.root,
    );
  });
  after(async () => {
    await Promise.all([sepolia.close(), live.close()]);
    await removeProject(project);
  });

  it("deploys a mock on a development node that says it is Sepolia, and finalizes in it", async () => {
    const node = await startServerBeside(await project.hre.network.create("sepolia"), options);
    try {
      expect(await finalizes(node, sepolia)).to.equal(true);
    } finally {
      await node.close();
    }
  });

  it("refuses at start a chain that is not for development, and a configured store that is no mock", async () => {
    const beside = async (network: string): Promise<LocalNode> =>
      await startServerBeside(await project.hre.network.create(network), options);
    expect((await hdpFailure(beside("live"))).code).to.equal("HDP-6022");
    expect((await hdpFailure(beside("configured"))).code).to.equal("HDP-3002");
  });

  it("takes the API version alone as which the project's own tests take tasks", async () => {
    const networks = { sepolia: { type: "http", url: sepolia.url } } as const;
    const hdp = { local: { edition: "module-tasks" } } as const;
    const { hre } = await testProject({ networks, hdp }, project.root);
    for (const [published, status] of [
      [{}, 400],
      [{ api: "tasks" }, 200],
    ] as const) {
      const connection = await hre.network.create("sepolia");
      const node = await startServerBeside(connection, { ...options, published });
      try {
        const body = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [toTaskJson(task)] };
        const reply = await fetch(`${node.server.url}/tasks`, {
          method: "POST",
          headers: { "X-API-KEY": "any", "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        expect(reply.status).to.equal(status);
      } finally {
        await node.close();
      }
    }
  });

  it("lets the same project finalize without a service on the chain that it runs", async () => {
    const node = await startLocalNode(project.hre, { ...options, port: 0, hostname: "127.0.0.1" });
    try {
      const networks = { localhost: { type: "http", url: node.chainUrl } } as const;
      const { hre } = await testProject({ networks }, project.root);
      const { hdp, provider } = await hre.network.create("localhost");
      await provider.request({ method: "hardhat_mine", params: ["0x2"] });
      const [result] = await hdp.run(task);
      expect([result.store, result.value]).to.deep.equal([node.executionStore, 1n]);
      expect(await finalizes(node, node.chainUrl)).to.equal(true);
    } finally {
      await node.close();
    }
  });
});
