import { namedPath, readNamedFile } from "../../base/files.js";
import { parsePlainJson } from "../../base/json.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import { suggested } from "../../errors/suggested.js";
import { Session } from "../../plugin/session.js";
import type { TaskStatus } from "../../request/task.js";
import type { StorageProofQuery } from "../../service/storage-proof.js";
import type { SubmissionRecord } from "../../submission/model.js";
import { command, type CommandContext, type Flags, milliseconds, oneOf, type Optional } from "../run-command.js";
import { printEarlier } from "../submissions/list.js";
import { confirmed } from "../ui/confirm.js";
import { Progress } from "../ui/progress.js";
import { printFields, printRecord, printTable, type Screen, style } from "../ui/screen.js";

type SubmitArguments = { file: string } & Flags<"noWait" | "force" | "yes"> & Optional<"timeout">;

export const submit = command(async ({ file, noWait, force, yes, ...args }: SubmitArguments, context) => {
  const { hre, screen } = context;
  const timeout = milliseconds(args.timeout, "--timeout");
  const body = await readBody(file, hre.config.paths.root);
  const connection = await hre.network.getOrCreate();
  const { hdp, networkName } = connection;
  const isFree = yes || (await Session.of(connection).isDevelopment());
  if (!(await confirmed("Send the storage proof request? Its queries are charged.", isFree, context))) return undefined;
  const onEarlier = (earlier: SubmissionRecord): void => printEarlier(screen, earlier);
  const accepted = await hdp.storageProof.submitRequest(body, { force, label: file, onEarlier });
  const { request_id: requestId } = accepted;
  printFields(screen, [["Request", requestId]]);
  const again = suggested("hdp proof queries", [requestId], { network: networkName });
  screen.line(`  Look at it again with: ${style.command(again)}`);
  if (noWait) return { requestId, accepted };
  const progress = new Progress(screen);
  const queries = await hdp.storageProof
    .awaitRequest(requestId, {
      ...(timeout === undefined ? {} : { timeout }),
      ...progress.listeners,
      onQueries: (seen) => progress.onStatus(queriesAsStatus(seen)),
    })
    .finally(() => progress.end());
  printQueries(screen, queries);
  return { requestId, accepted, queries };
});

export const queries = command(async ({ requestId }: { requestId: string }, { hre, screen }) => {
  const reply = await (await hre.hdp.clients.storageProof()).getQueries(requestId);
  printQueries(screen, reply.queries);
  return { requestId, ...reply };
});

export const actions = command(async ({ queryId }: { queryId: string }, { hre, screen }) => {
  const reply = await (await hre.hdp.clients.storageProof()).getActions(queryId);
  printRecord(screen, `Actions of query ${queryId}`, reply.actions);
  return { queryId, ...reply };
});

export function printQueries(screen: Screen, found: readonly StorageProofQuery[]): void {
  if (found.length === 0) screen.line("  No queries yet: the request is being scheduled.");
  const rows = found.map(({ internal_id, status, typ, created_at, completed_at }) => {
    return [internal_id, status, typ ?? "", created_at ?? "", completed_at ?? ""];
  });
  if (rows.length > 0) printTable(screen, ["QUERY", "STATUS", "KIND", "CREATED", "COMPLETED"], rows);
}

export function queriesAsStatus(found: readonly StorageProofQuery[]): TaskStatus {
  if (found.length === 0) return { name: "Scheduled", phase: "pending" };
  const counts = new Map<string, number>();
  for (const { status } of found) counts.set(status, (counts.get(status) ?? 0) + 1);
  const name = [...counts].map(([status, count]) => `${String(count)} ${status}`).join(", ");
  return { name, phase: "pending", detail: `${String(found.length)} in all` };
}

type GrowOrderArguments = { action: string } & Flags<"yes" | "force"> & Optional<"target">;

export const growOrders = command(async (args: GrowOrderArguments, context) => {
  const all = ["list", "show", "create", "cancel"] as const;
  const action = oneOf(args.action, all, { what: "an action on grow orders", path: "action" });
  const { target } = args;
  const { hre, screen } = context;
  if (action === "list") {
    const orders = await (await hre.hdp.clients.storageProof()).growOrders();
    printRecord(screen, "Grow orders", orders);
    return orders;
  }
  if (target === undefined) {
    const what = action === "create" ? "request body" : "grow order";
    const example = `npx hardhat hdp grow-orders ${action} ${action === "create" ? "order.json" : "<id>"}`;
    throw hdpError("HDP-6016", { what, example }, { path: "target" });
  }
  if (action === "create") return await createOrder(target, args, context);
  const { hdp, networkName } = await hre.network.getOrCreate();
  const client = await hdp.clients.storageProof();
  if (action === "show") {
    const order = await client.growOrder(target);
    printRecord(screen, `Grow order ${target}`, order);
    return order;
  }
  if (!(await confirmed(`Cancel grow order ${target} (network "${networkName}")?`, args.yes, context)))
    return undefined;
  const answer = await client.cancelGrowOrder(target);
  printRecord(screen, `Cancelled grow order ${target}`, answer);
  return { id: target, answer };
});

async function createOrder(file: string, args: GrowOrderArguments, context: CommandContext): Promise<unknown> {
  const { hre, screen } = context;
  const body = await readBody(file, hre.config.paths.root);
  const { hdp, networkName } = await hre.network.getOrCreate();
  printRecord(screen, `Grow order to create (network "${networkName}")`, body);
  if (!(await confirmed("Create it? It is charged.", args.yes, context))) return undefined;
  let title = "Created";
  const onEarlier = (earlier: SubmissionRecord): void => {
    title = `Grow order ${earlier.serviceId ?? earlier.id}`;
    printEarlier(screen, earlier);
  };
  const order = await hdp.storageProof.createGrowOrder(body, { label: file, force: args.force, onEarlier });
  printRecord(screen, title, order);
  return order;
}

/**
 * Reads a JSON file that is sent unchanged. The services publish no schema for it, so the function checks only its
 * syntax, and that no integer would be rounded.
 *
 * @throws HdpError HDP-6001, HDP-6047
 */
export async function readBody(file: string, projectRoot: string): Promise<unknown> {
  const path = namedPath(file, projectRoot);
  const context = { path: file, hints: ["Nothing was sent."] };
  const text = await readNamedFile("the request body", path, context);
  const notJson = ({ sentence }: { readonly sentence: string }): HdpError =>
    hdpError("HDP-6001", { what: "the request body", reason: `not JSON: ${sentence}`, path }, context);
  return parsePlainJson(text, { notJson, maxValues: 500_000 }, (integer) =>
    hdpError("HDP-6047", { integer }, { path: file }),
  );
}
