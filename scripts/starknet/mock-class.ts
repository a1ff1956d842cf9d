import { readFileSync } from "node:fs";
import { join } from "node:path";

import { type CairoAssembly, type CompiledSierra, hash, json } from "starknet";

import type { StarknetTools } from "../../test/support/starknet-tools.js";
import { cairoFolder, cairoPackages } from "./cairo-packages.js";
import { COMMITTED_SCARB, scarbBuild } from "./scarb-build.js";

/** Of the workspace: where the mock's class is shipped. */
export const MOCK_FOLDER = "hardhat_hdp_testing/artifacts";

export const MOCK_FILES = ["ExecutionStoreMock.contract_class.json", "class-hashes.json"] as const;

/** What is shipped in `artifacts`: the text of each file, by its name. */
export type MockArtifacts = Readonly<Record<(typeof MOCK_FILES)[number], string>>;

/** The shipped files as they lie there. */
export function shippedMock(): MockArtifacts {
  const read = (name: string): string => readFileSync(join(cairoFolder, MOCK_FOLDER, name), "utf8");
  const [sierra, hashes] = MOCK_FILES;
  return { [sierra]: read(sierra), [hashes]: read(hashes) };
}

/** Builds what is shipped. */
export async function buildMock(tools: StarknetTools): Promise<MockArtifacts> {
  const { sierra, casm } = await scarbBuild(
    tools,
    cairoPackages(),
    "hardhat_hdp_testing_ExecutionStoreMock",
    {
      package: "hardhat_hdp_testing",
    },
  );
  const [sierraFile, hashesFile] = MOCK_FILES;
  return { [sierraFile]: sierra, [hashesFile]: classHashes(sierra, casm) };
}

/** The hashes a network declares the class with. The compiled class is hashed with Blake2s from Starknet 0.14.1 on. */
export function classHashes(sierra: string, casm: string): string {
  const assembly = json.parse(casm) as CairoAssembly;
  const hashes = {
    contract: "hardhat_hdp_testing::mock::ExecutionStoreMock",
    scarb: COMMITTED_SCARB,
    classHash: hash.computeSierraContractClassHash(json.parse(sierra) as CompiledSierra),
    compiledClassHash: hash.computeCompiledClassHashBlake(assembly),
    compiledClassHashPoseidon: hash.computeCompiledClassHashPoseidon(assembly),
  };
  return `${JSON.stringify(hashes, null, 2)}\n`;
}
