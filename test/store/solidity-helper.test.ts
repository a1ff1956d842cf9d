import { expect } from "chai";
import { type Abi, type Hex, keccak256, numberToHex, toFunctionSelector } from "viem";

import {
  account,
  blockSampled,
  erc20Balance,
  header,
  mappingSlot,
  rootOfValue,
  storage,
  transactionsInBlock,
  tx,
  txReceipt,
  encodeSampledProperty,
  taskHash,
} from "../../src/entries/request.js";
import { callContract, type Chain, createChain, deployHarness } from "./harness.js";

/** The values of HdpForm. */
const [DATALAKE, MODULE] = [0, 1];

describe("HdpTest, the Solidity test helper", () => {
  let chain: Chain;
  let helper: { address: Hex; abi: Abi };

  before(async function () {
    this.timeout(60_000);
    chain = await createChain();
    helper = await deployHarness(chain, "HelperTest");
  });

  after(async () => {
    await chain.close();
  });

  const call = async (functionName: string, args: readonly unknown[] = []): Promise<unknown> =>
    await callContract(chain, helper, functionName, args);

  it("deploys the store on first use and finalizes what a service of the task's form would", async () => {
    const task = blockSampled({ from: 0n, to: 9n, property: header("base_fee_per_gas") }).avg();
    const [plain, root] = [numberToHex(7_000_000_000n, { size: 32 }), rootOfValue(7_000_000_000n)];
    const constant = keccak256("0x11");
    const inForm = async (name: string) => {
      const test = await deployHarness(chain, name);
      return [
        await callContract(chain, test, "finalizeAndRead"),
        await callContract(chain, test, "finalizeHashAndRead", [constant]),
      ] as readonly (readonly [{ readonly hash: Hex; readonly form: number }, Hex])[];
    };
    expect(await inForm("FormHelperTest")).to.deep.equal([
      [{ hash: taskHash(task), form: DATALAKE }, plain],
      [{ hash: constant, form: DATALAKE }, plain],
    ]);
    const [derived, byHash] = await inForm("ModuleFormHelperTest");
    expect(byHash).to.deep.equal([{ hash: constant, form: MODULE }, root]);
    expect([derived?.[0].form, derived?.[1]]).to.deep.equal([MODULE, root]);
    expect(derived?.[0].hash).not.to.equal(taskHash(task));
  });

  it("finalizes a word that is read by the satellite's function", async () => {
    const word = numberToHex(2n ** 255n, { size: 32 });
    expect(await call("finalizeWordAndRead", [word])).to.equal(word);
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

  it("samples with a step, and transactions of some types", async () => {
    const property = header("gas_used");
    const block = { block: 7n, from: 0n, to: 9n, increment: 2n, property: tx("value") };
    expect(await call("sampled", [encodeSampledProperty(property)])).to.deep.equal([
      taskHash(blockSampled({ from: 1n, to: 50n, increment: 7n, property }).avg()),
      taskHash(transactionsInBlock({ ...block, types: ["eip1559", "eip4844"] }).max()),
    ]);
  });

  it("matches the selector of the store's NotFinalized", async () => {
    expect(await call("selector")).to.equal(toFunctionSelector("NotFinalized()"));
  });

  it("computes the task hashes of the TypeScript builders", async () => {
    const target: Hex = `0x${"ab".repeat(20)}`;
    const blocks = { from: 1n, to: 5n };
    const indices = { block: 7n, from: 0n, to: 4n };
    const slot = numberToHex(2n, { size: 32 });
    expect(await call("hashes", [target])).to.deep.equal(
      [
        blockSampled({ ...blocks, property: header("gas_used") }).max(),
        blockSampled({ ...blocks, property: account(target, "balance") }).min(),
        blockSampled({ ...blocks, property: storage(target, slot) }).sum(),
        blockSampled({ ...blocks, property: header("number") }).count("gteq", 3n),
        transactionsInBlock({ ...indices, property: tx("value") }).sum(),
        transactionsInBlock({ ...indices, property: txReceipt("cumulative_gas_used") }).sum(),
      ].map((task) => taskHash(task)),
    );
  });
});
