import { plural, printableLines, shellWord } from "../../base/text.js";
import { suggested } from "../../errors/suggested.js";
import { readLayout } from "../../plugin/actions/storage-of.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { requireOutput, writeOutput } from "../../plugin/project-files.js";
import { command, type CommandContext, type Optional } from "../run-command.js";
import { printFields, style } from "../ui/screen.js";
import { networkAtHand, readRequests } from "./read-requests.js";
import { renderStorage, storageLibraries } from "./render-storage.js";
import { renderTaskTypes } from "./render-task-types.js";
import { computeFixtures, fixtureFormat, renderFixtures } from "./task-fixtures.js";

interface Generated {
  readonly text: string;
  /** What it is made from: "task files". */
  readonly from: string;
  /** The command that writes it, without options. */
  readonly again: string;
}

interface Output {
  readonly out: string;
  readonly check: boolean;
}

export const types = command(async ({ files, ...output }: Output & { files: string[] }, context) => {
  const { hre, screen } = context;
  const requests = await readRequests(files, hre, networkAtHand(hre, screen));
  const again = suggested("hdp types", files, { after: `--out ${shellWord(output.out)}` });
  await writeOrCheck({ text: renderTaskTypes(requests), from: "task files", again }, output, context);
  for (const { file } of requests) screen.line(`    ${file}`);
  return { out: output.out, files: requests.map(({ file }) => file) };
});

export const storage = command(async ({ contracts, ...output }: Output & { contracts: string[] }, context) => {
  const { hre, screen } = context;
  // Tests may import the library before it exists; contracts do not.
  await hre.tasks.getTask("build").run({ quiet: true, noTests: true });
  await hre.artifacts.clearCache();
  const layouts = await Promise.all(contracts.map(async (contract) => await readLayout(hre.artifacts, contract)));
  const libraries = storageLibraries(layouts);
  const again = suggested("hdp storage", contracts, { after: `--out ${shellWord(output.out)}` });
  const text = renderStorage(libraries, contracts);
  await writeOrCheck({ text, from: "compiler's layout", again }, output, context);
  for (const { library, functions, without } of libraries) {
    screen.line(`    ${library}  ${plural(functions.length, "function")}`);
    for (const { path, why } of without) screen.line(`      without ${path}: ${why}`);
  }
  const written = libraries.map(({ contract, library, functions, without }) => {
    return { contract, library, functions: functions.length, without };
  });
  return { out: output.out, libraries: written };
});

/** Writes a generated file, or with `--check` throws if the file is not what would be written. */
async function writeOrCheck(
  { text, from, again }: Generated,
  { out, check }: Output,
  { hre, screen }: CommandContext,
): Promise<void> {
  const { root } = hre.config.paths;
  if (check) await requireOutput(out, root, text, { from, again });
  else await writeOutput(out, root, text);
  screen.line(`  ${style.good("✔")} ${out}  ${check ? `matches the ${from}` : "written"}`);
}

export const fixtures = command(
  async ({ files, format, out }: { files: string[] } & Optional<"format" | "out">, { hre, screen }) => {
    const parsed = fixtureFormat(format ?? formatOf(out));
    const { root } = hre.config.paths;
    const connection = await hre.network.getOrCreate();
    const computed = await computeFixtures(
      files,
      { projectRoot: root, programs: knownPrograms(hre.config) },
      connection,
    );
    const text = renderFixtures(computed, parsed);
    if (out === undefined) {
      process.stdout.write(printableLines(text));
      return;
    }
    await writeOutput(out, root, text);
    printFields(screen, [["Fixtures", out]]);
    for (const { name, taskHash } of computed) screen.line(`  ${name}  ${taskHash}`);
  },
);

/** Returns the format of a file by its extension. */
function formatOf(out: string | undefined): string {
  const extension = out?.split(".").at(-1) ?? "";
  const formats: Readonly<Record<string, string>> = { sol: "solidity", ts: "typescript", json: "json", txt: "txt" };
  return formats[extension] ?? "cairo";
}
