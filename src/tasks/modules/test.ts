import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

import { z } from "zod";

import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import { jsonText, parseJsonText } from "../../base/json.js";
import { shortString } from "../../base/felt.js";
import { systemErrorWord } from "../../base/files.js";
import type { ModuleDryRun } from "../../plugin/actions/module-runs.js";
import { labelFelt } from "../../request/injected-state.js";
import type { CommandAction } from "../run-command.js";
import { plural } from "../../base/text.js";
import { style } from "../ui/screen.js";

const SUFFIX = ".test.json";

/** Expected of a run: what `main` returns by its type, its felts, its panic, or the roots it leaves. */
const expectationSchema = z
  .strictObject({
    returned: z.unknown(),
    felts: z.array(z.string()),
    panic: z.string(),
    roots: z.record(z.string()),
  })
  .partial()
  .refine((expected) => Object.keys(expected).length > 0, "expect has to say returned, felts, panic or roots");

/** A file of tests. Paths are relative to it. */
const fileSchema = z.strictObject({
  tests: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        /** A task file, or the task. */
        task: z.union([z.string().min(1), z.object({ module: z.object({}).passthrough() }).passthrough()]),
        /** Chain data that `hdp record` wrote. Without it the connected network is read. */
        recording: z.string().min(1).optional(),
        expect: expectationSchema,
      }),
    )
    .min(1),
});
type Expectation = z.output<typeof expectationSchema>;

interface Outcome {
  readonly file: string;
  readonly name: string;
  /** Empty where the test passes. */
  readonly differences: readonly string[];
  readonly steps: number;
}

export const test: CommandAction<{ dir: string }> = async ({ dir }, { hre, screen }) => {
  const { root } = hre.config.paths;
  const outcomes: Outcome[] = [];
  const { hdp } = await hre.network.getOrCreate();
  for (const path of await testFiles(join(resolve(root, dir), "tests"))) {
    const file = relative(root, path);
    const place = dirname(path);
    for (const { name, task, recording, expect } of await readTests(path, file)) {
      const input = typeof task === "string" ? resolve(place, task) : inFolder(task, place);
      const replay = recording === undefined ? undefined : await hdp.replay(resolve(place, recording));
      const [run] = await hdp.program.run(input).finally(() => replay?.stop());
      const differences = run === undefined ? ["there is no module task"] : differencesOf(run, expect);
      const steps = run?.run.steps ?? 0;
      outcomes.push({ file, name, differences, steps });
      const mark = differences.length === 0 ? style.good("✔") : style.bad("✘");
      screen.line(`  ${mark} ${name}  ${style.faint(`${file}, ${plural(steps, "step")}`)}`);
      for (const difference of differences) screen.line(`      ${difference}`);
    }
  }
  const failed = outcomes.filter(({ differences }) => differences.length > 0).length;
  const passed = outcomes.length - failed;
  screen.line();
  screen.line(`  ${plural(passed, "test")} passed, ${String(failed)} failed`);
  if (failed > 0) process.exitCode = 1;
  return { tests: outcomes, passed, failed };
};

async function testFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(SUFFIX)).sort();
  if (files.length > 0) return files.map((name) => join(folder, name));
  throw hdpError("HDP-6078", { folder }, { path: "dir" });
}

async function readTests(path: string, file: string): Promise<z.output<typeof fileSchema>["tests"]> {
  const wrong = (problem: string): HdpError => hdpError("HDP-6079", { problem }, { path: file });
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw wrong(`it can't be read (${systemErrorWord(error)})`);
  });
  const parsed = fileSchema.safeParse(parseJsonText(text, { source: file }));
  if (parsed.success) return parsed.data.tests;
  const [issue] = parsed.error.issues;
  throw wrong(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? "wrong form"}`);
}

/** A task in the file itself: its class is relative to the file. */
function inFolder(task: { readonly module: object }, folder: string): { readonly module: object } {
  const form = task.module;
  if (!("class" in form) || typeof form.class !== "string") return task;
  const isPath = /[./\\]/.test(form.class);
  return isPath ? { ...task, module: { ...form, class: resolve(folder, form.class) } } : task;
}

function differencesOf({ run, decoded }: ModuleDryRun, expected: Expectation): readonly string[] {
  const differences: string[] = [];
  const compare = (what: string, actual: unknown, wanted: unknown): void => {
    const [ours, theirs] = [comparable(actual), comparable(wanted)];
    if (ours !== theirs) differences.push(`${what} is ${ours}, expected ${theirs}`);
  };
  const panic = run.status === "panicked" ? run.message : undefined;
  if (panic !== expected.panic) {
    differences.push(panic === undefined ? `no panic, expected "${expected.panic ?? ""}"` : `panic: ${panic}`);
  }
  if (panic !== undefined) return differences;
  if ("returned" in expected) {
    compare("what it returned", decoded, expected.returned);
  }
  if (expected.felts !== undefined) compare("the felts", run.retdata, expected.felts.map(BigInt));
  for (const [label, root] of Object.entries(expected.roots ?? {})) {
    const felt = labelFelt(label);
    const outcome = run.injectedState.find((state) => state.label === felt);
    compare(`the root of "${felt === undefined ? label : shortString(felt)}"`, outcome?.rootAfter, BigInt(root));
  }
  return differences;
}

/** JSON in which a number is the same text, whether it was written as a number, a bigint or hex. */
function comparable(value: unknown): string {
  return jsonText(value === undefined ? null : normal(value));
}

function normal(value: unknown): unknown {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value.toString();
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "string" && /^0x[0-9a-f]+$/i.test(value)) return BigInt(value).toString();
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, normal(inner)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}
