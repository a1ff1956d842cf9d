import type { Hex } from "viem";
import { numberToHex } from "viem/utils";

import { HdpError, inWords, notAllowed } from "../../../errors/hdp-error.js";
import { keysOf } from "../../../base/collections.js";
import { nearest } from "../../../base/text.js";
import type { TaskStatus } from "../../../request/data-processor.js";

/** A status of a service that is overloaded or down. */
export type BurstStatus = 429 | 500 | 502 | 503 | 504;

export type SubmissionFault =
  | { readonly kind: "stuck-at"; readonly state: string }
  | { readonly kind: "fails-at"; readonly state: string; readonly message: string }
  | { readonly kind: "unknown-state"; readonly name: string; readonly polls: number }
  | { readonly kind: "cut-after-acceptance" }
  | { readonly kind: "late-finalization"; readonly polls: number };

/** A fault of the next calls, whatever they request. */
export interface CallFault {
  readonly kind: "http-burst";
  readonly status: BurstStatus;
  readonly calls: number;
}

/** A fault of results that are being stored. */
export type FinalizationFault =
  | { readonly kind: "wrong-result"; readonly word: Hex }
  | { readonly kind: "reorg"; readonly depth: number };

export type Fault = SubmissionFault | CallFault | FinalizationFault;

/** Returns a fault: the next submission is accepted and stays in `state` forever; nothing is computed. */
export function stuckAt(state: string): SubmissionFault {
  return { kind: "stuck-at", state };
}

/** Returns a fault: the next submission is accepted and fails in `state`, with `message` as the reason. */
export function failsAt(state: string, message: string): SubmissionFault {
  return { kind: "fails-at", state, message };
}

/** Returns a fault: the next submission reports an unknown state for `polls` polls, then goes on. */
export function unknownState(name: string, polls = 1): SubmissionFault {
  return { kind: "unknown-state", name, polls };
}

/** Returns a fault: the next `calls` calls, submissions and polls alike, get `status` and are not processed. */
export function httpBurst(status: BurstStatus, calls: number): CallFault {
  return { kind: "http-burst", status, calls };
}

/** Returns a fault: the next submission is accepted and processed; the connection ends before the answer. */
export function cutAfterAcceptance(): SubmissionFault {
  return { kind: "cut-after-acceptance" };
}

/** Returns a fault: the next results are stored with `word` (32 bytes) in place of the first of them. */
export function wrongResult(word: Hex): FinalizationFault {
  return { kind: "wrong-result", word };
}

/** Returns a fault: work on the next submission begins only after `polls` polls, so that its result is late. */
export function lateFinalization(polls: number): SubmissionFault {
  return { kind: "late-finalization", polls };
}

/**
 * Returns a fault: after the next results are stored in the block `depth` below the head, the chain reorganizes: those
 * blocks are replaced by others without the results.
 */
export function reorg(depth: number): FinalizationFault {
  return { kind: "reorg", depth };
}

/** Thrown in place of an answer by an injected fault. */
export class InjectedFaultError extends HdpError {
  /** The HTTP status of the answer, if there was an answer. */
  public readonly status: BurstStatus | undefined;

  public constructor(what: string, status?: BurstStatus) {
    super(inWords("HDP-4901", { what }));
    this.status = status;
  }
}

export interface Dice {
  /** Returns a number from 1 to `limit`. */
  readonly upTo: (limit: number) => number;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
  readonly state: () => string;
  readonly seed: number;
}

interface FaultRow {
  /** The call that triggers the fault: the beginning of a submission, any call, or the storing of results. */
  readonly moment: "submission" | "call" | "finalization";
  readonly random: (dice: Dice) => Fault;
  /** The part after the name in the text form of the fault, with colons. */
  readonly form: string;
  /** Patterns of the parts after the name. */
  readonly parts: readonly string[];
  readonly read: (parts: readonly string[]) => Fault | undefined;
}

const STATUSES: readonly [BurstStatus, ...BurstStatus[]] = [429, 500, 502, 503, 504];

const COUNT = String.raw`[1-9]\d{0,5}`;
const STATE = "[A-Za-z0-9_.-]{1,100}";

