import { expect } from "chai";

import { limitedSignal, systemClock } from "../../src/base/clock.js";
import { Redactor } from "../../src/errors/secrets.js";
import { processorTime } from "../support/processor-time.js";

const KEY = "sk_live-7Qm4Zt9.Xw2Ea8";
const MIB = 2 ** 20;

/** Milliseconds of the processor that a piece of work takes. */
function timeOf(work: () => unknown): number {
  const taken = processorTime();
  work();
  return taken();
}

describe("the redaction of large replies", () => {
  for (const [name, unit] of [
    ["plain text", "some words of a service, "],
    ["escapes", "\\u0041%41&#65;"],
    ["the key itself", `${KEY} `],
    ["halves of the key", KEY.slice(0, 11)],
  ] as const) {
    it(`takes linear time over 16 MiB of ${name}`, () => {
      const text = (size: number): string =>
        unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
      const redactor = new Redactor();
      redactor.learn(KEY);
      redactor.redact(text(MIB));
      const small = Math.max(
        20,
        timeOf(() => redactor.redact(text(2 * MIB))),
      );
      const large = timeOf(() => redactor.redact(text(16 * MIB)));
      expect(large, `2 MiB took ${small.toFixed(0)} ms`).to.be.lessThan(8 * 4 * small);
      expect(redactor.redact(text(MIB) + KEY)).not.to.contain(KEY);
    });
  }
});

describe("timers beyond 24.8 days", () => {
  it("neither end at once nor spin", async () => {
    const stop = new AbortController();
    const pause = systemClock.sleep(2 ** 31 + 1_000, stop.signal).then(() => "over");
    const limit = limitedSignal(2 ** 40, undefined);
    const first = await Promise.race([
      pause,
      new Promise((resolve) => setTimeout(resolve, 50, "still waiting")),
    ]);
    expect(first).to.equal("still waiting");
    expect(limit.signal.aborted).to.equal(false);
    stop.abort();
    limit.release();
    expect(await pause).to.equal("over");
  });
});
