import type { Hex } from "viem";

import type { Clock } from "../base/clock.js";
import { type HdpError, isHdpError } from "../errors/hdp-error.js";
import { isServiceFailure } from "../service/http/service-errors.js";

/** A task that a contract asked for. */
export interface ContractRequest {
  readonly taskHash: Hex;
  /** The transaction in which it did. */
  readonly transactionHash: Hex;
}

/** How contracts' requests are found and submitted. */
export interface RequestWatch<RequestT extends ContractRequest> {
  /** Returns what was asked for and has no result yet. */
  readonly look: () => Promise<readonly RequestT[]>;
  /** Submits a request. Resolves when it is accepted, or was before. */
  readonly answer: (request: RequestT) => Promise<void>;
  /** Called once for a request that is not tried again by this watch. */
  readonly onRefused: (request: RequestT, error: HdpError) => void;
  /** Called with each failure after which the watch goes on: a node or a service that does not answer. */
  readonly onTrouble: (error: HdpError) => void;
  /** Milliseconds from one look to the next. */
  readonly interval: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Submits what contracts ask for as it is found, until the signal aborts. A request is tried again only where nothing of
 * it was sent and the cause may pass; that none is sent twice is the submission's own care.
 */
export async function watchRequests<RequestT extends ContractRequest>({
  look,
  answer,
  onRefused,
  onTrouble,
  ...watch
}: RequestWatch<RequestT>): Promise<void> {
  const { interval, clock, signal } = watch;
  const settled = new Set<string>();
  while (!signal.aborted) {
    const found = await unlessPassing(look, onTrouble);
    for (const request of found ?? []) {
      const key = `${request.taskHash} ${request.transactionHash}`;
      if (settled.has(key)) continue;
      try {
        await answer(request);
        settled.add(key);
      } catch (error) {
        if (!isHdpError(error)) throw error;
        if (isPassing(error)) {
          onTrouble(error);
          continue;
        }
        settled.add(key);
        onRefused(request, error);
      }
    }
    await clock.sleep(interval, signal);
  }
}

async function unlessPassing<T>(
  action: () => Promise<T>,
  onTrouble: (error: HdpError) => void,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (!isHdpError(error) || !isPassing(error)) throw error;
    onTrouble(error);
    return undefined;
  }
}

/** Errors after which nothing was sent, of causes that may pass: a node's silence, another sender at work. */
const PASSING = ["HDP-4103", "HDP-5003"];

function isPassing(error: HdpError): boolean {
  if (isServiceFailure(error)) return error.transient && error.kind !== "outcome-unknown";
  return PASSING.includes(error.code);
}
