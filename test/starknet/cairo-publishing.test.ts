import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { cairoFolder } from "../../scripts/starknet/mock-class.js";
import { filesOf, withToolsLibrary, writeFiles } from "../support/snforge.js";
import { runTool, starknetToolsOrSkip } from "../support/starknet-tools.js";

const FIELDS = ["description", "documentation", "edition", "keywords", "license", "readme"];

describe("the Cairo packages as they are published", function () {
  this.timeout(120_000);

  for (const name of [".", "testing"]) {
    it(`are packaged by Scarb without a warning: ${name}`, async function () {
      const tools = starknetToolsOrSkip(this);
      const folder = mkdtempSync(join(tmpdir(), "hdp-package-"));
      try {
        const files = filesOf(cairoFolder);
        const manifest = files[join(name, "Scarb.toml")] ?? "";
        for (const field of FIELDS) expect(manifest).to.match(new RegExp(`^${field} = `, "m"));
        writeFiles(folder, { ...files, [join(name, "Scarb.toml")]: withToolsLibrary(manifest, tools) });
        const cwd = join(folder, name);
        // Compiling what was packaged is what snforge does elsewhere in these tests.
        const { code, output } = await runTool(tools, "scarb", ["package", "--no-verify", "--allow-dirty"], { cwd });
        expect(code, output).to.equal(0);
        expect(output)
          .to.match(/Packaged \d+ files/)
          .and.not.match(/^warn/m);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
