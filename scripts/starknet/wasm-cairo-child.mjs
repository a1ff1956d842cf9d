// Runs one function of wasm-cairo and prints what it returns. A process of its own for every call, because the
// compiler never gives memory back: about half a gigabyte a call.
import { Buffer } from "node:buffer";
import { readFileSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";

import * as cairo from "wasm-cairo";

const { call, args } = JSON.parse(readFileSync(0, "utf8"));
cairo.initSync({
  module: readFileSync(fileURLToPath(new URL("wasm-cairo_bg.wasm", import.meta.resolve("wasm-cairo")))),
});
// What the compiler prints on the console is not its answer.
console.log = console.error;
const output = Buffer.from(cairo[call](...args));
for (let written = 0; written < output.length;) written += writeSync(1, output, written);
