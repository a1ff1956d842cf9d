import { requireDestination } from "../../plugin/processors/before-sending.js";
import type { ProcessorInfo } from "../../plugin/processors/connected-processor.js";
import type { Session } from "../../plugin/session.js";
import { destinationStore } from "../../plugin/stores/destination-store.js";
import type { ChainIdentifier } from "../../request/chains.js";
import { type Asker, confirmed } from "./confirm.js";

/** What is about to be computed. */
interface Work {
  readonly destinationChainId: ChainIdentifier;
  /** For people: "2 tasks". */
  readonly what: string;
  readonly processor: ProcessorInfo;
}

/**
 * On a chain that is not for development it is asked first: a service charges, and finalizing costs gas.
 *
 * @throws HdpError HDP-6041 where nobody can answer; HDP-6023, and what the store says, where it would be in vain
 */
export async function mayCost(
  { destinationChainId, what, processor: { kind, description } }: Work,
  session: Session,
  yes: boolean,
  asker: Asker,
): Promise<boolean> {
  if (kind === "remote") {
    if (await session.isDevelopment()) return true;
    return await confirmed(`Send ${what} to the ${description}? Its use is charged.`, yes, asker);
  }
  const stores = await destinationStore(destinationChainId, session);
  if ((await stores.chain()).startsAnew) return true;
  await requireDestination(destinationChainId, session);
  await stores.requireWritable();
  const question = `Finalize ${what} in the mock store of ${destinationChainId}, which is no development chain? It costs gas.`;
  return await confirmed(question, yes, asker);
}
