import { readFile } from "node:fs/promises";

import { z } from "zod";

import { keysOf } from "../base/collections.js";
import { shipped } from "../base/files.js";
import type { Row } from "../base/sqlite.js";
import { Limiter } from "../base/turns.js";
import { inWords } from "../errors/hdp-error.js";
import { describeTask, spokenValue } from "../request/describe-task.js";
import type { Task as RequestedTask } from "../request/task.js";
import type { RunView, ServerView, SubmissionView } from "../request/views.js";
import { BATCH_STATES } from "../service/data-processor/editions.js";
import {
  type FaultQueue,
  FAULTS,
  faultText,
  readFaults,
} from "../submission/backend/faults/fault.js";
import { readAs } from "./body.js";
import { textIn } from "./database.js";
import { queryIn } from "./storage-proofs.js";
import {
  badRequest,
  DATA_PROCESSOR_KEY,
  jsonReply,
  Refusal,
  routesOf,
  tooBusy,
  unknownId,
} from "./route.js";
import type { Endpoint, Reply, Request, Route } from "./route.js";
import { batchState, hasEnded, isFailure, receivedAt, stateOf, type Task } from "./task.js";
import type { ServerContext, Tasks } from "./tasks.js";

interface DashboardOptions extends ServerContext {
  readonly tasks: Tasks;
  readonly info: Pick<ServerView, "chainUrl" | "executionStore">;
  readonly explain: ((task: RequestedTask, signal: AbortSignal) => Promise<RunView>) | undefined;
}

/** Maximum number of displayed submissions, programs and queries. */
const SHOWN = 100;
/** Maximum number of displayed tasks of a submission, and of values of an account in a query. */
const SHOWN_PARTS = 50;
/** Milliseconds between two checks for changes. */
const LOOK = 250;
/** Checks after which a silent stream sends a comment. */
const SILENT_LOOKS = 60;
/** Maximum number of pages that receive updates. */
const MAX_PAGES = 16;
/** Maximum number of runs explained in parallel. */
const EXPLAINED_AT_ONCE = 2;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript" } as const;

/** Returns the routes of the dashboard: files, data and actions. The OpenAPI document does not describe them. */
export function dashboardRoutes(options: DashboardOptions): readonly Route[] {
  const { tasks, faults, clock, explain } = options;
  const explaining = new Limiter(EXPLAINED_AT_ONCE);
  const view = serverView(options);
  let [pages, latest] = [0, ""];
  /** Returns the view as JSON, made once for all pages that look in the same turn of the event loop. */
  const look = (): string => {
    if (latest === "") setImmediate(() => (latest = ""));
    return (latest ||= JSON.stringify(view()));
  };
  const file = (name: PageFile): Endpoint => ({
    ...{ summary: name, reply: "text", keyNeeded: "never" },
    handle: async () => await pageFile(name),
  });
  /** Returns the endpoint of an action. Pages of other origins may not call it, even if `--cors` lets them read. */
  const act = <S extends z.ZodTypeAny>(
    summary: string,
    schema: S,
    run: (body: z.output<S>) => unknown,
  ): Endpoint => ({
    ...{
      summary,
      reply: z.unknown(),
      body: { type: "json", schemas: [schema], example: {}, maxBytes: 16_384 },
    },
    handle: async ({ json, headers }) => {
      requireOwnPage(headers);
      await run(readAs(schema, json));
      return jsonReply({ done: true });
    },
  });
  return routesOf("dashboard", DATA_PROCESSOR_KEY, {
    "GET /dashboard/page.js": file("page.js"),
    "GET /dashboard/page.css": file("page.css"),
    "GET /dashboard/endpoints.js": file("endpoints.js"),
    "GET /dashboard/endpoints.css": file("endpoints.css"),
    "GET /dashboard/events": {
      ...{
        summary: "What the server has, at once and at every change",
        reply: "text",
        keyNeeded: "when set",
      },
      handle: () => {
        if (pages >= MAX_PAGES)
          throw tooBusy("open pages", `${pages} are kept up to date`, "Close one of them.");
        return {
          ...{
            status: 200,
            headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
          },
          stream: async (send, signal) => {
            pages += 1;
            let [last, silent] = ["", 0];
            try {
              while (!signal.aborted) {
                const text = look();
                silent = text === last ? silent + 1 : 0;
                if (silent === 0) send(`data: ${text}\n\n`);
                else if (silent % SILENT_LOOKS === 0) send(":\n\n");
                last = text;
                // All pages look at the same times.
                await clock.sleep(LOOK - (clock.now() % LOOK), signal);
              }
            } finally {
              pages -= 1;
            }
          },
        };
      },
    },
    "GET /dashboard/tasks/{uuid}/{position}": {
      ...{
        summary: "A task computed again, and what its value is made of",
        reply: z.unknown(),
        keyNeeded: "when set",
      },
      handle: async ({ params: { uuid = "", position = "" } }) => {
        const task = tasks.find(uuid)?.request().tasks[Number(position)];
        if (task === undefined) throw unknownId("task", `${uuid}/${position}`);
        if (explain === undefined)
          throw badRequest("this server was started without what computes a task again");
        return jsonReply(
          await explaining.run(
            async () => await explain(task, AbortSignal.timeout(EXPLAIN_TIMEOUT)),
          ),
        );
      },
    },
    "POST /dashboard/faults": act("Inject faults", z.object({ faults: z.string() }), (body) => {
      requireFaults(faults).inject(...readFaults(body.faults, "faults"));
    }),
    "POST /dashboard/faults/stop": act(
      "Take a fault out of the queue",
      z.object({ position: z.number(), fault: z.string() }),
      ({ position, fault }) => {
        const found = requireFaults(faults).waiting[position];
        // If the queue has moved on, the fault has already occurred.
        if (found !== undefined && faultText(found) === fault) faults?.remove(found);
      },
    ),
    "POST /dashboard/release": act(
      "End what a fault does to a submission",
      z.object({ id: z.string() }),
      async ({ id }) => {
        const task = tasks.find(id);
        if (task === undefined) throw unknownId("submission", id);
        await tasks.release(task);
      },
    ),
  });
}

