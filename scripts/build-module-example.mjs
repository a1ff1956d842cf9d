// Compiles examples/module-balance where Scarb is not at hand:
//
//   node scripts/build-module-example.mjs <universal-sierra-compiler>
//
// Cairo to Sierra by the npm package wasm-cairo (2.8.2), which takes one source: the file of `mod hdp` is put in its
// place. Sierra to CASM by universal-sierra-compiler (`cargo install --locked universal-sierra-compiler`).
// Not part of the tests: run it when a .cairo source changes, and commit what it writes to compiled/.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import * as wasm from "wasm-cairo";

import { widenFallThrough } from "./starknet/fall-through.mjs";

const folder = new URL("../examples/module-balance/", import.meta.url);
const stem = "compiled/module_balance_Module";
const file = (path) => fileURLToPath(new URL(path, folder));

/** The compiler's own crate name becomes the package's, and its mark for fall-through that of 64-bit machines. */
function asScarbWouldWrite(sierra) {
  const { abi, sierra_program, contract_class_version, entry_points_by_type } = JSON.parse(
    sierra.replaceAll("astro::", "module_balance::"),
  );
  return { sierra_program: widenFallThrough(sierra_program), contract_class_version, entry_points_by_type, abi };
}

const [compiler] = process.argv.slice(2);
if (compiler === undefined) throw new Error("usage: build-module-example.mjs <universal-sierra-compiler>");
wasm.initSync({ module: readFileSync(new URL(import.meta.resolve("wasm-cairo/wasm-cairo_bg.wasm"))) });
const handle = readFileSync(file("src/hdp.cairo"), "utf8");
const source = readFileSync(file("src/lib.cairo"), "utf8").replace("pub mod hdp;", () => `pub mod hdp {\n${handle}}`);
const sierra = wasm.compileStarknetContract(source, true, false);
if (!sierra.startsWith("{")) throw new Error(`${sierra}\n${wasm.compileCairoProgram(source, true)}`);

mkdirSync(file("compiled"), { recursive: true });
const sierraFile = file(`${stem}.contract_class.json`);
const compiledFile = file(`${stem}.compiled_contract_class.json`);
writeFileSync(sierraFile, `${JSON.stringify(asScarbWouldWrite(sierra))}\n`);
const paths = ["--sierra-path", sierraFile, "--output-path", compiledFile];
const child = spawnSync(compiler, ["compile-contract", ...paths], { encoding: "utf8" });
if (child.status !== 0) throw new Error(child.stderr + child.stdout);
const compiledClass = JSON.parse(readFileSync(compiledFile, "utf8"));
delete compiledClass.pythonic_hints;
writeFileSync(compiledFile, `${JSON.stringify(compiledClass)}\n`);
