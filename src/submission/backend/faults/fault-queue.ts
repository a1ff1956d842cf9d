import { keysOf } from "../../../base/collections.js";
import {
  type BurstStatus,
  type Dice,
  type Fault,
  FAULTS,
  type FinalizationFault,
  type SubmissionFault,
} from "./fault.js";

/**
 * Returns a generator of numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed: mulberry32 by Tommy
 * Ettinger, public domain. Not for secrets.
 */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface ChaosOptions {
  /** Seed of the faults: the same seed gives the same faults. */
  readonly seed: number;
  readonly count: number;
  /** Kinds to choose from; default all. */
  readonly kinds?: readonly Fault["kind"][] | undefined;
  /** Names of states to get stuck or fail in, not empty. Default: the states of the local data processor. */
  readonly states?: readonly [string, ...string[]] | undefined;
}

const STATES = ["Received", "Sampled", "Computed"] as const;

/** Returns a sequence of faults, all kinds equally likely. */
export function chaosFaults({ seed, count, kinds = keysOf(FAULTS), states = STATES }: ChaosOptions): Fault[] {
  const random = mulberry32(seed);
  const upTo = (limit: number): number => 1 + Math.floor(random() * limit);
  const pick = <T>(items: readonly [T, ...T[]]): T => items[upTo(items.length) - 1] ?? items[0];
  const dice: Dice = { upTo, pick, state: () => pick(states), seed };
  const [first, ...rest] = kinds;
  if (first === undefined) return [];
  return Array.from({ length: count }, () => FAULTS[pick([first, ...rest])].random(dice));
}

const isOfFinalization = (fault: Fault): fault is FinalizationFault => FAULTS[fault.kind].moment === "finalization";

const isOfSubmission = (fault: Fault): fault is SubmissionFault => FAULTS[fault.kind].moment === "submission";

/**
 * Queue of faults that have not happened yet, first in, first out for each kind of call that a fault waits for. Shared
 * by the data processor, its result sink and the development server.
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

  /** Whether a fault answers the next call in the service's place. */
  public get answersCalls(): boolean {
    return this.#waiting.some(({ kind }) => kind === "http-burst");
  }

  public inject(...faults: readonly Fault[]): void {
    this.#waiting.push(...faults);
  }

  /** Injects `count` faults that are derived from the seed; returns them. */
  public chaos(options: ChaosOptions): readonly Fault[] {
    const faults = chaosFaults(options);
    this.inject(...faults);
    return faults;
  }

  public clear(): void {
    this.#waiting = [];
  }

  /** Removes a fault before it happens. */
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
