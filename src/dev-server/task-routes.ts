import type { Hex } from "viem";
import { z } from "zod";

import { isRecord } from "../base/collections.js";
import { toWord } from "../base/hex.js";
import { grouped } from "../base/text.js";
import { inWords } from "../errors/hdp-error.js";
import type { ChainIdentifier } from "../request/chains.js";
import { parseTask, parseTaskRequest, requestReader } from "../request/parse.js";
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
import { type DevServerLimits, readAs } from "./body.js";
import { canonicalHash, type ProgramStore } from "./programs.js";
import {
  badRequest,
  DATA_PROCESSOR_KEY,
  jsonReply,
  MAX_ERRORS,
  QUERY_KEY,
  Refusal,
  routesOf,
  tooLarge,
  unknownId,
} from "./route.js";
import type { Endpoint, Endpoints, Request, Route, WireSchema } from "./route.js";
import {
  batchState,
  chainNamed,
  publishedFields,
  receivedAt,
  stateOf,
  type Task,
  updatedAt,
} from "./task.js";
import type { IncomingTask, ServerContext, Tasks } from "./tasks.js";

interface TaskRouteOptions extends ServerContext {
  readonly tasks: Tasks;
  readonly programs: ProgramStore;
}

const EXAMPLE_TASK = {
  type: "DatalakeCompute",
  datalake: {
    ...{ type: "BlockSampled", chainId: "ETHEREUM_SEPOLIA", blockRangeStart: 0, blockRangeEnd: 0 },
    sampledProperty: "header.gas_limit",
  },
  compute: { aggregateFnId: "avg" },
};
const EXAMPLE = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [EXAMPLE_TASK] };

const half = z.string().regex(/^0x[0-9a-fA-F]{1,32}$/, "expected 0x and at most 32 hex digits");
/** Body of `POST /tasks/decommitment`. */
const decommitmentSchema = z.object({
  destination_chain_id: z.union([z.string(), z.number().int()]),
  atlantic_query_id: z.string().min(1),
  hdp_output: z
    .object({
      ...{
        task_hash_low: half,
        task_hash_high: half,
        output_tree_root_low: half,
        output_tree_root_high: half,
      },
      mmr_metas: z.array(z.record(z.unknown())).optional(),
    })
    .nullish(),
  program_hash: z.string().nullish(),
  webhook_url: z.string().nullish(),
});
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
const webhookSchema = z.object({ webhook_url: z.string().nullish() }).passthrough();
const statusSchema = moduleTaskStatusSchema.extend({
  status: z.enum(MODULE_TASK_STATES).describe("Others where a fault plays them"),
});
const batchReplySchema = z.object({
  status: z.enum([...BATCH_STATES, "FAILED"]),
  errorMessage: z.string().optional(),
});

export function taskRoutes(options: TaskRouteOptions): readonly Route[] {
  return [
    ...routesOf("data processor", DATA_PROCESSOR_KEY, {
      ...submission(options),
      ...records(options),
    }),
    ...routesOf("data processor", QUERY_KEY, batches(options)),
  ];
}

function submission(options: TaskRouteOptions): Endpoints {
  const { tasks, limits } = options;
  return {
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
      handle: async (request) => {
        const isModuleTask =
          isRecord(request.json) &&
          ("destination_chain_id" in request.json || "input" in request.json);
        const incoming = isModuleTask
          ? await moduleTask(request, options)
          : requestedTasks(request, "tasks", limits);
        const { task, ...work } = await tasks.accept(incoming);
        const reply = {
          message: "Task has been queued for processing",
          status: "accepted",
          uuid: task.id,
        };
        return {
          ...jsonReply(isModuleTask ? reply : { ...reply, taskHashes: task.taskHashes }),
          ...work,
        };
      },
    },
    "POST /tasks/decommitment": {
      summary: "Deliver the output of a run made elsewhere: it is finalized as it is",
      body: { type: "json", schemas: [decommitmentSchema], example: EXAMPLE_DECOMMITMENT },
      once: true,
      reply: moduleTaskAcceptedSchema,
      handle: async ({ json }) => {
        const { task, ...work } = await tasks.accept(
          decommitment(readAs(decommitmentSchema, json)),
        );
        return {
          ...jsonReply({ message: "Task has been queued", status: "accepted", uuid: task.id }),
          ...work,
        };
      },
    },
    "GET /tasks/{uuid}/status": {
      summary: "Status of a task. Needs the key for tasks in the specification's body",
      keyNeeded: "sometimes",
      reply: statusSchema,
      handle: (request) => {
        const task = foundTask(tasks, request);
        // In the published documents reading a module task does not need a key; in the specification it always does.
        if (task.edition === "tasks") request.requireKey();
        const [status, errorMessage] = [tasks.polledState(task), task.error ?? null];
        return jsonReply({ taskId: task.id, status, errorMessage, updatedAt: updatedAt(task) });
      },
    },
  };
}

