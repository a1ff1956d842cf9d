import type { Hex } from "viem";

import { isMadeAt, placeOf } from "../../journal/journal-entry.js";
import type { JournalLook } from "../../journal/journal-look.js";
import type { JournalRecord } from "../../journal/journal-record.js";
import { noSuchSubmission, submissionOf } from "../../journal/find-record.js";
import { joinIds, partsOf, possibleParts } from "../../journal/joined-submission.js";
import { HdpError } from "../../errors/hdp-error.js";
import { shellWord } from "../../base/text.js";
import type { Submission } from "../../request/lifecycle.js";
import { isTaskHash } from "../parse-arguments.js";

/** `Submission.processor` of a task hash that the journal does not have: only the execution store can tell of it. */
export const STORE_ONLY = "execution store";

/**
 * The submission behind what a person names: a journal id, a service id, several joined by commas (a request answered
 * by several submissions), or a task hash. A task hash unknown to the journal is looked for in the store.
 *
 * @throws JournalError HDP-5010 when the journal has none, HDP-5009 when its acceptance is not known
 * @throws HdpError HDP-6045 when it was made at another service than the network's
 */
export async function findSubmission(
  look: JournalLook,
  name: string,
  endpoint: URL,
  networkName: string,
): Promise<Submission> {
  const { host } = endpoint;
  const place = placeOf(endpoint);
  const isHere = (record: JournalRecord): boolean => record.endpointHost === undefined || isMadeAt(record, place);
  const named = new Map<string, JournalRecord | { taskHash: Hex }>();
  for (const part of possibleParts(name)) {
    const one = await findOne(look, part, isHere);
    if (one !== undefined) named.set(part, one);
  }
  const parts = partsOf(name, (part) => named.has(part)).map((part) => {
    const one = named.get(part);
    if (one === undefined) throw noSuchSubmission(part, look.size);
    if ("id" in one && !isHere(one)) throw elsewhere(one, host, networkName);
    return "id" in one ? submissionOf(one) : storeOnly(one.taskHash);
  });
  // This package's own word for a request of which nothing was sent stands for no submission.
  if (parts.length === 0) throw noSuchSubmission(name, look.size);
  const together = parts.reduce(({ id, processor, destinationChainId, taskHashes }, part) => ({
    id,
    processor,
    destinationChainId,
    taskHashes: [...new Set([...taskHashes, ...part.taskHashes])],
  }));
  return parts.length === 1 ? together : { ...together, id: joinIds(parts.map((part) => part.id)) };
}

/** Services count their submissions alike, and one task may have gone to several: those made here go before others. */
async function findOne(
  look: JournalLook,
  name: string,
  isHere: (record: JournalRecord) => boolean,
): Promise<JournalRecord | { taskHash: Hex } | undefined> {
  if (!isTaskHash(name)) {
    const accepted = await look.withServiceId(name);
    return (await look.submission(name)) ?? accepted.findLast(isHere) ?? accepted.at(-1);
  }
  const all = await look.withTasks([name]);
  const here = all.filter(isHere);
  const concerned = here.length > 0 ? here : all;
  // A submission that can be asked for goes before a newer one that was refused or whose answer was lost.
  return concerned.findLast((record) => record.serviceId !== undefined) ?? concerned.at(-1) ?? { taskHash: name };
}

function storeOnly(taskHash: Hex): Submission {
  return { id: taskHash, processor: STORE_ONLY, destinationChainId: "ETHEREUM_SEPOLIA", taskHashes: [taskHash] };
}

function elsewhere(record: JournalRecord, host: string, networkName: string): HdpError {
  const place = record.endpointHost === host ? "another address there" : host;
  return new HdpError({
    code: "HDP-6045",
    path: "id",
    message: `submission ${record.serviceId ?? record.id} was made at ${record.endpointHost ?? "another service"}, but network "${networkName}" uses ${place}.`,
    hints: [
      `It was made on network "${record.network}": add --network ${shellWord(record.network)}, or configure that address again.`,
      "Nothing was asked: another service would not know it.",
    ],
  });
}
