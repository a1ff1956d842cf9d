import { grouped, plural } from "../../base/text.js";
import type { ModuleProfile, ProfiledStack } from "../../plugin/actions/module-runs.js";
import { elapsed } from "../ui/format.js";
import { printFields, type Screen } from "../ui/screen.js";
import { printTable } from "../ui/table.js";

/** Functions that are listed for people; the file has all. */
const SHOWN_FUNCTIONS = 10;
/** Longest name that is printed, so that the table fits 80 columns beside steps of nine digits. */
const NAME_WIDTH = 42;

/** Prints where a module spent its steps: the functions with most steps of their own, and the reads it waited for. */
export function printProfile(screen: Screen, { steps, functions, stacks, named }: ModuleProfile): void {
  printFields(screen, [["Profile", `${plural(steps, "step")} in ${plural(functions.length, "function")}`]]);
  const shown = functions.filter(({ self }) => self > 0).slice(0, SHOWN_FUNCTIONS);
  const rows = shown.map(({ name, self, total }) => {
    const share = `${((100 * self) / Math.max(steps, 1)).toFixed(1)} %`;
    return [share, grouped(self), grouped(total), shortName(name)];
  });
  printTable(screen, ["SHARE", "SELF", "TOTAL", "FUNCTION"], rows);
  const kinds = new Map<string, { times: number; waited: number }>();
  for (const { frames, steps: times, waited } of stacks) {
    if (waited === undefined) continue;
    const kind = frames.at(-2) ?? "";
    const known = kinds.get(kind);
    kinds.set(kind, { times: (known?.times ?? 0) + times, waited: (known?.waited ?? 0) + waited });
  }
  if (kinds.size > 0) screen.line();
  for (const [kind, { times, waited }] of [...kinds].sort(([, a], [, b]) => b.waited - a.waited)) {
    const time = waited < 1000 ? `${waited.toFixed(0)} ms` : elapsed(waited);
    screen.line(`  ${kind}: ${plural(times, "time")}, waited ${time}`);
  }
  if (named) return;
  screen.line();
  screen.line("  The class does not say its functions' names: fn@<offset> is a place in its bytecode.");
  screen.line("  Scarb writes them in its dev profile, and with `sierra-replace-ids = true` under [cairo].");
}

/** A name without its type arguments; of a long one the end, which tells functions apart. */
function shortName(name: string): string {
  let plain = "";
  let depth = 0;
  for (const part of name.split(/(::<|<|>)/)) {
    if (part === "::<" || part === "<") depth += 1;
    else if (part === ">") depth -= 1;
    else if (depth === 0) plain += part;
  }
  return plain.length <= NAME_WIDTH ? plain : `…${plain.slice(1 - NAME_WIDTH)}`;
}

/**
 * Returns a file that speedscope opens, with two flame graphs for each module: its steps, and the milliseconds that it
 * waited for reads. Format: https://www.speedscope.app/file-format-schema.json
 */
export function speedscopeFile(name: string, modules: readonly ModuleProfile[]): object {
  const frames = new Map<string, number>();
  const indexOf = (frame: string): number => {
    const index = frames.get(frame) ?? frames.size;
    frames.set(frame, index);
    return index;
  };
  const graph = (
    title: string,
    unit: "none" | "milliseconds",
    stacks: readonly ProfiledStack[],
    weigh: (stack: ProfiledStack) => number,
  ): object => {
    const weights = stacks.map(weigh);
    const endValue = weights.reduce((sum, weight) => sum + weight, 0);
    const samples = stacks.map((stack) => stack.frames.map(indexOf));
    return { type: "sampled", name: title, unit, startValue: 0, endValue, samples, weights };
  };
  const profiles = modules.flatMap(({ stacks }, index) => {
    const prefix = modules.length === 1 ? "" : `module ${String(index + 1)}: `;
    const reads = stacks.filter(({ waited }) => waited !== undefined);
    const steps = graph(`${prefix}steps`, "none", stacks, (stack) => stack.steps);
    if (reads.length === 0) return [steps];
    return [steps, graph(`${prefix}waiting for reads`, "milliseconds", reads, ({ waited = 0 }) => waited)];
  });
  return {
    $schema: "https://www.speedscope.app/file-format-schema.json",
    name,
    exporter: "hardhat-hdp",
    activeProfileIndex: 0,
    shared: { frames: [...frames.keys()].map((frame) => ({ name: frame })) },
    profiles,
  };
}
