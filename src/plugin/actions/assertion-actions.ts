import { AssertionError } from "node:assert";

import type { Hex } from "viem";

import { hdpError, isHdpError } from "../../errors/hdp-error.js";
import type { TaskResult } from "../../request/task.js";
import type { Scope } from "../session.js";
import type { Taken } from "../task-input.js";
import { asWord, type ReadResultOptions, submissionActions, taskHashesOf } from "./submission-actions.js";

/**
 * `hdp.assertions`: for node:test and other runners without chai; `hardhat-hdp/chai` has the same assertions for chai.
 */
export interface AssertionActions {
  /**
   * Rejects with an `AssertionError` unless a task is finalized, and finalized with `value` where one is given. All
   * tasks of a file or list have to be finalized.
   *
   * @param task a task hash, a task, or whatever `run` takes
   * @param value the stored result as a number or 32 bytes of hex
   */
  readonly finalized: <const T>(
    task: T & Taken<T>,
    value?: bigint | number | Hex,
    options?: ReadResultOptions,
  ) => Promise<void>;
  /** Rejects with an `AssertionError` if a task is finalized, or any of several tasks. */
  readonly notFinalized: <const T>(task: T & Taken<T>, options?: ReadResultOptions) => Promise<void>;
}

export function assertionActions(scope: Scope): AssertionActions {
  const { readResult } = submissionActions(scope);

  /** Returns the result, or a sentence that says why there is none. */
  const resultOrReason = async (hash: Hex, options: ReadResultOptions | undefined): Promise<TaskResult | string> => {
    try {
      return await readResult(hash, options);
    } catch (error) {
      if (isHdpError(error, "HDP-3001")) return error.shortMessage;
      throw error;
    }
  };

  return {
    finalized: async (task, value, options) => {
      const hashes = await taskHashesOf(task, await scope.session());
      const expected =
        value === undefined ? undefined : BigInt(asWord(typeof value === "string" ? value : BigInt(value)));
      if (expected !== undefined && hashes.length > 1) {
        throw hdpError("HDP-1123", { tasks: hashes.length, results: 1 }, { path: "value" });
      }
      for (const hash of hashes) {
        const found = await resultOrReason(hash, options);
        if (typeof found === "string") throw failed(found, "finalized", "not finalized");
        if (expected === undefined || expected === found.value) continue;
        throw failed(`task ${hash} is finalized with ${found.value}, not with ${expected}.`, expected, found.value);
      }
    },
    notFinalized: async (task, options) => {
      for (const hash of await taskHashesOf(task, await scope.session())) {
        const found = await resultOrReason(hash, options);
        if (typeof found === "string") continue;
        const message = `task ${hash} is finalized with ${found.value} in the execution store ${found.store}.`;
        throw failed(message, "not finalized", found.value);
      }
    },
  };
}

function failed(message: string, expected: unknown, actual: unknown): AssertionError {
  return new AssertionError({ message, expected, actual, operator: "finalized" });
}
