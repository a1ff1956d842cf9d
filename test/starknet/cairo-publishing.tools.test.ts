import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { z } from "zod";

import { cairoFolder } from "../../scripts/starknet/mock-class.js";
import { root } from "../support/hardhat-cli.js";
import { withScarbCache } from "../support/scarb-cache.js";
import { filesOf, patchOf, withToolsLibrary, writeFiles } from "../support/snforge.js";
import { runTool, type StarknetTools, starknetToolsOrSkip, type ToolResult } from "../support/starknet-tools.js";

const FIELDS = ["description", "documentation", "edition", "keywords", "license", "readme", "repository"];
const PACKED_STORE = join("target", "package", "hardhat_hdp-0.1.0");
const PACKED_TESTING = join("testing", "target", "package", "hardhat_hdp_testing-0.1.0");

describe("the Cairo packages as they are published", function () {
  this.timeout(300_000);

  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "hdp-package-"));
    writeFiles(folder, filesOf(cairoFolder));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  async function scarb(tools: StarknetTools, path: string, ...args: string[]): Promise<ToolResult> {
    const cwd = join(folder, path);
    return await withScarbCache(tools, cwd, async () => await runTool(tools, "scarb", args, { cwd }));
  }

  it("have the metadata that a registry shows, and the repository of the npm package", () => {
    const { repository } = z
      .object({ repository: z.object({ url: z.string() }) })
      .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
    for (const path of [".", "testing"]) {
      const manifest = readFileSync(join(folder, path, "Scarb.toml"), "utf8");
      for (const field of FIELDS) expect(manifest).to.match(new RegExp(`^${field} = `, "m"));
      const address = /^repository = "(.+)"$/m.exec(manifest)?.[1];
      expect(`git+${address ?? ""}.git`).to.equal(repository.url);
      expect(manifest).to.contain(`documentation = "${address ?? ""}/blob/main/docs/starknet.md"`);
    }
  });

  it("compile as they are packaged, the helpers against the packaged store too", async function () {
    const tools = starknetToolsOrSkip(this);
    const store = await scarb(tools, ".", "package", "--allow-dirty");
    expect(store.code, store.output).to.equal(0);
    expect(store.output)
      .to.match(/Verifying hardhat_hdp-0\.1\.0.*Compiling hardhat_hdp.*Packaged \d+ files/s)
      .and.not.match(/^warn/m);
    const manifest = join(folder, "testing", "Scarb.toml");
    writeFiles(folder, { "testing/Scarb.toml": withToolsLibrary(readFileSync(manifest, "utf8"), tools) });
    const packaged = await scarb(tools, "testing", "package", "--no-verify", "--allow-dirty");
    expect(packaged.code, packaged.output).to.equal(0);
    expect(packaged.output)
      .to.match(/Packaged \d+ files/)
      .and.not.match(/^warn/m);
    // Scarb looks for the store in the registry to verify the helpers, and says so until it is published there.
    const verified = await scarb(tools, "testing", "package", "--allow-dirty");
    if (verified.code !== 0)
      expect(verified.output).to.contain("failed to lookup for `hardhat_hdp ^0.1.0` in registry");
    const unpacked = join(folder, PACKED_TESTING);
    expect(existsSync(join(unpacked, "Scarb.orig.toml"))).to.equal(true);
    appendFileSync(
      join(unpacked, "Scarb.toml"),
      patchOf({ hardhat_hdp: join(folder, PACKED_STORE), snforge_std: tools.snforgeStd }),
    );
    const built = await scarb(tools, PACKED_TESTING, "build");
    expect(built.code, built.output).to.equal(0);
    expect(built.output).to.not.match(/^(warn|error)/m);
  });
});