/** Timeout of computing a task again, in milliseconds. */
const EXPLAIN_TIMEOUT = 60_000;

type PageFile = "index.html" | `${"page" | "endpoints"}.${"css" | "js"}` | "endpoints.html";

/** Returns a file of the pages: the dashboard, which displays the data of the other routes, and that of the endpoints. */
export async function pageFile(name: PageFile): Promise<Reply> {
  const text = await readFile(shipped(`dist/dashboard/${name}`));
  const kind = name.endsWith(".html") ? "html" : name.endsWith(".css") ? "css" : "js";
  const headers = {
    "content-security-policy": POLICY,
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
  };
  return {
    status: 200,
    headers: { ...headers, ...(name === "index.html" ? { vary: "accept" } : {}) },
    body: { type: `${TYPES[kind]}; charset=utf-8`, text },
  };
}

/** @throws Refusal HDP-4528 (403) for a page of another origin */
function requireOwnPage({
  origin,
  host,
  "sec-fetch-site": site = "none",
}: Request["headers"]): void {
  const isOwn = origin === undefined || origin === `http://${String(host)}`;
  if (isOwn && (site === "none" || site === "same-origin")) return;
  throw new Refusal(inWords("HDP-4528", { origin: JSON.stringify(String(origin).slice(0, 100)) }), {
    status: 403,
  });
}

function requireFaults(faults: FaultQueue | undefined): FaultQueue {
  if (faults !== undefined) return faults;
  throw badRequest("this server was started without faults");
}

const KINDS = keysOf(FAULTS).map((kind) => ({
  kind,
  form: FAULTS[kind].form,
  moment: FAULTS[kind].moment,
}));

/** Returns a function that returns the current view of the server. It caches the parts that do not change. */
function serverView(options: DashboardOptions): () => ServerView {
  const { tasks, database, faults, info } = options;
  let known = new Map<string, Described>();
  return () => {
    const newest = tasks.newest(SHOWN);
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
      programs: programs.map((row) => ({
        ...{ hash: textIn(row, "hash"), layout: textIn(row, "layout") },
        ...{ version: Number(row["version"]), bytes: Number(row["bytes"]) },
      })),
      proofs: queries.map((row) => {
        const { chainId, time, selection } = queryIn(row);
        const accounts = Object.entries(selection.accounts).slice(0, SHOWN_PARTS);
        const wanted = accounts.map(
          ([address, { props, slots }]) => `${address}: ${firstOf([...props, ...slots])}`,
        );
        const header =
          selection.header.length === 0 ? [] : [`header: ${firstOf(selection.header)}`];
        return {
          ...{
            id: textIn(row, "id"),
            request: textIn(row, "request"),
            status: textIn(row, "status"),
          },
          created: textIn(row, "created"),
          completed: row["completed"] === null ? undefined : textIn(row, "completed"),
          ...{ chainId, time, wanted: [...header, ...wanted] },
        };
      }),
      ...(faults === undefined
        ? {}
        : { faults: { waiting: faults.waiting.map(faultText), kinds: KINDS } }),
      totals: {
        submissions: count("task"),
        programs: count("program"),
        proofs: count("proof_query"),
      },
    };
  };
}

function firstOf(names: readonly string[]): string {
  return names.slice(0, SHOWN_PARTS).join(", ") + (names.length > SHOWN_PARTS ? ", …" : "");
}

interface Described {
  readonly destination: string;
  readonly tasks: readonly (Pick<SubmissionView["tasks"][number], "title" | "lines"> & {
    readonly task: RequestedTask;
  })[];
}

function described(task: Task): Described {
  const { destinationChainId: destination, tasks } = task.request();
  return {
    destination,
    tasks: tasks.slice(0, SHOWN_PARTS).map((one) => ({ ...describeTask(one), task: one })),
  };
}

function submissionView(
  task: Task,
  { destination, tasks }: Described,
  options: DashboardOptions,
): SubmissionView {
  const { id, edition, transitions, results, taskHashes, error } = task;
  const state = stateOf(task);
  return {
    ...{ id, edition, state, destination, error, held: options.tasks.heldIn(task) },
    phase: !hasEnded(task) ? "pending" : isFailure(state) ? "failed" : "finalized",
    transitions: transitions.map(({ to_status, created_at: at }) => ({ state: to_status, at })),
    batch: edition === "batch" ? batchSteps(task, options) : undefined,
    taskCount: taskHashes.length,
    tasks: taskHashes.slice(0, SHOWN_PARTS).map((hash, position) => {
      const {
        title = "result that was computed elsewhere",
        lines = [],
        task: one,
      } = tasks[position] ?? {};
      const found = results[position];
      if (found === undefined) return { hash, title, lines };
      const { word, transactionHash } = found;
      return {
        hash,
        title,
        lines,
        result: { word, spoken: spokenValue(BigInt(word), one), transactionHash },
      };
    }),
  };
}

/** Returns the states of a batch: from its transitions, or from the clock if the server has a latency. */
function batchSteps(task: Task, { latency, clock }: DashboardOptions): SubmissionView["batch"] {
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
