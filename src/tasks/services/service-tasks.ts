import type { Hex } from "viem";

import { namedPath } from "../../base/files.js";
import { atPath, hdpError, isHdpError, notAllowed, suggested } from "../../errors/hdp-error.js";
import { Session } from "../../plugin/session.js";
import { parseChain } from "../../request/chain-names.js";
import type { DecommitmentOutput } from "../../service/data-processor/run-output.js";
import type { SubmissionRecord } from "../../submission/model.js";
import type { Flags, Optional } from "../options.js";
import type { CommandContext } from "../run-command.js";
import { integerIn, networkOption, parseChoice } from "../options.js";
import { command } from "../run-command.js";
import { confirmed, printEarlier } from "../ui/confirm.js";
import { shortHex } from "../ui/format.js";
import { printBlock, printFields, printTable, style } from "../ui/screen.js";
import { readBodyFile } from "./request-body.js";

type DecommitArguments = Optional<"destination" | "output" | "programHash"> &
  Flags<"force" | "yes">;
type TaskArguments = { action: string; page: number; perPage: number } & Optional<"id" | "search"> &
  DecommitArguments;

/** Runs `hdp service-tasks`: lists, shows and retries tasks at the service, and has runs delivered. */
export const serviceTasks = command(async (args: TaskArguments, context) => {
  const action = parseChoice(args.action, ["list", "show", "retry", "decommit"], {
    what: "an action on service tasks",
    path: "action",
  });
  if (action === "list") return await list(args, context);
  if (args.id === undefined) {
    const network = networkOption(context.hre);
    const named = (after: string): string =>
      suggested("hdp service-tasks", [action], { network, after });
    const ids = suggested("hdp service-tasks", [], { network });
    const [what, example] =
      action === "decommit"
        ? ["run", named("<query id> --destination STARKNET_SEPOLIA")]
        : ["task", `${named("<id>")}. ${ids} lists the ids.`];
    throw hdpError("HDP-6016", { what, example }, { path: "id" });
  }
  if (action === "decommit") return await decommit(args.id, args, context);
  return action === "show" ? await show(args.id, context) : await retry(args.id, context);
});

async function list(
  { page, perPage, search }: TaskArguments,
  { hre, screen }: CommandContext,
): Promise<unknown> {
  integerIn(page.toString(), "--page", { min: 1 });
  integerIn(perPage.toString(), "--per-page", { min: 1, max: 100 });
  const client = await hre.hdp.clients.moduleTasks();
  const found = await client.list({ page, perPage, search });
  const rows = found.tasks.map(({ uuid, status, programName, programHash, createdAt }) => {
    return [uuid, status, programName ?? shortHex(programHash ?? ""), createdAt];
  });
  const { pagination } = found;
  const { total, totalPages } = pagination;
  if (total === 0) {
    const none = search === undefined ? "no task" : `no task with "${search}"`;
    printBlock(screen, `  The service has ${none}.`);
    return found;
  }
  if (rows.length === 0) {
    printBlock(screen, `  No task on page ${page}: the last one is page ${totalPages}.`);
    return found;
  }
  printTable(screen, ["TASK", "STATE", "PROGRAM", "CREATED"], rows);
  printBlock(screen, `  Page ${pagination.page} of ${totalPages}, ${total} in all`);
  return found;
}

/** Prints all that the service says of a task. */
async function show(id: string, { hre, screen }: CommandContext): Promise<unknown> {
  const client = await hre.hdp.clients.moduleTasks();
  const [details, { mmrs }, { outputPreimage }, { state_transitions: stateTransitions }] =
    await Promise.all([
      client.details(id),
      client.mmrs(id),
      client.outputPreimage(id),
      client.stateTransitions(id),
    ]);
  printFields(screen, [
    ["Task", id],
    ["State", details.status],
    ["Program", details.programHash ?? "unknown"],
    ["Destination", details.destinationChainId],
    ["Task hash", details.taskHash ?? "not known yet"],
    ["Output root", details.outputTreeRoot ?? "not known yet"],
    ["Output", outputText(outputPreimage)],
  ]);
  const transitions = stateTransitions.map((step) => [
    step.from_status ?? "",
    step.to_status,
    step.created_at,
  ]);
  printTable(screen, ["FROM", "TO", "AT"], transitions);
  const roots = mmrs.map((mmr) => [mmr.id, mmr.chain_id, mmr.hashing_function, mmr.size, mmr.root]);
  if (roots.length > 0) printTable(screen, ["MMR", "CHAIN", "HASH", "SIZE", "ROOT"], roots);
  return { details, mmrs, outputPreimage, stateTransitions };
}

