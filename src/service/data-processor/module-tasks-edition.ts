import type { Hex } from "viem";
import { z } from "zod";

import { chainIdOf } from "../../request/chains.js";
import type { TaskStatus } from "../../request/lifecycle.js";
import type { ModuleTask, TaskRequest } from "../../request/task.js";
import type { HttpRequestParts } from "../http/http-client.js";
import { ServiceValidationError } from "../http/service-errors.js";
import { wireHexSchema, wireIdSchema } from "../http/wire.js";
import { CHECK_SUBMISSIONS, type WireEdition } from "./edition.js";

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

const moduleTaskInputSchema = z.object({ visibility: z.enum(["public", "private"]), value: wireHexSchema });

/**
 * Body of `POST /tasks`. Two published editions differ in `destination_chain_id` (hex text or number) and in the form
 * of `params` (hex texts or visibility and value): both are taken.
 */
export const moduleTaskSubmitSchema = z
  .object({
    destination_chain_id: z.union([z.string(), z.number().int()]),
    input: z
      .object({
        params: z.array(z.union([z.string(), moduleTaskInputSchema])).optional(),
        compiled_class: z.record(z.unknown()).optional(),
        injected_state: z.record(z.unknown()).optional(),
        entry_points_by_type: z.record(z.unknown()).optional(),
      })
      .passthrough(),
    program_hash: z.string().nullish(),
    task_inputs: z.array(moduleTaskInputSchema).nullish(),
    webhook_url: z.string().nullish(),
    schedule_mode: z.string().nullish(),
    schedule_tx_hash: z.string().nullish(),
    injected_state_server: z.string().nullish(),
    is_mock: z.boolean().nullish(),
    is_atlantic_mock_hash: z.boolean().nullish(),
    herodotus_cloud_api_key: z.string().nullish(),
  })
  .passthrough();

/** Reply to a new task and to a retry. One published edition leaves out `status`. */
export const moduleTaskAcceptedSchema = z
  .object({ uuid: wireIdSchema, message: z.string().optional(), status: z.string().optional() })
  .passthrough();

export const moduleTaskStatusSchema = z
  .object({
    taskId: z.string().optional(),
    status: z.string().min(1),
    errorMessage: z.string().nullish(),
    updatedAt: z.string().optional(),
  })
  .passthrough();

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

const mmrSchema = z
  .object({
    id: z.string(),
    root: z.string(),
    size: z.string(),
    chain_id: z.string(),
    hashing_function: z.string(),
  })
  .passthrough();

/** `GET /tasks/{uuid}/details`. */
export const moduleTaskDetailsSchema = z
  .object({
    taskId: z.string(),
    ...recordFields,
    outputTreeRootPreimage: z.array(z.string()).nullish(),
    taskInputs: z.unknown(),
    mmrs: z.array(mmrSchema).default([]),
  })
  .passthrough();

/** A row of `GET /tasks`: its id is called `uuid` here. */
const moduleTaskRowSchema = z
  .object({ uuid: z.string(), contractClassHash: z.string().nullish(), ...recordFields })
  .passthrough();

export const moduleTaskListSchema = z
  .object({
    tasks: z.array(moduleTaskRowSchema),
    pagination: z
      .object({
        page: z.number().int(),
        perPage: z.number().int(),
        total: z.number().int(),
        totalPages: z.number().int(),
      })
      .passthrough(),
  })
  .passthrough();

/** Query of `GET /tasks`, as text from the address. */
export const moduleTaskListQuerySchema = z
  .object({
    hdp_tasks_page: z.coerce.number().int().min(1).default(1),
    hdp_tasks_per_page: z.coerce.number().int().min(1).max(100).default(10),
    hdp_tasks_search: z.string().optional(),
  })
  .passthrough();

export const moduleTaskMmrsSchema = z.object({ taskId: z.string(), mmrs: z.array(mmrSchema) }).passthrough();

export const moduleTaskPreimageSchema = z
  .object({ taskId: z.string(), outputPreimage: z.array(z.string()).nullable() })
  .passthrough();

export const moduleTaskTransitionsSchema = z
  .object({
    taskId: z.string(),
    state_transitions: z.array(
      z
        .object({
          id: z.string(),
          task_id: z.string(),
          from_status: z.string().nullable(),
          to_status: z.string(),
          created_at: z.string(),
        })
        .passthrough(),
    ),
  })
  .passthrough();

/** `GET /is-alive`, with 200 when healthy and 503 when not. */
export const moduleTaskHealthSchema = z
  .object({ status: z.string(), database: z.string().optional(), queues: z.string().optional() })
  .passthrough();

