import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { nodeFs, type DurableFs } from "../../src/base/durable-fs.js";
import { FileLog, forgetfulLog, keep, type FrontLog } from "../../src/dev-server/front-log.js";

describe("local front: a full disk", () => {
  it("keeps what happened as soon as there is room again, and tells of the failure once", async () => {
    const kept: unknown[] = [];
    const told: unknown[] = [];
    let refusals = 2;
    const log: FrontLog = {
      ...forgetfulLog,
      append: async (entry) => {
        refusals -= 1;
        if (refusals >= 0) throw new Error("ENOSPC: no space left on device");
        kept.push(entry);
      },
    };
    await keep(
      log,
      { type: "task-ended" },
      { signal: new AbortController().signal, onFailure: (error) => told.push(error) },
    );
    expect(kept).to.deep.equal([{ type: "task-ended" }]);
    expect(told.map(String)).to.deep.equal(["Error: ENOSPC: no space left on device"]);
  });

  it("gives up when the server is closed: the task is begun anew from the log", async () => {
    const closing = AbortSignal.abort();
    const log: FrontLog = { ...forgetfulLog, append: () => Promise.reject(new Error("ENOSPC")) };
    let failure: unknown;
    await keep(log, {}, { signal: closing, onFailure: () => undefined }).catch((error: unknown) => (failure = error));
    expect(String(failure)).to.equal("Error: ENOSPC");
  });

  it("refuses with the file's path and the system's words, by one error for all refusals in a row", async () => {
    const folder = await mkdtemp(join(tmpdir(), "hdp-full-"));
    let isFull = true;
    const fs: DurableFs = {
      ...nodeFs,
      openAppend: async (path, mode) => {
        const handle = await nodeFs.openAppend(path, mode);
        const full = (): Promise<number> => Promise.reject(new Error("ENOSPC: no space left on device, write"));
        return { ...handle, write: async (bytes) => await (isFull ? full() : handle.write(bytes)) };
      },
    };
    const path = join(folder, "front.jsonl");
    let now = 0;
    const log = await FileLog.open(path, fs, () => now);
    const refusal = async (): Promise<unknown> => await log.append({}).then(String, (error: unknown) => error);
    try {
      const first = await refusal();
      expect(String(first)).to.contain(`${path} cannot be written: ENOSPC: no space left on device, write.`);
      expect(await refusal()).to.equal(first);
      isFull = false;
      expect(await refusal()).to.equal("undefined");
      isFull = true;
      now += 59_000;
      expect(await refusal()).to.equal(first);
      now += 61_000;
      expect(await refusal()).to.not.equal(first);
    } finally {
      await log.close();
      await rm(folder, { recursive: true });
    }
  });
});
