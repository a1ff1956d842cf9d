import { readFile } from "node:fs/promises";

import type { ArtifactManager } from "hardhat/types/artifacts";
import type { Hex } from "viem";
import { z } from "zod";

import { hdpError } from "../../errors/hdp-error.js";
import type { Scope } from "../session.js";
import { type Layout, layoutSchema, slotIn, type StorageKey } from "./storage-layout.js";

export interface StorageActions {
  /**
   * The storage slot of a contract's variable, from the compiler's storage layout: keys of mappings, names of struct
   * members and indices of arrays follow the variable. For `storage(address, slot)`.
   *
   * @throws HdpError HDP-6125 without a layout, HDP-6126 for what has no slot of its own
   * @example storage(vault.address, await hdp.storageOf("Vault", "accounts", holder, "balance"))
   */
  readonly storageOf: (contract: string, variable: string, ...keys: readonly StorageKey[]) => Promise<Hex>;
}

/** A compiled contract's storage layout. */
export interface ContractLayout {
  readonly contractName: string;
  readonly sourceName: string;
  readonly layout: Layout;
}

export function storageActions({ project }: Scope): StorageActions {
  return {
    storageOf: async (contract, variable, ...keys) => {
      const { contractName, layout } = await readLayout(project.artifacts, contract);
      return slotIn(layout, `${contractName}.${variable}`, variable, keys);
    },
  };
}

const buildInfoSchema = z.object({
  output: z.object({
    contracts: z.record(z.record(z.object({ storageLayout: layoutSchema.optional() }))),
  }),
});

/**
 * Reads the storage layout that was kept when a contract was compiled.
 *
 * @param contract its name, or `source:name`
 * @throws HardhatError for an unknown contract, suggesting a similar name
 * @throws HdpError HDP-6125 without a layout
 */
export async function readLayout(
  artifacts: Pick<ArtifactManager, "readArtifact" | "getBuildInfoOutputPath">,
  contract: string,
): Promise<ContractLayout> {
  const artifact = await artifacts.readArtifact(contract);
  const { inputSourceName = "", contractName, sourceName, buildInfoId } = artifact;
  const path = buildInfoId === undefined ? undefined : await artifacts.getBuildInfoOutputPath(buildInfoId);
  const build: unknown = path === undefined ? undefined : JSON.parse(await readFile(path, "utf8"));
  const sources = buildInfoSchema.safeParse(build).data?.output.contracts;
  const layout = sources?.[inputSourceName]?.[contractName]?.storageLayout;
  if (layout === undefined) throw hdpError("HDP-6125", { contract }, { path: "contract" });
  return { contractName, sourceName, layout };
}
