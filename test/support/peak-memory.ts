import { readFileSync, writeFileSync } from "node:fs";

/** Memory that any input up to its documented limit may take, with Node's own. */
export const MAX_MEBIBYTES = 512;
/** What was not collected yet when the memory is at its most differs by so much from run to run. */
export const GARBAGE = 1.25;

/**
 * Collects what earlier work left behind (Node has the function by `--expose-gc`), and starts the peak of memory anew
 * where the system can (Linux); elsewhere it is that of the whole process.
 */
export function forgetPeak(): void {
  gc?.();
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // The peak stays.
  }
}

/** Returns the process's memory at its most, in MiB. `maxRSS` of a child begins with the memory of its parent. */
export function peakMemory(): number {
  try {
    return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
