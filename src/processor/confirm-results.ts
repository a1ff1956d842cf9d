import { HdpError } from "../base/errors.js";
import type { TaskResult } from "../request/lifecycle.js";

/**
 * Checks that an execution store holds what was computed for it.
 *
 * @throws HdpError HDP-4404 for the first task whose stored word is another
 */
export function confirmResults(computed: readonly TaskResult[], stored: readonly TaskResult[]): void {
  for (const { taskHash, word } of computed) {
    const found = stored.find((result) => result.taskHash === taskHash);
    if (found === undefined || found.word === word) continue;
    throw new HdpError({
      code: "HDP-4404",
      message: `the execution store holds ${found.word} for task ${taskHash}, but ${word} was computed.`,
      hints: [
        `Store ${found.store}. Somebody else finalized the task, or the store was written wrongly.`,
        "The stored word is what contracts read: submit the task again before anything relies on it.",
      ],
    });
  }
}
