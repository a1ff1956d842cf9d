import { z } from "zod";

import { isRecord } from "../base/collections.js";
import { inWords } from "../errors/hdp-error.js";
import { requestReader } from "../request/parse.js";
import type { PublishedSides } from "../service/data-processor/contradictions.js";
import {
  BATCH_STATES,
  batchAcceptedSchema,
  MODULE_TASK_STATES,
  moduleTaskAcceptedSchema,
  moduleTaskStatusSchema,
  moduleTaskSubmitSchema,
  tasksAcceptedSchema,
} from "../service/data-processor/editions.js";
import {
  moduleTaskDetailsSchema,
  moduleTaskListSchema,
  moduleTaskMmrsSchema,
  moduleTaskPreimageSchema,
  moduleTaskTransitionsSchema,
} from "../service/data-processor/module-tasks-client.js";
import { readAs } from "./body.js";
import type { ProgramStore } from "./program-store.js";
import { badRequest, HttpRefusal, unknownId } from "./refusals.js";
import {
  type Endpoint,
  jsonReply,
  publishedRoutes,
  type Reply,
  type Request,
  type Route,
  type WireSchema,
} from "./route.js";
import {
  batchState,
  publishedFields,
  receivedAt,
  type ServerTask,
  currentState,
  updatedAt,
} from "./server-task.js";
import {
  decommitment,
  decommitmentSchema,
  parseModuleBody,
  parseTasksBody,
} from "./task-bodies.js";
import type { TaskRecords } from "./task-records.js";
import type { ServerContext, TaskService } from "./task-service.js";

interface TaskRouteOptions extends ServerContext {
  readonly tasks: TaskService;
  readonly programs: ProgramStore;
  readonly published: PublishedSides;
}

const EXAMPLE_TASK = {
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0,
    blockRangeEnd: 0,
    sampledProperty: "header.gas_limit",
  },
  compute: { aggregateFnId: "avg" },
};
const EXAMPLE = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [EXAMPLE_TASK] };

const EXAMPLE_DECOMMITMENT = {
  destination_chain_id: "0xaa36a7",
  atlantic_query_id: "01JPJ03YJT1A93D6NF56G4GVEQ",
  hdp_output: {
    task_hash_low: "0x1",
    task_hash_high: "0x2",
    output_tree_root_low: "0x7",
    output_tree_root_high: "0x0",
  },
};

const listQuerySchema = z.object({
  hdp_tasks_page: z.coerce.number().int().min(1).default(1),
  hdp_tasks_per_page: z.coerce.number().int().min(1).max(100).default(10),
  hdp_tasks_search: z.string().optional(),
});
const statusSchema = moduleTaskStatusSchema.extend({
  status: z.enum(MODULE_TASK_STATES).describe("Others where a fault plays them"),
});
const batchReplySchema = z.object({
  status: z.enum([...BATCH_STATES, "FAILED"]),
  errorMessage: z.string().optional(),
});

/** Returns the routes of the data processor, in all its API versions. */
export function taskRoutes(options: TaskRouteOptions): readonly Route[] {
  const { api } = options.published;
  const routes = [...submissionRoutes(options), ...recordRoutes(options)];
  // The retired version has paths of its own.
  const isRetired = ({ retired }: Route): boolean => retired === true;
  return api === undefined ? routes : routes.filter((one) => isRetired(one) === (api === "batch"));
}

function submissionRoutes(options: TaskRouteOptions): readonly Route[] {
  return publishedRoutes({
    "POST /tasks": {
      summary:
        "Submit tasks: the specification's body, or one module task in the published snake_case body",
      body: {
        type: "json",
        schemas: [requestReader, moduleTaskSubmitSchema],
        mayHaveClass: true,
        example: EXAMPLE,
      },
      once: true,
      reply: tasksAcceptedSchema,
      handle: async (request) => await submitTasks(options, request),
    },
    "POST /tasks/decommitment": {
      summary:
        "Deliver the output of a run: the given one, or by its id one delivered before or of a task of this server",
      body: { type: "json", schemas: [decommitmentSchema], example: EXAMPLE_DECOMMITMENT },
      once: true,
      reply: moduleTaskAcceptedSchema,
      handle: async (request) => await deliver(options, request),
    },
    "GET /tasks/{uuid}/status": {
      summary: "Status of a task. Needs the key for tasks in the specification's body",
      reply: statusSchema,
      handle: (request) => taskStatus(options, request),
    },
    "POST /submit-batch": {
      summary: "Submit a batch of tasks (retired)",
      retired: true,
      body: { type: "json", schemas: [requestReader], example: EXAMPLE },
      once: true,
      reply: batchAcceptedSchema,
      handle: async (request) => await submitBatch(options, request),
    },
    "GET /batch-query/{batchId}": {
      summary: "Status of a batch (retired)",
      retired: true,
      reply: batchReplySchema,
      handle: (request) => batchStatus(options, request),
    },
    "POST /tasks/{uuid}/retry": {
      summary: "Begin a failed task anew; after a failed decommitment that stage alone",
      reply: moduleTaskAcceptedSchema,
      handle: async (request) => await retryTask(options, request),
    },
  });
}

