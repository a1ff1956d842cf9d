import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import hardhatHdp from "../../../src/index.js";
import { failure } from "../../support/failure.js";
import { type Geth, hasGeth, startGeth } from "../../support/geth.js";
import { ethCallClass } from "../../support/eth-call-class.js";
import { deployed, finalizeCalls } from "./four-ways.js";

const CLASS = ethCallClass();

/**
 * All 1,235 calls take minutes on an idle machine: unless HDP_FOUR_WAYS=all, every 48th is made, by turns over
 * Hardhat's node and over geth.
 */
const ALL = process.env["HDP_FOUR_WAYS"] === "all";
const EVERY = ALL ? 1 : 96;
const FIRST_ON_GETH = ALL ? 0 : 48;
const LEAST_CALLS = ALL ? 1_000 : 12;
const LEAST_FINALIZED = ALL ? 800 : 8;

describe(`hdp.ethCall of contracts compiled in four ways, ${ALL ? "all calls" : "every 48th call"}`, function () {
  this.timeout(3_600_000);
  let geth: Geth | undefined;
  const folder = mkdtempSync(join(tmpdir(), "hdp-four-ways-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');

  after(async () => {
    await geth?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const made = async (url?: string): Promise<HardhatRuntimeEnvironment> =>
    await createHardhatRuntimeEnvironment(
      {
        plugins: [hardhatHdp],
        hdp: { local: { ethCallModule: CLASS } },
        ...(url === undefined ? {} : { networks: { geth: { type: "http", url } } }),
      },
      {},
      folder,
    );

  it("finalizes no answer that Hardhat's node does not give", async () => {
    const done = await finalizeCalls(await (await made()).network.create(), EVERY);
    console.log(`      Hardhat: ${JSON.stringify(done)}`);
    expect(done.wrong).to.deep.equal([]);
    expect(done.calls).to.be.at.least(LEAST_CALLS);
    expect(done.finalized).to.be.at.least(LEAST_FINALIZED);
  });

  it("finalizes no answer that geth does not give", async function () {
    if (!hasGeth()) this.skip();
    geth = await startGeth((genesis) => ({ ...genesis, excessBlobGas: "0x20000000" }));
    const connection = await (await made(geth.url)).network.create("geth");
    await connection.hdp.deployExecutionStore();
    // Its blob base fee is not the least, and falls from block to block.
    const to = await deployed(connection.provider, "0x4a5f5260205ff3");
    const message = await failure(connection.hdp.ethCall({ to, data: "0x" }));
    expect(message)
      .to.include("HDP-4428")
      .and.to.include("BLOBBASEFEE, which is always 1 in the module");
    const done = await finalizeCalls(connection, EVERY, FIRST_ON_GETH);
    console.log(`      geth: ${JSON.stringify(done)}`);
    expect(done.wrong).to.deep.equal([]);
    expect(done.calls).to.be.at.least(LEAST_CALLS);
    expect(done.finalized).to.be.at.least(LEAST_FINALIZED);
  });
});
