import type { ArtifactManager } from "hardhat/types/artifacts";
import type { Abi } from "viem";

import { isRecord } from "../base/collections.js";

/** Returns the custom errors of all contracts that the project has compiled. */
export async function projectErrors(artifacts: ArtifactManager): Promise<Abi> {
  const names = await artifacts.getAllFullyQualifiedNames();
  const abis = await Promise.all(
    [...names].map(async (name) => {
      const { abi }: { readonly abi: readonly unknown[] } = await artifacts.readArtifact(name);
      return abi;
    }),
  );
  return abis.flat().filter(isError);
}

function isError(entry: unknown): entry is Abi[number] {
  return isRecord(entry) && entry["type"] === "error";
}
