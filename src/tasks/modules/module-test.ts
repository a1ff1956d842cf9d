import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

import { z } from "zod";

import { HdpError } from "../../errors/hdp-error.js";
import { jsonText, parseJsonText } from "../../base/json.js";
import { shortString } from "../../base/felt.js";
import { systemErrorWord } from "../../base/files.js";
import type { ModuleDryRun } from "../../plugin/actions/module-runs.js";
import { labelFelt } from "../../request/injected-state.js";
import { word } from "../shared-options.js";
import { command } from "../command.js";
import { plural } from "../../base/text.js";
import { style } from "../ui/screen.js";

const SUFFIX = ".test.json";

/** What a run has to come to: what `main` returns by its type, its felts, its panic, or the roots it leaves. */
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
        /** Chain data that `hdp:record` wrote. Without it the connected network is read. */
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
  /** What is otherwise; none where the test passes. */
  readonly differences: readonly string[];
  readonly steps: number;
}

export default command({
  name: "module test",
  description: "Run a module's assertions over recorded chain data",
  positional: { dir: word("The package's folder: its tests are in tests/*.test.json", ".") },
  run: async ({ dir }, { hre, screen }) => {
    const folder = join(resolve(hre.config.paths.root, dir), "tests");
    const outcomes: Outcome[] = [];
    const { hdp } = await hre.network.getOrCreate();
    for (const path of await testFiles(folder)) {
      const file = relative(hre.config.paths.root, path);
      for (const { name, task, recording, expect } of await readTests(path, file)) {
        const place = dirname(path);
        const input = typeof task === "string" ? resolve(place, task) : inFolder(task, place);
        const replay = recording === undefined ? undefined : await hdp.replay(resolve(place, recording));
        try {
          const [run] = await hdp.program.run(input);
          const differences = run === undefined ? ["there is no module task"] : differencesOf(run, expect);
          outcomes.push({ file, name, differences, steps: run?.run.steps ?? 0 });
        } finally {
          replay?.stop();
        }
        const last = outcomes.at(-1);
        if (last === undefined) continue;
        const mark = last.differences.length === 0 ? style.good("✔") : style.bad("✘");
        screen.line(`  ${mark} ${name}  ${style.faint(`${file}, ${plural(last.steps, "step")}`)}`);
        for (const difference of last.differences) screen.line(`      ${difference}`);
      }
    }
    const failed = outcomes.filter(({ differences }) => differences.length > 0);
    screen.line();
    screen.line(`  ${plural(outcomes.length - failed.length, "test")} passed, ${String(failed.length)} failed`);
    screen.document({ tests: outcomes, passed: outcomes.length - failed.length, failed: failed.length });
    if (failed.length > 0) process.exitCode = 1;
  },
});

async function testFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(SUFFIX)).sort();
  if (files.length > 0) return files.map((name) => join(folder, name));
  throw new HdpError({
    code: "HDP-6078",
    path: "dir",
    message: `there is no test in ${folder}.`,
    hints: [
      `Tests are files *${SUFFIX}: { "tests": [{ "name": "…", "task": "../tasks/x.json", "recording": "x.recording.json", "expect": { "returned": 7 } }] }`,
      "Chain data is recorded once: npx hardhat hdp:record <task file> --out tests/x.recording.json",
    ],
  });
}

async function readTests(path: string, file: string): Promise<z.output<typeof fileSchema>["tests"]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw wrong(file, `it can't be read (${systemErrorWord(error)})`);
  });
  const parsed = fileSchema.safeParse(parseJsonText(text, { source: file }));
  if (parsed.success) return parsed.data.tests;
  const [issue] = parsed.error.issues;
  throw wrong(file, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "wrong form"}`);
}

function wrong(file: string, problem: string): HdpError {
  return new HdpError({
    code: "HDP-6079",
    path: file,
    message: `the file of tests can't be used: ${problem}.`,
    hints: [
      'A test has "name", "task", "expect" and optionally "recording"; node_modules/hardhat-hdp/docs/modules.md shows one.',
    ],
  });
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

/** JSON in which numbers are one thing, whether they were written as numbers, bigints or text of digits. */
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
