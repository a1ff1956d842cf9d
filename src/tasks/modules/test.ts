import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

import type { HardhatConfig } from "hardhat/types/config";
import { z } from "zod";

import { shortString } from "../../base/felt.js";
import { namedPath, systemErrorWord } from "../../base/files.js";
import { jsonText, parseJsonText } from "../../base/json.js";
import { plural } from "../../base/text.js";
import { hdpError, isHdpError } from "../../errors/hdp-error.js";
import type { ModuleDryRun } from "../../plugin/actions/program-actions.js";
import type { HdpConnection } from "../../plugin/hdp.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { labelFelt } from "../../request/injected-state.js";
import { type Flags, type Limits, parseLimits } from "../options.js";
import { command, type CommandContext } from "../run-command.js";
import { watchable } from "../watch.js";
import { panickedAt, stoppedAt } from "./class-sources.js";
import { mark, printBlock, style } from "../ui/screen.js";

/** Expectation of a run: the typed return value of `main`, its felts, its panic, or the roots it leaves. */
const expectationSchema = z
  .strictObject({
    returned: z.unknown(),
    felts: z.array(z.string()),
    panic: z.string(),
    roots: z.record(z.string()),
  })
  .partial()
  .refine(
    (expected) => Object.keys(expected).length > 0,
    "expect has to say returned, felts, panic or roots",
  );

const testSchema = z.strictObject({
  name: z.string().min(1),
  /** A path of a task file, or the task itself. */
  task: z.union([
    z.string().min(1),
    z.object({ module: z.object({}).passthrough() }).passthrough(),
  ]),
  /** Chain data that `hdp record` wrote. Without it, the connected network is read. */
  recording: z.string().min(1).optional(),
  expect: expectationSchema,
});

type ModuleTest = z.output<typeof testSchema>;

/** A file of tests. Paths are relative to the file. */
const fileSchema = z.strictObject({ tests: z.array(testSchema).min(1) });

/** Runs `hdp module test`: runs modules over recorded data and compares their results. */
export const test = command(
  watchable(testOnce, {
    watched: ({ dir }, { hre }) => ({
      files: [],
      folders: [namedPath(dir, hre.config.paths.root)],
    }),
    prepare: async (_args, context) => {
      const { rebuild } = await import("./programs.js");
      await rebuild(context);
    },
  }),
);

/** Runs the tests of a package once, and prints their outcomes. Returns the document of `--json`. */
async function testOnce(
  { dir, ...args }: { dir: string } & Limits & Flags<"watch">,
  { hre, screen }: CommandContext,
): Promise<unknown> {
  const { root } = hre.config.paths;
  // A test without differences has passed.
  const outcomes: { file: string; name: string; differences: readonly string[]; steps: number }[] =
    [];
  const limits = parseLimits(args);
  const { hdp } = await hre.network.getOrCreate();
  for (const path of await testFiles(join(namedPath(dir, root), "tests"))) {
    const file = relative(root, path);
    for (const one of await readTests(path, file)) {
      const { name } = one;
      const { steps, differences } = await runTest(one, dirname(path), {
        hdp,
        limits,
        config: hre.config,
      });
      outcomes.push({ file, name, differences, steps });
      screen.line(
        `  ${mark(differences.length === 0)} ${name}  ${style.faint(`${file}, ${plural(steps, "step")}`)}`,
      );
      for (const difference of differences) screen.line(`      ${difference}`);
    }
  }
  const failed = outcomes.filter(({ differences }) => differences.length > 0).length;
  const passed = outcomes.length - failed;
  printBlock(screen, `  ${plural(passed, "test")} passed, ${String(failed)} failed`);
  if (failed > 0) process.exitCode = 1;
  return { tests: outcomes, passed, failed };
}

/** Runs one test. An error that prevents the run fails the test, and the following tests still run. */
async function runTest(
  { task, recording, expect }: ModuleTest,
  folder: string,
  {
    hdp,
    limits,
    config,
  }: { hdp: HdpConnection; limits: ReturnType<typeof parseLimits>; config: HardhatConfig },
): Promise<{ readonly steps: number; readonly differences: readonly string[] }> {
  const { root } = config.paths;
  const programs = knownPrograms(config);
  const input = typeof task === "string" ? resolve(folder, task) : inFolder(task, folder);
  try {
    const replay =
      recording === undefined ? undefined : await hdp.replay(resolve(folder, recording));
    const [run] = await hdp.program.run(input, limits).finally(() => replay?.stop());
    if (run === undefined) return { steps: 0, differences: ["there is no module task"] };
    const differences = listDifferences(run, expect);
    if (run.run.status === "panicked" && differences.length > 0)
      differences.push(`in ${await panickedAt(run.run, programs, root)}`);
    return { steps: run.run.steps, differences };
  } catch (error) {
    if (!isHdpError(error)) throw error;
    const stopped = await stoppedAt(error, programs, root);
    return {
      steps: 0,
      differences: [error.message, ...(stopped === undefined ? [] : [`stopped in ${stopped}`])],
    };
  }
}

async function testFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".test.json")).sort();
  if (files.length === 0)
    throw hdpError("HDP-6079", { problem: `there is none in ${folder}` }, { path: "dir" });
  return files.map((name) => join(folder, name));
}

async function readTests(path: string, file: string): Promise<readonly ModuleTest[]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw hdpError(
      "HDP-6079",
      { problem: `it can't be read (${systemErrorWord(error)})` },
      { path: file },
    );
  });
  const parsed = fileSchema.safeParse(parseJsonText(text, { source: file }));
  if (parsed.success) return parsed.data.tests;
  const [issue] = parsed.error.issues;
  const problem = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "wrong form"}`;
  throw hdpError("HDP-6079", { problem }, { path: file });
}

/** Returns a task with the path of its class relative to the file. */
function inFolder(task: { readonly module: object }, folder: string): { readonly module: object } {
  const form = task.module;
  const isPath = "class" in form && typeof form.class === "string" && /[./\\]/.test(form.class);
  return isPath
    ? { ...task, module: { ...form, class: resolve(folder, String(form.class)) } }
    : task;
}

function listDifferences({ run, decoded }: ModuleDryRun, expected: ModuleTest["expect"]): string[] {
  const panic = run.status === "panicked" ? run.message : undefined;
  if (panic !== undefined) return panic === expected.panic ? [] : [`panic: ${panic}`];
  const differences =
    expected.panic === undefined ? [] : [`no panic, expected "${expected.panic}"`];
  const compare = (what: string, actual: unknown, wanted: unknown): void => {
    const [ours, theirs] = [jsonText(normal(actual ?? null)), jsonText(normal(wanted ?? null))];
    if (ours !== theirs) differences.push(`${what} is ${ours}, expected ${theirs}`);
  };
  if ("returned" in expected) compare("what it returned", decoded, expected.returned);
  if (expected.felts !== undefined) compare("the felts", run.retdata, expected.felts.map(BigInt));
  for (const [label, root] of Object.entries(expected.roots ?? {})) {
    const felt = labelFelt(label);
    const outcome = run.injectedState.find((state) => state.label === felt);
    compare(
      `the root of "${felt === undefined ? label : shortString(felt)}"`,
      outcome?.rootAfter,
      BigInt(root),
    );
  }
  return differences;
}

/** Normalizes a value: writes a number, a bigint and hex as the same text, and sorts the keys of objects. */
function normal(value: unknown): unknown {
  if (typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value)))
    return value.toString();
  if (typeof value === "string" && /^0x[0-9a-f]+$/i.test(value)) return BigInt(value).toString();
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, normal(inner)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}
