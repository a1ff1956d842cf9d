import type { Hex } from "viem";

import { requireTaskHash } from "../../base/hex.js";
import { askNode } from "../../base/rpc.js";
import { findDestination } from "../../plugin/actions/submission-actions.js";
import { explainHash, explainTransaction, type ExplainedHash } from "../../plugin/read-failures.js";
import { Session } from "../../plugin/session.js";
import { explanationLines } from "../../submission/explanation-lines.js";
import type { Optional } from "../options.js";
import { command } from "../run-command.js";
import { connectForTask } from "../named-tasks.js";
import { printBlock } from "../ui/screen.js";

type WhyArguments = { hash: string } & Optional<"store" | "destination">;

/** Runs `hdp why`: says why a task has no result in a store, or why a transaction that read one failed. */
export const why = command(
  async ({ hash: given, store, destination }: WhyArguments, { hre, screen }) => {
    const hash = requireTaskHash(given, "hash");
    const connection = await connectForTask(hash, hre);
    const { networkName } = connection;
    const explained = await explain(Session.of(connection), hash, { store, destination });
    printBlock(screen, ...explainedLines(explained, networkName).map((line) => `  ${line}`));
    return { networkName, ...explained };
  },
);

async function explain(
  session: Session,
  hash: Hex,
  { store, destination }: Optional<"store" | "destination">,
): Promise<ExplainedHash> {
  const transaction = await askNode(session.provider, "eth_getTransactionByHash", [hash]);
  if (transaction === null) {
    const chain = await findDestination({ hash }, session, destination);
    return await explainHash(session, hash, { store, chain });
  }
  return { isFinalized: false, ...(await explainTransaction(session, hash)) };
}

function explainedLines(explained: ExplainedHash, network: string): readonly string[] {
  if (!explained.isFinalized) {
    const isUnknown = explained.cause === "unknown" && explained.asked.asker === undefined;
    const noTransaction = `Network "${network}" has no transaction of this hash either: if it is one, name its --network.`;
    return [...explanationLines(explained), ...(isUnknown ? [noTransaction] : [])];
  }
  const { taskHash, store, word } = explained;
  return [`Task ${taskHash} is finalized in store ${store}.`, `Word: ${word}`];
}
