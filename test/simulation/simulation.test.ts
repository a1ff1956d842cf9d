import { expect } from "chai";

import { NAMED_SCHEDULES, planOf } from "./named.js";
import { explained, seedOfTheDay, simulateFor } from "./random-histories.js";
import { simulate } from "./simulate.js";
import { QUICK, simulateEnumerated } from "./suite.js";

/** Seconds of random histories. */
const SECONDS = Number(process.env["HDP_SIMULATE"] ?? 1);

describe("simulated submissions", function () {
  this.timeout(120_000 + SECONDS * 2_000);

  describe("in schedules that broke a promise once:", () => {
    for (const schedule of NAMED_SCHEDULES) {
      it(schedule.title, async () => {
        for (let seed = 1; seed <= QUICK.seeds; seed += 1) {
          const plan = planOf(schedule, seed);
          const { violations } = await simulate(plan);
          expect(violations, violations.length === 0 ? "" : await explained(plan)).to.deep.equal(
            [],
          );
        }
      });
    }
  });

  it("keep every promise after a crash at each step, and in each order of two submitters with one switch", async () => {
    const { count, failure } = await simulateEnumerated({ ...QUICK, seeds: 0 });
    expect(failure, failure).to.equal(undefined);
    expect(count).to.be.greaterThan(100);
  });

  it(`keep every promise in random histories, for ${SECONDS} s of the day's seeds`, async () => {
    const { count, failure } = await simulateFor(SECONDS, seedOfTheDay());
    expect(failure, failure).to.equal(undefined);
    expect(count).to.be.greaterThan(0);
  });
});
