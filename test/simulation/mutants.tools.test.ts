import { expect } from "chai";

import { simulateMutant } from "./mutant-run.js";
import { MUTANTS } from "./mutants.js";

/** Seconds of random histories for a mistake that no enumerated schedule notices. */
const SECONDS = 60;

describe("simulated submissions over a source with a planted mistake", function () {
  this.timeout(600_000);

  for (const mutant of MUTANTS) {
    it(`break a promise where it ${mutant.does}`, async () => {
      const { failure } = await simulateMutant(mutant, SECONDS, 1);
      expect(failure).to.contain("breaks a promise");
    });
  }
});
