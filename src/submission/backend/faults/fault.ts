import type { Hex } from "viem";

import { keysOf } from "../../../base/collections.js";
import { nearest } from "../../../base/text.js";
import { HdpError, hdpError, inWords } from "../../../errors/hdp-error.js";
import type { TaskStatus } from "../../../request/lifecycle.js";

/** A status that a service answers while it is overloaded or down. */
export type BurstStatus = 429 | 500 | 502 | 503 | 504;

/** Something that goes wrong with one submission. */
export type SubmissionFault =
  | { readonly kind: "stuck-at"; readonly state: string }
  | { readonly kind: "fails-at"; readonly state: string; readonly message: string }
  | { readonly kind: "unknown-state"; readonly name: string; readonly polls: number }
  | { readonly kind: "cut-after-acceptance" }
  | { readonly kind: "late-finalization"; readonly polls: number };

/** Something that goes wrong with the next calls, whatever they ask. */
export interface CallFault {
  readonly kind: "http-burst";
  readonly status: BurstStatus;
  readonly calls: number;
}

/** Something that goes wrong as results are stored. */
export type FinalizationFault =
  { readonly kind: "wrong-result"; readonly word: Hex } | { readonly kind: "reorg"; readonly depth: number };

/** One misbehaviour of a data processor. */
export type Fault = SubmissionFault | CallFault | FinalizationFault;

/** The next submission is accepted and stays in `state` for ever; nothing is computed. */
export function stuckAt(state: string): SubmissionFault {
  return { kind: "stuck-at", state };
}

/** The next submission is accepted and fails in `state`, with `message` as the data processor's words. */
export function failsAt(state: string, message: string): SubmissionFault {
  return { kind: "fails-at", state, message };
}

/** The next submission reports a state that nobody knows for `polls` polls, then goes on. */
export function unknownState(name: string, polls = 1): SubmissionFault {
  return { kind: "unknown-state", name, polls };
}

/** The next `calls` calls, submissions and polls alike, are answered with `status` and go no further. */
export function httpBurst(status: BurstStatus, calls: number): CallFault {
  return { kind: "http-burst", status, calls };
}

/** The next submission is accepted and worked on, but the connection ends before the answer arrives. */
export function cutAfterAcceptance(): SubmissionFault {
  return { kind: "cut-after-acceptance" };
}

/** The next results are stored with `word` (32 bytes) in the place of the first of them. */
export function wrongResult(word: Hex): FinalizationFault {
  return { kind: "wrong-result", word };
}

/** Work on the next submission begins only after it was polled `polls` times: its result is later than awaited. */
export function lateFinalization(polls: number): SubmissionFault {
  return { kind: "late-finalization", polls };
}

/**
 * After the next results are stored, in the block `depth` below the head, the chain goes another way: those blocks are
 * replaced by others without the results.
 */
export function reorg(depth: number): FinalizationFault {
  return { kind: "reorg", depth };
}

/** Thrown in place of an answer by an injected fault. */
export class InjectedFaultError extends HdpError {
  /** The HTTP status that answered, where one did. */
  public readonly status: BurstStatus | undefined;
  /** Whether the data processor certainly did not accept the request. A 5xx does not say whether a proxy passed it on. */
  public readonly isRefusal: boolean;

  private constructor(what: string, status?: BurstStatus) {
    super(inWords("HDP-4901", { what }));
    this.status = status;
    this.isRefusal = status === 429;
  }

  public static cut(): InjectedFaultError {
    return new InjectedFaultError("the connection ended before the answer arrived");
  }

  public static burst(status: BurstStatus): InjectedFaultError {
    return new InjectedFaultError(`the data processor answered ${status}`, status);
  }

  /** For a chain that cannot be reverted. */
  public static noReorganisation(cause: unknown): InjectedFaultError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new InjectedFaultError(`the chain cannot be reorganised: ${reason}`);
  }
}

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
  /** What follows its name, with colons, where it is written as text. */
  readonly form: string;
  /** The fault of such parts; undefined where they are none. */
  readonly read: (parts: readonly string[]) => Fault | undefined;
}

const STATUSES: readonly [BurstStatus, ...BurstStatus[]] = [429, 500, 502, 503, 504];

/** A whole number from 1 to a million: how often, or how deep. */
function countIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

