/** Writes docs/errors/README.md, the table of all error codes, from the pages' titles. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "docs", "errors");
const AREAS = {
  1: "Requests",
  2: "Configuration and services",
  3: "Execution store",
  4: "Local data processor",
  5: "Journal",
  6: "Plugin and command line",
  7: "Cairo: program hash, ABI inputs, machine",
  8: "Starknet",
};

/** The index as it should be. */
export function errorIndex() {
  const titles = readdirSync(folder)
    .filter((name) => /^HDP-\d{4}\.md$/.test(name))
    .sort()
    .map((name) => {
      const title = /^# (HDP-\d{4}): (.+)$/m.exec(readFileSync(join(folder, name), "utf8"));
      if (title === null) throw new Error(`${name} has no title "# HDP-nnnn: …"`);
      return { code: title[1], title: title[2] };
    });
  const areas = Object.entries(AREAS).flatMap(([digit, area]) => {
    const own = titles.filter(({ code }) => code.startsWith(`HDP-${digit}`));
    const width = Math.max(...own.map(({ title }) => title.length), 5);
    return own.length === 0
      ? []
      : [
          `## ${area}`,
          "",
          `| ${"code".padEnd(23)} | ${"title".padEnd(width)} |`,
          `| ${"-".repeat(23)} | ${"-".repeat(width)} |`,
          ...own.map(({ code, title }) => `| ${`[${code}](${code}.md)`.padEnd(23)} | ${title.padEnd(width)} |`),
          "",
        ];
  });
  const intro =
    "Every error of this package has a number. Its page says what caused it and what to do. The first digit names the area.";
  return ["# Errors", "", intro, "", ...areas].join("\n");
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(folder, "README.md"), errorIndex());
