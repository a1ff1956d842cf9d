import type { Hex } from "viem";
import { z } from "zod";

import { chainIdOf } from "../../request/chains.js";
import type { TaskStatus } from "../../request/lifecycle.js";
import type { ModuleTask, TaskRequest } from "../../request/task.js";
import type { HttpRequestParts } from "../http/http-client.js";
import { serviceFailure } from "../http/service-errors.js";
import type { WireEdition } from "./edition.js";

/** An object of a reply: unknown members are kept. */
export function open<S extends z.ZodRawShape>(shape: S): z.ZodObject<S, "passthrough"> {
  return z.object(shape).passthrough();
}

/** An id in a reply: not empty. */
export const wireIdSchema = z.string().min(1, "expected an id");

export const CHECK_SUBMISSIONS =
  "Check in the service's task list or cloud console whether the tasks were accepted; submit again only if not.";

/** States of a task in the published documents, in order: each stage starts, then completes or fails. */
export const MODULE_TASK_STATES = [
  "Received",
  "DryRunStarted",
  "DryRunCompleted",
  "DryRunFailed",
  "ChainProofsFetchStarted",
  "ChainProofsFetchCompleted",
  "ChainProofsFetchFailed",
  "TraceGenStarted",
  "TraceGenCompleted",
  "TraceGenFailed",
  "AtlanticProvingStarted",
  "AtlanticProvingCompleted",
  "AtlanticProvingFailed",
  "TaskDecommitmentStarted",
  "TaskDecommitmentCompleted",
  "TaskDecommitmentFailed",
] as const;

export type ModuleTaskState = (typeof MODULE_TASK_STATES)[number];

const moduleTaskInputSchema = z.object({
  visibility: z.enum(["public", "private"]),
  value: z
    .string()
    .regex(/^0x[0-9a-fA-F]+$/, "expected 0x and hex digits")
    .transform((text): `0x${string}` => `0x${text.slice(2)}`),
});

/**
 * Body of `POST /tasks`. Two published versions differ in `destination_chain_id` (hex text or number) and in the form
 * of `params` (hex texts or visibility and value): both are accepted.
 */
export const moduleTaskSubmitSchema = open({
  destination_chain_id: z.union([z.string(), z.number().int()]),
  input: open({
    params: z.array(z.union([z.string(), moduleTaskInputSchema])).optional(),
    compiled_class: z.record(z.unknown()).optional(),
    injected_state: z.record(z.unknown()).optional(),
    entry_points_by_type: z.record(z.unknown()).optional(),
  }),
  program_hash: z.string().nullish(),
  task_inputs: z.array(moduleTaskInputSchema).nullish(),
  webhook_url: z.string().nullish(),
  schedule_mode: z.string().nullish(),
  schedule_tx_hash: z.string().nullish(),
  injected_state_server: z.string().nullish(),
  is_mock: z.boolean().nullish(),
  is_atlantic_mock_hash: z.boolean().nullish(),
  herodotus_cloud_api_key: z.string().nullish(),
});

/** Reply to a new task and to a retry. One published version leaves out `status`. */
export const moduleTaskAcceptedSchema = open({
  uuid: wireIdSchema,
  message: z.string().optional(),
  status: z.string().optional(),
});

export const moduleTaskStatusSchema = open({
  taskId: z.string().optional(),
  status: z.string().min(1),
  errorMessage: z.string().nullish(),
  updatedAt: z.string().optional(),
});

const recordFields = {
  status: z.string(),
  destinationChainId: z.string(),
  scheduleMode: z.string().nullish(),
  scheduleTxHash: z.string().nullish(),
  dataSourceChains: z.array(z.string()).nullish(),
  dataDestinationChain: z.string().nullish(),
  hdpCoreProgramHash: z.string().nullish(),
  taskHash: z.string().nullish(),
  programHash: z.string().nullish(),
  programName: z.string().nullish(),
  outputTreeRoot: z.string().nullish(),
  createdAt: z.string(),
  updatedAt: z.string(),
};

const mmrSchema = open({
  id: z.string(),
  root: z.string(),
  size: z.string(),
  chain_id: z.string(),
  hashing_function: z.string(),
});

/** `GET /tasks/{uuid}/details`. */
export const moduleTaskDetailsSchema = open({
  taskId: z.string(),
  ...recordFields,
  outputTreeRootPreimage: z.array(z.string()).nullish(),
  taskInputs: z.unknown(),
  mmrs: z.array(mmrSchema).default([]),
});

/** A row of `GET /tasks`, in which the id is named `uuid`. */
const moduleTaskRowSchema = open({ uuid: z.string(), contractClassHash: z.string().nullish(), ...recordFields });

export const moduleTaskListSchema = open({
  tasks: z.array(moduleTaskRowSchema),
  pagination: open({
    page: z.number().int(),
    perPage: z.number().int(),
    total: z.number().int(),
    totalPages: z.number().int(),
  }),
});

/** Query of `GET /tasks`, as text from the address. */
export const moduleTaskListQuerySchema = open({
  hdp_tasks_page: z.coerce.number().int().min(1).default(1),
  hdp_tasks_per_page: z.coerce.number().int().min(1).max(100).default(10),
  hdp_tasks_search: z.string().optional(),
});

export const moduleTaskMmrsSchema = open({ taskId: z.string(), mmrs: z.array(mmrSchema) });

