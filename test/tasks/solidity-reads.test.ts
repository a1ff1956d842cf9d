import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { type Hex, keccak256, stringToHex } from "viem";

import {
  account,
  blockSampled,
  header,
  inForm,
  type Task,
  taskHash,
  transactionsInBlock,
  tx,
} from "../../src/entries/request.js";
import { explainReads } from "../../src/tasks/development/solidity-reads.js";

const fee = (from: bigint, to: bigint) =>
  blockSampled({ from, to, property: header("base_fee_per_gas") }).avg();
const FEE =
  "avg of header.base_fee_per_gas, blocks 0..9, step 1, chain 11155111, in the datalake form";
const asked = (hash: Hex, text = "not named by this test"): string =>
  `hdp: no result of task ${hash}: ${text}`;
const finalized = (hash: Hex, text: string): string => `hdp: finalized is task ${hash}: ${text}`;
const OF_FEE = finalized(taskHash(fee(0n, 9n)), FEE);
const moduleOf = (...inputs: readonly bigint[]): Task => ({
  type: "Module",
  programHash: "0x1a7f",
  inputs: inputs.map((input) => ({ visibility: "public", value: `0x${input.toString(16)}` })),
});

describe("failed reads of Solidity tests", () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), "solidity-reads-"));
    mkdirSync(join(root, "test"));
    mkdirSync(join(root, "contracts"));
    writeFileSync(
      join(root, "test", "Fee.t.sol"),
      `import {Gate} from "../contracts/Gate.sol";
// Not a number of the source: 8_765_432.
contract FeeTest { function test_a() public { f(5_432_100, makeAddr("alice")); } }`,
    );
    writeFileSync(
      join(root, "contracts", "Gate.sol"),
      `import "hardhat-hdp/contracts/libraries/HdpResults.sol";
contract Gate { uint256 constant DAY = 2 days; bytes32 constant TASK = 0x${"ab".repeat(32)}; }`,
    );
  });
  after(() => {
    rmSync(root, { recursive: true });
  });

  /** What is printed of a test with logs. */
  async function explained(...logs: readonly string[]): Promise<readonly string[]> {
    const test = { name: "FeeTest#test_a()", test: "test_a", source: "test/Fee.t.sol", logs };
    // A clock that stands still: the machine's speed decides nothing.
    const lines = await explainReads([test], root, { within: 1, now: () => 0 });
    return lines.map((line) => line.trim());
  }

  it("names a task by the numbers and texts of the test's file, and of the files that it imports", async () => {
    for (const to of [5_432_100n, 172_800n])
      expect(await explained(asked(taskHash(fee(0n, to))), OF_FEE)).to.deep.equal([
        "FeeTest#test_a():",
        `Asked:      ${FEE.replace("..9", `..${to}`)}`,
        `Finalized:  ${FEE}`,
        `Difference: blockRangeEnd (asked: ${to}, there: 9)`,
      ]);
    const alice: Hex = `0x${keccak256(stringToHex("alice")).slice(-40)}`;
    const bob: Hex = `0x${"b0".repeat(20)}`;
    const of = (holder: Hex) =>
      blockSampled({ from: 0n, to: 9n, property: account(holder, "balance") }).min();
    const text = `min of account.${bob}.balance, blocks 0..9, step 1, chain 11155111, in the datalake form`;
    const lines = await explained(asked(taskHash(of(alice))), finalized(taskHash(of(bob)), text));
    expect(lines.slice(3)).to.deep.equal([
      `Difference: address (asked: ${alice}, there: ${bob})`,
      'The asked address is makeAddr("alice").',
    ]);
  });

  it("reads the texts of tasks in both forms, of transactions of some types, and of modules", async () => {
    const range = { block: 7n, from: 0n, to: 4n, property: tx("value") };
    const some = transactionsInBlock({ ...range, types: ["eip1559"] }).count("gteq", 5n);
    const other = transactionsInBlock({ ...range, block: 9n, types: ["eip1559"] }).count(
      "gteq",
      5n,
    );
    const text =
      "count of tx.value >= 5, transactions 0 to before 4 of block 7, step 1, chain 11155111, in the module form";
    const ofBlock = await explained(
      asked(taskHash(inForm(other, "module"))),
      finalized(taskHash(inForm(some, "module")), text),
    );
    expect(ofBlock[1]).to.equal(`Asked:      ${text.replace("block 7", "block 9")}`);
    expect(ofBlock[3]).to.equal("Difference: targetBlock (asked: 9, there: 7)");
    const module = `module 0x${"1a7f".padStart(64, "0")}, public inputs: 0x7, 0x8`;
    const ofModule = await explained(
      asked(taskHash(moduleOf(8n, 7n))),
      finalized(taskHash(moduleOf(7n, 8n)), module),
    );
    expect(ofModule.slice(3)).to.deep.equal([
      "Difference: inputs[0] (asked: 0x8, there: 0x7)",
      "Difference: inputs[1] (asked: 0x7, there: 0x8)",
    ]);
  });

  it("names nothing by a number of a comment, of a text that is not that of its hash, or where the log explains", async () => {
    const unknown = await explained(asked(taskHash(fee(0n, 8_765_432n))), OF_FEE);
    expect(unknown[1]).to.match(/^Tried were .* none has the asked hash\.$/);
    const wrongText = finalized(taskHash(fee(0n, 9n)), FEE.replace("..9", "..8"));
    expect(await explained(asked(taskHash(fee(0n, 10n))), wrongText)).to.have.length(3);
    const line = "hdp: asked was store 0x3b02, that of the HdpTest 0x5615";
    expect(await explained(asked(taskHash(fee(0n, 10n))), line, OF_FEE)).to.deep.equal([]);
    expect(await explained(asked(taskHash(fee(0n, 10n)), FEE), OF_FEE)).to.deep.equal([]);
  });

  it("says that nothing is finalized, that no text has all inputs, and where a hash is written", async () => {
    const hash: Hex = `0x${"ab".repeat(32)}`;
    const [, literal, nothing] = await explained(asked(hash));
    expect(literal).to.equal(
      "The asked hash is written in contracts/Gate.sol:2: it stays as it is when the task changes.",
    );
    expect(nothing).to.match(/^Nothing is finalized to compare it with\. Name the task/);
    const cut = `module 0x${"1a7f".padStart(64, "0")}, public inputs: 0x7 and 2 more`;
    const [, tooMany] = await explained(asked(taskHash(moduleOf(7n))), finalized(hash, cut));
    expect(tooMany).to.match(/^The log does not have all inputs of the finalized tasks/);
    const [, unnamed] = await explained(
      asked(taskHash(moduleOf(7n))),
      finalized(hash, "not named by this test"),
    );
    expect(unnamed).to.match(/^The test named none of the finalized tasks/);
  });

  it("says that a hash is mistyped, and that another test named the task", async () => {
    const hash = taskHash(fee(0n, 9n));
    const mistyped: Hex = `0x${hash.slice(2, -1)}${hash.endsWith("0") ? "1" : "0"}`;
    expect(await explained(asked(mistyped), OF_FEE)).to.include(
      `Difference: taskHash (asked: ${mistyped}, there: ${hash})`,
    );
    const other = taskHash(fee(3n, 4n));
    const text = FEE.replace("0..9", "3..4");
    const lines = await explained(asked(other, text), asked(other), OF_FEE);
    expect(lines.slice(1)).to.deep.equal([
      `Asked:      ${text}`,
      "Another test of this run named it, and has a store of its own: finalize it in this one.",
    ]);
  });
});
