import { requireDestination } from "../../plugin/processors/before-sending.js";
import type { ProcessorInfo } from "../../plugin/processors/connected-processor.js";
import type { Session } from "../../plugin/session.js";
import { destinationStore } from "../../plugin/stores/destination-store.js";
import type { ChainIdentifier } from "../../request/chains.js";
import { confirmed, type Questioning } from "./confirm.js";

/** What is about to be computed. */
interface Work {
  readonly destinationChainId: ChainIdentifier;
  /** For people: "2 tasks". */
  readonly what: string;
  readonly processor: ProcessorInfo;
}

/**
 * Asks before work that may cost something: on a chain that is not for development, a service charges, and finalizing
 * costs gas.
 *
 * @throws HdpError HDP-6041 where nobody can answer; HDP-6023, and errors of the store, where it would be in vain
 */
export async function mayCost(
  { destinationChainId, what, processor: { kind, description } }: Work,
  session: Session,
  yes: boolean,
  questioning: Questioning,
): Promise<boolean> {
  if (kind === "remote") {
    if (await session.isDevelopment()) return true;
    return await confirmed(`Send ${what} to the ${description}? Its use is charged.`, yes, questioning);
  }
  const stores = await destinationStore(destinationChainId, session);
  if ((await stores.chain()).startsAnew) return true;
  await requireDestination(destinationChainId, session);
  await stores.requireWritable();
  const question = `Finalize ${what} in the mock store of ${destinationChainId}, which is not a development chain? It costs gas.`;
  return await confirmed(question, yes, questioning);
}
