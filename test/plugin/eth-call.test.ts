import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { type Abi, encodeFunctionData, type Hex, parseAbi } from "viem";

import hardhatHdp from "../../src/index.js";
import { ethCallAnswer } from "../../src/compute/module-values.js";
import { failure } from "../support/failure.js";
import { root } from "../support/hardhat-cli.js";
import { runCommand } from "../support/run-command.js";
import { VECTORS } from "../support/vectors.js";

const CLASS = join(VECTORS, "modules", "head", "examples", "eth_call_any.json");

describe("hdp.ethCall", function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), "hdp-eth-call-"));
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  async function connect(ethCallModule?: string): Promise<NetworkConnection<string>> {
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const hre = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp], hdp: ethCallModule === undefined ? {} : { local: { ethCallModule } } },
      {},
      folder,
    );
    return await hre.network.create();
  }

  it("says how to make the module where it is missing", async () => {
    const { hdp } = await connect();
    expect(await failure(hdp.ethCall({ to: `0x${"11".repeat(20)}`, data: "0x" })))
      .to.include("HDP-4424")
      .and.to.include("--template eth-call");
  });

  it("decodes an answer and refuses felts that are not one", () => {
    expect(ethCallAnswer([5n, 1n, 21_000n, 2n, 0xabn, 0xcdn])).to.deep.equal({
      ...{ success: true, gasUsed: 21_000n, data: "0xabcd" },
    });
    for (const felts of [[], [1n], [3n, 2n, 0n, 0n], [4n, 1n, 0n, 2n, 1n], [4n, 1n, 0n, 1n, 256n]]) {
      expect(() => ethCallAnswer(felts))
        .to.throw()
        .with.property("code", "HDP-4425");
    }
  });

  it("finalizes the call like any task and decodes it by the ABI", async function () {
    if (!existsSync(CLASS)) this.skip();
    const { hdp, provider } = await connect(CLASS);
    const { address } = await hdp.deployExecutionStore();
    const abi: Abi = parseAbi(["function CHAIN_ID() view returns (uint256)"]);
    const answer = await hdp.ethCall({ to: address, abi, functionName: "CHAIN_ID" });
    const data: Hex = encodeFunctionData({ abi, functionName: "CHAIN_ID" });
    const expected: unknown = await provider.request({ method: "eth_call", params: [{ to: address, data }, "latest"] });
    expect(answer.success).to.equal(true);
    expect(answer.data).to.equal(expected);
    expect(answer.value).to.equal(BigInt(String(expected)));
    expect(answer.result.proven).to.equal(true);
    expect((await hdp.readResult(answer.result.taskHash)).word).to.equal(answer.result.word);
  });

  it("runs from the command line, which prints three commands where the module is missing", async function () {
    const call = { contract: `0x${"11".repeat(20)}`, function: "total()(uint256)", arguments: [] };
    const without = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] }, {}, folder);
    const missing = String((await runCommand("eth-call", call, without)).error);
    for (const text of ["hdp module new eth_call --template eth-call", "hdp module build eth_call", "ethCallModule"])
      expect(missing).to.contain(text);
    expect(String((await runCommand("eth-call", { ...call, contract: "0x12" }, without)).error)).to.contain("HDP-3008");
    for (const [given, says] of [
      [{ function: "total(" }, 'HDP-6076 in function: "total(" is not a call of a function.'],
      [{ function: "of(uint256)", arguments: ["x"] }, '"of(uint256) x" is not a call of a function.'],
      [{ function: "of(uint256[])", arguments: ["[1"] }, '"of(uint256[]) [1" is not a call of a function.'],
      [{ block: "last" }, 'HDP-6002 in --block: "last" is not an integer of 0 or more.'],
    ] as const) {
      expect(String((await runCommand("eth-call", { ...call, ...given }, without)).error)).to.contain(says);
    }
    if (!existsSync(CLASS)) this.skip();
    const hre = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp], hdp: { local: { ethCallModule: CLASS } } },
      {},
      folder,
    );
    const { hdp } = await hre.network.getOrCreate();
    const { address } = await hdp.deployExecutionStore();
    const made = await runCommand("eth-call", { ...call, contract: address, function: "CHAIN_ID()(uint256)" }, hre);
    expect(made.error).to.equal(undefined);
    const hash = /Task hash\s+(0x[0-9a-f]{64})/.exec(made.stdout)?.[1] ?? expect.fail(made.stdout);
    const word = /Stored word\s+(0x[0-9a-f]{64})/.exec(made.stdout)?.[1];
    expect((await hdp.readResult(`0x${hash.slice(2)}`)).word, "as a contract reads it").to.equal(word);
    expect(readFileSync(join(root, "docs", "modules.md"), "utf8"), "as documented").to.include(made.stdout.trim());
  });
});
