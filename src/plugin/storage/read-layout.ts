import { readFile } from "node:fs/promises";

import type { ArtifactManager } from "hardhat/types/artifacts";
import { z } from "zod";

import { hdpError } from "../../errors/hdp-error.js";
import { type Layout, layoutSchema } from "./layout.js";
import { withNamespaces } from "./namespaces.js";

/** A compiled contract's storage layout, with its namespaces. */
export interface ContractLayout {
  readonly contractName: string;
  readonly sourceName: string;
  readonly layout: Layout;
}

const compiledSchema = z.object({ storageLayout: layoutSchema.optional() });
const buildInfoSchema = z.object({
  output: z.object({
    contracts: z.record(z.record(compiledSchema)),
    sources: z.record(z.object({ ast: z.unknown() })).default({}),
  }),
});

/**
 * Reads the storage layout that was kept when a contract (a name, or `source:name`) was compiled.
 *
 * @throws HardhatError for an unknown contract, suggesting a similar name; HdpError HDP-6125 without a layout
 */
export async function readLayout(
  artifacts: ArtifactManager,
  contract: string,
): Promise<ContractLayout> {
  const artifact = await artifacts.readArtifact(contract);
  const { inputSourceName = "", contractName, sourceName, buildInfoId } = artifact;
  const path =
    buildInfoId === undefined ? undefined : await artifacts.getBuildInfoOutputPath(buildInfoId);
  const build: unknown = path === undefined ? undefined : JSON.parse(await readFile(path, "utf8"));
  const output = buildInfoSchema.safeParse(build).data?.output;
  const layout = output?.contracts[inputSourceName]?.[contractName]?.storageLayout;
  if (output === undefined || layout === undefined)
    throw hdpError("HDP-6125", { contract }, { path: "contract" });
  const trees = Object.entries(output.sources).map(([name, { ast }]) => [name, ast] as const);
  const whole = withNamespaces(layout, Object.fromEntries(trees), {
    source: inputSourceName,
    contract: contractName,
  });
  return { contractName, sourceName, layout: whole };
}
