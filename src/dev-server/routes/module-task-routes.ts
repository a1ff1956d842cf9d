import { chainIdOf } from "../../request/chains.js";
import {
  moduleTaskAcceptedSchema,
  moduleTaskDetailsSchema,
  moduleTaskListQuerySchema,
  moduleTaskListSchema,
  moduleTaskMmrsSchema,
  moduleTaskPreimageSchema,
  moduleTaskTransitionsSchema,
} from "../../service/data-processor/module-tasks-edition.js";
import type { TaskDesk } from "../accept-task.js";
import { parsedAs } from "../body.js";
import { FrontProblem, type FrontRequest, jsonReply } from "../front-problem.js";
import { DATA_PROCESSOR_KEY, type Route, type WireSchema } from "../router.js";
import type { TaskRecord } from "../task-record.js";
import { foundTask } from "./task-routes.js";

/** What the published documents offer beside submitting and status. */
export function moduleTaskRoutes(desk: TaskDesk): readonly Route[] {
  const read = (what: string, summary: string, reply: WireSchema, body: (record: TaskRecord) => object): Route => ({
    method: "GET",
    path: `/tasks/{uuid}/${what}`,
    interface: "data processor",
    summary,
    key: DATA_PROCESSOR_KEY,
    reply,
    handle: async (request) => {
      const record = await foundTask(desk, request);
      return jsonReply(200, { taskId: record.accepted.id, ...body(record) });
    },
  });
  return [
    {
      method: "GET",
      path: "/tasks",
      interface: "data processor",
      summary: "List tasks, newest first",
      key: DATA_PROCESSOR_KEY,
      query: [
        { name: "hdp_tasks_page", summary: "From 1" },
        { name: "hdp_tasks_per_page", summary: "1 to 100, default 10" },
        { name: "hdp_tasks_search", summary: "Part of an id, a program hash or a task hash" },
      ],
      reply: moduleTaskListSchema,
      handle: async (request) => jsonReply(200, await taskList(desk, request)),
    },
    read("details", "Everything known of a task", moduleTaskDetailsSchema, (record) => ({
      ...publishedFields(record),
      outputTreeRootPreimage: record.results[0]?.output ?? null,
      taskInputs: taskInputs(record),
      mmrs: [],
    })),
    read("mmrs", "MMRs used: none, values are proven against block hashes", moduleTaskMmrsSchema, () => ({ mmrs: [] })),
    read(
      "output_preimage",
      "Felts that a module returned, where its runner tells them",
      moduleTaskPreimageSchema,
      (record) => ({ outputPreimage: record.results[0]?.output ?? null }),
    ),
    read("state_transitions", "States that a task passed, oldest first", moduleTaskTransitionsSchema, (record) => ({
      state_transitions: record.transitions.map((transition) => ({ ...transition, task_id: record.accepted.id })),
    })),
    {
      method: "POST",
      path: "/tasks/{uuid}/retry",
      interface: "data processor",
      summary: "Begin a failed task anew",
      key: DATA_PROCESSOR_KEY,
      reply: moduleTaskAcceptedSchema,
      handle: async (request) => {
        const record = await foundTask(desk, request, "uuid");
        if (!desk.tasks.isRetryable(record)) throw notRetryable(record);
        await desk.tasks.retry(record);
        const message = "Task has been queued for retry";
        return jsonReply(200, { message, status: "accepted", uuid: record.accepted.id });
      },
    },
  ];
}

async function taskList(desk: TaskDesk, request: FrontRequest): Promise<unknown> {
  const query = parsedAs(moduleTaskListQuerySchema, Object.fromEntries(request.query));
  const { hdp_tasks_page: page, hdp_tasks_per_page: perPage } = query;
  const search = query.hdp_tasks_search?.toLowerCase();
  const { index } = desk.tasks;
  const found = search === undefined ? index.ids() : await index.idsWhere((record) => searched(record, search));
  const rows = await index.all(found.slice((page - 1) * perPage, page * perPage));
  return {
    tasks: rows.map((record) => ({
      uuid: record.accepted.id,
      contractClassHash: null,
      ...publishedFields(record),
    })),
    pagination: { page, perPage, total: found.length, totalPages: Math.ceil(found.length / perPage) },
  };
}

function searched({ accepted: { id, request, taskHashes } }: TaskRecord, search: string): boolean {
  return [id, ...taskHashes, ...programHashes(request.tasks)].some((text) => text.toLowerCase().includes(search));
}

/** Members that the list and the details have in common. */
function publishedFields(record: TaskRecord): Readonly<Record<string, unknown>> {
  const { request, taskHashes, createdAt } = record.accepted;
  const destination = chainIdOf(request.destinationChainId);
  const sources = new Set(
    request.tasks.flatMap((task) => (task.type === "Module" ? [] : [hexOf(chainIdOf(task.datalake.chainId))])),
  );
  return {
    status: record.state,
    destinationChainId: destination.toString(),
    scheduleMode: null,
    scheduleTxHash: null,
    dataSourceChains: sources.size === 0 ? null : [...sources],
    dataDestinationChain: hexOf(destination),
    hdpCoreProgramHash: null,
    taskHash: taskHashes[0] ?? null,
    programHash: programHashes(request.tasks)[0] ?? null,
    programName: null,
    outputTreeRoot: record.results[0]?.word ?? null,
    createdAt,
    updatedAt: record.updatedAt,
  };
}

function taskInputs({ accepted }: TaskRecord): unknown {
  const [first] = accepted.request.tasks;
  return first?.type === "Module" ? first.inputs : null;
}

function programHashes(tasks: TaskRecord["accepted"]["request"]["tasks"]): string[] {
  return tasks.flatMap((task) => (task.type === "Module" ? [task.programHash] : []));
}

function hexOf(id: bigint): string {
  return `0x${id.toString(16)}`;
}

function notRetryable(record: TaskRecord): FrontProblem {
  return new FrontProblem({
    code: "HDP-4524",
    status: 400,
    message: `task ${record.accepted.id} is in state ${record.state}: only a failed task can be retried.`,
  });
}
