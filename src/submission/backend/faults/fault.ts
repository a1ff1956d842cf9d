import type { Hex } from "viem";
import { numberToHex } from "viem/utils";

import { HdpError, inWords } from "../../../errors/hdp-error.js";
import type { TaskStatus } from "../../../request/data-processor.js";

/** A status of a service that is overloaded or down. */
export type BurstStatus = 429 | 500 | 502 | 503 | 504;

/** A fault that one submission has from its acceptance on. */
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

/** A fault that can be injected into a data processor. */
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

/** Random choices from a seed, for faults at random. */
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

interface SubmissionEffect {
  /** When the submission is processed: at once, only after the polls that the fault answers, or never. */
  readonly work: "now" | "late" | "never";
  /** The answer to polls in place of the submission's state: to the first `polls` of them, or to all. */
  readonly seen?: TaskStatus;
  readonly polls?: number;
  /** The connection ends before the submission is answered. */
  readonly cut?: true;
}

/** Returns what a fault does to the work on a submission and to the state that is reported. */
export function faultEffect(fault: SubmissionFault): SubmissionEffect {
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
