import type { ModuleProfile } from "../../plugin/actions/module-runs.js";
import { elapsed } from "../ui/format.js";
import { grouped, plural } from "../../base/text.js";
import { type Screen, style } from "../ui/screen.js";
import { printTable } from "../ui/table.js";

/** Functions that are listed for people; the file has all. */
const SHOWN_FUNCTIONS = 10;
/** Longest name that is printed: the table fits 80 columns beside steps of nine digits. */
const NAME_WIDTH = 42;

/** Where a module spent its steps: the ten functions with most of their own, and what it waited for. */
export function printProfile(screen: Screen, profile: ModuleProfile): void {
  const { steps, functions, stacks, named } = profile;
  const shown = functions.filter(({ self }) => self > 0).slice(0, SHOWN_FUNCTIONS);
  screen.line();
  screen.line(
    `  ${style.strong("Profile".padEnd(14))}  ${plural(steps, "step")} in ${plural(functions.length, "function")}`,
  );
  const share = (self: number): string => `${((100 * self) / Math.max(steps, 1)).toFixed(1)} %`.padStart(7);
  const cells = shown.map(({ name, self, total }) => [share(self), grouped(self), grouped(total), label(name)]);
  const width = (column: number): number => Math.max(...cells.map((row) => row[column]?.length ?? 0), 5);
  printTable(
    screen,
    ["  Share", "Self".padStart(width(1)), "Total".padStart(width(2)), "Function"],
    cells.map(([part = "", self = "", total = "", name = ""]) => [
      part,
      self.padStart(width(1)),
      total.padStart(width(2)),
      name,
    ]),
  );
  const waits = stacks.flatMap(({ frames, steps: times, waited }) =>
    waited === undefined ? [] : [{ kind: frames.at(-2) ?? "", times, waited }],
  );
  const kinds = [...new Set(waits.map(({ kind }) => kind))].map((kind) => {
    const own = waits.filter((read) => read.kind === kind);
    const waited = own.reduce((sum, read) => sum + read.waited, 0);
    return { kind, waited, times: own.reduce((sum, { times }) => sum + times, 0) };
  });
  kinds.sort((a, b) => b.waited - a.waited);
  if (kinds.length > 0) screen.line();
  for (const { kind, waited, times } of kinds) {
    const time = waited < 1000 ? `${waited.toFixed(0)} ms` : elapsed(waited);
    screen.line(`  ${kind}: ${plural(times, "time")}, waited ${time}`);
  }
  if (named) return;
  screen.line();
  screen.line("  The class does not say its functions' names: fn@<offset> is a place in its bytecode.");
  screen.line("  Scarb writes them in its dev profile, and with `sierra-replace-ids = true` under [cairo].");
}

/** A name without the types that it was compiled for; of a long one its end, which tells the functions apart. */
function label(name: string): string {
  const plain = withoutTypes(name);
  return plain.length <= NAME_WIDTH ? plain : `…${plain.slice(1 - NAME_WIDTH)}`;
}

function withoutTypes(name: string): string {
  let text = "";
  let depth = 0;
  for (const part of name.split(/(::<|<|>)/)) {
    if (part === "::<" || part === "<") depth += 1;
    else if (part === ">") depth -= 1;
    else if (depth === 0) text += part;
  }
  return text;
}
