import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { type Abi, encodeFunctionData, type Hex, parseAbi } from "viem";

import hardhatHdp from "../../src/index.js";
import { ethCallAnswer } from "../../src/compute/eth-call-felts.js";
import { failure } from "../support/failure.js";
import { VECTORS } from "../support/vectors.js";

const CLASS = join(VECTORS, "modules", "head", "examples", "eth_call_any.json");

describe("proven calls", function () {
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

  it("say how to make the module where there is none", async () => {
    const { hdp } = await connect();
    expect(await failure(hdp.ethCall({ to: `0x${"11".repeat(20)}`, data: "0x" })))
      .to.include("HDP-4424")
      .and.to.include("--template eth-call");
  });

  it("read an answer, and refuse felts that are none", () => {
    expect(ethCallAnswer([5n, 1n, 21_000n, 2n, 0xabn, 0xcdn])).to.deep.equal({
      ...{ success: true, gasUsed: 21_000n, data: "0xabcd" },
    });
    for (const felts of [[], [1n], [3n, 2n, 0n, 0n], [4n, 1n, 0n, 2n, 1n], [4n, 1n, 0n, 1n, 256n]]) {
      expect(() => ethCallAnswer(felts))
        .to.throw()
        .with.property("code", "HDP-4425");
    }
  });

  it("are finalized like any task, and decoded by the ABI", async function () {
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
});
