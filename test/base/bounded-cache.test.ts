import { expect } from "chai";

import { BoundedCache, dropOldest } from "../../src/base/collections.js";

describe("a bounded cache", () => {
  it("reads what is known once, and forgets what was asked for longest ago", async () => {
    const cache = new BoundedCache<string, string>(2);
    const read: string[] = [];
    const get = async (key: string): Promise<string> =>
      await cache.get(key, async (wanted) => {
        read.push(wanted);
        return await Promise.resolve(wanted.toUpperCase());
      });
    expect(await Promise.all(["a", "b", "a", "c", "a", "b"].map(get))).to.deep.equal([
      "A",
      "B",
      "A",
      "C",
      "A",
      "B",
    ]);
    expect(read).to.deep.equal(["a", "b", "c", "b"]);
  });

  it("tries again what failed", async () => {
    const cache = new BoundedCache<string, number>(2);
    const failing = cache.get("a", async () => await Promise.reject(new Error("not now")));
    expect(await failing.catch(String)).to.equal("Error: not now");
    expect(await cache.get("a", async () => await Promise.resolve(1))).to.equal(1);
  });
});

describe("dropping the oldest", () => {
  it("leaves the latest, as many as may be kept", () => {
    const entries = new Map([1, 2, 3, 4, 5].map((number) => [number, undefined]));
    entries.set(1, undefined);
    dropOldest(entries, 5);
    expect([...entries.keys()]).to.deep.equal([1, 2, 3, 4, 5]);
    dropOldest(entries, 2);
    expect([...entries.keys()]).to.deep.equal([4, 5]);
    dropOldest(entries, 0);
    expect(entries.size).to.equal(0);
  });
});
