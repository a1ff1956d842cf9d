import { expect } from "chai";

import { command, root } from "../support/hardhat-cli.js";

describe("a trip through the plugin", function () {
  this.timeout(180_000);

  it("reads a file, resolves its destination and asks for the chain's id once, from hdp:submit to the service", async () => {
    const { stdout, stderr, code } = await command("npx", ["tsx", "scripts/trips.ts"], {
      cwd: root,
    });
    expect(code, stdout + stderr).to.equal(0);
    const [, counts] =
      /^hdp:submit to a service: \d+ files\n((?: {2}.*: \d+ of \d+\n)+)/m.exec(stdout) ?? [];
    expect(counts?.split("\n").map((line) => line.trim())).to.deep.equal([
      "destinations resolved: 1 of 1",
      "chain ids asked for: 1 of 1",
      "requests or tasks parsed: 1 of 1",
      "",
    ]);
  });
});
