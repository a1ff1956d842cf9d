import { expect } from "chai";

import { cairoTestSource, testNames } from "../../scripts/starknet/cairo-tests.js";
import { runCairoTests } from "../../scripts/starknet/wasm-cairo.js";
import { cairoVectorTests } from "./cairo-vectors.js";

describe("the Cairo package in a Cairo VM", function () {
  // A minute of one processor when nothing is cached.
  this.timeout(600_000);

  let source: string;
  let output: string;

  before(async () => {
    source = cairoTestSource();
    output = await runCairoTests(source);
  });

  it("passes its tests, each of which ran", () => {
    const names = testNames(source);
    const passed = [...output.matchAll(/^test \S*?(\w+) \.\.\. ok/gm)].map((match) => match[1]);
    expect(passed, `${output}\nFor the reason of one test: node scripts/test-cairo.mjs <its name>`).to.deep.equal(names);
    expect(output).to.contain(`test result: ok. ${names.length} passed; 0 failed; 0 ignored;`);
    expect(names).to.include.members(["opens_when_the_average_is_high_enough", "a_written_result_is_read_as_finalized"]);
  });

  it("hashes every published vector as TypeScript and Solidity do", function () {
    if (cairoVectorTests() === undefined) this.skip();
    for (const name of ["published_module_tasks", "published_datalake_tasks", "published_output_roots"])
      expect(output).to.match(new RegExp(`^test astro::vectors_test::${name} \\.\\.\\. ok`, "m"));
  });
});
