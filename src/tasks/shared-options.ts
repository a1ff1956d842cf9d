import {
  ArgumentType,
  type ArgumentTypeToValueType,
  type OptionDefinition,
  type PositionalArgumentDefinition,
} from "hardhat/types/arguments";

import { HdpError } from "../errors/hdp-error.js";

/** `--name value`, or `--name` alone for a flag; its name is its key in a command's `options`. */
export type OptionOf<TypeT extends ArgumentType> = Omit<OptionDefinition<TypeT>, "name">;

/** A word after the command; its name is its key in a command's `positional`, its place the key's. */
export interface PositionalOf<TypeT extends ArgumentType, VariadicT extends boolean = boolean> extends Omit<
  PositionalArgumentDefinition<TypeT>,
  "name" | "defaultValue"
> {
  readonly isVariadic: VariadicT;
  readonly defaultValue?: ArgumentTypeToValueType<TypeT> | ArgumentTypeToValueType<TypeT>[];
}

/** The values of a command's arguments, by name. */
export type ValuesOf<
  PositionalsT extends Record<string, PositionalOf<ArgumentType>>,
  OptionsT extends Record<string, OptionOf<ArgumentType>>,
> = {
  readonly [Name in keyof PositionalsT]: PositionalsT[Name]["isVariadic"] extends true
    ? ArgumentTypeToValueType<PositionalsT[Name]["type"]>[]
    : ArgumentTypeToValueType<PositionalsT[Name]["type"]>;
} & { readonly [Name in keyof OptionsT]: ArgumentTypeToValueType<OptionsT[Name]["type"]> };

/** A word that has to be there, or has a default. */
export function word(description: string, defaultValue?: string): PositionalOf<ArgumentType.STRING, false> {
  return {
    type: ArgumentType.STRING,
    description,
    isVariadic: false,
    ...(defaultValue === undefined ? {} : { defaultValue }),
  };
}

/** A word that may be left out. */
export function optionalWord(description: string): PositionalOf<ArgumentType.STRING_WITHOUT_DEFAULT, false> {
  return { type: ArgumentType.STRING_WITHOUT_DEFAULT, description, isVariadic: false, defaultValue: undefined };
}

/** One or more words; none where there is a default. */
export function words(description: string, defaultValue?: string[]): PositionalOf<ArgumentType.STRING, true> {
  const words = { type: ArgumentType.STRING, description, isVariadic: true } as const;
  return defaultValue === undefined ? words : { ...words, defaultValue };
}

export function flag(description: string): OptionOf<ArgumentType.FLAG> {
  return { type: ArgumentType.FLAG, description, defaultValue: false };
}

export function text(description: string, defaultValue: string): OptionOf<ArgumentType.STRING> {
  return { type: ArgumentType.STRING, description, defaultValue };
}

export function optionalText(
  description: string,
  { shortName }: { readonly shortName?: string } = {},
): OptionOf<ArgumentType.STRING_WITHOUT_DEFAULT> {
  const type = ArgumentType.STRING_WITHOUT_DEFAULT;
  return { type, description, defaultValue: undefined, ...(shortName === undefined ? {} : { shortName }) };
}

export function integer(description: string, defaultValue: number): OptionOf<ArgumentType.INT> {
  return { type: ArgumentType.INT, description, defaultValue };
}

// Arguments that several groups of commands share.

export const file = word("A task file (JSON), relative to the project; standard input when left out", "-");

export const more = words("More task files, or a pattern in quotes", []);

export const unit = optionalText("wei, gwei, ether, gas or date, instead of the sampled field's own unit");

export const yes = flag("Do it without asking");

export const forceSending = flag("Send it although it was sent before, or may have been");

export const noWait = flag("Return when the service has accepted, without awaiting");

export const timeout = optionalText("Seconds until the wait gives up, instead of hdp.timeouts.await");

/** The value of `--timeout`, in milliseconds. */
export function timeoutMilliseconds(text: string | undefined): number | undefined {
  return seconds(text, "--timeout");
}

/** An option in seconds, as milliseconds. @throws HdpError HDP-6002 */
export function seconds(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value * 1000;
  throw new HdpError({
    code: "HDP-6002",
    path: option,
    message: `"${text}" is not a number of seconds.`,
    hints: [`A positive number, for instance ${option} 600`],
  });
}
