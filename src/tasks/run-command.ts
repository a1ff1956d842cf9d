import { createInterface } from "node:readline/promises";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { makePrintable } from "../base/text.js";
import { HdpError } from "../errors/hdp-error.js";
import { type Screen, terminalScreen } from "./ui/screen.js";

/** Values of arguments that may be left out. */
export type Optional<NameT extends string> = Readonly<Record<NameT, string | undefined>>;

/** What an action gets beside its arguments. */
export interface CommandContext {
  readonly hre: HardhatRuntimeEnvironment;
  readonly screen: Screen;
  /** Asks the person at the terminal. */
  readonly asker: {
    /** Whether somebody can answer. */
    readonly canAnswer: boolean;
    ask(question: string): Promise<string>;
  };
}

/**
 * Returns a task's action. It prints the document that `run` returns if `--json` was given, reports why `run` failed, and
 * sets the exit code.
 */
export function command<ArgumentsT extends object>(
  run: (args: ArgumentsT, context: CommandContext) => Promise<unknown>,
): (args: ArgumentsT & { readonly json?: boolean }, hre: HardhatRuntimeEnvironment) => Promise<void> {
  return async (args, hre) => {
    const json = args.json === true;
    const screen = terminalScreen(json);
    const asker = {
      get canAnswer() {
        return process.stdin.isTTY && (json ? process.stderr : process.stdout).isTTY;
      },
      // Hardhat asks on standard output, which is for the document with --json.
      ask: async (question: string) =>
        json ? await askOnStandardError(question) : await hre.interruptions.requestInput("hardhat-hdp", question),
    };
    try {
      screen.document((await run(args, { hre, screen, asker })) ?? null);
    } catch (error) {
      // Hardhat prints the error; errors of others quote nodes as they are.
      makePrintable(error);
      const { reportFailure } = await import("./failure.js");
      reportFailure(error, screen, hre.config.paths.root);
      if (error instanceof HdpError) {
        error.message += `\n  More about it: npx hardhat hdp error ${error.code.slice("HDP-".length)}`;
      }
      throw error;
    }
  };
}

async function askOnStandardError(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question(`${question} `);
  } finally {
    prompt.close();
  }
}
