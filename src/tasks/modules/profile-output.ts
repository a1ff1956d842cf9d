import { elapsed, grouped, plural } from "../../base/text.js";
import type { ModuleProfile, ProfiledStack } from "../../plugin/actions/program-actions.js";
import { numbered } from "../ui/format.js";
import { printBlock, printFields, printTable, type Screen } from "../ui/screen.js";

const SHOWN_FUNCTIONS = 10;
/** Maximum length of a printed name: the table then fits 80 columns with steps of nine digits. */
const NAME_WIDTH = 42;

/** Prints the profile of a module run. */
export function printProfile(
  screen: Screen,
  { steps, functions, stacks, named }: ModuleProfile,
): void {
  printFields(screen, [
    ["Profile", `${plural(steps, "step")} in ${plural(functions.length, "function")}`],
  ]);
  const shown = functions.filter(({ self }) => self > 0).slice(0, SHOWN_FUNCTIONS);
  const rows = shown.map(({ name, self, total }) => {
    const share = `${((100 * self) / Math.max(steps, 1)).toFixed(1)} %`;
    return [share, grouped(self), grouped(total), shortName(name)];
  });
  printTable(screen, ["SHARE", "SELF", "TOTAL", "FUNCTION"], rows);
  const reads = Map.groupBy(stacks.filter(isRead), ({ frames }) => frames.at(-2) ?? "");
  const waits = [...reads].map(([kind, those]) => {
    return {
      kind,
      times: sum(those.map((read) => read.steps)),
      waited: sum(those.map(({ waited = 0 }) => waited)),
    };
  });
  if (waits.length > 0) screen.line();
  for (const { kind, times, waited } of waits.sort((a, b) => b.waited - a.waited)) {
    const time = waited < 1000 ? `${waited.toFixed(0)} ms` : elapsed(waited);
    screen.line(`  ${kind}: ${plural(times, "time")}, waited ${time}`);
  }
  if (named) return;
  printBlock(
    screen,
    "  The class does not say its functions' names: fn@<offset> is a place in its bytecode.",
  );
  screen.line(
    "  Scarb writes them in its dev profile, and with `sierra-replace-ids = true` under [cairo].",
  );
}

const isRead = ({ waited }: ProfiledStack): boolean => waited !== undefined;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Returns a name without its type arguments; of a long one the end, which tells functions apart. */
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

/** Returns flame graphs of steps and of waits: https://www.speedscope.app/file-format-schema.json */
export function speedscopeFile(name: string, modules: readonly ModuleProfile[]): object {
  const { names, indexOf } = numbered();
  const graph = (
    title: string,
    unit: "none" | "milliseconds",
    stacks: readonly ProfiledStack[],
  ): object => {
    const weights = stacks.map(({ steps, waited = 0 }) => (unit === "none" ? steps : waited));
    const samples = stacks.map((stack) => stack.frames.map(indexOf));
    return {
      type: "sampled",
      name: title,
      unit,
      startValue: 0,
      endValue: sum(weights),
      samples,
      weights,
    };
  };
  const profiles = modules.flatMap(({ stacks }, index) => {
    const prefix = modules.length === 1 ? "" : `module ${String(index + 1)}: `;
    const reads = stacks.filter(isRead);
    const steps = graph(`${prefix}steps`, "none", stacks);
    return reads.length === 0
      ? [steps]
      : [steps, graph(`${prefix}waiting for reads`, "milliseconds", reads)];
  });
  return {
    $schema: "https://www.speedscope.app/file-format-schema.json",
    name,
    exporter: "hardhat-hdp",
    activeProfileIndex: 0,
    shared: { frames: [...names.keys()].map((name) => ({ name })) },
    profiles,
  };
}
