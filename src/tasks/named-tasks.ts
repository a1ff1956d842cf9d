import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";

import { isTaskHash } from "../base/hex.js";
import type { NamedTask } from "../plugin/actions/submission-actions.js";
import { projectSubmissions } from "../plugin/project-database.js";
import { taskHash } from "../request/task-hash.js";
import { recordedInOtherForm, recordNamed } from "../submission/lookup.js";
import { shownId, submittedHashes } from "../submission/model.js";
import { networkOption } from "./options.js";

/** Returns a connection to the network of `--network`, else of the one where a submission was made. */
export async function connectForTask(
  name: string,
  hre: HardhatRuntimeEnvironment,
): Promise<NetworkConnection<string>> {
  const store = projectSubmissions(hre.config.hdp.dataDir);
  const made = (recordNamed(store, name) ?? recordedInOtherForm(store, name)?.record)?.network;
  const own = made !== undefined && made in hre.config.networks ? made : undefined;
  return await hre.network.getOrCreate(networkOption(hre) ?? own);
}

/** Returns the shown id of the submission that an argument names; the argument itself where there is none. */
export function shownName(name: string, hre: HardhatRuntimeEnvironment): string {
  const record = recordNamed(projectSubmissions(hre.config.hdp.dataDir), name);
  return record === undefined ? name : shownId(record);
}

/** Returns the tasks of a task hash or of a submission's id; an empty list for another text. */
export function tasksNamed(name: string, hre: HardhatRuntimeEnvironment): readonly NamedTask[] {
  const store = projectSubmissions(hre.config.hdp.dataDir);
  const record = recordNamed(store, name);
  const tasks = new Map(record?.request?.tasks.map((task) => [taskHash(task), task]));
  if (isTaskHash(name))
    return [{ hash: name, task: tasks.get(name) ?? recordedInOtherForm(store, name)?.task }];
  if (record?.kind !== "tasks") return [];
  return submittedHashes(record).map((hash) => ({
    hash,
    destination: record.destinationChainId,
    task: tasks.get(hash),
  }));
}
