import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { isRecord } from "../../base/collections.js";
import { hdpError } from "../../errors/hdp-error.js";
import { writeOutput } from "../../plugin/project-files.js";
import type { CommandDialog } from "../run-command.js";
import { addSettings, settingLines, type Setting, tomlOrUndefined } from "../toml-settings.js";
import { mark, printBlock } from "../ui/screen.js";

const HEADER = "[[target.starknet-contract]]";
/** What Scarb's defaults lack for the data processor. */
const KEYS = ["casm", "casm-add-pythonic-hints"];

/**
 * Adds to a package's `Scarb.toml` what a module's build needs, if the user agrees or has done so. Text that is not a
 * package's is left to Scarb.
 *
 * @throws HdpError HDP-7033 where the settings are missing and not added, or say the contrary
 */
export async function requireBuildSettings(
  folder: string,
  yes: boolean,
  { asker, screen }: CommandDialog,
): Promise<void> {
  const file = join(folder, "Scarb.toml");
  const text = await readFile(file, "utf8");
  const document = tomlOrUndefined(text);
  if (!isRecord(document?.["package"])) return;
  const targets = contractTargets(document);
  if (targets.some((target) => KEYS.every((key) => target[key] === true))) return;
  // Lines are added to the first target.
  const [first = {}] = targets;
  const contrary = KEYS.filter((key) => key in first && first[key] !== true);
  if (contrary.length > 0) {
    const said = contrary.map((key) => `${key} = ${String(first[key])}`).join(", ");
    const problem = `${HEADER} says ${said}`;
    const advice = `Set there: ${contrary.map((key) => `${key} = true`).join(", ")}.`;
    throw hdpError("HDP-7033", { file, problem }, { path: "dir", hints: [advice] });
  }
  const missing = KEYS.filter((key) => !(key in first)).map((key): Setting => {
    return { header: HEADER, key, value: "true" };
  });
  const lines = settingLines(missing).join("\n  ");
  if (!yes) {
    const question = `Scarb.toml builds no class that the data processor runs. Add these lines?\n  ${lines}\n[y/N]`;
    const agrees = asker.canAnswer && /^y(es)?$/i.test((await asker.ask(question)).trim());
    if (!agrees) {
      const problem = `${HEADER} lacks ${missing.map(({ key }) => key).join(" and ")}`;
      const advice = `Add these lines, or let them be added with --yes:\n  ${lines}`;
      throw hdpError("HDP-7033", { file, problem }, { path: "dir", hints: [advice] });
    }
  }
  await writeOutput("Scarb.toml", folder, addSettings(text, "Scarb.toml", missing), "dir");
  printBlock(
    screen,
    `  ${mark(true)} Added to Scarb.toml:`,
    ...lines.split("\n  ").map((line) => `      ${line}`),
  );
}

/** Returns the package's targets of contracts, each over the defaults of its kind. */
function contractTargets(
  document: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>>[] {
  const KIND = "starknet-contract";
  const inSection = (name: string): unknown => {
    const section = document[name];
    return isRecord(section) ? section[KIND] : undefined;
  };
  const defaults = inSection("target-defaults");
  const targets = inSection("target");
  return [targets]
    .flat()
    .filter(isRecord)
    .map((target) => Object.assign({}, isRecord(defaults) ? defaults : {}, target));
}
