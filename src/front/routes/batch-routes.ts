import { toTaskJson } from "../../request/task-request-json.js";
import {
  batchAcceptedSchema,
  batchStatusSchema,
  batchSubmitSchema,
} from "../../service/data-processor/batch-edition.js";
import { acceptTask, polledState, type TaskDesk } from "../accept-task.js";
import { jsonBody } from "../body.js";
import { idempotencyOf } from "../idempotency-keys.js";
import { FrontProblem, jsonReply } from "../front-problem.js";
import { QUERY_KEY, type Route } from "../router.js";
import type { TaskRecord } from "../task-record.js";
import { batchRecordState, batchState } from "../task-states.js";
import { MAX_TASK_BYTES, parsedRequest, TASK_EXAMPLE } from "./task-routes.js";

/** The retired shape: several tasks a batch. */
export function batchRoutes(desk: TaskDesk): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/submit-batch",
      interface: "data processor",
      summary: "Submit a batch of tasks (retired shape)",
      key: QUERY_KEY,
      body: { type: "json", schema: batchSubmitSchema, maxBytes: MAX_TASK_BYTES, example: TASK_EXAMPLE },
      reply: batchAcceptedSchema,
      handle: async (request) => {
        const parsed = parsedRequest(jsonBody(request));
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
      reply: batchStatusSchema,
      handle: ({ params, query }) => {
        const id = params["batchId"] ?? "";
        const record = desk.tasks.find(id);
        if (record === undefined) {
          throw new FrontProblem({ code: "HDP-4519", status: 404, message: `no batch ${id} is known.` });
        }
        const state = polledState(desk, record);
        if (query.get("edition") === "published") return jsonReply(200, publishedRecord(record, state));
        // A name that only an injected fault gives is passed on as it is.
        const isOwn = record.state === state;
        return jsonReply(200, {
          status: isOwn ? batchState(state) : state,
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
        ...toTaskJson(task),
        taskHash: taskHashes[position],
        resultSerialized: record.results[position]?.word ?? null,
      })),
    },
  };
}