/** All kinds of faults. The processor and the development server share the effects, which are defined below. */
export const FAULTS: Readonly<Record<Fault["kind"], FaultRow>> = {
  "stuck-at": {
    moment: "submission",
    random: (dice) => stuckAt(dice.state()),
    form: "<state>",
    parts: [STATE],
    read: ([state = ""]) => stuckAt(state),
  },
  "fails-at": {
    moment: "submission",
    random: (dice) => failsAt(dice.state(), `chaos ${dice.seed}`),
    form: "<state>:<words>",
    parts: [STATE, String.raw`[^]*\S[^]*`],
    read: ([state = "", words = ""]) => failsAt(state, words.trim()),
  },
  "unknown-state": {
    moment: "submission",
    random: ({ upTo }) => unknownState(`CHAOS_${upTo(1000)}`, upTo(3)),
    form: "<name>:<polls>",
    parts: [STATE, COUNT],
    read: ([state = "", polls]) => unknownState(state, Number(polls)),
  },
  "http-burst": {
    moment: "call",
    random: ({ pick, upTo }) => httpBurst(pick(STATUSES), upTo(5)),
    form: `<${STATUSES.join("|")}>:<calls>`,
    parts: [STATUSES.join("|"), COUNT],
    read: ([word, calls]) => {
      const status = STATUSES.find((known) => String(known) === word);
      return status && httpBurst(status, Number(calls));
    },
  },
  "cut-after-acceptance": {
    moment: "submission",
    random: () => cutAfterAcceptance(),
    form: "",
    parts: [],
    read: () => cutAfterAcceptance(),
  },
  "wrong-result": {
    moment: "finalization",
    random: ({ upTo }) => wrongResult(numberToHex(upTo(2 ** 32), { size: 32 })),
    form: "<0x and 64 digits>",
    parts: ["0x[0-9a-fA-F]{64}"],
    read: ([word = ""]) => wrongResult(`0x${word.slice(2)}`),
  },
  "late-finalization": {
    moment: "submission",
    random: ({ upTo }) => lateFinalization(upTo(5)),
    form: "<polls>",
    parts: [COUNT],
    read: ([polls]) => lateFinalization(Number(polls)),
  },
  reorg: {
    moment: "finalization",
    random: ({ upTo }) => reorg(upTo(3)),
    form: "<depth>",
    parts: [COUNT],
    read: ([depth]) => reorg(Number(depth)),
  },
};

/** Parses faults, separated by commas: `http-burst:503:3, stuck-at:CachedMmrRoot`. @throws HdpError HDP-6003 */
export function readFaults(text: string, path: string): Fault[] {
  return text.split(",").map((item) => {
    const [kind = ""] = item.trim().split(":");
    const known = keysOf(FAULTS).find((name) => name === kind);
    const fault = known === undefined ? undefined : faultIn(item.trim(), known);
    if (fault !== undefined) return fault;
    const meant = known ?? nearest(kind, keysOf(FAULTS));
    const allowed = keysOf(FAULTS).map(written).join(", ");
    throw notAllowed(item.trim().slice(0, 100), "a fault", {
      path,
      near: meant && written(meant),
      allowed,
    });
  });
}

function faultIn(text: string, kind: Fault["kind"]): Fault | undefined {
  const { parts, read } = FAULTS[kind];
  const found = new RegExp(`^${[kind, ...parts.map((part) => `(${part})`)].join(":")}$`).exec(text);
  return found === null ? undefined : read(found.slice(1));
}

/** Returns the text of a fault that {@link readFaults} parses. */
export function faultText(fault: Fault): string {
  return Object.values(fault).join(":");
}

/** Returns the text form of a kind: `http-burst:<429|500|502|503|504>:<calls>`. */
function written(kind: Fault["kind"]): string {
  const { form } = FAULTS[kind];
  return form === "" ? kind : `${kind}:${form}`;
}

export interface SubmissionEffect {
  /** When the submission is processed: at once, only after the polls that the fault answers, or never. */
  readonly work: "now" | "late" | "never";
  /** The answer to polls in place of the submission's state: to the first `polls` of them, or to all. */
  readonly seen?: TaskStatus;
  readonly polls?: number;
  /** The connection ends before the submission is answered. */
  readonly cut?: true;
}

export function effectOf(fault: SubmissionFault): SubmissionEffect {
  switch (fault.kind) {
    case "stuck-at":
      return { work: "never", seen: { name: fault.state, phase: "pending" } };
    case "fails-at":
      return { work: "never", seen: { name: fault.state, phase: "failed", detail: fault.message } };
    case "unknown-state":
      return { work: "now", seen: { name: fault.name, phase: "pending" }, polls: fault.polls };
    case "late-finalization":
      return { work: "late", seen: { name: "Received", phase: "pending" }, polls: fault.polls };
    case "cut-after-acceptance":
      return { work: "now", cut: true };
  }
}

/** Returns a generator of numbers in [0, 1), the same for one seed: mulberry32 by Tommy Ettinger, public domain. */
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
export function chaosFaults({
  seed,
  count,
  kinds = keysOf(FAULTS),
  states = STATES,
}: ChaosOptions): Fault[] {
  const random = mulberry32(seed);
  const upTo = (limit: number): number => 1 + Math.floor(random() * limit);
  const pick = <T>(items: readonly [T, ...T[]]): T => items[upTo(items.length) - 1] ?? items[0];
  const dice: Dice = { upTo, pick, state: () => pick(states), seed };
  const [first, ...rest] = kinds;
  if (first === undefined) return [];
  return Array.from({ length: count }, () => FAULTS[pick([first, ...rest])].random(dice));
}

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
