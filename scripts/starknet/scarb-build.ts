import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type FolderFiles, withToolsLibrary, writeFiles } from "../../test/support/snforge.js";
import { withScarbCache } from "../../test/support/scarb-cache.js";
import { runTool, type StarknetTools } from "../../test/support/starknet-tools.js";

/** The version of Scarb that builds what is committed: another one writes other classes. */
export const COMMITTED_SCARB = "2.16.1";

/** A contract's classes, as Scarb writes them. */
export interface BuiltContract {
  /** `*.contract_class.json` */
  readonly sierra: string;
  /** `*.compiled_contract_class.json` */
  readonly casm: string;
}

/**
 * Builds a Scarb package away from its sources, as a release, and returns the classes of one contract.
 *
 * @param stem package and contract: `hardhat_hdp_testing_ExecutionStoreMock`
 * @param options.package the one to build, of a workspace
 */
export async function scarbBuild(
  tools: StarknetTools,
  files: FolderFiles,
  stem: string,
  options: { readonly package?: string } = {},
): Promise<BuiltContract> {
  const folder = mkdtempSync(join(tmpdir(), "hdp-scarb-"));
  try {
    writeFiles(folder, {
      ...files,
      "Scarb.toml": withToolsLibrary(files["Scarb.toml"] ?? "", tools),
    });
    const { package: member } = options;
    const args = ["--release", "build", ...(member === undefined ? [] : ["-p", member])];
    args.push("--target-kinds", "starknet-contract");
    const { code, output } = await withScarbCache(tools, folder, async () => {
      return await runTool(tools, "scarb", args, { cwd: folder });
    });
    if (code !== 0 || /^warn/m.test(output))
      throw new Error(`scarb ${args.join(" ")} says:\n${output}`);
    const built = (kind: string): string =>
      `${readFileSync(join(folder, "target", "release", `${stem}.${kind}.json`), "utf8")}\n`;
    return { sierra: built("contract_class"), casm: built("compiled_contract_class") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
