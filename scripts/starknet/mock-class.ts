import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { type CairoAssembly, type CompiledSierra, hash, json } from "starknet";

import { runTool, type StarknetTools } from "../../test/support/starknet-tools.js";

/** Where the Scarb package lies. */
export const cairoFolder = fileURLToPath(new URL("../../contracts/starknet/", import.meta.url));
/** The version of Scarb that builds what is shipped: another one writes another class. */
export const CLASS_SCARB = "2.16.1";

/** What is shipped in `artifacts`: the text of each file, by its name. */
export type MockArtifacts = Readonly<Record<(typeof MOCK_FILES)[number], string>>;

export const MOCK_FILES = [
  "ExecutionStoreMock.contract_class.json",
  "ExecutionStoreMock.compiled_contract_class.json",
  "class-hashes.json",
] as const;

/** The shipped files as they lie there. */
export function shippedMock(): MockArtifacts {
  const read = (name: string): string => readFileSync(join(cairoFolder, "artifacts", name), "utf8");
  const [sierra, casm, hashes] = MOCK_FILES;
  return { [sierra]: read(sierra), [casm]: read(casm), [hashes]: read(hashes) };
}

/** Builds the mock with Scarb, away from the sources, as whoever builds the package in a release does. */
export async function buildMock(tools: StarknetTools): Promise<MockArtifacts> {
  const folder = mkdtempSync(join(tmpdir(), "hdp-mock-"));
  try {
    for (const part of ["Scarb.toml", "src"]) cpSync(join(cairoFolder, part), join(folder, part), { recursive: true });
    const args = ["--release", "build", "--target-kinds", "starknet-contract"];
    const { code, output } = await runTool(tools, "scarb", args, { cwd: folder });
    if (code !== 0 || /^warn/m.test(output)) throw new Error(`scarb ${args.join(" ")} says:\n${output}`);
    const built = (kind: string): string =>
      `${readFileSync(join(folder, "target", "release", `hardhat_hdp_ExecutionStoreMock.${kind}.json`), "utf8")}\n`;
    const sierra = built("contract_class");
    const casm = built("compiled_contract_class");
    const [sierraFile, casmFile, hashesFile] = MOCK_FILES;
    return { [sierraFile]: sierra, [casmFile]: casm, [hashesFile]: classHashes(sierra, casm) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The hashes a network declares the class with. The compiled class is hashed with Blake2s from Starknet 0.14.1 on. */
export function classHashes(sierra: string, casm: string): string {
  const assembly = json.parse(casm) as CairoAssembly;
  const hashes = {
    contract: "hardhat_hdp::mock::ExecutionStoreMock",
    scarb: CLASS_SCARB,
    classHash: hash.computeSierraContractClassHash(json.parse(sierra) as CompiledSierra),
    compiledClassHash: hash.computeCompiledClassHashBlake(assembly),
    compiledClassHashPoseidon: hash.computeCompiledClassHashPoseidon(assembly),
  };
  return `${JSON.stringify(hashes, null, 2)}\n`;
}
