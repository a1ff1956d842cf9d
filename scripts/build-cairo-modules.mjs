// Compiles the test module under test/cairo/modules and records what its functions return in another machine.
//
//   node scripts/build-cairo-modules.mjs <universal-sierra-compiler> [compile] [results]
//
// Not part of the tests: run it when a .cairo source changes and commit what it writes to test/cairo/compiled. The
// compiler takes half a minute and more for each call, so all functions are one contract, chosen by the first input.
//   compile  Cairo to Sierra by the npm package wasm-cairo (in a process of its own, as it never gives memory back),
//            Sierra to CASM by universal-sierra-compiler (`cargo install --locked universal-sierra-compiler`).
//   results  What the same functions return in wasm-cairo's own machine (runCairoProgram), for the inputs of cases.json:
//            one program calls them all and panics with what they returned, as arrays are only shown in panics.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { widenFallThrough } from "./starknet/fall-through.mjs";

const sources = fileURLToPath(new URL("../test/cairo/modules/", import.meta.url));
const compiled = fileURLToPath(new URL("../test/cairo/compiled/", import.meta.url));
/** Functions by number. */
const FUNCTIONS = ["arithmetic", "collections", "hashes", "keccak", "panics", "storage_sum"];
/** These do nothing but system calls, which the plain machine does not answer. */
const SYSTEM_FUNCTIONS = ["raw_calls", "other_syscalls"];

const read = (name) => readFileSync(join(sources, `${name}.cairo`), "utf8");

function logicSource(names) {
  const modules = names.map((name) => `mod ${name} {\n${read(name).replaceAll("super::reads", "crate::reads")}}`);
  const arms = names.map(
    (name, number) => `    if number == ${number} {\n        return ${name}::compute(inputs);\n    }`,
  );
  return `mod logic {
${modules.join("\n")}
pub fn compute(number: felt252, inputs: Span<felt252>) -> Array<felt252> {
${arms.join("\n")}
    array![]
}
}`;
}

function contractSource() {
  return `mod reads {
${read("reads")}}
mod handle {
${read("handle")}}
${logicSource([...FUNCTIONS, ...SYSTEM_FUNCTIONS])}
#[starknet::contract]
mod module {
    #[storage]
    struct Storage {}

    #[external(v0)]
    fn main(
        ref self: ContractState, hdp: super::handle::HDP, number: felt252, inputs: Array<felt252>
    ) -> Array<felt252> {
        super::logic::compute(number, inputs.span())
    }
}
`;
}

function plainSource(body) {
  return `mod reads {
${read("reads_double")}}
${logicSource(FUNCTIONS)}
fn append(ref out: Array<felt252>, number: felt252, inputs: Array<felt252>) {
    let result = logic::compute(number, inputs.span());
    result.serialize(ref out);
}
fn main() {
    let mut out: Array<felt252> = array![];
${body}
    core::panics::panic(out);
}
`;
}

const callOf = ({ number, inputs }) => `    append(ref out, ${number}, array![${inputs.join(", ")}]);`;

/** Runs one function of the compiler in a fresh process. */
function inCompiler(call, source) {
  const script = `
    import { readFileSync } from "node:fs";
    import { createRequire } from "node:module";
    const require = createRequire(${JSON.stringify(import.meta.url)});
    const wasm = await import(require.resolve("wasm-cairo"));
    wasm.initSync({ module: readFileSync(require.resolve("wasm-cairo").replace(/wasm-cairo\\.js$/, "wasm-cairo_bg.wasm")) });
    const source = readFileSync(0, "utf8");
    process.stdout.write(${call});
  `;
  const child = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    input: source,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return child.stdout;
}

function sierraText(text) {
  const sierra = JSON.parse(text);
  return JSON.stringify({ ...sierra, sierra_program: widenFallThrough(sierra.sierra_program) });
}

function compile(compiler) {
  const sierra = inCompiler("wasm.compileStarknetContract(source, true, false)", contractSource());
  if (!sierra.startsWith("{")) throw new Error(sierra);
  const folder = mkdtempSync(join(tmpdir(), "modules-"));
  try {
    writeFileSync(join(folder, "sierra.json"), sierraText(sierra));
    const paths = ["--sierra-path", join(folder, "sierra.json"), "--output-path", join(folder, "casm.json")];
    const child = spawnSync(compiler, ["compile-contract", ...paths], { encoding: "utf8" });
    if (child.status !== 0) throw new Error(`${child.stderr}${child.stdout}`);
    const casm = JSON.parse(readFileSync(join(folder, "casm.json"), "utf8"));
    delete casm.pythonic_hints;
    writeFileSync(join(compiled, "functions.compiled_contract_class.json"), `${JSON.stringify(casm)}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The felts a plain program panics with, in hexadecimal. */
function panicOf(body) {
  const answer = inCompiler(
    "wasm.runCairoProgram(source, 4_000_000_000, true, false, false, false)",
    plainSource(body),
  );
  const start = answer.indexOf("panicked with [");
  if (start < 0) throw new Error(answer);
  // Felts follow one another without a separator, some with their text; behind the list stands the gas left.
  const list = answer.slice(start + "panicked with [".length, answer.lastIndexOf("]"));
  const [, ...felts] = list.replaceAll(/ \('[^]*?'\)/g, "").split("0x");
  return felts.map((felt) => `0x${felt}`);
}

/** One program for all cases: its panic is the returned arrays, each behind its length. */
function recordResults(cases) {
  const felts = panicOf(cases.map(callOf).join("\n"));
  let index = 0;
  const results = cases.map((item) => {
    const length = Number(felts[index]);
    const returned = felts.slice(index + 1, index + 1 + length);
    index += 1 + length;
    return { ...item, returned };
  });
  if (index !== felts.length) throw new Error(`the results are not whole: ${felts.join(" ")}`);
  write("functions.results.json", results);
}

function write(file, value) {
  writeFileSync(join(compiled, file), `${JSON.stringify(value, null, 1)}\n`);
  console.log(file);
}

const [compiler, ...chosen] = process.argv.slice(2);
if (compiler === undefined) throw new Error("usage: build-cairo-modules.mjs <universal-sierra-compiler> [step ...]");
mkdirSync(compiled, { recursive: true });
const cases = JSON.parse(readFileSync(join(sources, "cases.json"), "utf8"));
const flat = (group) =>
  Object.entries(group).flatMap(([name, list]) =>
    list.map((inputs) => ({ name, number: FUNCTIONS.indexOf(name), inputs })),
  );
const wants = (step) => chosen.length === 0 || chosen.includes(step);
if (wants("compile")) compile(compiler);
if (wants("results")) recordResults(flat(cases));
