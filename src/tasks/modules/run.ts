import type { HardhatConfig } from "hardhat/types/config";

import { isRecord } from "../../base/collections.js";
import { feltsText, shortString } from "../../base/felt.js";
import { namedPath } from "../../base/files.js";
import { jsonText } from "../../base/json.js";
import { errorMessage, grouped, plural } from "../../base/text.js";
import { gapTexts } from "../../compute/prover-gaps.js";
import type {
  DryRunOptions,
  ModuleDryRun,
  ModuleProfile,
} from "../../plugin/actions/program-actions.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { writeOutput } from "../../plugin/project-files.js";
import { provenText } from "../../request/describe-task.js";
import { rootsByLabel } from "../../request/injected-state.js";
import type { ModuleTask, TaskRequest } from "../../request/task.js";
import { readRequest } from "../requests/task-files.js";
import { printProfile, speedscopeFile } from "./profile-output.js";
import { findPackages, panickedAt, staleClasses, stoppedAt } from "./class-sources.js";
import { type Flags, type Limits, parseLimits, type Optional } from "../options.js";
import { command, type CommandContext } from "../run-command.js";
import { watchable, watchedFile } from "../watch.js";
import { cairoText, gapLines, readLine } from "../ui/format.js";
import { preview } from "../ui/preview.js";
import { mark, printBlock, type Field, printFields, type Screen, style } from "../ui/screen.js";

type Arguments = { file: string } & Limits &
  Optional<"generation" | "state" | "stateLeaves" | "profile" | "recording"> &
  Flags<"open" | "watch">;

/** Runs `hdp module run`: runs the modules of a task file without submitting them. */
export const run = command(
  watchable(runOnce, {
    watched: ({ file, recording, state, stateLeaves }, { hre }) => {
      const given = [file, recording, state, stateLeaves].filter((one) => one !== undefined);
      const files = given.map((one) => watchedFile(one, hre));
      const classes = knownPrograms(hre.config).files();
      // Those of a package are built from its sources, which are watched.
      const others = classes.filter((one) => findPackages([one]).length === 0);
      return { files: [...files, ...others], folders: findPackages(classes) };
    },
    prepare: async (_args, context) => {
      const { rebuild } = await import("./programs.js");
      await rebuild(context);
    },
  }),
);

/** Runs the modules of a task file once, and prints the runs. Returns the document of `--json`. */
async function runOnce(args: Arguments, context: CommandContext): Promise<unknown> {
  const { hre, screen } = context;
  const { root } = hre.config.paths;
  const programs = knownPrograms(hre.config);
  const { request, options } = await readRun(args, context);
  const modules = request.tasks.filter((task) => task.type === "Module");
  preview(screen, modules, programs);
  for (const line of await staleClasses(modules, programs, root))
    screen.line(`  ${style.bad("!")} ${line}`);

  const profiles: ModuleProfile[] = [];
  const shown = args.profile === undefined ? [] : profiles;
  const onProfile = (one: ModuleProfile): void => void profiles.push(one);
  const isProfiled = args.profile !== undefined || args.open;
  const { hdp } = await hre.network.getOrCreate();
  const replay =
    args.recording === undefined ? undefined : await hdp.replay(namedPath(args.recording, root));
  const runs = await hdp.program
    .run(request, { ...options, onProfile: isProfiled ? onProfile : undefined })
    .finally(() => replay?.stop())
    .catch(async (error: unknown) => {
      const stopped = await stoppedAt(error, programs, root);
      if (stopped !== undefined) printFields(screen, [["Stopped in", stopped]]);
      // The profile shows where a stopped run spent its steps.
      for (const one of shown) printProfile(screen, one);
      await writeFlameGraph(args, shown, root, screen).catch((failure: unknown) =>
        screen.line(`  ${errorMessage(failure)}`),
      );
      throw error;
    });

  for (const [index, one] of runs.entries()) {
    const name = runs.length === 1 ? "Run" : `Run ${String(index + 1)}`;
    const profile = shown[index];
    await printModuleRun(screen, one, name, hre.config);
    if (profile !== undefined) printProfile(screen, profile);
  }
  await writeFlameGraph(args, shown, root, screen);
  if (args.open) await openPage(modules, runs, profiles, screen);
  printBlock(screen, "  A local run: nothing was submitted, and no proof was made.");
  if (runs.some(({ run: { status } }) => status === "panicked")) process.exitCode = 1;
  return runs.map((one, index) => runDocument(one, shown[index]));
}

/** Reads the task file of a run, and with what its modules are run. */
async function readRun(
  args: Arguments,
  { hre, screen }: CommandContext,
): Promise<{ readonly request: TaskRequest; readonly options: DryRunOptions }> {
  const limits = parseLimits(args);
  const request = await readRequest(args.file, hre, screen);
  const { parseGeneration } = await import("../../compute/module-runner.js");
  const generation = parseGeneration(args.generation);
  const { state, stateLeaves } = args;
  if (state === undefined && stateLeaves === undefined)
    return { request, options: { ...limits, generation } };
  const { readInjectedState } = await import("./injected-state-files.js");
  const labels = request.tasks.flatMap((task) =>
    task.type === "Module" ? [...rootsByLabel(task.injectedState).keys()] : [],
  );
  const { root } = hre.config.paths;
  const injectedState = await readInjectedState(state, stateLeaves, root, new Set(labels));
  return { request, options: { ...limits, generation, injectedState } };
}

