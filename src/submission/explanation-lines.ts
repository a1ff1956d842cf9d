import { size } from "viem/utils";

import { isSameHex } from "../base/hex.js";
import { plural } from "../base/text.js";
import { suggested } from "../errors/hdp-error.js";
import { printable, shellWord } from "../errors/printable.js";
import type { FieldDifference } from "../request/task-differences.js";
import type { Brought } from "../store/failed-read.js";
import type { ReadExplanation } from "./explain-read.js";
import { isOfPlace } from "./hash-differences.js";
import { shortened } from "./hashed-words.js";
import { isUnfinished, shownId, type SubmissionRecord } from "./model.js";
import type { SlotOrigin } from "./mapping-slots.js";
import { isPlain } from "./output-words.js";
import type { FinalizedTask, ReadCause, WrittenHash } from "./read-finding.js";
import { inOtherBase } from "./task-numbers.js";
import type { ExplainedTask } from "./task-search.js";

const idText = (submission: ReadExplanation["submission"]): string =>
  submission === undefined ? "" : shownId(submission);

type Sentences = (explanation: ReadExplanation, options: LineOptions) => readonly string[];

const SENTENCES: Readonly<Record<ReadCause, Sentences>> = {
  "no-task": () => ["The hash is zero: the contract was given no task."],
  mistyped: () => ["The hash differs from the nearest in few digits: copy it again."],
  "earlier-block": () => [
    "It is finalized by now: the call came before its result, or read an earlier block.",
  ],
  "other-task": (explanation, options) => {
    const { asked, differences } = explanation;
    const isOtherTask = differences.some(({ field }) => !isOfPlace(field));
    const known = asked.source !== undefined && isOtherTask ? [knownFrom(asked)] : [];
    return [
      ...known,
      ...ofFlatHash(explanation),
      ...ofOtherStore(explanation, options),
      ...ofForm(explanation),
    ];
  },
  "other-value": ofForm,
  "other-result": () => [
    "The value is the result of another task: bring that of the asked one, or deploy the contract with the other task.",
  ],
  replaced: () => [
    "It was the result of this task until another one was finalized: bring the new one.",
  ],
  undone: () => [
    "It was the result of this task until the chain was reverted to a snapshot from before that: bring the new one.",
  ],
  "later-value": () => [
    "It is the result of this task by now: the call came before it was finalized, or read an earlier block.",
  ],
  "other-store": (explanation, options) => [
    "It is the result of this task in the other store.",
    ...ofOtherStore(explanation, options),
  ],
  "other-connection": () => [
    "Another connection of this process finalized the task with it: each network.create() makes a chain.",
  ],
  "under-way": () => ["hdp.finalize of it had not ended when the call failed: await it."],
  "other-form": ({ asked: { brought } }) => (brought === undefined ? [] : ofWordForm(brought)),
  "word-brought": () => ["The word of the result was brought: bring its value."],
  "other-root": ({ asked: { brought } }) => [
    `The stored root ${brought?.word} stands for another value than ${brought?.value}.`,
  ],
  "other-encoding": ofEncoding,
  "not-mined": () => ["Its result is in the pending block: mine a block first."],
  reverted: () => [
    "It was finalized in this store, and the chain was reverted to a snapshot from before that: finalize it again.",
  ],
  "pending-submission": ({ submission }) => [
    `Submission ${idText(submission)} of it has no result yet (${submission?.state}): await it.`,
  ],
  "failed-submission": ({ submission }) => [failedSubmission(submission)],
  "other-destination": ({ elsewhere, submission }) => [
    elsewhere === undefined ? submittedElsewhere(submission) : finalizedElsewhere(elsewhere),
  ],
  "not-finalized": (explanation) => {
    const { asked, nearest, isOnOtherConnection } = explanation;
    return [
      ...ofFlatHash(explanation),
      isOnOtherConnection
        ? "Another connection of this process finalized it, on its own chain: each network.create() makes one. Submit it, or finalize a value, on the contract's."
        : unfinalized(asked, nearest),
    ];
  },
  unknown: ({ isCut, hasModules }) => [isCut ? CUT : unknownHash(hasModules)],
};

const CUT =
  "No task that was tried in time has this hash; not all that are known here, or differ in one field, were.";

function unknownHash(hasModules: boolean): string {
  const untried = hasModules
    ? ": a program or an input that is known nowhere here cannot be tried."
    : ".";
  return `No task that is known here has this hash, nor one that was tried by changing a field${untried}`;
}

/** What the nearest task is, by the cause that it was found by. */
const NEAREST: Readonly<Partial<Record<ReadCause, string>>> = {
  "other-result": "Value of:",
  "other-task": "Finalized:",
};

/** Says which hash of its class a contract was given. */
function ofFlatHash({ isFlatHash }: ReadExplanation): readonly string[] {
  return isFlatHash
    ? [
        "The asked program hash is the flat hash of the same class: give the contract its programHash.",
      ]
    : [];
}

