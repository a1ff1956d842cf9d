import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import { parseCompiledClassText, scaffoldModule, programHash } from "../../src/entries/program.js";
import { MODULE_TEMPLATES, type ModuleTemplate } from "../../src/program/scarb.js";
import { COMMITTED_SCARB, scarbBuild } from "../../scripts/starknet/scarb-build.js";
import { root } from "../support/hardhat-cli.js";
import { snforgeTest } from "../support/snforge.js";
import { type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";

/** By template: the package's name, and where the class lies that other tests run. */
const BUILT: Readonly<
  Record<Exclude<ModuleTemplate, "eth-call">, readonly [name: string, folder: string]>
> = {
  balance: ["module_balance", "examples/module-balance/compiled"],
  logs: ["m_logs", "test/program/templates"],
  "injected-state": ["m_injected_state", "test/program/templates"],
  bridge: ["m_bridge", "test/program/templates"],
};

describe("module templates", function () {
  this.timeout(300_000);

  let tools: StarknetTools;

  before(function () {
    tools = starknetToolsOrSkip(this);
  });

  it("builds each template but the one whose library Scarb fetches", () => {
    expect([...Object.keys(BUILT), "eth-call"]).to.deep.equal(MODULE_TEMPLATES);
  });

  for (const template of MODULE_TEMPLATES.filter((one) => one !== "eth-call")) {
    it(`${template}: passes the unit tests that it has`, async () => {
      const files = Object.fromEntries(scaffoldModule("my_module", template));
      const run = await snforgeTest(tools, files);
      expect(run.output).to.not.match(/^(warn|error)/m);
      expect(run.failed, run.output).to.deep.equal([]);
      expect(run.passed).to.have.length(
        (files["src/tests.cairo"] ?? "").split("#[test]").length - 1,
      );
    });
  }

  for (const [template, [name, folder]] of Object.entries(BUILT)) {
    it(`${template}: builds as it is written, without a warning, to the program that is run`, async () => {
      const files = Object.fromEntries(scaffoldModule(name, template as keyof typeof BUILT));
      const stem = `${name}_Module`;
      const hash = programHash(parseCompiledClassText((await scarbBuild(tools, files, stem)).casm));
      const kept = readFileSync(join(root, folder, `${stem}.compiled_contract_class.json`), "utf8");
      // Another version of Scarb compiles another program.
      if (tools.versions.scarb === COMMITTED_SCARB)
        expect(hash).to.equal(programHash(parseCompiledClassText(kept)));
    });
  }
});
