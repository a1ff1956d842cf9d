import type { HardhatConfig } from "hardhat/types/config";

import { grouped, plural } from "../../base/text.js";
import type { Preflight, TaskPreflight } from "../../plugin/actions/preflight-action.js";
import { networkOfResults } from "../../plugin/delivery-network.js";
import { otherFormLine } from "../../submission/lookup.js";
import type { ProcessorInfo } from "../../submission/submissions.js";
import type { KnownPrograms } from "../../plugin/known-programs.js";
import type { Refusal } from "../../plugin/send-checks.js";
import { type DecodedArgument, decodeInputs } from "../../program/abi/arguments.js";
import { describeTask } from "../../request/describe-task.js";
import type { ChainIdentifier } from "../../request/chains.js";
import { findDatalake, taskForm, type TaskForm } from "../../request/task-form.js";
import { taskHash } from "../../request/task-hash.js";
import type { Task } from "../../request/task.js";
import { cairoText, provabilityLines } from "./format.js";
import { printFields, type Screen, style } from "./screen.js";

interface Programs {
  readonly get: KnownPrograms["get"];
}

/** Prints the tasks that are about to be used. */
export function preview(screen: Screen, tasks: readonly Task[], programs: Programs): void {
  screen.line();
  tasks.forEach((task, index) => {
    const named = (decodeArguments(task, programs) ?? []).map(
      ({ name, type, visibility, value }) => {
        const kind =
          type.replaceAll(/\b[a-z_0-9]+::/g, "") + (visibility === "private" ? ", private" : "");
        return `  ${name} = ${cairoText(value, type)}  ${style.faint(`(${kind})`)}`;
      },
    );
    printTask(screen, `Task ${String(index + 1)}`, task, [...named, `hash ${taskHash(task)}`]);
  });
  const datalake = tasks.find((task) => findDatalake(task) !== undefined);
  if (datalake !== undefined) screen.line(`  ${style.strong("Form")}  ${KEPT[taskForm(datalake)]}`);
}

/** What a store keeps for the value of a datalake task. */
const KEPT: Readonly<Record<TaskForm, string>> = {
  datalake: "datalake: a store keeps the value",
  module: "module: a store keeps the root of the value",
};

/** Prints a task. */
export function printTask(
  screen: Screen,
  label: string,
  task: Task,
  more: readonly string[],
): void {
  const { title, lines, warnings } = describeTask(task);
  screen.line(`  ${style.strong(label)}  ${title}`);
  const indent = " ".repeat(label.length + 4);
  for (const line of [...lines, ...more]) screen.line(`${indent}${line}`);
  for (const warning of warnings) screen.line(`${indent}${style.bad("!")} ${warning}`);
}

/** Returns the decoded arguments of a module task; undefined for other tasks and unknown programs. */
export function decodeArguments(
  task: Task,
  programs: Programs,
): readonly DecodedArgument[] | undefined {
  if (task.type !== "Module" || findDatalake(task) !== undefined) return undefined;
  const abi = programs.get(task.programHash)?.abi;
  return abi === undefined ? undefined : decodeInputs(abi, task.inputs);
}

/** Returns the destination of a request, on which network its results are kept, and who computes them. */
export function destinationText(
  chain: ChainIdentifier,
  networkName: string,
  { processor, config }: { readonly processor: ProcessorInfo; readonly config: HardhatConfig },
): string {
  const destination = { network: networkName, destinationChainId: chain };
  const place = networkOfResults(destination, config);
  const isElsewhere = place !== networkName;
  const from = isElsewhere ? `, submitted on "${networkName}"` : "";
  // A Starknet chain is its own network.
  const where = place === chain ? chain : `network "${place}"`;
  return `${chain} (${where}${from}, ${processor.description})`;
}

/** Prints what submitting would do. */
export function printPreflight(screen: Screen, preflight: Preflight, config: HardhatConfig): void {
  const { processor, networkName, request, store, tasks, inOtherForm, support, proofs } = preflight;
  const prices = Object.entries(proofs?.prices ?? {}).map(([name, price]) => `${name} ${price}`);
  const price = prices.length === 0 ? "the service says none before it is used" : prices.join(", ");
  printFields(screen, [
    [
      "Destination",
      destinationText(request.destinationChainId, networkName, { processor, config }),
    ],
    ["Store", store ?? withoutStore(preflight)],
    ...tasks.map((task, index) => [`Task ${String(index + 1)}`, taskOutlook(task)] as const),
    ["Price", processor.kind === "local" ? "none: it is computed here" : price],
  ]);
  for (const known of inOtherForm) screen.line(`  ${style.bad("!")} ${otherFormLine(known)}`);
  for (const line of support) screen.line(`  ${line}`);
  for (const line of provabilityLines(preflight.provability)) screen.line(`  ${line}`);
  if (processor.kind === "remote")
    for (const line of proofOutlook(preflight)) screen.line(`  ${line}`);
}

/** Says why there is no store to name: none is deployed, none is where one should be, or none is known. */
function withoutStore({ processor, refusals }: Preflight): string {
  const isMissing = refusals.some(({ code }) => code === "HDP-3002" || code === "HDP-3003");
  if (isMissing) return `${style.bad("✘")} none at the address that is configured`;
  return processor.kind === "local" ? "none yet: a mock would be deployed" : "none is known";
}

/** Prints why tasks would be refused, but for blocks that are not there, which their task shows. @returns how many */
export function printRefusals(screen: Screen, refusals: readonly Refusal[]): number {
  const shown = refusals.filter(({ code }) => code !== "HDP-4101");
  for (const { code, path, message, hints } of shown) {
    const place = path === undefined ? "" : ` in ${path}`;
    screen.line(`  ${style.bad("✘")} ${code}${place}: ${message}`);
    for (const hint of hints) screen.line(`    ${hint}`);
  }
  return shown.length;
}

function taskOutlook({ samples, lastBlock, stateProblem, isFinalized }: TaskPreflight): string {
  const parts = [
    samples === undefined
      ? "what a module reads is known when it has run"
      : `${plural(samples.count, "sample")}, step ${grouped(samples.step)}`,
  ];
  if (lastBlock !== undefined) {
    const { chainId, number, head = 0n, state } = lastBlock;
    parts.push(
      {
        there: `block ${grouped(number)} is there (head ${grouped(head)})`,
        missing: `${style.bad("✘")} block ${grouped(number)} is not there yet (head ${grouped(head)})`,
        unknown: `block ${grouped(number)} was not looked for: no network here is ${chainId} (hdp.sources names one)`,
      }[state],
    );
  }
  if (stateProblem !== undefined) parts.push(`${style.bad("✘")} ${stateProblem} (HDP-4208)`);
  if (isFinalized === true) parts.push("finalized in the store already: it would not be sent");
  return parts.join("; ");
}

function proofOutlook({ proofs, request }: Preflight): string[] {
  if (proofs === undefined) return [];
  if (proofs.problem !== undefined) return [`Grow orders are not known: ${proofs.problem}`];
  return [
    `${plural(proofs.growOrders.length, "grow order")} at the storage proof interface (npx hardhat hdp grow-orders).`,
    `It publishes no list of what ${request.destinationChainId} can prove already: where a proof is refused as out of range,`,
    "order it: npx hardhat hdp grow-orders create <file>",
  ];
}
