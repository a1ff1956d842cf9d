import { expect } from "chai";

import { isTaskHash, requireTaskHash } from "../../src/base/hex.js";

describe("a task hash", () => {
  const hash = `0x${"aA".repeat(32)}`;
  it("accepts exactly 64 hexadecimal digits behind 0x, and nothing around them", () => {
    expect(
      [hash, `${hash}0`, `x${hash}`, hash.slice(0, -1), hash.slice(2)].map(isTaskHash),
    ).to.deep.equal([true, false, false, false, false]);
  });

  it("refuses a task hash with one digit less", () => {
    expect(() => requireTaskHash(hash.slice(0, -1), "task"))
      .to.throw(`HDP-3011 in task: "${hash.slice(0, -1)}" is not a task hash.`)
      .with.property("code", "HDP-3011");
    expect(requireTaskHash(hash)).to.equal(hash);
  });
});
