/** Writes docs/errors: a page for each area of the catalogue in src/errors, and the index of the pages. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { format, resolveConfig } from "prettier";

import { printedTemplate, type ErrorTemplate } from "../src/errors/catalogue-entry.js";
import { AREAS, CATALOGUE, isHdpErrorCode, type HdpErrorCode } from "../src/errors/catalogue.js";

const folder = join(import.meta.dirname, "..", "docs", "errors");
const codes = Object.keys(CATALOGUE).filter(isHdpErrorCode);

/** The files of docs/errors with their texts, as they should be. */
export async function errorPages(): Promise<ReadonlyMap<string, string>> {
  const pages = [
    ["README.md", index()],
    ...AREAS.map((area) => [`${area.page}.md`, page(area)] as const),
  ] as const;
  const options = await resolveConfig(join(folder, "README.md"));
  return new Map(
    await Promise.all(
      pages.map(
        async ([name, text]) =>
          [name, await format(text, { ...options, parser: "markdown" })] as const,
      ),
    ),
  );
}

function index(): string {
  return [
    "# Errors",
    "",
    "`npx hardhat hdp error 4101` prints what an error means and what to do. The first digit of its number names the page:",
    "",
    "| numbers | page |",
    "| --- | --- |",
    ...AREAS.map((area) => `| HDP-${area.digit}xxx | [${area.title}](${area.page}.md) |`),
    "",
  ].join("\n");
}

function page(area: (typeof AREAS)[number]): string {
  return [`# Errors: ${area.title}`, "", ...codesOf(area).map(entry)].join("\n");
}

function entry(code: HdpErrorCode): string {
  const template: ErrorTemplate = CATALOGUE[code];
  return [
    `<a id="${anchor(code)}"></a>`,
    "",
    `## ${code}: ${template.title}`,
    "",
    "```text",
    printedTemplate(code, template),
    "```",
    "",
    linked(template.description ?? ""),
    "",
  ].join("\n");
}

/** The text with its mentions of other numbers as links. */
function linked(text: string): string {
  return text.replace(/HDP-\d{4}/g, (code) => (isHdpErrorCode(code) ? link(code) : code));
}

function link(code: HdpErrorCode): string {
  const area = AREAS.find(({ digit }) => code.startsWith(`HDP-${digit}`));
  if (area === undefined) throw new Error(`${code} is of no area`);
  return `[${code}](${area.page}.md#${anchor(code)})`;
}

function codesOf({ digit }: { readonly digit: string }): readonly HdpErrorCode[] {
  return codes.filter((code) => code.startsWith(`HDP-${digit}`)).sort();
}

function anchor(code: HdpErrorCode): string {
  return code.toLowerCase();
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of await errorPages()) await writeFile(join(folder, name), text);
}
