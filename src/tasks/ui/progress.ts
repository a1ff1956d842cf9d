import type { TaskStatus } from "../../request/lifecycle.js";
import { elapsed } from "./format.js";
import { style, type Screen } from "./screen.js";

/** Prints each newly observed state once: a mark, the processor's own word, the time since the start, details. */
export function statusLines(screen: Screen, now: () => number): (status: TaskStatus) => void {
  const start = now();
  let last: string | undefined;
  return (status) => {
    const text = [status.name, status.detail].join(" ");
    if (text === last) return;
    last = text;
    const mark =
      status.phase === "failed" ? style.bad("✘") : status.phase === "finalized" ? style.good("✔") : style.faint("·");
    const columns = [status.name.padEnd(20), elapsed(now() - start).padStart(7), status.detail ?? ""];
    screen.line(`  ${mark} ${columns.join("   ").trimEnd()}`);
  };
}
