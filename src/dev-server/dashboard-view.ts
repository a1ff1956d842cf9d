import { z } from "zod";

import { keysOf } from "../base/collections.js";
import type { Row } from "../base/sqlite.js";
import { errorPage, isHdpErrorCode } from "../errors/catalogue.js";
import { describeTask, spokenValue, type TaskDescription } from "../request/describe-task.js";
import { toTaskRequestJson } from "../request/task-json.js";
import { standardProgram } from "../request/standard-programs.js";
import { findDatalake, taskForm, valueOfWord } from "../request/task-form.js";
import type { Task } from "../request/task.js";
import type {
  DevServerInfo,
  ProofDetails,
  ProofQueryView,
  ResultView,
  ServerView,
  SubmissionDetails,
  SubmissionsView,
  SubmissionView,
} from "../request/views.js";
import { BATCH_STATES } from "../service/data-processor/editions.js";
import type { FaultQueue } from "../submission/backend/faults/fault-queue.js";
import { FAULTS } from "../submission/backend/faults/fault.js";
import { faultText } from "../submission/backend/faults/fault-text.js";
import { textIn } from "./database.js";
import { queryIn } from "./proof-queries.js";
import type { RequestLog } from "./request-log.js";
import {
  batchState,
  DELIVERED_TITLE,
  currentPhase,
  moduleHashes,
  receivedAt,
  type Result,
  type ServerTask,
  currentState,
} from "./server-task.js";
import { asHex, type Selection } from "./task-records.js";
import type { ServerContext, TaskService } from "./task-service.js";

/** What the view of a server is made from. */
export interface ViewOptions extends ServerContext {
  readonly tasks: TaskService;
  /** The addresses of the chain's node and of the execution store. */
  readonly info: DevServerInfo;
  readonly requests: RequestLog;
}

/** Maximum number of displayed submissions, programs and queries. */
const SHOWN = 100;
/** Maximum number of displayed tasks of a submission, and of values of an account in a query. */
const SHOWN_PARTS = 50;