/** Returns the endpoints of the retired interface, with several tasks in a batch. */
function batches({ tasks, limits, latency, clock }: TaskRouteOptions): Endpoints {
  return {
    "POST /submit-batch": {
      summary: "Submit a batch of tasks (retired)",
      retired: true,
      body: { type: "json", schemas: [requestReader], example: EXAMPLE },
      once: true,
      reply: batchAcceptedSchema,
      handle: async (request) => {
        const { task, ...work } = await tasks.accept(requestedTasks(request, "batch", limits));
        return { ...jsonReply({ batchId: task.id, taskHashes: task.taskHashes }), ...work };
      },
    },
    "GET /batch-query/{batchId}": {
      summary: "Status of a batch (retired)",
      retired: true,
      keyNeeded: "never",
      reply: batchReplySchema,
      handle: ({ params: { batchId: id = "" } }) => {
        const task = tasks.find(id);
        if (task === undefined) throw unknownId("batch", id);
        const polled = tasks.polledState(task);
        const age = clock.now() - receivedAt(task);
        // The state set by a fault is returned unchanged.
        const state = stateOf(task) === polled ? batchState(polled, age, latency) : polled;
        return jsonReply({ status: state, errorMessage: task.error });
      },
    },
  };
}

/** Returns the published endpoints other than submission and status. Reading a module task does not need a key. */
function records({ tasks }: TaskRouteOptions): Endpoints {
  const record = (
    summary: string,
    reply: WireSchema,
    members: (task: Task) => object,
  ): Endpoint => ({
    summary,
    keyNeeded: "sometimes",
    reply,
    handle: (request) => {
      const task = foundTask(tasks, request);
      if (task.edition !== "module-tasks") request.requireKey();
      return jsonReply({ taskId: task.id, ...members(task) });
    },
  });
  return {
    "GET /tasks": {
      summary: "List tasks, newest first",
      keyNeeded: "never",
      optionalQuery: {
        hdp_tasks_page: "From 1",
        hdp_tasks_per_page: "1 to 100, default 10",
        hdp_tasks_search: "Part of an id, a program hash or a task hash",
      },
      reply: moduleTaskListSchema,
      handle: ({ query }) => {
        const given = readAs(listQuerySchema, Object.fromEntries(query));
        const {
          hdp_tasks_page: page,
          hdp_tasks_per_page: perPage,
          hdp_tasks_search: search,
        } = given;
        const found = tasks.list({ search, page, perPage });
        const pagination = {
          page,
          perPage,
          total: found.total,
          totalPages: Math.ceil(found.total / perPage),
        };
        return jsonReply({ tasks: found.tasks, pagination });
      },
    },
    "GET /tasks/{uuid}/details": record(
      "Everything known of a task",
      moduleTaskDetailsSchema,
      (task) => {
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
        const common = { ...publishedFields(task), outputTreeRootPreimage, mmrs: [] };
        // The published record describes one task.
        return isOne
          ? { ...common, taskInputs: only.taskInputs }
          : { ...common, taskInputs: null, tasks: each };
      },
    ),
    "GET /tasks/{uuid}/mmrs": record(
      "MMRs used: none, values are proven against block hashes",
      moduleTaskMmrsSchema,
      () => ({ mmrs: [] }),
    ),
    "GET /tasks/{uuid}/output_preimage": record(
      "Felts that a module returned",
      moduleTaskPreimageSchema,
      (task) => ({
        outputPreimage:
          (task.taskHashes.length === 1 ? task.results[0]?.output : undefined) ?? null,
      }),
    ),
    "GET /tasks/{uuid}/state_transitions": record(
      "States that a task passed, oldest first",
      moduleTaskTransitionsSchema,
      (task) => ({
        state_transitions: task.transitions.map((transition) => ({
          ...transition,
          task_id: task.id,
        })),
      }),
    ),
    "POST /tasks/{uuid}/retry": {
      summary: "Begin a failed task anew",
      reply: moduleTaskAcceptedSchema,
      handle: async (request) => {
        const task = foundTask(tasks, request, "uuid");
        await tasks.retry(task);
        return jsonReply({
          message: "Task has been queued for retry",
          status: "accepted",
          uuid: task.id,
        });
      },
    },
  };
}

