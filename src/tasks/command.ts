import {
  ArgumentType,
  type ArgumentTypeToValueType,
  type OptionDefinition,
  type PositionalArgumentDefinition,
} from "hardhat/types/arguments";
import type { NewTaskActionFunction, TaskArguments } from "hardhat/types/tasks";
import { type NewTaskDefinition, TaskDefinitionType } from "hardhat/types/tasks";

import type { CommandAction } from "./run-command.js";

/** `--name value`, or `--name` alone for a flag; its name is its key in `options`. */
type Option<TypeT extends ArgumentType = ArgumentType> = Omit<OptionDefinition<TypeT>, "name">;

/** A word after the command; its name is its key in `positional`, its place the key's. */
interface Positional<TypeT extends ArgumentType = ArgumentType, VariadicT extends boolean = boolean> extends Omit<
  PositionalArgumentDefinition<TypeT>,
  "name"
> {
  readonly isVariadic: VariadicT;
}

type Positionals = Readonly<Record<string, Positional>>;
type Options = Readonly<Record<string, Option>>;

/** Several words; undefined if there are none and there is no default. */
type WordsOf<TypeT extends ArgumentType> =
  Exclude<ArgumentTypeToValueType<TypeT>, undefined>[] | Extract<ArgumentTypeToValueType<TypeT>, undefined>;

/** The values of a command's arguments, by name. */
type ValuesOf<PositionalsT extends Positionals, OptionsT extends Options> = {
  readonly [Name in keyof PositionalsT]: PositionalsT[Name]["isVariadic"] extends true
    ? WordsOf<PositionalsT[Name]["type"]>
    : ArgumentTypeToValueType<PositionalsT[Name]["type"]>;
} & { readonly [Name in keyof OptionsT]: ArgumentTypeToValueType<OptionsT[Name]["type"]> };

/** Commands under a title of the overview, by their names without `hdp`. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: Readonly<Record<string, CommandDefinition>>;
}

interface Loaded {
  // A method: an action names the arguments that Hardhat has checked against the definition.
  run(args: TaskArguments, context: Parameters<CommandAction>[1]): Promise<unknown>;
}

/** A command: plain data, and a function that loads its action when it runs. */
export interface CommandDefinition {
  readonly description: string;
  readonly positional: Positionals;
  readonly options: Options;
  readonly load: () => Promise<Loaded["run"]>;
}

const json = flag("Print one JSON document on standard output, progress on standard error");

/**
 * Defines a command; the arguments of its action follow from `positional` and `options`. Every command has `--json`,
 * unless `json` is false because its output is not a document.
 */
export function command<PositionalsT extends Positionals, OptionsT extends Options>(definition: {
  readonly description: string;
  readonly positional?: PositionalsT;
  readonly options?: OptionsT;
  readonly json?: false;
  readonly load: () => Promise<CommandAction<ValuesOf<PositionalsT, OptionsT>>>;
}): CommandDefinition {
  const { description, positional = {}, options = {}, load } = definition;
  return { description, positional, options: definition.json === false ? options : { ...options, json }, load };
}

/** Returns what Hardhat registers for a command; its action loads when it runs. */
export function taskOf({
  description,
  positional,
  options,
  load,
}: CommandDefinition): Omit<Extract<NewTaskDefinition, { inlineAction?: never }>, "id"> {
  const action = async (): Promise<{ default: NewTaskActionFunction }> => {
    const [{ runCommand }, run] = await Promise.all([import("./run-command.js"), load()]);
    return { default: async (args, hre) => await runCommand(run, args, hre) };
  };
  return {
    type: TaskDefinitionType.NEW_TASK,
    description,
    action,
    positionalArguments: Object.entries(positional).map(([name, argument]) => ({ name, ...argument })),
    options: Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { name, ...option }])),
  };
}

/** A word; required unless it has a default. */
export function word(description: string, defaultValue?: string): Positional<ArgumentType.STRING, false> {
  const argument = { type: ArgumentType.STRING, description, isVariadic: false } as const;
  return defaultValue === undefined ? argument : { ...argument, defaultValue };
}

/** A word that may be left out. */
export function optionalWord(description: string): Positional<ArgumentType.STRING_WITHOUT_DEFAULT, false> {
  return { type: ArgumentType.STRING_WITHOUT_DEFAULT, description, isVariadic: false, defaultValue: undefined };
}

/** Several words; at least one unless there is a default. */
export function words(description: string, defaultValue?: string[]): Positional<ArgumentType.STRING, true> {
  const argument = { type: ArgumentType.STRING, description, isVariadic: true } as const;
  return defaultValue === undefined ? argument : { ...argument, defaultValue };
}

/** Several words, or none. */
export function optionalWords(description: string): Positional<ArgumentType.STRING_WITHOUT_DEFAULT, true> {
  return { type: ArgumentType.STRING_WITHOUT_DEFAULT, description, isVariadic: true, defaultValue: undefined };
}

export function flag(description: string): Option<ArgumentType.FLAG> {
  return { type: ArgumentType.FLAG, description, defaultValue: false };
}

export function text(description: string, defaultValue: string): Option<ArgumentType.STRING> {
  return { type: ArgumentType.STRING, description, defaultValue };
}

export function optionalText(
  description: string,
  more: { readonly shortName?: string } = {},
): Option<ArgumentType.STRING_WITHOUT_DEFAULT> {
  return { type: ArgumentType.STRING_WITHOUT_DEFAULT, description, defaultValue: undefined, ...more };
}

export function integer(description: string, defaultValue: number): Option<ArgumentType.INT> {
  return { type: ArgumentType.INT, description, defaultValue };
}
