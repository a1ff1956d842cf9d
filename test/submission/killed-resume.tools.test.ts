import { expect } from "chai";

import { SubmissionStore } from "../../src/submission/submission-store.js";
import { acceptedIn, type ChildJob, resumeOver } from "./processes/child.js";
import { places, runChild } from "./processes/run-child.js";

describe("a submission whose process was killed", function () {
  this.timeout(300_000);

  const place = places();
  const newJob = (): ChildJob => ({ ...place(), blocks: [1] });

  /** @returns the state that a process leaves that is killed at a step; undefined where it ended before */
  async function leftAt(killAt: number): Promise<string | undefined> {
    const job = newJob();
    if ((await runChild({ ...job, killAt })).signal !== "SIGKILL") return undefined;
    const store = new SubmissionStore({ path: job.path, now: Date.now });
    const [record] = store.list();
    store.close();
    return `${record?.state ?? "nothing"}, ${acceptedIn(job.accepted).length === 0 ? "not sent" : "sent"}`;
  }

  /** @returns the number of steps of the second process, where it ended before it was killed */
  async function killedTwice(first: number, killAt: number): Promise<number | undefined> {
    const job = newJob();
    expect((await runChild({ ...job, killAt: first })).signal).to.equal("SIGKILL");
    const { signal, stdout, stderr } = await runChild({ ...job, resumes: true, killAt });
    const where = `killed at step ${first} of the submission and ${killAt} of the resumption`;
    expect((await resumeOver(job.path, job.accepted, 1)).map(({ value }) => value)).to.deep.equal([
      7n,
    ]);
    expect(acceptedIn(job.accepted).length, `accepted once: ${where}`).to.equal(1);
    if (signal === "SIGKILL") return undefined;
    expect(stderr, where).to.equal("");
    return Number(stdout.split(" ")[1]);
  }

  it("finishes it without sending it twice, wherever the process that resumes it is killed too", async () => {
    // The first step that leaves each state.
    const firsts = new Map<string, number>();
    for (let step = 1, left: string | undefined = ""; left !== undefined; step += 1) {
      left = await leftAt(step);
      if (left !== undefined && !firsts.has(left)) firsts.set(left, step);
    }
    expect([...firsts.keys()]).to.include.members([
      "claimed, not sent",
      "sending, not sent",
      "sending, sent",
      "accepted, sent",
    ]);
    for (const first of firsts.values()) {
      let steps = Infinity;
      // Every other step: one takes a process.
      for (let killAt = 1; killAt <= steps; killAt += 4) {
        const both = [killAt, killAt + 2].map(async (at) => await killedTwice(first, at));
        for (const end of await Promise.all(both)) if (end !== undefined) steps = end;
      }
      expect(steps).to.be.within(5, 200);
    }
  });
});
