import { printedTemplate, type CatalogueEntry, type ErrorTemplate } from "../../errors/catalogue-entry.js";
import { CATALOGUE, isHdpErrorCode, type HdpErrorCode } from "../../errors/catalogue.js";
import { HdpError } from "../../errors/hdp-error.js";
import { word } from "../shared-options.js";
import { command } from "../command.js";
import { style } from "../ui/screen.js";

const WIDTH = 100;

export default command({
  name: "error",
  description: "Explain an error by its number, for instance 4101",
  positional: { number: word("The number, with or without HDP-") },
  run: async (args, { screen }) => {
    const code = codeOf(args.number);
    const entry: CatalogueEntry | ErrorTemplate = CATALOGUE[code];
    const { title } = entry;
    const message = entry.message !== undefined ? printedTemplate(code, entry) : entry.example;
    const description = entry.message !== undefined ? entry.description : `${entry.meaning}\n\n${entry.remedy}`;
    screen.line();
    screen.line(`  ${style.strong(`${code}  ${title}`)}`);
    screen.line();
    for (const line of message.split("\n")) screen.line(`  ${style.faint(line)}`);
    screen.line();
    for (const line of plainLines(description)) screen.line(`  ${line}`.trimEnd());
    screen.line();
    screen.document({ code, title, message, description });
  },
});

/** The catalogue's number for `4101`, `HDP-4101` or `hdp-4101`. */
function codeOf(text: string): HdpErrorCode {
  const digits = /^(?:hdp-)?(\d{1,6})$/i.exec(text.trim())?.[1];
  const code = `HDP-${digits ?? ""}`;
  if (isHdpErrorCode(code)) return code;
  const near = digits === undefined ? undefined : nearestTo(Number(digits));
  throw new HdpError({
    code: "HDP-6017",
    path: "number",
    message: `"${text}" is not the number of an error`,
    hints: [
      near === undefined
        ? "Give the number that an error begins with: npx hardhat hdp:error 4101"
        : `The nearest is ${near}: ${CATALOGUE[near].title}.`,
    ],
  });
}

function nearestTo(number: number): HdpErrorCode | undefined {
  const distance = (code: HdpErrorCode): number => Math.abs(Number(code.slice("HDP-".length)) - number);
  return Object.keys(CATALOGUE)
    .filter(isHdpErrorCode)
    .sort((a, b) => distance(a) - distance(b))[0];
}

/** Markdown for a terminal: links name their page in the package, paragraphs are wrapped, lists and code are kept. */
function plainLines(markdown: string): string[] {
  const text = markdown.replace(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g, "$1 (node_modules/hardhat-hdp/docs/$2)");
  let code = false;
  return text.split("\n").flatMap((line) => {
    if (line.startsWith("```")) {
      code = !code;
      return [];
    }
    return code ? [`  ${line}`] : wrapped(line);
  });
}

/** The line cut at spaces, at {@link WIDTH} characters; a list's item stays behind its dash. */
function wrapped(line: string): string[] {
  const indent = line.startsWith("- ") ? "  " : "";
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current.length > indent.length && current.length + 1 + word.length > WIDTH) {
      lines.push(current);
      current = indent + word;
    } else {
      current = current === "" ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