export const moduleTaskPreimageSchema = open({ taskId: z.string(), outputPreimage: z.array(z.string()).nullable() });

export const moduleTaskTransitionsSchema = open({
  taskId: z.string(),
  state_transitions: z.array(
    open({
      id: z.string(),
      task_id: z.string(),
      from_status: z.string().nullable(),
      to_status: z.string(),
      created_at: z.string(),
    }),
  ),
});

/** `GET /is-alive`, with 200 when healthy and 503 when not. */
export const moduleTaskHealthSchema = open({
  status: z.string(),
  database: z.string().optional(),
  queues: z.string().optional(),
});

export type ModuleTaskDetails = z.infer<typeof moduleTaskDetailsSchema>;
export type ModuleTaskList = z.infer<typeof moduleTaskListSchema>;
export type ModuleTaskMmrs = z.infer<typeof moduleTaskMmrsSchema>;
export type ModuleTaskPreimage = z.infer<typeof moduleTaskPreimageSchema>;
export type ModuleTaskTransitions = z.infer<typeof moduleTaskTransitionsSchema>;
export type ModuleTaskHealth = z.infer<typeof moduleTaskHealthSchema>;

/** Placement of the key in calls with side effects. */
export const KEY = { in: "header", name: "X-API-KEY" } as const;

export interface ModuleTasksEditionOptions {
  /**
   * Returns the compiled class (CASM) of a program, sent as `input.compiled_class`. By default the class is empty and
   * the service has only `program_hash`; whether it accepts such a request is not published.
   */
  readonly compiledClass?: (programHash: Hex) => Promise<Record<string, unknown>>;
  /** Returns the address that the service calls when the task has ended. */
  readonly webhookUrl?: (() => Promise<string>) | undefined;
  /** Further members of the request body, as published: `webhook_url`, `schedule_mode`, `is_mock`, … */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A task hash: 32 bytes. Services print it with or without leading zeros. */
export const wireTaskHashSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, "expected 0x and at most 64 hex digits")
  .transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase().padStart(64, "0")}`);

/** The service's own hash of a task, as both API versions of `/tasks` publish it. */
export const taskDetails: Required<Pick<WireEdition, "buildDetails" | "parseDetails">> = {
  buildDetails: (id) => ({ ...taskRead(id, "details"), key: KEY }),
  parseDetails: (body) => open({ taskHash: wireTaskHashSchema.nullish() }).parse(body).taskHash ?? undefined,
};

/** API version `module-tasks`: the service's own published documents, one module task per request, snake_case. */
export function moduleTasksEdition(options: ModuleTasksEditionOptions = {}): WireEdition {
  return {
    name: "module-tasks",
    buildSubmit: async (request) => {
      const task = onlyModuleTask(request);
      const json: z.input<typeof moduleTaskSubmitSchema> = {
        destination_chain_id: `0x${chainIdOf(request.destinationChainId).toString(16)}`,
        input: {
          params: [],
          compiled_class: (await options.compiledClass?.(task.programHash)) ?? {},
          injected_state: { ...task.injectedState },
        },
        program_hash: task.programHash,
        task_inputs: task.inputs.map(({ visibility, value }) => ({ visibility, value })),
        ...(options.webhookUrl && { webhook_url: await options.webhookUrl() }),
        ...options.extra,
      };
      return { method: "POST", path: ["tasks"], json, key: KEY, once: CHECK_SUBMISSIONS };
    },
    parseSubmit: (body) => ({ id: moduleTaskAcceptedSchema.parse(body).uuid, raw: body }),
    ...taskDetails,
    // Reads do not need a key in the published documents.
    buildStatus: (id) => taskRead(id, "status"),
    parseStatus: (body) => {
      const { status, errorMessage } = moduleTaskStatusSchema.parse(body);
      return { ...statusOf(status, phaseOf(status), errorMessage), raw: body };
    },
  };
}

/** Returns the request of a read below one task: `status`, `details`, `mmrs`, … */
export function taskRead(
  id: string,
  what: "status" | "details" | "mmrs" | "output_preimage" | "state_transitions",
): HttpRequestParts {
  return { method: "GET", path: ["tasks", id, what] };
}

/** Returns the status of a state. Services omit the detail or return null. */
export function statusOf(name: string, phase: TaskStatus["phase"], detail: string | null | undefined): TaskStatus {
  return { name, phase, ...(detail === undefined || detail === null ? {} : { detail }) };
}

/** Returns the phase of a published state. Unknown states are pending. */
export function phaseOf(state: string): TaskStatus["phase"] {
  const known = MODULE_TASK_STATES.find((one) => one === state);
  if (known === "TaskDecommitmentCompleted") return "finalized";
  return known?.endsWith("Failed") === true ? "failed" : "pending";
}

function onlyModuleTask({ tasks }: TaskRequest): ModuleTask {
  const [task, ...others] = tasks;
  if (task === undefined || others.length > 0) {
    const values = { allowed: "one task per request", found: `${tasks.length} tasks` };
    throw serviceFailure("HDP-2020", values, { path: "tasks" });
  }
  if (task.type === "Module") return task;
  const values = { allowed: "Module tasks only", found: `a task of type ${task.type}` };
  throw serviceFailure("HDP-2020", values, { path: "tasks[0].type" });
}
