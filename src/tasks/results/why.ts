import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { Hex } from "viem";

import { isRecord } from "../../base/collections.js";
import { requireTaskHash } from "../../base/hex.js";
import { askNode } from "../../base/rpc.js";
import { findDestination } from "../../plugin/actions/submission-actions.js";
import { isHdpError, suggested, withHints } from "../../errors/hdp-error.js";
import {
  explainHash,
  explainTransaction,
  type ExplainedHash,
  type ReadlessTransaction,
  useStoreCommand,
} from "../../plugin/read-failures.js";
import { submissionStores } from "../../plugin/project-database.js";
import { Session } from "../../plugin/session.js";
import { submissionOutcome, explanationLines } from "../../submission/explanation-lines.js";
import { isOnThisMachine, type Optional } from "../options.js";
import { command } from "../run-command.js";
import { connectForTask } from "../named-tasks.js";
import { printBlock } from "../ui/screen.js";

type WhyArguments = { hash: string } & Optional<"store" | "destination">;

/** Runs `hdp why`: says why a task has no result in a store, or why a transaction that read one failed. */
export const why = command(
  async ({ hash: given, store, destination }: WhyArguments, { hre, screen }) => {
    const hash = requireTaskHash(given, "hash", {
      nor: "a transaction's",
      hint: "A transaction's hash has as many digits.",
    });
    const connection = await connectForTask(hash, hre);
    const { networkName } = connection;
    const session = Session.of(connection);
    const explained = await explain(session, hash, { store, destination });
    if ("transaction" in explained) {
      const { lines = [] } = explained;
      printBlock(screen, ...[outcomeLine(explained), ...lines].map((line) => `  ${line}`));
      return { networkName, ...explained };
    }
    const lines = [
      ...explainedLines(explained, session),
      ...inProcessLine(explained, session, hre),
      ...caughtLine(explained),
      ...(await stateLines(explained, session)),
    ];
    const mayBeElsewhere = isUnknown(explained);
    const transactionOn = mayBeElsewhere
      ? await networkOfTransaction(hash, networkName, hre)
      : undefined;
    if (mayBeElsewhere) lines.push(otherNetworkLine(hash, networkName, transactionOn));
    printBlock(screen, ...lines.map((line) => `  ${line}`));
    return { networkName, ...explained, transactionOn };
  },
);

async function explain(
  session: Session,
  hash: Hex,
  { store, destination }: Optional<"store" | "destination">,
): Promise<ExplainedHash | ReadlessTransaction> {
  const transaction = await askNode(session.provider, "eth_getTransactionByHash", [hash]);
  if (transaction === null) {
    const chain = await findDestination({ hash }, session, destination);
    return await explainHash(session, hash, { store, chain }).catch((error: unknown) => {
      throw isHdpError(error, "HDP-6010")
        ? withHints(error, submissionHints(session, hash))
        : error;
    });
  }
  if (isRecord(transaction) && transaction["blockNumber"] === null)
    return { cause: "no-failed-read", transaction: { hash, state: "pending" } };
  const explained = await explainTransaction(session, hash);
  return "transaction" in explained ? explained : { isFinalized: false, ...explained };
}

/** Says what became of the task's latest submission, where its network has no store. */
function submissionHints(session: Session, taskHash: Hex): readonly string[] {
  const { networkName: network } = session;
  const made = submissionStores(session).flatMap((store) => store.withHashes([taskHash]));
  const latest = made.findLast((one) => one.network === network);
  return latest === undefined ? [] : [submissionOutcome(latest)];
}

function outcomeLine({ cause, transaction }: ReadlessTransaction): string {
  const { hash, state, reason } = transaction;
  if (cause === "not-a-store") return `Transaction ${hash} ${reason}.`;
  const ends = {
    succeeded: "succeeded, and no read of a store failed in it.",
    failed: `${reason}: no read of a store failed in it.`,
    pending: "is not mined yet: ask again once it is.",
  };
  return `Transaction ${hash} ${ends[state]}`;
}

function caughtLine(explained: ExplainedHash): readonly string[] {
  return explained.isFinalized || explained.isCaught !== true
    ? []
    : ["The transaction succeeded: a contract in it caught the failed read."];
}

/** Returns whether nothing is known of a hash: it may be a transaction's, of another network. */
function isUnknown(explained: ExplainedHash): boolean {
  return (
    !explained.isFinalized && explained.cause === "unknown" && explained.asked.asker === undefined
  );
}

/** Returns another network whose node on this machine has a transaction. No other node is asked unless it is named. */
async function networkOfTransaction(
  hash: Hex,
  networkName: string,
  hre: HardhatRuntimeEnvironment,
): Promise<string | undefined> {
  const others = Object.keys(hre.config.networks).filter(
    (name) => name !== networkName && isOnThisMachine(name, hre),
  );
  const having = others.map(async (name): Promise<string[]> => {
    const { provider } = await hre.network.getOrCreate(name);
    return (await askNode(provider, "eth_getTransactionByHash", [hash])) === null ? [] : [name];
  });
  // A node that does not run has no transaction.
  const found = await Promise.all(having.map(async (names) => await names.catch(() => [])));
  return found.flat()[0];
}

function otherNetworkLine(hash: Hex, network: string, found: string | undefined): string {
  return found === undefined
    ? `Network "${network}" has no transaction of this hash either: if it is one, name its --network.`
    : `Network "${found}" has a transaction of this hash: ${suggested("hdp why", [hash], { network: found })}`;
}

/** The network that commands use without `--network`. */
const DEFAULT_NETWORK = "default";

/** Says where a submission of a task file went that named no network, where that is not the asked one. */
function inProcessLine(
  explained: ExplainedHash,
  { isSimulated, networkName: network }: Session,
  { config }: HardhatRuntimeEnvironment,
): readonly string[] {
  if (isSimulated || config.networks[DEFAULT_NETWORK]?.type !== "edr-simulated") return [];
  if (explained.isFinalized || explained.cause !== "not-finalized") return [];
  const { source } = explained.asked;
  if (!source?.endsWith(".json")) return [];
  const command = suggested("hdp:submit", [source], { network });
  return [
    `A submission without --network goes to the in-process chain of network "${DEFAULT_NETWORK}", which ends with its command. To submit here: ${command}`,
  ];
}

function explainedLines(explained: ExplainedHash, session: Session): readonly string[] {
  const { networkName: network } = session;
  if (!explained.isFinalized)
    return explanationLines(explained, { useStore: useStoreCommand(explained, session) });
  const { taskHash, store, word, destination } = explained;
  const place = destination && ` of ${destination.chain}`;
  const where =
    destination === undefined || destination.network === network
      ? `Looked up on network "${network}". To look on another, add --network and its name.`
      : `That store is on ${ofNetwork(destination)}: a contract on network "${network}" does not find the result there.`;
  return [`Task ${taskHash} is finalized in store ${store}${place ?? ""}.`, `Word: ${word}`, where];
}

function ofNetwork({
  chain,
  network,
}: {
  readonly chain: string;
  readonly network: string;
}): string {
  // A Starknet chain is its own network.
  return chain === network ? chain : `network "${network}"`;
}

/** Returns where a submission stands at its data processor; nothing where that does not say. */
async function stateLines(explained: ExplainedHash, session: Session): Promise<readonly string[]> {
  if (explained.isFinalized || explained.cause !== "pending-submission") return [];
  const { submission } = explained;
  if (submission === undefined) return [];
  try {
    const { submissions } = await session.processor();
    const { name, phase } = await submissions.status(submissions.find(submission.id));
    return [`At the data processor: ${name} (${phase}).`];
  } catch {
    return [];
  }
}
