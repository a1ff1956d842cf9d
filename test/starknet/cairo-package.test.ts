import { expect } from "chai";

import { cairoTestSource, testNames } from "../../scripts/starknet/cairo-tests.js";
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

  it("passes its tests and those of published tasks and outputs", async () => {
    const vectors = cairoVectorTests();
    if (vectors === undefined) console.log("      without published vectors (set HDP_VECTORS to their folder)");
    const source = `${cairoTestSource()}\n${vectors ?? ""}`;
    const names = testNames(source);
    expect(names).to.include.members([
      "opens_when_the_average_is_high_enough",
      "a_written_result_is_read_as_finalized",
      "a_finalized_result_is_read",
      "opens_at_the_computed_result",
    ]);
    const published = names.filter((name) => name.startsWith("published_datalake_task"));
    expect(published).to.have.length(vectors === undefined ? 0 : 24);
    await expectAllPass(source);
  });
});
