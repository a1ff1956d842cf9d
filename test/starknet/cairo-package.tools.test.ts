import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { expect } from "chai";
import { hash } from "starknet";
import { toHex } from "viem";

import {
  asModule,
  inForm,
  markedFelts,
  outputDigest,
  rootOfMarked,
  rootOfValue,
  taskHash,
  unorderedRoot,
} from "../../src/entries/request.js";
import { hasModuleForm } from "../../src/request/task-form.js";
import { resultStorageAddress } from "../../src/store/starknet/starknet-execution-store.js";
import { writeTaskCode } from "../../dashboard/task-code.js";
import { cairoPackages } from "../../scripts/starknet/cairo-packages.js";
import { root } from "../support/hardhat-cli.js";
import { playgroundTasks } from "../support/playground-tasks.js";
import {
  filesOf,
  type FolderFiles,
  type SnforgeRun,
  snforgeTest,
  testNames,
} from "../support/snforge.js";
import { type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";
import { contractTaskHash, STORE_ACTS, STORE_CONTRACT } from "../store/store-contract.js";
import { FeltReader, wordFelts } from "./cairo-felts.js";
import { cairoVectorFiles } from "./cairo-vectors.js";
import { stateProofs } from "./state-proofs.js";

/** Folder and name of the helpers' package. */
const TESTING = "hardhat_hdp_testing";

/** Cairo tests of this folder that join the package's own. */
const OWN_TESTS = [
  "fuzz_test",
  "gas_test",
  "state_proofs_test",
  "store_contract_test",
  "vectors_test",
];

/** Rows of the page's table of gas, with the test that measures each. */
const GAS: readonly (readonly [row: string, test: string])[] = [
  ["`module_task_hash` of 3 inputs", "module_task_hash_of_3_inputs"],
  ["`request_key` of 3 inputs", "request_key_of_3_inputs"],
  ["`avg` and its like of a header field", "datalake_task_hash_of_a_header_field"],
  ["`avg` and its like of a storage slot", "datalake_task_hash_of_a_slot"],
  ["`module_form` of a header field", "module_form_of_a_header_field"],
  ["`in_form` of a header field, form `Module`", "in_form_of_a_header_field"],
  ["`in_form` of a storage slot, form `Module`", "in_form_of_a_slot"],
  ["`root_of_felt`", "root_of_a_felt"],
  ["`root_of_value`", "root_of_a_value"],
  ["`root_of_marked` of 8 values", "root_of_8_marked"],
  ["`root_of_digest` of 8 words", "root_of_a_digest_of_8_words"],
  ["`result_storage_address`", "result_storage_address_of_a_task"],
  ["`state_node_hash`", "state_node_hash_of_an_edge"],
  ["`verify_state_inclusion` of 1 node", "verify_state_inclusion_of_1_node"],
  ["`verify_state_exclusion` of 1 node", "verify_state_exclusion_of_1_node"],
  [
    "`verify_state_update` that splits an edge at its first bit",
    "verify_state_update_that_splits_an_edge_at_the_top",
  ],
  [
    "`verify_state_update` that splits an edge at its last bit",
    "verify_state_update_that_splits_an_edge_at_the_bottom",
  ],
  ["`initializer`", "initializer_of_a_reader"],
  ["`pin_task`", "pin_task"],
  ["`task`", "task_of_a_name"],
  ["`read_result`", "read_result"],
  ["`is_finalized`", "is_finalized"],
  ["`require_value` in the datalake form", "require_value_of_a_datalake"],
  ["`require_value` in the module form", "require_value_of_a_module"],
  ["`try_value` in the datalake form", "try_value_of_a_datalake"],
  ["`try_value` in the module form", "try_value_of_a_module"],
  ["`require_felt`", "require_a_felt"],
  ["`require_marked` of 2 values", "require_2_marked"],
  ["`require_digest` of 8 words", "require_a_digest_of_8_words"],
];
/** The rows of the component, whose tests share what they make beforehand. */
const OF_THE_READER = GAS.findIndex(([row]) => row === "`initializer`");

/** The package with more tests, and the files these read. */
function packageWith(modules: readonly string[], data: FolderFiles): FolderFiles {
  const files: Record<string, string> = { ...cairoPackages() };
  const more = filesOf(`${import.meta.dirname}/cairo`);
  for (const name of modules) files[`${TESTING}/tests/${name}.cairo`] = more[`${name}.cairo`] ?? "";
  for (const [path, text] of Object.entries(data)) files[`${TESTING}/${path}`] = text;
  const given = Object.keys(data).flatMap((path) => /^tests\/(\w+)\.cairo$/.exec(path)?.[1] ?? []);
  const declared = [...modules, ...given].map((name) => `mod ${name};\n`).join("");
  const list = `${TESTING}/tests/lib.cairo`;
  files[list] = `${files[list] ?? ""}${declared}`;
  return files;
}

/** A file for each task of the playground: what it writes in Cairo gives the hash and the form that are shown. */
function playgroundFiles(): FolderFiles {
  const files = playgroundTasks().map(({ task, form }, index) => {
    const hash = taskHash(inForm(task, form));
    const text = `${writeTaskCode(task, form).Cairo}
#[test]
fn the_playground_writes_the_task() {
    assert(task().hash == ${hash}, 'hash');
    assert(task().form == HdpForm::${form === "module" ? "Module" : "Datalake"}, 'form');
}
`;
    return [`tests/playground_${index}_test.cairo`, text] as const;
  });
  return Object.fromEntries(files);
}

/** The low and the high half of a uint256. */
function halves(value: bigint): readonly [low: bigint, high: bigint] {
  return [BigInt.asUintN(128, value), value >> 128n];
}

/** The steps of the stores' contract as `snforge_std` reads them. */
function storeContractFile(): string {
  const felts = STORE_CONTRACT.flatMap(({ act, task, word = "0x0" }) => [
    BigInt(STORE_ACTS.indexOf(act)),
    ...wordFelts(contractTaskHash(task)),
    ...wordFelts(word),
  ]);
  return `${[BigInt(STORE_CONTRACT.length), ...felts].map(String).join("\n")}\n`;
}

describe("the Cairo packages in Starknet Foundry", function () {
  this.timeout(600_000);

  let tools: StarknetTools;
  let files: FolderFiles;
  let run: SnforgeRun;
  const vectors = cairoVectorFiles();

  before(async function () {
    tools = starknetToolsOrSkip(this);
    console.log(
      `      snforge ${tools.versions.snforge} and Scarb ${tools.versions.scarb} of ${tools.where}`,
    );
    files = packageWith(OWN_TESTS, {
      ...vectors,
      "data/store_contract.txt": storeContractFile(),
      ...playgroundFiles(),
    });
    // A seed of the day's: what the fuzzer makes up is checked below, whatever it is.
    const seed = Math.floor(Date.now() / 86_400_000).toString();
    run = await snforgeTest(tools, files, {
      package: TESTING,
      workspace: "",
      args: ["--fuzzer-seed", seed, "--max-n-steps", "1000000000"],
    });
  });

  it("pass all their tests without a warning", () => {
    expect(run.output).to.not.match(/^(warn|error)/m);
    expect(run.failed, run.output).to.deep.equal([]);
    const inTesting = Object.entries(files).map(([path, text]) => [
      path.replace(`${TESTING}/`, ""),
      text,
    ]);
    const named = run.passed.map((name) => name.replace(/_(?:storekind|hdpform)_\w+$/, ""));
    expect([...new Set(named)]).to.deep.equal(
      testNames(Object.fromEntries(inTesting) as FolderFiles),
    );
    expect(run.passed).to.include.members([
      "facts_test::a_fact_finalizes_in_the_shape_of_the_development_branch",
      "helpers_test::a_result_is_mocked_for_its_task_alone_where_there_is_no_contract",
      "reader_test::a_result_is_read_by_its_hash_storekind_executionstore",
      "store_test::a_written_result_is_read_as_finalized",
    ]);
  });

  it("deploy the class that is shipped, without building it", async () => {
    const prebuilt = await snforgeTest(tools, cairoPackages(), {
      package: "hardhat_hdp_prebuilt",
      workspace: "",
    });
    expect(prebuilt.output).to.not.match(/^(warn|error)/m);
    expect(prebuilt.passed, prebuilt.output).to.deep.equal([
      "prebuilt_test::the_shipped_class_is_the_store",
    ]);
  });

  it("pass with every other snforge_std that HDP_SNFORGE_STD names", async function () {
    const folders = (process.env["HDP_SNFORGE_STD"] ?? "")
      .split(delimiter)
      .filter((folder) => folder !== "");
    if (folders.length === 0) {
      console.log(
        "      skipped: HDP_SNFORGE_STD names no folder of another snforge_std, and the registry is not asked.",
      );
      this.skip();
    }
    const packages = cairoPackages();
    // The package of the shipped class asks for a newer one.
    const manifest = (packages["Scarb.toml"] ?? "").replace(', "hardhat_hdp_prebuilt"', "");
    for (const snforgeStd of folders) {
      const older = await snforgeTest(
        { ...tools, snforgeStd },
        { ...packages, "Scarb.toml": manifest },
        { package: TESTING, workspace: "", cached: false },
      );
      expect(older.failed, older.output).to.deep.equal([]);
      expect(older.passed, older.output).to.include(
        "store_test::a_written_result_is_read_as_finalized",
      );
    }
  });

  it("cost the gas that the page says", () => {
    const page = readFileSync(join(root, "docs", "cairo-packages.md"), "utf8");
    const table = [...page.matchAll(/^\| (`\w.*?) +\| (\d+\.\d\d) +\|$/gm)].map(([, row, gas]) => [
      row,
      gas,
    ]);
    const measured = GAS.map(([row, test], position) => {
      const common = position < OF_THE_READER ? "nothing" : "reader_setup";
      const base = run.gas[`gas_test::${test}_setup`] ?? run.gas[`gas_test::${common}`] ?? 0;
      return [row, (((run.gas[`gas_test::${test}`] ?? NaN) - base) / 1e6).toFixed(2)];
    });
    expect(table).to.deep.equal(measured);
  });

  it("compute the published hashes of tasks and outputs", () => {
    const tests = [
      "published_module_tasks",
      "published_datalake_tasks",
      "published_output_roots",
      "published_datalake_tasks_in_the_module_form",
    ];
    expect(run.passed).to.include.members(tests.map((name) => `vectors_test::${name}`));
    const counts = Object.values(vectors).map((text) => Number(text.split("\n", 1)[0]));
    expect(
      counts.every((count) => count >= 7),
      counts.join(),
    ).to.equal(true);
  });

  it("accept and refuse proofs of injected state as TypeScript does", () => {
    const proofs = stateProofs();
    const made = proofs.filter(({ isChanged }) => !isChanged);
    for (const kind of ["inclusion", "exclusion", "update"]) {
      expect(made.filter((proof) => proof.kind === kind).length, kind).to.be.greaterThan(10);
    }
    expect(made.every(({ holds }) => holds)).to.equal(true);
    const refused = proofs.filter(({ holds }) => !holds).length;
    expect(refused).to.be.greaterThan(400);
    expect(run.output).to.match(
      new RegExp(`^state proofs ${proofs.length - refused} ${refused}$`, "m"),
    );
  });

  it("behave as every mock of the store", () => {
    const answers = [...run.output.matchAll(/^answer (.+)$/gm)].map(([, answer = ""]) =>
      /^\d+$/.test(answer) ? toHex(BigInt(answer), { size: 32 }) : answer,
    );
    const expected = STORE_CONTRACT.map(({ answer }) => answer);
    // Of the published satellite's mock, then of the development branch's.
    expect(answers).to.deep.equal([...expected, ...expected]);
  });

  it("compute the hashes that TypeScript computes for fuzzed tasks", () => {
    const counts: Record<string, number> = {};
    for (const [, kind = "", list = ""] of run.output.matchAll(
      /^(module|root|forms|storage|datalake) \[([\d, ]*)\]$/gm,
    )) {
      const felts = new FeltReader(list.split(", ").map(BigInt));
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (kind === "module") {
        const [programHash, ...inputs] = [felts.felt(), ...felts.list()].map((felt) => toHex(felt));
        const values = inputs.map((value) => ({ visibility: "public" as const, value }));
        expect(felts.word(), list).to.equal(
          taskHash({ type: "Module", programHash: programHash ?? "0x", inputs: values }),
        );
      } else if (kind === "root") {
        const expected = unorderedRoot(felts.list());
        expect(felts.word(), list).to.equal(expected);
      } else if (kind === "forms") {
        const [first, second] = [BigInt(felts.word()), BigInt(felts.word())];
        const values = [...halves(first), ...halves(second)];
        expect(felts.list(), list).to.deep.equal(markedFelts(values));
        expect(felts.word(), list).to.equal(rootOfValue(first));
        expect(felts.word(), list).to.equal(rootOfMarked(values));
        expect(felts.felt(), list).to.equal(outputDigest([first, second]));
        expect(felts.felt(), list).to.equal(outputDigest(toHex(first, { size: 32 })));
      } else if (kind === "storage") {
        const expected = resultStorageAddress(felts.word(), hash);
        expect(felts.felt(), list).to.equal(expected);
      } else {
        const [datalake, compute] = [felts.datalake(), felts.compute()];
        const task = { type: "DatalakeCompute", datalake, compute } as const;
        expect(felts.word(), list).to.equal(taskHash(task));
        const asModuleTask = felts.word();
        if (!hasModuleForm(task)) continue;
        expect(asModuleTask, list).to.equal(taskHash(asModule(task)));
        counts["module form"] = (counts["module form"] ?? 0) + 1;
      }
      felts.end();
    }
    const { "module form": inModuleForm = 0, ...all } = counts;
    expect(all).to.deep.equal({ module: 40, root: 20, forms: 20, storage: 40, datalake: 100 });
    expect(inModuleForm).to.be.greaterThan(30);
  });
});
