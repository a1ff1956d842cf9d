import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { z } from "zod";

import { bundleCairo } from "./bundle.js";
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
  return `${JSON.stringify({ ...compiled, sierra_program: compiled.sierra_program.map(fallThrough64) })}\n`;
}

const sierraClass = z.object({
  sierra_program: z.array(z.string()),
  contract_class_version: z.string(),
  entry_points_by_type: z.unknown(),
  abi: z.array(z.unknown()),
});

/**
 * A branch that goes on with the next statement is written as the greatest number of the machine the compiler runs
 * on. wasm-cairo's machine has 32 bits, every other tool's has 64 and would read a jump to statement 2^32-1.
 */
function fallThrough64(felt: string): string {
  return felt === "0xffffffff" ? "0xffffffffffffffff" : felt;
}

/** The name wasm-cairo gives to the crate it compiles. */
const BUNDLE_CRATE = "astro";
