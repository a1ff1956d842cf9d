import type { Hex } from "viem";
import { z } from "zod";

import { numericChainId } from "../../request/chains.js";
import type { TaskStatus } from "../../request/data-processor.js";
import type { ModuleTask, TaskRequest } from "../../request/task.js";
import { toTaskRequestJson } from "../../request/task-json.js";
import { standardProgram } from "../../request/standard-programs.js";
import { endpointCall, DATA_PROCESSOR_KEY } from "../endpoints.js";
import { serviceFailure } from "../http/service-errors.js";
import type { DetailsCall, WireEdition, WireEditionName } from "./edition.js";
import { requireWholeClass } from "./whole-class.js";

/** Returns the schema of an object in a reply, whose unknown members are kept. */
export function open<S extends z.ZodRawShape>(shape: S): z.ZodObject<S, "passthrough"> {
  return z.object(shape).passthrough();
}

/** The schema of a reply that is read as `T`. */
export type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

/** An id that a service has given. */
export const wireIdSchema = z.string().min(1, "expected an id");

const CHECK_SUBMISSIONS =
  "Check in the service's task list or cloud console whether the tasks were accepted; submit again only if not.";

/** A task hash: 32 bytes. Services print it with or without leading zeros. */
const wireTaskHashSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, "expected 0x and at most 64 hex digits")
  .transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase().padStart(64, "0")}`);

/** Stages of a task in the published documents, in order. Each starts, then completes or fails. */
const STAGES = [
  "DryRun",
  "ChainProofsFetch",
  "TraceGen",
  "AtlanticProving",
  "TaskDecommitment",
] as const;

/** States of a task in the published documents, in order. */
export const MODULE_TASK_STATES = [
  "Received",
  ...STAGES.flatMap((stage) => [`${stage}Started`, `${stage}Completed`, `${stage}Failed`] as const),
] as const;

/** A state of a task in the published documents. */
export type ModuleTaskState = (typeof MODULE_TASK_STATES)[number];

type Phases = ReadonlyMap<string, TaskStatus["phase"]>;

const TASK_PHASES: Phases = new Map([
  ["TaskDecommitmentCompleted", "finalized"],
  ...STAGES.map((stage) => [`${stage}Failed`, "failed"] as const),
]);

/** The specification does not name states for `/tasks`; the final state of a batch is accepted as well. */
const SPECIFIED_TASK_PHASES: Phases = new Map([
  ...TASK_PHASES,
  ["Finalized", "finalized"] as const,
]);

/** Returns the status of a state; a state without a phase is pending. Services omit the detail or return null. */
function taskStatus(name: string, phases: Phases, detail: string | null | undefined): TaskStatus {
  return {
    name,
    phase: phases.get(name) ?? "pending",
    ...(typeof detail === "string" && { detail }),
  };
}

/** The service's own hash of a task, as both API versions of `/tasks` publish it. */
const taskDetails: DetailsCall = {
  build: (id) => ({ ...endpointCall("GET /tasks/{uuid}/details", id), key: DATA_PROCESSOR_KEY }),
  parse: (body) =>
    z.object({ taskHash: wireTaskHashSchema.nullish() }).parse(body).taskHash ?? undefined,
};

/** Reply to a new task and to a retry. One published version leaves out `status`. */
export const moduleTaskAcceptedSchema = open({
  uuid: wireIdSchema,
  message: z.string().optional(),
  status: z.string().optional(),
});

/** Reply of `GET /tasks/{uuid}/status`. */
export const moduleTaskStatusSchema = open({
  taskId: z.string().optional(),
  status: z.string().min(1),
  errorMessage: z.string().nullish(),
  updatedAt: z.string().optional(),
});

/** Reply of `POST /tasks`. The specification promises a task UUID; published servers call it `uuid`. */
export const tasksAcceptedSchema = moduleTaskAcceptedSchema.extend({
  taskHashes: z.array(wireTaskHashSchema).optional(),
});

/** API version `tasks`, the default: the specification's current shape. */
export const tasksEdition: WireEdition = {
  name: "tasks",
  buildSubmit: (request) => ({
    ...endpointCall("POST /tasks"),
    json: specificationJson(request),
    once: CHECK_SUBMISSIONS,
  }),
  parseSubmit: (body) => {
    const { uuid: id, taskHashes } = tasksAcceptedSchema.parse(body);
    return { id, taskHashes };
  },
  details: taskDetails,
  buildStatus: (id) => ({
    ...endpointCall("GET /tasks/{uuid}/status", id),
    key: DATA_PROCESSOR_KEY,
  }),
  parseStatus: (body) => {
    const { status, errorMessage } = moduleTaskStatusSchema.parse(body);
    return taskStatus(status, SPECIFIED_TASK_PHASES, errorMessage);
  },
};

/** Returns the request body with the specification's `SN_SEPOLIA`; the identifier here is of published parsers. */
function specificationJson(request: TaskRequest): unknown {
  return JSON.parse(JSON.stringify(toTaskRequestJson(request)), (member, value: unknown) =>
    (member === "destinationChainId" || member === "chainId") && value === "STARKNET_SEPOLIA"
      ? "SN_SEPOLIA"
      : value,
  );
}

const moduleTaskInputSchema = z.object({
  visibility: z.enum(["public", "private"]),
  value: z
    .string()
    .regex(/^0x[0-9a-fA-F]+$/, "expected 0x and hex digits")
    .transform((text): `0x${string}` => `0x${text.slice(2)}`),
});

/** Body of `POST /tasks` in both published versions, which differ in `destination_chain_id` and `params`. */
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

/** Options of {@link moduleTasksEdition}. */
export interface ModuleTasksEditionOptions {
  /**
   * Returns the compiled class (CASM) of a program, sent as `input.compiled_class`; the standard programs' classes are
   * known without it. A task whose class is not known is refused (HDP-2023) before it is sent.
   */
  readonly compiledClass?: (programHash: Hex) => Promise<unknown>;
  /** Returns the address that the service calls when the task has ended. */
  readonly webhookUrl?: (() => Promise<string>) | undefined;
  /** Returns the address of the server of the injected state's tries, which the service asks. */
  readonly injectedStateServer?: (() => Promise<string>) | undefined;
  /** Whether the service mocks the proof. */
  readonly isMock?: boolean | undefined;
  /** The mode in which the service schedules the task; published: `onchain`, `offchain`. */
  readonly scheduleMode?: string | undefined;
  /** Further members of the request body, as published: `webhook_url`, `is_atlantic_mock_hash`, … */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Returns the class of a standard program; undefined for another one. */
async function classOfStandard(programHash: Hex): Promise<unknown> {
  const standard = standardProgram(programHash);
  if (standard === undefined) return undefined;
  const { standardClass } = await import("../../program/standard-classes.js");
  return await standardClass(standard);
}

/** Returns API version `module-tasks`: the service's own published documents, one module task per request, snake_case. */
export function moduleTasksEdition(options: ModuleTasksEditionOptions = {}): WireEdition {
  return {
    name: "module-tasks",
    buildSubmit: async (request, { requestedBy } = {}) => {
      const task = onlyModuleTask(request);
      const { programHash } = task;
      const known = await (standardProgram(programHash) === undefined
        ? options.compiledClass?.(programHash)
        : classOfStandard(programHash));
      const compiledClass = requireWholeClass(programHash, known, "tasks[0].programHash");
      // A program runs with `input.params`; the pages repeat arguments as `task_inputs`, which the details return.
      const inputs = task.inputs.map(({ visibility, value }) => ({ visibility, value }));
      const json: z.input<typeof moduleTaskSubmitSchema> = {
        destination_chain_id: `0x${numericChainId(request.destinationChainId).toString(16)}`,
        input: {
          params: inputs,
          compiled_class: compiledClass,
          injected_state: { ...task.injectedState },
        },
        program_hash: programHash,
        task_inputs: inputs,
        webhook_url: await options.webhookUrl?.(),
        injected_state_server: await options.injectedStateServer?.(),
        is_mock: options.isMock,
        schedule_mode: options.scheduleMode,
        ...options.extra,
        ...scheduleMembers(requestedBy, options.extra?.["schedule_mode"] ?? options.scheduleMode),
      };
      return { ...endpointCall("POST /tasks"), json, once: CHECK_SUBMISSIONS };
    },
    parseSubmit: (body) => ({ id: moduleTaskAcceptedSchema.parse(body).uuid }),
    details: taskDetails,
    // Reads do not need a key in the published documents.
    buildStatus: (id) => endpointCall("GET /tasks/{uuid}/status", id),
    parseStatus: (body) => {
      const { status, errorMessage } = moduleTaskStatusSchema.parse(body);
      return taskStatus(status, TASK_PHASES, errorMessage);
    },
  };
}

/** Returns the members of a task that a transaction asked for: the published modes are `onchain` and `offchain`. */
function scheduleMembers(requestedBy: Hex | undefined, mode: unknown): object {
  if (requestedBy === undefined) return {};
  return { schedule_mode: mode ?? "onchain", schedule_tx_hash: requestedBy };
}

function onlyModuleTask({ tasks }: TaskRequest): ModuleTask {
  const [task, ...others] = tasks;
  if (task === undefined || others.length > 0) {
    const values = {
      allowed: "one task per request",
      found: `${tasks.length} tasks`,
      remedy: "Send them one by one",
    };
    throw serviceFailure("HDP-2020", values, { path: "tasks" });
  }
  if (task.type === "Module") return task;
  const remedy = "Send its module form (asModule of hardhat-hdp/request)";
  const values = { allowed: "Module tasks only", found: `a task of type ${task.type}`, remedy };
  throw serviceFailure("HDP-2020", values, { path: "tasks[0].type" });
}

/** Reply of `POST /submit-batch`. */
export const batchAcceptedSchema = open({
  batchId: wireIdSchema,
  taskHashes: z.array(wireTaskHashSchema),
});

/** The specification's states of a batch, in order. */
export const BATCH_STATES = [
  "Opened",
  "ProofsFetched",
  "CachedMmrRoot",
  "PieSubmittedToProver",
  "FactRegisteredOnchain",
  "Finalized",
] as const;

/** The published record of `GET /batch-query/{batchId}`, as far as it is read. */
const batchRecordSchema = z.object({
  dataProcessorQuery: z.object({
    status: z.string().min(1),
    stepState: z.string().nullish(),
    tasks: z.array(z.record(z.unknown())).optional(),
  }),
});

/** The specification's reply: one of its states, bare or as member `status`. */
const batchStateSchema = z.union([
  z.string().min(1),
  z.object({ status: z.string().min(1), errorMessage: z.string().nullish() }),
]);

/** Phases of the final states in the specification and in the published record's `status`. */
const BATCH_PHASES: Phases = new Map([
  ["Finalized", "finalized"],
  ["DONE", "finalized"],
  ["REJECTED", "failed"],
  ["FAILED", "failed"],
]);

/** API version `batch`: the retired shape, several tasks per batch. */
export const batchEdition: WireEdition = {
  name: "batch",
  buildSubmit: (request) => ({
    ...endpointCall("POST /submit-batch"),
    json: toTaskRequestJson(request),
    once: CHECK_SUBMISSIONS,
  }),
  parseSubmit: (body) => {
    const { batchId: id, taskHashes } = batchAcceptedSchema.parse(body);
    return { id, taskHashes };
  },
  // The specification lists batchId as the only parameter.
  buildStatus: (id) => endpointCall("GET /batch-query/{batchId}", id),
  parseStatus: (body) => {
    const record = batchRecordSchema.safeParse(body).data?.dataProcessorQuery;
    const state =
      record === undefined
        ? batchStateSchema.parse(body)
        : { ...record, errorMessage: record.stepState };
    const { status, errorMessage } =
      typeof state === "string" ? { status: state, errorMessage: null } : state;
    return taskStatus(status, BATCH_PHASES, errorMessage);
  },
  details: {
    build: (id) => endpointCall("GET /batch-query/{batchId}", id),
    parse: (body) => {
      const [task, ...others] =
        batchRecordSchema.safeParse(body).data?.dataProcessorQuery.tasks ?? [];
      return others.length > 0 ? undefined : wireTaskHashSchema.safeParse(task?.["taskHash"]).data;
    },
  },
};

/** API versions by name. The options are for `module-tasks`, which sends the class of a module. */
export const EDITIONS: Readonly<
  Record<WireEditionName, (options: ModuleTasksEditionOptions) => WireEdition>
> = { tasks: () => tasksEdition, batch: () => batchEdition, "module-tasks": moduleTasksEdition };
