import { spawnSync } from "node:child_process";

import { expect } from "chai";

import type { DurableFs } from "../../src/base/durable-fs.js";
import { HdpError } from "../../src/errors/hdp-error.js";
import { FileLock, type LockErrors } from "../../src/base/file-lock.js";
import { nodeProcessTable, type ProcessTable } from "../../src/base/process-table.js";
import { errorOf } from "../submission/world.js";
import { Lifetime, MemoryDisk, memoryFs } from "../support/memory-disk.js";

const LOCK = "/p/journal.jsonl.lock";
const NOTHING = async (): Promise<void> => {
  await Promise.resolve();
};
const TURN = async (): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
};

let tokens = 0;

/** The errors of the lock's owner. */
const errors: LockErrors = {
  held: (path, { pid, host }) => new HdpError({ code: "HDP-5003", message: `held by ${pid} on ${host}: ${path}` }),
  unreadable: (path) => new HdpError({ code: "HDP-5003", message: `not a lock: ${path}` }),
};

interface Options {
  readonly fs: DurableFs;
  readonly pid: number;
  readonly alive: (pid: number) => boolean;
  readonly sleep?: () => Promise<void>;
}

function lockOf({ fs, pid, alive, sleep }: Options): FileLock {
  let time = 0;
  const processes: ProcessTable = { self: { pid, host: "h" }, mayBeAlive: (holder) => alive(holder.pid) };
  return new FileLock(LOCK, {
    ...{ fs, processes, errors, patience: 1000, now: () => time },
    newToken: () => `t${(tokens += 1)}`,
    sleep: async (milliseconds) => {
      time += milliseconds;
      await (sleep?.() ?? Promise.resolve());
    },
  });
}

const holderText = (token: string, pid: number): string => JSON.stringify({ token, pid, host: "h" });

describe("file lock", () => {
  it("lets one holder in at a time", async () => {
    const fs = memoryFs(new MemoryDisk());
    let inside = 0;
    let most = 0;
    const enter = async (pid: number): Promise<void> => {
      const lock = lockOf({ fs, pid, alive: () => true, sleep: TURN });
      await lock.hold(async () => {
        inside += 1;
        most = Math.max(most, inside);
        await TURN();
        inside -= 1;
      });
    };
    await Promise.all([1, 2, 3, 4].map(enter));
    expect(most).to.equal(1);
  });

  it("is released when the action throws", async () => {
    const disk = new MemoryDisk();
    const lock = lockOf({ fs: memoryFs(disk), pid: 1, alive: () => true });
    const failing = lock.hold(async () => await Promise.reject(new RangeError("inside")));
    expect(await failing.catch((error: unknown) => error)).to.be.instanceOf(RangeError);
    expect(disk.files.size).to.equal(0);
  });

  it("waits for a living holder, then says who it is", async () => {
    const fs = memoryFs(new MemoryDisk());
    await fs.createExclusive(LOCK, holderText("x", 4711), "x");
    const error = await errorOf(async () => {
      await lockOf({ fs, pid: 1, alive: () => true }).hold(NOTHING);
    });
    expect(error.code).to.equal("HDP-5003");
    expect(error.shortMessage).to.equal(`held by 4711 on h: ${LOCK}`);
  });

  it("refuses a lock file that is not one", async () => {
    for (const text of ["", "{}", "hello"]) {
      const fs = memoryFs(new MemoryDisk());
      await fs.createExclusive(LOCK, text, "x");
      const error = await errorOf(async () => {
        await lockOf({ fs, pid: 1, alive: () => true }).hold(NOTHING);
      });
      expect(error.code).to.equal("HDP-5003");
      expect(error.shortMessage).to.equal(`not a lock: ${LOCK}`);
    }
  });

  it("stops waiting when aborted", async () => {
    const fs = memoryFs(new MemoryDisk());
    await fs.createExclusive(LOCK, holderText("x", 2), "x");
    const controller = new AbortController();
    const sleep = async (): Promise<void> => {
      controller.abort(new RangeError("enough"));
      await Promise.resolve();
    };
    const held = lockOf({ fs, pid: 1, alive: () => true, sleep }).hold(NOTHING, controller.signal);
    expect(await held.catch((error: unknown) => error)).to.be.instanceOf(RangeError);
  });

  it("leaves a lock alone that was replaced by hand", async () => {
    const disk = new MemoryDisk();
    const fs = memoryFs(disk);
    await lockOf({ fs, pid: 1, alive: () => true }).hold(async () => {
      await fs.remove(LOCK);
      await fs.createExclusive(LOCK, holderText("other", 2), "other");
    });
    expect(disk.text(LOCK)).to.equal(holderText("other", 2));
  });

  it("takes over from holders that died at any point, one at a time", async () => {
    // The second process takes over from the first and dies after each possible number of steps.
    for (let crashAt = 0; crashAt < 30; crashAt += 1) {
      const disk = new MemoryDisk();
      await memoryFs(disk).createExclusive(LOCK, holderText("dead", 1), "dead");
      const life = new Lifetime(crashAt);
      await lockOf({ fs: memoryFs(disk, life), pid: 2, alive: (pid) => pid === 2 })
        .hold(NOTHING)
        .catch(() => undefined);
      let inside = 0;
      let entered = 0;
      const sleep = TURN;
      await Promise.all(
        [3, 4, 5].map(async (pid) => {
          const lock = lockOf({ fs: memoryFs(disk), pid, alive: (holder) => holder > 2, sleep });
          await lock.hold(async () => {
            inside += 1;
            entered += 1;
            expect(inside, `crash at ${crashAt}`).to.equal(1);
            await TURN();
            inside -= 1;
          });
        }),
      );
      expect(entered).to.equal(3);
      expect(disk.files.has(LOCK)).to.equal(false);
    }
  });
});

describe("file lock: processes of this machine", () => {
  const table = nodeProcessTable();

  it("knows living, ended and foreign processes", () => {
    const ended = spawnSync(process.execPath, ["-e", ""]).pid;
    expect(table.mayBeAlive(table.self)).to.equal(true);
    expect(table.mayBeAlive({ ...table.self, pid: ended, started: undefined })).to.equal(false);
    expect(table.mayBeAlive({ ...table.self, host: "elsewhere", pid: ended })).to.equal(true);
    expect(table.mayBeAlive({ pid: 1, host: table.self.host })).to.equal(true);
  });

  it("tells a process from a later one with its number", function () {
    if (table.self.started === undefined) this.skip();
    expect(table.mayBeAlive({ ...table.self, started: "1" })).to.equal(false);
  });
});
