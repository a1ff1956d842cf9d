import { z } from "zod";

import { Limiter } from "../base/turns.js";
import type { Task } from "../request/task.js";
import type { ProofDetails, RunView } from "../request/views.js";
import { DATA_PROCESSOR_KEY } from "../service/endpoints.js";
import type { FaultQueue } from "../submission/backend/faults/fault-queue.js";
import { faultText, readFaults } from "../submission/backend/faults/fault-text.js";
import { requireOwnPage } from "./access.js";
import { readAs } from "./body.js";
import {
  proofDetails,
  serverView,
  submissionDetails,
  submissionsView,
  type ViewOptions,
} from "./dashboard-view.js";
import { type PageFile, pageFile } from "./pages.js";
import { badRequest, tooBusy, unknownId } from "./refusals.js";
import {
  type Endpoint,
  jsonReply,
  ownRoutes,
  type Reply,
  type Request,
  type Route,
} from "./route.js";
import type { ServerTask } from "./server-task.js";

interface DashboardOptions extends ViewOptions {
  readonly publicUrl: string | undefined;
  readonly explain: ((task: Task, signal: AbortSignal) => Promise<RunView>) | undefined;
}

/** Milliseconds between two checks for changes. */
const LOOK = 250;
/** Checks after which a silent stream sends a comment. */
const SILENT_LOOKS = 60;
/** Maximum number of pages that receive updates. */
const MAX_PAGES = 16;
/** Maximum number of runs explained in parallel. */
const EXPLAINED_AT_ONCE = 2;
/** Timeout of computing a task again, in milliseconds. */
const EXPLAIN_TIMEOUT = 60_000;

const DASHBOARD = { interface: "dashboard", key: DATA_PROCESSOR_KEY } as const;

/** Returns the routes of the dashboard: files, data and actions. The OpenAPI document does not describe them. */
export function dashboardRoutes(options: DashboardOptions): readonly Route[] {
  return [...fileRoutes(), ...dataRoutes(options), ...actionRoutes(options)];
}

function fileRoutes(): readonly Route[] {
  const file = (name: PageFile): Endpoint => ({
    summary: name,
    reply: "text",
    handle: async ({ headers }) => await pageFile(name, headers),
  });
  return ownRoutes(
    { ...DASHBOARD, keyNeeded: "never" },
    {
      "GET /dashboard/page.js": file("page.js"),
      "GET /dashboard/page.css": file("page.css"),
      "GET /dashboard/stream.js": file("stream.js"),
      "GET /dashboard/icon.svg": file("icon.svg"),
      "GET /favicon.ico": file("icon.svg"),
      "GET /dashboard/endpoints.js": file("endpoints.js"),
      "GET /dashboard/endpoints.css": file("endpoints.css"),
    },
  );
}

function dataRoutes(options: DashboardOptions): readonly Route[] {
  const events = new EventStreams(options);
  const explaining = new Limiter(EXPLAINED_AT_ONCE);
  const data = (
    summary: string,
    handle: (request: Request) => Reply | Promise<Reply>,
  ): Endpoint => ({
    summary,
    reply: z.unknown(),
    handle: async (request) => {
      requireOwnPage(request.headers, options.publicUrl);
      return await handle(request);
    },
  });
  return ownRoutes(
    // A header that frames and images of other pages cannot send.
    { ...DASHBOARD, keyNeeded: "always" },
    {
      "GET /dashboard/events": data("What the server has, at once and at every change", () =>
        events.open(),
      ),
      "GET /dashboard/submissions": data("A page of submissions", ({ query }) =>
        jsonReply(submissionsView(options, selectionIn(query))),
      ),
      "GET /dashboard/submissions/{uuid}": data(
        "All of a submission",
        ({ params: { uuid = "" } }) =>
          jsonReply(submissionDetails(requireSubmission(options, uuid), options)),
      ),
      "GET /dashboard/proofs/{uuid}": data(
        "All of a storage proof request",
        ({ params: { uuid = "" } }) => jsonReply(requireProof(options, uuid)),
      ),
      "GET /dashboard/requests": data("The latest requests", () =>
        jsonReply({ requests: options.requests.newest() }),
      ),
      "GET /dashboard/tasks/{uuid}/{position}": data(
        "A task computed again, and what its value is made of",
        async (request) => await explained(options, explaining, request),
      ),
    },
  );
}

const PHASES = ["pending", "finalized", "failed"] as const;

