import { keysOf } from "../base/collections.js";
import type { Row } from "../base/sqlite.js";
import { describeTask, spokenValue } from "../request/describe-task.js";
import type { Task } from "../request/task.js";
import type { ServerView, SubmissionView, DevServerInfo } from "../request/views.js";
import { BATCH_STATES } from "../service/data-processor/editions.js";
import type { FaultQueue } from "../submission/backend/faults/fault-queue.js";
import { FAULTS } from "../submission/backend/faults/fault.js";
import { faultText } from "../submission/backend/faults/fault-text.js";
import { textIn } from "./database.js";
import { queryIn } from "./proof-queries.js";
import {
  batchState,
  hasEnded,
  isFailure,
  receivedAt,
  type Result,
  type ServerTask,
  stateOf,
} from "./server-task.js";
import type { ServerContext, TaskService } from "./task-service.js";

/** What the view of a server is made from. */
export interface ViewOptions extends ServerContext {
  readonly tasks: TaskService;
  /** The addresses of the chain's node and of the execution store. */
  readonly info: DevServerInfo;
}

/** Maximum number of displayed submissions, programs and queries. */
const SHOWN = 100;
/** Maximum number of displayed tasks of a submission, and of values of an account in a query. */
const SHOWN_PARTS = 50;

const KINDS = keysOf(FAULTS).map((kind) => ({
  kind,
  form: FAULTS[kind].form,
  moment: FAULTS[kind].moment,
}));

/** Returns a function that returns the current view of the server. It caches the parts that do not change. */
export function serverView(options: ViewOptions): () => ServerView {
  const { tasks, database, faults, info } = options;
  let known = new Map<string, Described>();
  return () => {
    const newest = tasks.records.newest(SHOWN);
    known = new Map(newest.map((task) => [task.id, known.get(task.id) ?? described(task)]));
    const count = (table: "task" | "program" | "proof_query"): number =>
      Number(database.get(`SELECT count(*) AS total FROM ${table}`)?.["total"]);
    const newestOf = (table: "program" | "proof_query", columns: string): readonly Row[] =>
      database.all(`SELECT ${columns} FROM ${table} ORDER BY number DESC LIMIT ?`, SHOWN);
    const programs = newestOf("program", "hash, layout, version, octet_length(text) AS bytes");
    const queries = newestOf("proof_query", "id, request, query, status, created, completed");
    return {
      ...info,
      submissions: newest.map((task) =>
        submissionView(task, known.get(task.id) ?? described(task), options),
      ),
      programs: programs.map(programView),
      proofs: queries.map(proofQueryView),
      faults: faultsView(faults),
      totals: {
        submissions: count("task"),
        programs: count("program"),
        proofs: count("proof_query"),
      },
    };
  };
}

function programView(row: Row): ServerView["programs"][number] {
  return {
    hash: textIn(row, "hash"),
    layout: textIn(row, "layout"),
    version: Number(row["version"]),
    bytes: Number(row["bytes"]),
  };
}

function proofQueryView(row: Row): ServerView["proofs"][number] {
  const { chainId, time, selection } = queryIn(row);
  const accounts = Object.entries(selection.accounts).slice(0, SHOWN_PARTS);
  const wanted = accounts.map(
    ([address, { props, slots }]) => `${address}: ${firstOf([...props, ...slots])}`,
  );
  const header = selection.header.length === 0 ? [] : [`header: ${firstOf(selection.header)}`];
  return {
    id: textIn(row, "id"),
    request: textIn(row, "request"),
    status: textIn(row, "status"),
    created: textIn(row, "created"),
    completed: row["completed"] === null ? undefined : textIn(row, "completed"),
    chainId,
    time,
    wanted: [...header, ...wanted],
  };
}

function faultsView(faults: FaultQueue | undefined): ServerView["faults"] {
  return faults && { waiting: faults.waiting.map(faultText), kinds: KINDS };
}

function firstOf(names: readonly string[]): string {
  return names.slice(0, SHOWN_PARTS).join(", ") + (names.length > SHOWN_PARTS ? ", …" : "");
}

interface Described {
  readonly destination: string;
  readonly tasks: readonly (Pick<SubmissionView["tasks"][number], "title" | "lines"> & {
    readonly task: Task;
  })[];
}

function described(task: ServerTask): Described {
  const { destinationChainId: destination, tasks } = task.request();
  return {
    destination,
    tasks: tasks.slice(0, SHOWN_PARTS).map((one) => ({ ...describeTask(one), task: one })),
  };
}

function submissionView(
  task: ServerTask,
  { destination, tasks }: Described,
  options: ViewOptions,
): SubmissionView {
  const { id, edition, transitions, taskHashes, error } = task;
  const state = stateOf(task);
  return {
    id,
    edition,
    state,
    destination,
    error,
    held: options.tasks.heldIn(task),
    phase: phaseOf(task),
    transitions: transitions.map(({ to_status, created_at: at }) => ({ state: to_status, at })),
    batch: edition === "batch" ? batchSteps(task, options) : undefined,
    taskCount: taskHashes.length,
    tasks: taskHashes
      .slice(0, SHOWN_PARTS)
      .map((hash, position) => taskView(hash, tasks[position], task.results[position])),
  };
}

function phaseOf(task: ServerTask): SubmissionView["phase"] {
  if (!hasEnded(task)) return "pending";
  return isFailure(stateOf(task)) ? "failed" : "finalized";
}

const DELIVERED = { title: "result that was computed elsewhere", lines: [], task: undefined };

function taskView(
  hash: string,
  described: Described["tasks"][number] | undefined,
  result: Result | undefined,
): SubmissionView["tasks"][number] {
  const { title, lines, task } = described ?? DELIVERED;
  if (result === undefined) return { hash, title, lines };
  const { word, transactionHash } = result;
  const spoken = spokenValue(BigInt(word), task);
  return { hash, title, lines, result: { word, spoken, transactionHash } };
}

/** Returns the states of a batch: from its transitions, or from the clock if the server has a latency. */
function batchSteps(task: ServerTask, { latency, clock }: ViewOptions): SubmissionView["batch"] {
  const received = receivedAt(task);
  const current = batchState(stateOf(task), clock.now() - received, latency);
  if (latency > 0 && current !== "FAILED") {
    const last = BATCH_STATES.indexOf(current);
    const at = (step: number): string => new Date(received + step * latency).toISOString();
    return BATCH_STATES.map((state, step) => ({ state, at: step <= last ? at(step) : undefined }));
  }
  const steps = new Map<string, string>();
  for (const { to_status, created_at: at } of task.transitions) {
    const state = batchState(to_status, 0, 0);
    if (!steps.has(state)) steps.set(state, at);
  }
  return [...steps].map(([state, at]) => ({ state, at }));
}
