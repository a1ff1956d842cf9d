import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";
import type { Address, Hex } from "viem";
import { encodeDeployData, encodeFunctionData } from "viem/utils";

import { hashedBySteps } from "../../src/chain/hashed-steps.js";
import { header, blockSampled, asModule } from "../../src/entries/request.js";
import { encodeCompute, encodeDatalake, encodeTask } from "../../src/request/task-hash.js";
import { compiledContract } from "../support/compiled-contract.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";

const fee = blockSampled({ from: 0, to: 9, property: header("base_fee_per_gas") }).avg();

interface Step {
  readonly op: string;
  readonly stack: readonly Hex[];
  readonly memory: readonly Hex[];
}

/** What a trace with the memory of each step says that is hashed. */
function hashedInMemory(steps: readonly Step[]): readonly string[] {
  return steps
    .filter(({ op }) => op === "KECCAK256")
    .map(({ stack, memory }) => {
      const [start, length] = [Number(stack.at(-1)), Number(stack.at(-2))];
      const digits = memory.map((word) => word.slice(2)).join("");
      return `0x${digits.slice(start * 2, (start + length) * 2).padEnd(length * 2, "0")}`;
    });
}

describe("chain: the steps of a trace", () => {
  let project: TestProject;
  let connection: NetworkConnection;
  let from: Address;
  const { abi, bytecode } = compiledContract("DerivingHarness");

  const send = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    await connection.provider.request({ method, params: [...params] });

  const stepsOf = async (call: object, options: object): Promise<readonly Step[]> => {
    const traced = await send("debug_traceCall", { from, ...call }, "latest", options);
    return (traced as { structLogs: readonly Step[] }).structLogs;
  };

  before(async () => {
    project = await testProject({});
    connection = await project.hre.network.create();
    [from] = (await send("eth_accounts")) as [Address];
  });
  after(async () => {
    await removeProject(project);
  });

  it("hash what the memory of each step has, in calls, in calls of calls and in creations", async () => {
    const { address: store } = await connection.hdp.deployExecutionStore();
    const creation = encodeDeployData({ abi, bytecode, args: ["0xabcd"] });
    const hash = await send("eth_sendTransaction", { from, data: creation });
    const receipt = await send("eth_getTransactionReceipt", hash);
    const to = (receipt as { contractAddress: Address }).contractAddress;
    const call = (
      functionName: string,
      ...args: readonly unknown[]
    ): { to: Address; data: Hex } => ({
      to,
      data: encodeFunctionData({ abi, functionName, args: [store, ...args] }),
    });
    const calls: readonly { readonly to?: Address; readonly data: Hex }[] = [
      call("readHashed", encodeTask(asModule(fee))),
      call("readDatalake", encodeDatalake(fee.datalake), encodeCompute(fee.compute)),
      call("readAllowance", from, from, store, 3n),
      call("readMade", encodeTask(asModule(fee))),
      call("readEchoed", encodeTask(asModule(fee))),
      { data: creation },
    ];
    for (const one of calls) {
      const withMemory = await stepsOf(one, { disableStorage: true, enableMemory: true });
      const steps = await stepsOf(one, { disableStorage: true, disableMemory: true });
      const sent = { input: one.data, isCreation: one.to === undefined };
      const expected = hashedInMemory(withMemory);
      expect(expected).to.not.deep.equal([]);
      expect(hashedBySteps(steps, sent)).to.deep.equal(expected);
    }
  });

  it("hash nothing where the node has none", () => {
    const sent = { input: "0x", isCreation: false } as const;
    expect(hashedBySteps(undefined, sent)).to.deep.equal([]);
    expect(hashedBySteps([{}, "KECCAK256", { op: "STOP" }], sent)).to.deep.equal([]);
  });

  it("follows words, bytes, copies and calls", () => {
    const steps = (...ops: readonly (readonly [op: string, ...stack: string[]])[]): unknown[] =>
      ops.map(([op, ...stack]) => ({ op, depth: 1, stack: stack.toReversed() }));
    const hashed = (...ops: readonly (readonly [op: string, ...stack: string[]])[]): Hex[] =>
      hashedBySteps(steps(...ops), { input: "0x0102", isCreation: false });
    expect(hashed(["MSTORE8", "0x0", "0x1ff"], ["KECCAK256", "0x0", "0x2"])).to.deep.equal([
      "0xff00",
    ]);
    expect(hashed(["MSTORE", "0x0", "0xab"], ["SHA3", "0x1f", "0x2"])).to.deep.equal(["0xab00"]);
    expect(
      hashed(
        ["CALLDATACOPY", "0x0", "0x1", "0x2"],
        ["MCOPY", "0x4", "0x0", "0x1"],
        ["KECCAK256", "0x0", "0x5"],
      ),
    ).to.deep.equal(["0x0200000002"]);
    // Beyond what is followed.
    const far = "0xffffffffffff";
    expect(hashed(["MSTORE", far, "0x1"], ["KECCAK256", "0x0", far])).to.deep.equal(["0x"]);
    expect(hashed(["MSTORE", "0x0"], ["KECCAK256", "0x1e", "0x2"])).to.deep.equal(["0x0000"]);
  });

  it("takes what calls return, and nothing of creations and other ends", () => {
    const step = (depth: number, op: string, ...stack: readonly string[]): unknown => ({
      op,
      depth,
      stack: stack.toReversed(),
    });
    const sent = { input: "0x", isCreation: false } as const;
    const calling = (op: string, arguments_: readonly string[], end: readonly string[]): Hex[] =>
      hashedBySteps(
        [
          step(1, "MSTORE8", "0x0", "0xaa"),
          step(1, op, ...arguments_),
          step(2, "CALLDATACOPY", "0x0", "0x0", "0x1"),
          step(2, "CODECOPY", "0x1", "0x0", "0x1"),
          step(2, "MSTORE8", "0x2", "0xcc"),
          step(2, end[0] ?? "STOP", ...end.slice(1)),
          step(1, "RETURNDATACOPY", "0x8", "0x0", "0x3"),
          step(1, "KECCAK256", "0x4", "0x7"),
        ],
        sent,
      );
    const returns = ["RETURN", "0x0", "0x3"];
    for (const op of ["CALL", "CALLCODE"])
      expect(calling(op, ["0x1", "0x2", "0x3", "0x0", "0x1", "0x4", "0x2"], returns)).to.deep.equal(
        ["0xaa000000aa00cc"],
      );
    for (const op of ["STATICCALL", "DELEGATECALL"])
      expect(calling(op, ["0x1", "0x2", "0x0", "0x1", "0x4", "0x2"], returns)).to.deep.equal([
        "0xaa000000aa00cc",
      ]);
    const static_ = ["0x1", "0x2", "0x0", "0x1", "0x4", "0x2"];
    expect(calling("STATICCALL", static_, ["STOP"])).to.deep.equal(["0x00000000000000"]);
    expect(calling("STATICCALL", static_, ["REVERT", "0x0", "0x3"])).to.deep.equal([
      "0xaa000000aa00cc",
    ]);
    expect(calling("CREATE", ["0x0", "0x0", "0x1"], ["REVERT", "0x0", "0x3"])).to.deep.equal([
      "0x0000000000aacc",
    ]);
    expect(hashedBySteps([step(2, "STOP"), step(1, "STOP"), step(0, "STOP")], sent)).to.deep.equal(
      [],
    );
  });
});
