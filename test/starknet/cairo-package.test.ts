import { expect } from "chai";

import { cairoHashSource, cairoTestSource, testNames } from "../../scripts/starknet/cairo-tests.js";
import { runCairoTests } from "../../scripts/starknet/wasm-cairo.js";
import { cairoVectorTests } from "./cairo-vectors.js";

/** Runs a source's tests and holds that each of them ran and passed; the runner names none of those that fail. */
async function expectAllPass(source: string): Promise<void> {
  const names = testNames(source);
  const output = await runCairoTests(source);
  const passed = [...output.matchAll(/^test \S*?(\w+) \.\.\. ok/gm)].map((match) => match[1]);
  expect(passed, `${output}\nTo run one test: node scripts/test-cairo.mjs <its name>`).to.deep.equal(names);
  expect(output).to.contain(`test result: ok. ${names.length} passed; 0 failed; 0 ignored;`);
}

describe("the Cairo package in a Cairo VM", function () {
  // A minute of a processor when nothing is cached.
  this.timeout(600_000);

  it("passes its tests, and those of the example", async () => {
    const source = cairoTestSource();
    const names = testNames(source);
    expect(names).to.include.members([
      "opens_when_the_average_is_high_enough",
      "a_written_result_is_read_as_finalized",
      "a_finalized_result_is_read",
      "opens_at_the_computed_result",
    ]);
    await expectAllPass(source);
  });

  it("hashes published tasks and outputs as TypeScript and Solidity do", async function () {
    const vectors = cairoVectorTests();
    if (vectors === undefined) {
      console.log("      skipped: no published vectors (set HDP_VECTORS to their folder)");
      this.skip();
    }
    const source = `${cairoHashSource()}\n${vectors}`;
    expect(testNames(source).filter((name) => name.startsWith("published_datalake_task"))).to.have.length(24);
    await expectAllPass(source);
  });
});
