// Builds the committed Cairo classes with Scarb: the standard programs with the constants of their hashes, the mock of
// the execution store with its hashes, the modules of templates and examples, and the module the Cairo machine is
// tested with. Names choose some of them: programs, mock, templates, modules. With --check nothing is written:
// the command fails when what is committed is not what the sources compile to.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";

import { type ModuleTemplate, scaffoldModule } from "../src/program/scarb.js";
import { filesOf } from "../test/support/snforge.js";
import { findStarknetTools, type StarknetTools } from "../test/support/starknet-tools.js";
import { cairoFolder } from "./starknet/cairo-packages.js";
import { buildMock, MOCK_FOLDER } from "./starknet/mock-class.js";
import {
  type BuiltContract,
  CAIRO_PATH,
  COMMITTED_SCARB,
  scarbBuildModules,
  WITH_LINES,
} from "./starknet/scarb-build.js";
import { buildStandardPrograms } from "./starknet/standard-programs.js";
import {
  buildTestModule,
  linesOfClass,
  panicsModule,
  recordResults,
} from "./starknet/test-modules.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Texts by file; of a file whose name ends in `.br`, the text that is compressed there. */
type Built = Readonly<Record<string, string>>;

const BUILDS: Readonly<Record<string, (tools: StarknetTools) => Promise<Built>>> = {
  programs: buildStandardPrograms,
  mock: async (tools) => {
    const files = Object.entries(await buildMock(tools));
    return Object.fromEntries(
      files.map(([name, text]) => [join(cairoFolder, MOCK_FOLDER, name), text]),
    );
  },
  templates: buildTemplates,
  modules: async (tools) => {
    const folder = join(root, "test", "cairo", "compiled");
    const [panics] = await scarbBuildModules(tools, { panics: panicsModule() }, WITH_LINES);
    if (panics === undefined) throw new Error("No panics was built.");
    return {
      [join(folder, "panics.contract_class.json.br")]: linesOfClass(panics.sierra),
      [join(folder, "panics.compiled_contract_class.json.br")]: panics.casm,
      [join(folder, "functions.compiled_contract_class.json")]: await buildTestModule(tools),
      [join(folder, "functions.results.json")]: await recordResults(tools),
    };
  },
};

/** Builds the templates of modules, of which one is an example, another example's module and a variant for tests, all in one workspace. */
async function buildTemplates(tools: StarknetTools): Promise<Built> {
  const sources = (name: string, template: ModuleTemplate): Record<string, string> =>
    Object.fromEntries(scaffoldModule(name, template, CAIRO_PATH));
  const names = Object.keys(TEMPLATE_CLASSES);
  const built = await scarbBuildModules(tools, {
    module_balance: sources("module_balance", "balance"),
    events: sources("events", "events"),
    m_injected_state: sources("m_injected_state", "injected-state"),
    m_bridge: sources("m_bridge", "bridge"),
    plain_sum: plainSum(sources("plain_sum", "balance")),
    twap: twapSources(),
  });
  const files = names.map((name, position) => {
    const [folder, kept] = TEMPLATE_CLASSES[name] ?? [];
    const contract = built[position];
    if (folder === undefined || contract === undefined) throw new Error(`No ${name} was built.`);
    const sierra = kept === "abi" ? abiOf(contract.sierra) : contract.sierra;
    return classesIn(join(root, folder), `${name}_Module`, { ...contract, sierra });
  });
  return Object.assign({}, ...files) as Built;
}

/** By package, in the order in which they are built: where its classes lie, and what is kept of the Sierra class. */
const TEMPLATE_CLASSES: Readonly<Record<string, readonly [folder: string, kept: "all" | "abi"]>> = {
  module_balance: ["examples/module-balance/compiled", "all"],
  events: ["examples/events/compiled", "all"],
  m_injected_state: ["test/program/templates", "abi"],
  m_bridge: ["test/program/templates", "abi"],
  plain_sum: ["test/plugin/compiled", "all"],
  twap: ["examples/twap/compiled", "all"],
};

/** Returns the module of the example twap, beside the Cairo packages. */
function twapSources(): Record<string, string> {
  const folder = join(root, "examples", "twap", "module");
  const manifest = readFileSync(join(folder, "Scarb.toml"), "utf8");
  return {
    ...filesOf(join(folder, "src"), "src/"),
    "Scarb.toml": manifest.replace("../../../contracts/starknet", CAIRO_PATH),
  };
}

/** Returns a Sierra class with its ABI alone, which is what the tests of templates need. */
function abiOf(sierra: string): string {
  return `${JSON.stringify({ ...(JSON.parse(sierra) as object), sierra_program: [] })}\n`;
}

/** Makes the template `balance` a module that returns a plain u256, whose order no root fixes: for tests of that. */
function plainSum(files: Readonly<Record<string, string>>): Record<string, string> {
  const plain = (files["src/lib.cairo"] ?? "")
    .replace("-> [felt252; 2]", "-> u256")
    .replace("marked_u256(sum)", "sum")
    .replace(/^ *use hardhat_hdp_module::output::marked_u256;\n/m, "");
  return { ...files, "src/lib.cairo": plain };
}

function classesIn(folder: string, stem: string, { sierra, casm }: BuiltContract): Built {
  return {
    [join(folder, `${stem}.contract_class.json`)]: sierra,
    [join(folder, `${stem}.compiled_contract_class.json`)]: casm,
  };
}

function isPacked(file: string): boolean {
  return file.endsWith(".br");
}

function committed(file: string): string {
  const bytes = readFileSync(file);
  return (isPacked(file) ? brotliDecompressSync(bytes) : bytes).toString("utf8");
}

const tools = findStarknetTools();
if (typeof tools === "string") throw new Error(tools);
if (tools.versions.scarb !== COMMITTED_SCARB) {
  throw new Error(
    `Classes are built with Scarb ${COMMITTED_SCARB}, and ${tools.where} has ${tools.versions.scarb}.`,
  );
}
const isCheck = process.argv.includes("--check");
const chosen = process.argv.slice(2).filter((argument) => argument !== "--check");
for (const [name, build] of Object.entries(BUILDS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  for (const [file, text] of Object.entries(await build(tools))) {
    if (!isCheck) {
      writeFileSync(file, isPacked(file) ? brotliCompressSync(text) : text);
      console.log(`Wrote ${file}`);
    } else if (committed(file) !== text) {
      console.error(`${file} is not what the sources compile to. Run: npm run cairo`);
      process.exitCode = 1;
    }
  }
}
