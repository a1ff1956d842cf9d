import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { z } from "zod";

import { scaffoldModule } from "../../src/program/scarb.js";
import { filesOf, type FolderFiles, snforgeTest } from "../../test/support/snforge.js";
import type { StarknetTools } from "../../test/support/starknet-tools.js";
import { CAIRO_PATH, scarbBuild } from "./scarb-build.js";

const sources = fileURLToPath(new URL("../../test/cairo/modules/", import.meta.url));
/** Functions of the test module by number: the first input chooses one. */
const FUNCTIONS = ["arithmetic", "collections", "hashes", "keccak", "panics", "storage_sum"];
/** These do nothing but system calls, which only the module's own machine answers. */
const SYSTEM_FUNCTIONS = ["raw_calls", "other_syscalls"];

const casesSchema = z.record(z.string(), z.array(z.array(z.string())));

/** The compiled class of the test module: one contract of all functions. */
export async function buildTestModule(tools: StarknetTools): Promise<string> {
  const files = {
    "Scarb.toml": `${manifest("functions")}
[[target.starknet-contract]]
casm = true
allowed-libfuncs = false
`,
    ...logic([...FUNCTIONS, ...SYSTEM_FUNCTIONS], "reads"),
    "src/lib.cairo": `mod handle;
mod logic;
mod reads;

#[starknet::contract]
mod module {
    #[storage]
    struct Storage {}

    #[external(v0)]
    fn main(
        ref self: ContractState, hdp: super::handle::HDP, number: felt252, inputs: Array<felt252>,
    ) -> Array<felt252> {
        super::logic::compute(number, inputs.span())
    }
}
`,
    "src/handle.cairo": source("handle"),
  };
  return (await scarbBuild(tools, files, "functions_module")).casm;
}

/**
 * What the functions return for the inputs of cases.json in another machine: that of snforge, where a double stands in
 * for chain data. JSON text.
 */
export async function recordResults(tools: StarknetTools): Promise<string> {
  const cases = Object.entries(casesSchema.parse(JSON.parse(source("cases", "json")))).flatMap(
    ([name, list]) => list.map((inputs) => ({ name, number: FUNCTIONS.indexOf(name), inputs })),
  );
  const calls = cases.map(
    ({ number, inputs }) => `    print(${number.toString()}, array![${inputs.join(", ")}].span());`,
  );
  const files = {
    "Scarb.toml": `${manifest("results")}
[dev-dependencies]
snforge_std = "0.63.0"

[[target.starknet-contract]]

[tool.scarb]
allow-prebuilt-plugins = ["snforge_std"]
`,
    ...logic(FUNCTIONS, "reads_double"),
    "src/lib.cairo": `mod logic;
mod reads;

#[cfg(test)]
mod tests {
fn print(number: felt252, inputs: Span<felt252>) {
    println!("returned {:?}", super::logic::compute(number, inputs));
}

#[test]
fn results() {
${calls.join("\n")}
}
}
`,
  };
  const { output } = await snforgeTest(tools, files, { args: ["--max-n-steps", "1000000000"] });
  const returned = [...output.matchAll(/^returned \[([\d, ]*)\]$/gm)].map(([, list = ""]) =>
    list === "" ? [] : list.split(", ").map((felt) => `0x${BigInt(felt).toString(16)}`),
  );
  if (returned.length !== cases.length) throw new Error(output);
  return `${JSON.stringify(
    cases.map((one, position) => ({ ...one, returned: returned[position] })),
    null,
    1,
  )}\n`;
}

/** The module that panics in many ways, with a new module's manifest. */
export function panicsModule(): FolderFiles {
  return {
    ...filesOf(fileURLToPath(new URL("../../test/cairo/panics", import.meta.url))),
    "Scarb.toml": scaffoldModule("panics", "balance", CAIRO_PATH).get("Scarb.toml") ?? "",
  };
}

const spans = z.array(z.tuple([z.string(), z.object({ start: z.unknown() }), z.boolean()]));
const debugInfo = z.object({
  user_func_names: z.unknown(),
  annotations: z.record(
    z.string(),
    z.object({ statements_code_locations: z.record(z.string(), spans) }),
  ),
});
const withDebugInfo = z.object({ sierra_program_debug_info: debugInfo }).catchall(z.unknown());

/** Returns a Sierra class with what names functions and lines alone, and with paths from the package's folder on. */
export function linesOfClass(sierra: string): string {
  const { sierra_program_debug_info: info, ...others } = withDebugInfo.parse(JSON.parse(sierra));
  const annotations = Object.entries(info.annotations).map(
    ([name, { statements_code_locations }]) => {
      const statements = Object.entries(statements_code_locations).map(([number, places]) => {
        return [
          number,
          places.map(([path, { start }, isMacro]) => [fromPackage(path), { start }, isMacro]),
        ];
      });
      return [name, { statements_code_locations: Object.fromEntries(statements) as object }];
    },
  );
  const kept = { ...info, annotations: Object.fromEntries(annotations) as object };
  return `${JSON.stringify({ ...others, sierra_program_debug_info: kept })}\n`;
}

/** `/panics/src/lib.cairo`, wherever the package lies. */
function fromPackage(path: string): string {
  return path.replace(/^.*(?=\/[^/]+\/src\/)/, "");
}

function logic(names: readonly string[], reads: string): FolderFiles {
  const arms = names.map((name, number) => {
    return `    if number == ${number.toString()} {\n        return ${name}::compute(inputs);\n    }\n`;
  });
  const compute = `pub fn compute(number: felt252, inputs: Span<felt252>) -> Array<felt252> {
${arms.join("")}    array![]
}
`;
  return {
    "src/logic.cairo": `${names.map((name) => `mod ${name};\n`).join("")}\n${compute}`,
    "src/reads.cairo": source(reads),
    ...Object.fromEntries(names.map((name) => [`src/logic/${name}.cairo`, source(name)])),
  };
}

function manifest(name: string): string {
  return `[package]
name = "${name}"
version = "0.1.0"
edition = "2023_10"

[dependencies]
starknet = ">=2.13.1"
`;
}

function source(name: string, extension = "cairo"): string {
  return readFileSync(join(sources, `${name}.${extension}`), "utf8");
}
