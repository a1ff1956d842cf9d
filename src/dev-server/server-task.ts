import type { Hex } from "viem";
import { z } from "zod";

import { formatFelt } from "../base/felt.js";
import {
  identifyChain,
  type ChainIdentifier,
  numericChainId,
  findChainIdentifier,
} from "../request/chains.js";
import { parseTaskRequest } from "../request/parse.js";
import type { TaskStatus } from "../request/data-processor.js";
import type { Task, TaskRequest } from "../request/task.js";
import type { SubmissionView } from "../request/views.js";
import type { ComputedWord } from "../submission/backend/local-data-processor.js";
import { EDITION_NAMES } from "../service/data-processor/edition.js";
import { BATCH_STATES, type ModuleTaskState } from "../service/data-processor/editions.js";

const resultSchema = z.object({
  taskHash: z.string(),
  word: z.string(),
  transactionHash: z.string().optional(),
  /** Decimal. */
  blockNumber: z.string().optional(),
  /** Felts that a module returned. */
  output: z.array(z.string()).optional(),
});
/** A finalized result, as it is kept. */
export type Result = z.infer<typeof resultSchema>;

const wordSchema = z.string().transform((text): Hex => `0x${text.slice(2)}`);

const deliverySchema = z.object({ destinationChainId: z.string(), tasks: z.tuple([]) });

/** A Merkle mountain range, as it is published. */
const mmrSchema = z.object({
  id: z.string(),
  root: z.string(),
  size: z.string(),
  chain_id: z.string(),
  hashing_function: z.enum(["poseidon", "keccak"]),
});

const runOutputSchema = z.object({
  taskHash: wordSchema,
  word: wordSchema,
  programHash: z.string().optional(),
  output: z.array(z.string()).optional(),
  mmrs: z.array(mmrSchema),
});
/** The output of a run, which is delivered where the run could not be. */
export type StoredRunOutput = Readonly<z.infer<typeof runOutputSchema>>;

const storedSchema = z.object({
  id: z.string(),
  /** The shape in which it was submitted. */
  edition: z.enum(EDITION_NAMES),
  taskHashes: z.array(z.string()),
  createdAt: z.string(),
  webhookUrl: z.string().optional(),
  /** Published states, oldest first. */
  transitions: z.array(
    z.object({
      id: z.string(),
      from_status: z.string().nullable(),
      to_status: z.string(),
      created_at: z.string(),
    }),
  ),
  /** In request order, once finalized. */
  results: z.array(resultSchema),
  /** In request order, once computed and where they could not be finalized. */
  computed: z.array(resultSchema).optional(),
  /** Whether a fault has played its state, with nothing computed. */
  wasPlayed: z.boolean().optional(),
  /** Whether a retry repeats the last stage alone. */
  decommitsOnly: z.boolean().optional(),
  /** How it was asked to be scheduled, as submitted. */
  schedule: z
    .object({ mode: z.string().nullable(), transaction: z.string().nullable() })
    .optional(),
  /** Name of the only program, as the registry had it when the task was submitted. */
  programName: z.string().optional(),
  error: z.string().optional(),
  /** The chain and store that its results were finalized in: see `ServerContext.chain`. */
  chain: z.string().optional(),
  /** Attempts to deliver its webhook. */
  webhookAttempts: z.array(z.object({ at: z.string(), answer: z.string() })).optional(),
  /** An externally computed result that is only finalized; the request does not have tasks. */
  delivery: runOutputSchema
    .extend({
      /** Id of the run at the prover. */
      queryId: z.string(),
    })
    .optional(),
});

/** One submission, of one or several tasks. */
export type ServerTask = Readonly<z.infer<typeof storedSchema>> & {
  readonly request: () => TaskRequest;
};

/** What a task is computed from, or what of it is delivered without being computed. */
export interface TaskContent {
  readonly request: () => TaskRequest;
  readonly delivery?: ServerTask["delivery"];
  readonly computed?: ServerTask["computed"];
  readonly decommitsOnly?: ServerTask["decommitsOnly"];
}

