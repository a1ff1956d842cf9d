import { expect } from "chai";
import {
  type Abi,
  decodeAbiParameters,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  toFunctionSelector,
} from "viem";

import {
  account,
  blockSampled,
  erc20Balance,
  erc7201,
  header,
  mappingSlot,
  rootOfValue,
  storage,
  transactionsInBlock,
  tx,
  txReceipt,
  encodeSampledProperty,
  taskHash,
  inForm as inTaskForm,
} from "../../src/entries/request.js";
import { compileTexts } from "../../scripts/solidity-compiler.js";
import { callContract, type Chain, createChain, deployHarness, revertOf } from "./harness.js";

/** Where `console.log` takes its texts. */
const CONSOLE = "0x000000000000000000636f6e736f6c652e6c6f67";

/** A call in a trace of the `callTracer`. */
interface Frame {
  readonly to?: string;
  readonly input: string;
  readonly output?: string;
  readonly gasUsed?: string;
  readonly calls?: readonly Frame[];
}

/** A line without the hash of its task. */
const withoutTasks = (line: string): string => line.replace(/task 0x[0-9a-f]{64}/, "task …");

/** The line of a failed read where the store has no result. */
const NOTHING =
  "hdp: nothing is finalized in the asked store: each test begins anew, and vm.revertToState undoes results";

/** The values of HdpForm. */
const [DATALAKE, MODULE] = [0, 1];

