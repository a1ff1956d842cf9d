import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import {
  blockSampled,
  header,
  moduleTask,
  type Task,
  taskRequest,
  transactionsInBlock,
  tx,
  type ChainIdentifier,
} from "../../src/entries/request.js";
import { deliveryNetwork } from "../../src/plugin/delivery-network.js";
import {
  askedOnce,
  defaultDestination,
  destinationStore,
  readHeads,
  requireBlocks,
  requireDestination,
} from "../../src/plugin/destination.js";
import { Session } from "../../src/plugin/session.js";
import { EvmStores } from "../../src/plugin/stores/evm-stores.js";
import { hdpFailure } from "../support/failure.js";
import { testProject } from "../support/remote-project.js";
import { type RpcServer, serve } from "../support/rpc-server.js";

const HEAD = 5;
const OTHER_HEAD = 7;
const chainId = askedOnce();
const module = moduleTask({ programHash: "0x7" });

function onBase(to: number): Task {
  return blockSampled({
    chainId: "BASE_MAINNET",
    from: 0,
    to,
    property: header("number"),
  }).sum();
}

describe("destinations", () => {
  let folder: string;
  const servers: RpcServer[] = [];
  let on: (network: string) => Promise<Session>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-destination-"));
    const chains = await testProject(
      {
        networks: {
          base: { type: "edr-simulated", chainId: 8453 },
          seven: { type: "edr-simulated", chainId: 7 },
        },
      },
      folder,
    );
    const url = async (network: string, head: number, isLive: boolean): Promise<string> => {
      const { provider } = await chains.hre.network.create(network);
      await provider.request({ method: "hardhat_mine", params: [`0x${head.toString(16)}`] });
      servers.push(await serve(provider, { isLive }));
      return servers.at(-1)?.url ?? "";
    };
    const { hre } = await testProject(
      {
        hdp: {
          chains: { ETHEREUM_MAINNET: "mine", OPTIMISM_SEPOLIA: "seven" },
          sources: { BASE_SEPOLIA: "base" },
        },
        networks: {
          base: { type: "http", url: await url("base", HEAD, true) },
          seven: { type: "http", url: await url("seven", OTHER_HEAD, true) },
          development: { type: "http", url: await url("seven", OTHER_HEAD, false) },
          mine: { type: "edr-simulated", chainId: 8453 },
        },
      },
      folder,
    );
    on = async (network) => Session.of(await hre.network.getOrCreate(network));
  });
  after(async () => {
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true });
  });

  const request = (chain: ChainIdentifier, ...tasks: readonly Task[]) =>
    taskRequest({ destinationChainId: chain, tasks: [...tasks] });

  async function refusal(chain: ChainIdentifier, network: string): Promise<string | undefined> {
    const session = await on(network);
    const destination = { chain, store: session.part(EvmStores), chainId };
    return await requireDestination(destination, session).then(
      () => undefined,
      (error: unknown) => String(error),
    );
  }

  it("asks each network for its chain's id once", async () => {
    const ask = askedOnce();
    const asked: string[] = [];
    const node = (networkName: string, id: bigint) => ({
      networkName,
      chainId: async () => {
        asked.push(networkName);
        return await Promise.resolve(id);
      },
    });
    const [one, two] = [node("one", 1n), node("two", 2n)];
    expect([await ask(one), await ask(two), await ask(one), await ask(two)]).to.deep.equal([
      1n,
      2n,
      1n,
      2n,
    ]);
    expect(asked).to.deep.equal(["one", "two"]);
  });

  for (const [network, chain] of [
    ["base", "BASE_MAINNET"],
    ["mine", "ETHEREUM_SEPOLIA"],
    ["development", "ETHEREUM_SEPOLIA"],
  ] as const) {
    it(`takes ${chain} for tasks without a destination on the network "${network}"`, async () => {
      expect(await defaultDestination(await on(network))).to.equal(chain);
    });
  }

  it("takes no destination from a live chain without an identifier", async () => {
    const { code, path, message } = await hdpFailure(defaultDestination(await on("seven")));
    expect({ code, path }).to.deep.equal({ code: "HDP-6014", path: "destinationChainId" });
    expect(message).to.contain('chain 7 of network "seven" has no chain identifier');
  });

  it("refuses a destination whose results would be on another chain, with the field's path", async () => {
    const session = await on("base");
    const store = session.part(EvmStores);
    const destination = { chain: "ETHEREUM_SEPOLIA", store, chainId } as const;
    const { code, path, message } = await hdpFailure(requireDestination(destination, session));
    expect({ code, path }).to.deep.equal({ code: "HDP-6023", path: "destinationChainId" });
    expect(message).to.contain(
      'goes to ETHEREUM_SEPOLIA, but network "base" is BASE_MAINNET (chain id 8453)',
    );
  });

  for (const [chain, network, why] of [
    ["BASE_MAINNET", "base", "the network is the chain"],
    ["STARKNET_SEPOLIA", "base", "Starknet is no network of Hardhat"],
    ["ETHEREUM_SEPOLIA", "mine", "a chain in this process stands for any"],
    ["ETHEREUM_MAINNET", "base", "`chains` names a chain in this process"],
    ["ETHEREUM_SEPOLIA", "seven", "a chain without an identifier stands for any"],
    ["OPTIMISM_SEPOLIA", "base", "`chains` names a chain without an identifier"],
  ] as const) {
    it(`takes ${chain} on the network "${network}": ${why}`, async () => {
      expect(await refusal(chain, network)).to.equal(undefined);
    });
  }

  const late = transactionsInBlock({
    chainId: "BASE_MAINNET",
    block: HEAD + 1,
    from: 0,
    to: 1,
    property: tx("nonce"),
  }).sum();
  for (const [what, tasks, path] of [
    ["a range that ends at the head", [onBase(HEAD)], undefined],
    [
      "a range that ends behind the head",
      [module, onBase(HEAD + 1)],
      "tasks[1].datalake.blockRangeEnd",
    ],
    ["transactions of a block behind the head", [late], "tasks[0].datalake.targetBlock"],
    [
      "a range of a chain that no network is",
      [
        blockSampled({
          chainId: "OPTIMISM_MAINNET",
          from: 0,
          to: 1_000,
          property: header("number"),
        }).sum(),
      ],
      undefined,
    ],
  ] as const) {
    it(`${path === undefined ? "takes" : "refuses"} ${what}`, async () => {
      const session = await on("base");
      const destination = {
        chain: "BASE_MAINNET",
        store: session.part(EvmStores),
        chainId,
      } as const;
      const checking = requireBlocks(request("BASE_MAINNET", ...tasks), destination, session);
      if (path === undefined) await checking;
      else {
        const error = await hdpFailure(checking);
        expect({ code: error.code, path: error.path }).to.deep.equal({ code: "HDP-4101", path });
        expect(error.message).to.contain(`block ${HEAD + 1} does not exist`);
      }
    });
  }

  describe("heads", () => {
    const reading = (chain: ChainIdentifier): Task =>
      blockSampled({ chainId: chain, from: 0, to: 1, property: header("number") }).sum();
    const headsOn = async (network: string, tasks: readonly Task[], anyChain?: boolean) => [
      ...(await readHeads(tasks, await on(network), { chainId, ...(anyChain && { anyChain }) })),
    ];

    it("come from the connected chain where tasks read it, and stay unknown where no network is the chain", async () => {
      expect(
        await headsOn("base", [onBase(1), module, onBase(2), reading("OPTIMISM_MAINNET")]),
      ).to.deep.equal([
        ["BASE_MAINNET", BigInt(HEAD)],
        ["OPTIMISM_MAINNET", undefined],
      ]);
      expect(await headsOn("seven", [onBase(1)])).to.deep.equal([["BASE_MAINNET", undefined]]);
    });

    it("come from the connected network for any chain where that is asked for", async () => {
      expect(await headsOn("seven", [onBase(1)], true)).to.deep.equal([
        ["BASE_MAINNET", BigInt(OTHER_HEAD)],
      ]);
    });

    it("come from the network that `sources` names, whatever its id, or from the one that `chains` names", async () => {
      expect(await headsOn("seven", [reading("BASE_SEPOLIA")])).to.deep.equal([
        ["BASE_SEPOLIA", BigInt(HEAD)],
      ]);
      expect(await headsOn("base", [reading("OPTIMISM_SEPOLIA")])).to.deep.equal([
        ["OPTIMISM_SEPOLIA", undefined],
      ]);
    });

    it("stay empty for modules, which name no blocks", async () => {
      expect(await headsOn("base", [module])).to.deep.equal([]);
    });
  });

  it("finds the store of a chain on the network that `chains` names, else on the connected one", async () => {
    const session = await on("base");
    const own = session.part(EvmStores);
    expect(await destinationStore(undefined, session)).to.equal(own);
    expect(await destinationStore("BASE_MAINNET", session)).to.equal(own);
    expect(await destinationStore("ETHEREUM_MAINNET", session)).to.equal(
      (await on("mine")).part(EvmStores),
    );
  });

  it("delivers on the connected network, on the one of `chains`, or on a configured Starknet chain", async () => {
    const starknet = await testProject(
      {
        hdp: {
          chains: { OPTIMISM_SEPOLIA: "seven", STARKNET_MAINNET: "seven" },
          starknet: { SN_SEPOLIA: { rpcUrl: "http://127.0.0.1:1" } },
        },
        networks: { mine: { type: "edr-simulated" }, seven: { type: "edr-simulated" } },
      },
      folder,
    );
    const session = Session.of(await starknet.hre.network.create("mine"));
    for (const [chain, network] of [
      [undefined, "mine"],
      ["BASE_MAINNET", "mine"],
      ["OPTIMISM_SEPOLIA", "seven"],
      ["STARKNET_SEPOLIA", "STARKNET_SEPOLIA"],
      ["STARKNET_MAINNET", "seven"],
    ] as const)
      expect(deliveryNetwork(chain, session), chain).to.equal(network);
  });
});
