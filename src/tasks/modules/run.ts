import { namedPath } from "../../base/files.js";
import { shortString } from "../../base/felt.js";
import { jsonText } from "../../base/json.js";
import { grouped, plural } from "../../base/text.js";
import type { ModuleDryRun, ModuleProfile, ProfiledStack } from "../../plugin/actions/module-runs.js";
import { type KnownPrograms, knownPrograms } from "../../plugin/known-programs.js";
import { rootsByLabel } from "../../request/injected-state.js";
import { readRequest } from "../requests/read-requests.js";
import { placeOf, staleClasses, stoppedAt } from "./class-sources.js";
import { command, type Flags, type Limits, limitsOf, type Optional } from "../run-command.js";
import { cairoText, describeRead, elapsed, feltsText } from "../ui/format.js";
import { preview } from "../ui/preview.js";
import { mark, printBlock, type Field, printFields, printTable, type Screen, style } from "../ui/screen.js";

const SHOWN_FUNCTIONS = 10;
/** Maximum length of a printed name: the table then fits 80 columns with steps of nine digits. */
const NAME_WIDTH = 42;

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
  printBlock(screen, "  The class does not say its functions' names: fn@<offset> is a place in its bytecode.");
  screen.line("  Scarb writes them in its dev profile, and with `sierra-replace-ids = true` under [cairo].");
}

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

type Arguments = { file: string } & Limits &
  Optional<"generation" | "state" | "stateLeaves" | "profile" | "recording"> &
  Flags<"open">;

export const run = command(async (args: Arguments, { hre, screen }) => {
  const { root } = hre.config.paths;
  const limits = limitsOf(args);
  const request = await readRequest(args.file, hre, screen);
  const { generationOf } = await import("../../compute/module-runner.js");
  const generation = generationOf(args.generation);
  const { readInjectedState } = await import("./state-files.js");
  const modules = { ...request, tasks: request.tasks.filter((task) => task.type === "Module") };
  const named = new Set(modules.tasks.flatMap(({ injectedState }) => [...rootsByLabel(injectedState).keys()]));
  const injectedState = await readInjectedState(args.state, args.stateLeaves, root, named);
  const programs = knownPrograms(hre.config);
  preview(screen, modules, programs);
  const profiles: ModuleProfile[] = [];
  const isProfiled = args.profile !== undefined || args.open;
  const onProfile = isProfiled ? (one: ModuleProfile): void => void profiles.push(one) : undefined;
  for (const line of await staleClasses(modules.tasks, programs, root)) screen.line(`  ${style.bad("!")} ${line}`);
  const { hdp } = await hre.network.getOrCreate();
  const replay = args.recording === undefined ? undefined : await hdp.replay(namedPath(args.recording, root));
  const runs = await hdp.program
    .run(request, { ...limits, generation, injectedState, onProfile })
    .finally(() => replay?.stop())
    .catch(async (error: unknown) => {
      const stopped = await stoppedAt(error, programs, root);
      if (stopped !== undefined) printFields(screen, [["Stopped in", stopped]]);
      // The profile shows where a stopped run spent its steps.
      for (const one of args.profile === undefined ? [] : profiles) printProfile(screen, one);
      await writeFlameGraph(args, profiles, root, screen).catch((failure: unknown) => {
        screen.line(`  ${failure instanceof Error ? failure.message : String(failure)}`);
      });
      throw error;
    });
  for (const [index, one] of runs.entries()) {
    const name = runs.length === 1 ? "Run" : `Run ${String(index + 1)}`;
    const profile = profiles[index];
    await printModuleRun(screen, one, name, { programs, root });
    if (args.profile !== undefined && profile !== undefined) printProfile(screen, profile);
  }
  await writeFlameGraph(args, profiles, root, screen);
  if (args.open) {
    const { openRuns } = await import("../ui/run-page.js");
    const inspected = modules.tasks.flatMap((task, index) => {
      const dryRun = runs[index];
      return dryRun === undefined ? [] : [{ task, dryRun, profile: profiles[index] }];
    });
    await openRuns(inspected, screen);
  }
  printBlock(screen, "  A local run: nothing was submitted, and no proof was made.");
  if (runs.some(({ run: { status } }) => status === "panicked")) process.exitCode = 1;
  return runs.map((one, index) => documentOf(one, args.profile === undefined ? undefined : profiles[index]));
});