function recordRoutes(options: TaskRouteOptions): readonly Route[] {
  const { tasks } = options;
  return publishedRoutes({
    "GET /tasks": {
      summary: "List tasks, newest first",
      optionalQuery: {
        hdp_tasks_page: "From 1",
        hdp_tasks_per_page: "1 to 100, default 10",
        hdp_tasks_search: "Part of an id, a program hash, a program name or a task hash",
      },
      queryForm: listQuerySchema,
      reply: moduleTaskListSchema,
      handle: (request) => listTasks(tasks, request),
    },
    "GET /tasks/{uuid}/details": record(options, {
      summary: "Everything known of a task",
      reply: moduleTaskDetailsSchema,
      members: details,
    }),
    "GET /tasks/{uuid}/mmrs": record(options, {
      summary: "MMRs used: of runs made elsewhere; here values are proven against block hashes",
      reply: moduleTaskMmrsSchema,
      members: ({ delivery }) => ({ mmrs: delivery?.mmrs ?? [] }),
    }),
    "GET /tasks/{uuid}/output_preimage": record(options, {
      summary: "Felts that a module returned",
      reply: moduleTaskPreimageSchema,
      members: outputPreimage,
    }),
    "GET /tasks/{uuid}/state_transitions": record(options, {
      summary: "States that a task passed, oldest first",
      reply: moduleTaskTransitionsSchema,
      members: transitions,
    }),
  });
}

async function submitTasks(options: TaskRouteOptions, request: Request): Promise<Reply> {
  const { tasks, limits } = options;
  const { json } = request;
  const isModuleTask = hasModuleTask(json, options.published);
  const incoming = isModuleTask
    ? await parseModuleBody(request, options)
    : parseTasksBody(request, "tasks", limits);
  const { task, ...work } = await tasks.accept(incoming);
  const accepted = acceptedReply("Task has been queued for processing", task, options);
  const reply = isModuleTask ? accepted : { ...accepted, taskHashes: task.taskHashes };
  return { ...jsonReply(reply), ...work };
}

/**
 * Returns whether a body is read as a published module task: by its members.
 * @throws HttpRefusal HDP-4518 where one API version alone is served, and the body is of another
 */
function hasModuleTask(json: unknown, { api }: PublishedSides): boolean {
  const has = (member: string): boolean => isRecord(json) && Object.hasOwn(json, member);
  if (api === "module-tasks" && !has("destination_chain_id"))
    throw badRequest("destination_chain_id: missing. This server takes module tasks alone");
  if (api === "tasks" && !has("destinationChainId"))
    throw badRequest(
      "destinationChainId: missing. This server takes the specification's body alone",
    );
  if (api !== undefined) return api === "module-tasks";
  return has("destination_chain_id") || has("input");
}

/** Returns the reply to an accepted task: one published version leaves out `status`. */
function acceptedReply(
  message: string,
  { id: uuid }: ServerTask,
  { published }: TaskRouteOptions,
): object {
  const accepted = { message, uuid };
  return published.accepted === "bare" ? accepted : { ...accepted, status: "accepted" };
}

async function deliver(options: TaskRouteOptions, { json }: Request): Promise<Reply> {
  const { tasks, published } = options;
  const findOutput: TaskRecords["findOutput"] = (queryId) => tasks.records.findOutput(queryId);
  const incoming = decommitment(readAs(decommitmentSchema, json), { published, findOutput });
  const { task, ...work } = await tasks.accept(incoming);
  return { ...jsonReply(acceptedReply("Task has been queued", task, options)), ...work };
}

