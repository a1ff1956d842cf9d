import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";
import { type Address, type Hex, zeroAddress } from "viem";
import { encodeDeployData, encodeFunctionData, getAddress } from "viem/utils";

import { failsAt, stuckAt } from "../../src/entries/faults.js";
import type { HdpError } from "../../src/errors/hdp-error.js";
import {
  account,
  asModule,
  type BlockSampled,
  blockSampled,
  erc20Balance,
  type DatalakeComputeTask,
  HDP_FORM,
  header,
  mappingSlot,
  type ModuleTask,
  storage,
  type Task,
  taskHash,
  taskRequest,
  toTaskRequestJson,
  type TransactionsInBlock,
  transactionsInBlock,
  tx,
  rootOfValue,
  inForm as inTaskForm,
} from "../../src/entries/request.js";
import { encodeCompute, encodeDatalake, encodeTask } from "../../src/request/task-hash.js";
import { programHashes } from "../../src/plugin/known-programs.js";
import { localSubmissions } from "../../src/plugin/project-database.js";
import { exitCode } from "../../src/tasks/failure.js";
import { EXPLAIN_WITHIN } from "../../src/plugin/explain-within.js";
import { explainTransaction } from "../../src/plugin/read-failures.js";
import { Session } from "../../src/plugin/session.js";
import { explainRead } from "../../src/submission/explain-read.js";
import type { KnownState } from "../../src/submission/read-finding.js";
import { SubmissionStore } from "../../src/submission/submission-store.js";
import { explanationLines } from "../../src/submission/explanation-lines.js";
import { compiledContract } from "../support/compiled-contract.js";
import { hdpFailure, rejection } from "../support/failure.js";
import { LONG_LIMITS, OWN_LIMITS } from "../support/patience.js";
import { root } from "../support/hardhat-cli.js";
import { serve } from "../support/rpc-server.js";
import { runCommand } from "../support/run-command.js";
import {
  removeProject,
  testProject,
  type TestProject,
  writeArtifact,
} from "../support/remote-project.js";

const ALICE: Address = `0x${"a1".repeat(20)}`;
const BOB: Address = `0x${"b0".repeat(20)}`;
const GWEI = 10n ** 9n;

const fee = blockSampled({ from: 0, to: 9, property: header("base_fee_per_gas") }).avg();
const nonces = blockSampled({ from: 4, to: 9, property: account(ALICE, "nonce") }).max();
const slots = blockSampled({ from: 4, to: 9, property: storage(ALICE, 3n) }).sum();
const count = blockSampled({ from: 0, to: 9, property: header("base_fee_per_gas") }).count(
  "gt",
  7n,
);
const transfers = transactionsInBlock({
  block: 7,
  from: 0,
  to: 4,
  property: tx("gas_limit"),
}).sum();
const module: ModuleTask = {
  type: "Module",
  programHash: "0x123",
  inputs: ["0x5", "0x6"].map((value) => ({ visibility: "public", value: value as Hex })),
};

const withBlocks = (task: DatalakeComputeTask, change: Partial<BlockSampled>): Task => ({
  ...task,
  datalake: { ...(task.datalake as BlockSampled), ...change },
});
const withTransactions = (change: Partial<TransactionsInBlock>): Task => ({
  ...transfers,
  datalake: { ...(transfers.datalake as TransactionsInBlock), ...change },
});

const MODULE_CLASS = "module_balance_Module.compiled_contract_class.json";

/** A task that is finalized, the one that a contract asks for, and the field in which they differ. */
interface Fault {
  readonly name: string;
  readonly finalized: Task;
  readonly asked: Task | Hex;
  readonly difference: string;
}

const FAULTS: readonly Fault[] = [
  {
    name: "the last block",
    finalized: fee,
    asked: withBlocks(fee, { blockRangeEnd: 10n }),
    difference: "blockRangeEnd (asked: 10, there: 9)",
  },
  {
    name: "the first block",
    finalized: fee,
    asked: withBlocks(fee, { blockRangeStart: 1n }),
    difference: "blockRangeStart (asked: 1, there: 0)",
  },
  {
    name: "a far last block",
    finalized: fee,
    asked: withBlocks(fee, { blockRangeEnd: 63n }),
    difference: "blockRangeEnd (asked: 63, there: 9)",
  },
  {
    name: "a moved range",
    finalized: nonces,
    asked: withBlocks(nonces, { blockRangeStart: 5n, blockRangeEnd: 10n }),
    difference: "blockRangeEnd (asked: 10, there: 9)",
  },
  {
    name: "the step",
    finalized: fee,
    asked: withBlocks(fee, { increment: 3n }),
    difference: "increment (asked: 3, there: 1)",
  },
  {
    name: "the chain",
    finalized: fee,
    asked: withBlocks(fee, { chainId: "OPTIMISM_MAINNET" }),
    difference: "chainId (asked: OPTIMISM_MAINNET, there: ETHEREUM_SEPOLIA)",
  },
  {
    name: "the property",
    finalized: fee,
    asked: withBlocks(fee, { sampledProperty: header("gas_used") }),
    difference: "sampledProperty (asked: header.gas_used, there: header.base_fee_per_gas)",
  },
  {
    name: "the account's field",
    finalized: nonces,
    asked: withBlocks(nonces, { sampledProperty: account(ALICE, "balance") }),
    difference: "sampledProperty (asked: account.balance, there: account.nonce)",
  },
  {
    name: "the function",
    finalized: fee,
    asked: { ...fee, compute: { aggregateFnId: "max" } },
    difference: "aggregateFnId (asked: max, there: avg)",
  },
  {
    name: "the slot",
    finalized: slots,
    asked: withBlocks(slots, { sampledProperty: storage(ALICE, 4n) }),
    difference: `slot (asked: 0x${"0".repeat(63)}4, there: 0x${"0".repeat(63)}3)`,
  },
  {
    name: "the operator",
    finalized: count,
    asked: blockSampled({ from: 0, to: 9, property: header("base_fee_per_gas") }).count("lt", 7n),
    difference: "operator (asked: lt, there: gt)",
  },
  {
    name: "the value",
    finalized: count,
    asked: blockSampled({ from: 0, to: 9, property: header("base_fee_per_gas") }).count("gt", 8n),
    difference: "valueToCompare (asked: 8, there: 7)",
  },
  {
    name: "the unit of the value",
    finalized: count,
    asked: blockSampled({ from: 0, to: 9, property: header("base_fee_per_gas") }).count(
      "gt",
      7n * GWEI,
    ),
    difference: "valueToCompare (asked: 7000000000, there: 7)",
  },
  {
    name: "the block of transactions",
    finalized: transfers,
    asked: withTransactions({ targetBlock: 8n }),
    difference: "targetBlock (asked: 8, there: 7)",
  },
  {
    name: "the end of transactions",
    finalized: transfers,
    asked: withTransactions({ endIndex: 3n }),
    difference: "endIndex (asked: 3, there: 4)",
  },
  {
    name: "the types of transactions",
    finalized: transfers,
    asked: withTransactions({
      includedTypes: { legacy: true, eip2930: true, eip1559: true, eip4844: false },
    }),
    difference:
      "includedTypes (asked: legacy, eip2930, eip1559, there: legacy, eip2930, eip1559, eip4844)",
  },
  {
    name: "the form",
    finalized: fee,
    asked: asModule(fee),
    difference: "form (asked: module, there: datalake)",
  },
  {
    name: "the encoding",
    finalized: fee,
    asked: taskHash(fee, { datalakeEncoding: "without-chain-id" }),
    difference: "encoding (asked: without-chain-id, there: with-chain-id)",
  },
  {
    name: "an input",
    finalized: module,
    asked: { ...module, inputs: module.inputs.with(1, { visibility: "public", value: "0x7" }) },
    difference: "inputs[1] (asked: 0x7, there: 0x6)",
  },
  {
    name: "the number of inputs",
    finalized: module,
    asked: { ...module, inputs: module.inputs.slice(0, 1) },
    difference: "inputs[1] (asked: none or private, there: 0x6)",
  },
];

/** What is asked of a node to explain a failure, beside calls. */
const EXPLAINING = /^(debug_traceCall|hardhat_metadata|eth_getLogs)$/;

const hashOf = (task: Task | Hex): Hex => (typeof task === "string" ? task : taskHash(task));

