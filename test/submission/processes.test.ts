import { expect } from "chai";

import { SubmissionStore } from "../../src/submission/submission-store.js";
import { acceptedIn, resumeOver } from "./processes/child.js";
import { places, runChild } from "./processes/run-child.js";
import { hashOf } from "./world.js";

describe("submissions of real processes on one file", () => {
  const place = places();

  it("send each task once when four processes submit the same ones", async () => {
    const { path, accepted } = place();
    const blocks = [1, 2, 3];
    const ended = await Promise.all(
      [blocks, blocks.toReversed(), blocks, [2]].map(
        async (order) => await runChild({ path, accepted, blocks: order }),
      ),
    );
    expect(ended.map(({ stderr }) => stderr)).to.deep.equal(["", "", "", ""]);
    const hashes = acceptedIn(accepted).map((line) => line.split(" ")[1]);
    expect(hashes.toSorted()).to.deep.equal(blocks.map(hashOf).toSorted());
  });

  it("lose nothing and send nothing twice when one is killed at any step of submitting and awaiting", async () => {
    let steps = Infinity;
    for (let killAt = 1; killAt <= steps; killAt += 2) {
      const both = [killAt, killAt + 1].map(async (at) => await killed(at));
      for (const end of await Promise.all(both)) if (end !== undefined) steps = end;
    }
    expect(steps).to.be.within(15, 200);
  });

  /** @returns the number of steps, where the process ended before it was killed */
  async function killed(killAt: number): Promise<number | undefined> {
    const { path, accepted } = place();
    const { signal, stdout, stderr } = await runChild({ path, accepted, blocks: [1], killAt });
    if (signal !== "SIGKILL") {
      expect(stderr, `step ${killAt}`).to.equal("");
      return Number(stdout.split(" ")[1]);
    }
    const store = new SubmissionStore({ path, now: Date.now });
    const [line] = acceptedIn(accepted);
    const known = store.list({ unfinished: true }).concat(store.list());
    if (line !== undefined)
      expect(known.length, `step ${killAt}: what was accepted is listed`).to.be.greaterThan(0);
    expect((await resumeOver(path, accepted, 1)).map(({ value }) => value)).to.deep.equal([7n]);
    expect(acceptedIn(accepted).length, `step ${killAt}: accepted once`).to.equal(1);
    expect(
      store.list({ unfinished: true }).filter(({ state }) => state !== "finalized"),
    ).to.deep.equal([]);
    store.close();
    return undefined;
  }
});
