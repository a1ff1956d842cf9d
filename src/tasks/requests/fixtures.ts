import { printableLines } from "../../base/untrusted-text.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { computeFixtures, parseFixtureFormat, writeFixtures } from "../../plugin/task-fixtures.js";
import { optionalText, words } from "../shared-options.js";
import { command } from "../command.js";
import { style } from "../ui/screen.js";

export default command({
  name: "fixtures",
  aliases: ["snforge fixtures", "snforge:fixtures"],
  description: "Run task files locally and write their hashes and results as constants for tests",
  positional: { files: words("Task files (JSON), relative to the project") },
  options: {
    format: optionalText(
      "solidity, typescript, cairo, json or txt; by default what the ending of --out says, else cairo",
    ),
    out: optionalText("File to write; standard output when left out"),
  },
  json: false,
  run: async ({ files, format, out }, { hre, screen }) => {
    const parsed = parseFixtureFormat(format ?? formatOf(out));
    const { root } = hre.config.paths;
    const { hdp } = await hre.network.getOrCreate();
    const fixtures = await computeFixtures(files, { projectRoot: root, programs: knownPrograms(hre.config) }, hdp);
    const text = await writeFixtures(fixtures, parsed, out, root);
    if (out === undefined) {
      process.stdout.write(printableLines(text));
      return;
    }
    screen.line();
    screen.line(`  ${style.strong("Fixtures")}  ${out}`);
    for (const { name, taskHash } of fixtures) screen.line(`  ${name}  ${taskHash}`);
  },
});

/** The format that a file's ending says. */
function formatOf(out: string | undefined): string {
  const ending = out?.split(".").at(-1) ?? "";
  const formats: Readonly<Record<string, string>> = { sol: "solidity", ts: "typescript", json: "json", txt: "txt" };
  return formats[ending] ?? "cairo";
}
