// Runs the Cairo package's tests in a Cairo VM and prints what its runner says.
// An argument selects the tests whose path contains it; the reasons of failures are printed for none.
import { register } from "tsx/esm/api";

register();
const { cairoTestSource } = await import("./starknet/cairo-tests.js");
const { runCairoTests } = await import("./starknet/wasm-cairo.js");
const output = await runCairoTests(cairoTestSource(), process.argv[2] ?? "");
console.log(output);
if (!output.includes("test result: ok.")) process.exitCode = 1;
