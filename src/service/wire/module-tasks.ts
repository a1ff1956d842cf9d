import { z } from "zod";

import { wireHexSchema, wireIdSchema } from "./common.js";

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

export const moduleTaskInputSchema = z.object({ visibility: z.enum(["public", "private"]), value: wireHexSchema });

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

export const mmrSchema = z
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
export const moduleTaskRowSchema = z
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
