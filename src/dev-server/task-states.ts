import type { TaskStatus } from "../request/lifecycle.js";
import type { TaskRequest } from "../request/task.js";
import { BATCH_STATES } from "../service/data-processor/editions.js";
import type { ModuleTaskState } from "../service/data-processor/module-tasks-edition.js";

/**
 * The first stage of a request: a module is run (and reads as it runs), the values of a datalake are fetched with their
 * proofs. Nothing is traced or proven by a prover, so those published stages never appear.
 */
function firstStage(request: TaskRequest): "DryRun" | "ChainProofsFetch" {
  return request.tasks.some(({ type }) => type === "Module") ? "DryRun" : "ChainProofsFetch";
}

/**
 * Returns the published states that a task has passed when the local data processor reports `status`, oldest first.
 *
 * @param passed states that it has passed already: they tell in which stage it failed
 */
export function publishedStates(
  request: TaskRequest,
  status: TaskStatus,
  passed: readonly string[],
): readonly ModuleTaskState[] {
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

export function isFailure(state: string): boolean {
  return state.endsWith("Failed");
}

/** Returns the published failure for a fault in `state`: a published failure, or a state of the local data processor. */
export function failureIn(request: TaskRequest, state: string): string {
  if (isFailure(state)) return state;
  return state === "Received" ? `${firstStage(request)}Failed` : "TaskDecommitmentFailed";
}

type BatchState = (typeof BATCH_STATES)[number] | "FAILED";

/**
 * Returns the state of a batch. Without latency it passes `Opened`, `ProofsFetched` and `Finalized`; with it, all six,
 * one after the other, none before it has happened: the last three wait for the result's transaction.
 *
 * @param state of the task: published, or a batch state that a fault plays
 * @param age milliseconds since the task was received
 * @param latency milliseconds from one state to the next
 */
export function batchState(state: string, age: number, latency: number): BatchState {
  const reached = reachedBatchState(state);
  if (latency === 0 || reached === "FAILED") return reached;
  // Between the fetched proofs and the last state nothing happens here: those states follow the clock.
  const last = reached === "ProofsFetched" ? BATCH_STATES.length - 2 : BATCH_STATES.indexOf(reached);
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

interface BatchRecordState {
  readonly status: string;
  readonly stepState: string;
}

const RECEIVED: BatchRecordState = { status: "RECEIVED", stepState: "INITIAL_STATE" };

const RECORD_STATES: Readonly<Record<BatchState, BatchRecordState>> = {
  Opened: RECEIVED,
  ProofsFetched: { status: "PROCESSING", stepState: "FINALIZATION_TX_SENT" },
  CachedMmrRoot: { status: "PROCESSING", stepState: "CACHE_MMR_TX_RECEIVED" },
  PieSubmittedToProver: { status: "PROCESSING", stepState: "SHARP_REQUEST_SENT" },
  FactRegisteredOnchain: { status: "PROCESSING", stepState: "FACT_HASH_RECEIVED" },
  Finalized: { status: "DONE", stepState: "COMPLETED" },
  FAILED: { status: "FAILED", stepState: "PROCESS_REQUEST_SENT" },
};

/** Returns `status` and `stepState` of the published batch record; a name that only a fault gives counts as received. */
export function batchRecordState(state: string): BatchRecordState {
  return new Map<string, BatchRecordState>(Object.entries(RECORD_STATES)).get(state) ?? RECEIVED;
}
