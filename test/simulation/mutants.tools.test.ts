import { expect } from "chai";

import { schedulesOver } from "./mutant-run.js";
import { MUTANTS } from "./mutants.js";

/** Planted mistakes that no schedule notices since submissions are local, remote and read apart: to be closed. */
const OPEN: ReadonlySet<string> = new Set([
  "believes what was read of the store before the lock",
  "takes it for a refusal that the registry does not know the program",
  "says that nothing was sent after it was",
]);

describe("simulated submissions over a source with a planted defect", function () {
  this.timeout(60_000);

  for (const mutant of MUTANTS) {
    if (OPEN.has(mutant.does)) {
      it(`notice nothing yet where it ${mutant.does}`, async () => {
        expect(await schedulesOver(mutant), "take it out of OPEN").to.equal(undefined);
      });
      continue;
    }
    it(`break a promise where it ${mutant.does}`, async () => {
      expect(await schedulesOver(mutant), "no schedule notices it").to.not.equal(undefined);
    });
  }
});
