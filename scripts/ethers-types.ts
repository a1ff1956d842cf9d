// The first step of `npm run build`: writes TypeChain's typings and factories for ethers v6, the entry
// `hardhat-hdp/ethers`, from the ABIs and bytecode in src/store/generated/.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { glob, runTypeChain } from "typechain";
import { z } from "zod";

import { root } from "./root.js";
import { exportedName, SHIPPED } from "./shipped-contracts.js";

const generated = join(root, "src", "store", "generated");

const work = mkdtempSync(join(tmpdir(), "hdp-ethers-"));
try {
  for (const [file, contractName] of SHIPPED) {
    const contract = await contractIn(file);
    writeFileSync(
      join(work, `${contractName}.json`),
      JSON.stringify({ contractName, ...contract }),
    );
  }
  const outDir = join(generated, "ethers");
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const files = glob(work, ["*.json"]);
  await runTypeChain({
    cwd: work,
    filesToProcess: files,
    allFiles: files,
    outDir,
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

/** Returns the ABI and bytecode that a generated file exports; an interface has no bytecode. */
async function contractIn(
  file: string,
): Promise<{ readonly abi: unknown[]; readonly bytecode: string }> {
  const names = z
    .record(z.unknown())
    .parse(await import(pathToFileURL(join(generated, `${file}.ts`)).href));
  const name = exportedName(file);
  const abi = z.array(z.unknown()).parse(names[`${name}Abi`]);
  return { abi, bytecode: z.string().default("0x").parse(names[`${name}Bytecode`]) };
}
