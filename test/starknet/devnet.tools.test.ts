import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { Account, constants, hash, RpcProvider } from "starknet";
import { type Hex, toHex } from "viem";
import { z } from "zod";

import {
  type StarknetAccountOptions,
  type StarknetAccountParts,
  declareStarknetMock,
  deployStarknetMock,
  finalizeTasksOnStarknet,
  openStarknetExecutionStore,
} from "../../src/entries/store.js";
import type { StarknetConfig } from "../../src/types.js";
import {
  blockSampled,
  header,
  isHdpError,
  type StarknetHeaderField,
  taskHash,
  taskRequest,
} from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { shortStringFelt } from "../../src/base/felt.js";
import { starknetReaders } from "../../src/plugin/starknet-readers.js";
import {
  deployNextStarknetMock,
  findOwnStarknetMock,
  ownStarknetMock,
} from "../../src/store/starknet/mock.js";
import { resultStorageAddress } from "../../src/store/starknet/starknet-execution-store.js";
import { cairoFolder, cairoPackages } from "../../scripts/starknet/cairo-packages.js";
import { shippedMock, MOCK_FOLDER } from "../../scripts/starknet/mock-class.js";
import { contractTaskHash, playStoreContract, STORE_CONTRACT } from "../store/store-contract.js";
import { hdpFailure } from "../support/failure.js";
import { snforgeTest } from "../support/snforge.js";
import { StarknetDevnet } from "../support/starknet-devnet.js";
import { runTool, type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";
import { untyped } from "../support/untyped.js";
import { rpcTransport } from "./rpc-double.js";

const TASK = "0xc045b2ad4e6c9efb76f0fb712b20891496165bd6b7f32e148aee2243e3687307";
const WORD = "0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f";
const hashes = z
  .object({ classHash: z.string(), compiledClassHash: z.string() })
  .parse(JSON.parse(shippedMock()["class-hashes.json"]));

describe("the Cairo mock on a Starknet network that refuses", () => {
  it("reports the network's reason without the node's address", async () => {
    const { baseFetch } = rpcTransport(() => ({
      error: { code: 63, message: "See https://node.invalid/SECRET" },
    }));
    const options = {
      rpcUrl: "http://node.invalid",
      baseFetch,
      accountAddress: "0x1",
      privateKey: () => "0x2",
    };
    const refusal = await hdpFailure(declareStarknetMock(options));
    expect(refusal.code).to.equal("HDP-8008");
    expect(refusal.shortMessage).to.contain("refused to declare the mock").and.contain("See <url>");
    expect(refusal.shortMessage).to.not.contain("SECRET");
    const unanswered = await hdpFailure(findOwnStarknetMock(options));
    expect(unanswered.code).to.equal("HDP-4103");
    expect(unanswered.message).to.not.contain("SECRET");
  });
});

describe("the Cairo mock on a Starknet devnet", function () {
  this.timeout(600_000);

  let tools: StarknetTools;
  let devnet: StarknetDevnet;
  let rpcUrl: string;
  let key: string;
  let options: StarknetAccountParts;

  before(async function () {
    tools = starknetToolsOrSkip(this);
    // Without an archive it answers for the latest block only, and says so.
    devnet = await StarknetDevnet.start(tools, ["--state-archive-capacity", "full"]);
    ({ rpcUrl } = devnet);
    const { address, privateKey } = await devnet.account();
    key = privateKey;
    options = { rpcUrl, accountAddress: address, privateKey: () => privateKey };
  });

  after(async () => {
    // Unset where the tools are missing.
    await (devnet as StarknetDevnet | undefined)?.end();
  });

  it("declares the mock under the hashes that are shipped, once", async () => {
    const provider = new RpcProvider({ nodeUrl: rpcUrl });
    const { classHash, transactionHash } = await declareStarknetMock(options);
    expect(classHash).to.equal(hashes.classHash);
    const transaction = await provider.getTransaction(transactionHash ?? "");
    expect(transaction).to.include({
      class_hash: hashes.classHash,
      compiled_class_hash: hashes.compiledClassHash,
    });
    expect(await declareStarknetMock(options)).to.deep.equal({
      classHash,
      transactionHash: undefined,
    });
  });

  it("computes the same class hash as sncast, which deploys the shipped class too", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "hdp-sncast-"));
    try {
      const sierra = join(cairoFolder, MOCK_FOLDER, "ExecutionStoreMock.contract_class.json");
      // The devnet's own accounts are known to sncast by name.
      const sncast = async (...args: string[]): Promise<unknown> => {
        const all = ["--json", "--account", "devnet-1", ...args, "--url", rpcUrl];
        const { output } = await runTool(tools, "sncast", all, { cwd });
        const answers = output
          .split("\n")
          .flatMap((line): unknown[] => (line.startsWith("{") ? [JSON.parse(line)] : []));
        return answers.find(
          (one) => z.object({ type: z.enum(["response", "error"]) }).safeParse(one).success,
        );
      };
      const declared = await sncast("declare-from", "--sierra-file", sierra);
      expect(JSON.stringify(declared)).to.contain(hashes.classHash.slice(2));
      const { address: owner } = await devnet.account();
      const deployed = z
        .object({ contract_address: z.string() })
        .parse(
          await sncast("deploy", "--class-hash", hashes.classHash, "--constructor-calldata", owner),
        );
      const store = await openStarknetExecutionStore({
        rpcUrl,
        address: deployed.contract_address,
      });
      expect(await store.status(TASK)).to.equal("none");
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  it("finalizes a task once, and its result is read back in every way", async () => {
    const { address } = await deployStarknetMock(options);
    const store = await openStarknetExecutionStore({ rpcUrl, address });
    expect(await store.status(TASK)).to.equal("none");
    expect((await hdpFailure(store.readResult(TASK))).code).to.equal("HDP-3001");
    await finalizeTasksOnStarknet({
      ...options,
      address,
      results: [{ taskHash: TASK, word: WORD }],
    });
    expect(await store.status(TASK)).to.equal("finalized");
    expect((await store.readResult(TASK)).word).to.equal(WORD);
    // No published store on Starknet has this name, so the mock has it neither.
    const unpublished = { rpcUrl, address, entrypoint: "getFinalizedTaskResult" };
    expect((await hdpFailure(openStarknetExecutionStore(unpublished))).code).to.equal("HDP-3003");
    const stored = { rpcUrl, address, entrypoint: "noSuchName", readStorage: true };
    expect((await (await openStarknetExecutionStore(stored)).readResult(TASK)).word).to.equal(WORD);
    const twice = await hdpFailure(invoke(options, address, "finalize", [TASK, WORD]));
    expect(twice.code).to.equal("HDP-8008");
    expect(twice.message).to.contain("TaskAlreadyFinalized").and.not.contain(key.slice(2));
  });

  it("deploys, finalizes and finds with an Account of starknet.js too", async () => {
    const { address: accountAddress, privateKey } = await devnet.account(3);
    const provider = new RpcProvider({ nodeUrl: rpcUrl });
    const account = new Account({
      provider: untyped(provider),
      address: accountAddress,
      signer: privateKey,
    });
    const { address } = await deployStarknetMock({ account });
    const results = [{ taskHash: TASK, word: WORD }] as const;
    const { store } = await finalizeTasksOnStarknet({ account, address, results });
    const opened = await openStarknetExecutionStore({ provider, address: store });
    expect((await opened.readResult(TASK)).word).to.equal(WORD);
    expect(await findOwnStarknetMock({ account })).to.equal(undefined);
    const own = await ownStarknetMock({ account });
    expect(await findOwnStarknetMock({ rpcUrl, accountAddress })).to.equal(own);
  });

  it("replaces an earlier one of its account for everything that stores or reads a result", async () => {
    const { address, privateKey } = await devnet.account(2);
    const parts = { rpcUrl, accountAddress: address, privateKey: () => privateKey };
    const first = await ownStarknetMock(parts);
    const { address: last } = await deployNextStarknetMock(parts);
    expect(last).to.not.equal(first);
    expect(await findOwnStarknetMock(parts)).to.equal(last);
    const starknet = { SN_SEPOLIA: { rpcUrl, account: { address, privateKey } } };
    const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp], hdp: { starknet } });
    const { hdp, provider } = await hre.network.create();
    await provider.request({ method: "hardhat_mine", params: ["0x5"] });
    const number = (to: number) => blockSampled({ from: 0, to, property: header("number") }).sum();
    const one = taskRequest({ destinationChainId: "SN_SEPOLIA", tasks: [number(2)] });
    const [ran] = await hdp.run(one);
    const chosen = taskRequest({ destinationChainId: "SN_SEPOLIA", tasks: [number(1)] });
    const { store } = await hdp.finalize(chosen, 7n);
    const read = await hdp.readResult(taskHash(number(2)), { destination: "SN_SEPOLIA" });
    expect([ran.store, store, read.store]).to.deep.equal([last, last, last]);
    expect(read.value).to.equal(3n);
  });

  it("receives what hdp.finalize stores for a request that names it", async () => {
    const { address, privateKey } = await devnet.account(2);
    const starknet = { SN_SEPOLIA: { rpcUrl, account: { address, privateKey } } };
    const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp], hdp: { starknet } });
    const { hdp } = await hre.network.create();
    const numbers = blockSampled({ from: 0, to: 3, property: header("number") }).sum();
    const request = taskRequest({ destinationChainId: "SN_SEPOLIA", tasks: [numbers] });
    const { store } = await hdp.finalize(request, 7n);
    const opened = await openStarknetExecutionStore({ rpcUrl, address: store });
    expect((await opened.readResult(taskHash(numbers))).value).to.equal(7n);
    await hdp.assertions.finalized(request, 7n);
    expect((await hdpFailure(hdp.readResult(taskHash(numbers)))).code).to.equal("HDP-3001");
  });

  it("behaves as every mock of the store", async () => {
    const { address } = await deployStarknetMock(options);
    const other = await devnet.account(1);
    const stranger = {
      ...options,
      accountAddress: other.address,
      privateKey: () => other.privateKey,
    };
    const answers = await playStoreContract(
      {
        store: await openStarknetExecutionStore({ rpcUrl, address }),
        schedule: (task) => invoke(options, address, "schedule", [contractTaskHash(task)]),
        finalize: (taskHash, word) => invoke(options, address, "finalize", [taskHash, word]),
        finalizeAsStranger: (taskHash, word) =>
          invoke(stranger, address, "finalize", [taskHash, word]),
      },
      (error) =>
        isHdpError(error, "HDP-8008") &&
        /CALLER_IS_NOT_OPERATOR|DOUBLE_REGISTRATION/.test(error.message),
    );
    expect(answers).to.deep.equal(STORE_CONTRACT.map(({ answer }) => answer));
  });

  it("finds the mock from the next process at an address that follows from account and class", async () => {
    expect(await findOwnStarknetMock(options)).to.equal(undefined);
    const address = await ownStarknetMock(options);
    const provider = new RpcProvider({ nodeUrl: rpcUrl });
    expect(await provider.getClassHashAt(address)).to.equal(hashes.classHash);
    const before = await provider.getBlockNumber();
    expect(await ownStarknetMock(options)).to.equal(address);
    expect(await findOwnStarknetMock(options)).to.equal(address);
    expect(await provider.getBlockNumber()).to.equal(before);
    const { address: accountAddress } = await devnet.account(1);
    expect(await findOwnStarknetMock({ rpcUrl, accountAddress })).to.equal(undefined);
  });

  it("serves as the real store of a Cairo test on a fork", async () => {
    const address = await ownStarknetMock(options);
    await finalizeTasksOnStarknet({
      ...options,
      address,
      results: [{ taskHash: TASK, word: WORD }],
    });
    const folder = "node_modules/hardhat-hdp/contracts/starknet";
    const manifest = `[package]
name = "on_a_fork"
version = "0.1.0"
edition = "2024_07"

[dependencies]
starknet = ">=2.13.1"

[dev-dependencies]
snforge_std = "0.63.0"
hardhat_hdp = { path = "../${folder}/hardhat_hdp" }
hardhat_hdp_testing = { path = "../${folder}/hardhat_hdp_testing" }

[tool.scarb]
allow-prebuilt-plugins = ["snforge_std"]

[[tool.snforge.fork]]
name = "DEVNET"
url = "${rpcUrl}/rpc"
block_id.tag = "latest"
`;
    const test = readFileSync(join(import.meta.dirname, "cairo", "fork_test.cairo"), "utf8");
    const run = await snforgeTest(
      tools,
      {
        ...cairoPackages(`${folder}/`),
        "fork/Scarb.toml": manifest,
        "fork/src/lib.cairo": test.replace("0x5704e", address),
      },
      { package: "fork", cached: false },
    );
    expect(run.output).to.not.match(/^(warn|error)/m);
    expect(run.failed, run.output).to.deep.equal([]);
    expect(run.passed).to.deep.equal(
      [
        "tests::a_result_of_the_real_store_is_read",
        "tests::a_result_of_my_choice_is_written_into_the_real_store",
      ].sort(),
    );
    // What the test wrote stayed in its fork.
    const store = await openStarknetExecutionStore({ rpcUrl, address });
    expect(await store.status(contractTaskHash(1))).to.equal("none");
  });

  it("reads the mock from modules, and throws for reads that a devnet cannot answer", async () => {
    const address = await ownStarknetMock(options);
    const taskHash = contractTaskHash(2);
    await finalizeTasksOnStarknet({ ...options, address, results: [{ taskHash, word: WORD }] });
    const provider = new RpcProvider({ nodeUrl: rpcUrl });
    const block = headerSchema.parse(await provider.getBlockWithTxHashes("latest"));
    const number = BigInt(block.block_number);
    const read = starknetReaders({
      starknet: { SN_SEPOLIA: readFrom(rpcUrl) },
      timeouts: TIMEOUTS,
    });
    const reader = await read(SN_SEPOLIA);
    if (reader === undefined) throw new Error("No reader.");
    const expected: Readonly<Partial<Record<StarknetHeaderField, bigint>>> = {
      blockNumber: number,
      stateRoot: BigInt(block.new_root),
      sequencerAddress: BigInt(block.sequencer_address),
      blockTimestamp: BigInt(block.timestamp),
      transactionCount: BigInt(block.transactions.length),
      parentBlockHash: BigInt(block.parent_hash),
      l1GasPriceInWei: BigInt(block.l1_gas_price.price_in_wei),
      l1DataGasPriceInFri: BigInt(block.l1_data_gas_price.price_in_fri),
      l1DataMode: block.l1_da_mode === "BLOB" ? 1n : 0n,
      protocolVersion: shortStringFelt(block.starknet_version),
    };
    for (const [field, value] of Object.entries(expected)) {
      expect(await reader.header(number, field as StarknetHeaderField), field).to.deep.equal({
        value,
        proven: false,
      });
    }
    const slot = resultStorageAddress(taskHash, hash);
    const keys = [0n, 1n, 2n].map((offset) => toHex(slot + offset));
    // In one batch, and before the result was there.
    const found = await Promise.all(
      [number, number - 1n].flatMap((at) =>
        keys.map(async (key) => await reader.storage(at, address, key)),
      ),
    );
    const felts = [2n, BigInt(WORD) % 2n ** 128n, BigInt(WORD) >> 128n, 0n, 0n, 0n];
    expect(found).to.deep.equal(felts.map((value) => ({ value, proven: false })));
    const unanswered = await hdpFailure(reader.header(number, "transactionCommitment"));
    expect(unanswered.code).to.equal("HDP-7119");
    expect(unanswered.message)
      .to.contain("transactionCommitment")
      .and.contain("Allowed: blockNumber, ");
    const unknown = number + 1000n;
    const reads = [
      async () => await reader.header(unknown, "stateRoot"),
      async () => await reader.storage(unknown, address, "0x1"),
    ];
    for (const ask of reads) {
      const error = await hdpFailure(ask());
      expect(error.code).to.equal("HDP-4103");
      expect(error.message).to.contain("Block not found").and.not.contain(rpcUrl);
    }
    // Why nothing here is proven: a devnet keeps no tries.
    const proof = { block_id: "latest", contract_addresses: [address] };
    const refused = await devnet.call("starknet_getStorageProof", proof).then(String, String);
    expect(refused).to.contain("starknet_getStorageProof: ").and.match(/proof/i);
  });

  it("finds the mock in blocks with the numbers and hashes that starknet.js reads", async () => {
    const provider = new RpcProvider({ nodeUrl: rpcUrl });
    const address = await ownStarknetMock(options);
    const at = await openStarknetExecutionStore({ rpcUrl, address });
    expect(BigInt(at.address)).to.equal(
      BigInt(
        hash.calculateContractAddressFromHash(
          "0x686172646861742d686470",
          hashes.classHash,
          [options.accountAddress],
          0,
        ),
      ),
    );
    const latest = z
      .object({ block_number: z.number(), block_hash: z.string() })
      .parse(await provider.getBlock("latest"));
    expect(latest.block_number).to.equal(await provider.getBlockNumber());
    expect(
      z
        .object({ block_hash: z.string() })
        .parse(await devnet.call("starknet_getBlockWithTxHashes", { block_id: "latest" }))
        .block_hash,
    ).to.equal(latest.block_hash);
  });
});

