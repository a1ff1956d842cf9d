import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect, promisify } from "node:util";

import { expect } from "chai";
import hardhatEthers from "@nomicfoundation/hardhat-ethers";
import { ContractFactory, type InterfaceAbi } from "ethers";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import { blockSampled, header, taskHash } from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { compiledContract } from "../support/compiled-contract.js";
import { rejection } from "../support/failure.js";
import { hardhat, root } from "../support/hardhat-cli.js";

const run = promisify(execFile);
const loader = ["--import", "./test/support/typescript.mjs"];
const fixture = (name: string): string => join("test", "plugin", "failing", name);

/** What a program prints that fails. */
async function printed(...args: readonly string[]): Promise<string> {
  // node:test would take the child for a part of a run around it.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const options = { cwd: root, env };
  const ended: unknown = await run(process.execPath, [...args], options).catch(
    (error: unknown) => error,
  );
  const { stdout, stderr, code } = ended as { stdout: string; stderr: string; code?: number };
  expect(code, stdout + stderr).to.be.greaterThan(0);
  return stdout + stderr;
}

/** The kit's lines that stand just above a Solidity test, without hashes and addresses. */
function logsAbove(output: string, test: string): readonly string[] {
  const lines = output.split("\n").map((line) => line.replaceAll(/0x[0-9a-f]{40,}/g, "…"));
  const end = lines.findIndex((line) => line.includes(`) ${test}()`));
  const start = lines.findLastIndex((line, at) => at < end && !line.startsWith("hdp: "));
  return lines.slice(start + 1, end);
}

/** The lines of a Solidity test below the failures. */
function linesBelow(text: string, test: string): readonly string[] {
  const lines = text.split("\n");
  const start = lines.indexOf(`  ${test}():`) + 1;
  const count = lines.slice(start).findIndex((line) => !line.startsWith("    "));
  return lines.slice(start, start + count).map((line) => line.trim());
}

const fees =
  "avg of header.base_fee_per_gas, blocks 0..9, step 1, chain 11155111, in the datalake form";

const DIFFERENCE = "Difference: blockRangeEnd (asked: 10, there: 9)";

