import type { TaskStatus } from "../../request/lifecycle.js";
import {
  type BurstStatus,
  cutAfterAcceptance,
  failsAt,
  type Fault,
  httpBurst,
  lateFinalization,
  reorg,
  stuckAt,
  type SubmissionFault,
  unknownState,
  wrongResult,
} from "./fault.js";

/** Where chance comes from when faults are drawn. */
export interface Dice {
  /** A number from 1 to `limit`. */
  readonly upTo: (limit: number) => number;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
  /** One of the states to be stuck or to fail in. */
  readonly state: () => string;
  readonly seed: number;
}

interface FaultRow {
  /** What a fault waits for: a submission that begins, any call, or results about to be stored. */
  readonly moment: "submission" | "call" | "finalization";
  /** A fault of the kind, as chance has it. */
  readonly random: (dice: Dice) => Fault;
}

const STATUSES: readonly [BurstStatus, ...BurstStatus[]] = [429, 500, 502, 503, 504];

/** Every kind of fault. What those of a submission do to it stands below, for the processor and its front alike. */
export const FAULTS: Readonly<Record<Fault["kind"], FaultRow>> = {
  "stuck-at": { moment: "submission", random: (dice) => stuckAt(dice.state()) },
  "fails-at": { moment: "submission", random: (dice) => failsAt(dice.state(), `chaos ${dice.seed}`) },
  "unknown-state": {
    moment: "submission",
    random: ({ upTo }) => unknownState(`CHAOS_${upTo(1000)}`, upTo(3)),
  },
  "http-burst": { moment: "call", random: ({ pick, upTo }) => httpBurst(pick(STATUSES), upTo(5)) },
  "cut-after-acceptance": { moment: "submission", random: () => cutAfterAcceptance() },
  "wrong-result": {
    moment: "finalization",
    random: ({ upTo }) =>
      wrongResult(
        `0x${upTo(2 ** 32)
          .toString(16)
          .padStart(64, "0")}`,
      ),
  },
  "late-finalization": { moment: "submission", random: ({ upTo }) => lateFinalization(upTo(5)) },
  reorg: { moment: "finalization", random: ({ upTo }) => reorg(upTo(3)) },
};

/** What a fault does to the submission it happens to. */
export interface SubmissionEffect {
  /** Whether it is worked on at once, only after the polls that are answered otherwise, or never. */
  readonly work: "now" | "late" | "never";
  /** What polls are answered in place of its state: the first `polls` of them, or all. */
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