/** Writes the flame graphs of runs, where a file is named for them. */
async function writeFlameGraph(
  { profile: path, file }: Arguments,
  profiles: readonly ModuleProfile[],
  root: string,
  screen: Screen,
): Promise<void> {
  if (path === undefined || profiles.length === 0) return;
  await writeOutput(path, root, jsonText(speedscopeFile(file, profiles)), "--profile");
  printFields(screen, [["Flame graph", `${path}  (${style.command(`npx speedscope ${path}`)})`]]);
}

/** Opens a page with the runs of modules. */
async function openPage(
  modules: readonly ModuleTask[],
  runs: readonly ModuleDryRun[],
  profiles: readonly ModuleProfile[],
  screen: Screen,
): Promise<void> {
  const { openRuns } = await import("../ui/run-page.js");
  const inspected = modules.flatMap((task, index) => {
    const dryRun = runs[index];
    return dryRun === undefined ? [] : [{ task, dryRun, profile: profiles[index] }];
  });
  await openRuns(inspected, screen);
}

/**
 * Returns the document of a run. A profile's stacks are in its own file; the flat hash is computed when the document is
 * written.
 */
function runDocument(one: ModuleDryRun, profile: ModuleProfile | undefined): object {
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
    ...(profile === undefined ? {} : { profile: { ...profile, stacks: undefined } }),
  };
}

const SHOWN_READS = 20;

/** Maximum felts of a class to hash a second time for the output, in about half a second. */
const QUICKLY_HASHED = 100_000;

/** Prints a run: its reads, its state, and what it returned or panicked with. */
async function printModuleRun(
  screen: Screen,
  dryRun: ModuleDryRun,
  name: string,
  config: HardhatConfig,
): Promise<void> {
  const programs = knownPrograms(config);
  const { run, programHash } = dryRun;
  const hasReturned = run.status === "returned";
  const summary = `${run.status}, ${plural(run.steps, "step")}, generation ${run.generation}`;
  const fields: Field[] = [
    [name, `${mark(hasReturned)} ${summary}`],
    ["Program hash", `${programHash}  (registry)`],
    countFelts(programs.get(programHash)?.compiledClassJson) > QUICKLY_HASHED
      ? ["", "the newer prover's: hdp program hash <file>, or --json"]
      : ["", `${dryRun.flatProgramHash}  (newer prover, segments ignored)`],
    ...readFields(dryRun),
  ];
  for (const { label, rootBefore, rootAfter, writes } of run.injectedState) {
    const roots = `0x${rootBefore.toString(16)} -> 0x${rootAfter.toString(16)}`;
    fields.push(["State", `${shortString(label)}  ${roots}, ${plural(writes.length, "write")}`]);
  }
  for (const text of run.printed) fields.push(["Printed", text]);
  for (const line of gapLines(gapTexts(run.gaps))) fields.push(["Provers", line]);
  if (run.status === "panicked") {
    const place = await panickedAt(run, programs, config.paths.root);
    fields.push(["Panic", run.message], ["", `in ${place}`]);
  } else fields.push(...outputFields(run, dryRun));
  printFields(screen, fields);
}

/** Returns the lines of a run's reads, the first ones of many. */
function readFields({ reads, proven }: ModuleDryRun): readonly Field[] {
  const left = reads.length - SHOWN_READS;
  return [
    ["Reads", reads.length === 0 ? "0" : `${grouped(reads.length)}, ${provenText(proven)}`],
    ...reads.slice(0, SHOWN_READS).map((read): Field => {
      return ["", `${read.proven ? "proven  " : "unproven"}  ${readLine(read)}`];
    }),
    ...(left > 0 ? [["", `and ${grouped(left)} more (--json lists all)`] satisfies Field] : []),
  ];
}

/** Returns the lines of what a run returned, with a mark at what a submission here would store. */
function outputFields(
  { retdata, outputRoot, value }: Extract<ModuleDryRun["run"], { status: "returned" }>,
  { rule, decoded }: ModuleDryRun,
): readonly Field[] {
  const stored = (which: typeof rule): string =>
    which === rule ? "  <- stored by a submission here" : "";
  const raw = value === undefined ? undefined : `${grouped(value)}${stored("value")}`;
  return [
    ...(decoded === undefined ? [] : [["Returned", cairoText(decoded)] satisfies Field]),
    ["Felts", feltsText(retdata)],
    ["Output root", `${outputRoot}${stored("output-root")}`],
    ...(raw === undefined ? [] : [["Raw value", raw] satisfies Field]),
  ];
}

function countFelts(json: unknown): number {
  return isRecord(json) && Array.isArray(json["bytecode"]) ? json["bytecode"].length : 0;
}