describe("HdpTest, the Solidity test helper", () => {
  let chain: Chain;
  let helper: { address: Hex; abi: Abi };
  let modules: { address: Hex; abi: Abi };

  before(async () => {
    chain = await createChain();
    helper = await deployHarness(chain, "HelperTest");
    modules = await deployHarness(chain, "ModulesHelperTest");
  });

  after(async () => {
    await chain.close();
  });

  const call = async (functionName: string, args: readonly unknown[] = []): Promise<unknown> =>
    await callContract(chain, helper, functionName, args);
  const ofModules = async (functionName: string, args: readonly unknown[] = []): Promise<unknown> =>
    await callContract(chain, modules, functionName, args);

  it("deploys the store on first use and finalizes what a service of the task's form would", async () => {
    const task = blockSampled({ from: 0n, to: 9n, property: header("base_fee_per_gas") }).avg();
    const [plain, root] = [numberToHex(7_000_000_000n, { size: 32 }), rootOfValue(7_000_000_000n)];
    const inForm = async (name: string): Promise<unknown> =>
      await callContract(chain, await deployHarness(chain, name), "finalizeAndRead");
    expect(await inForm("FormHelperTest")).to.deep.equal([
      { hash: taskHash(task), form: DATALAKE },
      plain,
    ]);
    expect(await inForm("ModuleFormHelperTest")).to.deep.equal([
      { hash: taskHash(inTaskForm(task, "module")), form: MODULE },
      root,
    ]);
  });

  it("finalizes a raw word that is read by the satellite's function", async () => {
    const word = numberToHex(2n ** 255n, { size: 32 });
    expect(await ofModules("finalizeRawWordAndRead", [word])).to.equal(word);
  });

  it("finalizes modules by what they returned, in each form of output", async () => {
    await ofModules("finalizeModules", [[7n, 2n ** 128n - 1n], [2n ** 256n - 1n, 1n], "0x112233"]);
  });

  /** The trace of a call: unlike a call it prints no logs. */
  async function traced(
    name: string,
    functionName: string,
    ...args: readonly (bigint | number | boolean)[]
  ): Promise<Frame> {
    const { address, abi } = await deployHarness(chain, name);
    const data = encodeFunctionData({ abi, functionName, args });
    const params = [{ to: address, data }, "latest", { tracer: "callTracer" }];
    return (await chain.provider.request({ method: "debug_traceCall", params })) as Frame;
  }

  /** The lines that a call logs by console. */
  async function logged(
    name: string,
    functionName: string,
    ...args: readonly (bigint | number | boolean)[]
  ): Promise<readonly string[]> {
    const lines: string[] = [];
    const collect = ({ to, input, calls = [] }: Frame): void => {
      if (to?.toLowerCase() === CONSOLE)
        lines.push(decodeAbiParameters([{ type: "string" }], `0x${input.slice(10)}`)[0]);
      calls.forEach(collect);
    };
    collect(await traced(name, functionName, ...args));
    return lines;
  }

  it("logs of a failed read which task was asked for and which are finalized, in words", async () => {
    const texts = {
      asked: "avg of header.base_fee_per_gas, blocks 0..10, step 1, chain 11155111",
      fee: "avg of header.base_fee_per_gas, blocks 0..9, step 1, chain 11155111",
      account: `min of account.0x${"ab".padStart(40, "0")}.balance, blocks 1..5, step 1, chain 11155111`,
      value: "sum of tx.value, transactions 0 to before 4 of block 7, step 1, chain 11155111",
    };
    const fee = (to: bigint) =>
      blockSampled({ from: 0n, to, property: header("base_fee_per_gas") }).avg();
    for (const [name, form, suffix] of [
      ["FailedReadHelperTest", "datalake", ", in the datalake form"],
      ["FailedModuleReadHelperTest", "module", ", in the module form"],
    ] as const) {
      const lines = await logged(name, "readAnother");
      expect(lines.map((line) => line.replace(/0x[0-9a-f]{64}/, "…"))).to.deep.equal([
        `hdp: no result of task …: ${texts.asked}${suffix}`,
        ...[texts.fee, texts.account, texts.value].map(
          (text) => `hdp: finalized is task …: ${text}${suffix}`,
        ),
      ]);
      expect(lines[0]).to.contain(taskHash(inTaskForm(fee(10n), form)));
      expect(lines[1]).to.contain(taskHash(inTaskForm(fee(9n), form)));
    }
    const withoutHashes = async (functionName: string): Promise<readonly string[]> => {
      const lines = await logged("FailedReadHelperTest", functionName);
      return lines.map((line) =>
        line.replace(/task 0x[0-9a-f]{64}/, "task …").replace(/0x[0-9a-f]{40}\b/g, "0x…"),
      );
    };
    const module = `module 0x${"3".padStart(64, "0")}, public inputs:`;
    const zeros = `${Array(62).fill("0x0").join(", ")} and 2 more`;
    expect(await withoutHashes("readSwappedInputs")).to.deep.equal([
      `hdp: no result of task …: ${module} 0x7, 0xaa36a7, ${zeros}`,
      `hdp: finalized is task …: ${module} 0xaa36a7, 0x7, ${zeros}`,
    ]);
    expect(await withoutHashes("readOtherForm")).to.deep.equal([
      `hdp: no result of task …: ${texts.fee}, in the module form`,
      `hdp: finalized is task …: ${texts.fee}, in the datalake form`,
      `hdp: finalized is task …: ${module} none`,
    ]);
    expect(await withoutHashes("readSecondStore")).to.deep.equal([
      `hdp: no result of task …: ${texts.fee}, in the datalake form`,
      "hdp: asked was store 0x…, not store() of the test, 0x…, which has the result",
      NOTHING,
    ]);
    expect(await withoutHashes("readSecondStoreOfNone")).to.deep.equal([
      `hdp: no result of task …: ${texts.fee}, in the datalake form`,
      "hdp: asked was store 0x…, not store() of the test",
      NOTHING,
    ]);
    expect(await logged("FailedReadHelperTest", "readUnnamed")).to.deep.equal([
      `hdp: no result of task 0x${"1".padStart(64, "0")}: not named by this test`,
      NOTHING,
    ]);
    expect(await logged("FailedReadHelperTest", "readZero")).to.deep.equal([
      `hdp: no result of task 0x${"0".repeat(64)}: not named by this test`,
      "hdp: the hash is zero: the contract was given no task",
      NOTHING,
    ]);
  });

  it("names the task of a hash that a contract derived with one field of another value", async () => {
    for (const [name, form, other] of [
      ["FailedReadHelperTest", "datalake", "module"],
      ["FailedModuleReadHelperTest", "module", "datalake"],
    ] as const) {
      const fees = "header.base_fee_per_gas, blocks 0..9, step 1, chain 11155111";
      const inForm = `, in the ${form} form`;
      for (const [fault, field, text] of [
        [0, "the chain", `avg of ${fees.replace("11155111", "1")}${inForm}`],
        [1, "the range", `avg of ${fees.replace("0..9", "0..10")}${inForm}`],
        [2, "the range", `avg of ${fees.replace("0..9", "1..10")}${inForm}`],
        [3, "the step", `avg of ${fees.replace("step 1", "step 2")}${inForm}`],
        [4, "the property", `avg of ${fees.replace("base_fee_per_gas", "gas_used")}${inForm}`],
        [5, "the function", `max of ${fees}${inForm}`],
        [6, "the form", `avg of ${fees}, in the ${other} form`],
        [
          8,
          "the chain: that of block.chainid",
          `avg of ${fees.replace("11155111", "31337")}${inForm}`,
        ],
        [9, "the range: its ends are swapped", `avg of ${fees.replace("0..9", "9..0")}${inForm}`],
      ] as const) {
        const [asked, was, differs, finalized] = await logged(name, "readDerived", fault);
        const of = finalized?.match(/task (0x\w+): (.*)/);
        expect([asked?.replace(/0x\w+/, "…"), was, differs, of?.[2]], text).to.deep.equal([
          "hdp: no result of task …: not named by this test",
          `hdp: asked was ${text}`,
          `hdp: it differs from the finalized task ${of?.[1]} in ${field}`,
          `avg of ${fees}${inForm}`,
        ]);
      }
      expect(await logged(name, "readDerived", 7)).to.have.length(2);
      const counted = `count of storage.0x${"ab".padStart(40, "0")}.0x${"3".padStart(64, "0")} > 5`;
      const place = "blocks 0..9, step 1, chain 11155111";
      const sum = "sum of tx.value, transactions 0 to before 4 of block 7, step 1, chain 11155111";
      const module = `module 0x${"3".padStart(64, "0")}, public inputs:`;
      for (const [fault, field, text] of [
        [0, "the slot", `${counted}, ${place}${inForm}`],
        [1, "the operator", `${counted.replace("3 >", "2 >=")}, ${place}${inForm}`],
        [2, "the block", `${sum.replace("block 7", "block 8")}${inForm}`],
        [3, "the range", `${sum.replace("before 4", "before 5")}${inForm}`],
        [4, "an input", `${module} 0x7, 0x8`],
        [5, "an input", `${module} 0x9, 0x7`],
        [
          6,
          "the value to compare",
          `${counted.replace("3 > 5", "2 > 5000000000")}, ${place}${inForm}`,
        ],
      ] as const) {
        const [, was, differs] = await logged(name, "readDerivedOfOthers", fault);
        expect([was, differs?.replace(/0x\w+/, "…")]).to.deep.equal([
          `hdp: asked was ${text}`,
          `hdp: it differs from the finalized task … in ${field}`,
        ]);
      }
      expect(await logged(name, "readDerivedOfOthers", 7)).to.have.length(2);
    }
  });

  it("names the task of a hash that a contract derived of another period", async () => {
    for (const [name, form] of [
      ["FailedReadHelperTest", "datalake"],
      ["FailedModuleReadHelperTest", "module"],
    ] as const) {
      const place = `step 1, chain 11155111, in the ${form} form`;
      const module = `module 0x${"3".padStart(64, "0")}, public inputs: 0xaa36a7,`;
      for (const [first, last] of [
        // By its own length, up and down, up to 64 times.
        [710, 719],
        [1_340, 1_349],
        [60, 69],
        [0, 9],
        // By its length without the last block, and by round numbers.
        [709, 718],
        [1_276, 1_285],
        [9_000_700, 9_000_709],
        [400, 409],
      ] as const) {
        const [, was, differs] = await logged(name, "readMoved", first, last, false);
        expect([was, withoutTasks(differs ?? "")]).to.deep.equal([
          `hdp: asked was avg of header.base_fee_per_gas, blocks ${first}..${last}, ${place}`,
          "hdp: it differs from the finalized task … in the range",
        ]);
        const [, ofModule, inInputs] = await logged(name, "readMoved", first, last, true);
        expect([ofModule, withoutTasks(inInputs ?? "")]).to.deep.equal([
          `hdp: asked was ${module} 0x${first.toString(16)}, 0x${last.toString(16)}`,
          "hdp: it differs from the finalized task … in two inputs, moved alike",
        ]);
      }
      for (const end of [1_709, 9_000_709]) {
        const [, was] = await logged(name, "readMoved", 700, end, false);
        expect(was).to.equal(
          `hdp: asked was avg of header.base_fee_per_gas, blocks 700..${end}, ${place}`,
        );
      }
      // Moved by something else, or to another length too.
      for (const [first, last] of [
        [717, 726],
        [1_350, 1_359],
        [710, 720],
      ] as const) {
        expect(await logged(name, "readMoved", first, last, false)).to.have.length(2);
        expect(await logged(name, "readMoved", first, last, true)).to.have.length(2);
      }
      for (const [block, first, end, field] of [
        [7, 25, 50, "the range"],
        [7, 0, 125, "the range"],
        [107, 0, 25, "the block"],
      ] as const) {
        const [, was, differs] = await logged(name, "readMovedTransactions", block, first, end);
        expect([was, withoutTasks(differs ?? "")]).to.deep.equal([
          `hdp: asked was sum of tx.value, transactions ${first} to before ${end} of block ${block}, ${place}`,
          `hdp: it differs from the finalized task … in ${field}`,
        ]);
      }
      expect(await logged(name, "readMovedTransactions", 107, 25, 50)).to.have.length(2);
    }
  });

  it("names the task of a hash that a contract derived with another usual step", async () => {
    for (const [name, form] of [
      ["FailedReadHelperTest", "datalake"],
      ["FailedModuleReadHelperTest", "module"],
    ] as const) {
      for (const [step, asked] of [
        [1, 7_200],
        [7_200, 1],
        [100, 219_000],
      ] as const) {
        const [, was, differs] = await logged(name, "readStepped", step, asked);
        expect([was, withoutTasks(differs ?? "")]).to.deep.equal([
          `hdp: asked was avg of header.base_fee_per_gas, blocks 0..9, step ${asked}, chain 11155111, in the ${form} form`,
          "hdp: it differs from the finalized task … in the step",
        ]);
      }
      expect(await logged(name, "readStepped", 1, 7_201)).to.have.length(2);
    }
  });

  it("names the input of a module that a contract has on the other side of its word", async () => {
    const [account, shifted] = [0xa11cen, 0xa11cen << 96n];
    for (const [input, asked] of [
      [account, shifted],
      [shifted, account],
    ] as const) {
      const [, was, differs] = await logged("FailedReadHelperTest", "readOtherInput", input, asked);
      expect([was, withoutTasks(differs ?? "")]).to.deep.equal([
        `hdp: asked was module 0x${"3".padStart(64, "0")}, public inputs: 0xaa36a7, 0x${asked.toString(16)}`,
        "hdp: it differs from the finalized task … in an input, shifted by 96 bits: bytes32(bytes20(account)) has the account on the left",
      ]);
    }
    for (const [input, asked] of [
      [account, account << 95n],
      // What would lose bits.
      [(1n << 160n) + account, shifted],
      [shifted + 1n, account],
    ] as const)
      expect(await logged("FailedReadHelperTest", "readOtherInput", input, asked)).to.have.length(
        2,
      );
  });

  it("names the encoding of a hash that a contract made by hand of a finalized task", async () => {
    const packed = "the encoding: that of abi.encodePacked, and not of abi.encode";
    const struct =
      "the encoding: that of abi.encode(task), and not of abi.encode(task.programHash, task.inputs)";
    const module = `module 0x${"3".padStart(64, "0")}, public inputs: 0x7, 0x9`;
    const fee = "avg of header.base_fee_per_gas, blocks 0..9, step 1, chain 11155111";
    const ofDatalake = `${fee}, in the datalake form`;
    const old = "the encoding: without chain id, as for stores from before July 2024";
    for (const [name, fault, text, field] of [
      ["FailedReadHelperTest", 0, module, packed],
      // Words alone are encoded as if they were packed.
      ["FailedReadHelperTest", 1, module, packed],
      ["FailedReadHelperTest", 2, module, struct],
      ["FailedReadHelperTest", 4, ofDatalake, old],
      ["FailedReadHelperTest", 5, ofDatalake, packed],
      ["FailedReadHelperTest", 6, ofDatalake, packed],
      ["FailedReadHelperTest", 7, ofDatalake, packed],
      ["FailedModuleReadHelperTest", 8, `${fee}, in the module form`, packed],
      ["FailedModuleReadHelperTest", 9, `${fee}, in the module form`, struct],
    ] as const) {
      const [, was, differs] = await logged(name, "readEncoded", fault);
      expect([was, withoutTasks(differs ?? "")], String(fault)).to.deep.equal([
        `hdp: asked was ${text}`,
        `hdp: it differs from the finalized task … in ${field}`,
      ]);
    }
    // Another encoding of another task.
    expect(await logged("FailedReadHelperTest", "readEncoded", 3)).to.have.length(2);
    for (const fault of [4, 5, 6, 7])
      expect(await logged("FailedModuleReadHelperTest", "readEncoded", fault)).to.have.length(2);
  });

  it("names the task of a hash that a contract derived of the test, where that of another account is finalized", async () => {
    for (const [name, form] of [
      ["FailedReadHelperTest", "datalake"],
      ["FailedModuleReadHelperTest", "module"],
    ] as const) {
      const of = `blocks 0..9, step 1, chain 11155111, in the ${form} form`;
      const ofSlot = await logged(name, "readDerivedOfSender", 0);
      const test = /test contract (0x\w{40})/.exec(ofSlot[2] ?? "")?.[1] as Hex;
      expect(ofSlot.slice(1, 3).map(withoutTasks)).to.deep.equal([
        `hdp: asked was sum of storage.0x${"ab".padStart(40, "0")}.${mappingSlot(20, test)}, ${of}`,
        `hdp: it differs from the finalized task … in the slot: that of the test contract ${test} in the mapping at slot 20`,
      ]);
      const ofAccount = await logged(name, "readDerivedOfSender", 1);
      const own = /test contract (0x\w{40})/.exec(ofAccount[2] ?? "")?.[1];
      expect(ofAccount.slice(1, 3).map(withoutTasks)).to.deep.equal([
        `hdp: asked was sum of account.${own}.balance, ${of}`,
        `hdp: it differs from the finalized task … in the account: the test contract ${own}`,
      ]);
      const ofCreated = await logged(name, "readDerivedOfSender", 3);
      const created = /contract (0x\w{40})/.exec(ofCreated[2] ?? "")?.[1] as Hex;
      expect(ofCreated.slice(1, 3).map(withoutTasks)).to.deep.equal([
        `hdp: asked was sum of storage.0x${"ab".padStart(40, "0")}.${mappingSlot(20, created)}, ${of}`,
        `hdp: it differs from the finalized task … in the slot: that of the contract ${created} in the mapping at slot 20`,
      ]);
      for (const fault of [2, 4])
        expect(await logged(name, "readDerivedOfSender", fault)).to.have.length(2);
    }
  });

  it("tries the inputs of a module of many with little gas: each step is kept by who traces it", async () => {
    const { gasUsed, output } = await traced("FailedReadHelperTest", "readManyInputs", 41n);
    expect(output?.slice(0, 10)).to.equal(toFunctionSelector("NotFinalized()"));
    expect(Number(gasUsed)).to.be.lessThan(8_000_000);
  });

  it("ends a read as a store does where the gas is too little to say why", async () => {
    const { output } = await traced("FailedReadHelperTest", "readWithLittleGas");
    expect(output?.slice(0, 10)).to.equal(toFunctionSelector("NotFinalized()"));
  });

  it("names the error of a task that no data processor takes", async () => {
    const refused = await deployHarness(chain, "RefusedHelperTest");
    for (const [name, code] of [
      ["reversedRange", "HDP-1115"],
      ["noFelt", "HDP-1118"],
    ] as const) {
      const error: unknown = await callContract(chain, refused, name).catch(
        (thrown: unknown) => thrown,
      );
      const decoded = decodeErrorResult({ abi: refused.abi, data: revertOf(error) ?? "0x" });
      expect([decoded.errorName, decoded.args?.[0]]).to.deep.equal(["InvalidTask", code]);
    }
  });

  it("deploys a mock of another kind where a test names one", async () => {
    const other = await deployHarness(chain, "ExecutionStoreHelperTest");
    expect(BigInt((await callContract(chain, other, "finalizeAndRead")) as Hex)).to.equal(
      7_000_000_000n,
    );
  });

  it("computes the slots of mappings and balances that TypeScript computes", async () => {
    const target: Hex = `0x${"ab".repeat(20)}`;
    const balance = blockSampled({
      from: 1n,
      to: 5n,
      property: erc20Balance(target, target, { slot: 9 }),
    }).min();
    expect(await call("slots", [target])).to.deep.equal([
      mappingSlot(4, target, 7),
      taskHash(balance),
    ]);
  });

  it("computes the slots of namespaces that TypeScript computes", async () => {
    for (const id of ["", "example.main", "openzeppelin.storage.ERC20", "Zürich"])
      expect(await call("namespace", [id]), id).to.equal(erc7201(id));
  });

  it("samples with a step, and transactions of some types", async () => {
    const property = header("gas_used");
    const block = { block: 7n, from: 0n, to: 9n, increment: 2n, property: tx("value") };
    expect(await call("sampled", [encodeSampledProperty(property)])).to.deep.equal([
      taskHash(blockSampled({ from: 1n, to: 50n, increment: 7n, property }).avg()),
      taskHash(transactionsInBlock({ ...block, types: ["eip1559", "eip4844"] }).max()),
    ]);
  });

  it("does not compile where a module is finalized by a number, or where a test has a name of the kit", () => {
    const test = (body: string): string => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;
import {HdpTest} from "../../contracts/test/HdpTest.sol";
contract WrongTest is HdpTest { ${body} }`;
    for (const [body, problem] of [
      [
        "function test() public { finalize(moduleTask(0, new bytes32[](0)), 7 gwei); }",
        "Invalid implicit conversion from bytes32 to struct HdpTask memory requested.",
      ],
      ["address store;", "DeclarationError: Identifier already declared."],
      [
        "function finalizeFelt(bytes32, uint256) internal returns (bytes32) {}",
        'Overriding function is missing "override" specifier.',
      ],
    ] as const)
      expect(() => compileTexts({ "test/store/Wrong.t.sol": test(body) })).to.throw(problem);
  });

  it("matches the selector of the store's NotFinalized", async () => {
    expect(await call("selector")).to.equal(toFunctionSelector("NotFinalized()"));
  });

  it("computes the task hashes of the TypeScript builders", async () => {
    const target: Hex = `0x${"ab".repeat(20)}`;
    const blocks = { from: 1n, to: 5n };
    const indices = { block: 7n, from: 0n, to: 4n };
    const slot = numberToHex(2n, { size: 32 });
    expect(
      await callContract(chain, await deployHarness(chain, "TasksHelperTest"), "hashes", [target]),
    ).to.deep.equal(
      [
        blockSampled({ ...blocks, property: header("gas_used") }).max(),
        blockSampled({ ...blocks, property: account(target, "balance") }).min(),
        blockSampled({ ...blocks, property: storage(target, slot) }).sum(),
        blockSampled({ ...blocks, property: header("number") }).count("gteq", 3n),
        transactionsInBlock({ ...indices, property: tx("value") }).sum(),
        transactionsInBlock({ ...indices, property: txReceipt("cumulative_gas_used") }).sum(),
        transactionsInBlock({ ...indices, property: txReceipt("success") }).count("eq", 1n),
      ].map((task) => taskHash(task)),
    );
  });
});
