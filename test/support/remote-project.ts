import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { configVariable } from "hardhat/config";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatUserConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import hardhatHdp from "../../src/index.js";
import type { HdpUserConfig, WireEditionName } from "../../src/plugin/config/config-types.js";
import { fewAccounts } from "./few-accounts.js";

/** Name of the configuration variable that holds the key. */
export const KEY_VARIABLE = "HDP_TEST_SERVICE_KEY";

/** A runtime environment with this plugin, in a project folder of its own that is removed at the end. */
export interface TestProject {
  readonly root: string;
  readonly hre: HardhatRuntimeEnvironment;
  /** The journal's lines. */
  journal(): Promise<Record<string, unknown>[]>;
}

/** @param network what `--network` names, as a command sees it */
export async function testProject(config: HardhatUserConfig, root?: string, network?: string): Promise<TestProject> {
  const folder = root ?? (await mkdtemp(join(tmpdir(), "hdp-project-")));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const hre = await createHardhatRuntimeEnvironment(
    { plugins: [hardhatHdp], ...config, networks: fewAccounts(config.networks) },
    network === undefined ? {} : { network },
    folder,
  );
  return { root: folder, hre, journal: async () => await journalLines(folder) };
}

export async function removeProject(project: TestProject): Promise<void> {
  await rm(project.root, { recursive: true, force: true });
}

export async function journalLines(root: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(root, "hdp", "journal.jsonl"), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** An in-process network whose tasks go to a service. */
export function remoteNetwork(url: string, edition: WireEditionName, hdp: HdpUserConfig = {}): HardhatUserConfig {
  const dataProcessor = { url, apiKey: configVariable(KEY_VARIABLE), edition };
  return { networks: { remote: { type: "edr-simulated", hdp: { dataProcessor, ...hdp } } } };
}
