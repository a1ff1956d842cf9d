import { z } from "zod";

import { parseTaskRequest } from "../../request/parse.js";
import type { TaskRequest } from "../../request/task.js";
import { tasksAcceptedSchema, tasksStatusSchema, tasksSubmitSchema } from "../../service/data-processor/editions.js";
import { moduleTaskSubmitSchema } from "../../service/data-processor/module-tasks-edition.js";
import { type Acceptance, acceptTask, polledState, type TaskDesk } from "../accept-task.js";
import { parsedAs } from "../body.js";
import { describedTaskRequest, describedTaskStatus } from "../described-schemas.js";
import { FrontProblem, type FrontReply, type FrontRequest, jsonReply, refusalOf } from "../front-problem.js";
import { idempotencyOf } from "../idempotency-keys.js";
import { checkKey } from "../key-check.js";
import { checkTaskCount, type FrontLimits } from "../limits.js";
import type { ProgramStore } from "../program-store.js";
import { DATA_PROCESSOR_KEY, type Route } from "../router.js";
import type { TaskRecord } from "../task-record.js";
import { moduleTaskRequest } from "./module-task-request.js";

/** A request that works on every chain that has begun: what descriptions offer to send. */
export const TASK_EXAMPLE = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [
    {
      type: "DatalakeCompute",
      datalake: {
        type: "BlockSampled",
        chainId: "ETHEREUM_SEPOLIA",
        blockRangeStart: 0,
        blockRangeEnd: 0,
        increment: 1,
        sampledProperty: "header.gas_limit",
      },
      compute: { aggregateFnId: "avg" },
    },
  ],
} as const;

export interface TaskRouteOptions {
  readonly desk: TaskDesk;
  readonly programs: ProgramStore;
  readonly limits: FrontLimits;
  readonly apiKey: string | undefined;
}

/** `POST /tasks` in both shapes, told apart by their members, and the status of a task. */
export function taskRoutes({ desk, programs, limits, apiKey }: TaskRouteOptions): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/tasks",
      interface: "data processor",
      summary: "Submit tasks: the specification's body, or one module task in the published snake_case body",
      key: DATA_PROCESSOR_KEY,
      body: {
        type: "json",
        schema: z.union([tasksSubmitSchema, moduleTaskSubmitSchema]),
        described: z.union([describedTaskRequest, moduleTaskSubmitSchema]),
        mayHaveClass: true,
        example: TASK_EXAMPLE,
      },
      reply: tasksAcceptedSchema,
      handle: async (request) => {
        const { json, compiledClass } = request;
        const idempotency = idempotencyOf(request, "/tasks");
        if (isModuleTaskBody(json)) {
          const parsed = await moduleTaskRequest(parsedAs(moduleTaskSubmitSchema, json), compiledClass, programs);
          return accepted(await acceptTask(desk, { edition: "module-tasks", ...parsed, idempotency }), false);
        }
        return accepted(
          await acceptTask(desk, { edition: "tasks", ...(await parsedRequest(json, limits)), idempotency }),
          true,
        );
      },
    },
    {
      method: "GET",
      path: "/tasks/{uuid}/status",
      interface: "data processor",
      summary: "Status of a task. Needs the key for tasks in the specification's shape",
      optionalKey: DATA_PROCESSOR_KEY,
      reply: tasksStatusSchema,
      describedReply: describedTaskStatus,
      handle: async (request) => {
        const record = await foundTask(desk, request);
        // The published documents read module tasks without a key; the specification's shape sends it always.
        if (record.accepted.edition === "tasks") checkKey(request, DATA_PROCESSOR_KEY, apiKey);
        return jsonReply(200, {
          taskId: record.accepted.id,
          status: polledState(desk, record),
          errorMessage: record.error ?? null,
          updatedAt: record.updatedAt,
        });
      },
    },
  ];
}

/** The task of a path. @throws FrontProblem HDP-4519 (404) with the published body. */
export async function foundTask(
  desk: TaskDesk,
  { params }: FrontRequest,
  idMember: "taskId" | "uuid" = "taskId",
): Promise<TaskRecord> {
  const id = params["uuid"] ?? "";
  const record = await desk.tasks.index.find(id);
  if (record !== undefined) return record;
  throw new FrontProblem({
    code: "HDP-4519",
    status: 404,
    message: `no task ${id} is known.`,
    body: { error: "Task not found", [idMember]: id },
  });
}

/**
 * The specification's request body, and the webhook it may carry beside.
 *
 * @throws FrontProblem 400 with every mistake, each with its path.
 */
export async function parsedRequest(
  body: unknown,
  limits: FrontLimits,
): Promise<{ readonly request: TaskRequest; readonly webhookUrl?: string }> {
  checkTaskCount(body, limits);
  parsedAs(tasksSubmitSchema, body);
  const { webhook_url: webhookUrl, ...specified } = parsedAs(webhookSchema, body);
  try {
    const request = parseTaskRequest(specified, { maxMistakes: limits.mistakes });
    return typeof webhookUrl === "string" ? { request, webhookUrl } : { request };
  } catch (error) {
    throw refusalOf(error);
  }
}

const webhookSchema = z.object({ webhook_url: z.string().nullish() }).passthrough();

function accepted({ record, cut }: Acceptance, withHashes: boolean): FrontReply {
  const { id, taskHashes } = record.accepted;
  const reply = jsonReply(200, {
    message: "Task has been queued for processing",
    status: "accepted",
    uuid: id,
    ...(withHashes ? { taskHashes } : {}),
  });
  return cut === undefined ? reply : { ...reply, cut };
}

function isModuleTaskBody(body: unknown): boolean {
  return typeof body === "object" && body !== null && ("destination_chain_id" in body || "input" in body);
}
