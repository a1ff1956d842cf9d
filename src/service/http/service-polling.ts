import { poll as pollUntil, type PollTarget } from "../../base/polling.js";
import type { ServiceCallOptions } from "./http-client.js";
import { isServiceFailure, serviceFailure } from "./service-errors.js";

export type { PollOptions } from "../../base/polling.js";

/** A poll of a service: failures that the same call may not have later are passed over. */
export interface ServicePoll<T> extends PollTarget<T> {
  /** Makes one call, with at most one request (`attempts: 1`), which ends when the signal aborts. */
  readonly look: (options: ServiceCallOptions) => Promise<T>;
}

/** Calls `look` until `done` is true. @throws ServiceFailure `timeout`, `aborted`; errors of `look` not transient */
export async function pollService<T>({ look, ...rest }: ServicePoll<T>): Promise<T> {
  return await pollUntil({
    ...rest,
    look: async (signal) => await look({ signal, attempts: 1 }),
    passing: (error) =>
      isServiceFailure(error) && error.transient
        ? { failure: error, retryAfter: error.retryAfter }
        : undefined,
    timedOut: ({ what, timeout, last, comeBack }, cause) =>
      serviceFailure(
        "HDP-2081",
        { what, timeout, last },
        {
          hints: [comeBack],
          serviceWords: isServiceFailure(cause) ? cause.serviceWords : undefined,
          cause,
        },
      ),
    aborted: ({ what, comeBack }) =>
      serviceFailure("HDP-2082", { what: `waiting for ${what}` }, { hints: [comeBack] }),
  });
}
