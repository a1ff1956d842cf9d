import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { StateNodeMap } from "../../src/entries/request.js";
import { proveStateRead, proveStateUpdate, writeState } from "../../src/request/state-trie.js";
import { initSnforgeProject } from "../../src/tasks/starknet.js";
import { type Fixture, renderFixtures } from "../../src/tasks/requests/task-fixtures.js";
import { cairoPackages } from "../../scripts/starknet/cairo-packages.js";
import { root } from "../support/hardhat-cli.js";
import {
  filesOf,
  type FolderFiles,
  type SnforgeRun,
  snforgeTest,
  writeFiles,
} from "../support/snforge.js";
import { runTool, type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";

const INSTALLED = "node_modules/hardhat-hdp/contracts/starknet/";
const GREATEST = `0x${"f".repeat(64)}` as const;
const LIMBS = "0x8000000000000000000000000000000100000000000000007fffffffffffffff";
const SHIFTED = "0x0000000000000001000000000000000200000000000000030000000000000004";
const FIXTURES: readonly Fixture[] = [
  { name: "limbs_2", title: "later by name", taskHash: SHIFTED, result: BigInt(LIMBS) },
  {
    name: "greatest",
    title: "all bits, ".repeat(30),
    taskHash: GREATEST,
    result: BigInt(GREATEST),
  },
  { name: "limbs", title: "the edges of the limbs", taskHash: LIMBS, result: BigInt(SHIFTED) },
  {
    name: "z_average_of_a_long_name",
    title: "a row that breaks",
    taskHash: LIMBS,
    result: BigInt("0x1"),
  },
  { name: "votes", title: "a module", taskHash: LIMBS, result: BigInt(SHIFTED), module: votes() },
];

/** A module's run that returned felts of every length and wrote into a trie of every kind of node. */
function votes(): NonNullable<Fixture["module"]> {
  const label = 0x766f746573n;
  const keys = [0n, 1n, 1n << 249n, 3n << 249n, (1n << 251n) - 1n];
  const nodes = new StateNodeMap();
  let root = 0n;
  const writes = keys.map((key) => {
    const proof = proveStateUpdate(nodes, root, key, 7n);
    root = writeState(nodes, root, key, 7n);
    return proof;
  });
  const reads = [0n, 2n].map((key) => proveStateRead(nodes, root, key));
  const output = Array.from({ length: 120 }, (_, index) => 1n << BigInt(2 * index));
  return { programHash: "0x12", inputs: [], output, injectedState: [{ label, writes, reads }] };
}

/** Files of a folder, seen from its parent. */
const inside = (files: FolderFiles, folder: string): FolderFiles =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

/** A manifest of a folder beside `node_modules`, with the packages as they are installed there. */
const atInstalled = (manifest: string): string =>
  manifest.replaceAll(/path = "[^"]*contracts\/starknet\//g, `path = "../${INSTALLED}`);

/** What `npm install` puts beside a project. */
const installed = (): FolderFiles => cairoPackages(INSTALLED);

function expectPassed(run: SnforgeRun, tests: readonly string[]): void {
  expect(run.code, run.output).to.equal(0);
  expect(run.output).to.not.match(/^(warn|error)/m);
  expect(run.failed, run.output).to.deep.equal([]);
  expect(run.passed).to.deep.equal(tests);
}

describe("Starknet Foundry projects that use the helper", function () {
  this.timeout(600_000);

  let tools: StarknetTools;
  let project: string;

  before(function () {
    tools = starknetToolsOrSkip(this);
  });

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), "hdp-project-"));
  });

  afterEach(() => {
    rmSync(project, { recursive: true, force: true });
  });

  it("pass the test that hdp starknet init writes into an empty folder", async () => {
    await initSnforgeProject("my-gate", project);
    const made = filesOf(join(project, "my-gate"), "my-gate/");
    const manifest = atInstalled(made["my-gate/Scarb.toml"] ?? "");
    const run = await snforgeTest(
      tools,
      { ...installed(), ...made, "my-gate/Scarb.toml": manifest },
      { package: "my-gate" },
    );
    expectPassed(run, [
      "hdp_test::a_greater_result_shuts_the_gate",
      "hdp_test::another_value_than_the_finalized_one_is_refused",
      "hdp_test::the_finalized_result_opens_the_gate",
    ]);
  });

  it("pass their own tests and the one that hdp starknet init adds to a package of snforge new", async () => {
    // Scarb can't fetch the package's dependencies here, which are not written any more by then.
    await runTool(tools, "snforge", ["new", "hello", "--no-vcs"], { cwd: project });
    await initSnforgeProject("hello", project);
    const made = filesOf(join(project, "hello"), "hello/");
    const text = made["hello/Scarb.toml"] ?? "";
    expect(text).to.contain('assert_macros = "').and.contain("hardhat_hdp_testing");
    // Only in the registry, and not used by the tests of the template.
    const manifest = atInstalled(text.replace(/^assert_macros.*\n/m, ""));
    const run = await snforgeTest(
      tools,
      { ...installed(), ...made, "hello/Scarb.toml": manifest },
      { package: "hello" },
    );
    expectPassed(run, [
      "hdp_test::a_value_is_finalized_in_the_form_of_its_task",
      "test_contract::test_cannot_increase_balance_with_zero_value",
      "test_contract::test_increase_balance",
    ]);
  });

  it("pass the Cairo test of the example and read fixtures in all formats", async () => {
    const example = filesOf(join(root, "examples", "one-task-three-tests", "cairo"));
    const constants = renderFixtures(FIXTURES, "cairo");
    const run = await snforgeTest(
      tools,
      {
        ...installed(),
        ...inside({ ...example, "Scarb.toml": atInstalled(example["Scarb.toml"] ?? "") }, "cairo"),
        "cairo/tests/formats_test.cairo": readFileSync(
          join(import.meta.dirname, "cairo", "formats_test.cairo"),
          "utf8",
        ),
        "cairo/tests/written.cairo": constants,
        "cairo/data/fixtures.txt": renderFixtures(FIXTURES, "txt"),
        "cairo/data/fixtures.json": renderFixtures(FIXTURES, "json"),
      },
      { package: "cairo" },
    );
    const written = {
      "Scarb.toml": '[package]\nname = "written"\nversion = "0.1.0"\nedition = "2024_07"\n',
      "src/lib.cairo": constants,
    };
    writeFiles(project, written);
    const formatted = await runTool(tools, "scarb", ["fmt", "--check"], { cwd: project });
    expect(formatted.code, formatted.output).to.equal(0);
    expectPassed(run, [
      "fee_gate_test::opens_at_the_computed_result",
      "fee_gate_test::refuses_another_value",
      "fee_gate_test::shuts_above_ten_gwei",
      "formats_test::a_fixture_is_a_row_of_a_test_case_greatest",
      "formats_test::a_fixture_is_a_row_of_a_test_case_limbs",
      "formats_test::a_module_says_what_it_returned_and_what_proves_its_state",
      "formats_test::json_says_what_the_constants_say",
      "formats_test::txt_says_what_the_constants_say",
      "task_test::the_task_file_is_this_task",
    ]);
  });
});
