/**
 * A server in a process of its own, to be killed: SERVER_DATA is its data folder. Prints its address as its first line.
 * Tasks are computed by a data processor that takes SERVER_DELAY milliseconds, so that a kill finds them unfinished.
 */
import { setTimeout as sleep } from "node:timers/promises";

import { startDevServer, type DevServerProcessor } from "../../../src/entries/local.js";
import { taskHash } from "../../../src/request/task-hash.js";

const delay = Number(process.env["SERVER_DELAY"] ?? "0");
const processor: DevServerProcessor = {
  submit: (request) =>
    Promise.resolve({
      id: "one",
      processor: "local",
      destinationChainId: request.destinationChainId,
      taskHashes: request.tasks.map((task) => taskHash(task)),
    }),
  wait: async (_submission, { signal, onStatus } = {}) => {
    onStatus?.({ name: "Received", phase: "pending" });
    await sleep(delay, undefined, signal && { signal });
    return { name: "Finalized", phase: "finalized" };
  },
  results: ({ taskHashes }) =>
    Promise.resolve(
      taskHashes.map((hash) => ({
        taskHash: hash,
        word: `0x${"0".repeat(63)}7` as const,
        value: 7n,
        store: `0x${"0".repeat(40)}` as const,
      })),
    ),
};
const server = await startDevServer({
  processor,
  providerFor: () => ({ request: () => new Promise(() => undefined) }),
  dataDir: process.env["SERVER_DATA"],
});
process.stdout.write(`${server.url}\n`);
process.once("SIGTERM", () => {
  void server.close();
});
