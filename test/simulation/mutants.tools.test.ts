import { expect } from "chai";

import { dailySample } from "../support/daily-sample.js";
import { schedulesOver } from "./mutant-run.js";
import { MUTANTS } from "./mutants.js";

describe("simulated submissions over a source with a planted defect", () => {
  for (const mutant of dailySample(MUTANTS, "HDP_MUTANTS")) {
    it(`break a promise where it ${mutant.does}`, async () => {
      expect(await schedulesOver(mutant), "no schedule notices it").to.not.equal(undefined);
    });
  }
});
