/**
 * A server over a node that never answers, in a process of its own that measures itself. Sends its address, then answers
 * each message with what was used since the one before.
 */
import type { Hex } from "viem";

import { type ModuleProgram, moduleRunner } from "../../../src/compute/module-runner.js";
import { LocalDataProcessor, startDevServer } from "../../../src/entries/local.js";
import { forgetPeak, peakMemory } from "../../support/peak-memory.js";

/** What a request cost the server. */
export interface Cost {
  /** Milliseconds of computing, the most that it did in one turn of the event loop. */
  readonly blocked: number;
  /** Milliseconds of computing in all. */
  readonly computed: number;
  /** MiB of the process at the most, with all that Node takes. */
  readonly peak: number;
}

const silent = { request: () => new Promise(() => undefined) };
const providerFor = (): typeof silent => silent;
const finalize = (): Promise<never> => new Promise(() => undefined);
const server = await startDevServer({
  processor: ({ programs }) => {
    const programFor = (hash: Hex): Promise<ModuleProgram> => {
      if (!programs.has(hash)) return Promise.reject(new Error("it was not uploaded"));
      return Promise.resolve({
        get compiledClassJson() {
          return programs.json(hash);
        },
      });
    };
    const runModule = moduleRunner({ programFor, maxSteps: 30_000_000 });
    return new LocalDataProcessor({ providerFor, sink: { finalize }, runModule });
  },
  providerFor,
  apiKey: "key",
});

const computed = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
let [last, began, blocked] = [computed(), computed(), 0];
setInterval(() => {
  const now = computed();
  blocked = Math.max(blocked, now - last);
  last = now;
}, 2);
process.on("message", () => {
  const cost: Cost = { blocked, computed: computed() - began, peak: peakMemory() };
  process.send?.(cost);
  forgetPeak();
  [began, last, blocked] = [computed(), computed(), 0];
});
process.send?.(server.url);
