import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { configVariable } from "hardhat/config";
import type { NetworkConnection } from "hardhat/types/network";

import { executionStore } from "../../src/entries/ignition.js";
import {
  blockSampled,
  header,
  moduleTask,
  type TaskRequest,
  taskRequest,
  toTaskRequestJson,
  isHdpError,
} from "../../src/entries/request.js";
import type { HdpUserConfig } from "../../src/types.js";
import { root } from "../support/hardhat-cli.js";
import { hdpFailure } from "../support/failure.js";
import { KEY_VARIABLE, testProject } from "../support/remote-project.js";
import { runCommand } from "../support/run-command.js";
import { type RpcServer, serve } from "../support/rpc-server.js";
import { interfacesServer, type InterfacesServer } from "../support/interfaces-server.js";

const onBase = (to: number) =>
  blockSampled({ chainId: "BASE_MAINNET", from: 0, to, property: header("number") }).sum();
const latest = {
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_MAINNET",
    sampledProperty: "header.number",
    blockRangeStart: "latest-1",
    blockRangeEnd: "latest",
  },
  compute: { aggregateFnId: "sum" },
};
const numbers = blockSampled({ from: 0, to: 3, property: header("number") }).sum();

describe("a live chain", () => {
  let folder: string;
  let node: RpcServer;
  let chain: NetworkConnection;
  let service: InterfacesServer;

  before(async () => {
    process.env[KEY_VARIABLE] = "key";
    folder = await mkdtemp(join(tmpdir(), "hdp-live-"));
    const { hre } = await testProject(
      { networks: { base: { type: "edr-simulated", chainId: 8453 } } },
      folder,
    );
    chain = await hre.network.create("base");
    await chain.provider.request({ method: "hardhat_mine", params: ["0x5"] });
    node = await serve(chain.provider, { isLive: true });
    service = await interfacesServer();
  });

  after(async () => {
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    await node.close();
    await service.close();
    await rm(folder, { recursive: true });
  });

  async function live(
    hdp: HdpUserConfig,
    others: HdpUserConfig = {},
    root = folder,
  ): Promise<NetworkConnection> {
    const { hre } = await testProject(
      {
        hdp: others,
        networks: { live: { type: "http", url: node.url, hdp }, mine: { type: "edr-simulated" } },
      },
      root,
    );
    return await hre.network.create("live");
  }

  const sent = async (): Promise<bigint> =>
    BigInt((await chain.provider.request({ method: "eth_blockNumber" })) as string);
  const remote = (): HdpUserConfig => ({
    dataProcessor: { url: service.url, apiKey: configVariable(KEY_VARIABLE), edition: "tasks" },
  });

  it("takes no mock store unless that is said", async () => {
    const { hdp } = await live({ dataProcessor: "local" });
    const before = await sent();
    const { code, message } = await hdpFailure(hdp.deployExecutionStore());
    expect(code).to.equal("HDP-6022");
    expect(message).to.contain('network "live" is chain 8453').and.to.contain("--yes");
    expect(await sent()).to.equal(before);

    const { address } = await hdp.deployExecutionStore({ onLiveChain: true });
    const configured = await live({ dataProcessor: "local", executionStore: { address } });
    expect(await configured.hdp.store.current()).to.deep.include({ address, mock: true });
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(3)] });
    expect((await configured.hdp.run(request))[0]).to.include({ value: 6n, store: address });
  });

  it("gives no mock to a contract that a script or a module of Ignition deploys", async () => {
    const mock = await (await live({})).hdp.deployExecutionStore({ onLiveChain: true });
    const connection = await live({ executionStore: { address: mock.address } });
    const before = await sent();
    const refusals = [
      await hdpFailure(connection.hdp.store.forDeployment()),
      await hdpFailure(executionStore(connection)),
    ];
    for (const { code, message } of refusals) {
      expect(code).to.equal("HDP-6027");
      expect(message)
        .to.contain("networks.live.hdp.executionStore.address")
        .and.contain(`${mock.address} is a mock, and network "live" is chain 8453`);
    }
    const real = `0x${"36".repeat(20)}`;
    await chain.provider.request({ method: "hardhat_setCode", params: [real, statusOnly] });
    const { hdp } = await live({ executionStore: { address: real } });
    expect(await hdp.store.forDeployment()).to.deep.include({ address: real, mock: false });
    const development = await live({
      executionStore: { address: mock.address },
      development: true,
    });
    expect(await development.hdp.store.forDeployment()).to.deep.include({ mock: true });
    expect(await sent()).to.equal(before);
  });

  it("asks for a mock store, and takes a no, or no terminal, for a no", async () => {
    const { hre } = await testProject(
      { networks: { default: { type: "http", url: node.url } } },
      folder,
    );
    const asked: string[] = [];
    let answer = "n";
    hre.hooks.registerHandlers("userInterruptions", {
      requestInput: async (_, interruptor, question) => {
        asked.push(`${interruptor}: ${question}`);
        return await Promise.resolve(answer);
      },
    });
    const before = await sent();
    const alone = await runCommand("store", { action: "deploy" }, hre);
    expect(isHdpError(alone.error, "HDP-6022")).to.equal(true);
    expect(asked).to.deep.equal([]);

    await atTerminal(async () => {
      expect(await runCommand("store", { action: "deploy" }, hre)).to.include({
        error: undefined,
        stdout: "  Nothing was sent.\n",
      });
      expect(asked).to.deep.equal([
        'hardhat-hdp: Network "default" is chain 8453, not a development chain: deploy a mock store there, which costs gas? [y/N]',
      ]);
      expect(await sent()).to.equal(before);
      answer = "y";
      expect((await runCommand("store", { action: "deploy" }, hre)).stdout).to.contain(
        "Execution store",
      );
    });
    expect(await sent()).to.equal(before + 1n);
    expect((await runCommand("store", { action: "deploy", yes: true }, hre)).error).to.equal(
      undefined,
    );
    expect(asked).to.have.length(2);
  });

  it("keeps the store that is chosen for it, for every later process", async () => {
    const root = join(folder, "choice");
    await mkdir(root);
    const another = async (hdp: HdpUserConfig = {}): Promise<NetworkConnection> =>
      await live(hdp, {}, root);
    const { address } = await (await another()).hdp.deployExecutionStore({ onLiveChain: true });
    // Base has a published store, which stays the one in use.
    expect(await (await another()).hdp.store.current()).to.deep.include({
      address: PUBLISHED,
      mock: false,
    });
    const { hre } = await testProject(
      { networks: { default: { type: "http", url: node.url } } },
      root,
    );
    expect((await runCommand("store", { action: "deploy", yes: true }, hre)).stdout).to.contain(
      `The store ${PUBLISHED} stays the one in use. For the mock: npx hardhat hdp store use 0x`,
    );
    const used = await runCommand("store", { action: "use", address: address.toLowerCase() }, hre);
    expect(used.error).to.equal(undefined);
    expect(await (await another()).hdp.store.current()).to.deep.include({ address, mock: true });
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(3)] });
    expect((await (await another({ dataProcessor: "local" })).hdp.run(request))[0]).to.include({
      value: 6n,
      store: address,
    });

    const configured = await another({ executionStore: { address: PUBLISHED } });
    expect((await configured.hdp.store.current()).address).to.equal(PUBLISHED);
    const hdp = { executionStore: { address: PUBLISHED } };
    const other = await testProject(
      { networks: { default: { type: "http", url: node.url, hdp } } },
      root,
    );
    const refused = await runCommand("store", { action: "use", address }, other.hre);
    expect(String(refused.error))
      .to.contain("HDP-6026")
      .and.contain("networks.default.hdp.executionStore.address");

    const real = `0x${"35".repeat(20)}`;
    await chain.provider.request({ method: "hardhat_setCode", params: [real, statusOnly] });
    expect((await runCommand("store", { action: "use", address: real }, hre)).stdout).to.contain(
      `${real}  (network "default")`,
    );
    expect(await (await another()).hdp.store.current()).to.deep.include({
      address: real,
      mock: false,
    });
  });

  it("keeps the mock that was deployed where no store is published", async () => {
    const { hre } = await testProject(
      { networks: { own: { type: "edr-simulated", chainId: 777 } } },
      folder,
    );
    const own = await serve((await hre.network.create("own")).provider, { isLive: true });
    const another = async (): Promise<NetworkConnection> => {
      const project = await testProject(
        { networks: { live: { type: "http", url: own.url } } },
        folder,
      );
      return await project.hre.network.create("live");
    };
    try {
      expect((await hdpFailure((await another()).hdp.store.current())).code).to.equal("HDP-6010");
      const { address } = await (await another()).hdp.deployExecutionStore({ onLiveChain: true });
      expect(await (await another()).hdp.store.current()).to.deep.include({ address, mock: true });
    } finally {
      await own.close();
    }
  });

  it("takes no mock for the store of a service, nor an address without code, before anything is sent", async () => {
    const { hdp } = await live({ dataProcessor: "local" });
    const { address } = await hdp.deployExecutionStore({ onLiveChain: true });
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(3)] });
    const mock = await hdpFailure(
      (await live({ ...remote(), executionStore: { address } })).hdp.submit(request),
    );
    expect(mock.code).to.equal("HDP-6025");
    expect(mock.message)
      .to.contain(address)
      .and.contain("is a mock, and the tasks go to a service");
    const nothing = { ...remote(), executionStore: { address: `0x${"12".repeat(20)}` } };
    const { code, path } = await hdpFailure((await live(nothing)).hdp.submit(request));
    expect(code).to.equal("HDP-3002");
    expect(path).to.equal("networks.live.hdp.executionStore.address");
    expect(service.seen).to.deep.equal([]);
  });

  it("stores nothing at an address without code, nor in a store that is no mock", async () => {
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(3)] });
    const before = await sent();
    const empty = await live({
      dataProcessor: "local",
      executionStore: { address: `0x${"12".repeat(20)}` },
    });
    expect((await hdpFailure(empty.hdp.run(request))).code).to.equal("HDP-3002");
    expect((await hdpFailure(empty.hdp.finalize(onBase(3), 1n))).code).to.equal("HDP-3002");
    // In a project that keeps no store of this chain yet.
    const fresh = await live({ dataProcessor: "local" }, {}, await mkdtemp(join(folder, "fresh-")));
    expect((await hdpFailure(fresh.hdp.run(request))).code).to.equal("HDP-3002");
    expect(await sent()).to.equal(before);

    // It answers to the store's names and has no IS_MOCK.
    const stranger = `0x${"34".repeat(20)}`;
    await chain.provider.request({ method: "hardhat_setCode", params: [stranger, statusOnly] });
    const real = await live({ dataProcessor: "local", executionStore: { address: stranger } });
    expect(await real.hdp.store.current()).to.deep.include({ mock: false });
    const { code, message } = await hdpFailure(real.hdp.run(request));
    expect(code).to.equal("HDP-6024");
    expect(message).to.contain("is not a mock");
  });

  it("asks before it finalizes there, since that costs gas", async () => {
    const { address } = await (await live({})).hdp.deployExecutionStore({ onLiveChain: true });
    const hdp: HdpUserConfig = { dataProcessor: "local", executionStore: { address } };
    const { hre } = await testProject(
      { networks: { default: { type: "http", url: node.url, hdp } } },
      folder,
    );
    const file = join(folder, "base.json");
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(2)] });
    await writeFile(file, JSON.stringify(toTaskRequestJson(request)));
    const asked: string[] = [];
    hre.hooks.registerHandlers("userInterruptions", {
      requestInput: async (_, interruptor, question) => {
        asked.push(`${interruptor}: ${question}`);
        return await Promise.resolve("n");
      },
    });
    const before = await sent();
    expect(isHdpError((await runCommand("submit", { file }, hre)).error, "HDP-6041")).to.equal(
      true,
    );
    await atTerminal(async () => {
      expect((await runCommand("submit", { file }, hre)).stdout).to.contain("Nothing was sent.");
    });
    expect(asked).to.deep.equal([
      "hardhat-hdp: Finalize 1 task in the mock store of BASE_MAINNET, which is not a development chain? It costs gas. [y/N]",
    ]);
    const call = { contract: address, function: "IS_MOCK()(bool)" };
    expect(isHdpError((await runCommand("eth-call", call, hre)).error, "HDP-6041")).to.equal(true);
    expect(await sent()).to.equal(before);
    const proof = { file: join(folder, "package.json") };
    expect(isHdpError((await runCommand("proof submit", proof, hre)).error, "HDP-6041")).to.equal(
      true,
    );
    expect(
      isHdpError(
        (await runCommand("proof submit", { ...proof, yes: true }, hre)).error,
        "HDP-6041",
      ),
    ).to.equal(false);
    const agreed = await runCommand("submit", { file, yes: true }, hre);
    expect(agreed.error).to.equal(undefined);
    expect(agreed.stdout).to.contain("Result  3");
    expect(await sent()).to.equal(before + 1n);
  });

  it("refuses a task for another chain before it is sent", async () => {
    const { hdp } = await live(remote());
    const request = taskRequest({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [numbers] });
    const { code, message } = await hdpFailure(hdp.submit(request));
    expect(code).to.equal("HDP-6023");
    expect(message).to.contain(
      'goes to ETHEREUM_SEPOLIA, but network "live" is BASE_MAINNET (chain id 8453)',
    );
    expect(service.seen).to.deep.equal([]);
  });

  it("refuses blocks after the head, and programs that the registry does not know, before they are sent", async () => {
    const { hdp } = await live(remote());
    const request = taskRequest({
      destinationChainId: "BASE_MAINNET",
      tasks: [onBase(3), onBase(5_000_000)],
    });
    const { code, path, message } = await hdpFailure(hdp.submit(request));
    expect({ code, path }).to.deep.equal({
      code: "HDP-4101",
      path: "tasks[1].datalake.blockRangeEnd",
    });
    expect(message).to.contain("block 5000000 does not exist, the latest block of BASE_MAINNET is");

    const registry = await live({ ...remote(), programRegistry: { submitUrl: service.url } });
    const modules = taskRequest({
      destinationChainId: "BASE_MAINNET",
      tasks: [moduleTask({ programHash: "0x7" })],
    });
    expect((await hdpFailure(registry.hdp.submit(modules))).code).to.equal("HDP-2041");
    expect(service.seen.map(({ method }) => method)).to.deep.equal(["GET"]);
  });

  /** Errors that end hdp.submit before a request, each with what makes it. The table of services has its own test. */
  const stops = async (): Promise<
    Readonly<Record<string, { hdp: HdpUserConfig; request: TaskRequest }>>
  > => {
    const onlyBase = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(3)] });
    const own = await live({ dataProcessor: "local" });
    const { address } = await own.hdp.deployExecutionStore({ onLiveChain: true });
    const stranger = `0x${"35".repeat(20)}`;
    await chain.provider.request({ method: "hardhat_setCode", params: [stranger, statusOnly] });
    return {
      "HDP-2003": {
        hdp: { dataProcessor: { url: service.url, edition: "tasks" } },
        request: onlyBase,
      },
      "HDP-2004": {
        hdp: remote(),
        request: { ...onlyBase, destinationChainId: "STARKNET_SEPOLIA" },
      },
      "HDP-2041": {
        hdp: { ...remote(), programRegistry: { submitUrl: service.url } },
        request: { ...onlyBase, tasks: [moduleTask({ programHash: "0x7" })] },
      },
      "HDP-3002": {
        hdp: { ...remote(), executionStore: { address: `0x${"12".repeat(20)}` } },
        request: onlyBase,
      },
      "HDP-4101": { hdp: remote(), request: { ...onlyBase, tasks: [onBase(5_000_000)] } },
      "HDP-6023": {
        hdp: remote(),
        request: { ...onlyBase, destinationChainId: "ETHEREUM_SEPOLIA" },
      },
      "HDP-6024": {
        hdp: { dataProcessor: "local", executionStore: { address: stranger } },
        request: onlyBase,
      },
      "HDP-6025": { hdp: { ...remote(), executionStore: { address } }, request: onlyBase },
    };
  };

  it("reports in hdp.preflight and hdp:check each error that ends hdp.submit before a request", async () => {
    const isPost = ({ method }: { method: string }) => method === "POST";
    const before = service.seen.filter(isPost).length;
    for (const [code, { hdp, request }] of Object.entries(await stops())) {
      const networks = { live: { type: "http", url: node.url, hdp } } as const;
      const { hre } = await testProject({ networks }, folder, "live");
      const connection = await hre.network.getOrCreate();
      const error = await hdpFailure(connection.hdp.submit(request));
      expect(error.code).to.equal(code);
      const { refusals } = await connection.hdp.preflight(request);
      const { path, hints, shortMessage: message } = error;
      expect(refusals[0], code).to.deep.equal({ code, path, message, hints });
      const file = join(folder, "stops.json");
      await writeFile(file, JSON.stringify(toTaskRequestJson(request)));
      const checked = await runCommand("check", { file }, hre);
      expect(checked.exitCode ?? (checked.error === undefined ? 0 : 1), code).to.equal(1);
      expect(`${checked.stdout}${String(checked.error)}`, code).to.match(
        new RegExp(code === "HDP-4101" ? "is not there yet" : code),
      );
    }
    expect(service.seen.filter(isPost)).to.have.length(before);
  });

  it("tries each error of the checks before a request in a row", async () => {
    // Of the table of services: test/plugin/service-refusals.test.ts. Of hdp.retry, and of a task file's destination: no checks.
    // One address of both a node and a service: test/plugin/doctor.test.ts.
    const others = ["HDP-2006", "HDP-5021", "HDP-6003", "HDP-6014"];
    const places = [
      "send-checks",
      "destination",
      "remote-processor",
      "local-processor",
      "services",
    ];
    const sources = await Promise.all(
      places.map(async (name) => await readFile(join(root, "src/plugin", `${name}.ts`), "utf8")),
    );
    const thrown = sources.flatMap((text) => text.match(/HDP-\d{4}/g) ?? []);
    const rows = Object.keys(await stops());
    expect(
      [...new Set(thrown)].filter((code) => ![...rows, ...others].includes(code)),
    ).to.deep.equal([]);
  });

  it("looks at the head of the network that stands for a source, whatever its chain id", async () => {
    const { hdp } = await live({ ...remote(), sources: { ETHEREUM_MAINNET: "live" } });
    const seen = service.seen.length;
    const task = blockSampled({
      chainId: "ETHEREUM_MAINNET",
      from: 0,
      to: 5_000_000,
      property: header("number"),
    }).sum();
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [task] });
    const { code, message } = await hdpFailure(hdp.submit(request));
    expect(code).to.equal("HDP-4101");
    expect(message).to.contain("the latest block of ETHEREUM_MAINNET is");
    expect(service.seen.length).to.equal(seen);
  });

  it("looks at heads, range ends and programs before it reads a sample, locally too", async () => {
    const seen: string[] = [];
    const watched = await serve({
      request: async ({ method, params }) => {
        seen.push([method, ...(params ?? []).filter((one) => typeof one === "string")].join(" "));
        const answer: unknown = await chain.provider.request({ method, ...(params && { params }) });
        return answer;
      },
    });
    const { hre } = await testProject(
      {
        hdp: { sources: { BASE_MAINNET: "watched" } },
        networks: { watched: { type: "http", url: watched.url }, mine: { type: "edr-simulated" } },
      },
      folder,
    );
    const { hdp, provider } = await hre.network.create("mine");
    const late = [onBase(3), onBase(5_000_000)];
    const range = await hdpFailure(
      hdp.run(taskRequest({ destinationChainId: "BASE_MAINNET", tasks: late })),
    );
    expect(range.message)
      .to.contain("tasks[1].datalake.blockRangeEnd")
      .and.contain("block 5000000 does not exist");
    const unknown = [onBase(3), moduleTask({ programHash: "0x7" })];
    const program = await hdpFailure(
      hdp.run(taskRequest({ destinationChainId: "BASE_MAINNET", tasks: unknown })),
    );
    expect(program.message).to.contain("HDP-4411");
    expect(new Set(seen)).to.deep.equal(new Set(["eth_chainId", "eth_getBlockByNumber latest"]));
    expect(await provider.request({ method: "eth_blockNumber" })).to.equal("0x0");
    await watched.close();
  });

  it("rests on a second node, which results name, or is not finalized", async () => {
    const forged: { hash?: string } = {};
    const second = await serve({
      request: async ({ method, params }) => {
        const answer: unknown = await chain.provider.request({ method, ...(params && { params }) });
        return method === "eth_getBlockByNumber" && params?.[0] === "0x2"
          ? { ...(answer as object), ...forged }
          : answer;
      },
    });
    const { hre } = await testProject(
      {
        hdp: { sources: { BASE_MAINNET: "live" } },
        networks: {
          live: { type: "http", url: node.url, hdp: { local: { secondNode: "other" } } },
          other: { type: "http", url: second.url },
          mine: { type: "edr-simulated" },
        },
      },
      folder,
    );
    const { hdp } = await hre.network.create("mine");
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(5)] });
    const [{ anchor }] = await hdp.run(request);
    expect(anchor).to.include({ kind: "nodes", number: await sent() });
    expect((await hdp.explain(request)).anchor).to.deep.equal(anchor);
    expect((await hdp.verify(request))[0]).to.deep.include({ anchor, agrees: true });

    forged.hash = `0x${"ab".repeat(32)}`;
    const again = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(4)] });
    expect((await hdpFailure(hdp.run(again))).message)
      .to.contain("HDP-4207")
      .and.contain("block 2");
    expect((await hdpFailure(hdp.readResult(onBase(4)))).code).to.equal("HDP-3001");
    await second.close();
  });

  it("reads no chain in the place of another, by whichever function and configuration", async () => {
    const onMainnet = blockSampled({
      chainId: "ETHEREUM_MAINNET",
      from: 0,
      to: 3,
      property: header("number"),
    }).sum();
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onMainnet] });
    const { address } = await (await live({})).hdp.deployExecutionStore({ onLiveChain: true });
    const before = await sent();
    const local: HdpUserConfig = { dataProcessor: "local", executionStore: { address } };
    for (const config of [local, { ...local, sources: { ETHEREUM_MAINNET: "live" } }]) {
      const { hdp } = await live(config);
      const readings = [
        async () => await hdp.explain(request),
        async () => await hdp.verify(request),
        async () => await hdp.record(request),
        async () => await hdp.run(request),
        async () => await hdp.explain(latest),
      ];
      for (const [at, reading] of readings.entries()) {
        const { code, message } = await hdpFailure(reading());
        expect([code, at]).to.deep.equal([at === 3 ? "HDP-4406" : "HDP-4605", at]);
        expect(message).to.contain(
          'the tasks read ETHEREUM_MAINNET (chain id 1), the network "live" is BASE_MAINNET (chain id 8453)',
        );
      }
    }
    expect(await sent()).to.equal(before);
    // From a development chain too, which stands for every chain itself.
    const { hre } = await testProject(
      {
        hdp: { sources: { ETHEREUM_MAINNET: "live" } },
        networks: { live: { type: "http", url: node.url }, mine: { type: "edr-simulated" } },
      },
      folder,
    );
    const mine = await hre.network.create("mine");
    expect((await hdpFailure(mine.hdp.explain(onMainnet))).code).to.equal("HDP-4605");
  });

  it("reads a live chain and finalizes locally", async () => {
    const { hre } = await testProject(
      {
        hdp: { sources: { BASE_MAINNET: "live" } },
        networks: { live: { type: "http", url: node.url }, mine: { type: "edr-simulated" } },
      },
      folder,
    );
    const { hdp, provider } = await hre.network.create("mine");
    const before = await sent();
    const request = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [onBase(5)] });
    const [{ value, store }] = await hdp.run(request);
    expect(value).to.equal(15n);
    expect(await sent()).to.equal(before);
    expect(
      await provider.request({ method: "eth_getCode", params: [store, "latest"] }),
    ).to.not.equal("0x");
  });
});

/** Runs something as if somebody sat at a terminal. */
async function atTerminal(work: () => Promise<void>): Promise<void> {
  const streams = [process.stdin, process.stdout] as const;
  const before = streams.map(({ isTTY }) => isTTY);
  for (const stream of streams) stream.isTTY = true;
  try {
    await work();
  } finally {
    streams.forEach((stream, index) => (stream.isTTY = before[index] ?? false));
  }
}

/** Base's, of which this chain has a code that answers nothing. */
const PUBLISHED = "0xb036f7Bdd9C7A5984323f148064f815f4C75174b";

/** Answers a zero word to `getTaskStatus(bytes32)` and reverts on all else. */
const statusOnly = "0x5f3560e01c632bf6cc79146011575f5ffd5b60205ff3";