async function writeFlameGraph(
  { profile: path, file }: Arguments,
  profiles: readonly ModuleProfile[],
  root: string,
  screen: Screen,
): Promise<void> {
  if (path === undefined || profiles.length === 0) return;
  const { writeOutput } = await import("../../plugin/project-files.js");
  await writeOutput(path, root, jsonText(speedscopeFile(file, profiles)), "--profile");
  printFields(screen, [["Flame graph", `${path}  (${style.command(`npx speedscope ${path}`)})`]]);
}

/** A profile's stacks are in its own file; the flat hash is computed when the document is written. */
function documentOf(one: ModuleDryRun, profile: ModuleProfile | undefined): object {
  return {
    taskHash: one.taskHash,
    programHash: one.programHash,
    get flatProgramHash() {
      return one.flatProgramHash;
    },
    rule: one.rule,
    decoded: one.decoded,
    ...one.run,
    reads: one.reads,
    ...(profile === undefined
      ? {}
      : { profile: { steps: profile.steps, named: profile.named, functions: profile.functions } }),
  };
}

const SHOWN_READS = 20;

/** Maximum felts of a class to hash a second time for the output, in about half a second. */
const QUICKLY_HASHED = 100_000;

async function printModuleRun(
  screen: Screen,
  dryRun: ModuleDryRun,
  name: string,
  { programs, root }: { readonly programs: KnownPrograms; readonly root: string },
): Promise<void> {
  const { run, reads, proven, programHash, rule, decoded } = dryRun;
  const fields: Field[] = [
    [
      name,
      `${mark(run.status === "returned")} ${run.status}, ${plural(run.steps, "step")}, generation ${run.generation}`,
    ],
    ["Program hash", `${programHash}  (registry)`],
    feltsOf(programs.get(programHash)?.compiledClassJson) > QUICKLY_HASHED
      ? ["", "the newer prover's: hdp program hash <file>, or --json"]
      : ["", `${dryRun.flatProgramHash}  (newer prover, segments ignored)`],
    ["Reads", `${grouped(reads.length)}${reads.length === 0 ? "" : proven ? ", all proven" : ", not all proven"}`],
    ...reads.slice(0, SHOWN_READS).map((read): Field => {
      return ["", `${read.proven ? "proven  " : "unproven"}  ${describeRead(read)}`];
    }),
  ];
  if (reads.length > SHOWN_READS)
    fields.push(["", `and ${grouped(reads.length - SHOWN_READS)} more (--json lists all)`]);
  for (const { label, rootBefore, rootAfter, writes } of run.injectedState) {
    const roots = `0x${rootBefore.toString(16)} -> 0x${rootAfter.toString(16)}`;
    fields.push(["State", `${shortString(label)}  ${roots}, ${plural(writes.length, "write")}`]);
  }
  for (const text of run.printed) fields.push(["Printed", text]);
  if (run.status === "panicked") {
    const place = await placeOf(run.panickedIn, programs.files(), root, run.message);
    fields.push(["Panic", run.message], ["", `in ${place}`]);
  } else {
    const stored = (which: typeof rule): string => (which === rule ? "  <- stored by a submission here" : "");
    if (decoded !== undefined) fields.push(["Returned", cairoText(decoded)]);
    fields.push(["Felts", feltsText(run.retdata)], ["Output root", `${run.outputRoot}${stored("output-root")}`]);
    if (run.value !== undefined) fields.push(["Raw value", `${grouped(run.value)}${stored("value")}`]);
  }
  printFields(screen, fields);
}

function feltsOf(json: unknown): number {
  if (typeof json !== "object" || json === null || !("bytecode" in json)) return 0;
  return Array.isArray(json.bytecode) ? json.bytecode.length : 0;
}