function taskStatus(options: TaskRouteOptions, request: Request): Reply {
  const { tasks } = options;
  const task = foundTask(options, request);
  // In the published documents reading a module task does not need a key; in the specification it always does.
  if (task.edition === "tasks") request.requireKey();
  const [status, errorMessage] = [tasks.polledState(task), task.error ?? null];
  return jsonReply({ taskId: task.id, status, errorMessage, updatedAt: updatedAt(task) });
}

async function submitBatch({ tasks, limits }: TaskRouteOptions, request: Request): Promise<Reply> {
  const { task, ...work } = await tasks.accept(parseTasksBody(request, "batch", limits));
  return { ...jsonReply({ batchId: task.id, taskHashes: task.taskHashes }), ...work };
}

function batchStatus(
  { tasks, clock, latency }: TaskRouteOptions,
  { params: { batchId: id = "" } }: Request,
): Reply {
  const task = tasks.records.find(id);
  if (task === undefined) throw unknownId("batch", id);
  const polled = tasks.polledState(task);
  const age = clock.now() - receivedAt(task);
  // The state set by a fault is returned unchanged.
  const state = currentState(task) === polled ? batchState(polled, age, latency) : polled;
  return jsonReply({ status: state, errorMessage: task.error });
}

function listTasks(tasks: TaskService, { query }: Request): Reply {
  const given = readAs(listQuerySchema, Object.fromEntries(query));
  const { hdp_tasks_page: page, hdp_tasks_per_page: perPage, hdp_tasks_search: search } = given;
  const { tasks: found, total } = tasks.records.list({ search, page, perPage });
  const pagination = { page, perPage, total, totalPages: Math.ceil(total / perPage) };
  return jsonReply({ tasks: found, pagination });
}

interface TaskRecord {
  readonly summary: string;
  readonly reply: WireSchema;
  /** Returns what the record has beside the task's id. */
  readonly members: (task: ServerTask) => object;
}

/** Returns the endpoint of a published record of a task. Reading a module task does not need a key. */
function record(options: TaskRouteOptions, { summary, reply, members }: TaskRecord): Endpoint {
  return {
    summary,
    reply,
    handle: (request) => {
      const task = foundTask(options, request);
      if (task.edition !== "module-tasks") request.requireKey();
      return jsonReply({ taskId: task.id, ...members(task) });
    },
  };
}

function details(task: ServerTask): object {
  const each = task.request().tasks.map((one, position) => ({
    taskHash: task.taskHashes[position],
    programHash: one.type === "Module" ? one.programHash : null,
    taskInputs: one.type === "Module" ? one.inputs : null,
    outputTreeRoot: task.results[position]?.word ?? null,
    outputTreeRootPreimage: task.results[position]?.output ?? null,
  }));
  const [only, ...others] = each;
  const isOne = only !== undefined && others.length === 0;
  const outputTreeRootPreimage = isOne ? only.outputTreeRootPreimage : null;
  const mmrs = task.delivery?.mmrs ?? [];
  const common = { ...publishedFields(task), outputTreeRootPreimage, mmrs };
  // The published record describes one task.
  return isOne
    ? { ...common, taskInputs: only.taskInputs }
    : { ...common, taskInputs: null, tasks: each };
}

function outputPreimage({ taskHashes, results }: ServerTask): object {
  const output = taskHashes.length === 1 ? results[0]?.output : undefined;
  return { outputPreimage: output ?? null };
}

function transitions(task: ServerTask): object {
  return { state_transitions: task.transitions.map((one) => ({ ...one, task_id: task.id })) };
}

async function retryTask(options: TaskRouteOptions, request: Request): Promise<Reply> {
  const task = foundTask(options, request, "uuid");
  await options.tasks.retry(task);
  return jsonReply(acceptedReply("Task has been queued for retry", task, options));
}

/** @throws HttpRefusal HDP-4519 (404) with the published body */
function foundTask(
  { tasks, published }: TaskRouteOptions,
  { params }: Request,
  usual: "taskId" | "uuid" = "taskId",
): ServerTask {
  const idMember = published.unknown ?? usual;
  const id = params["uuid"] ?? "";
  const task = tasks.records.find(id);
  if (task !== undefined) return task;
  const body = { error: "Task not found", [idMember]: id };
  throw new HttpRefusal(inWords("HDP-4519", { kind: "task", id, call: undefined }), {
    status: 404,
    body,
  });
}
