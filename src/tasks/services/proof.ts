import { suggested } from "../../errors/hdp-error.js";
import { Session } from "../../plugin/session.js";
import type { SubmissionRecord } from "../../submission/model.js";
import type { Flags, Optional } from "../options.js";
import { milliseconds } from "../options.js";
import { command } from "../run-command.js";
import { confirmed, printEarlier } from "../ui/confirm.js";
import { printQueries, showProgress } from "../ui/progress.js";
import { printFields, printRecord, style } from "../ui/screen.js";
import { readBodyFile } from "./request-body.js";
type ProofArguments = { file: string } & Flags<"noWait" | "force" | "yes"> & Optional<"timeout">;

/** Runs `hdp proof submit`: submits a storage proof request and awaits it. */
export const submit = command(
  async ({ file, noWait, force, yes, ...args }: ProofArguments, context) => {
    const { hre, screen } = context;
    const timeout = milliseconds(args.timeout, "--timeout");
    const body = await readBodyFile(file, hre.config.paths.root);
    const connection = await hre.network.getOrCreate();
    const { hdp, networkName } = connection;
    const isFree = yes || (await Session.of(connection).isDevelopment());
    if (
      !(await confirmed(
        "Send the storage proof request? Its queries are charged.",
        isFree,
        context,
      ))
    )
      return undefined;
    const onEarlier = (earlier: SubmissionRecord): void => printEarlier(screen, earlier);
    const accepted = await hdp.storageProof.submitRequest(body, { force, label: file, onEarlier });
    const { request_id: requestId } = accepted;
    printFields(screen, [["Request", requestId]]);
    const again = suggested("hdp proof queries", [requestId], { network: networkName });
    screen.line(`  Look at it again with: ${style.command(again)}`);
    if (noWait) return { requestId, accepted };
    const progress = showProgress(screen);
    const queries = await hdp.storageProof
      .awaitRequest(requestId, {
        ...(timeout === undefined ? {} : { timeout }),
        ...progress.listeners,
      })
      .finally(() => progress.end());
    printQueries(screen, queries);
    return { requestId, accepted, queries };
  },
);

/** Runs `hdp proof queries`: lists the queries of a storage proof request. */
export const queries = command(async ({ requestId }: { requestId: string }, { hre, screen }) => {
  const reply = await (await hre.hdp.clients.storageProof()).getQueries(requestId);
  printQueries(screen, reply.queries);
  return { requestId, ...reply };
});

/** Runs `hdp proof actions`: prints the actions of a query. */
export const actions = command(async ({ queryId }: { queryId: string }, { hre, screen }) => {
  const reply = await (await hre.hdp.clients.storageProof()).getActions(queryId);
  printRecord(screen, `Actions of query ${queryId}`, reply.actions);
  return { queryId, ...reply };
});