function selectionIn(query: URLSearchParams): Parameters<typeof submissionsView>[1] {
  const page = Number(query.get("page") ?? 1);
  return {
    search: (query.get("search") ?? "").trim().toLowerCase(),
    phase: PHASES.find((phase) => phase === query.get("state")),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** @throws HttpRefusal HDP-4519 (404) */
function requireSubmission({ tasks }: DashboardOptions, id: string): ServerTask {
  const task = tasks.records.find(id);
  if (task === undefined) throw unknownId("submission", id);
  return task;
}

/** @throws HttpRefusal HDP-4519 (404) */
function requireProof(options: DashboardOptions, id: string): ProofDetails {
  const details = proofDetails(options, id);
  if (details === undefined) throw unknownId("storage proof request", id);
  return details;
}

function actionRoutes(options: DashboardOptions): readonly Route[] {
  const { tasks } = options;
  const one = z.object({ id: z.string() });
  return ownRoutes(
    { ...DASHBOARD, keyNeeded: "always" },
    {
      "POST /dashboard/faults": action(
        "Inject faults",
        z.object({ faults: z.string() }),
        (body) => injectFaults(options, body),
        options,
      ),
      "POST /dashboard/faults/stop": action(
        "Take a fault out of the queue",
        z.object({ position: z.number(), fault: z.string() }),
        (body) => stopFault(options, body),
        options,
      ),
      "POST /dashboard/release": action(
        "End what a fault does to a submission",
        one,
        async ({ id }) => {
          await tasks.release(requireSubmission(options, id));
          return undefined;
        },
        options,
      ),
      "POST /dashboard/retry": action(
        "Restart a failed submission",
        one,
        async ({ id }) => {
          await tasks.retry(requireSubmission(options, id));
          return undefined;
        },
        options,
      ),
      "POST /dashboard/again": action(
        "Submit the request of a submission once more",
        one,
        async ({ id }) => await submitAgain(options, requireSubmission(options, id)),
        options,
      ),
    },
  );
}

/** Returns the endpoint of an action. Pages of other origins may not call it, even if `--cors` lets them read. */
function action<S extends z.ZodTypeAny>(
  summary: string,
  schema: S,
  run: (body: z.output<S>) => Promise<Reply | undefined> | undefined,
  { publicUrl }: DashboardOptions,
): Endpoint {
  return {
    summary,
    reply: z.unknown(),
    body: { type: "json", schemas: [schema], example: {}, maxBytes: 16_384 },
    handle: async ({ json, headers }) => {
      requireOwnPage(headers, publicUrl);
      return (await run(readAs(schema, json))) ?? jsonReply({ done: true });
    },
  };
}

/** Submits a request once more, as a new submission. */
async function submitAgain({ tasks }: DashboardOptions, before: ServerTask): Promise<Reply> {
  const { edition, request, webhookUrl, delivery, schedule } = before;
  const incoming = { edition, request: request(), webhookUrl, delivery, schedule };
  const { task, ...work } = await tasks.accept(incoming);
  return { ...jsonReply({ id: task.id }), ...work };
}

/** Sends the view of the server to the open pages. */
class EventStreams {
  readonly #options: DashboardOptions;
  readonly #view: ReturnType<typeof serverView>;
  #pages = 0;
  #latest = "";

  public constructor(options: DashboardOptions) {
    this.#options = options;
    this.#view = serverView(options);
  }

  /** Returns the stream for one page. @throws HttpRefusal HDP-4531 (429) if too many pages are open */
  public open(): Reply {
    if (this.#pages >= MAX_PAGES)
      throw tooBusy("open pages", `${this.#pages} are kept up to date`, "Close one of them.");
    return {
      status: 200,
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
      stream: async (send, signal) => await this.#follow(send, signal),
    };
  }

  async #follow(send: (text: string) => void, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    this.#pages += 1;
    let last = "";
    let silent = 0;
    try {
      while (!signal.aborted) {
        const text = this.#look();
        silent = text === last ? silent + 1 : 0;
        if (silent === 0) send(`data: ${text}\n\n`);
        else if (silent % SILENT_LOOKS === 0) send(":\n\n");
        last = text;
        // All pages look at the same times.
        await clock.sleep(LOOK - (clock.now() % LOOK), signal);
      }
    } finally {
      this.#pages -= 1;
    }
  }

  /** Returns the view as JSON, made once for all pages that look in the same turn of the event loop. */
  #look(): string {
    if (this.#latest !== "") return this.#latest;
    setImmediate(() => (this.#latest = ""));
    this.#latest = JSON.stringify(this.#view());
    return this.#latest;
  }
}

async function explained(
  { tasks, explain }: DashboardOptions,
  explaining: Limiter,
  { params: { uuid = "", position = "" } }: Request,
): Promise<Reply> {
  const task = tasks.records.find(uuid)?.request().tasks[Number(position)];
  if (task === undefined) throw unknownId("task", `${uuid}/${position}`);
  if (explain === undefined)
    throw badRequest("this server was started without what computes a task again");
  const run = async (): Promise<RunView> =>
    await explain(task, AbortSignal.timeout(EXPLAIN_TIMEOUT));
  return jsonReply(await explaining.run(run));
}

function injectFaults({ faults }: DashboardOptions, body: { readonly faults: string }): undefined {
  requireFaults(faults).inject(...readFaults(body.faults, "faults"));
}

function stopFault(
  { faults }: DashboardOptions,
  { position, fault }: { readonly position: number; readonly fault: string },
): undefined {
  const queue = requireFaults(faults);
  const found = queue.waiting[position];
  // If the queue has moved on, the fault has already occurred.
  if (found !== undefined && faultText(found) === fault) queue.remove(found);
}

function requireFaults(faults: FaultQueue | undefined): FaultQueue {
  if (faults !== undefined) return faults;
  throw badRequest("this server was started without faults");
}
