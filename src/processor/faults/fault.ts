import type { Hex } from "viem";

import { HdpError } from "../../base/errors.js";

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

/** Thrown in the place of an answer by an injected fault. */
export class InjectedFaultError extends HdpError {
  /** The HTTP status that answered, where one did. */
  public readonly status: BurstStatus | undefined;
  /** Whether the data processor certainly did not accept the request. */
  public readonly isRefusal: boolean;

  private constructor(code: "HDP-4901" | "HDP-4902" | "HDP-4903", message: string, status: BurstStatus | undefined) {
    super({ code, message, hints: ["This fault was injected by a test."] });
    this.status = status;
    // A 5xx does not tell whether a proxy had passed the request on.
    this.isRefusal = status === 429;
  }

  public static cut(): InjectedFaultError {
    return new InjectedFaultError("HDP-4901", "the connection ended before the answer arrived", undefined);
  }

  public static burst(status: BurstStatus): InjectedFaultError {
    return new InjectedFaultError("HDP-4902", `the data processor answered ${status}`, status);
  }

  /** For a chain that cannot be taken back. */
  public static noReorganisation(cause: unknown): InjectedFaultError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new InjectedFaultError("HDP-4903", `the chain cannot be reorganised: ${reason}`, undefined);
  }
}
