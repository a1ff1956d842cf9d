import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";

import { isOnAnotherChain } from "../journal/journal-entry.js";
import type { JournalRecord } from "../journal/journal-record.js";
import type { ChainIdentifier } from "../request/chains.js";

export { nameOfCall, sentBefore, stateOfCall } from "../journal/call-standing.js";
export { ALREADY_FINALIZED } from "../journal/joined-submission.js";

/**
 * The connection on which to look for a submission: the one that `--network` names, else the one the journal says it
 * was made on, else the default.
 */
export async function connectionOfSubmission(
  hre: HardhatRuntimeEnvironment,
  id: string,
): Promise<NetworkConnection<string>> {
  // Without --network the option is undefined, whatever its type says.
  const options: Partial<typeof hre.globalOptions> = hre.globalOptions;
  return await hre.network.getOrCreate(options.network ?? (await networkInJournal(hre, id)));
}

/** Whether a record says nothing of the chain that results go to now, which has started anew since. */
export async function isBeforeRestart(
  connection: NetworkConnection<string>,
  destination: ChainIdentifier,
): Promise<(record: JournalRecord) => boolean> {
  const { Session } = await import("./session.js");
  const { destinationStore } = await import("./stores/destination-store.js");
  const { genesis, startsAnew } = await (await destinationStore(destination, Session.of(connection))).chain();
  return (record) => startsAnew && isOnAnotherChain(record, { genesis });
}

async function networkInJournal(hre: HardhatRuntimeEnvironment, id: string): Promise<string | undefined> {
  const { openJournal } = await import("./open-journal.js");
  const look = await openJournal(hre.config.hdp.journal).look();
  const record = await look.named(id.split(",")[0] ?? id);
  return record !== undefined && record.network in hre.config.networks ? record.network : undefined;
}
