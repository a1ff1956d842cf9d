import type { NewTaskDefinition } from "hardhat/types/tasks";

import { nearest } from "../base/text.js";
import { hdpError } from "../errors/hdp-error.js";
import { command } from "./run-command.js";
import { style } from "./ui/screen.js";

/** Commands under a title of the overview. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly NewTaskDefinition[];
}

/** Returns the action of `hdp` alone: it lists every command, in groups. */
export const overviewOf = (groups: readonly CommandGroup[]): ReturnType<typeof command> =>
  command(async ({ command: words = [] }: { command?: readonly (string | undefined)[] }, { screen }) => {
    const names = groups.flatMap(({ commands }) => commands.map(({ id }) => id.join(" ")));
    if (words.length > 0) {
      // What follows a command's name are its arguments.
      const near = nearest(`hdp ${words.slice(0, 2).join(" ")}`, names) ?? nearest(`hdp ${words[0] ?? ""}`, names);
      const suggestion = near === undefined ? undefined : ` Did you mean "${near}"?`;
      const values = { value: words[0], what: "a command", suggestion, allowed: undefined };
      throw hdpError("HDP-6003", values, { path: "hdp", hints: ["npx hardhat hdp lists all commands."] });
    }
    const width = Math.max(...names.map((name) => name.length));
    for (const { title, commands } of groups) {
      screen.line();
      screen.line(`  ${style.strong(title)}`);
      for (const { id, description } of commands) {
        screen.line(`    ${style.command(id.join(" ").padEnd(width))}  ${description}`);
      }
    }
    screen.line();
    screen.line("  Options of a command: npx hardhat hdp submit --help");
    return groups.map(({ title, commands }) => ({
      title,
      commands: commands.map(({ id, description }) => ({ name: id.join(" "), description })),
    }));
  });
