// Changes the source a little at a time and looks whether a test notices (StrykerJS). `npm run mutation` for all areas,
// `npm run mutation -- chain` for one, `npm run mutation -- chain src/chain/trie.ts` for some files of it. What was
// tested before and did not change is not tested again: `reports/mutation/<area>` keeps it.
import { globSync } from "node:fs";
import { join } from "node:path";

import { Stryker } from "@stryker-mutator/core";
import type { PartialStrykerOptions } from "@stryker-mutator/api/core";

import { root } from "../root.js";
import { verdict } from "./missed.js";
import { TEST_FILES } from "./mocha-test-runner.js";
import { AREAS } from "./areas.js";

/** Share of the mutants that tests must notice, in per cent. */
const LEAST = 90;

function options(area: string, mutate: readonly string[]): PartialStrykerOptions {
  const reports = join("reports", "mutation", area);
  return {
    plugins: ["mocha-test-runner.ts", "ignore-prose.ts", "missed.ts"].map((file) =>
      join(import.meta.dirname, file),
    ),
    testRunner: "mocha-files",
    testRunnerNodeArgs: ["--import", "tsx/esm"],
    mutate: [...mutate],
    coverageAnalysis: "perTest",
    // Tables and schemas are made while files are loaded: each of their mutants would take a process of its own, and
    // what follows from a table is generated, or held to it by a test.
    ignoreStatic: true,
    ignorers: ["prose"],
    ignorePatterns: [
      "/*",
      "!/src",
      "!/test",
      "!/contracts",
      "!/examples",
      "!/scripts",
      "!/task.schema.json",
      "!/package.json",
      "!/tsconfig*.json",
    ],
    tempDirName: join("reports", "mutation", ".sandbox"),
    incremental: true,
    incrementalFile: join(reports, "incremental.json"),
    jsonReporter: { fileName: join(reports, "mutants.json") },
    reporters: ["json", "missed", "progress-append-only"],
    concurrency: Number(process.env["HDP_MUTATION_CONCURRENCY"] ?? 1),
    timeoutMS: 20_000,
    timeoutFactor: 2,
    dryRunTimeoutMinutes: 10,
  };
}

/** Runs a area, says how much was noticed, and returns whether that is enough. */
async function run(area: string, files: readonly string[]): Promise<boolean> {
  const { sources, tests } = AREAS[area] ?? {};
  if (sources === undefined || tests === undefined) {
    throw new Error(`"${area}" is not an area: ${Object.keys(AREAS).join(", ")}`);
  }
  process.env[TEST_FILES] = [
    ...new Set(tests.flatMap((pattern) => globSync(pattern, { cwd: root }))),
  ].join(":");
  const started = Date.now();
  const results = await new Stryker(
    options(area, files.length > 0 ? files : sources),
  ).runMutationTest();
  const count = { noticed: 0, equivalent: 0, missed: 0 };
  for (const mutant of results) {
    const one = verdict(mutant);
    if (one !== undefined) count[one] += 1;
  }
  const share = (100 * count.noticed) / Math.max(1, count.noticed + count.missed);
  console.log(
    `${area}: ${share.toFixed(1)} % noticed (${count.noticed} of ${count.noticed + count.missed}; ${count.equivalent} ` +
      `more are equivalent), ${Math.round((Date.now() - started) / 1000)} s`,
  );
  return share >= LEAST;
}

// Changed code is slow, and what very many rounds find, some hundreds find too.
process.env["HDP_PROOF_ROUNDS"] ??= "1000";
process.env["HDP_SIMULATE"] ??= "0.5";
// Sources are changed in a copy, beside which the published vectors are not.
process.env["HDP_VECTORS"] ??= join(root, "..", "shared", "vectors");
const [chosen, ...files] = process.argv.slice(2);
let enough = true;
for (const area of chosen === undefined ? Object.keys(AREAS) : [chosen])
  enough = (await run(area, files)) && enough;
if (!enough) process.exitCode = 1;
