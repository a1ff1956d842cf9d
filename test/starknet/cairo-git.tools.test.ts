import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect } from "chai";

import { root } from "../support/hardhat-cli.js";
import { filesOf, snforgeTest, writeFiles } from "../support/snforge.js";
import { starknetToolsOrSkip } from "../support/starknet-tools.js";

/** The repository as a clone of its files, for Scarb to fetch. */
function madeRepository(folder: string): string {
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd,
      encoding: "utf8",
    });
  const listed = git(
    root,
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "-z",
    "contracts",
    "examples",
    "test/cairo",
  );
  const cairo = listed
    .split("\0")
    .filter((path) => /\.(cairo|toml)$|LICENSE$|README\.md$/.test(path));
  writeFiles(
    folder,
    Object.fromEntries(cairo.map((path) => [path, readFileSync(join(root, path), "utf8")])),
  );
  git(folder, "init", "--quiet");
  git(folder, "add", "--all", "--force");
  git(folder, "commit", "--quiet", "--message", "all");
  return pathToFileURL(folder).href;
}

describe("a Scarb project that depends on the repository, without npm", function () {
  this.timeout(600_000);

  it("builds without a warning and passes its tests with both packages from git", async function () {
    const tools = starknetToolsOrSkip(this);
    const folder = mkdtempSync(join(tmpdir(), "hdp-git-"));
    try {
      const address = madeRepository(join(folder, "repository"));
      const template = filesOf(
        join(root, "contracts", "starknet", "hardhat_hdp_testing", "template"),
      );
      const page = readFileSync(join(root, "docs", "starknet.md"), "utf8");
      const written = /^## Without Hardhat\n.*?```toml\n(.*?)```/ms.exec(page)?.[1] ?? "";
      expect(written).to.contain('git = "https://github.com/hardhat-hdp/hardhat-hdp"');
      const settings = written.replaceAll(/git = "[^"]*", tag = "[^"]*"/g, `git = "${address}"`);
      const files = {
        ...template,
        "Scarb.toml": `[package]\nname = "threshold_gate"\nversion = "0.1.0"\nedition = "2024_07"\n\n${settings}`,
      };
      // What is on this machine Scarb fetches too.
      const env = { SCARB_OFFLINE: "false", SCARB_CACHE: join(folder, "cache") };
      // The clone has a path of its own each time.
      const run = await snforgeTest(tools, files, { cached: false, build: true, env });
      expect(run.output).to.not.match(/^(warn|error)/m);
      expect(run.passed, run.output).to.deep.equal([
        "hdp_test::a_greater_result_shuts_the_gate",
        "hdp_test::another_value_than_the_finalized_one_is_refused",
        "hdp_test::the_finalized_result_opens_the_gate",
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