/** Returns a task from its JSON in the database. @param request reads its request, which may be long */
export function storedTask(text: string, request: () => string): ServerTask {
  let parsed: TaskRequest | undefined;
  return {
    ...storedSchema.parse(JSON.parse(text)),
    request: () => (parsed ??= storedRequest(JSON.parse(request()))),
  };
}

/** Returns a stored request. The request of a delivery has no tasks, which `parseTaskRequest` refuses. */
function storedRequest(json: unknown): TaskRequest {
  const delivery = deliverySchema.safeParse(json).data;
  const destinationChainId = delivery && findChainIdentifier(delivery.destinationChainId);
  return destinationChainId === undefined
    ? parseTaskRequest(json)
    : { destinationChainId, tasks: [] };
}

/** Returns the chain of a name or a number; undefined for an unknown one. */
export function chainNamed(text: string): ChainIdentifier | undefined {
  return /^(0x[0-9a-fA-F]+|\d+)$/.test(text)
    ? identifyChain(BigInt(text))
    : findChainIdentifier(text);
}

/** Returns the last published state of a task. */
export function currentState({ transitions }: ServerTask): string {
  return transitions.at(-1)?.to_status ?? "Received";
}

/** Returns the time at which a task was last received or retried, in milliseconds. */
export function receivedAt({ transitions, createdAt }: ServerTask): number {
  return Date.parse(
    transitions.findLast(({ to_status }) => to_status === "Received")?.created_at ?? createdAt,
  );
}

/** Returns when a task last changed its state, in ISO 8601. */
export function updatedAt({ transitions, createdAt }: ServerTask): string {
  return transitions.at(-1)?.created_at ?? createdAt;
}

/** Returns the program hashes of a task's modules. */
export function moduleHashes({ request, delivery }: TaskContent): string[] {
  if (delivery?.programHash !== undefined) return [delivery.programHash];
  return request().tasks.flatMap((task) => (task.type === "Module" ? [task.programHash] : []));
}

interface StoredWord extends ComputedWord {
  /** The transaction that finalized it. */
  readonly transactionHash?: Hex;
  readonly blockNumber?: bigint;
}

/** Returns a result of the data processor as it is kept. */
export function storedResult({
  taskHash: hash,
  word,
  transactionHash,
  blockNumber,
  output,
}: StoredWord): Result {
  return {
    taskHash: hash,
    word,
    transactionHash,
    blockNumber: blockNumber?.toString(),
    output: output?.map(formatFelt),
  };
}

/** Returns the common members of the published list and details. Members of a single task are null for several. */
export function publishedFields(task: ServerTask): Readonly<Record<string, unknown>> {
  const { destinationChainId, tasks } = task.request();
  const destination = numericChainId(destinationChainId);
  const isOne = task.taskHashes.length === 1;
  const sources = new Set(
    tasks.flatMap((one) => (one.type === "Module" ? [] : [chainHex(one.datalake.chainId)])),
  );
  return {
    status: currentState(task),
    destinationChainId: destination.toString(),
    scheduleMode: task.schedule?.mode ?? null,
    scheduleTxHash: task.schedule?.transaction ?? null,
    dataSourceChains: sources.size === 0 ? null : [...sources],
    dataDestinationChain: chainHex(destinationChainId),
    hdpCoreProgramHash: null,
    taskHash: (isOne ? task.taskHashes[0] : undefined) ?? null,
    programHash: (isOne ? moduleHashes(task)[0] : undefined) ?? null,
    programName: task.programName ?? null,
    outputTreeRoot: (isOne ? task.results[0]?.word : undefined) ?? null,
    createdAt: task.createdAt,
    updatedAt: updatedAt(task),
  };
}

function chainHex(chain: ChainIdentifier): string {
  return formatFelt(numericChainId(chain));
}

