import { setImmediate } from "node:timers/promises";

import { expect } from "chai";

import { Limiter, Turns } from "../../src/base/turns.js";

describe("budget of work", () => {
  it("runs as much at once as fits, and the others in their order", async () => {
    const limiter = new Limiter(4);
    const ends: (() => void)[] = [];
    const begun: string[] = [];
    const run = (name: string, weight?: number): Promise<void> =>
      limiter.run(async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      }, weight);
    const all = [run("a"), run("b", 2), run("c", 3), run("d")];
    await setImmediate();
    expect(begun).to.deep.equal(["a", "b"]);
    ends[0]?.();
    await setImmediate();
    expect(begun).to.deep.equal(["a", "b"]);
    ends[1]?.();
    await setImmediate();
    expect(begun).to.deep.equal(["a", "b", "c", "d"]);
    ends.forEach((end) => {
      end();
    });
    await Promise.all(all);
  });

  it("runs what weighs more than everything alone, and goes on after a failure", async () => {
    const limiter = new Limiter(2);
    const failure = limiter
      .run(() => Promise.reject(new Error("no")), 9)
      .catch((error: unknown) => String(error));
    expect(await failure).to.equal("Error: no");
    expect(await limiter.run(() => Promise.resolve("yes"), 9)).to.equal("yes");
  });

  it("begins work in later turns of the event loop once a turn has worked for 20 ms", async () => {
    let now = 0;
    const turns = new Turns(() => now);
    let turn = 0;
    const count = async (): Promise<void> => {
      while (turn < 1_000) {
        await setImmediate();
        turn += 1;
      }
    };
    void count();
    const begun: number[] = [];
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        // As requests arrive: each in an event of its own.
        await setImmediate();
        await turns.next();
        begun.push(turn);
        now += 12;
      }),
    );
    turn = 1_000;
    const ofATurn = [...new Set(begun)].map((one) => begun.filter((other) => other === one).length);
    expect(ofATurn).to.deep.equal([2, 2, 2]);
  });

  it("begins everything at once while a turn has time", async () => {
    const turns = new Turns(() => 0);
    let isLater = false;
    void setImmediate().then(() => (isLater = true));
    for (let piece = 0; piece < 100; piece += 1) await turns.next();
    expect(isLater).to.equal(false);
  });
});