export type ModuleTaskSubmit = z.input<typeof moduleTaskSubmitSchema>;
export type ModuleTaskDetails = z.infer<typeof moduleTaskDetailsSchema>;
export type ModuleTaskList = z.infer<typeof moduleTaskListSchema>;
export type ModuleTaskMmrs = z.infer<typeof moduleTaskMmrsSchema>;
export type ModuleTaskPreimage = z.infer<typeof moduleTaskPreimageSchema>;
export type ModuleTaskTransitions = z.infer<typeof moduleTaskTransitionsSchema>;
export type ModuleTaskHealth = z.infer<typeof moduleTaskHealthSchema>;

/** Where calls that act carry the key. */
export const KEY = { in: "header", name: "X-API-KEY" } as const;

export interface ModuleTasksEditionOptions {
  /**
   * The compiled class (CASM) of a program, sent along as `input.compiled_class`. Without it the class is left empty
   * and the service has only `program_hash` to go by; whether it takes that is not published.
   */
  readonly compiledClass?: (programHash: Hex) => Promise<Record<string, unknown>>;
  /** Called by the service when the task ends. */
  readonly webhookUrl?: string;
  /** Further members of the request body, as published: `schedule_mode`, `is_mock`, … */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Edition `module-tasks`: the service's own published documents, one module task per request, snake_case. */
export function moduleTasksEdition(options: ModuleTasksEditionOptions = {}): WireEdition {
  return {
    name: "module-tasks",
    buildSubmit: async (request) => {
      const task = onlyModuleTask(request);
      const json: ModuleTaskSubmit = {
        destination_chain_id: `0x${chainIdOf(request.destinationChainId).toString(16)}`,
        input: {
          params: [],
          compiled_class: (await options.compiledClass?.(task.programHash)) ?? {},
          injected_state: { ...task.injectedState },
        },
        program_hash: task.programHash,
        task_inputs: task.inputs.map(({ visibility, value }) => ({ visibility, value })),
        ...(options.webhookUrl === undefined ? {} : { webhook_url: options.webhookUrl }),
        ...options.extra,
      };
      return { method: "POST", path: ["tasks"], json, key: KEY, once: CHECK_SUBMISSIONS };
    },
    parseSubmit: (body) => ({ id: moduleTaskAcceptedSchema.parse(body).uuid, raw: body }),
    // Reads need no key in the published documents.
    buildStatus: (id) => taskRead(id, "status"),
    parseStatus: (body) => {
      const { status, errorMessage } = moduleTaskStatusSchema.parse(body);
      const detail = errorMessage === undefined || errorMessage === null ? {} : { detail: errorMessage };
      return { name: status, phase: phaseOf(status), ...detail, raw: body };
    },
  };
}

/** A read below one task: `status`, `details`, `mmrs`, … */
export function taskRead(
  id: string,
  what: "status" | "details" | "mmrs" | "output_preimage" | "state_transitions",
): HttpRequestParts {
  return { method: "GET", path: ["tasks", id, what] };
}

export interface TaskListQuery {
  /** From 1. */
  readonly page?: number;
  /** 1 to 100; the service's default is 10. */
  readonly perPage?: number;
  /** Part of a task's id, program hash or program name. */
  readonly search?: string;
}

export function taskList(query: TaskListQuery): HttpRequestParts {
  const entries = [
    ["hdp_tasks_page", query.page],
    ["hdp_tasks_per_page", query.perPage],
    ["hdp_tasks_search", query.search],
  ] as const;
  const given = entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
  return { method: "GET", path: ["tasks"], query: Object.fromEntries(given) };
}

export function taskRetry(id: string): HttpRequestParts {
  const once = `Check with the status of task ${id}: a retry sets it back to Received.`;
  return { method: "POST", path: ["tasks", id, "retry"], key: KEY, once };
}

/** An unhealthy service answers 503 with the same record: that is an answer too. */
export function health(): HttpRequestParts {
  return { method: "GET", path: ["is-alive"], settles: (status, text) => status === 503 && text.startsWith("{") };
}

const KNOWN = new Set<string>(MODULE_TASK_STATES);

function phaseOf(state: string): TaskStatus["phase"] {
  if (state === "TaskDecommitmentCompleted") return "finalized";
  return KNOWN.has(state) && state.endsWith("Failed") ? "failed" : "pending";
}

function onlyModuleTask(request: TaskRequest): ModuleTask {
  const [task] = request.tasks;
  if (task === undefined || request.tasks.length !== 1) {
    throw new ServiceValidationError({
      code: "HDP-2021",
      path: "tasks",
      message: `edition "module-tasks" carries one task per request; this one has ${request.tasks.length}.`,
      hints: ["Submit the tasks one by one, or choose the edition tasks or batch. Nothing was sent."],
    });
  }
  if (task.type !== "Module") {
    throw new ServiceValidationError({
      code: "HDP-2020",
      path: "tasks[0].type",
      message: `edition "module-tasks" carries Module tasks only; this one is ${task.type}.`,
      hints: [
        "The service's published documents know no datalake tasks at this endpoint.",
        'Choose the edition "tasks" (hdp.dataProcessor.edition), or run the task locally. Nothing was sent.',
      ],
    });
  }
  return task;
}
