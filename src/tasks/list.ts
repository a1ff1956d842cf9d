import { setTimeout as sleep } from "node:timers/promises";

import { capitalize } from "@nomicfoundation/hardhat-utils/string";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { isTaskHash } from "../base/hex.js";
import { elapsed } from "../base/text.js";
import { notAllowed, suggested } from "../errors/hdp-error.js";
import { printable } from "../errors/printable.js";
import { goneText, ofChainsBefore } from "../plugin/chain-before.js";
import { networkOfResults } from "../plugin/delivery-network.js";
import { otherTaskForms, otherFormText } from "../plugin/other-form.js";
import { projectSubmissions } from "../plugin/project-database.js";
import { Session } from "../plugin/session.js";
import { describeTask } from "../request/describe-task.js";
import { writtenTask } from "../request/task-form.js";
import { possibleHashes } from "../submission/asked-task.js";
import {
  isUndecided,
  isUnfinished,
  shownId,
  STATES,
  type SubmissionState,
} from "../submission/model.js";
import { describeSubmission } from "../submission/recovery.js";
import type { StoredSubmission } from "../submission/stored-submission.js";
import type { SubmissionFilter } from "../submission/submission-search.js";
import type { SubmissionStore } from "../submission/submission-store.js";
import { keysOf } from "../base/collections.js";
import {
  type Flags,
  integerIn,
  isOnThisMachine,
  networkOption,
  parseChoice,
  type Optional,
} from "./options.js";
import { readRequest } from "./requests/task-files.js";
import { command, type CommandContext } from "./run-command.js";
import { submissionDocument } from "./submission-document.js";
import { printBlock, printTable, type Screen, style } from "./ui/screen.js";

type Arguments = Flags<"unfinished"> &
  Optional<"requests" | "state" | "since" | "task" | "label" | "limit"> & {
    readonly json?: boolean;
  };

/** Submissions on one screen, unless `--limit` says another number. */
const SHOWN = 50;

/**
 * Runs `hdp list`: lists submissions of the project, the newest ones on the screen and all of them in the document; or
 * what contracts asked a store for.
 */
export const list = command(async (args: Arguments, context) => {
  const { hre, screen } = context;
  const { requests, since } = args;
  if (requests !== undefined) {
    const { listRequests } = await import("./requests/from-contracts.js");
    return await listRequests({ requests, since }, context);
  }
  const filter = await parseFilter(args, context);
  const store = projectSubmissions(hre.config.hdp.dataDir);
  const limit = args.limit === undefined ? SHOWN : integerIn(args.limit, "--limit", { min: 1 });
  const isWhole = args.json === true && args.limit === undefined;
  const newest = isWhole ? undefined : limit + 1;
  const found = await hre.hdp.submissions.list({ ...filter, newest });
  const records = found.slice(-limit);
  const now = Date.now();
  const before = await ofRestartedNodes(records, context);
  if (records.length === 0) screen.line(`  ${nothing(args, filter)}`);
  else {
    const rows = records.map((record) =>
      listRow(record, store, { now, isGone: before.includes(record) }),
    );
    const lines = records.map((record) => taskLines(record, hre));
    printTable(screen, ["ID", "STATE", "AGE", "NETWORK", "SENT TO"], rows, lines);
    printMore(screen, { isMore: found.length > limit, limit, records, filter });
  }
  printRestarted(screen, before, store, hre);
  await printUndecided(context, records, filter);
  return (isWhole ? found : records).map((record) => ({
    ...submissionDocument(record),
    otherForms: otherTaskForms(record, hre),
    ageMs: now - record.createdAt,
    chainIsGone: before.includes(record),
  }));
});

/** Returns the filter of a command's options. @throws HdpError HDP-6003 for another value of one */
async function parseFilter(args: Arguments, context: CommandContext): Promise<SubmissionFilter> {
  const { state, since, task, label, unfinished } = args;
  return {
    unfinished,
    states: state === undefined ? undefined : parseStates(state),
    since: since === undefined ? undefined : parseSince(since, Date.now()),
    taskHashes: task === undefined ? undefined : await hashesNamed(task, context),
    network: networkOption(context.hre),
    label,
  };
}

/** Returns the states that a word of the list stands for: `failed`, `given-up`. */
function parseStates(word: string): readonly SubmissionState[] {
  const stateWord = (state: SubmissionState): string => STATES[state].shown.replaceAll(" ", "-");
  const words = [...new Set(keysOf(STATES).map(stateWord))];
  const given = word.trim().toLowerCase().replaceAll(" ", "-");
  const known = parseChoice(given, words, { what: "a state of submissions", path: "--state" });
  return keysOf(STATES).filter((state) => stateWord(state) === known);
}

/** Milliseconds of the units of an age. */
const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Returns the time of an age (`2d`) or a date (`2026-11-01`, `2026-11-01T12:00Z`). @throws HdpError HDP-6003 */
function parseSince(text: string, now: number): Date {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text.trim()) ?? [];
  const time =
    count === undefined ? Date.parse(text) : now - Number(count) * (UNITS[unit] ?? Number.NaN);
  const isDate = count !== undefined || /^\d{4}-\d{2}-\d{2}/.test(text.trim());
  if (isDate && !Number.isNaN(time)) return new Date(time);
  throw notAllowed(text, "an age or a date", {
    path: "--since",
    allowed: "30m, 12h, 2d, 1w, or a date such as 2026-11-01",
  });
}

