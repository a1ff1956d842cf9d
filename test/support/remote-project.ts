import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { configVariable } from "hardhat/config";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatUserConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { Hex } from "viem";

import hardhatHdp from "../../src/index.js";
import { knownPrograms } from "../../src/plugin/known-programs.js";
import type { HdpUserConfig, WireEditionName } from "../../src/plugin/config/config.js";
import type { StoredSubmission } from "../../src/submission/stored-submission.js";
import { SubmissionStore } from "../../src/submission/submission-store.js";
import { fewAccounts } from "./few-accounts.js";
import { root } from "./hardhat-cli.js";

/** Name of the configuration variable that holds the key. */
export const KEY_VARIABLE = "HDP_TEST_SERVICE_KEY";

const EXAMPLE_CLASS = join(
  root,
  "examples/module-balance/compiled/module_balance_Module.compiled_contract_class.json",
);

/** A runtime environment with this plugin, in a project folder of its own that is removed at the end. */
export interface TestProject {
  readonly root: string;
  readonly hre: HardhatRuntimeEnvironment;
  /** What was sent from it, oldest first. */
  submissions(): readonly StoredSubmission[];
  /** What happened to all of it, in the words of the database, in the order of submissions. */
  history(): readonly string[];
}

/**
 * @param ownRoot its folder; without one, a new folder
 * @param network what `--network` names, as a command sees it */
export async function testProject(
  config: HardhatUserConfig,
  ownRoot?: string,
  network?: string,
): Promise<TestProject> {
  const folder = ownRoot ?? (await mkdtemp(join(tmpdir(), "hdp-project-")));
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

/** Writes what a compiler leaves of a contract in a project. */
export async function writeArtifact(
  root: string,
  contractName: string,
  {
    abi,
    bytecode = "0x",
    deployedBytecode = "0x",
  }: {
    readonly abi: readonly unknown[];
    readonly bytecode?: Hex;
    readonly deployedBytecode?: Hex;
  },
): Promise<void> {
  const folder = join(root, "artifacts", "contracts", `${contractName}.sol`);
  await mkdir(folder, { recursive: true });
  const artifact = {
    _format: "hh3-artifact-1",
    contractName,
    sourceName: `contracts/${contractName}.sol`,
    inputSourceName: `project/contracts/${contractName}.sol`,
    abi,
    bytecode,
    deployedBytecode,
    linkReferences: {},
    deployedLinkReferences: {},
    immutableReferences: {},
    buildInfoId: "none",
  };
  await writeFile(join(folder, `${contractName}.json`), JSON.stringify(artifact));
}

/** Has a project know a class for program hashes: a service of today is not sent a program without its class. */
export async function knowPrograms(
  { hre }: Pick<TestProject, "hre">,
  ...hashes: readonly Hex[]
): Promise<void> {
  const compiledClassJson: unknown = JSON.parse(await readFile(EXAMPLE_CLASS, "utf8"));
  for (const hash of hashes) knownPrograms(hre.config).add(hash, { compiledClassJson });
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
  indexerUrl?: string,
): HardhatUserConfig {
  const service = { url, apiKey: configVariable(KEY_VARIABLE), edition };
  const dataProcessor = indexerUrl === undefined ? service : { ...service, indexerUrl };
  return { networks: { remote: { type: "edr-simulated", hdp: { dataProcessor, ...hdp } } } };
}
