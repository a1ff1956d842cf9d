// Builds the Cairo mock of the execution store with Scarb and writes its classes and their hashes. With --check nothing
// is written: the command fails when what is shipped is not what the sources compile to.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { register } from "tsx/esm/api";

register();
const { buildMock, cairoFolder, CLASS_SCARB, MOCK_FILES, shippedMock } = await import("./starknet/mock-class.js");
const { findStarknetTools } = await import("../test/support/starknet-tools.js");

const tools = findStarknetTools();
if (typeof tools === "string") throw new Error(tools);
if (tools.versions.scarb !== CLASS_SCARB) {
  throw new Error(
    `The class is built with Scarb ${CLASS_SCARB}, and this is ${tools.versions.scarb} of ${tools.where}.`,
  );
}
const built = await buildMock(tools);
if (!process.argv.includes("--check")) {
  for (const name of MOCK_FILES) writeFileSync(join(cairoFolder, "artifacts", name), built[name]);
  console.log(`Wrote ${MOCK_FILES.join(", ")}`);
} else {
  const shipped = shippedMock();
  const stale = MOCK_FILES.filter((name) => built[name] !== shipped[name]);
  if (stale.length > 0) {
    console.error(`${stale.join(", ")}: not what the sources compile to. Run: node scripts/build-starknet.mjs`);
    process.exitCode = 1;
  }
}
