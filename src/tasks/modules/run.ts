import { shortString } from "../../base/felt.js";
import { jsonText } from "../../base/json.js";
import { grouped, plural } from "../../base/text.js";
import type { ModuleDryRun, ModuleProfile } from "../../plugin/actions/module-runs.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { rootsByLabel } from "../../request/injected-state.js";
import { integerIn } from "../option-values.js";
import { readRequest } from "../requests/read-requests.js";
import { command, type Optional } from "../run-command.js";
import { cairoText, feltsText } from "../ui/format.js";
import { preview } from "../ui/preview.js";
import { type Field, printFields, type Screen, style } from "../ui/screen.js";
import { printProfile, speedscopeFile } from "./profile.js";

interface Arguments extends Optional<"generation" | "state" | "stateLeaves" | "profile" | "stepsLimit"> {
  readonly file: string;
}

export const run = command(async (args: Arguments, { hre, screen }) => {
  const { root } = hre.config.paths;
  const maxSteps = args.stepsLimit === undefined ? undefined : integerIn(args.stepsLimit, "--steps-limit", { min: 1 });
  const request = await readRequest(args.file, hre, screen);
  const { parseGeneration } = await import("../../plugin/actions/module-runs.js");
  const generation = parseGeneration(args.generation);
  const { readInjectedState } = await import("./state-files.js");
  const modules = { ...request, tasks: request.tasks.filter((task) => task.type === "Module") };
  const named = new Set(modules.tasks.flatMap(({ injectedState }) => [...rootsByLabel(injectedState).keys()]));
  const injectedState = await readInjectedState(args.state, args.stateLeaves, root, named);
  const programs = knownPrograms(hre.config);
  preview(screen, modules, programs);
  const profiles: ModuleProfile[] = [];
  const onProfile = args.profile === undefined ? undefined : (one: ModuleProfile) => void profiles.push(one);
  const { hdp } = await hre.network.getOrCreate();
  const runs = await hdp.program
    .run(request, { maxSteps, generation, injectedState, onProfile })
    .catch(async (error: unknown) => {
      // The profile says where the steps of a run that was stopped went.
      for (const one of profiles) printProfile(screen, one);
      await writeFlameGraph(args, profiles, root, screen).catch((failure: unknown) => {
        screen.line(`  ${failure instanceof Error ? failure.message : String(failure)}`);
      });
      throw error;
    });
  runs.forEach((one, index) => {
    const name = runs.length === 1 ? "Run" : `Run ${String(index + 1)}`;
    printModuleRun(screen, one, name, programs.get(one.programHash)?.compiledClassJson);
    const profile = profiles[index];
    if (profile !== undefined) printProfile(screen, profile);
  });
  await writeFlameGraph(args, profiles, root, screen);
  screen.line();
  screen.line("  A local run: nothing was submitted, and no proof was made.");
  return runs.map((one, index) => documentOf(one, profiles[index]));
});

/** @throws HdpError HDP-6207 where the file can't be written */
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

/** The stacks of a profile are in its file; the flat hash is computed when the document is written. */
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

/** Reads that are listed for people; `--json` has all. */
const SHOWN_READS = 20;

/** Felts of a class that is hashed a second time just to show the hash, in about half a second. */
const QUICKLY_HASHED = 100_000;

/** Prints what a module read, how long it ran and what it returned. */
function printModuleRun(screen: Screen, dryRun: ModuleDryRun, name: string, compiledClass: unknown): void {
  const { run, reads, proven, programHash, rule, decoded } = dryRun;
  const mark = run.status === "returned" ? style.good("✔") : style.bad("✘");
  const fields: Field[] = [
    [name, `${mark} ${run.status}, ${plural(run.steps, "step")}, generation ${run.generation}`],
    ["Program hash", `${programHash}  (registry)`],
    feltsOf(compiledClass) > QUICKLY_HASHED
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
  if (run.status === "panicked") fields.push(["Panic", run.message]);
  else {
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

/** `account.balance of 0xf39f…, block 0 of chain 11155111: 10,000` */
function describeRead(read: ModuleDryRun["reads"][number]): string {
  const place = [
    "address" in read ? ` of ${read.address}` : "",
    "slot" in read ? ` slot ${read.slot}` : "",
    "index" in read ? ` ${grouped(read.index)}` : "",
    "logIndex" in read ? ` log ${grouped(read.logIndex)}` : "",
  ].join("");
  const [low = 0n, high = 0n, ...more] = read.felts;
  const value = more.length > 0 ? plural(read.felts.length, "felt") : grouped(low + (high << 128n));
  return `${read.kind}.${read.field}${place}, block ${grouped(read.block)} of chain ${read.chainId.toString()}: ${value}`;
}
