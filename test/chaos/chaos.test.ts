import { expect } from "chai";

import { runChaos, type ChaosRun } from "../support/chaos/run.js";

/**
 * The seeds rotate from day to day, so that in time all of them are seen; a failure names its seed. HDP_CHAOS is the
 * number of faults on each path, HDP_CHAOS_SEED the first seed.
 */
const FAULTS = Number(process.env["HDP_CHAOS"] ?? 100);
const SEED = Number(process.env["HDP_CHAOS_SEED"] ?? Math.floor(Date.now() / 86_400_000) % 50);

describe("chaos over the whole flow", function () {
  this.timeout(120_000 + FAULTS * 200);

  const paths: readonly ChaosRun["path"][] = ["in process", "over HTTP"];
  for (const path of paths) {
    it(`${path}: ${FAULTS} faults of seed ${SEED} lose nothing, send nothing twice and are reported`, async () => {
      const { faults, tasks, sent, errors } = await runChaos({ path, seed: SEED, count: FAULTS });
      expect([...faults.values()].reduce((sum, some) => sum + some, 0)).to.equal(FAULTS);
      expect([...faults.keys()].length, "all kinds").to.equal(8);
      expect(tasks).to.be.greaterThan(FAULTS / 4);
      expect(sent).to.be.greaterThan(tasks);
      expect([...errors.keys()]).to.include.members([
        "HDP-5008",
        "HDP-2081",
        "HDP-2091",
        "HDP-4404",
      ]);
    });
  }
});
