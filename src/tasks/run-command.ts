import { createInterface } from "node:readline/promises";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { makePrintable, nearest } from "../base/text.js";
import { HdpError, notAllowed } from "../errors/hdp-error.js";
import { type Screen, terminalScreen } from "./ui/screen.js";

export type Optional<NameT extends string> = Readonly<Record<NameT, string | undefined>>;
export type Flags<NameT extends string> = Readonly<Record<NameT, boolean>>;

/** Context of an action, passed with its arguments. */
export interface CommandContext {
  readonly hre: HardhatRuntimeEnvironment;
  readonly screen: Screen;
  readonly asker: {
    readonly canAnswer: boolean;
    ask(question: string): Promise<string>;
  };
}

/** Returns an action that prints the document of `--json`, reports a failure, and sets the exit code. */
export function command<ArgumentsT extends object>(
  run: (args: ArgumentsT, context: CommandContext) => Promise<unknown>,
): (args: ArgumentsT & { readonly json?: boolean }, hre: HardhatRuntimeEnvironment) => Promise<void> {
  return async (args, hre) => {
    const json = args.json === true;
    const screen = terminalScreen(json);
    for (const stream of [process.stdout, process.stderr]) stream.off("error", unlessClosed).on("error", unlessClosed);
    const asker = {
      get canAnswer() {
        return process.stdin.isTTY && (json ? process.stderr : process.stdout).isTTY;
      },
      // Hardhat asks on standard output, which --json reserves for the document.
      ask: async (question: string) =>
        json ? await askOnStandardError(question) : await hre.interruptions.requestInput("hardhat-hdp", question),
    };
    try {
      screen.document((await run(args, { hre, screen, asker })) ?? null);
    } catch (error) {
      // Hardhat prints the error; errors of other packages quote nodes unchanged.
      makePrintable(error);
      const { moreAbout, reportFailure } = await import("./failure.js");
      reportFailure(error, screen, hre.config.paths.root);
      if (error instanceof HdpError) error.message += `\n${moreAbout(error)}`;
      throw error;
    }
  };
}

/** Returns the value of `--network`. Without it the option is undefined, whatever its type says. */
export function networkOption({ globalOptions }: Pick<HardhatRuntimeEnvironment, "globalOptions">): string | undefined {
  return globalOptions.network;
}

/** Lets a command continue after the reader of its output has exited: `npx hardhat hdp list | head`. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

async function askOnStandardError(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question(`${question} `);
  } finally {
    prompt.close();
  }
}

/** Returns the value of an option in seconds as milliseconds. @throws HdpError HDP-6003 */
export function milliseconds(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value * 1000;
  throw notAllowed(text, "a positive number of seconds", { path: option });
}

/** Returns an integer in a range; its digits may be grouped. @throws HdpError HDP-6003 */
export function integerIn(
  text: string,
  option: string,
  { min, max = Number.MAX_SAFE_INTEGER }: { readonly min: number; readonly max?: number },
): number {
  const value = Number(text.replaceAll(/[_,]/g, ""));
  if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  throw notAllowed(text, `an integer of ${range}`, { path: option });
}

/** Returns one of a list of values. @param what for the error: "a unit of values" @throws HdpError HDP-6003 */
export function oneOf<ValueT extends string>(
  value: string,
  values: readonly ValueT[],
  { what, path, hints }: { readonly what: string; readonly path: string; readonly hints?: readonly string[] },
): ValueT {
  const known = values.find((one) => one === value);
  if (known !== undefined) return known;
  throw notAllowed(value, what, { path, hints, near: nearest(value, values), allowed: values.join(", ") });
}

export type Limits = Optional<"stepsLimit" | "memoryLimit">;

const CELLS = 2 ** 17;

export function limitsOf({
  stepsLimit,
  memoryLimit,
}: Limits): Record<"maxSteps" | "maxMemoryCells", number | undefined> {
  const given = (text: string | undefined, option: string): number | undefined =>
    text === undefined ? undefined : integerIn(text, option, { min: 1 });
  const memory = given(memoryLimit, "--memory-limit");
  return { maxSteps: given(stepsLimit, "--steps-limit"), maxMemoryCells: memory && memory * CELLS };
}