/** Says who deployed the other store, and which of the two is in use, where a task is finalized there. */
function ofOtherStore(explanation: ReadExplanation, options: LineOptions): readonly string[] {
  const { differences, deployer, nearest } = explanation;
  if (!differences.some(({ field }) => field === "store")) return [];
  const deployed = deployer && `Store ${nearest?.store} was deployed by ${deployer}.`;
  return [deployed, ofStoreInUse(explanation, options)].filter((line) => line !== undefined);
}

function ofStoreInUse(
  { asked, nearest, storeInUse }: ReadExplanation,
  { useStore }: LineOptions,
): string | undefined {
  if (storeInUse === undefined) return undefined;
  if (isSameHex(storeInUse, asked.store))
    return "The asked store is that in use: finalize the task there.";
  const isFound = nearest?.store !== undefined && isSameHex(storeInUse, nearest.store);
  if (!isFound) return undefined;
  const give = "The other store is that in use: give the contract that one";
  return useStore === undefined
    ? `${give}.`
    : `${give}, or use the asked one from now on (${useStore}) and submit the task again, or finalize a value.`;
}

/** Says what to deploy where a contract has the other form of a task than the store. */
function ofForm({ asked, differences }: ReadExplanation): readonly string[] {
  const [{ field, found } = {}, ...others] = differences;
  if (field !== "form" || others.length > 0) return [];
  const { form, brought } = asked;
  const isOpen = form === undefined && found === "datalake" && brought !== undefined;
  const ofModule = isOpen ? [`${advisedRoot(brought)} if the task is a module.`] : [];
  return [
    "A contract keeps hash and form as they were at its deployment: deploy it with `await hdp.task(task)` of this network.",
    ...ofModule,
  ];
}

/** Says what to finalize where the stored word is not of the form that the task's hash is of. */
function ofWordForm(brought: Brought): readonly string[] {
  const { value, word } = brought;
  return isPlain(word)
    ? [
        `The stored word is the plain number ${BigInt(word)}; the module form keeps the root of what was returned.`,
        `${advisedRoot(brought)}, or run the task.`,
      ]
    : [
        `The stored word is the root of ${value}; the datalake form keeps the plain value.`,
        `Finalize ${value}n, or run the task.`,
      ];
}

function advisedRoot({ kind, word }: Brought): string {
  const root =
    kind === "value"
      ? `rootOfValue(${BigInt(word)}n)`
      : "a root (rootOfFelt, rootOfMarked or rootOfValue)";
  return `Finalize ${root} of hardhat-hdp/request`;
}

function unfinalized(asked: ExplainedTask, nearest: ExplainedTask | undefined): string {
  if (nearest === undefined)
    return asked.source === undefined
      ? "A contract derived the hash of this task. No task that is known here is near it."
      : knownFrom(asked);
  return `The nearest task is known from ${nearest.source ?? "this project"}, and is not finalized either.`;
}

function knownFrom({ source = "this project" }: ExplainedTask): string {
  return `The task is known from ${source}: submit it, or finalize a value.`;
}

/** Returns what became of a submission, as a sentence. */
export function submissionOutcome(record: SubmissionRecord): string {
  const { state, seen, reason } = record;
  if (isUnfinished(record))
    return `Submission ${shownId(record)} of it has no result yet (${state}).`;
  const detail = seen?.phase === "failed" ? seen.detail : reason;
  return failedSubmission({ ...record, reason: detail });
}

function failedSubmission(submission: ReadExplanation["submission"]): string {
  const name = `Submission ${idText(submission)} of it`;
  if (submission?.state === "finalized")
    return `${name} was finalized, and the store has no result any more: the chain was reverted, or its node has started anew. Submit it again.`;
  const reason = submission?.reason && printable(submission.reason).replace(/\.$/, "");
  return reason === undefined
    ? `${name} ended (${submission?.state}), and the store has no result: submit it again.`
    : `${name} ended (${submission?.state}): ${reason}. Correct that, and submit it again.`;
}

function submittedElsewhere(submission: ReadExplanation["submission"]): string {
  const { network, state, destinationChainId: chain } = submission ?? {};
  const result = state === "finalized" ? "its result is there" : `it has no result yet (${state})`;
  const target = chain === undefined ? "" : ` for ${chain}`;
  return `Submission ${idText(submission)} of it was submitted on network "${network}"${target}: ${result}.`;
}

function finalizedElsewhere({ chain, network, store }: FinalizedTask): string {
  const target = chain === undefined ? "" : ` for ${chain}`;
  // A Starknet chain is its own network.
  const place = chain === network ? "" : ` on network "${network}"`;
  return `It was finalized${target}${place}, in store ${store}: its result is there.`;
}

