import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";

import { expect } from "chai";
import type { HardhatUserConfig } from "hardhat/config";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";
import type { RequestArguments } from "hardhat/types/providers";
import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  toFunctionSelector,
  zeroHash,
} from "viem";

import type { DeployStoreOptions, TaskInput } from "../../src/types.js";
import hardhatHdp from "../../src/index.js";
import {
  blockSampled,
  header,
  isHdpError,
  taskHash,
  taskRequest,
  toTaskRequestJson,
  type TaskStatus,
} from "../../src/entries/request.js";
import { failure, hdpFailure, rejection } from "../support/failure.js";
import { fewAccounts } from "../support/few-accounts.js";
import { root } from "../support/hardhat-cli.js";

const numbers = blockSampled({ from: 0, to: 3, property: header("number") }).sum();

/** The line of a trace for a function of the mock, at the line of its source that has a text. */
function mockFrame(name: string, text: string): string {
  const file = "contracts/mocks/HdpTaskStateMock.sol";
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  const line = lines.findIndex((one) => one.includes(text)) + 1;
  return `at HdpExecutionStoreMock.${name} (hardhat-hdp/${file}:${line})`;
}

async function environment(config: HardhatUserConfig = {}): Promise<HardhatRuntimeEnvironment> {
  return await createHardhatRuntimeEnvironment({
    plugins: [hardhatHdp],
    ...config,
    networks: fewAccounts(config.networks),
  });
}

async function chain(config?: HardhatUserConfig): Promise<NetworkConnection> {
  const connection = await (await environment(config)).network.create();
  await connection.provider.request({ method: "hardhat_mine", params: ["0x5"] });
  return connection;
}