/** Returns what the service says of itself: its root, too, is only what it says. */
function outputText(felts: readonly string[] | null): string {
  if (felts === null) return "not completed yet";
  return `${felts.join(", ")}   (the service's word, not checked: hdp:result and hdp verify do)`;
}

async function retry(id: string, { hre, screen }: CommandContext): Promise<unknown> {
  const session = Session.of(await hre.network.getOrCreate());
  const { retryTask } = await import("../../plugin/charged-calls.js");
  const retried = await retryTask(session, async () => (await session.processor()).submissions, id);
  printBlock(screen, `  ${style.good("✔")} Task ${retried.uuid} was started again.`);
  const { networkName: network } = session;
  const show = suggested("hdp service-tasks show", [retried.uuid], { network });
  screen.line(`  Look at it with: ${style.command(show)}`);
  return retried;
}

/** Has the output of a run delivered, after a question: it is charged. */
async function decommit(
  queryId: string,
  args: DecommitArguments,
  context: CommandContext,
): Promise<unknown> {
  const { hre, screen } = context;
  const { destination, programHash, force, yes } = args;
  if (destination === undefined) {
    const named = ["decommit", queryId, "--destination", "STARKNET_SEPOLIA"];
    const example = suggested("hdp service-tasks", named, { network: networkOption(hre) });
    throw hdpError("HDP-6016", { what: "destination chain", example }, { path: "--destination" });
  }
  const chain = parseChain(destination, "--destination");
  if (programHash !== undefined && !isProgramHash(programHash)) {
    const allowed = "0x and 1 to 64 hexadecimal digits";
    throw notAllowed(programHash, "a program's hash", { path: "--program-hash", allowed });
  }
  const output =
    args.output === undefined ? undefined : await readOutput(args.output, hre.config.paths.root);
  const connection = await hre.network.getOrCreate();
  const session = Session.of(connection);
  const question = `Have run ${queryId} delivered to ${chain}? It is charged.`;
  if (!(await confirmed(question, yes || (await session.isDevelopment()), context)))
    return undefined;
  const { decommitRun } = await import("../../plugin/actions/service-actions.js");
  const run = {
    destinationChainId: chain,
    queryId,
    ...(output !== undefined && { output }),
    ...(programHash !== undefined && { programHash }),
  };
  const onEarlier = (earlier: SubmissionRecord): void => printEarlier(screen, earlier);
  const accepted = await decommitRun(session, run, { force, onEarlier }).catch((error: unknown) => {
    throw isHdpError(error, "HDP-2027") ? atPath(error, "--destination") : error;
  });
  const { uuid } = accepted;
  if (uuid === undefined) {
    printBlock(screen, `  ${style.good("✔")} Accepted; the service named no task for it.`);
    return accepted;
  }
  printFields(screen, [["Task", uuid]]);
  const { networkName: network } = connection;
  const show = suggested("hdp service-tasks show", [uuid], { network });
  screen.line(`  Look at it with: ${style.command(show)}`);
  return accepted;
}

function isProgramHash(text: string): text is Hex {
  return /^0x[0-9a-fA-F]{1,64}$/.test(text);
}

/** Reads the output of a run as the prover writes it. @throws HdpError HDP-6001, HDP-6047 */
async function readOutput(file: string, projectRoot: string): Promise<DecommitmentOutput> {
  const { readRunOutput, runOutputSchema } =
    await import("../../service/data-processor/run-output.js");
  const { data, error } = runOutputSchema.safeParse(await readBodyFile(file, projectRoot));
  if (data !== undefined) return readRunOutput(data);
  const [issue] = error.issues;
  const reason = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
  const hints = [
    'Its form is { "task_hash_low", "task_hash_high", "output_tree_root_low", "output_tree_root_high", "mmr_metas" }. Nothing was sent.',
  ];
  const values = { what: "the run's output", reason, path: namedPath(file, projectRoot) };
  throw hdpError("HDP-6001", values, { path: "--output", hints });
}
