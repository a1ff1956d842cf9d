import type { ArgumentType } from "hardhat/types/arguments";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { TaskArguments } from "hardhat/types/tasks";

import { makePrintable } from "../base/untrusted-text.js";
import { HdpError } from "../errors/hdp-error.js";
import { flag, type OptionOf, type PositionalOf, type ValuesOf } from "./shared-options.js";
import { type Asker, terminalAsker } from "./ui/confirm.js";
import { type Screen, terminalScreen } from "./ui/screen.js";

type Positionals = Record<string, PositionalOf<ArgumentType>>;
type Options = Record<string, OptionOf<ArgumentType>>;

/** What Hardhat is told of a command; `npm run commands` writes it down for all, so that no action loads before it runs. */
export interface CommandDefinition {
  /** Without `hdp`: a verb about tasks (`submit`), or a thing and a verb (`module run`: `hdp:module:run`). */
  readonly name: string;
  /** Names that it had before, which still work and are not listed. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly positional: Positionals;
  readonly options: Options;
}

/** What an action is given beside its arguments. */
export interface CommandContext {
  readonly hre: HardhatRuntimeEnvironment;
  /** Lines for people, and the document of `--json`. */
  readonly screen: Screen;
  /** Who answers questions. */
  readonly asker: Asker;
}

interface Task {
  // A method, so that an action may ask for the arguments that Hardhat has checked against its definition.
  run(args: TaskArguments, hre: HardhatRuntimeEnvironment): Promise<unknown>;
}

/** A command's action as Hardhat calls it, with its definition. */
export type Command = Task["run"] & { readonly definition: CommandDefinition };

const json = flag("Print one JSON document on standard output, progress on standard error");

/**
 * One command: its definition, and the action whose arguments follow from it. Every command has `--json`, but for those whose output is no document.
 */
export function command<PositionalsT extends Positionals, OptionsT extends Options>(spec: {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly positional?: PositionalsT;
  readonly options?: OptionsT;
  /** False where standard output is something else than lines or a document. */
  readonly json?: false;
  readonly run: (args: ValuesOf<PositionalsT, OptionsT>, context: CommandContext) => Promise<unknown>;
}): Command {
  const { name, aliases = [], description, positional = {}, options = {} } = spec;
  const definition = {
    name,
    aliases,
    description,
    positional,
    options: spec.json === false ? options : { ...options, json },
  };
  const action: Task["run"] = async (
    args: ValuesOf<PositionalsT, OptionsT> & { readonly json?: boolean },
    hre: HardhatRuntimeEnvironment,
  ) => {
    const screen = terminalScreen(args.json === true);
    const asker = terminalAsker(hre.interruptions, args.json === true);
    try {
      return await spec.run(args, { hre, screen, asker });
    } catch (error) {
      // Hardhat prints it: what does not come from this package quotes nodes as they are.
      makePrintable(error);
      const { reportFailure } = await import("./failure.js");
      reportFailure(error, screen, hre.config.paths.root);
      if (error instanceof HdpError) {
        error.message += `\n  More about it: npx hardhat hdp:error ${error.code.slice("HDP-".length)}`;
      }
      throw error;
    }
  };
  return Object.assign(action, { definition });
}
