import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { link, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";

import { AppendLog } from "../../src/base/append-log.js";
import { exclusiveCreator, nodeFs, type DurableFs } from "../../src/base/durable-fs.js";
import { FileLock } from "../../src/base/file-lock.js";
import { sealLine } from "../../src/base/log-line.js";
import { nodeProcessTable } from "../../src/base/process-table.js";
import { systemErrorCode } from "../../src/base/files.js";
import { childScript } from "../support/child-script.js";
import { rejection } from "../support/failure.js";

let tokens = 0;

function lockAt(path: string, patience: number, fs: DurableFs = nodeFs): FileLock {
  return new FileLock(path, {
    fs,
    ...{ processes: nodeProcessTable(), now: Date.now, newToken: () => `t${String((tokens += 1))}`, patience },
    sleep: async (time) => {
      await sleep(time);
    },
    errors: {
      held: (_path, { pid }) => new Error(`held by ${String(pid)}`),
      unreadable: () => new Error("unreadable"),
    },
  });
}

describe("locks and logs where the system is another", function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-lock-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  for (const code of ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]) {
    it(`works without hard links (${code}), and says once that there are none`, async () => {
      const said: string[] = [];
      const refuse = async (): Promise<void> => await Promise.reject(Object.assign(new Error("no links"), { code }));
      const fs = { ...nodeFs, createExclusive: exclusiveCreator(refuse, (sentence) => said.push(sentence)) };
      let inside = 0;
      let most = 0;
      const work = async (): Promise<void> => {
        most = Math.max(most, (inside += 1));
        await sleep(2);
        inside -= 1;
      };
      const path = join(folder, "lock");
      await Promise.all(Array.from({ length: 12 }, async () => await lockAt(path, 30_000, fs).hold(work)));
      expect(most).to.equal(1);
      expect(said).to.deep.equal([
        `hardhat-hdp: the file system of ${path} has no hard links (${code}). Locks are made without them: keep the folder on another file system where several machines share it.`,
      ]);
      expect(await readdir(folder)).to.deep.equal([]);
    });
  }

  it("passes other errors of linking on, and leaves no draft", async () => {
    const full = async (): Promise<void> => await Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
    const create = exclusiveCreator(full, () => undefined);
    expect(systemErrorCode(await rejection(create(join(folder, "lock"), "x", "t")))).to.equal("ENOSPC");
    expect(await readdir(folder)).to.deep.equal([]);
    expect(await exclusiveCreator(link, () => undefined)(join(folder, "lock"), "x", "t")).to.equal(true);
  });

  it("does not steal the lock of a process in another PID namespace of this machine", async function () {
    const unshare = ["unshare", "--pid", "--fork", "--mount-proc"] as const;
    if (process.platform !== "linux" || spawnSync(unshare[0], [...unshare.slice(1), "true"]).status !== 0) {
      console.log("      skipped: PID namespaces cannot be made here");
      return this.skip();
    }
    const path = join(folder, "lock");
    const holder = await childScript(join(import.meta.dirname, "processes", "lock-holder.ts"));
    const child = spawn(unshare[0], [...unshare.slice(1), process.execPath, holder, path], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    try {
      await once(child.stdout, "data");
      // Inside its namespace the holder has the number 1, which is another process's here.
      expect(String(await rejection(lockAt(path, 300).acquire()))).to.equal("Error: held by 1");
    } finally {
      child.stdin.end();
      await once(child, "exit");
    }
  });

  it("refuses on a disk that is really full, loses nothing, and goes on when there is room", async function () {
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", folder]).status === 0;
    if (!mounted) {
      console.log("      skipped: a small file system cannot be mounted here");
      return this.skip();
    }
    try {
      const path = join(folder, "log.jsonl");
      const format = { decode: (entry: unknown) => ({ entry }) };
      const log = new AppendLog<unknown>({ path, fs: nodeFs, format, mode: 0o600, alone: true });
      await nodeFs.createExclusive(join(folder, "ballast"), "x".repeat(100_000), "b");
      let written = 0;
      let refusal: string | undefined;
      for (; refusal === undefined; written += 1) {
        await log.append(sealLine(JSON.stringify({ n: written, text: "y".repeat(2_000) }))).catch((error: unknown) => {
          refusal = String(error);
        });
      }
      expect(refusal).to.match(/ENOSPC|bytes were written/);
      const kept = written - 1;
      await rejection(log.append(sealLine(JSON.stringify({ n: -1, text: "y".repeat(9_000) }))));
      await rm(join(folder, "ballast"));
      await log.append(sealLine(JSON.stringify({ n: kept })));
      const { entries, damage, end } = await new AppendLog<unknown>({ path, fs: nodeFs, format, mode: 0o600 }).read();
      expect([...damage, ...end.damage]).to.deep.equal([]);
      expect([...entries, ...end.entries].map((entry) => (entry as { n: number }).n)).to.deep.equal(
        Array.from({ length: kept + 1 }, (_, n) => n),
      );
    } finally {
      spawnSync("umount", [folder]);
    }
  });
});
