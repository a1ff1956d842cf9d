import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { isHdpError } from "../../src/entries/request.js";
import { Pipeline } from "../../src/submission/pipeline.js";
import { settle } from "../../src/submission/settle.js";
import { SubmissionStore } from "../../src/submission/store.js";
import { nodeSystem } from "../../src/submission/system.js";
import { childScript } from "../support/child-script.js";
import { acceptedIn, type ChildJob, submissionsOver } from "./processes/child.js";
import { hashOf, outcomeOf, requestOf } from "./world.js";

const CHILD = fileURLToPath(new URL("processes/child.ts", import.meta.url));

async function run(job: ChildJob): Promise<{ signal: string | null; stdout: string; stderr: string }> {
  const script = await childScript(CHILD);
  return await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, JSON.stringify(job)]);
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    child.on("error", reject);
    child.on("close", (_, signal) => {
      resolve({ signal, stdout, stderr });
    });
  });
}

describe("submissions of real processes on one file", function () {
  this.timeout(120_000);

  let folder: string;
  let count = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-processes-"));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  const place = (): { readonly path: string; readonly accepted: string } => {
    const own = join(folder, String((count += 1)));
    return { path: join(own, "submissions.db"), accepted: `${own}.accepted` };
  };

  it("send each task once when four processes submit the same ones", async () => {
    const { path, accepted } = place();
    const blocks = [1, 2, 3];
    const ended = await Promise.all(
      [blocks, blocks.toReversed(), blocks, [2]].map(async (order) => await run({ path, accepted, blocks: order })),
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
    const { signal, stdout, stderr } = await run({ path, accepted, blocks: [1], killAt });
    if (signal !== "SIGKILL") {
      expect(stderr, `step ${killAt}`).to.equal("");
      return Number(stdout.split(" ")[1]);
    }
    const store = new SubmissionStore({ path, now: Date.now });
    const [line] = acceptedIn(accepted);
    const known = store.list({ unfinished: true }).concat(store.list());
    if (line !== undefined) expect(known.length, `step ${killAt}: what was accepted is listed`).to.be.greaterThan(0);
    // The user runs the same command again, and says what the service shows where it asks for that.
    const again = submissionsOver(path, accepted);
    await again.submit(requestOf(1)).catch(async (error: unknown) => {
      if (!isHdpError(error, "HDP-5005")) throw error;
      const pipeline = new Pipeline({ store, system: nodeSystem, outcomeOf });
      const [record] = store.list();
      if (record === undefined) throw error;
      const serviceId = line?.split(" ")[0];
      await settle(store, pipeline, record, serviceId === undefined ? { as: "lost" } : { as: "accepted", serviceId });
    });
    const submission = await submissionsOver(path, accepted).submit(requestOf(1));
    const finished = await submissionsOver(path, accepted).finish(submission);
    expect((await finished.results()).map(({ value }) => value)).to.deep.equal([7n]);
    expect(acceptedIn(accepted).length, `step ${killAt}: accepted once`).to.equal(1);
    expect(store.list({ unfinished: true }).filter(({ state }) => state !== "finalized")).to.deep.equal([]);
    store.close();
    return undefined;
  }
});
