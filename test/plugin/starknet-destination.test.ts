import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import type { HardhatUserConfig } from "hardhat/config";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { z } from "zod";

import type { StarknetUserConfig } from "../../src/types.js";
import hardhatHdp from "../../src/index.js";
import {
  blockSampled,
  header,
  taskHash,
  type TaskRequest,
  taskRequest,
  toTaskRequestJson,
} from "../../src/entries/request.js";
import { PlayedNode } from "../starknet/played-node.js";
import { hdpFailure } from "../support/failure.js";
import {
  removeProject,
  type TestProject,
  testProject,
  writeArtifact,
} from "../support/remote-project.js";
import { serve } from "../support/rpc-server.js";
import { runCommand } from "../support/run-command.js";

const numbers = blockSampled({ from: 0, to: 3, property: header("number") }).sum();
const count = blockSampled({ from: 0, to: 3, property: header("number") }).count("gteq", 2n);
const HASH = taskHash(numbers);
const MOCK = "0x0421";
const PADDED = `0x${"421".padStart(64, "0")}`;
const account = { address: "0x1234", privateKey: "0x5678" };
const request = taskRequest({ destinationChainId: "SN_SEPOLIA", tasks: [numbers, count] });

/** The artifact of a contract that takes a value. */
const GATE = [
  {
    type: "function",
    name: "update",
    inputs: [{ name: "value", type: "uint256" }],
    outputs: [],
    stateMutability: "nonpayable",
  },
];

async function chain(
  starknet: Record<string, StarknetUserConfig>,
  rest: HardhatUserConfig = {},
): Promise<NetworkConnection> {
  const hre = await createHardhatRuntimeEnvironment({
    plugins: [hardhatHdp],
    hdp: { starknet },
    ...rest,
  });
  const connection = await hre.network.create();
  await connection.provider.request({ method: "hardhat_mine", params: ["0x5"] });
  return connection;
}

