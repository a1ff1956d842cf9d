import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { cairoPackages } from "../../scripts/starknet/cairo-packages.js";
import { root } from "../support/hardhat-cli.js";
import { filesOf, writeFiles } from "../support/snforge.js";
import { runTool, starknetToolsOrSkip } from "../support/starknet-tools.js";

/** Folders with Cairo sources. */
const SOURCES = [
  "contracts/starknet/programs",
  "contracts/starknet/templates",
  "examples",
  "test/starknet/cairo",
  "test/cairo/modules",
];
const MANIFEST = '[package]\nname = "all_sources"\nversion = "0.1.0"\nedition = "2024_07"\n';

describe("the Cairo sources", function () {
  this.timeout(60_000);

  it("match what scarb fmt writes", async function () {
    const tools = starknetToolsOrSkip(this);
    const folder = mkdtempSync(join(tmpdir(), "hdp-format-"));
    try {
      const sources = SOURCES.flatMap((path) =>
        Object.entries(filesOf(join(root, path), `${path}/`)),
      );
      const cairo = sources.filter(([path]) => path.endsWith(".cairo"));
      expect(cairo.length).to.be.greaterThan(15);
      writeFiles(folder, { ...Object.fromEntries(cairo), "Scarb.toml": MANIFEST });
      // The workspace has settings of its own.
      writeFiles(folder, cairoPackages("workspace/"));
      for (const [cwd, ...args] of [
        [folder],
        [join(folder, "workspace"), "--workspace"],
      ] as const) {
        const { code, output } = await runTool(tools, "scarb", ["fmt", "--check", ...args], {
          cwd,
        });
        expect(code, output).to.equal(0);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
