import type { Hex } from "viem";

import { chainIdOf } from "../../request/chains.js";
import type { TaskStatus } from "../../request/lifecycle.js";
import type { ModuleTask, TaskRequest } from "../../request/task.js";
import { ServiceValidationError } from "../errors.js";
import type { HttpRequestParts } from "../http.js";
import {
  moduleTaskAcceptedSchema,
  MODULE_TASK_STATES,
  moduleTaskStatusSchema,
  type ModuleTaskSubmit,
} from "../wire/module-tasks.js";
import { CHECK_SUBMISSIONS, type WireEdition } from "./edition.js";

const KEY = { in: "header", name: "X-API-KEY" } as const;

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
          injected_state: {},
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
