import { expect } from "chai";

import { forgetfulLog, keep, type FrontLog } from "../../src/front/front-log.js";

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
});