describe("a Starknet destination", () => {
  let node: PlayedNode;
  let rpcUrl: string;
  let project: TestProject | undefined;

  beforeEach(async () => {
    node = new PlayedNode();
    rpcUrl = await node.listen();
    node.stores.add(BigInt(MOCK));
  });
  afterEach(async () => {
    await node.close();
    if (project !== undefined) await removeProject(project);
    project = undefined;
  });

  it("stores the results of the local data processor in one transaction, and reads them back", async () => {
    const { hdp } = await chain({ SN_SEPOLIA: { rpcUrl, executionStore: MOCK, account } });
    const results = await hdp.run(request);
    expect(results.map((result) => result.value)).to.deep.equal([6n, 2n]);
    expect(results[0]).to.include({
      store: PADDED,
      samples: 4,
      proven: true,
      blockNumber: 1n,
      gasUsed: 4321n,
    });
    expect(node.transactions).to.have.length(1);
    expect(results[0].transactionHash).to.equal(node.transactions[0]?.hash);
    expect([...node.results.values()]).to.deep.equal([
      [6n, 0n],
      [2n, 0n],
    ]);
    expect(await hdp.status(HASH)).to.deep.include({ phase: "finalized" });
    // The local mock knows nothing of it.
    expect(
      (await hdpFailure(hdp.readResult(HASH, { destination: "ETHEREUM_SEPOLIA" }))).code,
    ).to.equal("HDP-3001");
  });

  /** Where results of a request are kept, by its destination and by what is configured. */
  const PLACES = [
    { where: "a configured store on Starknet", destination: "SN_SEPOLIA", isConfigured: true },
    {
      where: "the connection's store, for an EVM chain beside Starknet",
      destination: "ETHEREUM_SEPOLIA",
      isConfigured: true,
    },
    {
      where: "the mock that stands for Starknet where nothing is configured",
      destination: "SN_SEPOLIA",
      isConfigured: false,
    },
  ] as const;

  /** A request for one of the places, and what its result is written and read with. */
  class Entries {
    public constructor(
      public readonly hre: HardhatRuntimeEnvironment,
      public readonly hdp: NetworkConnection["hdp"],
      public readonly destination: "SN_SEPOLIA" | "ETHEREUM_SEPOLIA",
    ) {}

    public get request(): TaskRequest {
      return taskRequest({ destinationChainId: this.destination, tasks: [numbers] });
    }

    public async withFile<T>(use: (file: string) => Promise<T>): Promise<T> {
      const folder = await mkdtemp(join(tmpdir(), "hdp-starknet-"));
      const file = join(folder, "task.json");
      await writeFile(file, JSON.stringify(toTaskRequestJson(this.request)));
      return await use(file).finally(async () => await rm(folder, { recursive: true }));
    }

    public async command(name: string, values: object): Promise<string> {
      const given = { ...values, destination: this.destination };
      return (await runCommand(name, given, this.hre)).stdout;
    }

    /** Delivers the result, and returns the call's value. */
    public async delivered(): Promise<bigint> {
      const { provider } = await this.hre.network.getOrCreate();
      const address = `0x${"de".repeat(20)}`;
      // STOP: it takes every call.
      await provider.request({ method: "hardhat_setCode", params: [address, "0x00"] });
      const to = `Gate@${address}`;
      const options = { contract: to, function: "update" };
      const { transactionHash } = await this.hdp.deliver(this.request, options);
      const params = [transactionHash];
      const sent: unknown = await provider.request({ method: "eth_getTransactionByHash", params });
      const { input } = z.object({ input: z.string() }).parse(sent);
      return BigInt(`0x${input.slice(10)}`);
    }
  }

  /** What stores a result of the request. */
  const WRITERS: Readonly<Record<string, (at: Entries) => Promise<unknown>>> = {
    run: async ({ hdp, request }) => await hdp.run(request),
    submit: async ({ hdp, request }) => await hdp.await(await hdp.submit(request)),
    "finalize of a request": async ({ hdp, request }) => await hdp.finalize(request, 6n),
    "finalize of a file": async (at) => await at.withFile((file) => at.hdp.finalize(file, 6n)),
    "finalize of a hash": async ({ hdp, destination }) =>
      await hdp.finalize(HASH, 6n, { destination }),
  };

  /** What finds the result 6, and what it says then. */
  const READERS: Readonly<Record<string, (at: Entries) => Promise<unknown>>> = {
    readResult: async ({ hdp, destination }) =>
      (await hdp.readResult(HASH, { destination })).value === 6n,
    "assertions of a request": async ({ hdp, request }) => {
      await hdp.assertions.finalized(request, 6n);
      const wrong = await hdp.assertions.finalized(request, 8n).catch(String);
      return String(wrong).includes("is finalized with 6, not with 8.");
    },
    "assertions of a file": async (at) => {
      await at.withFile((file) => at.hdp.assertions.finalized(file, 6n));
      return true;
    },
    "assertions of a hash": async ({ hdp, destination }) => {
      await hdp.assertions.finalized(HASH, 6n, { destination });
      return true;
    },
    onFinalized: async ({ hdp, request }) =>
      await new Promise((resolve) =>
        hdp.onFinalized(request, ({ value }) => {
          resolve(value === 6n);
        }),
      ),
    deliver: async (at) => (await at.delivered()) === 6n,
    "the command result": async (at) =>
      /^ *Result +6 /m.test(await at.command("result", { taskHash: HASH })),
    "the command why": async (at) => {
      const { store } = await at.hdp.readResult(HASH, { destination: at.destination });
      const said = await at.command("why", { hash: HASH });
      return said.includes(`Task ${HASH} is finalized in store ${store}`);
    },
  };

  for (const { where, destination, isConfigured } of PLACES) {
    const isOnStarknet = isConfigured && destination === "SN_SEPOLIA";
    const other = destination === "SN_SEPOLIA" ? "ETHEREUM_SEPOLIA" : "SN_SEPOLIA";

    async function entries(): Promise<Entries> {
      const starknet = { SN_SEPOLIA: { rpcUrl, executionStore: MOCK, account } };
      project = await testProject({ hdp: isConfigured ? { starknet } : {} });
      await writeArtifact(project.root, "Gate", { abi: GATE });
      const connection = await project.hre.network.getOrCreate();
      await connection.provider.request({ method: "hardhat_mine", params: ["0x5"] });
      return new Entries(project.hre, connection.hdp, destination);
    }

    async function storeOf({ hdp }: Entries): Promise<string> {
      return isOnStarknet ? PADDED : (await hdp.store.current()).address;
    }

    for (const [name, write] of Object.entries(WRITERS))
      it(`receives the result that ${name} stores: ${where}`, async () => {
        const at = await entries();
        await write(at);
        expect([...node.results.values()]).to.deep.equal(isOnStarknet ? [[6n, 0n]] : []);
        const store = await storeOf(at);
        expect(await at.hdp.readResult(HASH, { destination })).to.include({ value: 6n, store });
      });

    for (const [name, read] of Object.entries(READERS))
      it(`gives ${name} the result: ${where}`, async () => {
        const at = await entries();
        const { store } = await at.hdp.finalize(at.request, 6n);
        expect(store).to.equal(await storeOf(at));
        // Another result in the other place: who looks there finds the wrong one.
        if (isConfigured) await at.hdp.finalize(HASH, 7n, { destination: other });
        expect(await read(at)).to.equal(true);
      });

    it(`compares what is missing with what it stores: ${where}`, async () => {
      const at = await entries();
      const near = blockSampled({ from: 0, to: 2, property: header("number") }).sum();
      await at.hdp.finalize(taskRequest({ ...at.request, tasks: [near] }), 3n);
      await at.hdp.assertions.notFinalized(at.request);
      const reason = await at.hdp.assertions.finalized(at.request).catch(String);
      expect(String(reason)).to.contain("Difference: blockRangeEnd (asked: 3, there: 2)");
      expect(await at.command("why", { hash: HASH })).to.contain(
        `Store ${await storeOf(at)} was asked for task ${HASH}, which is not finalized`,
      );
    });
  }

  it("names the chain in the command that reads a result, and suggests it for a near name", async () => {
    const starknet = { STARKNET_SEPOLIA: { rpcUrl, executionStore: MOCK, account } };
    const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp], hdp: { starknet } });
    const { hdp, provider } = await hre.network.getOrCreate();
    await provider.request({ method: "hardhat_mine", params: ["0x5"] });
    const folder = await mkdtemp(join(tmpdir(), "hdp-starknet-"));
    const file = join(folder, "task.json");
    await writeFile(
      file,
      JSON.stringify(toTaskRequestJson(taskRequest({ ...request, tasks: [numbers] }))),
    );
    const { stdout } = await runCommand("submit", { file }, hre);
    await rm(folder, { recursive: true });
    expect(stdout).to.contain(
      `Read it: npx hardhat hdp:result ${HASH} --destination STARKNET_SEPOLIA --network default`,
    );
    const { message } = await hdpFailure(hdp.readResult(HASH, { destination: "STARKNET_SEPLIA" }));
    expect(message).to.contain('Did you mean "STARKNET_SEPOLIA"?');
  });

  it("takes the alias and the identifier for the same chain", async () => {
    const { hdp } = await chain({ STARKNET_SEPOLIA: { rpcUrl, executionStore: MOCK, account } });
    await hdp.run(taskRequest({ destinationChainId: "SN_SEPOLIA", tasks: [numbers] }));
    for (const destination of ["SN_SEPOLIA", "STARKNET_SEPOLIA"]) {
      expect(await hdp.readResult(HASH, { destination })).to.include({ value: 6n, store: PADDED });
    }
  });

  it("finalizes a recomputed task once and names the transaction that did", async () => {
    const starknet = { SN_SEPOLIA: { rpcUrl, executionStore: MOCK, account } };
    const [first] = await (await chain(starknet)).hdp.run(request);
    const [again] = await (await chain(starknet)).hdp.run(request);
    expect(node.transactions).to.have.length(1);
    expect(again.transactionHash).to.equal(first.transactionHash);
    expect(again).to.include({ value: 6n, blockNumber: 1n, gasUsed: 4321n });
    // What is new goes, what is there stays.
    const max = blockSampled({ from: 0, to: 3, property: header("number") }).max();
    const more = taskRequest({ destinationChainId: "SN_SEPOLIA", tasks: [numbers, max] });
    const results = await (await chain(starknet)).hdp.run(more);
    expect(results.map(({ value }) => value)).to.deep.equal([6n, 3n]);
    expect(node.transactions).to.have.length(2);
  });

  it("refuses another result of a finalized task", async () => {
    const low = BigInt(HASH) % 2n ** 128n;
    node.results.set([BigInt(MOCK), low, BigInt(HASH) >> 128n].join(), [7n, 1n]);
    const { hdp } = await chain({ SN_SEPOLIA: { rpcUrl, executionStore: MOCK, account } });
    const error = await hdpFailure(hdp.run(request));
    expect(error.code).to.equal("HDP-4406");
    expect(error.message)
      .to.contain("HDP-4404")
      .and.contain(HASH)
      .and.contain("was computed")
      .and.contain("Deploy another mock");
    expect(node.transactions).to.have.length(0);
  });

  it("deploys a mock on first use where an account but no store is configured", async () => {
    node.stores.clear();
    const { hdp } = await chain({ SN_SEPOLIA: { rpcUrl, account } });
    const early = await hdpFailure(hdp.readResult(HASH, { destination: "SN_SEPOLIA" }));
    expect(early.code).to.equal("HDP-6010");
    expect(early.message).to.contain("hdp starknet deploy-mock");
    const [[one], [two]] = await Promise.all([
      hdp.run(taskRequest({ destinationChainId: "SN_SEPOLIA", tasks: [numbers] })),
      hdp.run(taskRequest({ destinationChainId: "SN_SEPOLIA", tasks: [count] })),
    ]);
    expect([one.value, two.value]).to.deep.equal([6n, 2n]);
    expect(one.store).to.equal(two.store);
    expect(node.stores.size).to.equal(1);
    expect([...node.stores]).to.deep.equal([BigInt(one.store)]);
  });

  it("retries a refused deployment", async () => {
    node.stores.clear();
    node.refusal = "no funds";
    const { hdp } = await chain({ SN_SEPOLIA: { rpcUrl, account } });
    const error = await hdpFailure(hdp.run(request));
    expect(error.message)
      .to.contain("HDP-8008")
      .and.contain("no funds")
      .and.not.contain("127.0.0.1");
    node.refusal = undefined;
    expect((await hdp.run(request))[0]).to.include({ value: 6n });
  });

  it("reads but writes nothing without an account", async () => {
    const { hdp } = await chain({ SN_SEPOLIA: { rpcUrl, executionStore: MOCK } });
    const unread = await hdpFailure(hdp.readResult(HASH, { destination: "SN_SEPOLIA" }));
    expect(unread.code).to.equal("HDP-3001");
    expect(unread.message).to.contain(PADDED);
    const error = await hdpFailure(hdp.run(request));
    expect(error.message)
      .to.contain("HDP-8010")
      .and.contain("hdp.starknet.STARKNET_SEPOLIA.account");
  });

  it("computes and sends nothing where the store has no code or is not a mock", async () => {
    const starknet = (executionStore: string) => ({
      SN_SEPOLIA: { rpcUrl, executionStore, account },
    });
    const empty = await hdpFailure((await chain(starknet("0x999"))).hdp.run(request));
    expect(empty.code).to.equal("HDP-3002");
    node.published.add(BigInt(MOCK));
    const published = await hdpFailure((await chain(starknet(MOCK))).hdp.run(request));
    expect(published.code).to.equal("HDP-6024");
    expect(published.message).to.contain(PADDED).and.contain("is not a mock");
    expect(node.transactions).to.have.length(0);
  });

  it("deploys no mock automatically on a live chain", async () => {
    node.stores.clear();
    node.isDevnet = false;
    const error = await hdpFailure(
      (await chain({ SN_SEPOLIA: { rpcUrl, account } })).hdp.run(request),
    );
    expect(error.code).to.equal("HDP-6010");
    expect(node.transactions).to.have.length(0);
  });

  it("uses the published store where only a node is configured", async () => {
    const published = "0x00421cd95f9ddabdd090db74c9429f257cb6bc1ccc339278d1db1de39156676e";
    const { hdp } = await chain({ SN_SEPOLIA: { rpcUrl } });
    const missing = await hdpFailure(hdp.readResult(HASH, { destination: "SN_SEPOLIA" }));
    expect(missing.code).to.equal("HDP-3002");
    expect(missing.message).to.contain(published);
    node.stores.add(BigInt(published));
    expect((await hdpFailure(hdp.readResult(HASH, { destination: "SN_SEPOLIA" }))).code).to.equal(
      "HDP-3001",
    );
    const other = await hdpFailure(
      hdp.readResult(HASH, { destination: "SN_SEPOLIA", store: MOCK }),
    );
    expect(other.message).to.contain(PADDED);
  });

  it("reads by the configured entry point", async () => {
    const { hdp } = await chain({
      SN_SEPOLIA: { rpcUrl, executionStore: MOCK, entrypoint: "noSuchName" },
    });
    const error = await hdpFailure(hdp.readResult(HASH, { destination: "SN_SEPOLIA" }));
    expect(error.code).to.equal("HDP-3003");
    expect(error.message).to.contain("noSuchName");
  });

  it("uses the local mock on a development chain where nothing is configured", async () => {
    const { hdp } = await chain({});
    const [result] = await hdp.run(request);
    expect(result).to.include({ value: 6n, store: (await hdp.store.current()).address });
    expect(node.sent).to.deep.equal([]);
  });

  it("needs a configured node on other chains", async () => {
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [hardhatHdp],
      networks: { real: { type: "edr-simulated", chainId: 7 } },
    });
    const { provider } = await hre.network.create("real");
    const server = await serve(provider, { isLive: true });
    try {
      const { url } = server;
      const remote = await createHardhatRuntimeEnvironment({
        plugins: [hardhatHdp],
        hdp: { dataProcessor: "local" },
        networks: { seven: { type: "http", url } },
      });
      const { hdp } = await remote.network.create("seven");
      const error = await hdpFailure(hdp.readResult(HASH, { destination: "SN_SEPOLIA" }));
      expect(error.code).to.equal("HDP-2004");
      expect(error.path).to.equal("hdp.starknet.STARKNET_SEPOLIA");
      expect(error.message).to.contain('configVariable("STARKNET_RPC_URL")');
    } finally {
      await server.close();
    }
  });

  it("refuses an unknown chain", async () => {
    const { hdp } = await chain({});
    const error = await hdpFailure(hdp.readResult(HASH, { destination: "STARKNET_GOERLI" }));
    expect(error.code).to.equal("HDP-6003");
    expect(error.message).to.contain("SN_SEPOLIA");
    expect(error.message).to.contain("STARKNET_GOERLI").and.contain("STARKNET_SEPOLIA");
  });

  it("reports invalid settings with their paths", async () => {
    const mistaken = [
      [{ executionStore: "0x1" }, "config.hdp.starknet.SN_SEPOLIA.rpcUrl"],
      [
        { rpcUrl, account: { address: "12", privateKey: "0x1" } },
        "config.hdp.starknet.SN_SEPOLIA.account.address",
      ],
      [
        { rpcUrl, account: { address: "0x12" } },
        "config.hdp.starknet.SN_SEPOLIA.account.privateKey",
      ],
    ] as const;
    const error: unknown = await chain({ ETHEREUM_SEPOLIA: { rpcUrl } }).catch(String);
    expect(error).to.contain(
      '"ETHEREUM_SEPOLIA" is not a Starknet chain: STARKNET_MAINNET or STARKNET_SEPOLIA',
    );
    for (const [section, path] of mistaken) {
      const starknet = { SN_SEPOLIA: section as unknown as StarknetUserConfig };
      const error: unknown = await chain(starknet).catch((reason: unknown) => reason);
      expect(String(error)).to.contain(path);
    }
  });
});
