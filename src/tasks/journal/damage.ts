import type { CheckedLine, JournalCheck } from "../../plugin/actions/journal-actions.js";
import { plural } from "../../base/text.js";
import { style, type Screen } from "../ui/screen.js";

/** What `hdp list` says of damage, where there is any. */
export function printDamage(screen: Screen, { damage }: JournalCheck): void {
  const damaged = damage.filter(isInTheWay);
  if (damaged.length === 0) return;
  const lines = plural(damaged.length, "line");
  screen.line();
  screen.line(
    `  ${style.bad("!")} ${lines} of the journal cannot be read, and nothing is sent: npx hardhat hdp journal --check`,
  );
}

function isInTheWay({ kind }: CheckedLine): boolean {
  return kind !== "torn";
}

/** One line that cannot be read, with what is left of it. */
export function printLine(screen: Screen, line: CheckedLine): void {
  const mark = isInTheWay(line) ? style.bad("!") : style.faint("·");
  screen.line(`  ${mark} line ${line.line}: ${what(line)}`);
  if (!isInTheWay(line)) return;
  if (line.id !== undefined) {
    const event = line.event === undefined ? "" : ` ("${line.event}")`;
    const state = line.state === undefined ? "no other line tells of it" : `by the other lines it is ${line.state}`;
    screen.line(`      about submission ${line.id}${event}; ${state}`);
  }
  if (line.state !== undefined) return;
  for (const hash of line.taskHashes) screen.line(`      look its task up: npx hardhat hdp:result ${hash}`);
}

function what({ kind, reason }: CheckedLine): string {
  switch (kind) {
    case "torn":
      return "unfinished, its writer ended; it does no harm";
    case "newer":
      return `written by a newer version (${reason}): update hardhat-hdp`;
    case "damaged":
      return `damaged (${reason})`;
  }
}

/** What the whole comes to. */
export function verdict({ damage }: JournalCheck, repair: boolean): string {
  const damaged = damage.filter(({ kind }) => kind === "damaged").length;
  if (damaged === 0) return damage.some(isInTheWay) ? "No damage." : `${style.good("✓")} No damage: tasks can be sent.`;
  return repair
    ? `${style.good("✓")} The damage is recorded as known: tasks can be sent again. The lines stay in the file.`
    : "Nothing is sent until the file is restored from a copy, or: npx hardhat hdp journal --repair";
}