/** @throws Refusal HDP-4519 (404) with the published body */
function foundTask(
  tasks: Tasks,
  { params }: Request,
  idMember: "taskId" | "uuid" = "taskId",
): Task {
  const id = params["uuid"] ?? "";
  const task = tasks.find(id);
  if (task !== undefined) return task;
  const body = { error: "Task not found", [idMember]: id };
  throw new Refusal(inWords("HDP-4519", { kind: "task", id, remedy: undefined }), {
    status: 404,
    body,
  });
}

/** Reads the specification's body. @throws Refusal HDP-4518, HDP-4529; TaskRequestError with every error */
function requestedTasks(
  { json }: Request,
  edition: "tasks" | "batch",
  limits: DevServerLimits,
): IncomingTask {
  const tasks = isRecord(json) ? json["tasks"] : undefined;
  if (Array.isArray(tasks) && tasks.length > limits.tasks) {
    throw tooLarge(`it has ${grouped(tasks.length)} tasks, more than ${grouped(limits.tasks)}`);
  }
  const { webhook_url: webhookUrl, ...specified } = readAs(webhookSchema, json);
  const request = parseTaskRequest(specified, { maxErrors: MAX_ERRORS });
  return { edition, request, webhookUrl: webhookUrl ?? undefined };
}

/** Reads the published body of a module task, and stores its class. @throws Refusal HDP-4518; TaskRequestError */
async function moduleTask(
  request: Request,
  { programs, database }: TaskRouteOptions,
): Promise<IncomingTask> {
  const { json, compiledClass } = request;
  const body = readAs(moduleTaskSubmitSchema, json);
  const destinationChainId = destinationOf(body.destination_chain_id);
  if (typeof body.injected_state_server === "string") {
    throw badRequest(
      "injected_state_server: only this server's own tries are read. Leave it out, and POST /create_trie",
    );
  }
  const named = body.program_hash ?? undefined;
  const programHash = compiledClass?.hash ?? named;
  if (programHash === undefined) {
    throw badRequest(
      "program_hash: neither it nor input.compiled_class is given. Upload the class, or send it along",
    );
  }
  if (named !== undefined && compiledClass !== undefined && canonicalHash(named) !== programHash) {
    throw badRequest(
      `program_hash: it is ${named.slice(0, 80)}, and input.compiled_class has the hash ${programHash}`,
    );
  }
  // One published API version has the inputs in task_inputs, the others in input.params, there also as bare felts.
  const given = body.task_inputs ?? body.input.params ?? [];
  const inputs = given.map((input) =>
    typeof input === "string" ? { visibility: "public", value: input } : input,
  );
  const task = parseTask({
    type: "Module",
    programHash,
    inputs,
    injected_state: body.input.injected_state,
  });
  if (compiledClass !== undefined) await database.write(() => programs.put(compiledClass));
  const webhookUrl = body.webhook_url ?? undefined;
  return { edition: "module-tasks", request: { destinationChainId, tasks: [task] }, webhookUrl };
}

function decommitment(body: z.output<typeof decommitmentSchema>): IncomingTask {
  const destinationChainId = destinationOf(body.destination_chain_id);
  const output = body.hdp_output ?? undefined;
  if (output === undefined)
    throw badRequest("hdp_output: this server reads no Atlantic storage. Send the output along");
  const joined = (low: string, high: string): Hex => toWord((BigInt(high) << 128n) + BigInt(low));
  const delivery = {
    taskHash: joined(output.task_hash_low, output.task_hash_high),
    word: joined(output.output_tree_root_low, output.output_tree_root_high),
    programHash: body.program_hash ?? undefined,
  };
  const webhookUrl = body.webhook_url ?? undefined;
  return {
    edition: "module-tasks",
    request: { destinationChainId, tasks: [] },
    webhookUrl,
    delivery,
  };
}

function destinationOf(chain: string | number): ChainIdentifier {
  const text = String(chain);
  const known = chainNamed(text);
  if (known !== undefined) return known;
  throw badRequest(
    `destination_chain_id: "${text.slice(0, 80)}" is not a known chain. Send an id, such as 0xaa36a7`,
  );
}
