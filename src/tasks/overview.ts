import { HdpError } from "../errors/hdp-error.js";
import { nearest } from "../base/text.js";
import { optionalWord } from "./shared-options.js";
import { command } from "./command.js";
import { commands, type CommandEntry } from "./generated/commands.js";
import { style } from "./ui/screen.js";

/** The groups in the order in which they are read: by the folders of their commands. */
const GROUPS: Readonly<Record<string, string>> = {
  requests: "Tasks",
  results: "Results",
  journal: "Journal",
  modules: "Modules and programs",
  "storage-proofs": "Storage proofs",
  "remote-tasks": "Tasks at a service",
  starknet: "Starknet",
  development: "Development",
};

/** `hdp` alone: every command once, in groups. */
export default command({
  name: "",
  description: "Lists the commands of the data processor in groups",
  positional: { command: optionalWord("None: whatever follows is looked for among the commands") },
  run: async (args, { screen }) => {
    if (args.command !== undefined) throw notACommand(args.command);
    const groups = Object.entries(GROUPS).map(([folder, title]) => ({
      title,
      commands: commands.filter(({ group }) => group === folder),
    }));
    const width = Math.max(...commands.map(({ name }) => shown(name).length));
    for (const group of groups) {
      screen.line();
      screen.line(`  ${style.strong(group.title)}`);
      for (const { name, description } of group.commands) {
        screen.line(`    ${style.command(shown(name).padEnd(width))}  ${description}`);
      }
    }
    screen.line();
    screen.line("  Options of a command: npx hardhat hdp:submit --help. Both hdp:submit and hdp submit work.");
    screen.document(groups.map(({ title, commands }) => ({ title, commands: commands.map(documentOf) })));
  },
});

/** `hdp:module:run` for "module run". */
function shown(name: string): string {
  return `hdp:${name.replaceAll(" ", ":")}`;
}

function documentOf({ name, description, aliases }: CommandEntry): Record<string, unknown> {
  return { name: shown(name), description, aliases: aliases.map(shown) };
}

function notACommand(word: string): HdpError {
  const names = commands.flatMap(({ name, aliases }) => [name, ...aliases]).map(shown);
  const near = nearest(
    word,
    names.map((name) => name.slice("hdp:".length)),
  );
  return new HdpError({
    code: "HDP-6080",
    path: "hdp",
    message: `"${word}" is not a command.${near === undefined ? "" : ` Did you mean hdp:${near}?`}`,
    hints: ["npx hardhat hdp lists all commands."],
  });
}
