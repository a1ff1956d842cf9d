import { spawn, spawnSync } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { isHdpError } from "../../src/entries/request.js";
import { Pipeline } from "../../src/submission/pipeline.js";
import { settle } from "../../src/submission/settle.js";
import { SubmissionStore } from "../../src/submission/submission-store.js";
import { nodeSystem } from "../../src/submission/system.js";
import { Chance } from "../simulation/chance.js";
import { childScript } from "../support/child-script.js";
import { acceptedIn, type ChildJob, submissionsOver } from "./processes/child.js";
import { hashOf, outcomeOf, requestOf, STORE } from "./world.js";

const CHILD = fileURLToPath(new URL("processes/child.ts", import.meta.url));
const ROUNDS = 200;
const DAMAGES = 500;
const SEED = Number(process.env["HDP_DAMAGE_SEED"] ?? Math.floor(Date.now() / 86_400_000));

const GENESIS = `0x${"01".repeat(32)}` as const;

/** All that a store tells. */
function shown(store: SubmissionStore): unknown {
  return {
    submissions: store.list().map((record) => ({ ...record })),
    mock: store.mocks.of(GENESIS),
  };
}

describe(`submissions on real disks that break (seed ${SEED})`, function () {
  this.timeout(600_000);

  let folder: string;
  const mounted: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-broken-"));
  });
  after(async () => {
    for (const path of mounted) spawnSync("umount", ["-l", path]);
    await rm(folder, { recursive: true, force: true });
  });

  const files = (name: string) => ({
    path: join(folder, name, "hdp", "submissions.db"),
    accepted: join(folder, `${name}.accepted`),
  });

  it(`accepts each once and knows it after kill -9 at random in ${ROUNDS} rounds on one file`, async () => {
    const { path, accepted } = files("killed");
    const script = await childScript(CHILD);
    const chance = new Chance(SEED);
    let kills = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const job: ChildJob = { path, accepted, blocks: [round] };
      const child = spawn(process.execPath, [script, JSON.stringify(job)], { stdio: "ignore" });
      const closed = new Promise<string | null>((resolve) =>
        child.on("close", (_, signal) => {
          resolve(signal);
        }),
      );
      const late = pause(chance.between(60, 400)).then(() => child.kill("SIGKILL"));
      if ((await closed) === "SIGKILL") kills += 1;
      await late;
    }
    expect(kills).to.be.greaterThan(ROUNDS / 10);
    const store = new SubmissionStore({ path, now: Date.now });
    const shown = new Map(
      acceptedIn(accepted).map((line) => [line.split(" ")[1], line.split(" ")[0]]),
    );
    const pipeline = new Pipeline({ store, system: nodeSystem, outcomeOf });
    for (const record of store.list()) {
      if (record.state !== "sending" && record.state !== "unknown") continue;
      const serviceId = shown.get(record.parts[0]?.hash);
      await settle(
        store,
        pipeline,
        record,
        serviceId === undefined ? { as: "lost" } : { as: "accepted", serviceId },
      );
    }
    for (let round = 1; round <= ROUNDS; round += 1)
      await submissionsOver(path, accepted).submit(requestOf(round));
    const hashes = acceptedIn(accepted).map((line) => line.split(" ")[1]);
    expect(hashes.toSorted()).to.deep.equal(
      Array.from({ length: ROUNDS }, (_, index) => hashOf(index + 1)).toSorted(),
    );
    store.close();
  });

  it(`send nothing again, and show nothing else than was recorded, after damage at ${DAMAGES} random places of the file`, async () => {
    const { path, accepted } = files("damaged");
    const blocks = Array.from({ length: 30 }, (_, index) => index + 1);
    for (const block of blocks) await submissionsOver(path, accepted).submit(requestOf(block));
    const ids = new Map(
      acceptedIn(accepted).map((line) => [line.split(" ")[1], line.split(" ")[0]]),
    );
    const kept = new SubmissionStore({ path, now: () => 1_000 });
    kept.list().forEach(({ id }, index) => {
      kept.observe(id, {
        name: "PROVING",
        phase: "pending",
        detail: `proof ${index} of ${blocks.length}`,
      });
      if (index % 3 > 0) return;
      const [taskHash, word] = [hashOf(index + 1), `0x${"07".repeat(32)}`] as const;
      kept.recordResults(id, [
        { taskHash, word, value: BigInt(word), store: STORE, transactionHash: word },
      ]);
    });
    kept.mocks.remember(GENESIS, { address: STORE, codeHash: "0xcccc" });
    const recorded = shown(kept);
    kept.close();
    const whole = await readFile(path);
    const chance = new Chance(SEED);
    let noticed = 0;
    for (let count = 1; count <= DAMAGES; count += 1) {
      const damaged = files(`damaged-${count}`);
      const bytes = Buffer.from(whole);
      const at = chance.below(bytes.length);
      for (let index = at; index < Math.min(at + chance.pick([1, 4, 64]), bytes.length); index += 1)
        bytes[index] = chance.below(256);
      await mkdir(join(damaged.path, ".."), { recursive: true });
      await writeFile(damaged.path, bytes);
      await copyFile(accepted, damaged.accepted);
      const reader = new SubmissionStore({ path: damaged.path, now: Date.now });
      try {
        expect(shown(reader), `damage at ${at}`).to.deep.equal(recorded);
      } catch (error) {
        if (!isHdpError(error) || !error.code.startsWith("HDP-51")) throw error;
      }
      reader.close();
      for (const block of [chance.pick([1, 15, 30]), chance.between(1, 30)]) {
        const submissions = submissionsOver(damaged.path, damaged.accepted, { finalized: [] });
        try {
          const [part] = (await submissions.submit(requestOf(block))).parts;
          expect(part?.id, `damage at ${at}`).to.equal(ids.get(hashOf(block)));
        } catch (error) {
          if (!isHdpError(error) || !error.code.startsWith("HDP-51")) throw error;
          noticed += 1;
        }
      }
      expect(acceptedIn(damaged.accepted).length, `damage at ${at}`).to.equal(blocks.length);
      await rm(join(folder, `damaged-${count}`), { recursive: true });
    }
    expect(noticed).to.be.greaterThan(0);
  });

  it("send nothing on a disk that is really full, and go on when there is room", async function () {
    const disk = join(folder, "full");
    await mkdir(disk);
    // What can mount a disk is root, on Linux.
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk]).status !== 0)
      this.skip();
    mounted.push(disk);
    const path = join(disk, "hdp", "submissions.db");
    const accepted = join(folder, "full.accepted");
    await submissionsOver(path, accepted).submit(requestOf(1));
    await writeFile(join(disk, "filler"), Buffer.alloc(512 * 1_024)).catch(() => undefined);
    let refused = 0;
    for (let block = 2; block <= 40; block += 1) {
      const error: unknown = await submissionsOver(path, accepted)
        .submit(requestOf(block))
        .catch((failure: unknown) => failure);
      if (!isHdpError(error)) continue;
      refused += 1;
      expect(error.code).to.be.oneOf(["HDP-5101", "HDP-5007"]);
    }
    expect(refused).to.be.greaterThan(0);
    const before = acceptedIn(accepted).length;
    await rm(join(disk, "filler"));
    await submissionsOver(path, accepted).submit(requestOf(100));
    expect(acceptedIn(accepted).length).to.equal(before + 1);
  });

  it("send nothing from a read-only folder, and say so", async function () {
    const { path, accepted } = files("read-only");
    await submissionsOver(path, accepted).submit(requestOf(1));
    const place = join(path, "..");
    if (process.getuid?.() === 0) {
      mounted.push(place);
      if (spawnSync("mount", ["--bind", place, place]).status !== 0) this.skip();
      if (spawnSync("mount", ["-o", "remount,ro,bind", place]).status !== 0) this.skip();
    } else {
      await chmod(path, 0o400);
      await chmod(place, 0o500);
    }
    const error: unknown = await submissionsOver(path, accepted)
      .submit(requestOf(2))
      .catch((failure: unknown) => failure);
    expect(error).to.include({ code: "HDP-5101" });
    expect(String(error)).to.contain("Nothing was sent.");
    expect(acceptedIn(accepted)).to.have.length(1);
    await chmod(place, 0o700).catch(() => undefined);
  });
});