const QUERY_COLUMNS =
  "id, request, query, status, created, completed, CASE status WHEN 'FAILED' THEN actions ->> '$[0].error' END AS error";

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
    const newestRows = (table: "program" | "proof_query", columns: string): readonly Row[] =>
      database.all(`SELECT ${columns} FROM ${table} ORDER BY number DESC LIMIT ?`, SHOWN);
    const programs = newestRows("program", "hash, layout, version, octet_length(text) AS bytes");
    const queries = newestRows("proof_query", QUERY_COLUMNS);
    const { chainUrl, executionStore } = info;
    return {
      chainUrl,
      executionStore,
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

function proofQueryView(row: Row): ProofQueryView {
  const { chainId, time, selection } = queryIn(row);
  const accounts = Object.entries(selection.accounts).slice(0, SHOWN_PARTS);
  const wanted = accounts.map(
    ([address, { props, slots }]) => `${address}: ${listFirst([...props, ...slots])}`,
  );
  const header = selection.header.length === 0 ? [] : [`header: ${listFirst(selection.header)}`];
  return {
    id: textIn(row, "id"),
    request: textIn(row, "request"),
    status: textIn(row, "status"),
    created: textIn(row, "created"),
    completed: row["completed"] === null ? undefined : textIn(row, "completed"),
    chainId,
    time,
    wanted: [...header, ...wanted],
    error: row["error"] === null ? undefined : textIn(row, "error"),
  };
}

/** An action for a query, as far as the dashboard shows it. */
const actionSchema = z
  .object({
    block_number: z.string(),
    block_hash: z.string(),
    account: z.string(),
    fields: z.record(z.string().nullable()),
    props: z.record(z.string()),
    slots: z.record(z.string()),
  })
  .partial();

/** Returns all that is known of a storage proof request; undefined for an unknown id. */
export function proofDetails({ database }: ViewOptions, id: string): ProofDetails | undefined {
  const row = database.get(`SELECT ${QUERY_COLUMNS}, actions FROM proof_query WHERE id = ?`, id);
  if (row === undefined) return undefined;
  const view = proofQueryView(row);
  const json: unknown = JSON.parse(textIn(row, "actions"));
  const actions = z.array(actionSchema).parse(json);
  const [{ block_number: number, block_hash: hash } = {}] = actions;
  return {
    ...view,
    errorPage: errorPageIn(view.error),
    block: number === undefined || hash === undefined ? undefined : { number, hash },
    values: actions.flatMap(({ account: of = "header", fields, props, slots }) =>
      Object.entries({ ...fields, ...props, ...slots }).map(([name, value]) => ({
        of,
        name,
        value: value ?? undefined,
      })),
    ),
    actions: JSON.stringify(json, null, 2),
  };
}

function faultsView(faults: FaultQueue | undefined): ServerView["faults"] {
  return faults && { waiting: faults.waiting.map(faultText), kinds: KINDS };
}

function listFirst(names: readonly string[]): string {
  return names.slice(0, SHOWN_PARTS).join(", ") + (names.length > SHOWN_PARTS ? ", …" : "");
}

interface DescribedTask extends TaskDescription {
  readonly task: Task;
}

interface Described {
  readonly destination: string;
  readonly tasks: readonly DescribedTask[];
}

function described(task: ServerTask, most = SHOWN_PARTS): Described {
  const { destinationChainId: destination, tasks } = task.request();
  return {
    destination,
    tasks: tasks.slice(0, most).map((one) => ({ ...describeTask(one), task: one })),
  };
}

/** Returns a submission, as the dashboard shows it. @param most how many of its tasks are listed */
function submissionView(
  task: ServerTask,
  { destination, tasks }: Described,
  options: ViewOptions,
  most = SHOWN_PARTS,
): SubmissionView {
  const { id, edition, transitions, taskHashes, error, chain } = task;
  const state = currentState(task);
  return {
    id,
    edition,
    state,
    destination,
    error,
    held: options.tasks.heldIn(task),
    phase: currentPhase(task),
    transitions: transitions.map(({ to_status, created_at: at }) => ({ state: to_status, at })),
    isElsewhere: chain !== undefined && options.chain !== undefined && chain !== options.chain,
    batch: edition === "batch" ? batchSteps(task, options) : undefined,
    taskCount: taskHashes.length,
    tasks: taskHashes
      .slice(0, most)
      .map((hash, position) => taskView(hash, tasks[position], task.results[position])),
  };
}

const DELIVERED = { title: DELIVERED_TITLE, lines: [], task: undefined };

function taskView(
  hash: string,
  described: Described["tasks"][number] | undefined,
  result: Result | undefined,
): SubmissionView["tasks"][number] {
  const { title, lines, task } = described ?? DELIVERED;
  const isDatalake = task !== undefined && findDatalake(task) !== undefined;
  return {
    hash,
    title,
    lines,
    isComputed: task !== undefined,
    form: isDatalake ? taskForm(task) : undefined,
    result: result && resultView(result, task),
  };
}

function resultView(
  { word, transactionHash, blockNumber, output }: Result,
  task: Task | undefined,
): ResultView {
  const value = valueOfWord(asHex(word), task, output?.map(BigInt));
  const spoken = value === undefined ? undefined : spokenValue(value, task);
  return { word, value: value?.toString(), spoken, transactionHash, blockNumber };
}

/** Maximum number of other submissions of a task. */
const MAX_OTHERS = 10;

/** Returns a page of the selected submissions. */
export function submissionsView(
  options: ViewOptions,
  selection: Omit<Selection, "perPage">,
): SubmissionsView {
  const { total, tasks } = options.tasks.records.select({ ...selection, perPage: SHOWN });
  const submissions = tasks.map((task) => submissionView(task, described(task), options));
  return { total, perPage: SHOWN, submissions };
}

/** Returns all that is known of a submission. */
export function submissionDetails(task: ServerTask, options: ViewOptions): SubmissionDetails {
  const { webhookUrl, webhookAttempts, delivery, taskHashes } = task;
  const request = task.request();
  const chains = request.tasks.map((one) => sampledChain(one) ?? request.destinationChainId);
  const [search = task.id] = taskHashes;
  const same = { search: search.toLowerCase(), phase: undefined, page: 1, perPage: MAX_OTHERS + 1 };
  const others = options.tasks.records
    .select(same)
    .tasks.filter(({ id }) => id !== task.id)
    .slice(0, MAX_OTHERS);
  return {
    ...submissionView(task, described(task, Infinity), options, Infinity),
    request:
      delivery === undefined ? JSON.stringify(toTaskRequestJson(request), null, 2) : undefined,
    errorPage: errorPageIn(task.error),
    sources: [...new Set(chains)],
    programs: [...new Set(moduleHashes(task))].map((hash) => ({
      hash,
      about: aboutProgram(hash, options),
    })),
    webhook: webhookUrl === undefined ? undefined : { url: webhookUrl, attempts: webhookAttempts },
    others: others.map((one) => submissionView(one, described(one), options)),
  };
}

function errorPageIn(error: string | undefined): string | undefined {
  const [code = ""] = /^HDP-\d{4}\b/.exec(error ?? "") ?? [];
  return isHdpErrorCode(code) ? errorPage(code) : undefined;
}

function sampledChain(task: Task): string | undefined {
  return findDatalake(task)?.datalake.chainId;
}

function aboutProgram(hash: string, { database }: ViewOptions): string {
  const name = standardProgram(asHex(hash))?.name;
  if (name !== undefined) return `${name}, a standard program`;
  const columns = "layout, version, octet_length(text) AS bytes";
  const row = database.get(`SELECT ${columns} FROM program WHERE hash = ?`, hash);
  if (row === undefined) return "not uploaded here";
  const { layout, version, bytes } = row;
  return `layout ${String(layout)}, compiler version ${String(version)}, ${String(bytes)} bytes`;
}

/** Returns the states of a batch: from its transitions, or from the clock if the server has a latency. */
function batchSteps(task: ServerTask, { latency, clock }: ViewOptions): SubmissionView["batch"] {
  const received = receivedAt(task);
  const current = batchState(currentState(task), clock.now() - received, latency);
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
