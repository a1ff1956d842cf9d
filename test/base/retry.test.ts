import { expect } from "chai";

import { Limiter } from "../../src/base/limiter.js";
import { isTransient, retrying } from "../../src/base/retry.js";
import { rejection } from "../support/failure.js";

/** A call that fails with each of the errors and then answers. */
function failing(...errors: readonly object[]): { readonly call: () => Promise<string>; readonly made: () => number } {
  let made = 0;
  return {
    call: () => {
      const error = errors[made];
      made += 1;
      return error === undefined ? Promise.resolve("answer") : Promise.reject(Object.assign(new Error("busy"), error));
    },
    made: () => made,
  };
}

describe("a call that may be made again", () => {
  const pauses: number[] = [];
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: (ms: number) => {
      pauses.push(ms);
      return Promise.resolve();
    },
  };
  beforeEach(() => pauses.splice(0));

  it("is, after pauses that double between a half and the whole", async () => {
    const { call, made } = failing(...Array.from({ length: 5 }, () => ({ code: -32005 })));
    expect(await retrying(call, { clock, random: () => 0 })).to.equal("answer");
    expect(made()).to.equal(6);
    expect(pauses).to.deep.equal([50, 100, 200, 400, 800]);
    pauses.splice(0);
    await retrying(failing({ code: -32005 }, { code: -32005 }).call, { clock, random: () => 0.999999 });
    expect(pauses.map(Math.round)).to.deep.equal([100, 200]);
  });

  it("is six times at most, five seconds apart at most, and then fails as the last one did", async () => {
    const errors = Array.from({ length: 30 }, (_, index) => ({ code: -32005, index }));
    const short = failing(...errors);
    expect(await rejection(retrying(short.call, { clock }))).to.include({ index: 5 });
    expect(short.made()).to.equal(6);
    pauses.splice(0);
    await rejection(retrying(failing(...errors).call, { clock, random: () => 1, attempts: 10 }));
    expect(pauses.slice(-3)).to.deep.equal([5_000, 5_000, 5_000]);
  });

  it("keeps to the pause that the node asks for, within the limit", async () => {
    const asked = failing({ statusCode: 429, retryAfter: 3 }, { statusCode: 429, retryAfter: 3600 });
    await retrying(asked.call, { clock });
    expect(pauses).to.deep.equal([3_000, 5_000]);
  });

  it("is not made again for what will not change", async () => {
    for (const error of [{ code: -32000 }, { code: -32601 }, { statusCode: 400 }, { code: "ECONNREFUSED" }, {}]) {
      const { call, made } = failing(error);
      await rejection(retrying(call, { clock }));
      expect(made(), JSON.stringify(error)).to.equal(1);
    }
  });

  it("is made again for limits, busy nodes and broken connections, also where they are the cause", () => {
    for (const code of [-32005, 429, 503, "ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET"]) {
      expect(isTransient({ code }), String(code)).to.equal(true);
      expect(isTransient(new Error("outer", { cause: { cause: { code } } })), String(code)).to.equal(true);
    }
    for (const statusCode of [429, 502, 503, 504]) expect(isTransient({ statusCode })).to.equal(true);
    for (const other of [undefined, null, "429", { statusCode: 500 }, { code: -32004 }]) {
      expect(isTransient(other)).to.equal(false);
    }
  });

  it("ends with the signal's reason", async () => {
    const controller = new AbortController();
    const { call, made } = failing({ code: -32005 }, { code: -32005 });
    const onRetry = (): void => {
      controller.abort(new Error("enough"));
    };
    expect(await rejection(retrying(call, { clock, signal: controller.signal, onRetry }))).to.include({
      message: "enough",
    });
    expect(made()).to.equal(1);
  });
});

describe("a limiter", () => {
  it("lets so many hold, the next one first", async () => {
    const limiter = new Limiter(2);
    const held: number[] = [];
    const all = [0, 1, 2, 3].map((n) => limiter.acquire().then(() => held.push(n)));
    await Promise.all(all.slice(0, 2));
    await Promise.resolve();
    expect(held).to.deep.equal([0, 1]);
    limiter.release();
    await all[2];
    expect(held).to.deep.equal([0, 1, 2]);
    limiter.release();
    await all[3];
    expect(held).to.deep.equal([0, 1, 2, 3]);
  });

  it("halves how many hold when it is narrowed, and widens one by one", async () => {
    const limiter = new Limiter(8);
    let now = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      await limiter.acquire();
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      limiter.release();
    };
    const run = async (count: number): Promise<number> => {
      most = 0;
      await Promise.all(Array.from({ length: count }, work));
      return most;
    };
    expect(await run(20)).to.equal(8);
    limiter.narrow();
    expect(await run(20)).to.equal(4);
    for (let round = 0; round < 6; round += 1) limiter.narrow();
    expect(await run(10)).to.equal(1);
    await run(32);
    expect(await run(10)).to.equal(2);
    await run(32 * 8);
    expect(await run(20)).to.equal(8);
  });

  it("serves thousands in a row", async () => {
    const limiter = new Limiter(3);
    let done = 0;
    await Promise.all(
      Array.from({ length: 5_000 }, async () => {
        await limiter.acquire();
        done += 1;
        limiter.release();
      }),
    );
    expect(done).to.equal(5_000);
  });
});
