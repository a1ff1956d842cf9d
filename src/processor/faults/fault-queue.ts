import { chaosFaults, type ChaosOptions } from "./chaos.js";
import { FAULTS } from "./fault-table.js";
import type { BurstStatus, Fault, FinalizationFault, SubmissionFault } from "./fault.js";

const isOfFinalization = (fault: Fault): fault is FinalizationFault => FAULTS[fault.kind].moment === "finalization";

const isOfSubmission = (fault: Fault): fault is SubmissionFault => FAULTS[fault.kind].moment === "submission";

/**
 * Faults waiting for their moment, first in, first out among those of one moment. Shared by everything that
 * misbehaves together: the data processor, its result sink and its HTTP front.
 */
export class FaultQueue {
  #waiting: Fault[] = [];

  public constructor(...faults: readonly Fault[]) {
    this.inject(...faults);
  }

  /** Faults that have not happened yet. */
  public get waiting(): readonly Fault[] {
    return this.#waiting;
  }

  /** Whether the next call is answered with a status in the service's place. */
  public get answersCalls(): boolean {
    return this.#waiting.some(({ kind }) => kind === "http-burst");
  }

  public inject(...faults: readonly Fault[]): void {
    this.#waiting.push(...faults);
  }

  /** Injects `count` faults that follow from the seed; returns them. */
  public chaos(options: ChaosOptions): readonly Fault[] {
    const faults = chaosFaults(options);
    this.inject(...faults);
    return faults;
  }

  public clear(): void {
    this.#waiting = [];
  }

  /** For a submission that begins: what happens to it. */
  public takeForSubmission(): SubmissionFault | undefined {
    return this.#take(isOfSubmission);
  }

  /** For results about to be stored: what happens to them. */
  public takeForFinalization(): FinalizationFault | undefined {
    return this.#take(isOfFinalization);
  }

  /** For any call: the status that answers it in the service's place. Counts the call. */
  public takeForCall(): BurstStatus | undefined {
    const index = this.#waiting.findIndex((fault) => fault.kind === "http-burst" && fault.calls > 0);
    const burst = this.#waiting[index];
    if (burst?.kind !== "http-burst") return undefined;
    this.#waiting.splice(index, 1, ...(burst.calls > 1 ? [{ ...burst, calls: burst.calls - 1 }] : []));
    return burst.status;
  }

  #take<F extends Fault>(isWanted: (fault: Fault) => fault is F): F | undefined {
    const found = this.#waiting.find(isWanted);
    if (found !== undefined) this.#waiting.splice(this.#waiting.indexOf(found), 1);
    return found;
  }
}