describe("plugin: why a read failed", () => {
  let project: TestProject;
  let connection: NetworkConnection;
  let store: Address;
  let reader: Address;
  let checks: Address;
  let from: Address;
  const { abi } = compiledContract("ResultsHarness");
  const { abi: checksAbi } = compiledContract("ChecksHarness");

  const send = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    await connection.provider.request({ method, params: [...params] });

  async function deployed(name: string): Promise<Address> {
    const { bytecode } = compiledContract(name);
    const hash = await send("eth_sendTransaction", { from, data: bytecode });
    const receipt = await send("eth_getTransactionReceipt", hash);
    return (receipt as { contractAddress: Address }).contractAddress;
  }

  /** The error of a call of a contract. */
  async function errorOf(call: object, method = "eth_call"): Promise<Error> {
    const answer = await send(method, { from, ...call }).catch((error: unknown) => error);
    if (answer instanceof Error) return answer;
    throw new Error("the call did not fail");
  }

  const readOf = (task: Task | Hex, of: Address = store): { to: Address; data: Hex } => ({
    to: reader,
    data: encodeFunctionData({ abi: abi, functionName: "read", args: [of, hashOf(task)] }),
  });

  const bringing = (
    task: { readonly hash: Hex; readonly form: number },
    value: bigint,
  ): { to: Address; data: Hex } => ({
    to: checks,
    data: encodeFunctionData({
      abi: checksAbi,
      functionName: "requireValue",
      args: [store, task, value],
    }),
  });

  before(async () => {
    project = await testProject({
      networks: { plain: { type: "edr-simulated" } },
      hdp: { chains: { ETHEREUM_MAINNET: "plain" } },
    });
  });
  after(async () => {
    Object.assign(EXPLAIN_WITHIN, LONG_LIMITS);
    await removeProject(project);
  });
  beforeEach(async () => {
    Object.assign(EXPLAIN_WITHIN, LONG_LIMITS);
    connection = await project.hre.network.create();
    [from] = (await send("eth_accounts")) as [Address];
    store = (await connection.hdp.deployExecutionStore()).address;
    reader = await deployed("ResultsHarness");
    checks = await deployed("ChecksHarness");
  });

  for (const { name, finalized, asked, difference } of FAULTS) {
    it(`names ${name}`, async () => {
      await connection.hdp.finalize(finalized, `0x${"00".repeat(31)}07`);
      const { message } = await errorOf(readOf(asked));
      const found = message.split("\n").filter((line) => line.includes("Difference:"));
      expect(found.map((line) => line.trim())).to.include(`Difference: ${difference}`);
      expect(found).to.have.length(name === "a moved range" ? 2 : 1);
    });
  }

  it("names the address that another task of the project has", async () => {
    const ofBob = withBlocks(nonces, { sampledProperty: account(BOB, "nonce") });
    await connection.hdp.finalize(nonces, 1n);
    await connection.hdp.task(ofBob);
    const { message } = await errorOf(readOf(ofBob));
    expect(message).to.contain(`Difference: address (asked: ${BOB}, there: ${ALICE})`);
  });

  it("names the program", async () => {
    const other: ModuleTask = { ...module, programHash: "0x124" };
    await connection.hdp.finalize(module, `0x${"00".repeat(32)}`);
    await connection.hdp.task(other);
    const { message } = await errorOf(readOf(other));
    expect(message).to.contain("Difference: programHash (asked: 0x124, there: 0x123)");
  });

  it("says that the asked program hash is the flat hash of a class that the project has", async () => {
    const file = join(root, "examples/module-balance/compiled", MODULE_CLASS);
    const { programHash, flatProgramHash } = await programHashes(file, project.root);
    expect(await connection.hdp.program.register(file)).to.equal(programHash);
    await connection.hdp.finalize({ ...module, programHash }, `0x${"00".repeat(32)}`);
    const { message } = await errorOf(readOf({ ...module, programHash: flatProgramHash }));
    expect(message).to.contain(
      `Difference: programHash (asked: ${flatProgramHash}, there: ${programHash})`,
    );
    expect(message).to.contain("The asked program hash is the flat hash of the same class");
  });

  it("names an input that is another contract of the chain", async () => {
    const feed = (value: Address): ModuleTask => ({
      ...module,
      inputs: module.inputs.with(1, { visibility: "public", value }),
    });
    await connection.hdp.finalize(feed(ALICE), `0x${"00".repeat(32)}`);
    expect((await errorOf(readOf(feed(checks)))).message).to.contain(
      `Difference: inputs[1] (asked: ${checks}, there: ${ALICE})`,
    );
  });

  it("names the argument that an input is of, by the class of the program", async () => {
    const file = join(root, "examples/module-balance/compiled", MODULE_CLASS);
    const programHash = await connection.hdp.program.register(file);
    const inputs = ["0x1", "0x2", "0x3", "0x4"].map(
      (value) => ({ visibility: "public", value: value as Hex }) as const,
    );
    const task: ModuleTask = { type: "Module", programHash, inputs };
    await connection.hdp.finalize(task, `0x${"00".repeat(32)}`);
    const other = { visibility: "public", value: "0x7" } as const;
    const { message } = await errorOf(readOf({ ...task, inputs: inputs.with(1, other) }));
    expect(message).to.contain("Difference: inputs[1], account (asked: 0x7, there: 0x2)");
    // Inputs that are not those of the class have no names.
    await connection.hdp.finalize({ ...task, inputs: inputs.slice(1) }, `0x${"00".repeat(32)}`);
    const short = { ...task, inputs: inputs.slice(1).with(1, other) };
    expect((await errorOf(readOf(short))).message).to.contain(
      "Difference: inputs[1] (asked: 0x7, there: 0x3)",
    );
  });

  it("names inputs that are swapped, missing or too many", async () => {
    await connection.hdp.finalize(module, `0x${"00".repeat(32)}`);
    const { inputs } = module;
    const asking = async (others: ModuleTask["inputs"]): Promise<string> =>
      (await errorOf(readOf({ ...module, inputs: others }))).message;
    const swapped = await asking([...inputs].reverse());
    expect(swapped).to.contain("Difference: inputs[0] (asked: 0x6, there: 0x5)");
    expect(swapped).to.contain("Difference: inputs[1] (asked: 0x5, there: 0x6)");
    expect(await asking(inputs.slice(1))).to.contain(
      "Difference: inputs[0] (asked: none or private, there: 0x5)",
    );
    expect(await asking(inputs.slice(0, 1))).to.contain(
      "Difference: inputs[1] (asked: none or private, there: 0x6)",
    );
    expect(await asking([...inputs, { visibility: "public", value: "0x0" }])).to.contain(
      "Difference: inputs[2] (asked: 0x0, there: none or private)",
    );
  });

  it("names a slot of the caller where that of another holder is finalized", async () => {
    const balance = (holder: Address): Task =>
      blockSampled({ from: 1, to: 3, property: erc20Balance(BOB, holder, { slot: 2n }) }).min();
    await connection.hdp.finalize(balance(ALICE), 5n);
    const { message } = await errorOf(readOf(balance(from)));
    expect(message).to.match(/Difference: slot \(asked: 0x\w{64}, there: 0x\w{64}\)/);
    expect(message).to.contain(`The asked slot is that of ${from} in a mapping at slot 2.`);
    // Nothing says whose the other slot is: its holder is no account of the call or of the node.
    expect(message).to.not.contain("The slot there");
  });

  it("names a slot of an account of the node that the call does not have", async () => {
    const [, second] = (await send("eth_accounts")) as [Address, Address];
    const balance = (slot: bigint): Task =>
      blockSampled({ from: 1, to: 3, property: erc20Balance(BOB, second, { slot }) }).min();
    await connection.hdp.finalize(balance(1n), 5n);
    const { message } = await errorOf(readOf(balance(4n)));
    expect(message).to.contain(`The asked slot is that of ${second} in a mapping at slot 4.`);
    expect(message).to.contain(`The slot there is that of ${second} in a mapping at slot 1.`);
  });

  it("names a value whose decimal point is moved", async () => {
    await connection.hdp.finalize(count, 5n);
    for (const value of [70n, 700n, 7_000n]) {
      const compute = {
        ...count.compute,
        aggregateFnCtx: { operator: "gt", valueToCompare: value },
      };
      const { message } = await errorOf(readOf({ ...count, compute } as Task));
      expect(message).to.contain(`Difference: valueToCompare (asked: ${value}, there: 7)`);
    }
  });

  it("says that the contract was given no task, and that a hash was mistyped", async () => {
    await connection.hdp.finalize(fee, 7n);
    const none = await errorOf(readOf(`0x${"00".repeat(32)}`));
    expect(none.message).to.contain("The hash is zero: the contract was given no task.");
    const hash = taskHash(fee);
    const mistyped: Hex = `0x${hash.slice(2, 64)}${hash.endsWith("00") ? "11" : "00"}`;
    const { message } = await errorOf(readOf(mistyped));
    expect(message).to.contain(`Difference: taskHash (asked: ${mistyped}, there: ${hash})`);
    expect(message).to.contain("differs from the nearest in few digits");
    expect(message).to.contain("Nearest:    average of header.base_fee_per_gas");
  });

  it("says that the call read a block from before the result", async () => {
    const before = await send("eth_blockNumber");
    await connection.hdp.finalize(fee, 7n);
    const error = await send("eth_call", { from, ...readOf(fee) }, before).catch(
      (failure: unknown) => failure,
    );
    expect(String(error)).to.contain(
      "It is finalized by now: the call came before its result, or read an earlier block.",
    );
    expect(String(error)).not.to.contain("mine a block");
  });

  it("names the store in which the task is finalized", async () => {
    const first = store;
    const { address: second } = await connection.hdp.deployExecutionStore();
    await connection.hdp.finalize(fee, 7n);
    const { message } = await errorOf(readOf(fee, first));
    expect(message.toLowerCase()).to.contain(
      `difference: store (asked: ${first}, there: ${second})`.toLowerCase(),
    );
    const accounts = (await send("eth_accounts")) as readonly string[];
    expect(message.toLowerCase()).to.contain(
      `store ${second} was deployed by ${String(accounts.at(-1))}.`.toLowerCase(),
    );
    expect(message).to.contain("The other store is that in use: give the contract that one.");
    await connection.hdp.store.use(first);
    expect((await errorOf(readOf(fee, first))).message).to.contain(
      "The asked store is that in use: finalize the task there.",
    );
  });

  it("says that the chain was reverted", async () => {
    const snapshot = await send("evm_snapshot");
    await connection.hdp.finalize(fee, 7n);
    await send("evm_revert", snapshot);
    const { message } = await errorOf(readOf(fee));
    expect(message).to.contain("the chain was reverted to a snapshot from before that");
  });

  it("says that the result is not mined yet", async () => {
    await send("evm_setAutomine", false);
    const finalizing = connection.hdp.finalize(fee, 7n);
    let message = "";
    for (let tries = 0; tries < 50 && !message.includes("pending block"); tries++)
      ({ message } = await errorOf(readOf(fee)));
    expect(message).to.contain("Its result is in the pending block: mine a block first.");
    await send("evm_mine");
    await finalizing;
  });

  it("names a submission that nobody awaited", async () => {
    connection.hdp.faults.inject(stuckAt("Sampled"));
    const { id } = await connection.hdp.submit(
      blockSampled({ from: 0, to: 0, property: header("number") }).sum(),
    );
    const asked = blockSampled({ from: 0, to: 0, property: header("number") }).sum();
    const { message } = await errorOf(readOf(asked));
    expect(message).to.contain(`Submission ${id} of it has no result yet (accepted): await it.`);
  });

  it("names a submission whose result comes while the read is explained, and no reverted chain", async () => {
    const asked = blockSampled({ from: 0, to: 0, property: header("gas_limit") }).max();
    connection.hdp.faults.inject(stuckAt("Sampled"));
    const submission = await connection.hdp.submit(asked);
    const { provider } = connection;
    const request = provider.request.bind(provider);
    provider.request = async (args): Promise<unknown> => {
      const answer: unknown = await request(args);
      if (args.method !== "eth_getLogs") return answer;
      // The events are read, and the rest is not.
      provider.request = request;
      await connection.hdp.finalize(asked, 7n);
      return answer;
    };
    const { message } = await errorOf(readOf(asked)).finally(() => (provider.request = request));
    expect(message).to.contain(`Submission ${submission.id} of it has no result yet`);
    expect(message).to.not.contain("reverted to a snapshot");
  });

  it("names a submission that failed, as soon as somebody awaited it", async () => {
    connection.hdp.faults.inject(failsAt("Sampled", "no such block"));
    const asked = blockSampled({ from: 0, to: 0, property: header("number") }).min();
    const submission = await connection.hdp.submit(asked);
    const error = await rejection(connection.hdp.await(submission));
    expect(error).to.have.property("code", "HDP-4406");
    const { message } = await errorOf(readOf(asked));
    expect(message).to.contain(
      `Submission ${submission.id} of it ended (failed): no such block. Correct that, and submit it again.`,
    );
  });

  it("names the task whose result was brought", async () => {
    for (const form of ["datalake", "module"] as const) {
      const [smallest, largest] = [fee, { ...fee, compute: { aggregateFnId: "max" } } as const].map(
        (task) => inTaskForm(task, form),
      );
      if (smallest === undefined || largest === undefined) throw new Error("two tasks");
      await connection.hdp.finalize(smallest, 7n);
      await connection.hdp.finalize(largest, 9n);
      const task = { hash: taskHash(largest), form: HDP_FORM[form] };
      const { message } = await errorOf(bringing(task, 7n));
      expect(message).to.contain("Value of:   average of header.base_fee_per_gas, blocks 0..9");
      expect(message).to.contain("Difference: value (asked: 7, there: 9)");
      expect(message).to.contain("The value is the result of another task");
      expect((await errorOf(bringing(task, 8n))).message).to.not.contain("Value of:");
    }
  });

  it("says that a result was replaced where the earlier value is brought", async () => {
    for (const form of ["datalake", "module"] as const) {
      const task = inTaskForm(fee, form);
      await connection.hdp.finalize(task, 7n);
      await connection.hdp.finalize(task, 9n);
      const { message } = await errorOf(
        bringing({ hash: taskHash(task), form: HDP_FORM[form] }, 7n),
      );
      expect(message).to.contain("Difference: value (asked: 7, there: 9)");
      expect(message).to.contain(
        "It was the result of this task until another one was finalized: bring the new one.",
      );
      expect(message).to.not.contain("Value of:");
    }
  });

  it("says that a value was the task's until the chain was reverted", async () => {
    for (const form of ["datalake", "module"] as const) {
      const task = inTaskForm(fee, form);
      const snapshot = await send("evm_snapshot");
      await connection.hdp.finalize(task, 7n);
      await send("evm_revert", snapshot);
      await connection.hdp.finalize(task, 9n);
      const asked = { hash: taskHash(task), form: HDP_FORM[form] };
      const { message } = await errorOf(bringing(asked, 7n));
      expect(message).to.contain("Difference: value (asked: 7, there: 9)");
      expect(message).to.contain(
        "It was the result of this task until the chain was reverted to a snapshot from before that: bring the new one.",
      );
      expect((await errorOf(bringing(asked, 8n))).message).to.not.contain("reverted to");
    }
  });

  it("says that a value is the task's on another connection", async () => {
    const task = blockSampled({ from: 0, to: 3, property: header("gas_limit") }).sum();
    const other = await project.hre.network.create();
    await other.hdp.finalize(task, 700n);
    await connection.hdp.finalize(task, 9n);
    const asked = { hash: taskHash(task), form: HDP_FORM.datalake };
    const { message } = await errorOf(bringing(asked, 700n));
    expect(message).to.contain("Difference: value (asked: 700, there: 9)");
    expect(message).to.contain(
      "Another connection of this process finalized the task with it: each network.create() makes a chain.",
    );
    expect((await errorOf(bringing(asked, 8n))).message).to.not.contain("Another connection");
  });

  it("says that a value is the task's in another store, and which store is in use", async () => {
    const first = store;
    await connection.hdp.finalize(fee, 7n);
    const { address: second } = await connection.hdp.deployExecutionStore();
    await connection.hdp.finalize(fee, 9n);
    const task = { hash: taskHash(fee), form: HDP_FORM.datalake };
    const { message } = await errorOf(bringing(task, 9n));
    expect(message.toLowerCase()).to.contain(
      `difference: store (asked: ${first}, there: ${second})`.toLowerCase(),
    );
    expect(message).to.contain("Difference: value (asked: 9, there: 7)");
    expect(message).to.contain("It is the result of this task in the other store.");
    expect(message).to.contain("The other store is that in use: give the contract that one.");
    expect(message).to.not.contain("result of another task");
  });

  it("says that a value is of a later block than the call reads", async () => {
    await connection.hdp.finalize(fee, 7n);
    const block = await send("eth_blockNumber");
    await connection.hdp.finalize(fee, 9n);
    const call = bringing({ hash: taskHash(fee), form: HDP_FORM.datalake }, 9n);
    const error = await send("eth_call", { from, ...call }, block).catch((one: unknown) => one);
    expect(String(error)).to.contain("Difference: value (asked: 9, there: 7)");
    expect(String(error)).to.contain(
      "It is the result of this task by now: the call came before it was finalized, or read an earlier block.",
    );
    expect(String(error)).to.not.contain("another task");
  });

  /** Does something while `hdp.finalize` is about to send its transaction. */
  async function whileFinalizing<T>(task: Task, value: bigint, work: () => Promise<T>): Promise<T> {
    const { provider } = connection;
    const request = provider.request.bind(provider);
    const [reached, held] = [Promise.withResolvers(), Promise.withResolvers()];
    provider.request = async (args): Promise<unknown> => {
      if (args.method !== "eth_sendTransaction") return await request(args);
      reached.resolve(undefined);
      await held.promise;
      return await request(args);
    };
    const finalizing = connection.hdp.finalize(task, value);
    await reached.promise;
    const done = await work();
    held.resolve(undefined);
    await finalizing;
    provider.request = request;
    return done;
  }

  it("says that hdp.finalize had not ended when a read failed", async () => {
    const sentence = "hdp.finalize of it had not ended when the call failed: await it.";
    const read = async (): Promise<Error> => await errorOf(readOf(fee));
    expect((await whileFinalizing(fee, 7n, read)).message).to.contain(sentence);
    const task = { hash: taskHash(fee), form: HDP_FORM.datalake };
    const bring = async (): Promise<Error> => await errorOf(bringing(task, 9n));
    const { message } = await whileFinalizing(fee, 9n, bring);
    expect(message).to.contain("Difference: value (asked: 9, there: 7)");
    expect(message).to.contain(sentence);
    const other = withBlocks(fee, { blockRangeEnd: 3n });
    const assert = async (): Promise<unknown> =>
      await rejection(connection.hdp.assertions.finalized(other));
    expect(String(await whileFinalizing(other, 7n, assert))).to.contain(sentence);
    expect((await errorOf(bringing(task, 8n))).message).to.not.contain("hdp.finalize");
  });

  it("takes no small word for a root, of a task that is known nowhere", async () => {
    const hash: Hex = `0x${"5b".repeat(32)}`;
    await connection.hdp.finalize(hash, `0x${"00".repeat(31)}07`);
    const ofModule = { hash, form: HDP_FORM.module };
    const { message } = await errorOf(bringing(ofModule, 7n));
    expect(message).to.contain("Difference: form (asked: module, there: datalake)");
    expect(message).to.not.contain("The word of the result was brought");
    for (const form of [HDP_FORM.module, HDP_FORM.datalake]) {
      const error = await errorOf(bringing({ hash, form }, 900n));
      expect(error.message).to.contain("Difference: value (asked: 900, there: 7)");
      expect(error.message).to.not.contain("stored root");
    }
  });

  it("finds the value of a root that is known nowhere, by the digits and units of what was brought", async () => {
    const module = asModule(fee);
    await connection.hdp.task(module);
    await connection.hdp.finalize(taskHash(module), rootOfValue(599_007_548n));
    const task = { hash: taskHash(module), form: HDP_FORM.module };
    for (const brought of [5_990_075_480n, 599_007_548n * GWEI, 599_007_545n]) {
      const { message } = await errorOf(bringing(task, brought));
      expect(message).to.contain(`Difference: value (asked: ${brought}, there: 599007548)`);
      expect(message).to.not.contain("stands for another value");
    }
  });

  it("names a finalized submission whose result the chain has no more", () => {
    const records = new SubmissionStore({ now: Date.now });
    records.insert({
      id: "task-1",
      serviceId: "task-1",
      kind: "tasks",
      state: "finalized",
      forced: false,
      network: "default",
      processor: "local",
      parts: [],
    });
    const known: KnownState = {
      tasks: [{ task: fee, source: "this process" }],
      stored: [],
      finalizedHere: [],
      submissions: [records.byId("task-1")].filter((one) => one !== undefined),
      network: "default",
      deliveryOf: ({ network }) => network,
      valueOf: () => undefined,
    };
    const lines = explanationLines(explainRead({ taskHash: taskHash(fee), store }, known));
    expect(lines.at(-1)).to.equal(
      "Submission task-1 of it was finalized, and the store has no result any more: the chain was reverted, or its node has started anew. Submit it again.",
    );
  });

  it("says that another connection of the process finalized the task", async () => {
    const task = blockSampled({ from: 0, to: 1, property: header("gas_limit") }).sum();
    const sentence =
      "Another connection of this process finalized it, on its own chain: each network.create() makes one. Submit it, or finalize a value, on the contract's.";
    await connection.hdp.task(task);
    expect((await errorOf(readOf(task))).message).to.not.contain(sentence);
    const other = await project.hre.network.create();
    await other.hdp.finalize(task, 7n);
    const { message } = await errorOf(readOf(task));
    expect(message).to.contain(sentence).and.not.contain("is known from this process");
  });

  it("explains hdp.readResult as it does a contract's read", async () => {
    await connection.hdp.finalize(fee, 7n);
    const asked = withBlocks(fee, { blockRangeEnd: 10n });
    const error = await hdpFailure(connection.hdp.readResult(asked));
    expect(error.code).to.equal("HDP-3001");
    expect(error.message).to.contain("Difference: blockRangeEnd (asked: 10, there: 9)");
  });

  it("says that a value is of the other form", async () => {
    const { hash } = await connection.hdp.finalize(fee, 7n).then(() => ({ hash: taskHash(fee) }));
    const task = { hash, form: HDP_FORM.module };
    const { message } = await errorOf(bringing(task, 7n));
    expect(message).to.contain("Difference: form (asked: module, there: datalake)");
  });

  it("names the value that a task is finalized with", async () => {
    await connection.hdp.finalize(fee, 7n);
    const task = { hash: taskHash(fee), form: HDP_FORM.datalake };
    const { message } = await errorOf(bringing(task, 8n));
    expect(message).to.contain("Difference: value (asked: 8, there: 7)");
  });

  it("names the value that a task in the module form is finalized with", async () => {
    const module = asModule(fee);
    await connection.hdp.finalize(module, 7n);
    const task = { hash: taskHash(module), form: HDP_FORM.module };
    const { message } = await errorOf(bringing(task, 8n));
    expect(message).to.contain("Difference: value (asked: 8, there: 7)");
  });

  it("names the value that a run of a task in the module form finalized", async () => {
    const first = blockSampled({ from: 1, to: 3, property: header("number") }).sum();
    const { taskHash: hash } = (await connection.hdp.run(asModule(first)))[0];
    const task = { hash, form: HDP_FORM.module };
    const { message } = await errorOf(bringing(task, 8n));
    expect(message).to.contain("Difference: value (asked: 8, there: 6)");
  });

  it("says that the root was brought instead of the value that it stands for", async () => {
    const module = asModule(fee);
    await connection.hdp.finalize(module, 7n);
    const task = { hash: taskHash(module), form: HDP_FORM.module };
    const { message } = await errorOf(bringing(task, BigInt(rootOfValue(7n))));
    expect(message).to.contain(`Difference: value (asked: ${rootOfValue(7n)}, there: 7)`);
    expect(message).to.contain("The word of the result was brought: bring its value.");
    expect(message).to.not.contain("form (");
  });

  it("says of which number of the call a root is, and in which form it is stored", async () => {
    await connection.hdp.finalize(module, rootOfValue(15_250n));
    const args = [store, taskHash(module), 15_250n] as const;
    const data = encodeFunctionData({ abi: checksAbi, functionName: "requireFelt", args });
    const { message } = await errorOf({ to: checks, data });
    expect(message).to.contain("Difference: output (asked: felt 15250, there: marked_u256 15250)");
  });

  it("says that a stored root stands for another value where only the root is known", async () => {
    const module = asModule(fee);
    const root = rootOfValue(987_654n);
    await connection.hdp.task(module);
    await connection.hdp.finalize(taskHash(module), root);
    const task = { hash: taskHash(module), form: HDP_FORM.module };
    const { message } = await errorOf(bringing(task, 8n));
    expect(message).to.contain(`The stored root ${root} stands for another value than 8.`);
    expect(message).to.not.contain("Difference:");
  });

  it("names the value of a root that a submission's record has, of another process", async () => {
    const module = asModule(fee);
    const [hash, word] = [taskHash(module), rootOfValue(123n)];
    await connection.hdp.task(module);
    await connection.hdp.finalize(hash, word);
    const records = localSubmissions(Session.of(connection));
    records.insert({
      id: "of-a-command",
      kind: "tasks",
      state: "finalized",
      forced: false,
      network: "default",
      processor: "local",
      parts: [{ hash, identity: hash, live: true }],
    });
    // As a run records it: the number is the root, and the felts are what it is of.
    const computed = { taskHash: hash, word, store, value: BigInt(word) };
    records.recordComputed("of-a-command", [{ ...computed, output: [123n, 2n ** 128n] }]);
    const { message } = await errorOf(bringing({ hash, form: HDP_FORM.module }, 987_654n));
    expect(message).to.contain("Difference: value (asked: 987654, there: 123)");
  });

  it("names the network on which this process finalized the task, in a store of the same address", async () => {
    const task = blockSampled({ from: 0, to: 0, property: header("number") }).avg();
    const request = taskRequest({ destinationChainId: "ETHEREUM_MAINNET", tasks: [task] });
    const [result] = await connection.hdp.run(request);
    expect(result.store.toLowerCase()).to.equal(store.toLowerCase());
    const { message } = await errorOf(readOf(task));
    expect(message).to.contain("Difference: network (asked: default, there: plain)");
    expect(message).to.contain(
      `It was finalized for ETHEREUM_MAINNET on network "plain", in store ${result.store}`,
    );
    expect(message).to.not.contain("reverted to a snapshot");
  });

  it("names the network on which the task was submitted", async () => {
    const task = blockSampled({ from: 0, to: 0, property: header("number") }).max();
    const server = await project.hre.network.createServer("plain", "127.0.0.1", 0);
    const { address, port } = await server.listen();
    const networks = { localhost: { type: "http", url: `http://${address}:${port}` } } as const;
    const other = await testProject({ networks }, project.root);
    const { hdp } = await other.hre.network.create("localhost");
    const submission = await hdp.submit(task);
    await hdp.await(submission);

    // The node explains the same failure by what it knows, which is less.
    connection = await other.hre.network.create("localhost");
    store = (await connection.hdp.deployExecutionStore()).address;
    reader = await deployed("ResultsHarness");
    const asked = withBlocks(fee, { blockRangeEnd: 10n });
    await connection.hdp.finalize(fee, 7n);
    const sending = { ...readOf(asked), gas: "0x100000" };
    let failed = await errorOf(sending, "eth_sendTransaction");
    // A busy machine may cut a search.
    for (let tries = 0; tries < 20 && !failed.message.includes("Difference:"); tries++)
      failed = await errorOf(sending, "eth_sendTransaction");
    const once = [failed.message, failed.stack ?? ""].map(
      (text) => text.match(/asked store/g)?.length,
    );
    expect(once).to.deep.equal([1, 1]);
    expect(failed.message).to.contain("Difference: blockRangeEnd (asked: 10, there: 9)");

    // A transaction of another network than that which is asked.
    const last = (await send("eth_getBlockByNumber", "latest", false)) as { transactions: [Hex] };
    const [hash] = last.transactions;
    const elsewhere = await runCommand("why", { hash }, other.hre);
    expect(elsewhere.stdout).to.contain(
      `Network "localhost" has a transaction of this hash: npx hardhat hdp why ${hash} --network localhost`,
    );
    const document = JSON.parse(
      (await runCommand("why", { hash, json: true }, other.hre)).stdout,
    ) as object;
    expect(document).to.include({ cause: "unknown", transactionOn: "localhost" });
    const { globalOptions, config, network, userConfig } = other.hre;
    const onLocalhost = {
      globalOptions: { ...globalOptions, network: "localhost" },
      config,
      network,
      userConfig,
    };
    const missing = await runCommand("result", { taskHash: hashOf(asked) }, onLocalhost as never);
    expect(String(missing.error).match(/npx hardhat hdp why/g)).to.have.length(1);
    await server.close();
    connection = await other.hre.network.create();
    store = (await connection.hdp.deployExecutionStore()).address;
    reader = await deployed("ResultsHarness");
    const { message } = await errorOf(readOf(task));
    expect(message).to.contain("Difference: network (asked: default, there: localhost)");
    expect(message).to.contain(
      `${submission.id} of it was submitted on network "localhost" for ETHEREUM_SEPOLIA: its result is there.`,
    );
    expect(message).to.not.contain("submit it again");
  });

  it("says that a known task is not finalized where only an unrelated one is", async () => {
    const own = blockSampled({ from: 2_302, to: 2_303, property: header("number") }).sum();
    await connection.hdp.finalize(nonces, 7n);
    await connection.hdp.task(own);
    const { message } = await errorOf(readOf(own));
    expect(message).to.contain(
      "The task is known from this process: submit it, or finalize a value.",
    );
    expect(message).to.not.contain("Difference:");
  });

  it("says that a known task is not finalized beside a near one that is", async () => {
    // Blocks of no other test: a connection of this process that has the result would be named instead.
    const there = blockSampled({ from: 2_300, to: 2_309, property: header("number") }).avg();
    const near = withBlocks(there, { blockRangeEnd: 2_310n });
    await connection.hdp.finalize(there, 7n);
    await connection.hdp.task(near);
    const { message } = await errorOf(readOf(near));
    expect(message).to.contain("Difference: blockRangeEnd (asked: 2310, there: 2309)");
    expect(message).to.contain(
      "The task is known from this process: submit it, or finalize a value.",
    );
    const { message: ofForm } = await errorOf(readOf(asModule(there)));
    expect(ofForm).to.contain("form (asked: module, there: datalake)").and.not.contain("submit it");
  });

  it("names the chain of the connection where a contract took it for the task's", async () => {
    const ofModule = asModule(fee);
    await connection.hdp.finalize(ofModule, 7n);
    const chain = { visibility: "public", value: "0x7a69" } as const;
    const asked = { ...ofModule, inputs: ofModule.inputs.with(1, chain) };
    const { message } = await errorOf(readOf(asked));
    expect(message).to.contain(
      "Difference: chainId (asked: 31337, that of block.chainid, there: ETHEREUM_SEPOLIA)",
    );
    expect(message).to.contain("blocks 0..9 on chain 31337, 10 samples");
  });

  it("names form and encoding of a hash without chain id where the module form is finalized", async () => {
    await connection.hdp.finalize(asModule(fee), 7n);
    const old = taskHash(fee, { datalakeEncoding: "without-chain-id" });
    const { message } = await errorOf(readOf(old));
    expect(message).to.contain("Difference: form (asked: datalake, there: module)");
    expect(message).to.contain(
      "Difference: encoding (asked: without-chain-id, there: with-chain-id)",
    );
  });

  it("says that not all near tasks were tried where the search was cut, and only there", () => {
    const known: KnownState = {
      tasks: [{ task: fee, source: "this process" }],
      stored: [],
      finalizedHere: [],
      submissions: [],
      network: "default",
      deliveryOf: ({ network }) => network,
      valueOf: () => undefined,
    };
    const read = { taskHash: `0x${"12".repeat(32)}`, store } as const;
    const linesWith = (isOver: () => boolean): readonly string[] =>
      explanationLines(explainRead(read, { ...known, isOver })).slice(1, -1);
    expect(linesWith(() => true)).to.deep.equal([
      "No task that was tried in time has this hash; not all that are known here, or differ in one field, were.",
    ]);
    expect(linesWith(() => false)).to.deep.equal([
      "No task that is known here has this hash, nor one that was tried by changing a field.",
    ]);
  });

  it("names two fields that differ at once, and ranges far away", () => {
    const known: KnownState = {
      tasks: [{ task: fee, source: "this process" }],
      stored: [{ taskHash: taskHash(fee), store }],
      finalizedHere: [],
      submissions: [],
      network: "default",
      deliveryOf: ({ network }) => network,
      valueOf: () => undefined,
    };
    const differencesOf = (asked: Task): readonly string[] => {
      const read = { taskHash: taskHash(asked), store };
      const { differences } = explainRead(read, known);
      return differences.map((one) => `${one.field} ${one.asked} ${one.found}`);
    };
    const max = { compute: { aggregateFnId: "max" as const } };
    const gas = { sampledProperty: header("gas_used") };
    const end = "blockRangeEnd 10 9";
    const property = "sampledProperty header.gas_used header.base_fee_per_gas";
    expect([
      differencesOf({ ...withBlocks(fee, { blockRangeEnd: 10n }), ...max }),
      differencesOf(withBlocks(fee, { blockRangeEnd: 10n, ...gas })),
      differencesOf({ ...withBlocks(fee, gas), ...max }),
      differencesOf(withBlocks(fee, { blockRangeEnd: 1_009n })),
      differencesOf(withBlocks(fee, { blockRangeStart: 500n, blockRangeEnd: 509n })),
    ]).to.deep.equal([
      [end, "aggregateFnId max avg"],
      [end, property],
      [property, "aggregateFnId max avg"],
      ["blockRangeEnd 1009 9"],
      ["blockRangeStart 500 0", "blockRangeEnd 509 9"],
    ]);
  });

  describe("where the contract derives the hash itself", () => {
    const { abi: derivingAbi, bytecode: derivingCode } = compiledContract("DerivingHarness");
    const far = blockSampled({
      from: 65_111_111_100n,
      to: 65_111_111_109n,
      property: header("gas_used"),
    }).max();
    const ofFar = [
      "Difference: blockRangeStart (asked: 65111111100, there: 0)",
      "Difference: blockRangeEnd (asked: 65111111109, there: 9)",
      "Difference: sampledProperty (asked: header.gas_used, there: header.base_fee_per_gas)",
      "Difference: aggregateFnId (asked: max, there: avg)",
    ];
    let deriving: Address;

    async function derivingFrom(preimage: Hex): Promise<Address> {
      const data = encodeDeployData({ abi: derivingAbi, bytecode: derivingCode, args: [preimage] });
      const hash = await send("eth_sendTransaction", { from, data });
      const receipt = await send("eth_getTransactionReceipt", hash);
      return (receipt as { contractAddress: Address }).contractAddress;
    }

    const callOf = (to: Address, functionName: string, ...args: unknown[]) => ({
      to,
      data: encodeFunctionData({ abi: derivingAbi, functionName, args: [store, ...args] }),
    });

    const differencesOf = async (call: object, method?: string): Promise<readonly string[]> => {
      const { message } = await errorOf(call, method);
      const lines = message.split("\n").map((line) => line.trim());
      return lines.filter((line) => /^(Difference|The (asked )?slot)/.test(line));
    };

    beforeEach(async () => {
      deriving = await derivingFrom("0x");
      await connection.hdp.finalize(fee, `0x${"00".repeat(31)}07`);
    });

    it("names all fields in which the task differs, by what the call or the transaction hashed", async () => {
      const { datalake, compute } = far;
      const call = callOf(
        deriving,
        "readDatalake",
        encodeDatalake(datalake),
        encodeCompute(compute),
      );
      for (const method of ["eth_call", "eth_estimateGas", "eth_sendTransaction"])
        expect(await differencesOf(call, method), method).to.deep.equal(ofFar);
      expect(
        await differencesOf({ ...call, gas: "0x1e8480" }, "eth_sendTransaction"),
      ).to.deep.equal(ofFar);
      const ofModule = callOf(deriving, "readHashed", encodeTask(asModule(far)));
      const form = "Difference: form (asked: module, there: datalake)";
      expect(await differencesOf(ofModule)).to.deep.equal([...ofFar, form]);
    });

    it("names them where the contract hashed the task when it was made, or in an earlier transaction", async () => {
      const form = "Difference: form (asked: module, there: datalake)";
      const made = await derivingFrom(encodeTask(asModule(far)));
      expect(await differencesOf(callOf(made, "readKept"))).to.deep.equal([...ofFar, form]);
      const keeping = encodeFunctionData({
        abi: derivingAbi,
        functionName: "keep",
        args: [encodeTask(asModule(fee))],
      });
      await send("eth_sendTransaction", { from, to: made, data: keeping });
      expect(await differencesOf(callOf(made, "readKept"))).to.deep.equal([form]);
    });

    it("names them in hdp why of a hash that a contract derived when it was made", async () => {
      const hre = { ...project.hre };
      Object.assign(hre, {
        network: { getOrCreate: async () => await Promise.resolve(connection) },
      });
      await derivingFrom(encodeTask(asModule(far)));
      const { stdout } = await runCommand("why", { hash: taskHash(asModule(far)) }, hre);
      const form = "Difference: form (asked: module, there: datalake)";
      const lines = stdout.split("\n").map((line) => line.trim());
      expect(lines.filter((line) => line.startsWith("Difference"))).to.deep.equal([...ofFar, form]);
    });

    it("asks a live chain for no blocks to look for what was hashed earlier", async () => {
      const made = await derivingFrom(encodeTask(asModule(far)));
      const { provider } = connection;
      const request = provider.request.bind(provider);
      const asked: string[] = [];
      provider.request = async (args): Promise<unknown> => {
        asked.push(args.method);
        return await request(args);
      };
      const session = Session.of(connection);
      session.isDevelopment = async () => await Promise.resolve(false);
      const sent = await errorOf(
        { ...callOf(made, "readKept"), gas: "0x1e8480" },
        "eth_sendTransaction",
      );
      const { transactionHash } = sent as Error & { transactionHash: Hex };
      const explained = await explainTransaction(session, transactionHash);
      expect(explained).to.include({ cause: "unknown" });
      expect(asked).to.include("debug_traceTransaction").and.not.include("eth_getBlockByNumber");
    });

    it("says of what the slots of a nested mapping are the hashes whose keys are swapped", async () => {
      const mapping = (slot: bigint | Hex, key: Address): Hex => mappingSlot(BigInt(slot), key);
      const taskAt = (slot: Hex): Task =>
        blockSampled({ from: 4, to: 9, property: storage(ALICE, slot) }).max();
      const right = mapping(mapping(4n, ALICE), BOB);
      const asked = mapping(mapping(4n, BOB), ALICE);
      await connection.hdp.finalize(taskAt(right), `0x${"00".repeat(31)}07`);
      expect(
        await differencesOf(callOf(deriving, "readAllowance", ALICE, BOB, ALICE, 4n)),
      ).to.deep.equal([
        `Difference: slot (asked: ${asked}, there: ${right})`,
        `The asked slot is keccak256(abi.encode(${ALICE}, keccak256(abi.encode(${BOB}, 4)))).`,
        `The slot there is keccak256(abi.encode(${BOB}, keccak256(abi.encode(${ALICE}, 4)))).`,
      ]);
    });

    it("shows what was hashed that encodes no task", async () => {
      const { message } = await errorOf(callOf(deriving, "readHashed", "0xabcd"));
      expect(message).to.contain(
        "\n  The hash is that of 2 bytes, which encode no task: 0xabcd\n  The store has 1 result:",
      );
    });
  });

  it("says in which file of the project a hash is written that no known task has", async () => {
    const busy = (operator: "gt" | "gteq" | "lt", value: bigint): DatalakeComputeTask =>
      blockSampled({ from: 100, to: 110, property: header("gas_used") }).count(operator, value);
    const files: string[] = [];
    const write = async (path: string, text: string): Promise<void> => {
      const file = join(project.root, path);
      files.push(file);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    };
    const writeTask = async (task: Task): Promise<void> => {
      const request = toTaskRequestJson(taskRequest({ tasks: [task] }));
      await write("tasks/busy-blocks.json", JSON.stringify(request));
    };
    const linesOf = async (asked: Task | Hex): Promise<readonly string[]> => {
      const { message } = await errorOf(readOf(asked));
      return message.split("\n").filter((line) => line.includes(" is written in "));
    };
    const typesLine = (path: string, line: number, out = ""): string =>
      `  The asked hash is written in ${path}:${line} as tasks.busyBlocks, which hdp types wrote: it stays as it is when a task file changes. Write it again: npx hardhat hdp types${out}`;
    const stale = busy("gt", 10_000_000n);
    await writeTask(stale);
    await runCommand("types", {}, project.hre);
    files.push(join(project.root, "hdp-tasks.ts"));
    expect(await linesOf(stale)).to.deep.equal([]);
    await writeTask(busy("gteq", 25_000_000n));
    await connection.hdp.finalize(busy("gteq", 25_000_000n), 4n);
    expect(await linesOf(stale)).to.deep.equal([typesLine("hdp-tasks.ts", 25)]);
    const elsewhere = busy("gt", 77_000_000n);
    await writeTask(elsewhere);
    await runCommand("types", { out: "src/tasks.ts" }, project.hre);
    files.push(join(project.root, "src"));
    await writeTask(busy("gteq", 25_000_000n));
    expect(await linesOf(elsewhere)).to.deep.equal([
      typesLine("src/tasks.ts", 25, " --out src/tasks.ts"),
    ]);
    const near = busy("gteq", 25_000_001n);
    await write(
      "ignition/parameters.json",
      `{ "Busy": {\n  "task":\n    "${taskHash(near).toUpperCase().replace("0X", "0x")}" } }\n`,
    );
    // A near task is found, and the hash stays as it is nevertheless.
    expect(await linesOf(near)).to.deep.equal([
      "  The asked hash is written in ignition/parameters.json:3: it stays as it is when the task changes.",
    ]);
    await writeTask(busy("lt", 9n));
    await connection.hdp.finalize(busy("lt", 9n), 4n);
    const unknown: Hex = `0x${"c4".repeat(32)}`;
    await write("test/bytes.ts", `export const longer = "${unknown}c4";\n`);
    for (const path of ["node_modules/a/b.json", "artifacts/c.json", ".d/e.ts", "f.txt"])
      await write(path, JSON.stringify({ unknown }));
    expect(await linesOf(unknown)).to.deep.equal([]);
    await write("contracts/Busy.sol", `bytes32 constant TASK = ${unknown};`);
    expect(await linesOf(unknown)).to.have.length(1);
    for (const file of files) await rm(file, { recursive: true, force: true });
  });

  it("lists what is finalized where nothing is near", async () => {
    await connection.hdp.finalize(fee, 7n);
    let message = "was tried in time";
    // A busy machine may cut a search.
    for (let tries = 0; tries < 20 && message.includes("was tried in time"); tries++)
      ({ message } = await errorOf(readOf(`0x${"12".repeat(32)}`)));
    expect(message).to.contain("No task that is known here has this hash");
    expect(message).to.contain(`The store has 1 result:\n    ${taskHash(fee)}  average of`);
    expect(message).to.not.contain("Difference:");
  });

  it("explains transactions and gas estimates, in the message and in the stack", async () => {
    await connection.hdp.finalize(fee, 7n);
    const asked = readOf(withBlocks(fee, { blockRangeEnd: 10n }));
    for (const method of ["eth_call", "eth_estimateGas", "eth_sendTransaction"]) {
      const { message, stack } = await errorOf(asked, method);
      expect(message.match(/Difference:/g), method).to.have.length(1);
      expect(stack, method).to.contain("Difference: blockRangeEnd (asked: 10, there: 9)");
    }
  });

  it("keeps class, name, code and data of the error", async () => {
    const plain = await project.hre.network.create();
    const call = { to: reader, data: readOf(fee).data };
    const explained = await errorOf(call);
    expect(explained).to.include({ name: "SolidityError", code: 3, data: "0x1bee0d5a" });
    await plain.close();
  });

  it("says that nothing is deployed at what a contract takes for its store, and which store there is", async () => {
    const { message } = await errorOf(readOf(fee, ALICE));
    const [reason, advice] = message.split("\n").slice(-2);
    expect(reason?.trim().toLowerCase()).to.equal(
      `no contract is at ${ALICE} on network "default": it is a store of another chain, or one that a reverted snapshot or a restarted node removed.`,
    );
    expect(advice?.trim()).to.equal(
      `The store of network "default" is ${store}: give the contract that one.`,
    );
    expect((await errorOf(readOf(fee, zeroAddress))).message).to.contain(
      "The zero address is no store: the contract was given none.",
    );
  });

  it("names the network on which another connection of this process finalized the task", async () => {
    const other = await project.hre.network.create("plain");
    await other.hdp.finalize(fee, 7n);
    const { address } = await other.hdp.store.current();
    const { message } = await errorOf(readOf(fee));
    expect(message.split("\n").at(-1)).to.equal(
      `  It was finalized on network "plain", in store ${address}: its result is there.`,
    );
  });

  it("names the function of the store's kind where a contract calls that of the other kind", async () => {
    const call = (of: Address) => ({
      to: reader,
      data: encodeFunctionData({ abi, functionName: "costs", args: [of, taskHash(fee)] }),
    });
    const library = "  HdpResults of hardhat-hdp/contracts/libraries reads both kinds.";
    await connection.hdp.finalize(fee, 7n);
    for (const method of ["eth_call", "eth_sendTransaction"]) {
      const { message } = await errorOf(call(store), method);
      expect(message.split("\n").slice(1), method).to.deep.equal([
        `  Contract ${reader} called getFinalizedTaskResult of store ${store.toLowerCase()}, which is a satellite: its function is getDataProcessorFinalizedTaskResult.`,
        library,
      ]);
    }
    // A call that reverts without data, and asks no store.
    const { message } = await errorOf({ to: store, data: "0x12345678" });
    expect(message).to.not.contain("\n");
  });

  it("says that what a contract takes for its store is on the chain of another connection", async () => {
    const other = await project.hre.network.create();
    const own = await project.hre.network.create();
    const { address } = await other.hdp.deployExecutionStore();
    const [sender] = (await own.provider.request({ method: "eth_accounts" })) as [Address];
    const { bytecode } = compiledContract("ResultsHarness");
    const creation = { from: sender, data: bytecode };
    const hash: unknown = await own.provider.request({
      method: "eth_sendTransaction",
      params: [creation],
    });
    const params: unknown[] = [hash];
    const receipt: unknown = await own.provider.request({
      method: "eth_getTransactionReceipt",
      params,
    });
    const { contractAddress: to } = receipt as { contractAddress: Address };
    const args = [address, hashOf(fee)];
    const data = encodeFunctionData({ abi, functionName: "requireStore", args });
    const error: unknown = await rejection(
      own.provider.request({ method: "eth_call", params: [{ from: sender, to, data }] }),
    );
    if (!(error instanceof Error)) throw new Error("the call did not fail");
    expect(error.message.split("\n").slice(1)).to.deep.equal([
      `  ${address} is a store of another connection of this process: each network.create() makes a chain of its own, and there is none on this one.`,
      '  Network "default" has no store yet: await hdp.store.current() deploys a mock.',
    ]);
  });

  it("says that a contract is no store, and that the network has none yet", async () => {
    connection = await project.hre.network.create();
    const harness = await deployed("ResultsHarness");
    const { data } = readOf(fee, harness);
    const { message } = await errorOf({ to: harness, data });
    expect(message)
      .to.contain("is neither a satellite nor an execution store.")
      .and.contain('Network "default" has no store yet: await hdp.store.current() deploys a mock.');
  });

  it("explains nothing on a live chain unless it is asked", async () => {
    await connection.hdp.finalize(fee, 7n);
    const asked = readOf(withBlocks(fee, { blockRangeEnd: 10n }));
    Session.of(connection).isDevelopment = async () => await Promise.resolve(false);
    const { message } = await errorOf(asked);
    expect(message).to.contain("NotFinalized()").and.not.contain("asked store");
  });

  it("changes no error of another kind", async () => {
    const { message } = await errorOf({ to: reader, data: "0x12345678" });
    expect(message).to.not.contain("asked store");
  });

  it("explains a task hash and a transaction in hdp why alike", async () => {
    const { hre } = project;
    const shared = await hre.network.getOrCreate();
    connection = shared;
    store = (await shared.hdp.deployExecutionStore()).address;
    reader = await deployed("ResultsHarness");
    await shared.hdp.finalize(fee, 7n);
    const asked = withBlocks(fee, { blockRangeEnd: 10n });
    const run = await runCommand("why", { hash: taskHash(asked) }, hre);
    expect(run.stdout).to.contain("Difference: blockRangeEnd (asked: 10, there: 9)");
    expect(run.stdout).to.match(/Finalized: {2}average of header.base_fee_per_gas, blocks 0..9/);

    const json = await runCommand("why", { hash: taskHash(asked), json: true }, hre);
    const document = JSON.parse(json.stdout) as Record<string, unknown>;
    expect(document).to.include({ cause: "other-task", isFinalized: false });
    expect(document["differences"]).to.deep.equal([
      { field: "blockRangeEnd", asked: "10", found: "9" },
    ]);

    // Without a gas limit, Hardhat estimates the gas and sends nothing.
    const failed = await errorOf({ ...readOf(asked), gas: "0x100000" }, "eth_sendTransaction");
    const { transactionHash } = failed as unknown as { transactionHash: Hex };
    const ofTransaction = await runCommand("why", { hash: transactionHash }, hre);
    expect(ofTransaction.stdout).to.match(/Contract 0x[\da-f]{40} asked store/);
    expect(ofTransaction.stdout).to.contain("blockRangeEnd (asked: 10, there: 9)");

    const unknown = await runCommand("why", { hash: `0x${"5a".repeat(32)}` }, hre);
    expect(unknown.stdout).to.contain('Network "default" has no transaction of this hash either');

    const finalized = await runCommand("why", { hash: taskHash(fee) }, hre);
    expect(finalized.stdout).to.contain(`Task ${taskHash(fee)} is finalized in store`);
    expect(finalized.stdout).to.contain(
      'Looked up on network "default". To look on another, add --network and its name.',
    );

    shared.hdp.faults.inject(stuckAt("Sampled"));
    const stuck = blockSampled({ from: 0, to: 0, property: header("gas_used") }).max();
    const submission = await shared.hdp.submit(stuck);
    const pending = await runCommand("why", { hash: taskHash(stuck) }, hre);
    expect(pending.stdout).to.contain(`Submission ${submission.id} of it has no result yet`);
    expect(pending.stdout).to.match(/At the data processor: \w+ \(pending\)\./);
  });

  it("says of a transaction without a failed read how it ended", async () => {
    const { hre } = project;
    const settled = {
      type: "error",
      name: "AlreadySettled",
      inputs: [{ name: "id", type: "uint256" }],
    };
    await writeArtifact(project.root, "Insurance", { abi: [settled] });
    await hre.artifacts.clearCache();
    connection = await hre.network.getOrCreate();
    store = (await connection.hdp.deployExecutionStore()).address;
    reader = await deployed("ResultsHarness");
    await connection.hdp.finalize(fee, 7n);
    const read = readOf(fee);
    const sent = async (transaction: object): Promise<unknown> =>
      await send("eth_sendTransaction", { from, gas: "0x100000", ...transaction }).catch(
        // Hardhat has the hash at one of two places, by the kind of failure.
        (error: unknown) => {
          const { transactionHash, data } = error as Partial<Record<string, object>>;
          return transactionHash ?? (data as { transactionHash?: unknown }).transactionHash;
        },
      );
    /** What the command says of a transaction, which is no failure of the command, without the hash. */
    const endOf = async (hash: unknown): Promise<string> => {
      const { error, exitCode, stdout } = await runCommand("why", { hash }, hre);
      expect({ error, exitCode }).to.deep.equal({ error: undefined, exitCode: undefined });
      const [line = "", ...more] = stdout.trim().split("\n");
      expect(more).to.deep.equal([]);
      return line.replace(`Transaction ${String(hash)} `, "");
    };
    const documentOf = async (hash: unknown): Promise<unknown> =>
      JSON.parse((await runCommand("why", { hash, json: true }, hre)).stdout);

    const good = await sent(read);
    expect(await endOf(good)).to.equal("succeeded, and no read of a store failed in it.");
    expect(await documentOf(good)).to.deep.equal({
      networkName: "default",
      cause: "no-failed-read",
      transaction: { hash: good, state: "succeeded" },
    });
    expect(await endOf(await sent({ ...read, gas: "0x5b90" }))).to.match(
      /^ran out of gas \(\d+ of 23440 were used\): no read of a store failed in it\.$/,
    );
    // finalizeTasks([], []), by an account that is no operator.
    const words = [0x40n, 0x60n, 0n, 0n].map((word) => word.toString(16).padStart(64, "0"));
    const finalizing = await sent({ to: store, data: `0x0365292f${words.join("")}` });
    expect(await endOf(finalizing)).to.equal(
      "reverted with Unauthorized(): no read of a store failed in it.",
    );
    /** A constructor that reverts with an error of a contract, and with a small number where one is given. */
    const revertingWith = (selector: string, number?: string): object => {
      const argument = number === undefined ? "" : `60${number}600452`;
      const length = number === undefined ? "04" : "24";
      return { data: `0x63${selector}60e01b600052${argument}60${length}6000fd` };
    };
    const own = await sent(revertingWith("8fec535e", "01"));
    expect(await endOf(own)).to.equal(
      "reverted with AlreadySettled(1): no read of a store failed in it.",
    );
    expect(await documentOf(own)).to.deep.equal({
      networkName: "default",
      cause: "no-failed-read",
      transaction: { hash: own, state: "failed", reason: "reverted with AlreadySettled(1)" },
    });
    expect(await endOf(await sent(revertingWith("12345678")))).to.equal(
      "reverted with unknown error 0x12345678: no read of a store failed in it.",
    );
    // A contract's own NotFinalized(), without a store.
    expect(await endOf(await sent(revertingWith("1bee0d5a")))).to.equal(
      "reverted with NotFinalized(): no read of a store failed in it.",
    );
    expect(await endOf(await sent({ data: "0xfe" }))).to.match(
      /^failed \(.+\): no read of a store failed in it\.$/,
    );

    const other = await sent(readOf(fee, ALICE));
    const told = await runCommand("why", { hash: other }, hre);
    const account = getAddress(ALICE);
    expect(told.stdout.trim().split("\n")).to.deep.equal([
      `Transaction ${String(other)} reverted with NotAStore(${account}).`,
      `  No contract is at ${account} on network "default": it is a store of another chain, or one that a reverted snapshot or a restarted node removed.`,
      `  The store of network "default" is ${store}: give the contract that one.`,
    ]);
    expect(told.error).to.equal(undefined);
    expect(await documentOf(other)).to.deep.include({
      cause: "not-a-store",
      transaction: { hash: other, state: "failed", reason: `reverted with NotAStore(${account})` },
    });

    await send("evm_setAutomine", false);
    const waiting = await send("eth_sendTransaction", { from, ...read, gas: "0x100000" });
    expect(await endOf(waiting)).to.equal("is not mined yet: ask again once it is.");
    expect(await documentOf(waiting)).to.deep.equal({
      networkName: "default",
      cause: "no-failed-read",
      transaction: { hash: waiting, state: "pending" },
    });
    await send("evm_setAutomine", true);
    await send("evm_mine");
  });

  it("refuses a transaction that the node gives no trace of, and a text that is no hash", async () => {
    const { hre } = project;
    connection = await hre.network.getOrCreate();
    const hash = await send("eth_sendTransaction", { from, to: from });
    const { provider } = connection;
    const request = provider.request.bind(provider);
    provider.request = async (args): Promise<unknown> => {
      if (args.method === "debug_traceTransaction") throw new Error("no such method");
      return await request(args);
    };
    const { error } = await runCommand("why", { hash }, hre).finally(
      () => (provider.request = request),
    );
    expect(String(error)).to.contain(
      `HDP-6205: the node of network "default" gives no trace of transaction ${String(hash)} (debug_traceTransaction).`,
    );
    expect(exitCode(error)).to.equal(2);

    const short = (await runCommand("why", { hash: "0x1234" }, hre)).error as HdpError;
    expect(short.message.split("\n").slice(0, 3)).to.deep.equal([
      'HDP-3011 in hash: "0x1234" is not a task hash, nor a transaction\'s.',
      "  A task hash is 0x and 64 hexadecimal digits: `npx hardhat hdp hash` prints the hashes of a task file.",
      "  A transaction's hash has as many digits.",
    ]);
  });

  it("shows the call of the contract that asked, by the contracts of the project", async () => {
    const { abi: readerAbi, deployedBytecode } = compiledContract("ResultsHarness");
    await writeArtifact(project.root, "IReader", { abi: readerAbi });
    await writeArtifact(project.root, "Reader", { abi: readerAbi, deployedBytecode });
    const { hre } = await testProject({}, project.root);
    connection = await hre.network.getOrCreate();
    store = (await connection.hdp.deployExecutionStore()).address;
    reader = await deployed("ResultsHarness");
    await connection.hdp.finalize(fee, 7n);
    const unknown: Hex = `0x${"5a".repeat(32)}`;
    const line = (text: string): string | undefined =>
      text.split("\n").find((one) => one.startsWith("  Call: "));
    const call = `Reader.read(${getAddress(store)}, ${unknown})`;
    const ofCall = await errorOf(readOf(unknown));
    expect(line(ofCall.message)).to.equal(`  Call:       ${call}`);
    const sent = await errorOf({ ...readOf(unknown), gas: "0x100000" }, "eth_sendTransaction");
    expect(line(sent.message)).to.equal(`  Call:       ${call}`);

    const { transactionHash: hash } = sent as unknown as { transactionHash: Hex };
    expect(line((await runCommand("why", { hash }, hre)).stdout)).to.equal(`  Call:       ${call}`);
    const { stdout } = await runCommand("why", { hash, json: true }, hre);
    const { asked } = JSON.parse(stdout) as { readonly asked: unknown };
    expect(asked).to.include({ call });

    // A difference says more than the call.
    const near = withBlocks(fee, { blockRangeEnd: 10n });
    expect(line((await errorOf(readOf(near))).message)).to.equal(undefined);

    // Of two contracts with the function, that whose code is there; neither where another one calls them.
    await writeArtifact(project.root, "OtherReader", {
      abi: readerAbi,
      deployedBytecode: "0x6001",
    });
    await hre.artifacts.clearCache();
    expect(line((await errorOf(readOf(unknown))).message)).to.equal(`  Call:       ${call}`);
    await writeArtifact(project.root, "Reader", { abi: readerAbi, deployedBytecode: "0x6002" });
    await hre.artifacts.clearCache();
    expect(line((await errorOf(readOf(unknown))).message)).to.equal(
      `  Call:       read(${getAddress(store)}, ${unknown})`,
    );
    for (const name of ["IReader", "Reader", "OtherReader"])
      await rm(join(project.root, "artifacts", "contracts", `${name}.sol`), { recursive: true });
  });

  it("names the destination whose store has the result in hdp why, where that is on another network", async () => {
    const { hre } = project;
    const { hdp } = await hre.network.getOrCreate();
    const asked = blockSampled({ from: 0, to: 4, property: header("number") }).max();
    const destination = "ETHEREUM_MAINNET";
    const { store: other } = await hdp.finalize(asked, 4n, { destination });
    const { stdout } = await runCommand("why", { hash: taskHash(asked), destination }, hre);
    expect(stdout).to.contain(`is finalized in store ${other} of ETHEREUM_MAINNET.`);
    expect(stdout).to.contain(
      'That store is on network "plain": a contract on network "default" does not find the result there.',
    );
  });

  /** The project with a node as its network `shared`, which commands are told to use. */
  async function onNode<T>(work: (served: TestProject) => Promise<T>): Promise<T> {
    connection = await project.hre.network.create();
    const server = await serve(connection.provider);
    const networks = { shared: { type: "http" as const, url: server.url } };
    const served = await testProject({ networks }, undefined, "shared");
    return await work(served).finally(async () => {
      await removeProject(served);
      await server.close();
    });
  }

  it("says where a submission without --network goes, in hdp why of a task file on another network", async () => {
    await onNode(async ({ hre, root: folder }) => {
      const own = blockSampled({ from: 3, to: 8, property: header("number") }).max();
      const { hdp } = await hre.network.getOrCreate();
      await hdp.deployExecutionStore();
      await mkdir(join(folder, "tasks"));
      const request = taskRequest({ tasks: [own] });
      await writeFile(
        join(folder, "tasks", "fee.json"),
        JSON.stringify(toTaskRequestJson(request)),
      );
      const why = async (hash: Hex, of = hre): Promise<string> =>
        (await runCommand("why", { hash }, of)).stdout;
      const sentence =
        'A submission without --network goes to the in-process chain of network "default", which ends with its command. To submit here: npx hardhat hdp:submit tasks/fee.json --network shared';
      expect(await why(taskHash(own))).to.contain(
        `The task is known from tasks/fee.json: submit it, or finalize a value.\n  The store has no results.\n  ${sentence}`,
      );
      expect(await why(taskHash(withBlocks(own, { blockRangeEnd: 10n })))).to.not.contain(
        "without --network",
      );
      expect(await why(`0x${"5a".repeat(32)}`)).to.not.contain("without --network");
      const { hre: inProcess } = await testProject({}, folder);
      const here = await why(taskHash(own), inProcess);
      expect(here).to.contain("known from tasks/fee.json").and.not.contain("without --network");
      const withNodes = { ...hre.userConfig.networks };
      const { hre: withDefault } = await testProject(
        { networks: { ...withNodes, default: { type: "http", url: "http://127.0.0.1:1" } } },
        folder,
        "shared",
      );
      expect(await why(taskHash(own), withDefault)).to.not.contain("without --network");
    });
  });

  it("gives the advice of the store in use that is right on either side, in hdp why", async () => {
    await onNode(async ({ hre }) => {
      const { hdp } = await hre.network.getOrCreate();
      const first = await hdp.deployExecutionStore();
      await hdp.finalize(fee, 7n);
      const second = await hdp.deployExecutionStore();
      const why = async (address: Address): Promise<string> =>
        (await runCommand("why", { hash: taskHash(fee), store: address }, hre)).stdout;
      expect(await why(second.address)).to.contain(
        "  The asked store is that in use: finalize the task there.\n",
      );
      await hdp.finalize(count, 7n);
      const { stdout } = await runCommand(
        "why",
        { hash: taskHash(count), store: first.address },
        hre,
      );
      expect(stdout).to.contain(
        `  The other store is that in use: give the contract that one, or use the asked one from now on (npx hardhat hdp store use ${first.address} --network shared) and submit the task again, or finalize a value.\n`,
      );
    });
  });

  it("names a failed read that a contract caught in a transaction that succeeded", async () => {
    const { hre } = project;
    connection = await hre.network.getOrCreate();
    store = (await connection.hdp.deployExecutionStore()).address;
    reader = await deployed("ResultsHarness");
    await connection.hdp.finalize(fee, 7n);
    const asked = withBlocks(fee, { blockRangeEnd: 10n });
    const args = [store, taskHash(asked)];
    const data = encodeFunctionData({ abi, functionName: "tryRead", args });
    const hash = await send("eth_sendTransaction", { from, to: reader, data });
    const { stdout } = await runCommand("why", { hash: hash }, hre);
    expect(stdout.toLowerCase()).to.contain(`contract ${reader.toLowerCase()} asked store`);
    expect(stdout).to.contain("Difference: blockRangeEnd (asked: 10, there: 9)");
    expect(stdout).to.contain(
      "The transaction succeeded: a contract in it caught the failed read.",
    );
  });

  it("gives up after 120 ms where nothing is found, by a clock that each look at it moves by 1 ms", async () => {
    EXPLAIN_WITHIN.search = OWN_LIMITS.search;
    for (let to = 0; to < 150; to++)
      await connection.hdp.task(blockSampled({ from: 0, to, property: header("number") }).sum());
    const asked = readOf(`0x${"12".repeat(32)}`);
    await errorOf(asked);
    const real = performance.now.bind(performance);
    let looks = 0;
    performance.now = () => (looks += 1);
    await errorOf(asked).finally(() => (performance.now = real));
    // Those of the request itself, and of what asks the node, are among them.
    expect(looks).to.be.within(120, 160);
  });

  /** Lets the node answer what is asked to explain a failure as late as `before` says. */
  async function withNode<T>(before: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
    const { provider } = connection;
    const request = provider.request.bind(provider);
    provider.request = async (args): Promise<unknown> => {
      if (EXPLAINING.test(args.method)) await before();
      return await request(args);
    };
    return await work().finally(() => (provider.request = request));
  }

  it("says that no explanation was found in time where the node answers nothing that explains", async () => {
    EXPLAIN_WITHIN.all = OWN_LIMITS.all;
    const asked = withBlocks(fee, { blockRangeEnd: 10n });
    await connection.hdp.finalize(fee, 7n);
    const never = async (): Promise<never> => await new Promise(() => undefined);
    const { message } = await withNode(never, async () => await errorOf(readOf(asked)));
    const [first, ...lines] = message.split("\n");
    expect(first).to.contain("NotFinalized()");
    expect(lines).to.deep.equal(["  No explanation was found within 190 ms: run this test alone."]);
    const reading = async (): Promise<HdpError> =>
      await hdpFailure(connection.hdp.readResult(asked));
    expect((await withNode(never, reading)).code).to.equal("HDP-3001");
  });

  it("searches no longer than 190 ms after the failure, by a clock that the node moves by 50 ms with each answer", async () => {
    Object.assign(EXPLAIN_WITHIN, OWN_LIMITS);
    for (let to = 0; to < 150; to++)
      await connection.hdp.task(blockSampled({ from: 0, to, property: header("number") }).sum());
    const real = performance.now.bind(performance);
    let now = 0;
    performance.now = () => (now += 1);
    const slow = async (): Promise<void> => {
      now += 50;
      await Promise.resolve();
    };
    const unknown = async (): Promise<unknown> => await errorOf(readOf(`0x${"12".repeat(32)}`));
    await withNode(slow, unknown).finally(() => (performance.now = real));
    // Answers for the chain and for what the call hashed are under way at once.
    expect(now).to.be.at.most(1 + OWN_LIMITS.all + 4 * 50);
  });
});
