import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type FolderFiles, withToolsLibrary, writeFiles } from "../../test/support/snforge.js";
import { withScarbCache } from "../../test/support/scarb-cache.js";
import { runTool, type StarknetTools } from "../../test/support/starknet-tools.js";
import { cairoPackages } from "./cairo-packages.js";

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
  const { package: member } = options;
  const chosen = member === undefined ? [] : ["-p", member];
  const built = await scarbBuildAll(tools, files, [stem], chosen);
  return built[0] ?? missing(stem);
}

/**
 * Builds modules as members of one workspace beside the Cairo packages, and returns the classes of each one's `Module`.
 *
 * @param modules files of each package by its name; they name the Cairo packages by `CAIRO_PATH`
 * @param cairo settings of the compiler, in place of the modules' own: Scarb takes a workspace's alone. Default: none
 */
export async function scarbBuildModules(
  tools: StarknetTools,
  modules: Readonly<Record<string, FolderFiles>>,
  cairo = "",
): Promise<readonly BuiltContract[]> {
  const names = Object.keys(modules);
  const members = Object.entries(modules).flatMap(([name, files]) =>
    Object.entries(files).map(([path, text]) => [
      `${name}/${path}`,
      path === "Scarb.toml" ? asMember(text) : text,
    ]),
  );
  const files: FolderFiles = {
    ...cairoPackages("cairo/"),
    ...(Object.fromEntries(members) as FolderFiles),
    // The tools' library of snforge is put in the place of the registry's where a manifest names it.
    "Scarb.toml": `# snforge_std\n[workspace]\nmembers = ${JSON.stringify(names)}\n\n[workspace.tool.scarb]\nallow-prebuilt-plugins = ["snforge_std"]\n\n[cairo]\n${cairo}`,
  };
  const stems = names.map((name) => `${name}_Module`);
  return await scarbBuildAll(tools, files, stems, ["--workspace"]);
}

/** Settings by which a class has the names of functions, as in Scarb's profile `dev`, and the lines of statements. */
export const WITH_LINES =
  "sierra-replace-ids = true\nunstable-add-statements-code-locations-debug-info = true\n";

/** Returns a package's manifest without what Scarb takes from its workspace's alone. */
export function asMember(manifest: string): string {
  return manifest
    .replace(OWN_PLUGINS, "[tool]\nscarb.workspace = true\n")
    .replace(/^\[cairo\]\n(?:.+\n)+\n/m, "");
}

/** Path of the Cairo packages from a module that `scarbBuildModules` builds. */
export const CAIRO_PATH = "../cairo";
const OWN_PLUGINS = '[tool.scarb]\nallow-prebuilt-plugins = ["snforge_std"]\n';

/** Builds a folder of files as a release, and returns the classes of some of its contracts. */
async function scarbBuildAll(
  tools: StarknetTools,
  files: FolderFiles,
  stems: readonly string[],
  chosen: readonly string[],
): Promise<readonly BuiltContract[]> {
  const folder = mkdtempSync(join(tmpdir(), "hdp-scarb-"));
  try {
    writeFiles(folder, {
      ...files,
      "Scarb.toml": withToolsLibrary(files["Scarb.toml"] ?? "", tools),
    });
    const args = ["--release", "build", ...chosen, "--target-kinds", "starknet-contract"];
    const { code, output } = await withScarbCache(tools, folder, async () => {
      return await runTool(tools, "scarb", args, { cwd: folder });
    });
    if (code !== 0 || /^warn/m.test(output))
      throw new Error(`scarb ${args.join(" ")} says:\n${output}`);
    const built = (stem: string, kind: string): string =>
      `${readFileSync(join(folder, "target", "release", `${stem}.${kind}.json`), "utf8")}\n`;
    return stems.map((stem) => ({
      sierra: built(stem, "contract_class"),
      casm: built(stem, "compiled_contract_class"),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function missing(stem: string): never {
  throw new Error(`Scarb built no ${stem}.`);
}