/** Returns every hash under which a task, or those of a file, may have been sent. */
async function hashesNamed(name: string, { hre, screen }: CommandContext): Promise<string[]> {
  if (isTaskHash(name)) return [name];
  const { tasks } = await readRequest(name, hre, screen);
  return tasks.flatMap((task) => possibleHashes(task).map(({ hash }) => hash));
}

function nothing({ unfinished }: Arguments, filter: SubmissionFilter): string {
  const { states, since, taskHashes, network, label } = filter;
  if ([states, since, taskHashes, network, label].some((one) => one !== undefined))
    return `No submission of this project is of this kind. All of them: ${style.command("npx hardhat hdp list")}`;
  return unfinished
    ? "Every submission is finished."
    : "Nothing was submitted from this project yet.";
}

interface Shown {
  readonly isMore: boolean;
  readonly limit: number;
  readonly records: readonly StoredSubmission[];
  readonly filter: SubmissionFilter;
}

/** Prints what the list leaves out, and how to see it. */
function printMore(screen: Screen, { isMore, limit, records, filter }: Shown): void {
  const lines = [
    ...(isMore
      ? [
          `  These are the newest ${limit}. Earlier ones: --limit <number>, --since 2d, --state failed, --label <text>.`,
        ]
      : []),
    ...(filter.unfinished !== true && records.some(isUnfinished)
      ? [`  Those with something left to do: ${style.command("npx hardhat hdp list --unfinished")}`]
      : []),
  ];
  if (lines.length > 0) printBlock(screen, ...lines);
}

/** Milliseconds to wait for a node. */
const PATIENCE = 1_000;

/** Returns the submissions whose development node has started anew since. A node that does not answer is not named. */
async function ofRestartedNodes(
  records: readonly StoredSubmission[],
  { hre }: CommandContext,
): Promise<readonly StoredSubmission[]> {
  const byNetwork = Map.groupBy(records, (record) => networkOfResults(record, hre.config));
  const found = [...byNetwork]
    .filter(([name]) => isOnThisMachine(name, hre))
    .map(async ([name, own]) => {
      const session = Session.of(await hre.network.getOrCreate(name));
      const before = ofChainsBefore(session, own).catch(() => []);
      return await Promise.race([before, sleep(PATIENCE, [], { ref: false })]);
    });
  return (await Promise.all(found)).flat();
}

function printRestarted(
  screen: Screen,
  records: readonly StoredSubmission[],
  store: SubmissionStore,
  { config }: HardhatRuntimeEnvironment,
): void {
  for (const [name, made] of Map.groupBy(records, (one) => networkOfResults(one, config))) {
    const ids = made.map((record) => shortId(record, store));
    printBlock(screen, `  ${style.bad("!")} ${goneText(name, ids)}`);
  }
}

/** Prints the next steps of submissions of unknown outcome; of those that are not on the screen, how many there are. */
async function printUndecided(
  { hre, screen }: CommandContext,
  records: readonly StoredSubmission[],
  filter: SubmissionFilter,
): Promise<void> {
  for (const record of records.filter(isUndecided)) {
    screen.line();
    printRecovery(screen, record);
  }
  if (Object.values(filter).some((one) => one !== undefined && one !== false)) return;
  const states = keysOf(STATES).filter((state) => STATES[state].isUndecided);
  const shown = new Set(records.map(({ id }) => id));
  const all = await hre.hdp.submissions.list({ states });
  const hidden = all.filter(({ id }) => !shown.has(id)).length;
  if (hidden === 0) return;
  const command = style.command(suggested("hdp list", [], { after: "--state unknown" }));
  printBlock(screen, `  ${style.bad("!")} ${hidden} more of unknown outcome: ${command}`);
}

/** Returns the beginning of a submission's id that no other has, which commands accept. The document has full ids. */
function shortId(record: StoredSubmission, store: SubmissionStore): string {
  const shown = shownId(record);
  let length = shown === record.id ? 8 : 10;
  while (length < shown.length && store.alike(shown.slice(0, length)) > 1) length += 1;
  return shown.slice(0, length);
}

function listRow(
  record: StoredSubmission,
  store: SubmissionStore,
  { now, isGone }: { readonly now: number; readonly isGone: boolean },
): string[] {
  const { state, seen, createdAt, network, host, processor } = record;
  // Of an accepted submission, the state that the service reported.
  const shown =
    state === "accepted" && seen !== undefined ? printable(seen.name, 26) : STATES[state].shown;
  return [
    shortId(record, store),
    isGone ? `${shown}, gone` : shown,
    elapsed(now - createdAt),
    network,
    processor === "local" ? "this machine" : (host ?? ""),
  ];
}

function taskLines(record: StoredSubmission, hre: CommandContext["hre"]): string[] {
  if (record.kind !== "tasks") return [describeSubmission(record)];
  const tasks = (record.request?.tasks ?? []).flatMap((task, index) => {
    const { title, lines } = describeTask(task);
    const number = String(index + 1);
    const isStandard = task.type === "Module" && writtenTask(task) !== task;
    const named = isStandard ? `${title} (module form)` : title;
    return [`${number}  ${named}`, ...lines.map((line) => `${" ".repeat(number.length)}  ${line}`)];
  });
  return [...tasks, ...otherTaskForms(record, hre).map(otherFormText)];
}

function printRecovery(screen: Screen, record: StoredSubmission): void {
  const { summary, nextSteps } = record.explanation;
  screen.line(
    `  ${style.bad("!")} ${capitalize(describeSubmission(record))}, ${shownId(record)}: ${summary}`,
  );
  for (const step of nextSteps) screen.line(`      ${step}`);
}
