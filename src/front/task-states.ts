import type { TaskStatus } from "../request/lifecycle.js";
import type { TaskRequest } from "../request/task.js";
import type { BATCH_STATES } from "../service/data-processor/batch-edition.js";
import type { ModuleTaskState } from "../service/data-processor/module-tasks-edition.js";

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

/** Those of the specification's states that a batch passes here. */
type BatchState = Extract<(typeof BATCH_STATES)[number], "Opened" | "ProofsFetched" | "Finalized"> | "FAILED";

/** The specification's state of a batch; it names none for a failure, there it is the published `FAILED`. */
export function batchState(state: string): BatchState {
  if (state === "TaskDecommitmentCompleted") return "Finalized";
  if (isFailure(state)) return "FAILED";
  return state === "ChainProofsFetchCompleted" || state === "DryRunCompleted" || state === "TaskDecommitmentStarted"
    ? "ProofsFetched"
    : "Opened";
}

/** `status` and `stepState` of the published batch record. */
export function batchRecordState(state: string): { readonly status: string; readonly stepState: string } {
  switch (batchState(state)) {
    case "Finalized":
      return { status: "DONE", stepState: "COMPLETED" };
    case "FAILED":
      return { status: "FAILED", stepState: "PROCESS_REQUEST_SENT" };
    case "ProofsFetched":
      return { status: "PROCESSING", stepState: "FINALIZATION_TX_SENT" };
    case "Opened":
      return { status: "RECEIVED", stepState: "INITIAL_STATE" };
  }
}
