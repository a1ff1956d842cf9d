import type { Hex } from "viem";

import type { DevServerProcessor } from "../src/entries/local.js";
import { taskHash } from "../src/request/task-hash.js";

type StoredResult = Awaited<ReturnType<DevServerProcessor["results"]>>[number];

/** Returns a processor whose tasks are finalized at once: what a server does with them is measured, not what computes them. */
export function finishedProcessor(result: (hash: Hex) => StoredResult): DevServerProcessor {
  return {
    submit: (request) =>
      Promise.resolve({
        id: "one",
        processor: "local",
        destinationChainId: request.destinationChainId,
        taskHashes: request.tasks.map((task) => taskHash(task)),
      }),
    wait: () => Promise.resolve({ name: "Finalized", phase: "finalized" }),
    results: ({ taskHashes }) => Promise.resolve(taskHashes.map((hash) => result(hash))),
  };
}
