/**
 * A server over a node that never answers, in a process of its own that measures itself. Sends its address, then answers
 * each message with what was used since the one before.
 */
import { resourceUsage } from "node:process";

import { LocalDataProcessor, startDevServer } from "../../../src/entries/local.js";

/** What a request cost the server. */
export interface Cost {
  /** Milliseconds of computing, the most that it did in one turn of the event loop. */
  readonly blocked: number;
  /** Milliseconds of computing in all. */
  readonly computed: number;
  /** MiB at the most, since the process began. */
  readonly peak: number;
}

const silent = { request: () => new Promise(() => undefined) };
const providerFor = (): typeof silent => silent;
const finalize = (): Promise<never> => new Promise(() => undefined);
const runModule = (): Promise<never> => new Promise(() => undefined);
const processor = new LocalDataProcessor({ providerFor, sink: { finalize }, runModule });
const server = await startDevServer({ processor, providerFor, apiKey: "key" });

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
  const cost: Cost = { blocked, computed: computed() - began, peak: resourceUsage().maxRSS / 1024 };
  [began, blocked] = [computed(), 0];
  process.send?.(cost);
});
process.send?.(server.url);