/** Returns the number of tasks and inputs of a request, which its memory is proportional to. */
export function countParts({ tasks }: TaskRequest): number {
  const injected = (task: Task): number =>
    task.type === "Module" ? task.inputs.length + Object.keys(task.injectedState ?? {}).length : 0;
  return tasks.reduce((sum, task) => sum + 1 + injected(task), 0);
}

/** Returns the first stage of a request: the run of a module, which includes its reads, or the fetch of a datalake. */
function firstStage(request: TaskRequest): "DryRun" | "ChainProofsFetch" {
  return request.tasks.some(({ type }) => type === "Module") ? "DryRun" : "ChainProofsFetch";
}

/** Returns the published states up to a status of the local data processor. Those that were `passed` place a failure. */
export function publishedStates(
  task: TaskContent,
  status: TaskStatus,
  passed: readonly string[],
): readonly ModuleTaskState[] {
  const request = task.request();
  if (request.tasks.length === 0 || task.decommitsOnly === true) return deliveryStates(status);
  const first = firstStage(request);
  const begun = [`${first}Started`] as const;
  const computed = [...begun, `${first}Completed`, "TaskDecommitmentStarted"] as const;
  switch (status.name) {
    case "Received":
      return begun;
    case "Sampled":
    case "Computed":
      return computed;
    case "Finalized":
      return [...computed, "TaskDecommitmentCompleted"];
    default:
      return passed.includes("TaskDecommitmentStarted")
        ? [...computed, "TaskDecommitmentFailed"]
        : [...begun, `${first}Failed`];
  }
}

/** Returns the states of a result that was computed elsewhere. */
function deliveryStates({ phase }: TaskStatus): readonly ModuleTaskState[] {
  if (phase === "pending") return ["TaskDecommitmentStarted"];
  return [
    "TaskDecommitmentStarted",
    phase === "failed" ? "TaskDecommitmentFailed" : "TaskDecommitmentCompleted",
  ];
}

/** Returns whether a published state is that of a failed task. */
export function isFailure(state: string): boolean {
  return state.endsWith("Failed");
}

/** Returns whether a task is finalized or has failed. */
export function hasEnded(task: ServerTask): boolean {
  const state = currentState(task);
  return isFailure(state) || state === "TaskDecommitmentCompleted";
}

/** Returns whether a task is under way, finalized or failed. */
export function currentPhase(task: ServerTask): SubmissionView["phase"] {
  if (!hasEnded(task)) return "pending";
  return isFailure(currentState(task)) ? "failed" : "finalized";
}

/** Title of a submission of a result that was computed elsewhere: its request has no tasks. */
export const DELIVERED_TITLE = "result that was computed elsewhere";

/** Returns the published failure for a fault in `state`: a published failure, or a state of the local data processor. */
export function failureIn(request: TaskRequest, state: string): string {
  if (isFailure(state)) return state;
  return state === "Received" ? `${firstStage(request)}Failed` : "TaskDecommitmentFailed";
}

type BatchState = (typeof BATCH_STATES)[number] | "FAILED";

/**
 * Returns the state of a batch, `age` milliseconds after it was received. Without latency it passes `Opened`,
 * `ProofsFetched` and `Finalized`; with latency all six, of which the last three wait for the result's transaction.
 */
export function batchState(state: string, age: number, latency: number): BatchState {
  const reached = reachedBatchState(state);
  if (latency === 0 || reached === "FAILED") return reached;
  // The states between the fetched proofs and the last one follow the clock only.
  const last =
    reached === "ProofsFetched" ? BATCH_STATES.length - 2 : BATCH_STATES.indexOf(reached);
  return BATCH_STATES[Math.min(last, Math.floor(Math.max(0, age) / latency))] ?? reached;
}

function reachedBatchState(state: string): BatchState {
  const played = BATCH_STATES.find((one) => one === state);
  if (played !== undefined) return played;
  if (state === "TaskDecommitmentCompleted") return "Finalized";
  if (isFailure(state)) return "FAILED";
  return ["ChainProofsFetchCompleted", "DryRunCompleted", "TaskDecommitmentStarted"].includes(state)
    ? "ProofsFetched"
    : "Opened";
}
