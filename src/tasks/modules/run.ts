import type { HardhatConfig } from "hardhat/types/config";

import { isRecord } from "../../base/collections.js";
import { SHORT_STRING_LENGTH, feltsText, isFelt, shortString } from "../../base/felt.js";
import { MAX_CLASS_BYTES, namedPath, readTextFile, systemErrorWord } from "../../base/files.js";
import { jsonText, parsePlainJson } from "../../base/json.js";
import { elapsed, grouped, errorMessage, plural } from "../../base/text.js";
import { gapTexts } from "../../compute/prover-gaps.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import type {
  DryRunOptions,
  ModuleDryRun,
  ModuleProfile,
  ProfiledStack,
} from "../../plugin/actions/program-actions.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { writeOutput } from "../../plugin/project-files.js";
import { provenText } from "../../request/describe-task.js";
import { labelFelt, rootsByLabel } from "../../request/injected-state.js";
import { readRequest } from "../requests/task-files.js";
import { findPackages, panickedAt, staleClasses, stoppedAt } from "./class-sources.js";
import { type Flags, type Limits, parseLimits, type Optional } from "../options.js";
import { command, type CommandContext } from "../run-command.js";
import { watchable, watchedFile } from "../watch.js";
import { cairoText, readLine, gapLines, numbered } from "../ui/format.js";
import { preview } from "../ui/preview.js";
import {
  mark,
  printBlock,
  type Field,
  printFields,
  printTable,
  type Screen,
  style,
} from "../ui/screen.js";

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

async function runOnce(args: Arguments, { hre, screen }: CommandContext): Promise<unknown> {
  const { root } = hre.config.paths;
  const limits = parseLimits(args);
  const request = await readRequest(args.file, hre, screen);
  const { parseGeneration } = await import("../../compute/module-runner.js");
  const generation = parseGeneration(args.generation);
  const modules = { ...request, tasks: request.tasks.filter((task) => task.type === "Module") };
  const named = new Set(
    modules.tasks.flatMap(({ injectedState }) => [...rootsByLabel(injectedState).keys()]),
  );
  const injectedState = await readInjectedState(args.state, args.stateLeaves, root, named);
  const programs = knownPrograms(hre.config);
  preview(screen, modules.tasks, programs);
  const profiles: ModuleProfile[] = [];
  const isProfiled = args.profile !== undefined || args.open;
  const onProfile = isProfiled ? (one: ModuleProfile): void => void profiles.push(one) : undefined;
  const writeFlameGraph = async (): Promise<void> => {
    const { profile: path, file } = args;
    if (path === undefined || profiles.length === 0) return;
    await writeOutput(path, root, jsonText(speedscopeFile(file, profiles)), "--profile");
    printFields(screen, [["Flame graph", `${path}  (${style.command(`npx speedscope ${path}`)})`]]);
  };
  for (const line of await staleClasses(modules.tasks, programs, root))
    screen.line(`  ${style.bad("!")} ${line}`);
  const { hdp } = await hre.network.getOrCreate();
  const replay =
    args.recording === undefined ? undefined : await hdp.replay(namedPath(args.recording, root));
  const runs = await hdp.program
    .run(request, { ...limits, generation, injectedState, onProfile })
    .finally(() => replay?.stop())
    .catch(async (error: unknown) => {
      const stopped = await stoppedAt(error, programs, root);
      if (stopped !== undefined) printFields(screen, [["Stopped in", stopped]]);
      // The profile shows where a stopped run spent its steps.
      for (const one of args.profile === undefined ? [] : profiles) printProfile(screen, one);
      await writeFlameGraph().catch((failure: unknown) =>
        screen.line(`  ${errorMessage(failure)}`),
      );
      throw error;
    });
  for (const [index, one] of runs.entries()) {
    const name = runs.length === 1 ? "Run" : `Run ${String(index + 1)}`;
    const profile = profiles[index];
    await printModuleRun(screen, one, name, hre.config);
    if (args.profile !== undefined && profile !== undefined) printProfile(screen, profile);
  }
  await writeFlameGraph();
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
  return runs.map((one, index) =>
    runDocument(one, args.profile === undefined ? undefined : profiles[index]),
  );
}

/** A profile's stacks are in its own file; the flat hash is computed when the document is written. */
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

