import { expect } from "chai";

import { limitedSignal, systemClock } from "../../src/base/clock.js";
import { Redactor, Secret } from "../../src/service/http/secrets.js";
import { processorTime } from "../support/processor-time.js";

const KEY = "sk_live-7Qm4Zt9.Xw2Ea8";
const MIB = 2 ** 20;

function redactor(): Redactor {
  const made = new Redactor();
  made.learn(new Secret(KEY));
  return made;
}

/** Milliseconds of the processor that a piece of work takes. */
function timeOf(work: () => unknown): number {
  const taken = processorTime();
  work();
  return taken();
}

describe("replies of any depth and size", function () {
  this.timeout(60_000);

  it("are redacted where they nest 100,000 deep, and the key in the innermost place is gone", () => {
    const depth = 100_000;
    let value: unknown = `before ${KEY} after`;
    for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { [`k${KEY}`]: value };
    let inner = redactor().redactValue(value);
    const leaking: string[] = [];
    for (let level = 0; level < depth; level += 1) {
      const [name = "", only] = Object.entries(inner as object)[0] ?? [];
      if (name.includes(KEY)) leaking.push(name);
      inner = only;
    }
    expect(leaking).to.deep.equal([]);
    expect(inner).to.equal("before [redacted] after");
  });

  for (const [name, unit] of [
    ["plain text", "some words of a service, "],
    ["escapes", "\\u0041%41&#65;"],
    ["the key itself", `${KEY} `],
    ["halves of the key", KEY.slice(0, 11)],
  ] as const) {
    it(`of 16 MiB of ${name} are redacted in linear time`, () => {
      const text = (size: number): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
      const hide = redactor();
      hide.redactText(text(MIB));
      const small = Math.max(
        20,
        timeOf(() => hide.redactText(text(2 * MIB))),
      );
      const large = timeOf(() => hide.redactText(text(16 * MIB)));
      expect(large, `2 MiB took ${small.toFixed(0)} ms`).to.be.lessThan(8 * 4 * small);
      expect(hide.redactText(text(MIB) + KEY)).not.to.contain(KEY);
    });
  }
});

describe("timers beyond 24.8 days", () => {
  it("neither end at once nor spin", async () => {
    const stop = new AbortController();
    const pause = systemClock.sleep(2 ** 31 + 1_000, stop.signal).then(() => "over");
    const limit = limitedSignal(2 ** 40, undefined);
    const first = await Promise.race([pause, new Promise((resolve) => setTimeout(resolve, 50, "still waiting"))]);
    expect(first).to.equal("still waiting");
    expect(limit.signal.aborted).to.equal(false);
    stop.abort();
    limit.release();
    expect(await pause).to.equal("over");
  });
});
