import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { isHdpError } from "../../src/entries/request.js";
import { Database } from "../../src/base/sqlite.js";
import { SubmissionStore } from "../../src/submission/submission-store.js";
import { childScript } from "../support/child-script.js";
import { acceptedIn, type ChildJob, submissionsOver } from "./processes/child.js";
import { hashOf, requestOf } from "./world.js";

const CHILD = fileURLToPath(new URL("processes/child.ts", import.meta.url));

/** What a process throws that finds another one on the same work: it sends, it holds the file, or what it sent is unknown. */
const BUSY = ["HDP-5003", "HDP-5005", "HDP-5103"];

describe("submissions beside what is not seen in tests of one process", function () {
  this.timeout(180_000);
  let folder: string;
  let count = 0;
  const children = new Set<ChildProcess>();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-suspended-"));
  });
  after(async () => {
    for (const child of children) child.kill("SIGKILL");
    await rm(folder, { recursive: true });
  });
  const place = (): { readonly path: string; readonly accepted: string } => {
    const own = join(folder, String((count += 1)));
    return { path: join(own, "submissions.db"), accepted: `${own}.accepted` };
  };

  /** @returns whether the process was suspended before it ended */
  async function suspended(stopAt: number, errors: Set<string>): Promise<boolean> {
    const { path, accepted } = place();
    const job: ChildJob = { path, accepted, blocks: [1], stopAt };
    const child = spawn(process.execPath, [await childScript(CHILD), JSON.stringify(job)]);
    children.add(child);
    let [stdout, stderr] = ["", ""];
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    const ended = once(child, "close");
    const stopped = new Promise<void>((resolve) => {
      child.stdout.on("data", (data: Buffer) => {
        stdout += data.toString();
        if (stdout.startsWith("suspended\n")) resolve();
      });
    });
    await Promise.race([stopped, ended]);
    const isSuspended = stdout.startsWith("suspended\n");
    if (isSuspended) {
      const open = (options: ConstructorParameters<typeof Database>[0]): Database =>
        new Database({ ...options, busyTimeout: 50 });
      await submissionsOver(path, accepted, { patience: 50, open })
        .submit(requestOf(1))
        .catch((error: unknown) => {
          if (!isHdpError(error) || !BUSY.includes(error.code)) throw error;
          errors.add(error.code);
        });
      // Again and again: the first may come before the process is suspended.
      const waking = setInterval(() => child.kill("SIGCONT"), 20);
      await ended.finally(() => {
        clearInterval(waking);
      });
    }
    await ended;
    children.delete(child);
    const where = `step ${stopAt}, ${stderr}`;
    expect(acceptedIn(accepted).length, `accepted once: ${where}`).to.equal(1);
    const submission = await submissionsOver(path, accepted).submit(requestOf(1));
    const finished = await submissionsOver(path, accepted).finish(submission);
    expect(
      (await finished.results()).map(({ value }) => value),
      where,
    ).to.deep.equal([7n]);
    expect(acceptedIn(accepted).length, `accepted once after another command: ${where}`).to.equal(
      1,
    );
    return isSuspended;
  }

  it("send nothing twice when a process is suspended at any step, and goes on after another one submitted the same", async function () {
    // Windows has no signal that suspends a process.
    if (process.platform === "win32") this.skip();
    const errors = new Set<string>();
    let steps = Infinity;
    for (let first = 1; first <= steps; first += 2) {
      const both = [first, first + 1].map(async (at) => [at, await suspended(at, errors)] as const);
      for (const [at, isSuspended] of await Promise.all(both))
        if (!isSuspended) steps = Math.min(steps, at - 1);
    }
    expect(steps).to.be.within(15, 200);
    expect([...errors].sort()).to.deep.equal(["HDP-5003", "HDP-5103"]);
  });

  it("read an older state of the file that was checked out over a newer one, and find results in the store", async () => {
    const { path, accepted } = place();
    await submissionsOver(path, accepted).submit(requestOf(1));
    const old = `${path}.old`;
    await copyFile(path, old);
    await submissionsOver(path, accepted).submit(requestOf(2));
    await submissionsOver(path, accepted).submit(requestOf(3));
    expect(await readdir(dirname(path)), "nothing lies beside the file").to.deep.equal([
      "submissions.db",
      "submissions.db.old",
    ]);
    await copyFile(old, path);
    const store = new SubmissionStore({ path, now: Date.now });
    expect(store.list().flatMap(({ parts }) => parts.map(({ hash }) => hash))).to.deep.equal([
      hashOf(1),
    ]);
    store.close();
    // What the store has is not sent again, although the file does not know it.
    for (const block of [1, 2, 3]) {
      const submissions = submissionsOver(path, accepted);
      const finished = await submissions.finish(await submissions.submit(requestOf(block)));
      expect((await finished.results()).map(({ value }) => value)).to.deep.equal([7n]);
    }
    expect(acceptedIn(accepted)).to.have.length(3);
  });
});