/** Returns a line for a field in which a task or a value differs. */
export function differenceLine({ field, argument, asked, found }: FieldDifference): string {
  const name = argument === undefined ? field : `${field}, ${argument}`;
  return `Difference: ${name} (asked: ${asked}, there: ${found})`;
}

/** Where `hdp types` writes without `--out`. */
const TASK_TYPES = "hdp-tasks.ts";

/** Returns a line for the place at which the asked hash is written. */
export function writtenLine({ path, line, task }: WrittenHash): string {
  const written = `The asked hash is written in ${printable(path)}:${line}`;
  if (task === undefined) return `${written}: it stays as it is when the task changes.`;
  const after = path === TASK_TYPES ? undefined : `--out ${shellWord(path)}`;
  const again = suggested("hdp types", [], { after });
  return `${written} as ${task}, which hdp types wrote: it stays as it is when a task file changes. Write it again: ${again}`;
}

/** Says what a contract hashed that encodes no task. */
function ofEncoding({ hashed = "0x", differences, nearest }: ReadExplanation): readonly string[] {
  if (differences.length > 0)
    return [
      "What was hashed differs in that from the encoding of the nearest task: HdpTaskHash has the right one.",
    ];
  const parts =
    nearest === undefined
      ? []
      : ["Parts of the nearest task are in them: HdpTaskHash has the right encoding."];
  return [
    `The hash is that of ${plural(size(hashed), "byte")}, which encode no task: ${shortened(hashed)}`,
    ...parts,
  ];
}

const NUMBER = /^(?:0x[\da-f]+|\d+)$/;

/** Says which numbers have the digits of the right ones in the other base. */
function baseLines({ field, asked, found }: FieldDifference): readonly string[] {
  if (!NUMBER.test(asked) || !NUMBER.test(found)) return [];
  const read = inOtherBase(BigInt(found)).find(({ value }) => value === BigInt(asked));
  return read === undefined ? [] : [`The asked ${field} has ${read.origin}.`];
}

/** Says what the slots are of in which two tasks differ. */
function slotLines({ slots: { asked, found } }: ReadExplanation): readonly string[] {
  const line = (which: string, origin: SlotOrigin | string | undefined): readonly string[] =>
    origin === undefined ? [] : [`${which} is ${originText(origin)}`];
  return [...line("The asked slot", asked), ...line("The slot there", found)];
}

function originText(origin: SlotOrigin | string): string {
  if (typeof origin === "string") return `${origin}.`;
  const { mapping, key, isKeyFirst } = origin;
  return isKeyFirst
    ? `that of ${key} in a mapping at slot ${mapping}.`
    : `keccak256(abi.encode(${mapping}, ${key})): the mapping's slot first, as Vyper has it. Solidity has the key first.`;
}

interface LineOptions {
  /** The command that makes the asked store the one in use; none where no command reaches its chain. */
  readonly useStore?: string | undefined;
}

/** Returns an explanation as lines of text, without the command that repeats it. */
export function explanationLines(
  explanation: ReadExplanation,
  options: LineOptions = {},
): readonly string[] {
  const { asked, cause, nearest, differences, written } = explanation;
  const { asker, brought, call, store, taskHash } = asked;
  const who =
    asker === undefined ? `Store ${store} was asked` : `Contract ${asker} asked store ${store}`;
  const end =
    brought === undefined
      ? "which is not finalized there"
      : "which is finalized with another result";
  const isListed = cause === "unknown" || cause === "other-encoding" || cause === "not-finalized";
  const there = NEAREST[cause] ?? "Nearest:";
  return [
    `${who} for task ${taskHash}, ${end}.`,
    ...(isListed && call !== undefined ? [`Call:       ${call}`] : []),
    ...(asked.title === undefined ? [] : [`Asked:      ${inWords(asked)}`]),
    ...(nearest === undefined ? [] : [`${there.padEnd(12)}${inWords(nearest)}`]),
    ...differences.map(differenceLine),
    ...differences.flatMap(baseLines),
    ...slotLines(explanation),
    ...SENTENCES[cause](explanation, options),
    ...(written === undefined ? [] : [writtenLine(written)]),
    ...(isListed ? listed(explanation) : []),
  ];
}

function listed({
  finalized,
  finalizedCount: count,
  ofKnownTasks,
}: ReadExplanation): readonly string[] {
  const known = ofKnownTasks ? " of the tasks that are known here" : "";
  if (count === 0) return [`The store has no results${known}.`];
  const latest = count > finalized.length ? ", the latest" : "";
  return [
    `The store has ${plural(count, "result")}${known}${latest}:`,
    ...finalized.map(
      (one) => `  ${[one.taskHash, ...(one.title === undefined ? [] : [inWords(one)])].join("  ")}`,
    ),
  ];
}

function inWords({ taskHash, title, lines = [] }: ExplainedTask): string {
  return [title ?? `task ${taskHash}`, ...lines].join(", ");
}
