import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { scaffoldModule } from "../../src/entries/program.js";
import { MODULE_TEMPLATES } from "../../src/program/scarb.js";
import { newScarbToml } from "../../src/tasks/starknet.js";
import { cairoPackages } from "../../scripts/starknet/cairo-packages.js";
import { asMember } from "../../scripts/starknet/scarb-build.js";
import { root } from "../support/hardhat-cli.js";
import { withScarbCache } from "../support/scarb-cache.js";
import { filesOf, type FolderFiles, withToolsLibrary, writeFiles } from "../support/snforge.js";
import { runTool, starknetToolsOrSkip } from "../support/starknet-tools.js";

/** Folders with Cairo sources. */
const SOURCES = [
  "contracts/starknet/programs",
  "contracts/starknet/templates",
  "examples",
  "test/starknet/cairo",
  "test/cairo/modules",
  "test/cairo/panics",
];
const MANIFEST = '[package]\nname = "all_sources"\nversion = "0.1.0"\nedition = "2024_07"\n';

/** Examples with Cairo of their own, which `hdp:init --example` writes: the package's name, and its folder. */
const EXAMPLES = {
  starknet_gate: "examples/starknet-gate/cairo",
  twap: "examples/twap/module",
};

/** What `hdp module new`, `hdp starknet init` and `hdp:init` write, as members of one workspace beside the Cairo packages. */
function writtenProjects(): FolderFiles {
  const templates = MODULE_TEMPLATES.filter((template) => template !== "eth-call");
  const projects = new Map<string, Iterable<readonly [path: string, text: string]>>(
    templates.map((template) => {
      const name = `m_${template.replace("-", "_")}`;
      return [name, scaffoldModule(name, template, "../cairo")];
    }),
  );
  const gate = filesOf(join(root, "contracts/starknet/hardhat_hdp_testing/template"));
  const manifest = newScarbToml("threshold_gate", "../cairo");
  for (const [name, folder] of Object.entries(EXAMPLES)) {
    const files = Object.entries(filesOf(join(root, folder)));
    projects.set(
      name,
      files.map(([path, text]) => [
        path,
        text.replaceAll("../../../contracts/starknet", "../cairo"),
      ]),
    );
  }
  projects.set("threshold_gate", [["Scarb.toml", manifest], ...Object.entries(gate)]);
  const files = [...projects].flatMap(([name, texts]) =>
    [...texts].map(([path, text]) => [
      `${name}/${path}`,
      path === "Scarb.toml" ? asMember(text) : text,
    ]),
  );
  return {
    ...(Object.fromEntries(files) as FolderFiles),
    "Scarb.toml": `# snforge_std\n[workspace]\nmembers = ${JSON.stringify([...projects.keys()])}\n\n[workspace.tool.scarb]\nallow-prebuilt-plugins = ["snforge_std"]\n`,
  };
}

describe("the Cairo sources", function () {
  this.timeout(600_000);

  it("have nothing that scarb lint or scarb fmt would change, what the commands write included", async function () {
    const tools = starknetToolsOrSkip(this);
    const folder = mkdtempSync(join(tmpdir(), "hdp-lint-"));
    try {
      const written = { ...writtenProjects(), ...cairoPackages("cairo/") };
      writeFiles(folder, {
        ...written,
        "Scarb.toml": withToolsLibrary(written["Scarb.toml"] ?? "", tools),
        "cairo/Scarb.toml": withToolsLibrary(written["cairo/Scarb.toml"] ?? "", tools),
      });
      for (const cwd of [folder, join(folder, "cairo")]) {
        const formatted = await runTool(tools, "scarb", ["fmt", "--check", "--workspace"], { cwd });
        expect(formatted.code, formatted.output).to.equal(0);
        const { code, output } = await withScarbCache(tools, cwd, async () => {
          return await runTool(
            tools,
            "scarb",
            ["lint", "--workspace", "--test", "--deny-warnings"],
            { cwd },
          );
        });
        expect(code, output).to.equal(0);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

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
      // The template whose library Scarb fetches: nothing here can build it.
      writeFiles(folder, Object.fromEntries(scaffoldModule("view_call", "eth-call")));
      writeFiles(folder, { "Scarb.toml": MANIFEST });
      const { code, output } = await runTool(tools, "scarb", ["fmt", "--check"], { cwd: folder });
      expect(code, output).to.equal(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