describe("connection.hdp", () => {
  it("submits, awaits and reads what it computed", async () => {
    const { hdp } = await chain();
    const states: TaskStatus[] = [];
    const submission = await hdp.submit(numbers);
    expect(submission.taskHashes).to.deep.equal([taskHash(numbers)]);
    const finished = await hdp.await(submission, { onStatus: (status) => states.push(status) });
    expect(finished.status).to.include({ name: "Finalized", phase: "finalized" });
    expect(states.map(({ name }) => name)).to.include.members(["Sampled", "Finalized"]);
    const result = await hdp.readResult(numbers);
    const request = taskRequest({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [numbers] });
    expect(await hdp.readResult(request)).to.deep.equal(result);
    expect(await hdp.readResult(toTaskRequestJson(request) as TaskInput)).to.deep.equal(result);
    const several = await hdpFailure(hdp.readResult([numbers, numbers]));
    expect(several).to.include({ code: "HDP-1136", path: "task" });
    expect((await hdpFailure(hdp.readResult({} as TaskInput))).code).to.equal("HDP-1101");
    expect(result).to.include({
      value: 6n,
      samples: 4,
      proven: true,
      store: (await hdp.store.current()).address,
    });
    const listed = await hdp.submissions.list();
    expect(listed.map(({ serviceId, state }) => [serviceId, state])).to.deep.equal([
      [submission.id, "finalized"],
    ]);
    expect(await hdp.status(submission.id)).to.include({ name: "Finalized" });
    expect(await hdp.status(submission.taskHashes[0] ?? "")).to.include({ phase: "finalized" });
  });

  it("runs several tasks in one batch, in request order", async () => {
    const { hdp } = await chain();
    const count = blockSampled({ from: 0, to: 3, property: header("number") }).count("gteq", 2n);
    const results = await hdp.run([numbers, count]);
    expect(results.map((result) => result.value)).to.deep.equal([6n, 2n]);
    expect(results[0].transactionHash).to.equal(results[1]?.transactionHash);
  });

  it("shows functions, modifiers and errors of its mock by name in traces", async () => {
    const { hdp, provider } = await chain();
    const { contract } = await hdp.deployExecutionStore();
    const [, stranger] = (await provider.request({ method: "eth_accounts" })) as Hex[];
    const word = zeroHash;
    const from = { to: contract.address, from: stranger };
    const refused = async (call: object): Promise<string> =>
      inspect(
        await rejection(provider.request({ method: "eth_call", params: [{ ...from, ...call }] })),
      );
    const { abi } = contract;
    const byStranger = await refused({
      data: encodeFunctionData({ abi, functionName: "finalizeTask", args: [word, word] }),
    });
    expect(byStranger)
      .to.contain("reverted with custom error 'Unauthorized()'")
      .and.to.contain(mockFrame("_requireOperator", "revert Unauthorized()"))
      .and.to.contain(mockFrame("onlyOperator", "        _requireOperator();"))
      .and.to.contain(mockFrame("finalizeTask", "function finalizeTask("));
    const unknown = await refused({
      data: encodeFunctionData({
        abi,
        functionName: "getDataProcessorFinalizedTaskResult",
        args: [word],
      }),
    });
    expect(unknown)
      .to.contain("reverted with custom error 'NotFinalized()'")
      .and.to.contain(mockFrame("_finalizedResult", "revert NotFinalized()"))
      .and.to.contain("HdpExecutionStoreMock.getDataProcessorFinalizedTaskResult");
    expect(await refused({ data: toFunctionSelector("IS_MOCK()"), value: "0x1" })).to.contain(
      "HdpExecutionStoreMock.IS_MOCK (hardhat-hdp/contracts/mocks/HdpStoreMock.sol:",
    );
  });

  it("deploys a mock of the kind that is named, else configured, else published for the chain", async () => {
    const kindOf = async (
      config?: HardhatUserConfig,
      options?: DeployStoreOptions,
    ): Promise<number> => {
      const { hdp } = await chain(config);
      const { contract } = await hdp.deployExecutionStore(options);
      expect((await hdp.run(numbers))[0].value).to.equal(6n);
      return await contract.read.storeKind();
    };
    const sepolia: HardhatUserConfig = {
      networks: { default: { type: "edr-simulated", chainId: 11155111 } },
    };
    const configured: HardhatUserConfig = { hdp: { executionStore: { kind: "execution-store" } } };
    expect(await kindOf()).to.equal(0);
    expect(await kindOf(sepolia)).to.equal(0);
    expect(await kindOf(configured)).to.equal(1);
    expect(await kindOf({}, { kind: "execution-store" })).to.equal(1);
    const automatic = await chain(configured);
    await automatic.hdp.run(numbers);
    const { contract } = await automatic.hdp.store.current();
    expect(await contract.read.getTaskStatus([taskHash(numbers)])).to.equal(2);
  });

  it("refuses a kind of mock that does not exist, and names the kinds", async () => {
    const { hdp } = await chain();
    for (const kind of ["Satellite", "toString", ""]) {
      const error = await hdpFailure(hdp.deployExecutionStore({ kind: kind as "satellite" }));
      expect([error.code, error.path, error.hints]).to.deep.equal([
        "HDP-6003",
        "kind",
        ["Allowed: satellite, execution-store, satellite-develop."],
      ]);
    }
  });

  it("refuses options of a mock that do not exist, and names the options", async () => {
    const { hdp } = await chain();
    for (const [options, value] of [
      ["satellite", "satellite"],
      [{ kinds: "satellite" }, "kinds"],
      [{ kind: "satellite", onLivechain: true }, "onLivechain"],
    ] as const) {
      const error = await hdpFailure(hdp.deployExecutionStore(options as DeployStoreOptions));
      expect([error.code, error.shortMessage.split(".")[0], error.hints]).to.deep.equal([
        "HDP-6003",
        `"${value}" is not an option of deployExecutionStore`,
        ["Allowed: kind, operator, operators, onLiveChain, authentic."],
      ]);
    }
  });

  it("opens the store once for a run, and reads each result once", async () => {
    const { hdp, provider } = await chain();
    const { address } = await hdp.deployExecutionStore();
    const calls: string[] = [];
    const request: (args: RequestArguments) => Promise<unknown> = provider.request.bind(provider);
    provider.request = async (args) => {
      const [call] = Array.isArray(args.params)
        ? (args.params as { to?: string; data?: string }[])
        : [];
      if (args.method === "eth_call" && call?.to === address)
        calls.push(String(call.data).slice(0, 10));
      return await request(args);
    };
    const others = [1, 2].map((at) =>
      blockSampled({ from: 0, to: 3, property: header("number") }).count("gteq", at),
    );
    const results = await hdp.run([numbers, ...others]);
    expect(results.map(({ value }) => value)).to.deep.equal([6n, 3n, 2n]);
    const times = (signature: string): number =>
      calls.filter((selector) => selector === toFunctionSelector(signature)).length;
    expect({
      results: times("getDataProcessorFinalizedTaskResult(bytes32)"),
      statuses: times("getDataProcessorTaskStatus(bytes32)"),
      all: calls.length,
    }).to.deep.equal({ results: 3, statuses: 1, all: 5 });
    calls.length = 0;
    const finished = await hdp.await(
      await hdp.submit(
        blockSampled({ from: 0, to: 3, property: header("number") }).count("gteq", 3),
      ),
    );
    expect((await finished.results()).map(({ value }) => value)).to.deep.equal([1n]);
    expect(times("getDataProcessorFinalizedTaskResult(bytes32)")).to.equal(1);
  });

  it("takes a request as JSON, parsed, or as a task, with the same hash", async () => {
    const { hdp } = await chain();
    const json = {
      destinationChainId: "SN_SEPOLIA",
      tasks: [
        {
          type: "DatalakeCompute",
          datalake: {
            type: "BlockSampled",
            chainId: "ETHEREUM_SEPOLIA",
            blockRangeStart: 0,
            blockRangeEnd: 3,
            sampledProperty: "header.number",
          },
          compute: { aggregateFnId: "sum" },
        },
      ],
    };
    const parsed = taskRequest({ destinationChainId: "STARKNET_SEPOLIA", tasks: [numbers] });
    const hashes = await Promise.all(
      [json, parsed, numbers].map(async (input) => (await hdp.run(input))[0].taskHash),
    );
    expect(hashes).to.deep.equal([taskHash(numbers), taskHash(numbers), taskHash(numbers)]);
  });

  it("agrees with the chain after a revert to a snapshot", async () => {
    const { hdp, provider } = await chain();
    const before: unknown = await provider.request({ method: "evm_snapshot" });
    const submission = await hdp.submit(numbers);
    await hdp.await(submission);
    const { address } = await hdp.store.current();
    await provider.request({ method: "evm_revert", params: [before] });

    expect(await provider.request({ method: "eth_getCode", params: [address, "latest"] })).to.equal(
      "0x",
    );
    expect(await hdp.status(submission)).to.include({ name: "Reverted", phase: "failed" });
    expect((await hdpFailure(hdp.await(submission))).code).to.equal("HDP-4406");
    expect((await hdpFailure(hdp.readResult(numbers))).code).to.equal("HDP-3001");
    expect((await hdp.run(numbers))[0]).to.include({ value: 6n });
  });

  it("computes over the new chain after a revert to every height of a range that it has read", async () => {
    const { hdp, provider } = await chain();
    await hdp.deployExecutionStore();
    const first = Number(await provider.request({ method: "eth_blockNumber" }));
    const snapshots: unknown[] = [];
    for (let height = first; height < first + 6; height += 1) {
      snapshots.push(await provider.request({ method: "evm_snapshot" }));
      await provider.request({ method: "hardhat_mine", params: ["0x1"] });
    }
    const task = blockSampled({ from: first, to: first + 6, property: header("timestamp") }).sum();
    const run = async (): Promise<bigint> => (await hdp.run(task))[0].value;
    const truth = async (): Promise<bigint> => {
      let sum = 0n;
      for (let block = first; block <= first + 6; block += 1) {
        const params = [`0x${block.toString(16)}`, false];
        const json: unknown = await provider.request({ method: "eth_getBlockByNumber", params });
        sum += BigInt((json as { readonly timestamp: string }).timestamp);
      }
      return sum;
    };
    const seen = new Set([await run()]);
    expect([...seen]).to.deep.equal([await truth()]);
    for (const [below, snapshot] of [...snapshots.entries()].reverse()) {
      expect(await provider.request({ method: "evm_revert", params: [snapshot] })).to.equal(true);
      const seconds = `0x${(1000 * 3 ** below).toString(16)}`;
      await provider.request({ method: "evm_increaseTime", params: [seconds] });
      await provider.request({ method: "hardhat_mine", params: [`0x${(6 - below).toString(16)}`] });
      const value = await run();
      expect(value, `reverted to ${first + below}`).to.equal(await truth());
      expect(seen.has(value)).to.equal(false);
      seen.add(value);
    }
  });

  it("does not take a stranger's contract at the store's old address for the store", async () => {
    const { hdp, provider } = await chain();
    const before: unknown = await provider.request({ method: "evm_snapshot" });
    const { address } = await hdp.deployExecutionStore();
    await provider.request({ method: "evm_revert", params: [before] });
    await provider.request({ method: "hardhat_setCode", params: [address, "0x6001"] });
    await provider.request({
      method: "hardhat_setNonce",
      params: [await operator(provider), "0x5"],
    });
    expect((await hdp.store.current()).address).not.to.equal(address);
  });

  it("finalizes a value of one's choice", async () => {
    const { hdp } = await chain();
    const result = await hdp.finalize(numbers, 7n);
    expect(result).to.include({ value: 7n, taskHash: taskHash(numbers) });
    expect((await hdp.readResult(result.taskHash)).value).to.equal(7n);
    for (const wrong of [-1n, 2n ** 256n, "0x12"] as const) {
      expect((await hdpFailure(hdp.finalize(numbers, wrong))).code).to.equal("HDP-6003");
    }
  });

  it("finalizes nothing of a request whose task fails, and says why", async () => {
    const { hdp } = await chain();
    const beyond = blockSampled({ from: 0, to: 99, property: header("number") }).sum();
    const error = await hdpFailure(hdp.run([numbers, beyond]));
    expect(error.code).to.equal("HDP-4406");
    expect(error.message)
      .to.contain("does not exist")
      .and.to.contain("latest block of the chain is")
      .and.not.to.contain("..");
    expect(isHdpError(error)).to.equal(true);
    expect((await hdpFailure(hdp.readResult(numbers))).code).to.equal("HDP-3001");
  });

  it("keeps the first account's nonce as it is without it", async () => {
    const { hdp, provider } = await chain();
    await hdp.run(numbers);
    const [first] = await accounts(provider);
    const nonce = { method: "eth_getTransactionCount", params: [first, "latest"] };
    expect(await provider.request(nonce)).to.equal("0x0");
  });

  it("survives destructuring, and is the same through hre.hdp", async () => {
    const hre = await environment();
    const connection = await hre.network.getOrCreate();
    await connection.provider.request({ method: "hardhat_mine", params: ["0x5"] });

    const { run } = hre.hdp;
    const [{ taskHash: hash }] = await run(numbers);
    expect((await connection.hdp.readResult(hash)).value).to.equal(6n);
  });

  it("reads chain identifiers from the networks configured for them, and delivers there", async () => {
    const hre = await environment({
      networks: { other: { type: "edr-simulated" } },
      hdp: { chains: { ETHEREUM_MAINNET: "other", OPTIMISM_SEPOLIA: "other" } },
    });
    const connection = await hre.network.create();
    const other = await hre.network.getOrCreate("other");
    await other.provider.request({ method: "hardhat_mine", params: ["0x3"] });
    const elsewhere = blockSampled({
      chainId: "ETHEREUM_MAINNET",
      from: 0,
      to: 3,
      property: header("number"),
    }).sum();
    expect((await connection.hdp.run(elsewhere))[0].value).to.equal(6n);

    await connection.hdp.run(
      taskRequest({ destinationChainId: "OPTIMISM_SEPOLIA", tasks: [elsewhere] }),
    );
    expect((await other.hdp.readResult(elsewhere)).value).to.equal(6n);
  });

  it("looks for the hash of a task that nobody submitted here in the connection's own store", async () => {
    const hre = await environment({
      networks: { other: { type: "edr-simulated" } },
      hdp: { chains: { ETHEREUM_SEPOLIA: "other" } },
    });
    const { hdp } = await hre.network.create();
    const other = await hre.network.getOrCreate("other");
    const [here, there] = [
      taskHash(numbers),
      taskHash(blockSampled({ from: 0, to: 1, property: header("number") }).sum()),
    ];
    const { store } = await hdp.finalize(here, 42n);
    await other.hdp.finalize(there, 43n);
    expect(await hdp.status(here)).to.deep.equal({ name: "Finalized", phase: "finalized" });
    const { results, status } = await hdp.await(here);
    expect(status.phase).to.equal("finalized");
    expect((await results()).map((result) => [result.value, result.store])).to.deep.equal([
      [42n, store],
    ]);
    expect(await hdp.status(there)).to.include({ name: "Unknown", phase: "pending" });
  });

  it("gives addresses with their checksum, and takes none with a wrong one", async () => {
    const { hdp } = await chain();
    const [{ store }] = await hdp.run(numbers);
    expect(store).to.equal(getAddress(store)).and.not.equal(store.toLowerCase());
    expect((await hdp.store.current()).address).to.equal(store);
    for (const same of [store.toLowerCase(), `0x${store.slice(2).toUpperCase()}`] as const) {
      expect((await hdp.readResult(numbers, { store: same })).store).to.equal(store);
      expect((await hdp.verify(numbers, { store: same as Address }))[0].store).to.equal(store);
    }
    const wrong = store.replace(/[a-f]/, (digit) => digit.toUpperCase()) as Address;
    const wrongToo = store.replace(/[A-F]/, (digit) => digit.toLowerCase()) as Address;
    for (const address of [wrong, wrongToo].filter((one) => one !== store)) {
      const { code, message } = await hdpFailure(hdp.readResult(numbers, { store: address }));
      expect(code).to.equal("HDP-1110");
      expect(message).to.contain("its checksum is wrong").and.contain(store);
    }
    const configured = await failure(chain({ hdp: { executionStore: { address: wrong } } }));
    expect(configured).to.contain("hdp.executionStore.address: the checksum of");
    expect(configured).to.contain(`with these digits it is ${store}`);
  });

  it("gives up waiting by a signal, and goes on working", async () => {
    const { hdp } = await chain();
    const submission = await hdp.submit(numbers);
    const message = await failure(
      hdp.await(submission, { signal: AbortSignal.abort(new Error("enough")) }),
    );
    expect(message).to.equal("enough");
    expect((await hdp.await(submission)).status).to.include({ phase: "finalized" });
  });

  it("says which id it does not know", async () => {
    const { hdp } = await chain();
    expect((await hdpFailure(hdp.await("nobody"))).code).to.equal("HDP-5010");
    expect((await hdpFailure(hdp.await(`0x${"11".repeat(32)}`))).code).to.equal("HDP-4402");
    expect(await hdp.status(`0x${"11".repeat(32)}`)).to.include({
      name: "Unknown",
      phase: "pending",
    });
  });

  it("waits under a limit of more than 24.8 days, which is longer than a timer can be", async () => {
    const { hdp } = await chain();
    const submission = await hdp.submit(numbers);
    const { status } = await hdp.await(submission, { timeout: 2 ** 40 });
    expect(status.phase).to.equal("finalized");
  });

  it("handles three hundred requests submitted at once", async () => {
    const { hdp } = await chain();
    const tasks = Array.from({ length: 300 }, (_, index) =>
      blockSampled({ from: 0, to: 3, property: header("number") }).count("gteq", BigInt(index)),
    );
    const results = await Promise.all(tasks.map(async (task) => await hdp.run(task)));
    results.forEach(([{ value }], index) => {
      expect(value).to.equal(BigInt(Math.max(0, 4 - index)));
    });
  });
});

async function accounts(provider: NetworkConnection["provider"]): Promise<string[]> {
  return (await provider.request({ method: "eth_accounts" })) as string[];
}

/** The account that the plugin sends from. */
async function operator(provider: NetworkConnection["provider"]): Promise<string> {
  return (await accounts(provider)).at(-1) ?? "";
}
