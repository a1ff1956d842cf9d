import type { NewTaskDefinition } from "hardhat/types/tasks";

import { notAllowed } from "../errors/hdp-error.js";
import { nearest } from "../base/text.js";
import { printedTemplate, type ErrorTemplate } from "../errors/catalogue-entry.js";
import { CATALOGUE, errorPage, isHdpErrorCode, type HdpErrorCode } from "../errors/catalogue.js";
import { command } from "./run-command.js";
import { printBlock, style, wrapped } from "./ui/screen.js";

/** Commands that `hdp` lists under one title. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly NewTaskDefinition[];
}

/** Returns the action of a parent such as `hdp module`, which lists its commands in groups. */
export const commandOverview = (
  parent: string,
  all: readonly CommandGroup[],
): ReturnType<typeof command> =>
  command(
    async ({ command: words = [] }: { command?: readonly (string | undefined)[] }, { screen }) => {
      const groups = all
        .map(({ title, commands }) => {
          const described = commands.map(({ id, description }) => ({
            name: id.join(" "),
            description,
          }));
          return { title, commands: described.filter(({ name }) => name.startsWith(`${parent} `)) };
        })
        .filter(({ commands }) => commands.length > 0);
      const names = groups.flatMap(({ commands }) => commands.map(({ name }) => name));
      if (words.length > 0) {
        // Words after a command's name are its arguments.
        const typed = [2, 1].map((count) => [parent, ...words.slice(0, count)].join(" "));
        const near = typed.map((text) => nearest(text, names)).find((name) => name !== undefined);
        throw notAllowed(words[0], "a command", {
          path: parent,
          near,
          hints: ["npx hardhat hdp lists all commands."],
        });
      }
      const width = Math.max(...names.map((name) => name.length));
      for (const { title, commands } of groups) {
        const lines = commands.map(
          ({ name, description }) => `    ${style.command(name.padEnd(width))}  ${description}`,
        );
        printBlock(screen, `  ${style.strong(title)}`, ...lines);
      }
      printBlock(screen, `  Options of a command: npx hardhat ${names[0] ?? parent} --help`);
      return groups;
    },
  );

/** Runs `hdp error`: prints what an error's number means. */
export const error = command(async ({ number }: { number: string }, { screen }) => {
  const code = parseErrorCode(number);
  const template: ErrorTemplate = CATALOGUE[code];
  const { title, description } = template;
  const message = printedTemplate(code, template);
  printBlock(screen, `  ${style.strong(`${code}  ${title}`)}`);
  printBlock(screen, ...message.split("\n").map((line) => `  ${style.faint(line)}`));
  // Links become names of pages in the package.
  const text = description?.replace(
    /\[([^\]]+)\]\(\.\.\/([^)]+)\)/g,
    "$1 (node_modules/hardhat-hdp/docs/$2)",
  );
  const width = Math.min(process.stdout.isTTY ? process.stdout.columns || 80 : 100, 100) - 2;
  if (text !== undefined)
    printBlock(screen, ...wrapped(text, width).map((line) => `  ${line.trimStart()}`));
  const page = errorPage(code);
  printBlock(screen, `  ${page}`, "");
  return { code, title, message, description, page };
});

/** Returns the catalogue's number for `4101`, `HDP-4101` or `hdp-4101`. @throws HdpError HDP-6003 */
function parseErrorCode(text: string): HdpErrorCode {
  const code = `HDP-${text.trim().replace(/^hdp-/i, "")}`;
  if (isHdpErrorCode(code)) return code;
  const hints = ["For instance: npx hardhat hdp error 4101"];
  throw notAllowed(text, "the number of an error", { path: "number", hints });
}
