import { hdpError } from "../../errors/hdp-error.js";
import { suggested } from "../../errors/suggested.js";
import { checkInterfaces } from "../../plugin/interface-states.js";
import { command, type CommandContext, integerIn, oneOf, type Optional } from "../run-command.js";
import { shortHex } from "../ui/format.js";
import { printBlock, printFields, printTable, style } from "../ui/screen.js";

const MARKS = { alive: "✔", failed: "✘", unchecked: "?", "not configured": "-" } as const;

export const alive = command(async (_args: object, { hre, screen }) => {
  const connection = await hre.network.getOrCreate();
  const interfaces = await checkInterfaces(connection);
  const rows = interfaces.map(({ interface: name, state, address = "", detail }) => {
    return [name, `${MARKS[state]} ${state}`, address, detail];
  });
  printTable(screen, ["INTERFACE", "STATE", "ADDRESS", "DETAIL"], rows);
  if (interfaces.some(({ state }) => state === "failed")) process.exitCode = 1;
  return { networkName: connection.networkName, interfaces };
});

type Arguments = { action: string; page: number; perPage: number } & Optional<"id" | "search">;

export const serviceTasks = command(async (args: Arguments, context) => {
  const action = oneOf(args.action, ["list", "show", "retry"], { what: "an action on service tasks", path: "action" });
  if (action === "list") return await list(args, context);
  if (args.id === undefined) {
    const example = `npx hardhat hdp service-tasks ${action} <id>. npx hardhat hdp service-tasks lists the ids.`;
    throw hdpError("HDP-6016", { what: "task", example }, { path: "id" });
  }
  return action === "show" ? await show(args.id, context) : await retry(args.id, context);
});

async function list({ page, perPage, search }: Arguments, { hre, screen }: CommandContext): Promise<unknown> {
  integerIn(page.toString(), "--page", { min: 1 });
  integerIn(perPage.toString(), "--per-page", { min: 1, max: 100 });
  const client = await hre.hdp.clients.moduleTasks();
  const found = await client.list({ page, perPage, search });
  const rows = found.tasks.map(({ uuid, status, programName, programHash, createdAt }) => {
    return [uuid, status, programName ?? shortHex(programHash ?? ""), createdAt];
  });
  printTable(screen, ["TASK", "STATE", "PROGRAM", "CREATED"], rows);
  const { pagination } = found;
  printBlock(
    screen,
    `  Page ${String(pagination.page)} of ${String(pagination.totalPages)}, ${String(pagination.total)} in all`,
  );
  return found;
}

async function show(id: string, { hre, screen }: CommandContext): Promise<unknown> {
  const client = await hre.hdp.clients.moduleTasks();
  const [details, { mmrs }, { outputPreimage }, { state_transitions: stateTransitions }] = await Promise.all([
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
    ["Output", outputPreimage === null ? "not completed yet" : outputPreimage.join(", ")],
  ]);
  const transitions = stateTransitions.map((step) => [step.from_status ?? "", step.to_status, step.created_at]);
  printTable(screen, ["FROM", "TO", "AT"], transitions);
  const roots = mmrs.map((mmr) => [mmr.id, mmr.chain_id, mmr.hashing_function, mmr.size, mmr.root]);
  if (roots.length > 0) printTable(screen, ["MMR", "CHAIN", "HASH", "SIZE", "ROOT"], roots);
  return { details, mmrs, outputPreimage, stateTransitions };
}

async function retry(id: string, { hre, screen }: CommandContext): Promise<unknown> {
  const retried = await (await hre.hdp.clients.moduleTasks()).retry(id);
  printBlock(screen, `  ${style.good("✔")} Task ${retried.uuid} was started again.`);
  screen.line(`  Look at it with: ${style.command(suggested("hdp service-tasks show", [retried.uuid]))}`);
  return retried;
}
