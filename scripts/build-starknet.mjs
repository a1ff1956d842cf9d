// Compiles the Cairo mock of the execution store and writes its Sierra class. With --check nothing is written: the
// command fails when the shipped class is not what the sources compile to.
import { readFileSync, writeFileSync } from "node:fs";

import { register } from "tsx/esm/api";

register();
const { compileMockClass, mockClassFile } = await import("./starknet/mock-class.js");
const compiled = await compileMockClass();
if (!process.argv.includes("--check")) {
  writeFileSync(mockClassFile, compiled);
  console.log(`Wrote ${mockClassFile}`);
} else if (readFileSync(mockClassFile, "utf8") !== compiled) {
  console.error(`${mockClassFile} is not what the sources compile to. Run: node scripts/build-starknet.mjs`);
  process.exitCode = 1;
}
