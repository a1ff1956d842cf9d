// Builds the committed Cairo classes with Scarb: the standard programs with the constants of their hashes, the mock of
// the execution store with its hashes, the example modules, the templates of modules, and the module the Cairo machine is
// tested with. Names choose some of them: programs, mock, example, templates, modules. With --check nothing is written:
// the command fails when what is committed is not what the sources compile to.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";

import { type ModuleTemplate, scaffoldModule } from "../src/program/scarb.js";
import { filesOf } from "../test/support/snforge.js";
import { findStarknetTools, type StarknetTools } from "../test/support/starknet-tools.js";
import { buildMock, cairoFolder, MOCK_FOLDER } from "./starknet/mock-class.js";
import { type BuiltContract, COMMITTED_SCARB, scarbBuild } from "./starknet/scarb-build.js";
import { buildStandardPrograms } from "./starknet/standard-programs.js";
import { buildTestModule, recordResults } from "./starknet/test-modules.js";

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
  example: async (tools) => ({
    ...(await buildExample(tools, "module-balance", "module_balance_Module", ".")),
    ...(await buildExample(tools, "twap", "twap_Module", "module")),
  }),
  templates: async (tools) => ({
    ...(await buildTemplate(tools, "logs")),
    ...(await buildTemplate(tools, "injected-state")),
    ...(await buildTemplate(tools, "bridge")),
    ...(await buildPlainSum(tools)),
  }),
  modules: async (tools) => {
    const folder = join(root, "test", "cairo", "compiled");
    return {
      [join(folder, "functions.compiled_contract_class.json")]: await buildTestModule(tools),
      [join(folder, "functions.results.json")]: await recordResults(tools),
    };
  },
};

/** Builds the package in a folder of an example; its classes are committed in the example's folder `compiled`. */
async function buildExample(
  tools: StarknetTools,
  name: string,
  stem: string,
  folder: string,
): Promise<Built> {
  const example = join(root, "examples", name);
  const sources = filesOf(join(example, folder, "src"), "src/");
  const manifest = readFileSync(join(example, folder, "Scarb.toml"), "utf8");
  const built = await scarbBuild(tools, { ...sources, "Scarb.toml": manifest }, stem);
  return classesIn(join(example, "compiled"), stem, built);
}

/** Builds a template of modules; the tests of templates run its class, and need the ABI of the Sierra class alone. */
async function buildTemplate(tools: StarknetTools, template: ModuleTemplate): Promise<Built> {
  const name = `m_${template.replace("-", "_")}`;
  const files = Object.fromEntries(scaffoldModule(name, template));
  const { sierra, casm } = await scarbBuild(tools, files, `${name}_Module`);
  const abi = JSON.stringify({ ...(JSON.parse(sierra) as object), sierra_program: [] });
  const built = { sierra: `${abi}\n`, casm };
  return classesIn(join(root, "test", "program", "templates"), `${name}_Module`, built);
}

/** Builds the template `balance` as a module that returns a plain u256, whose order no root fixes: for tests of that. */
async function buildPlainSum(tools: StarknetTools): Promise<Built> {
  const files = Object.fromEntries(scaffoldModule("plain_sum", "balance"));
  const plain = (files["src/lib.cairo"] ?? "")
    .replace("-> [felt252; 2]", "-> u256")
    .replace("marked_u256(sum)", "sum")
    .replace(/^ *use crate::output::marked_u256;\n/m, "");
  const built = await scarbBuild(tools, { ...files, "src/lib.cairo": plain }, "plain_sum_Module");
  return classesIn(join(root, "test", "plugin", "compiled"), "plain_sum_Module", built);
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
