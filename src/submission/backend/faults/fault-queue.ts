import {
  type BurstStatus,
  type Fault,
  FAULTS,
  type FinalizationFault,
  type SubmissionFault,
} from "./fault.js";

const isOfFinalization = (fault: Fault): fault is FinalizationFault =>
  FAULTS[fault.kind].moment === "finalization";

const isOfSubmission = (fault: Fault): fault is SubmissionFault =>
  FAULTS[fault.kind].moment === "submission";

/** Faults that have not happened yet, first in, first out for each kind of call, shared by processor, sink, server. */
export class FaultQueue {
  #waiting: Fault[] = [];

  public constructor(...faults: readonly Fault[]) {
    this.inject(...faults);
  }

  public get waiting(): readonly Fault[] {
    return this.#waiting;
  }

  /** Whether a fault answers the next call in the service's place. */
  public get answersCalls(): boolean {
    return this.#waiting.some(({ kind }) => kind === "http-burst");
  }

  public inject(...faults: readonly Fault[]): void {
    this.#waiting.push(...faults);
  }

  public clear(): void {
    this.#waiting = [];
  }

  public remove(fault: Fault): void {
    this.#waiting = this.#waiting.filter((one) => one !== fault);
  }

  public takeForSubmission(): SubmissionFault | undefined {
    return this.#take(isOfSubmission);
  }

  public takeForFinalization(): FinalizationFault | undefined {
    return this.#take(isOfFinalization);
  }

  /** Takes the status that answers the next call in the service's place. Counts the call. */
  public takeForCall(): BurstStatus | undefined {
    const index = this.#waiting.findIndex(
      (fault) => fault.kind === "http-burst" && fault.calls > 0,
    );
    const burst = this.#waiting[index];
    if (burst?.kind !== "http-burst") return undefined;
    this.#waiting.splice(
      index,
      1,
      ...(burst.calls > 1 ? [{ ...burst, calls: burst.calls - 1 }] : []),
    );
    return burst.status;
  }

  #take<F extends Fault>(isWanted: (fault: Fault) => fault is F): F | undefined {
    const found = this.#waiting.find(isWanted);
    if (found !== undefined) this.#waiting.splice(this.#waiting.indexOf(found), 1);
    return found;
  }
}
