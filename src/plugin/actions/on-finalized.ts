import { setTimeout as sleep } from "node:timers/promises";

import type { Hex } from "viem";

import { isHdpError } from "../../errors/hdp-error.js";
import type { TaskResult } from "../../request/task.js";
import type { Scope } from "../session.js";
import type { Taken } from "../task-input.js";
import { type ReadResultOptions, submissionActions, taskHashesOf } from "./submission-actions.js";

export interface OnFinalizedOptions extends ReadResultOptions {
  /** Milliseconds between two polls of the store. Default 4,000, on development chains 100. */
  readonly interval?: number | undefined;
  /** Ends the watch, as the returned function does. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the error of a failed poll, and with what the listener threw. The watch goes on after a failed poll; a
   * task that cannot be read ends it. Without `onError`, the error is thrown as an uncaught exception, like an `error`
   * event without a listener.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Ends a watch. A poll that is under way is not reported any more. */
export type Unsubscribe = () => void;

/** Functions that watch a store for results. */
export interface WatchActions {
  /**
   * Calls a listener once for each task, as soon as its result is in the execution store; immediately for a result that
   * is there already. The watch ends by itself when all tasks are finalized.
   *
   * @param task a task hash, a task, or whatever `run` takes
   * @example const stop = hdp.onFinalized(taskHash, ({ value }) => console.log(value));
   */
  readonly onFinalized: <const T>(
    task: T & Taken<T>,
    listener: (result: TaskResult) => void | Promise<void>,
    options?: OnFinalizedOptions,
  ) => Unsubscribe;
}

/** Polls until every task is finalized or the signal is aborted; resolves in both cases. */
export async function watchFinalized(
  scope: Scope,
  task: unknown,
  listener: (result: TaskResult) => void | Promise<void>,
  options: OnFinalizedOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const { signal, onError, interval, ...where } = options;
  const report = (error: unknown): void => {
    if (signal.aborted) return;
    if (onError === undefined) throw error;
    onError(error);
  };
  const isOver = (): boolean => signal.aborted;
  try {
    const session = await scope.session();
    const pause = interval ?? ((await session.isDevelopment()) ? 100 : 4_000);
    const { readResult } = submissionActions(scope);
    let open = await taskHashesOf(task, session);
    while (!isOver()) {
      const still: Hex[] = [];
      for (const hash of open) {
        const result = await readResult(hash, where).catch((error: unknown) => {
          if (!isHdpError(error, "HDP-3001")) report(error);
          return undefined;
        });
        if (isOver()) return;
        if (result === undefined) still.push(hash);
        else await Promise.resolve(result).then(listener).catch(report);
      }
      open = still;
      if (open.length === 0) return;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  } catch (error) {
    report(error);
  }
}
