import { expect } from "chai";
import type { HttpNetworkUserConfig } from "hardhat/types/config";
import type { NetworkConnection } from "hardhat/types/network";
import { toHex } from "viem/utils";

import {
  blockSampled,
  CHAIN_IDENTIFIERS,
  numericChainId,
  header,
  isStarknet,
} from "../../src/entries/request.js";
import { hdpFailure } from "../support/failure.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";
import { type RpcServer, serve } from "../support/rpc-server.js";

/** An address of this machine that is not a loopback address. */
const elsewhere = { host: "0.0.0.0" };

const task = blockSampled({ from: 0, to: 0, property: header("number") }).sum();

describe("a development chain", () => {
  let project: TestProject;
  let chain: NetworkConnection;
  let server: RpcServer | undefined;
  let asked: string[];

  before(async () => {
    project = await testProject({});
    chain = await project.hre.network.create();
  });
  after(async () => {
    await server?.close();
    await removeProject(project);
  });

  /** A node that answers some calls in its own way: an Error is thrown, `undefined` is the chain's answer. */
  async function node(
    own: Readonly<Record<string, () => unknown>>,
    { host = "127.0.0.1", ...network }: Partial<HttpNetworkUserConfig> & { host?: string } = {},
  ): Promise<NetworkConnection> {
    asked = [];
    await server?.close();
    server = await serve({
      request: async ({ method, params = [] }) => {
        asked.push(method);
        const answer = own[method]?.();
        if (answer instanceof Error) throw answer;
        const real: unknown =
          answer ?? (await chain.provider.request({ method, params: [...params] }));
        return real;
      },
    });
    const { hre } = await testProject(
      {
        networks: {
          shared: { type: "http", url: server.url.replace("127.0.0.1", host), ...network },
        },
      },
      project.root,
    );
    return await hre.network.create("shared");
  }

  const none = () => Object.assign(new Error("the method does not exist"), { code: -32601 });
  const geth = {
    hardhat_metadata: none,
    eth_chainId: () => "0x539",
    web3_clientVersion: () => "Geth/v1.16.7-stable/linux-amd64/go1.26.8",
  };
  const genesis = (edited: object) => () => ({ ...block, ...edited });
  let block: object;
  before(async () => {
    block = (await chain.provider.request({
      method: "eth_getBlockByNumber",
      params: ["0x0", false],
    })) as object;
  });

  it("takes a node's word that it is one, whatever its id", async () => {
    for (const id of ["0x7a69", "0x1", "0x309"]) {
      const { hdp } = await node({ eth_chainId: () => id });
      const own = { chainId: id === "0x1" ? "ETHEREUM_MAINNET" : "ETHEREUM_SEPOLIA" } as const;
      const [{ value }] = await hdp.run(
        blockSampled({ ...own, from: 0, to: 0, property: header("number") }).sum(),
      );
      expect(value).to.equal(0n);
      await hdp.store.current();
      expect(asked.filter((method) => method === "hardhat_metadata")).to.have.length(1);
    }
  });

  it("asks for the chain's id once in a second, and again where there was no answer", async () => {
    const real = performance.now.bind(performance);
    try {
      performance.now = () => 0;
      let answer: unknown = none();
      const { hdp } = await node({ eth_chainId: () => answer });
      const ids = (): number => asked.filter((method) => method === "eth_chainId").length;
      await hdpFailure(hdp.store.current());
      const failed = ids();
      answer = "0x7a69";
      await hdp.run(task);
      await hdp.store.current();
      expect(ids()).to.equal(failed + 1);
      performance.now = () => 1_000;
      await hdp.store.current();
      expect(ids()).to.equal(failed + 2);
    } finally {
      performance.now = real;
    }
  });

  it("takes no node at another address for one of a published chain's id, and signs and sends nothing", async () => {
    for (const id of CHAIN_IDENTIFIERS.filter((name) => !isStarknet(name)).map(numericChainId)) {
      const { hdp } = await node({ eth_chainId: () => toHex(id) }, elsewhere);
      expect((await hdpFailure(hdp.run(task))).code).to.equal("HDP-2001");
      const refused = await hdpFailure(hdp.deployExecutionStore());
      expect(refused.code).to.equal("HDP-6022");
      expect(refused.hints.at(-1)).to.equal(
        "Where it is a development node that is not on this machine: networks.shared.hdp.development: true",
      );
      expect(asked).to.not.include.members(["eth_sendTransaction"]);
      expect(asked).to.not.include.members(["eth_sendRawTransaction"]);
      expect(asked).to.not.include("hardhat_metadata");
    }
  });

  it("takes no node at another address for one of a chain that the configuration does not fix, where keys sign", async () => {
    const accounts = [`0x${"11".repeat(32)}`];
    const { hdp } = await node({}, { ...elsewhere, accounts });
    expect((await hdpFailure(hdp.deployExecutionStore())).code).to.equal("HDP-6022");
    expect(asked).to.not.include("eth_sendRawTransaction");
    const fixed = await node({}, { ...elsewhere, accounts, chainId: 31337 });
    expect((await hdpFailure(fixed.hdp.run(task))).code).to.not.equal("HDP-2001");
  });

  it("follows the configuration: it admits a node elsewhere, and denies one on this machine", async () => {
    const own = { eth_chainId: () => "0xaa36a7" };
    const yes = await node(own, { ...elsewhere, hdp: { development: true } });
    expect(await yes.hdp.store.current()).to.include({ mock: true });
    const no = await node(own, { hdp: { development: false } });
    expect((await hdpFailure(no.hdp.deployExecutionStore())).code).to.equal("HDP-6022");
  });

  it("knows geth's --dev by its id and its first block", async () => {
    const { hdp } = await node({
      ...geth,
      eth_getBlockByNumber: genesis({ difficulty: "0x0", timestamp: "0x0" }),
    });
    expect(await hdp.store.current()).to.include({ mock: true });
  });

  it("accepts no other: neither the id 31337 alone, nor another client or first block under geth's", async () => {
    for (const own of [
      { hardhat_metadata: none },
      { hardhat_metadata: none, eth_chainId: () => "0x1" },
      { ...geth, web3_clientVersion: () => "besu/v25.9.0" },
      { ...geth, web3_clientVersion: none },
      { ...geth, eth_getBlockByNumber: genesis({ difficulty: "0x1", timestamp: "0x0" }) },
      { ...geth, eth_getBlockByNumber: genesis({ difficulty: "0x0", timestamp: "0x5f5e1000" }) },
    ]) {
      const { hdp } = await node(own);
      expect((await hdpFailure(hdp.run(task))).code).to.equal("HDP-2001");
      expect((await hdpFailure(hdp.deployExecutionStore())).code).to.equal("HDP-6022");
      expect(asked).to.not.include("eth_sendTransaction");
      expect(asked.filter((method) => method === "hardhat_metadata")).to.have.length(1);
    }
  });
});
