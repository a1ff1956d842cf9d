// The first step of `npm run build`: writes TypeChain's typings and factories for ethers v6, the entry
// `hardhat-hdp/ethers`, from the ABIs and bytecode in src/store/generated/.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  for (const [file, contractName] of SHIPPED)
    importShipped(file, join(outDir, "factories", `${contractName}__factory.ts`));
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Has a factory import the ABI and bytecode that the package has already, in place of copies of them. */
function importShipped(file: string, factory: string): void {
  const name = exportedName(file);
  const copies = [
    { what: "Abi", from: file, copy: /const _abi = \[.*?\n\] as const;\n/s },
    { what: "Bytecode", from: `${file}-bytecode`, copy: /const _bytecode =\s*"0x\w*";\n/ },
  ];
  let text = readFileSync(factory, "utf8");
  let imports = "";
  for (const { what, from, copy } of copies) {
    if (!copy.test(text)) continue;
    text = text.replace(copy, "");
    imports += `import { ${name}${what} as _${what.toLowerCase()} } from "../../${from}.js";\n`;
  }
  // Named types: the declarations would repeat the literals.
  text = text.replaceAll(/static readonly (\w+) = (_\w+);/g, "static readonly $1: typeof $2 = $2;");
  writeFileSync(factory, text.replace(/^import /m, `${imports}import `));
}

/** Returns the ABI and bytecode of a contract, by its generated files; an interface has no bytecode. */
async function contractIn(
  file: string,
): Promise<{ readonly abi: unknown[]; readonly bytecode: string }> {
  const name = exportedName(file);
  const abi = z.array(z.unknown()).parse(await exportOf(`${file}.ts`, `${name}Abi`));
  const hasBytecode = existsSync(join(generated, `${file}-bytecode.ts`));
  const bytecode = hasBytecode
    ? z.string().parse(await exportOf(`${file}-bytecode.ts`, `${name}Bytecode`))
    : "0x";
  return { abi, bytecode };
}

async function exportOf(file: string, name: string): Promise<unknown> {
  const exported: unknown = await import(pathToFileURL(join(generated, file)).href);
  return z.record(z.unknown()).parse(exported)[name];
}
