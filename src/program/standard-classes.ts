import type { Hex } from "viem";

import { memoized } from "../base/collections.js";
import { shipped } from "../base/files.js";
import { valueOfFelts } from "../request/output-root.js";
import { type StandardProgram, standardProgram } from "../request/standard-programs.js";
import type { CairoValue } from "../request/task-result.js";
import { type Abi, parseAbi } from "./abi/abi.js";
import { decodeReturn } from "./abi/arguments.js";

/**
 * Returns the compiled class of a standard program, as JSON: what a registry takes, and what the prover and the machine
 * here run. A few milliseconds at the first call.
 */
export const standardClass = memoized(async ({ name }: StandardProgram): Promise<unknown> => {
  const [{ readFile }, { brotliDecompressSync }] = await Promise.all([
    import("node:fs/promises"),
    import("node:zlib"),
  ]);
  const contract = name === "blocks" ? "Blocks" : "Transactions";
  const file = `contracts/starknet/programs/compiled/${contract}.compiled_contract_class.json.br`;
  const packed = await readFile(shipped(file));
  const compiledClass: unknown = JSON.parse(brotliDecompressSync(packed).toString("utf8"));
  return compiledClass;
});

const FELT = "core::felt252";
/** Felts of the newest prover's handle. The programs take those of older ones too. */
export const NEWEST_HANDLE = 8;

/**
 * Returns an ABI by which a standard program is shown as other modules are: a handle of the newest prover's eight felts,
 * then a felt for each input. Its own ABI has all of them as one parameter, since the handle's length varies.
 */
export function standardAbi({ inputs }: StandardProgram): Abi {
  const handle = Array.from({ length: NEWEST_HANDLE }, (_, index) => ({
    name: `felt_${index}`,
    type: FELT,
  }));
  return parseAbi([
    { type: "struct", name: "HDP", members: handle },
    {
      type: "function",
      name: "main",
      inputs: [{ name: "hdp", type: "HDP" }, ...inputs.map((name) => ({ name, type: FELT }))],
      outputs: [{ type: `(${FELT}, ${FELT})` }],
      state_mutability: "external",
    },
  ]);
}

/**
 * Returns what a module returned: of a standard program the value, a uint256; else the return value by the ABI.
 * Undefined without either.
 * @throws HDP-1127 for felts that a standard program does not return, and the errors of `decodeReturn`
 */
export function decodedOutput(
  programHash: Hex,
  abi: Abi | undefined,
  felts: readonly bigint[],
): CairoValue | undefined {
  if (standardProgram(programHash) !== undefined) return valueOfFelts(felts);
  return abi === undefined ? undefined : decodeReturn(abi, felts);
}
