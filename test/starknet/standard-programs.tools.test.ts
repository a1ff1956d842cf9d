import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

import { expect } from "chai";

import { COMMITTED_SCARB } from "../../scripts/starknet/scarb-build.js";
import { buildStandardPrograms } from "../../scripts/starknet/standard-programs.js";
import { STANDARD_PROGRAMS } from "../../src/entries/request.js";
import { standardClass } from "../../src/program/standard-classes.js";
import { compareForms } from "../compute/both-forms.js";
import { root } from "../support/hardhat-cli.js";
import { starknetToolsOrSkip } from "../support/starknet-tools.js";

describe("the standard programs", function () {
  this.timeout(1_800_000);

  it("equal what Scarb builds from their sources, byte for byte, and their constants follow", async function () {
    const tools = starknetToolsOrSkip(this);
    if (tools.versions.scarb !== COMMITTED_SCARB) {
      console.log(
        `      skipped: the classes are built with Scarb ${COMMITTED_SCARB}, and this is ${tools.versions.scarb}`,
      );
      this.skip();
    }
    for (const [file, text] of Object.entries(await buildStandardPrograms(tools))) {
      const bytes = readFileSync(file);
      const committed = file.endsWith(".br") ? brotliDecompressSync(bytes) : bytes;
      expect(committed.toString("utf8"), file).to.equal(text);
    }
  });

  it("pass the published prover's crate, which reads them in full, hints included, and computes their hash", async function () {
    const folder = join(import.meta.dirname, "prover-parser");
    const target = join(root, "node_modules", ".cache", "hardhat-hdp", "prover-parser");
    const built = spawnSync("cargo", ["build", "--target-dir", target], {
      cwd: folder,
      encoding: "utf8",
    });
    if (built.error !== undefined) {
      console.log("      skipped: cargo is not on the PATH");
      this.skip();
    }
    expect(built.status, built.stderr).to.equal(0);
    for (const program of STANDARD_PROGRAMS) {
      const json = await standardClass(program);
      const { stdout, stderr } = spawnSync(join(target, "debug", "prover-parser"), [], {
        input: JSON.stringify(json),
        encoding: "utf8",
        maxBuffer: 2 ** 24,
      });
      const [hash, read] = stdout.split("\n");
      expect(hash, stderr).to.equal(program.programHash);
      expect(JSON.parse(read ?? "")).to.deep.equal(json);
    }
  });

  it("compute what the evaluator does for 2,000 random tasks under each handle, errors included", async () => {
    const { values, failures, onlyEvaluated } = await compareForms(2_000);
    expect(values + failures + onlyEvaluated).to.equal(6_000);
    expect(values).to.be.above(3_000);
    expect(failures).to.be.above(1_000);
  });
});
