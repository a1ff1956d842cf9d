import { AssertionError } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";

import type { Hex } from "viem";

import { hdpError, isHdpError } from "../../errors/hdp-error.js";
import type { TaskResult } from "../../request/task-result.js";
import { rememberedWord } from "../result-value.js";
import type { Scope } from "../session.js";
import type { TaskInput } from "../task-input.js";
import {
  findDestination,
  type NamedTask,
  namedTasks,
  readNamed,
  type ReadResultOptions,
  storedWord,
} from "./submission-actions.js";

/** Options of `hdp.onFinalized`. */
export interface OnFinalizedOptions extends ReadResultOptions {
  /** Milliseconds between two polls of the store. Default 4,000, on development chains 100. */
  readonly interval?: number | undefined;
  /** Ends the watch, as the returned function does. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the error of a failed poll, after which the watch goes on, and with what the listener threw. Without
   * `onError`, the error is thrown as an uncaught exception. A task that cannot be read ends the watch.
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
  readonly onFinalized: (
    task: TaskInput,
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
    let open = await namedTasks(task, session);
    while (!isOver()) {
      const still: NamedTask[] = [];
      for (const named of open) {
        const result = await readNamed(named, session, where).catch((error: unknown) => {
          if (!isHdpError(error, "HDP-3001")) report(error);
        });
        if (isOver()) return;
        if (result === undefined) still.push(named);
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

/**
 * `hdp.assertions`: assertions on results, for node:test and other runners without chai; `hardhat-hdp/chai` has the same
 * for chai.
 */
export interface AssertionActions {
  /**
   * Rejects with an `AssertionError` unless a task is finalized, and finalized with `value` where one is given. All
   * tasks of a file or list have to be finalized.
   *
   * @param task a task hash, a task, or whatever `run` takes
   * @param value the stored result as a number or 32 bytes of hex
   */
  readonly finalized: (
    task: TaskInput,
    value?: bigint | number | Hex,
    options?: ReadResultOptions,
  ) => Promise<void>;
  /** Rejects with an `AssertionError` if a task is finalized, or any of several tasks. */
  readonly notFinalized: (task: TaskInput, options?: ReadResultOptions) => Promise<void>;
}

/** Returns the assertions of `hdp` over a connection. */
export function assertionActions(scope: Scope): AssertionActions {
  /** Returns the result as the store has it, or a sentence that says why there is none. */
  const resultOrReason = async (
    { hash, destination }: NamedTask,
    options: ReadResultOptions | undefined,
  ): Promise<TaskResult | string> => {
    try {
      return await readNamed({ hash, destination }, await scope.session(), options);
    } catch (error) {
      if (isHdpError(error, "HDP-3001")) return error.shortMessage;
      throw error;
    }
  };

  return {
    finalized: async (task, value, options) => {
      const named = await namedTasks(task, await scope.session());
      const expected = typeof value === "number" ? BigInt(value) : value;
      if (expected !== undefined && named.length > 1) {
        throw hdpError("HDP-1123", { tasks: named.length, results: 1 }, { path: "value" });
      }
      for (const one of named) {
        const found = await resultOrReason(one, options);
        if (typeof found === "string") {
          const session = await scope.session();
          const chain = await findDestination(one, session, options?.destination);
          const { unfinalizedLines } = await import("../read-failures.js");
          const reasons = await unfinalizedLines(session, one.hash, { ...options, chain });
          throw failed([found, ...reasons].join("\n  "), "finalized", "not finalized");
        }
        if (expected === undefined || possibleWords(expected, one).includes(found.word)) continue;
        const message = `task ${one.hash} is finalized with ${found.value}, not with ${expected}.`;
        throw failed(message, BigInt(expected), found.value);
      }
    },
    notFinalized: async (task, options) => {
      for (const one of await namedTasks(task, await scope.session())) {
        const found = await resultOrReason(one, options);
        if (typeof found === "string") continue;
        const message = `task ${one.hash} is finalized with ${found.value} in the execution store ${found.store}.`;
        throw failed(message, "not finalized", found.value);
      }
    },
  };
}

/** Returns the words that a value may have in a store: one where the task is known, else that of either form. */
function possibleWords(value: bigint | Hex, named: NamedTask): readonly Hex[] {
  const word = storedWord(value, named);
  return named.task === undefined && typeof value === "bigint"
    ? [word, rememberedWord(named.hash, value, "module")]
    : [word];
}

function failed(message: string, expected: unknown, actual: unknown): AssertionError {
  return new AssertionError({ message, expected, actual, operator: "finalized" });
}
