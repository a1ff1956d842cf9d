import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import hardhatIgnitionViem from "@nomicfoundation/hardhat-ignition-viem";
import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbi,
} from "viem";

import { executionStore } from "../../src/entries/ignition.js";
import {
  account,
  blockSampled,
  header,
  storage,
  taskHash,
  taskRequest,
  transactionsInBlock,
  tx,
  txReceipt,
  toTaskRequestJson,
} from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { encodeCompute, encodeDatalake } from "../../src/request/task-hash.js";
import { CLIENTS, type RunningClient, send } from "../support/clients.js";
import { compiledContract } from "../support/compiled-contract.js";
import { hdpFailure, rejection } from "../support/failure.js";
import { runCommand } from "../support/run-command.js";
import { ethCallClass } from "../support/eth-call-class.js";

const CLASS = ethCallClass();
const TO: Address = `0x${"bb".repeat(20)}`;
const SLOT: Hex = `0x${"00".repeat(31)}01`;

for (const client of CLIENTS) {
  describe(`hdp over ${client.name}`, () => {
    let folder: string;
    let running: RunningClient | undefined;
    let hre: HardhatRuntimeEnvironment;
    let connection: NetworkConnection;
    /** First and last of some blocks with transactions, and a contract that holds 42 in slot 1 from the first on. */
    let [from, to]: bigint[] = [];
    let contract: Address;

    /** The project in another process: nothing is remembered but what is on the disk. */
    const environment = async (): Promise<HardhatRuntimeEnvironment> => {
      const url = running?.url;
      return await createHardhatRuntimeEnvironment(
        {
          plugins: [hardhatHdp, hardhatViem, hardhatIgnitionViem],
          hdp: { local: { ethCallModule: CLASS } },
          // geth mines for transactions only: five confirmations would not come.
          ignition: { requiredConfirmations: 1, blockPollingInterval: 100 },
          networks: url === undefined ? {} : { live: { type: "http", url } },
        },
        url === undefined ? {} : { network: "live" },
        folder,
      );
    };

    before(async function () {
      const missing = client.missing();
      if (missing !== undefined) {
        console.log(`      skipped: ${missing}`);
        this.skip();
      }
      folder = await mkdtemp(join(tmpdir(), "hdp-nodes-"));
      await writeFile(join(folder, "package.json"), '{ "type": "module" }');
      running = await client.start();
      hre = await environment();
      connection = await hre.network.getOrCreate();
      const { provider } = connection;
      // SSTORE(1, 42), and no code.
      const deployed = await send(provider, { data: "0x602a60015560006000f3", gas: "0x30d40" });
      [from, contract] = [deployed.blockNumber, deployed.contractAddress];
      for (let sent = 0; sent < 3; sent += 1)
        ({ blockNumber: to } = await send(provider, { to: TO, value: "0x5" }));
      await client.mine(provider, 2);
    });
    after(async () => {
      await running?.stop();
      if (folder) await rm(folder, { recursive: true, force: true });
    });

    const range = () => ({ from: from ?? 0n, to: to ?? 0n });
    const balances = () => blockSampled({ ...range(), property: account(TO, "balance") }).max();

    it("submits, awaits and reads a task", async () => {
      const { hdp } = connection;
      const task = blockSampled({ ...range(), property: header("number") }).sum();
      const submission = await hdp.submit(task);
      expect(submission.taskHashes).to.deep.equal([taskHash(task)]);
      const { status, results } = await hdp.await(submission);
      expect(status.name).to.equal("Finalized");
      // geth seals empty blocks between transactions at times.
      const samples = Number(range().to - range().from) + 1;
      const sum = ((range().from + range().to) * BigInt(samples)) / 2n;
      expect((await results())[0]).to.include({ value: sum, samples, proven: true });
      expect(await hdp.readResult(task)).to.include({
        value: sum,
        store: (await hdp.store.current()).address,
      });
      await hdp.assertions.finalized(task, sum);
    });

    it("proves accounts, slots, transactions and receipts, and verifies each result", async () => {
      const { hdp } = connection;
      const inBlock = { block: range().to, from: 0, to: 1 } as const;
      const tasks = [
        balances(),
        blockSampled({ ...range(), property: storage(contract, SLOT) }).min(),
        blockSampled({ ...range(), property: account(`0x${"cc".repeat(20)}`, "nonce") }).sum(),
        transactionsInBlock({ ...inBlock, property: tx("value") }).sum(),
        transactionsInBlock({ ...inBlock, property: txReceipt("success") }).sum(),
      ];
      const request = taskRequest({ tasks });
      const results = await hdp.run(request);
      expect(results.map(({ value, proven }) => [value, proven])).to.deep.equal([
        [15n, true],
        [42n, true],
        [0n, true],
        [5n, true],
        [1n, true],
      ]);
      for (const one of await hdp.verify(request)) expect(one).to.include({ agrees: true });
      expect(await hdp.explain(balances())).to.include({ value: 15n, proven: true });
    });

    it("records what a task reads, for a chain that replays it", async () => {
      const recording = await connection.hdp.record(balances());
      const other = await (await environment()).network.create("default");
      const { stop } = await other.hdp.replay(recording);
      expect((await other.hdp.run(balances()))[0]).to.include({ value: 15n, proven: true });
      stop();
    });

    it("proves an eth_call and gives the client's own answer", async function () {
      const { hdp, provider } = connection;
      const { address } = await hdp.store.current();
      const abi = parseAbi(["function CHAIN_ID() view returns (uint256)"]);
      const answer = await hdp.ethCall({ to: address, abi, functionName: "CHAIN_ID" });
      const data = encodeFunctionData({ abi, functionName: "CHAIN_ID" });
      expect(answer.data).to.equal(
        await provider.request({ method: "eth_call", params: [{ to: address, data }, "latest"] }),
      );
      expect(answer.result).to.include({ proven: true });
    });

    it("finalizes chosen values, in the store that another process finds", async () => {
      const chosen = blockSampled({ from: 1, to: 2, property: header("gas_used") }).max();
      await connection.hdp.assertions.notFinalized(chosen);
      await connection.hdp.finalize(chosen, 7n);
      const { address } = await connection.hdp.store.current();
      if (running?.url === undefined) return;
      const { hdp } = await (await environment()).network.getOrCreate();
      expect(await hdp.store.current({ deploy: false })).to.include({ address, mock: true });
      expect(await hdp.readResult(chosen)).to.include({ value: 7n });
      expect((await hdp.deployExecutionStore()).address).to.not.equal(address);
      expect((await hdpFailure(hdp.readResult(chosen))).code).to.equal("HDP-3001");
      await hdp.store.use(address);
    });

    it("deploys a module of Ignition with the store", async () => {
      const store = await executionStore(connection);
      const module = buildModule("Store", (m) => ({ store: store(m) }));
      const { ignition } = connection as NetworkConnection & {
        readonly ignition: {
          deploy(one: typeof module): Promise<{ readonly store: { readonly address: Address } }>;
        };
      };
      const { store: deployed } = await ignition.deploy(module);
      await connection.hdp.store.use(deployed.address);
      expect((await connection.hdp.run(balances()))[0].store).to.equal(
        getAddress(deployed.address),
      );
    });

    it("serves the commands", async () => {
      const file = join(folder, "task.json");
      await writeFile(
        file,
        JSON.stringify(toTaskRequestJson(taskRequest({ tasks: [balances()] }))),
      );
      const submitted = await runCommand("submit", { file, force: true }, hre);
      expect(submitted.error, submitted.stderr).to.equal(undefined);
      expect(submitted.stdout).to.contain("proven under block");
      for (const [name, given] of [
        ["result", { taskHash: taskHash(balances()) }],
        ["verify", { task: file }],
        ["check", { file }],
        ["explain", { file }],
      ] as const) {
        const { error, stdout, stderr } = await runCommand(name, given, hre);
        expect(error, `${name}: ${stderr}`).to.equal(undefined);
        expect(stdout, name).to.not.equal("");
      }
    });

    it("decodes what a contract hashed, in the error of a call and in hdp why of a transaction", async () => {
      const { hdp, provider } = connection;
      const { abi, bytecode } = compiledContract("DerivingHarness");
      const task = blockSampled({ ...range(), property: header("gas_used") }).max();
      await hdp.run(task);
      const { address: store } = await hdp.store.current();
      const other = blockSampled({ from: 1_000_000, to: 1_000_099, property: header("gas_used") });
      const creation = encodeDeployData({ abi, bytecode, args: ["0x"] });
      const gas = "0x1e8480";
      const { contractAddress: to } = await send(provider, { data: creation, gas });
      const { datalake, compute } = other.max();
      const args = [store, encodeDatalake(datalake), encodeCompute(compute)];
      const data = encodeFunctionData({ abi, functionName: "readDatalake", args });
      const differences = [
        `Difference: blockRangeStart (asked: 1000000, there: ${range().from})`,
        `Difference: blockRangeEnd (asked: 1000099, there: ${range().to})`,
      ];
      const linesOf = (text: string): readonly string[] =>
        text.split("\n").flatMap((line) => /Difference: .*/.exec(line)?.[0] ?? []);
      const call = {
        from: ((await provider.request({ method: "eth_accounts" })) as Address[])[0],
        to,
        data,
      };
      const failed = await rejection(provider.request({ method: "eth_call", params: [call] }));
      expect(linesOf(String(failed))).to.deep.equal(differences);
      const request = { method: "eth_sendTransaction", params: [{ ...call, gas }] };
      // The chain in the process fails the request too, and mines the transaction.
      const sent: unknown = await provider.request(request).catch((error: unknown) => error);
      const hash =
        typeof sent === "string" ? sent : (sent as { transactionHash: Hex }).transactionHash;
      await client.mine(provider, 1);
      const { stdout, error } = await runCommand("why", { hash }, hre);
      expect(error).to.equal(undefined);
      expect(linesOf(stdout)).to.deep.equal(differences);
    });

    it("says which block is missing", async () => {
      const late = blockSampled({ from: 1, to: 1_000_000, property: header("number") }).sum();
      const { message } = await hdpFailure(connection.hdp.run(late));
      expect(message).to.contain("HDP-4101").and.contain("block 1000000 does not exist");
    });
  });
}