/** The name of a state, known or not. */
function stateIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z0-9_.-]{1,100}$/.test(text) ? text : undefined;
}

/** Every kind of fault. What those of a submission do to it stands below, for the processor and the development server alike. */
export const FAULTS: Readonly<Record<Fault["kind"], FaultRow>> = {
  "stuck-at": {
    moment: "submission",
    random: (dice) => stuckAt(dice.state()),
    form: "<state>",
    read: ([name, ...more]) => {
      const state = stateIn(name);
      return state === undefined || more.length > 0 ? undefined : stuckAt(state);
    },
  },
  "fails-at": {
    moment: "submission",
    random: (dice) => failsAt(dice.state(), `chaos ${dice.seed}`),
    form: "<state>:<words>",
    read: ([name, ...words]) => {
      const state = stateIn(name);
      const message = words.join(":").trim();
      return state === undefined || message === "" ? undefined : failsAt(state, message);
    },
  },
  "unknown-state": {
    moment: "submission",
    random: ({ upTo }) => unknownState(`CHAOS_${upTo(1000)}`, upTo(3)),
    form: "<name>:<polls>",
    read: ([name, polls, ...more]) => {
      const [state, count] = [stateIn(name), countIn(polls)];
      return state === undefined || count === undefined || more.length > 0 ? undefined : unknownState(state, count);
    },
  },
  "http-burst": {
    moment: "call",
    random: ({ pick, upTo }) => httpBurst(pick(STATUSES), upTo(5)),
    form: `<${STATUSES.join("|")}>:<calls>`,
    read: ([word, calls, ...more]) => {
      const status = STATUSES.find((known) => String(known) === word);
      const count = countIn(calls);
      return status === undefined || count === undefined || more.length > 0 ? undefined : httpBurst(status, count);
    },
  },
  "cut-after-acceptance": {
    moment: "submission",
    random: () => cutAfterAcceptance(),
    form: "",
    read: (parts) => (parts.length > 0 ? undefined : cutAfterAcceptance()),
  },
  "wrong-result": {
    moment: "finalization",
    random: ({ upTo }) =>
      wrongResult(
        `0x${upTo(2 ** 32)
          .toString(16)
          .padStart(64, "0")}`,
      ),
    form: "<0x and 64 digits>",
    read: ([word = "", ...more]) =>
      /^0x[0-9a-fA-F]{64}$/.test(word) && more.length === 0 ? wrongResult(`0x${word.slice(2)}`) : undefined,
  },
  "late-finalization": {
    moment: "submission",
    random: ({ upTo }) => lateFinalization(upTo(5)),
    form: "<polls>",
    read: ([polls, ...more]) => {
      const count = countIn(polls);
      return count === undefined || more.length > 0 ? undefined : lateFinalization(count);
    },
  },
  reorg: {
    moment: "finalization",
    random: ({ upTo }) => reorg(upTo(3)),
    form: "<depth>",
    read: ([depth, ...more]) => {
      const count = countIn(depth);
      return count === undefined || more.length > 0 ? undefined : reorg(count);
    },
  },
};

/**
 * Faults as they are written on a command line, with commas: `http-burst:503:3, stuck-at:CachedMmrRoot`.
 *
 * @throws HdpError HDP-4904 for one that is none, naming all kinds with their forms.
 */
export function readFaults(text: string, path: string): Fault[] {
  return text.split(",").map((item) => {
    const [kind = "", ...parts] = item.trim().split(":");
    const known = keysOf(FAULTS).find((name) => name === kind);
    const fault = known === undefined ? undefined : FAULTS[known].read(parts);
    if (fault !== undefined) return fault;
    const meant = known ?? nearest(kind, keysOf(FAULTS));
    const suggestion = meant === undefined ? undefined : ` Did you mean ${written(meant)}?`;
    const word = JSON.stringify(item.trim().slice(0, 100));
    throw hdpError("HDP-4904", { word, suggestion, allowed: keysOf(FAULTS).map(written).join(", ") }, { path });
  });
}

/** Returns a fault as {@link readFaults} takes it. */
export function faultText(fault: Fault): string {
  return Object.values(fault).join(":");
}

/** The form of a kind: `http-burst:<429|500|502|503|504>:<calls>`. */
function written(kind: Fault["kind"]): string {
  const { form } = FAULTS[kind];
  return form === "" ? kind : `${kind}:${form}`;
}

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
