import type { TaskStatus } from "../request/lifecycle.js";
import type { TaskRequest } from "../request/task.js";
import { BATCH_STATES } from "../service/data-processor/editions.js";
import type { ModuleTaskState } from "../service/data-processor/module-tasks-edition.js";
import type { TaskRecord } from "./task-record.js";

/** A stage of the published states, as far as it happens locally. */
type Stage = "DryRun" | "ChainProofsFetch" | "TaskDecommitment";

/**
 * The first stage of a request here: a module is run (and reads what it reads as it runs), a datalake's values are
 * fetched with their proofs. No trace is made and nothing is proven by a prover, so those stages never appear.
 */
function firstStage(request: TaskRequest): Stage {
  return request.tasks.some(({ type }) => type === "Module") ? "DryRun" : "ChainProofsFetch";
}

/**
 * The published states that a task passes as the local data processor reports `status`, oldest first; those it has
 * passed already among them.
 */
export function publishedStates(request: TaskRequest, status: TaskStatus, seen: readonly string[]): ModuleTaskState[] {
  const first = firstStage(request);
  const begun: ModuleTaskState[] = [`${first}Started`];
  const computed: ModuleTaskState[] = [...begun, `${first}Completed`, "TaskDecommitmentStarted"];
  switch (status.name) {
    case "Received":
      return begun;
    case "Sampled":
    case "Computed":
      return computed;
    case "Finalized":
      return [...computed, "TaskDecommitmentCompleted"];
    default:
      return seen.includes("TaskDecommitmentStarted")
        ? [...computed, "TaskDecommitmentFailed"]
        : [...begun, `${first}Failed`];
  }
}

export function isFailure(state: string): boolean {
  return state.endsWith("Failed");
}

/** The published failure for a fault in `state`, which may be a published failure itself or a local state's name. */
export function failureIn(request: TaskRequest, state: string): string {
  if (isFailure(state)) return state;
  return state === "Received" ? `${firstStage(request)}Failed` : "TaskDecommitmentFailed";
}

export function isTerminal(state: string): boolean {
  return state === "TaskDecommitmentCompleted" || isFailure(state);
}

/** A state of the specification's, or for a failure, which it names none for, the published `FAILED`. */
type BatchState = (typeof BATCH_STATES)[number] | "FAILED";

/** How fast the states that do not happen here are played. */
export interface Play {
  /** Milliseconds from one state of a batch to the next; 0: only those that happen are shown. */
  readonly latencyMs: number;
  readonly now: () => number;
}

/**
 * The state that a batch is shown in. Without latency it passes `Opened`, `ProofsFetched` and `Finalized`; with it, all
 * six, one after the other, and none before it has happened: the last three wait for the result's transaction.
 */
export function playedState({ state, transitions }: TaskRecord, { latencyMs, now }: Play): BatchState {
  const reached = batchState(state);
  if (latencyMs === 0 || reached === "FAILED") return reached;
  const begun = transitions.findLast(({ to_status }) => to_status === "Received")?.created_at;
  const steps = begun === undefined ? 0 : Math.floor(Math.max(0, now() - Date.parse(begun)) / latencyMs);
  // Between the fetched proofs and the final state nothing happens here: those states are played.
  const last = BATCH_STATES.length - 1;
  const limit = reached === "ProofsFetched" ? last - 1 : BATCH_STATES.indexOf(reached);
  return BATCH_STATES[Math.min(limit, steps)] ?? reached;
}

/** The specification's state of a batch as far as it happens here; one that a fault plays is that state. */
function batchState(state: string): BatchState {
  const played = BATCH_STATES.find((one) => one === state);
  if (played !== undefined) return played;
  if (state === "TaskDecommitmentCompleted") return "Finalized";
  if (isFailure(state)) return "FAILED";
  return state === "ChainProofsFetchCompleted" || state === "DryRunCompleted" || state === "TaskDecommitmentStarted"
    ? "ProofsFetched"
    : "Opened";
}

/** `status` and `stepState` of the published batch record. */
export function batchRecordState(state: string): { readonly status: string; readonly stepState: string } {
  switch (state) {
    case "Finalized":
      return { status: "DONE", stepState: "COMPLETED" };
    case "FAILED":
      return { status: "FAILED", stepState: "PROCESS_REQUEST_SENT" };
    case "ProofsFetched":
      return { status: "PROCESSING", stepState: "FINALIZATION_TX_SENT" };
    case "CachedMmrRoot":
      return { status: "PROCESSING", stepState: "CACHE_MMR_TX_RECEIVED" };
    case "PieSubmittedToProver":
      return { status: "PROCESSING", stepState: "SHARP_REQUEST_SENT" };
    case "FactRegisteredOnchain":
      return { status: "PROCESSING", stepState: "FACT_HASH_RECEIVED" };
    default:
      return { status: "RECEIVED", stepState: "INITIAL_STATE" };
  }
}
