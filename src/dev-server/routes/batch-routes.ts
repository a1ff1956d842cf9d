import { toDatalakeJson, toTaskJson } from "../../request/parse.js";
import { datalakeCommitment } from "../../request/task-hash.js";
import type { Task } from "../../request/task.js";
import { batchAcceptedSchema, batchStatusSchema, tasksSubmitSchema } from "../../service/data-processor/editions.js";
import { acceptTask, polledState, type TaskDesk } from "../accept-task.js";
import { describedBatchStatus, describedTaskRequest } from "../described-schemas.js";
import { FrontProblem, jsonReply } from "../front-problem.js";
import { idempotencyOf } from "../idempotency-keys.js";
import { checkKey } from "../key-check.js";
import type { FrontLimits } from "../limits.js";
import { QUERY_KEY, type Route } from "../router.js";
import type { TaskRecord } from "../task-record.js";
import { batchRecordState, type Play, playedState } from "../task-states.js";
import { parsedRequest, TASK_EXAMPLE } from "./task-routes.js";

export interface BatchRouteOptions {
  readonly limits: FrontLimits;
  readonly apiKey: string | undefined;
  readonly play: Play;
}

/** The retired shape: several tasks a batch. */
export function batchRoutes(desk: TaskDesk, { limits, apiKey, play }: BatchRouteOptions): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/submit-batch",
      interface: "data processor",
      summary: "Submit a batch of tasks (retired shape)",
      key: QUERY_KEY,
      body: { type: "json", schema: tasksSubmitSchema, described: describedTaskRequest, example: TASK_EXAMPLE },
      reply: batchAcceptedSchema,
      handle: async (request) => {
        const parsed = await parsedRequest(request.json, limits);
        const { record, cut } = await acceptTask(desk, {
          ...{ edition: "batch", ...parsed, idempotency: idempotencyOf(request, "/submit-batch") },
        });
        const reply = jsonReply(200, { batchId: record.accepted.id, taskHashes: record.accepted.taskHashes });
        return cut === undefined ? reply : { ...reply, cut };
      },
    },
    {
      method: "GET",
      path: "/batch-query/{batchId}",
      interface: "data processor",
      summary: "Status of a batch (retired shape)",
      query: [{ name: "edition", summary: '"published": the record of the published documents instead of a state' }],
      optionalKey: QUERY_KEY,
      reply: batchStatusSchema,
      describedReply: describedBatchStatus,
      handle: async ({ params, query, headers }) => {
        const id = params["batchId"] ?? "";
        const record = await desk.tasks.index.find(id);
        if (record === undefined) {
          throw new FrontProblem({ code: "HDP-4519", status: 404, message: `no batch ${id} is known.` });
        }
        // The published record shows what the tasks are; a state shows nothing of them.
        const isPublished = query.get("edition") === "published";
        if (isPublished) checkKey({ headers, query }, QUERY_KEY, apiKey);
        const polled = polledState(desk, record);
        // A name that only an injected fault gives is passed on as it is.
        const state = record.state === polled ? playedState(record, play) : polled;
        if (isPublished) return jsonReply(200, publishedRecord(record, state));
        return jsonReply(200, {
          status: state,
          ...(record.error === undefined ? {} : { errorMessage: record.error }),
        });
      },
    },
  ];
}

function publishedRecord(record: TaskRecord, state: string): unknown {
  const { id, createdAt, request, taskHashes } = record.accepted;
  const { status, stepState } = batchRecordState(state);
  return {
    dataProcessorQuery: {
      id,
      status,
      stepState,
      createdAt,
      completedAt: status === "DONE" ? record.updatedAt : null,
      destinationChainId: request.destinationChainId,
      tasks: request.tasks.map((task, position) => ({
        resultSerialized: record.results[position]?.word ?? null,
        taskHash: taskHashes[position],
        ...publishedTask(task),
      })),
    },
  };
}

/** A task as the published record has it: the members of its datalake and of its function side by side. */
function publishedTask(task: Task): Readonly<Record<string, unknown>> {
  if (task.type === "Module") return toTaskJson(task);
  const { aggregateFnId, aggregateFnCtx } = task.compute;
  return {
    aggregateFn: aggregateFnId,
    datalakeHash: datalakeCommitment(task.datalake),
    operator: aggregateFnCtx?.operator ?? "none",
    valueToCompare: (aggregateFnCtx?.valueToCompare ?? 0n).toString(),
    ...toDatalakeJson(task.datalake),
  };
}
