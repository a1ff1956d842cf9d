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
import { explainReads } from "../../src/tasks/development/solidity-reads.js";
import { root } from "../support/hardhat-cli.js";
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

/** The line of a failed read where the store has no result. */
const NOTHING =
  "hdp: nothing is finalized in the asked store: each test begins anew, and vm.revertToState undoes results";

/** The values of HdpForm. */
const [DATALAKE, MODULE] = [0, 1];

const TRIED = "Tried were other numbers in one field or two";
const RANGE_ENCODING =
  "bytes.concat(keccak256(abi.encode(type, …)), abi.encode(function, operator, value))";
const CALL_ENCODING = "abi.encode(programHash, inputs)";
const inputs = (at: number, asked: bigint, there: bigint): string =>
  `inputs[${at}] (asked: 0x${asked.toString(16)}, there: 0x${there.toString(16)})`;
const range = (first: number, last: number): readonly string[] => [
  `blockRangeStart (asked: ${first}, there: 700)`,
  `blockRangeEnd (asked: ${last}, there: 709)`,
];
const moved = (first: number, last: number): readonly string[] => [
  inputs(1, BigInt(first), 700n),
  inputs(2, BigInt(last), 709n),
];
const [LEFT, RIGHT] = [0xa11cen << 96n, 0xa11cen];

type Argument = bigint | number | boolean;
type DerivedRead = readonly [functionName: string, args: readonly Argument[], ...string[]];

/** Functions that derive a hash with a mistake, and in what the task is said to differ; none where that is not found. */
const DERIVED: readonly DerivedRead[] = [
  ["readDerived", [0], "chainId (asked: ETHEREUM_MAINNET, there: ETHEREUM_SEPOLIA)"],
  ["readDerived", [1], "blockRangeEnd (asked: 10, there: 9)"],
  [
    "readDerived",
    [2],
    "blockRangeStart (asked: 1, there: 0)",
    "blockRangeEnd (asked: 10, there: 9)",
  ],
  ["readDerived", [3], "increment (asked: 2, there: 1)"],
  ["readDerived", [4], "sampledProperty (asked: header.gas_used, there: header.base_fee_per_gas)"],
  ["readDerived", [5], "aggregateFnId (asked: max, there: avg)"],
  [
    "readDerived",
    [7],
    "chainId (asked: ETHEREUM_MAINNET, there: ETHEREUM_SEPOLIA)",
    "blockRangeEnd (asked: 10, there: 9)",
  ],
  ["readDerived", [8], "chainId (asked: 31337, there: ETHEREUM_SEPOLIA)"],
  [
    "readDerived",
    [9],
    "blockRangeStart (asked: 9, there: 0)",
    "blockRangeEnd (asked: 0, there: 9)",
  ],
  [
    "readDerivedOfOthers",
    [0],
    `slot (asked: 0x${"3".padStart(64, "0")}, there: 0x${"2".padStart(64, "0")})`,
  ],
  ["readDerivedOfOthers", [1], "operator (asked: gteq, there: gt)"],
  ["readDerivedOfOthers", [2], "targetBlock (asked: 8, there: 7)"],
  ["readDerivedOfOthers", [3], "endIndex (asked: 5, there: 4)"],
  ["readDerivedOfOthers", [4], inputs(1, 8n, 9n)],
  ["readDerivedOfOthers", [5], inputs(0, 9n, 7n), inputs(1, 7n, 9n)],
  ["readDerivedOfOthers", [6], "valueToCompare (asked: 5000000000, there: 5)"],
  ["readDerivedOfOthers", [7]],
  ["readMoved", [1_340, 1_349, false], ...range(1_340, 1_349)],
  ["readMoved", [1_340, 1_349, true], ...moved(1_340, 1_349)],
  ["readMoved", [9_000_700, 9_000_709, false], ...range(9_000_700, 9_000_709)],
  ["readMoved", [9_000_700, 9_000_709, true], ...moved(9_000_700, 9_000_709)],
  ["readMoved", [710, 720, false]],
  ["readMoved", [710, 720, true]],
  [
    "readMovedTransactions",
    [7, 25, 50],
    "startIndex (asked: 25, there: 0)",
    "endIndex (asked: 50, there: 25)",
  ],
  ["readMovedTransactions", [107, 0, 25], "targetBlock (asked: 107, there: 7)"],
  ["readMovedTransactions", [107, 25, 50]],
  ["readStepped", [1, 7_201], "increment (asked: 7201, there: 1)"],
  ["readOtherInput", [RIGHT, LEFT], inputs(1, LEFT, RIGHT)],
  ["readOtherInput", [LEFT, RIGHT], inputs(1, RIGHT, LEFT)],
  ["readEncoded", [0], `encoding (asked: abi.encodePacked, there: ${CALL_ENCODING})`],
  ["readEncoded", [2], `encoding (asked: abi.encode(task) of the struct, there: ${CALL_ENCODING})`],
  ["readEncoded", [3]],
  ["readEncoded", [4], `encoding (asked: the datalake without chain id, there: ${RANGE_ENCODING})`],
  [
    "readEncoded",
    [7],
    `encoding (asked: abi.encodePacked of the datalake, abi.encodePacked of the function, there: ${RANGE_ENCODING})`,
  ],
];

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

  /** What is said below a failed test with the logs of a call. */
  async function explained(
    name: string,
    functionName: string,
    ...args: readonly (bigint | number | boolean)[]
  ): Promise<readonly string[]> {
    const logs = await logged(name, functionName, ...args);
    const test = { name, test: functionName, source: "none.t.sol", logs };
    const lines = await explainReads([test], root, {
      within: 60_000,
      now: () => performance.now(),
    });
    return lines.slice(1).map((line) => line.trim());
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

  it("logs what names the task of a hash that a contract derived with a mistake, below the failed test", async () => {
    const differences = (lines: readonly string[]): readonly string[] =>
      lines.flatMap((line) => /^Difference: (.*)/.exec(line)?.[1] ?? []);
    for (const [name, form, other] of [
      ["FailedReadHelperTest", "datalake", "module"],
      ["FailedModuleReadHelperTest", "module", "datalake"],
    ] as const) {
      for (const [functionName, args, ...expected] of DERIVED) {
        const lines = await explained(name, functionName, ...args);
        const at = `${form} ${functionName} ${args.join()}`;
        expect(differences(lines), at).to.deep.equal(expected);
        const isTried = lines.some((line) => line.startsWith(TRIED));
        expect(isTried, at).to.equal(expected.length === 0);
      }
      expect(differences(await explained(name, "readDerived", 6))).to.deep.equal([
        `form (asked: ${other}, there: ${form})`,
      ]);
    }
  });

  it("logs of a failed read of a module with many inputs in little gas: who traces a test keeps each step", async () => {
    const { gasUsed, output } = await traced("FailedReadHelperTest", "readManyInputs", 41n);
    expect(output?.slice(0, 10)).to.equal(toFunctionSelector("NotFinalized()"));
    expect(Number(gasUsed)).to.be.lessThan(6_000_000);
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
