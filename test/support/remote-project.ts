import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { configVariable } from "hardhat/config";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatUserConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import hardhatHdp from "../../src/index.js";
import type { HdpUserConfig, WireEditionName } from "../../src/plugin/config/config.js";
import type { StoredSubmission } from "../../src/submission/stored-submission.js";
import { SubmissionStore } from "../../src/submission/store.js";
import { fewAccounts } from "./few-accounts.js";

/** Name of the configuration variable that holds the key. */
export const KEY_VARIABLE = "HDP_TEST_SERVICE_KEY";

/** A runtime environment with this plugin, in a project folder of its own that is removed at the end. */
export interface TestProject {
  readonly root: string;
  readonly hre: HardhatRuntimeEnvironment;
  /** What was sent from it, oldest first. */
  submissions(): readonly StoredSubmission[];
  /** What happened to all of it, in the words of the database, in the order of submissions. */
  history(): readonly string[];
}

/** @param network what `--network` names, as a command sees it */
export async function testProject(
  config: HardhatUserConfig,
  root?: string,
  network?: string,
): Promise<TestProject> {
  const folder = root ?? (await mkdtemp(join(tmpdir(), "hdp-project-")));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const hre = await createHardhatRuntimeEnvironment(
    { plugins: [hardhatHdp], ...config, networks: fewAccounts(config.networks) },
    network === undefined ? {} : { network },
    folder,
  );
  const submissions = (): readonly StoredSubmission[] => submissionsIn(folder);
  const history = (): readonly string[] =>
    submissions().flatMap((one) => one.history.map(({ what }) => what));
  return { root: folder, hre, submissions, history };
}

export async function removeProject(project: TestProject): Promise<void> {
  await rm(project.root, { recursive: true, force: true });
}

/** What was sent from a project's folder, oldest first, as a process of its own sees it. */
export function submissionsIn(root: string): readonly StoredSubmission[] {
  const store = new SubmissionStore({ path: join(root, "hdp", "submissions.db"), now: Date.now });
  const list = store.list().map((one) => ({ ...one }));
  store.close();
  return list;
}

/** An in-process network whose tasks go to a service. */
export function remoteNetwork(
  url: string,
  edition: WireEditionName,
  hdp: HdpUserConfig = {},
): HardhatUserConfig {
  const dataProcessor = { url, apiKey: configVariable(KEY_VARIABLE), edition };
  return { networks: { remote: { type: "edr-simulated", hdp: { dataProcessor, ...hdp } } } };
}
