import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import {
  encodeArguments,
  leadingFelts,
  parseCompiledClassText,
  parseSierraAbi,
  programHash,
  scaffoldModule,
} from "../../src/entries/program.js";
import { runModule } from "../../src/entries/local.js";
import { markedFelts } from "../../src/entries/request.js";
import { MODULE_TEMPLATES, type ModuleTemplate } from "../../src/program/scarb.js";
import { cairoPackages } from "../../scripts/starknet/cairo-packages.js";
import {
  type BuiltContract,
  CAIRO_PATH,
  COMMITTED_SCARB,
  scarbBuildModules,
  WITH_LINES,
} from "../../scripts/starknet/scarb-build.js";
import { panicsModule } from "../../scripts/starknet/test-modules.js";
import { root } from "../support/hardhat-cli.js";
import { PANIC_LINES, panicOf } from "../support/panics-module.js";
import { type FolderFiles, snforgeTest } from "../support/snforge.js";
import { type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";

/** By template: the package's name, and where the class lies that other tests run. */
const BUILT: Readonly<
  Record<Exclude<ModuleTemplate, "eth-call">, readonly [name: string, folder: string]>
> = {
  balance: ["module_balance", "examples/module-balance/compiled"],
  events: ["events", "examples/events/compiled"],
  "injected-state": ["m_injected_state", "test/program/templates"],
  bridge: ["m_bridge", "test/program/templates"],
};

/** A module written from the page of reads alone, and the package's own tests beside it. */
const READS = "hardhat_hdp_module";

function templateFiles(name: string, template: ModuleTemplate): FolderFiles {
  return Object.fromEntries(scaffoldModule(name, template, CAIRO_PATH));
}

function moduleOfThePage(): FolderFiles {
  const page = readFileSync(join(root, "docs", "module-reads.md"), "utf8");
  const source = /```cairo\n(.*?)```/s.exec(page)?.[1] ?? "";
  const manifest = templateFiles("payments", "balance")["Scarb.toml"] ?? "";
  return { "Scarb.toml": manifest, "src/lib.cairo": source };
}

describe("modules on the Cairo packages", function () {
  this.timeout(300_000);

  let tools: StarknetTools;
  let payments: BuiltContract | undefined;
  let panics: BuiltContract | undefined;

  before(function () {
    tools = starknetToolsOrSkip(this);
  });

  it("build each template but the one whose library Scarb fetches", () => {
    expect([...Object.keys(BUILT), "eth-call"]).to.deep.equal(MODULE_TEMPLATES);
  });

  it("build without a warning, the templates to the programs that are run", async () => {
    const named = Object.entries(BUILT).map(([template, [name]]) => [
      name,
      templateFiles(name, template as keyof typeof BUILT),
    ]);
    const built = await scarbBuildModules(
      tools,
      {
        ...(Object.fromEntries(named) as Record<string, FolderFiles>),
        payments: moduleOfThePage(),
        panics: panicsModule(),
      },
      WITH_LINES,
    );
    [payments, panics] = built.slice(-2);
    const hashes = built.map(({ casm }) => programHash(parseCompiledClassText(casm)));
    const kept = Object.values(BUILT).map(([name, folder]) =>
      readFileSync(join(root, folder, `${name}_Module.compiled_contract_class.json`), "utf8"),
    );
    // Another version of Scarb compiles another program.
    if (tools.versions.scarb === COMMITTED_SCARB)
      expect(hashes.slice(0, -2)).to.deep.equal(
        kept.map((text) => programHash(parseCompiledClassText(text))),
      );
  });

  it("panic at the right line, in 26 ways", async () => {
    if (panics === undefined) return expect.fail("The module that panics was not built.");
    const classes = {
      casm: JSON.parse(panics.casm) as unknown,
      sierra: JSON.parse(panics.sierra) as unknown,
    };
    const told = new Map<number, string | undefined>();
    for (const kind of PANIC_LINES.keys()) {
      const run = await panicOf(kind, classes).catch(() => undefined);
      if (run?.status === "panicked" && run.panickedAt !== undefined)
        told.set(kind, run.panickedAt);
    }
    expect(told.size).to.equal(26);
    for (const [kind, place] of told)
      expect(place).to.match(
        new RegExp(`panics/src/kinds\\.cairo:${String(PANIC_LINES.get(kind))}$`),
      );
  });

  it("read transactions and receipts as the page of reads says", async () => {
    if (payments === undefined) return expect.fail("The module of the page was not built.");
    const abi = parseSierraAbi(JSON.parse(payments.sierra), { file: "payments" });
    const account = 0xaan;
    const answers: Readonly<Record<string, readonly bigint[]>> = {
      "transaction.to": [account, account, 1n],
      "transaction.value": [5n, 2n ** 130n],
      "receipt.status": [1n, 0n],
    };
    const inputs = encodeArguments(abi, { chain_id: 1, block: 7, count: 3, account });
    const { status, retdata } = await runModule(JSON.parse(payments.casm), {
      inputs: inputs.map(({ visibility, value }) => ({ visibility, value: BigInt(value) })),
      leadingFelts: leadingFelts(abi),
      read: (read) => {
        const index = "index" in read ? read.index : -1;
        return answers[`${read.kind}.${read.field}`]?.[index] ?? expect.fail(read.field);
      },
    });
    expect(status).to.equal("returned");
    expect(retdata).to.deep.equal(markedFelts([1n, 5n, 0n]));
  });

  it("pass tests over mocks of every read, each of which names the mock that it lacks", async () => {
    const packages = cairoPackages();
    const library = packages[`${READS}/src/lib.cairo`] ?? "";
    const page = moduleOfThePage()["src/lib.cairo"] ?? "";
    const run = await snforgeTest(
      tools,
      {
        ...packages,
        // The module of the page with its tests, compiled with the package that it is written on.
        [`${READS}/src/lib.cairo`]: `${library}#[cfg(test)]\n#[cfg(feature: 'mocks')]\nmod page;\n`,
        [`${READS}/src/page.cairo`]: page.replaceAll(`${READS}::`, "crate::"),
      },
      { package: READS, workspace: "", args: ["--features", "mocks"] },
    );
    expect(run.output).to.not.match(/^(warn|error)/m);
    expect(run.failed, run.output).to.deep.equal([]);
    const own = packages[`${READS}/src/tests.cairo`] ?? "";
    expect(run.passed).to.have.length(own.split("#[test]").length);
    expect(run.passed).to.include("page::tests::leaves_out_what_failed");
  });
});
