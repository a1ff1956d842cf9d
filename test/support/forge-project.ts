import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { solcProgram } from "./foundry.js";
import { type CliResult, command, root } from "./hardhat-cli.js";

/** A folder with Solidity tests that forge runs over the package's contracts. */
export interface ForgeProject {
  /** Runs `forge test` with arguments. */
  test(...args: readonly string[]): Promise<CliResult>;
  remove(): Promise<void>;
}

const isNoTest = (path: string): boolean => !path.endsWith(".t.sol");

/** Makes a project of files by their paths, and of copied folders, without their tests, by the folders of the repository that they come from. */
export async function forgeProject(
  forge: string,
  files: Readonly<Record<string, string>>,
  copied: Readonly<Record<string, string>> = {},
): Promise<ForgeProject> {
  const folder = await mkdtemp(join(tmpdir(), "hdp-forge-"));
  const solc = solcProgram(folder);
  const settings = `[profile.default]
src = "src"
test = "test"
remappings = ["hardhat-hdp/=${root}/", "@openzeppelin/=${root}/node_modules/@openzeppelin/"]
allow_paths = ["${root}"]
[fuzz]
runs = 64
[invariant]
runs = 8
depth = 40
fail_on_revert = false
`;
  for (const [name, text] of Object.entries({ "foundry.toml": settings, ...files })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  for (const [name, from] of Object.entries(copied))
    await cp(join(root, from), join(folder, name), { recursive: true, filter: isNoTest });
  const always = ["test", "--use", solc, "--offline"];
  return {
    test: async (...args) => await command(forge, [...always, ...args], { cwd: folder }),
    remove: async () => {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
