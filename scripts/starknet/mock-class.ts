import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { z } from "zod";

import { bundleCairo } from "./bundle.js";
import { widenFallThrough } from "./fall-through.mjs";
import { compileContract } from "./wasm-cairo.js";

/** Where the Scarb package lies. */
export const cairoFolder = fileURLToPath(new URL("../../contracts/starknet/", import.meta.url));
/** The Sierra class that is shipped. */
export const mockClassFile = join(cairoFolder, "artifacts", "ExecutionStoreMock.contract_class.json");

/**
 * Text of the mock's Sierra class, compiled from the package's sources. Names in its ABI start at the package
 * (`hardhat_hdp::interface::TaskStatus`), as Scarb writes them; the debug information, which no hash covers, is left
 * out.
 */
export async function compileMockClass(): Promise<string> {
  const source = bundleCairo({ hardhat_hdp: join(cairoFolder, "src", "lib.cairo") });
  const text = (await compileContract(source)).replaceAll(`${BUNDLE_CRATE}::hardhat_hdp::`, "hardhat_hdp::");
  const compiled = sierraClass.parse(JSON.parse(text));
  return `${JSON.stringify({ ...compiled, sierra_program: widenFallThrough(compiled.sierra_program) })}\n`;
}

const sierraClass = z.object({
  sierra_program: z.array(z.string()),
  contract_class_version: z.string(),
  entry_points_by_type: z.unknown(),
  abi: z.array(z.unknown()),
});

/** The name wasm-cairo gives to the crate it compiles. */
const BUNDLE_CRATE = "astro";