describe("what is printed of a failed read", () => {
  it("prints the explanation in node:test with viem", async () => {
    const text = await printed(...loader, "--test", fixture("with-node-test.ts"));
    expect(text).to.contain("NotFinalized()").and.contain(DIFFERENCE);
  });

  it("prints the explanation in mocha with viem, and the line of the test below own frames", async () => {
    const mocha = join("node_modules", "mocha", "bin", "mocha.js");
    const text = await printed(mocha, "--reporter", "spec", fixture("with-mocha.ts"));
    expect(text).to.contain("NotFinalized()").and.contain(DIFFERENCE);
    const [, ownLines = ""] = text.split("HDP-3001");
    const lines = readFileSync(join(root, fixture("read.ts")), "utf8").split("\n");
    const line = lines.findIndex((one) => one.includes("hdp.readResult")) + 1;
    expect(ownLines).to.match(new RegExp(`read\\.ts:${line}:\\d+`));
    expect(ownLines.match(/failing\/read\.ts/g)).to.have.length(1);
  });

  it("prints the explanation in the errors of ethers, and the line of the test", async () => {
    const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatEthers, hardhatHdp] });
    const { hdp, ethers } = await hre.network.create();
    const { abi, bytecode } = compiledContract("ResultsHarness");
    const { address: store } = await hdp.deployExecutionStore();
    const [signer] = await ethers.getSigners();
    const reader = await new ContractFactory(abi as InterfaceAbi, bytecode, signer).deploy();
    const blocks = (to: number) =>
      blockSampled({ from: 0, to, property: header("base_fee_per_gas") }).avg();
    await hdp.finalize(blocks(9), 7n);
    const read = reader.getFunction("read");
    const asked = [store, taskHash(blocks(10))] as const;
    for (const call of [
      async (): Promise<unknown> => await read.staticCall(...asked),
      async (): Promise<unknown> => await read.estimateGas(...asked),
      async (): Promise<unknown> => await read.send(...asked),
    ]) {
      const text = inspect(await rejection(call()));
      expect(text).to.contain("NotFinalized()").and.contain(DIFFERENCE);
      expect(text).to.match(/read-failure-prints\.test\.ts:\d+:\d+\)?$/);
      expect(text).to.not.contain("src/plugin/read-failures");
    }
  });

  it("prints below failed Solidity tests in what the values differ that they brought", async () => {
    for (const [args, sources] of [
      [["test", "solidity"], "failing"],
      [["test"], "contracts"],
    ] as const) {
      const { code, stdout, stderr } = await hardhat(["--config", "failing.config.ts", ...args], {
        env: { HDP_TEST_SOURCES: sources },
      });
      expect(code, stdout + stderr).to.equal(1);
      const [failures = "", ...below] = stdout.split("  hdp: values that are not the result\n");
      expect(failures)
        .to.match(/\n *21 failing/)
        .and.contain("Error: reverted with custom error");
      const asked =
        "hdp: no result of task …: avg of header.base_fee_per_gas, blocks 0..9, step 1, chain 11155111, in the datalake form";
      const nothing =
        "hdp: nothing is finalized in the asked store: each test begins anew, and vm.revertToState undoes results";
      expect(logsAbove(failures, "test_finalizesInItsOwnStore")).to.deep.equal([
        asked,
        "hdp: asked was store …, that of the HdpTest …",
        "hdp: store …, that of the HdpTest …, has the result: each HdpTest has a store() of its own",
        nothing,
      ]);
      expect(logsAbove(failures, "test_finalizesAnotherTask")).to.deep.equal([asked, nothing]);
      const lines = below.join().trimEnd().split("\n");
      const printed = lines.filter((line) => /^ {2}WrongValuesTest#.*: /.test(line));
      expect(printed.sort()).to.deep.equal([
        "  WrongValuesTest#test_aFeltOfAMarkedResult(): Difference: output (asked: felt 7000000000, there: marked_u256 7000000000)",
        "  WrongValuesTest#test_aFeltOfAnUnknownResult(): No number of the test's file that was tried, alone or in a list of up to 5, has the root that was brought, or the stored one.",
        "  WrongValuesTest#test_aMarkedResultInAnotherOrder(): Difference: output (asked: marked [7000, 3, 12], there: marked [3, 7000, 12])",
        "  WrongValuesTest#test_aValueOfAFelt(): Difference: output (asked: value 7000000000, there: felt 7000000000)",
        "  WrongValuesTest#test_anotherForm(): Difference: form (asked: module, there: datalake)",
        "  WrongValuesTest#test_anotherUnitInTheModuleForm(): Difference: value (asked: 7, there: 7000000000)",
        "  WrongValuesTest#test_anotherValue(): Difference: value (asked: 9000000000, there: 7000000000)",
        "  WrongValuesTest#test_packedNumbers(): Difference: output (asked: digest of the same numbers packed, abi.encodePacked(uint128, uint64), there: digest [2950000000000000000000, 1700000000], abi.encode)",
        "  WrongValuesTest#test_theWord(): The word of the result was brought: bring its value, 7000000000.",
        "  WrongValuesTest#test_theWordOfAnUnknownValue(): The word of the result was brought: bring its value.",
      ]);
      const [, accounts = ""] = stdout.split("  hdp: accounts that are no store\n");
      expect(linesBelow(accounts, "WrongValuesTest#test_aGateForAStore")).to.deep.equal([
        "Asked as a store was 0x5991a2df15a8f6a256d3ec51e99254cd3fb576a9, the contract that the test created with nonce 4: it is none.",
        "Give the contract address(store()): arguments of its constructor may be swapped.",
      ]);
      const [, reads = ""] = stdout.split("  hdp: tasks without a result\n");
      expect(linesBelow(reads, "UnnamedTasksTest#test_aRangeOfTwoNumbers")).to.deep.equal([
        `Asked:      ${fees.replace("0..9", "5432100..5439876")}`,
        `Finalized:  ${fees}`,
        "Difference: blockRangeStart (asked: 5432100, there: 0)",
        "Difference: blockRangeEnd (asked: 5439876, there: 9)",
      ]);
      const [nested, , , ofAsked, ofFound] = linesBelow(
        reads,
        "UnnamedTasksTest#test_theKeysOfANestedMappingSwapped",
      );
      expect(nested).to.match(
        /^Asked: {6}avg of storage\.0x0{35}abcd1\.0x[0-9a-f]{64}, blocks 0\.\.9,/,
      );
      const pool = "0xb0b";
      expect([ofAsked, ofFound]).to.deep.equal([
        `The asked slot is that of [makeAddr("alice")][${pool}] in a nested mapping at slot 4.`,
        `The slot there is that of [${pool}][makeAddr("alice")] in a nested mapping at slot 4.`,
      ]);
      const encoded = linesBelow(reads, "UnnamedTasksTest#test_theFunctionBeforeTheDatalake");
      expect(encoded[1]).to.match(
        /^Difference: encoding \(asked: the function before the datalake, there: bytes\.concat/,
      );
      expect(
        linesBelow(reads, "UnnamedTasksTest#test_anInputThatIsMissing").slice(2),
      ).to.deep.equal(["Difference: inputs[1] (asked: none, there: 0x52e324)"]);
      expect(linesBelow(reads, "UnnamedTasksTest#test_aMockByHand")).to.deep.equal([
        "Asked was a mock of its own (HdpExecutionStoreMock), and not store() of an HdpTest, where finalize keeps results.",
        "Deploy the contract with address(store()), or finalize the task in that mock (finalizeTask).",
      ]);
      const ofRouter = linesBelow(reads, "UnnamedTasksTest#test_theSlotOfTheRouterThatCalls");
      expect(ofRouter.slice(3).map((line) => line.replace(/0x[0-9a-f]{40}/, "0x…"))).to.deep.equal([
        "The asked slot is that of 0x…, the contract that the test created with nonce 5 in a mapping at slot 4.",
        `The slot there is that of ${pool} in a mapping at slot 4.`,
      ]);
      const [unknown, advice] = linesBelow(reads, "UnnamedTasksTest#test_anUnknownTask");
      expect(unknown).to.match(
        /none has the asked hash\.$|^Not all that comes to mind could be tried/,
      );
      expect(advice).to.match(/^Name the task in the test/);
    }
  });
});