async function printModuleRun(
  screen: Screen,
  dryRun: ModuleDryRun,
  name: string,
  config: HardhatConfig,
): Promise<void> {
  const programs = knownPrograms(config);
  const { run, reads, proven, programHash, rule, decoded } = dryRun;
  const hasReturned = run.status === "returned";
  const fields: Field[] = [
    [
      name,
      `${mark(hasReturned)} ${run.status}, ${plural(run.steps, "step")}, generation ${run.generation}`,
    ],
    ["Program hash", `${programHash}  (registry)`],
    countFelts(programs.get(programHash)?.compiledClassJson) > QUICKLY_HASHED
      ? ["", "the newer prover's: hdp program hash <file>, or --json"]
      : ["", `${dryRun.flatProgramHash}  (newer prover, segments ignored)`],
    ["Reads", reads.length === 0 ? "0" : `${grouped(reads.length)}, ${provenText(proven)}`],
    ...reads.slice(0, SHOWN_READS).map((read): Field => {
      return ["", `${read.proven ? "proven  " : "unproven"}  ${readLine(read)}`];
    }),
  ];
  if (reads.length > SHOWN_READS)
    fields.push(["", `and ${grouped(reads.length - SHOWN_READS)} more (--json lists all)`]);
  for (const { label, rootBefore, rootAfter, writes } of run.injectedState) {
    const roots = `0x${rootBefore.toString(16)} -> 0x${rootAfter.toString(16)}`;
    fields.push(["State", `${shortString(label)}  ${roots}, ${plural(writes.length, "write")}`]);
  }
  for (const text of run.printed) fields.push(["Printed", text]);
  for (const line of gapLines(gapTexts(run.gaps))) fields.push(["Provers", line]);
  if (run.status === "panicked") {
    const place = await panickedAt(run, programs, config.paths.root);
    fields.push(["Panic", run.message], ["", `in ${place}`]);
  } else {
    const stored = (which: typeof rule): string =>
      which === rule ? "  <- stored by a submission here" : "";
    if (decoded !== undefined) fields.push(["Returned", cairoText(decoded)]);
    fields.push(
      ["Felts", feltsText(run.retdata)],
      ["Output root", `${run.outputRoot}${stored("output-root")}`],
    );
    if (run.value !== undefined)
      fields.push(["Raw value", `${grouped(run.value)}${stored("value")}`]);
  }
  printFields(screen, fields);
}

function countFelts(json: unknown): number {
  return isRecord(json) && Array.isArray(json["bytecode"]) ? json["bytecode"].length : 0;
}

/**
 * Reads injected state from files: `{ "my_trie": "0x0" }` gives labels (as text or felt) their roots, and
 * `{ "my_trie": { "0x2a": "0x1" } }` the leaves of roots other than 0. Undefined where neither file is named.
 *
 * @param named labels whose roots are in tasks
 * @throws HdpError HDP-6001 for a file of another form
 */
export async function readInjectedState(
  labelsFile: string | undefined,
  leavesFile: string | undefined,
  projectRoot: string,
  named: ReadonlySet<bigint> = new Set(),
): Promise<DryRunOptions["injectedState"]> {
  if (labelsFile === undefined && leavesFile === undefined) return undefined;
  const roots = new Map<bigint, bigint>();
  for (const [label, root] of labelsFile === undefined
    ? []
    : await readObject(labelsFile, projectRoot)) {
    roots.set(parseLabel(label, labelsFile), parseFelt(root, `the root of "${label}"`, labelsFile));
  }
  if (leavesFile === undefined) return { roots };
  const leaves = new Map<bigint, (readonly [bigint, bigint])[]>();
  for (const [label, entries] of await readObject(leavesFile, projectRoot)) {
    if (!isRecord(entries))
      throw unusable(leavesFile, `the leaves of "${label}" are not an object`);
    const pairs = Object.entries(entries).map(([key, value]): readonly [bigint, bigint] => [
      parseFelt(key, `a key of "${label}"`, leavesFile),
      parseFelt(value, `the value of ${key} of "${label}"`, leavesFile),
    ]);
    leaves.set(parseLabel(label, leavesFile), pairs);
  }
  const rootless = [...leaves.keys()].find((label) => !roots.has(label) && !named.has(label));
  if (rootless !== undefined) {
    const text = shortString(rootless);
    throw unusable(
      leavesFile,
      `the label "${text}" has leaves but no root, in the tasks or in --state labels.json`,
    );
  }
  return { roots, leaves };
}

/** Maximum number of leaves: before a run, the tries of all leaves are computed, which takes a second for this many. */
const MAX_VALUES = 50_000;

async function readObject(
  file: string,
  projectRoot: string,
): Promise<readonly (readonly [string, unknown])[]> {
  const text = await readTextFile(namedPath(file, projectRoot), MAX_CLASS_BYTES).catch(
    (error: unknown) => {
      throw unusable(file, `it can't be read (${systemErrorWord(error)})`, error);
    },
  );
  const notJson = (sentence: string): HdpError =>
    unusable(file, `it is not a JSON document: ${sentence}`);
  const json = parsePlainJson(text, { source: file, notJson, maxValues: MAX_VALUES });
  if (!isRecord(json)) throw unusable(file, "it is not an object");
  return Object.entries(json);
}

function parseLabel(text: string, file: string | undefined): bigint {
  const label = labelFelt(text);
  if (label !== undefined) return label;
  throw unusable(
    file,
    `the label "${text}" is neither a felt nor text of at most ${SHORT_STRING_LENGTH} characters`,
  );
}

function parseFelt(value: unknown, what: string, file: string | undefined): bigint {
  const felt =
    typeof value === "string" && /^(0x[0-9a-f]{1,64}|[0-9]{1,78})$/i.test(value)
      ? BigInt(value)
      : -1n;
  if (isFelt(felt)) return felt;
  throw unusable(file, `${what} is ${JSON.stringify(value)}, which is not a felt in quotes`);
}

function unusable(file: string | undefined, reason: string, cause?: unknown): HdpError {
  const hints = ['Labels: { "my_trie": "0x0" }. Leaves: { "my_trie": { "0x2a": "0x1" } }.'];
  return hdpError(
    "HDP-6001",
    { what: "the injected state", reason, path: undefined },
    { path: file, hints, cause },
  );
}
