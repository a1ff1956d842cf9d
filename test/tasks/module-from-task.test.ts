import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { blockSampled, header, taskRequest, toTaskRequestJson } from "../../src/entries/request.js";
import { testProject } from "../support/remote-project.js";
import { runCommand } from "../support/run-command.js";

describe("hdp module new --from", () => {
  let root: string;

  before(async () => (root = await mkdtemp(join(tmpdir(), "hdp-module-from-"))));
  after(async () => await rm(root, { recursive: true, force: true }));

  it("writes a README that names the files of the package, and no tests", async () => {
    const { hre } = await testProject({}, root);
    const task = blockSampled({ from: 1, to: 9, property: header("base_fee_per_gas") }).avg();
    const request = taskRequest({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [task] });
    await writeFile(join(root, "fee.json"), JSON.stringify(toTaskRequestJson(request)));
    expect((await runCommand("module new", { name: "fee", from: "fee.json" }, hre)).error).to.equal(
      undefined,
    );
    const readme = await readFile(join(root, "fee", "README.md"), "utf8");
    const named = [...readme.matchAll(/^\| `(.+?)`/gm)].map(([, path = ""]) => path);
    expect(named).to.include.members(["src/lib.cairo", "tasks/fee.json"]);
    expect(named.filter((path) => !existsSync(join(root, "fee", path)))).to.deep.equal([]);
    expect(readme).to.not.match(/## Test|tests\.cairo|fee\.test\.json|snforge test/);
    expect(readme).to.match(/## Build\n[\s\S]*## Check\n[\s\S]*## Rules\n/);
  });
});
