import type { Hex } from "viem";

import { type HdpError, hdpError, suggested } from "../errors/hdp-error.js";
import type { Submission, TaskStatus } from "../request/data-processor.js";
import { recordNamed } from "../submission/lookup.js";
import { areOfOtherChains, shownId, type Target } from "../submission/model.js";
import type { StoredSubmission } from "../submission/stored-submission.js";
import type { ConnectedNetwork } from "./connected-network.js";
import { deliveryNetwork, networkOfResults } from "./delivery-network.js";
import { projectSubmissions } from "./project-database.js";
import type { Session } from "./session.js";

/**
 * Returns those of the submissions whose results go to a network that were made for a chain before the present one: a
 * development node that is started again has another first block. None on live chains, and where the node does not answer.
 */
export async function ofChainsBefore<T extends Target>(
  network: ConnectedNetwork,
  records: readonly T[],
): Promise<readonly T[]> {
  const recorded = records.filter(({ genesis }) => genesis !== undefined);
  if (recorded.length === 0 || !(await network.isDevelopment())) return [];
  const now = await network.genesisHash();
  return recorded.filter(({ genesis }) => areOfOtherChains(genesis, now));
}

/**
 * Returns the record of a submission of this network whose chain is gone, since the development node has started anew;
 * undefined for any other, and on a chain in this process, which ends with it.
 */
export async function goneWithItsChain(
  session: Session,
  { id, parts: [part] }: Submission,
): Promise<StoredSubmission | undefined> {
  const { isSimulated, networkName, config, project } = session;
  if (isSimulated) return undefined;
  const record = recordNamed(projectSubmissions(config.dataDir), part?.id ?? id);
  if (record?.network !== networkName) return undefined;
  const place = networkOfResults(record, project.config);
  // A Starknet chain is no network of Hardhat's.
  if (project.config.networks[place] === undefined) return undefined;
  const [gone] = await ofChainsBefore(await session.on(place), [record]);
  return gone;
}

/** The status of a submission whose chain is gone. */
export const CHAIN_GONE = {
  name: "ChainGone",
  phase: "failed",
  detail: "its node has started anew since: the chain, store and results are gone. Submit it again",
} as const satisfies TaskStatus;

/**
 * Returns the sentence about submissions whose chain is gone, which lists and statuses share.
 * @param networkName the network that their results went to
 */
export function goneText(networkName: string, ids: readonly string[]): string {
  return `The node of "${networkName}" has started anew since: the chain, store and results of ${ids.join(", ")} are gone.`;
}

/**
 * Returns the hint of an error that the node has started anew since the newest submission of this network, or of a
 * task on it, was made; none where it has not.
 */
export async function chainBeforeHints(
  network: ConnectedNetwork,
  taskHash?: Hex,
): Promise<readonly string[]> {
  const { isSimulated, networkName, config } = network;
  if (isSimulated) return [];
  const taskHashes = taskHash === undefined ? undefined : [taskHash];
  const made = projectSubmissions(config.dataDir).list({
    network: networkName,
    taskHashes,
    newest: 1,
  });
  const own = made.filter(
    (one) => deliveryNetwork(one.destinationChainId, network) === networkName,
  );
  const [before] = await ofChainsBefore(network, own);
  if (before === undefined) return [];
  return [
    `The node of network "${networkName}" has started anew since submission ${shownId(before)}: its chain, store and results are gone. Submit the task again.`,
  ];
}

/** Returns the error of a chain of which no store is known, or no more since its node started anew. */
export async function unknownStore(network: ConnectedNetwork): Promise<HdpError> {
  const { networkName } = network;
  const place = `network "${networkName}" (chain ${await network.chainId()})`;
  const values = { place, command: suggested("hdp store deploy", [], { network: networkName }) };
  const path = network.configPath("executionStore.address");
  return hdpError("HDP-6010", values, { path, hints: await chainBeforeHints(network) });
}
