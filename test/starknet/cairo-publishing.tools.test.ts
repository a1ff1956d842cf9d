import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { z } from "zod";

import { VERSIONED_FILES, withVersion } from "../../scripts/cairo-version.js";
import { cairoPackages } from "../../scripts/starknet/cairo-packages.js";
import { root } from "../support/hardhat-cli.js";
import { withScarbCache } from "../support/scarb-cache.js";
import { patchOf, withToolsLibrary, writeFiles } from "../support/snforge.js";
import {
  runTool,
  type StarknetTools,
  starknetToolsOrSkip,
  type ToolResult,
} from "../support/starknet-tools.js";

const FIELDS = [
  "description",
  "documentation",
  "edition",
  "keywords",
  "license",
  "license-file",
  "readme",
  "repository",
];
const PACKED = join("target", "package");
const TESTING = "hardhat_hdp_testing";

describe("the Cairo packages as they are published", function () {
  this.timeout(300_000);

  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "hdp-package-"));
    writeFiles(folder, cairoPackages());
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  async function scarb(tools: StarknetTools, path: string, ...args: string[]): Promise<ToolResult> {
    const cwd = join(folder, path);
    return await withScarbCache(
      tools,
      cwd,
      async () => await runTool(tools, "scarb", args, { cwd }),
    );
  }

  it("name the metadata that a registry shows, and the repository of the npm package", () => {
    const { repository } = z
      .object({ repository: z.object({ url: z.string() }) })
      .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
    const manifestOf = (path: string): string =>
      readFileSync(join(folder, path, "Scarb.toml"), "utf8");
    for (const path of ["hardhat_hdp", "hardhat_hdp_module", TESTING, "hardhat_hdp_prebuilt"]) {
      for (const field of FIELDS)
        expect(manifestOf(path)).to.match(new RegExp(`^${field}(\\.workspace)? = `, "m"));
    }
    const address = /^repository = "(.+)"$/m.exec(manifestOf(""))?.[1];
    expect(`git+${address ?? ""}.git`).to.equal(repository.url);
    expect(manifestOf("")).to.contain(
      `documentation = "${address ?? ""}/blob/main/docs/starknet.md"`,
    );
  });

  it("have the version of the npm package, of each other, and of the tag that the page names", () => {
    const text = (path: string): string => readFileSync(path, "utf8");
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(text(join(root, "package.json"))));
    const manifests = ["", "hardhat_hdp", "hardhat_hdp_module", TESTING, "hardhat_hdp_prebuilt"];
    const named = manifests.flatMap((path) => [
      ...text(join(folder, path, "Scarb.toml")).matchAll(
        /^version = "(.+)"|path = .*version = "(.+)"/gm,
      ),
    ]);
    const pages = ["starknet.md", "cairo-packages.md"].map((page) =>
      text(join(root, "docs", page)),
    );
    const tags = [...pages.join("").matchAll(/tag = "v([^"]+)"|`v(\d[^`]+)`/g)];
    expect(named).to.have.length(4);
    expect(tags).to.have.length(3);
    for (const [found, one, other] of [...named, ...tags])
      expect(one ?? other, found).to.equal(version);
    expect(text(join(root, "CHANGELOG.md"))).to.contain(`## ${version}`);
  });

  it("get the version of the next release, and the pages its tag, from the workflow that makes the tag", () => {
    const next = "12.3.4";
    const changed = VERSIONED_FILES.map((file) => {
      const before = readFileSync(join(root, file), "utf8");
      const after = withVersion(before, next);
      expect(withVersion(after, "0.1.0"), file).to.equal(before);
      return after.split(next).length - 1;
    });
    // The workspace's own; the dependencies of three members on each other; two tags and a sentence with both.
    expect(changed).to.deep.equal([1, 1, 1, 1, 2, 2]);
    const workflow = readFileSync(join(root, ".github", "workflows", "release.yml"), "utf8");
    expect(workflow)
      .to.contain("script: npx changeset version && node scripts/cairo-version.ts\n")
      .and.contain('gh release create "v$VERSION"')
      .and.contain('require("./package.json").version');
    for (const page of ["starknet.md", "cairo-packages.md"])
      expect(readFileSync(join(root, "docs", page), "utf8")).to.contain("with the release");
  });

  it("compile as they are packaged, the helpers against the packaged store too", async function () {
    const tools = starknetToolsOrSkip(this);
    const manifest = join(folder, "Scarb.toml");
    writeFiles(folder, { "Scarb.toml": withToolsLibrary(readFileSync(manifest, "utf8"), tools) });
    const store = await scarb(tools, ".", "package", "-p", "hardhat_hdp", "--allow-dirty");
    expect(store.code, store.output).to.equal(0);
    expect(store.output)
      .to.match(/Verifying hardhat_hdp-0\.1\.0.*Compiling hardhat_hdp.*Packaged \d+ files/s)
      .and.not.match(/^warn/m);
    const packaged = await scarb(
      tools,
      ".",
      "package",
      "-p",
      TESTING,
      "--no-verify",
      "--allow-dirty",
    );
    expect(packaged.code, packaged.output).to.equal(0);
    expect(packaged.output)
      .to.match(/Packaged \d+ files/)
      .and.not.match(/^warn/m);
    // Scarb looks for the store in the registry to verify the helpers, and says so until it is published there.
    const verified = await scarb(tools, ".", "package", "-p", TESTING, "--allow-dirty");
    if (verified.code !== 0)
      expect(verified.output).to.contain("failed to lookup for `hardhat_hdp ^0.1.0` in registry");
    const unpacked = join(folder, PACKED, `${TESTING}-0.1.0`);
    for (const file of ["Scarb.orig.toml", "LICENSE"])
      expect(existsSync(join(unpacked, file)), file).to.equal(true);
    const store010 = join(folder, PACKED, "hardhat_hdp-0.1.0");
    appendFileSync(
      join(unpacked, "Scarb.toml"),
      patchOf({ hardhat_hdp: store010, snforge_std: tools.snforgeStd }),
    );
    const built = await scarb(tools, join(PACKED, `${TESTING}-0.1.0`), "build");
    expect(built.code, built.output).to.equal(0);
    expect(built.output).to.not.match(/^(warn|error)/m);
  });
});