const SN_SEPOLIA = BigInt(constants.StarknetChainId.SN_SEPOLIA);
const TIMEOUTS = { request: 60_000, await: 60_000, rpc: 60_000 };
const price = z.object({ price_in_wei: z.string(), price_in_fri: z.string() });
const headerSchema = z.object({
  block_number: z.number(),
  new_root: z.string(),
  sequencer_address: z.string(),
  timestamp: z.number(),
  transactions: z.array(z.unknown()),
  parent_hash: z.string(),
  l1_gas_price: price,
  l1_data_gas_price: price,
  l1_da_mode: z.string(),
  starknet_version: z.string(),
});

function readFrom(rpcUrl: string): StarknetConfig {
  const url = async (): Promise<string> => await Promise.resolve(rpcUrl);
  return {
    rpcUrl: {
      _type: "ResolvedConfigurationVariable",
      format: "{variable}",
      get: url,
      getUrl: url,
      getBigInt: async () => await Promise.resolve(0n),
      getHexString: async () => await Promise.resolve(""),
    },
    executionStore: undefined,
    entrypoint: undefined,
    account: undefined,
  };
}

/** Marks a task as scheduled, which only the mock itself offers. */
type Words = readonly Hex[];

/** Calls the mock with words of 32 bytes, as any account may. */
async function invoke(
  options: StarknetAccountOptions,
  address: string,
  entrypoint: string,
  words: Words,
): Promise<void> {
  const { openAccount } = await import("../../src/store/starknet/starknet-account.js");
  const { executed, TRANSACTION, refused } =
    await import("../../src/store/starknet/starknet-transactions.js");
  await refused(entrypoint, async () => {
    const account = await openAccount(options);
    const calldata = words
      .map(BigInt)
      .flatMap((word) => [word % 2n ** 128n, word >> 128n].map(String));
    const sent = await account.execute(
      [{ contractAddress: address, entrypoint, calldata }],
      TRANSACTION,
    );
    await executed(account, sent.transaction_hash);
  });
}
