import { expect } from "chai";

import { pastableName, suggested } from "../../src/errors/hdp-error.js";

describe("commands that are suggested", () => {
  it("suggests commands of one line that a shell takes as it stands", () => {
    expect(suggested("hdp:await", ["task-1"])).to.equal("npx hardhat hdp:await task-1");
    expect(suggested("hdp:await", ["a,b"], { network: "sepolia" })).to.equal(
      "npx hardhat hdp:await 'a,b' --network sepolia",
    );
    expect(suggested("hdp resume", ["it's"], { network: "my net", after: "--lost" })).to.equal(
      String.raw`npx hardhat hdp resume 'it'\''s' --lost --network 'my net'`,
    );
    expect(suggested("hdp:submit", ["tasks/fee.json", "../fee.json", "-x"])).to.equal(
      "npx hardhat hdp:submit tasks/fee.json ../fee.json '-x'",
    );
  });

  it("name what they are about so that the command finds it", () => {
    for (const id of ["task-1", "a,b", "it's", "; rm -rf $HOME", "ünï", "x".repeat(200)]) {
      expect(pastableName(id, "0x12")).to.equal(id);
    }
    for (const id of [
      "--json",
      "-1",
      "a  b",
      " a",
      "a\nb",
      "a\u202eb",
      "\u001b[2J",
      "x".repeat(201),
    ]) {
      expect(pastableName(id, "0x12"), JSON.stringify(id)).to.equal("0x12");
    }
    expect(pastableName("--json", undefined)).to.equal("--json");
  });
});
