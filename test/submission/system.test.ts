import { hostname } from "node:os";

import { expect } from "chai";

import { nodeSystem } from "../../src/submission/system.js";

describe("processes of this machine", () => {
  const { self, mayRun } = nodeSystem.processes;

  it("distinguish this process from one that had its number before, as in a container that was started again", () => {
    expect(mayRun(self)).to.equal(true);
    expect(mayRun(`${hostname()}:${process.pid}:${"0".repeat(8)}`)).to.equal(false);
  });

  it("may run where their number lives, or where they are of another machine", () => {
    expect(mayRun(`${hostname()}:${process.ppid}:0`)).to.equal(true);
    expect(mayRun(`${hostname()}:999999999:0`)).to.equal(false);
    expect(mayRun("elsewhere:999999999:0")).to.equal(true);
  });
});
