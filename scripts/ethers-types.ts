// Writes TypeChain's typings for ethers v6 into a folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { glob, runTypeChain } from "typechain";

import type { CompiledContract } from "./solidity-compiler.js";

/** Writes the typings and factories of contracts; what the folder held before is removed. */
export async function writeEthersTypes(
  contracts: Readonly<Record<string, CompiledContract>>,
  folder: string,
): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "hdp-ethers-"));
  try {
    for (const [name, { abi, bytecode }] of Object.entries(contracts)) {
      writeFileSync(
        join(work, `${name}.json`),
        JSON.stringify({ contractName: name, abi, bytecode }),
      );
    }
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const files = glob(work, ["*.json"]);
    await runTypeChain({
      cwd: work,
      filesToProcess: files,
      allFiles: files,
      outDir: folder,
      target: "ethers-v6",
      flags: {
        alwaysGenerateOverloads: false,
        tsNocheck: false,
        discriminateTypes: false,
        node16Modules: true,
        environment: undefined,
      },
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
