// Prints each mutant that no test noticed, as soon as that is known, unless it is listed as equivalent with the reason.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

import type { MutantResult } from "@stryker-mutator/api/core";
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";
import type { Reporter } from "@stryker-mutator/api/report";
import { z } from "zod";

/** Stryker's processes load this file too, and resolve no other of the project. */
const root = join(import.meta.dirname, "..", "..");

const equivalents = z
  .array(
    z
      .object({ file: z.string(), code: z.string(), mutant: z.string(), why: z.string().min(1) })
      .strict(),
  )
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, "equivalent.json"), "utf8")));

export type Verdict = "noticed" | "missed" | "equivalent";

/** `undefined` for what was not tested: ignored, or no program. */
export function verdict(mutant: MutantResult): Verdict | undefined {
  if (mutant.status === "Killed" || mutant.status === "Timeout") return "noticed";
  if (mutant.status !== "Survived" && mutant.status !== "NoCoverage") return undefined;
  const file = fileOf(mutant);
  const [code, replacement] = [replaced(mutant), oneLine(mutant.replacement)];
  const listed = equivalents.some(
    (one) => one.file === file && one.code === code && one.mutant === replacement,
  );
  return listed ? "equivalent" : "missed";
}

function fileOf({ fileName }: MutantResult): string {
  return relative(root, fileName).replaceAll("\\", "/");
}

/** The text that a mutant replaces. */
function replaced({ fileName, location: { start, end } }: MutantResult): string {
  const lines = readFileSync(fileName, "utf8")
    .split("\n")
    .slice(start.line - 1, end.line);
  lines.push((lines.pop() ?? "").slice(0, end.column - 1));
  const [first = "", ...others] = lines;
  return oneLine([first.slice(start.column - 1), ...others].join("\n"));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

const reporter: Reporter = {
  onMutantTested: (mutant) => {
    if (verdict(mutant) !== "missed") return;
    const covered = mutant.status === "Survived" ? "" : ", which no test runs";
    const [code, replacement] = [replaced(mutant), oneLine(mutant.replacement)];
    console.log(
      `${fileOf(mutant)}:${mutant.location.start.line}${covered}\n  - ${code}\n  + ${replacement}`,
    );
  },
};

/** What Stryker loads this file for. */
export const strykerPlugins = [declareValuePlugin(PluginKind.Reporter, "missed", reporter)];
