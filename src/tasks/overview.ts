import { nearest } from "../base/text.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import type { CommandGroup } from "./command.js";
import type { CommandAction } from "./run-command.js";
import { style } from "./ui/screen.js";

/** Returns the action of `hdp` alone: it lists every command, in groups. */
export function overviewOf(groups: readonly CommandGroup[]): CommandAction<{ command: string[] | undefined }> {
  return async ({ command }, { screen }) => {
    const names = groups.flatMap(({ commands }) => Object.keys(commands));
    if (command !== undefined) throw notACommand(command, names);
    const width = Math.max(...names.map((name) => name.length));
    for (const { title, commands } of groups) {
      screen.line();
      screen.line(`  ${style.strong(title)}`);
      for (const [name, { description }] of Object.entries(commands)) {
        screen.line(`    ${style.command(`hdp ${name.padEnd(width)}`)}  ${description}`);
      }
    }
    screen.line();
    screen.line("  Options of a command: npx hardhat hdp submit --help");
    return groups.map(({ title, commands }) => ({
      title,
      commands: Object.entries(commands).map(([name, { description }]) => ({ name: `hdp ${name}`, description })),
    }));
  };
}

function notACommand(words: readonly string[], names: readonly string[]): HdpError {
  // What follows a command's name are its arguments.
  const near = nearest(words.slice(0, 2).join(" "), names) ?? nearest(words[0] ?? "", names);
  const suggestion = near === undefined ? undefined : ` Did you mean "hdp ${near}"?`;
  const hints = ["npx hardhat hdp lists all commands."];
  return hdpError(
    "HDP-6003",
    { value: words[0], what: "a command", suggestion, allowed: undefined },
    { path: "hdp", hints },
  );
}
