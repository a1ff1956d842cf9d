import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import hardhatHdp from "../../../src/index.js";
import { ethCallClass } from "../../support/eth-call-class.js";
import { finalizeCalls } from "./four-ways.js";

const CLASS = ethCallClass();
/** Every how-manieth call is made here; four-ways.tools.test.ts makes all. */
const EVERY = 176;

describe("hdp.ethCall of contracts compiled in four ways, a sample", function () {
  this.timeout(300_000);

  it("finalizes no answer that the node does not give", async function () {
    const hdp = { local: { ethCallModule: CLASS } };
    const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp], hdp });
    const { finalized, refused, wrong } = await finalizeCalls(await hre.network.create(), EVERY);
    expect(wrong).to.deep.equal([]);
    expect({ finalized, refused }).to.deep.equal({ finalized: 6, refused: { "HDP-4428": 2 } });
  });
});
