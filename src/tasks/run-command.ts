import { createInterface } from "node:readline/promises";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { HdpError } from "../errors/hdp-error.js";
import { makePrintable } from "../errors/printable.js";
import { moreAbout, reportFailure } from "./failure.js";
import { type Screen, terminalScreen } from "./ui/screen.js";

/** What a command works with: the Hardhat runtime, its output and a person to ask. */
export interface CommandContext extends CommandDialog {
  readonly hre: HardhatRuntimeEnvironment;
}

/** Where a command prints and asks. */
export interface CommandDialog {
  readonly screen: Screen;
  readonly asker: {
    readonly canAnswer: boolean;
    ask(question: string): Promise<string>;
  };
}

/** Returns an action that prints the document of `--json`, reports a failure, and sets the exit code. */
export function command<ArgumentsT extends object>(
  run: (args: ArgumentsT, context: CommandContext) => Promise<unknown>,
): (
  args: ArgumentsT & { readonly json?: boolean },
  hre: HardhatRuntimeEnvironment,
) => Promise<void> {
  return async (args, hre) => {
    const json = args.json === true;
    const screen = terminalScreen(json);
    for (const stream of [process.stdout, process.stderr])
      stream.off("error", unlessClosed).on("error", unlessClosed);
    const asker = {
      get canAnswer() {
        return process.stdin.isTTY && (json ? process.stderr : process.stdout).isTTY;
      },
      // Hardhat asks on standard output, which --json reserves for the document.
      ask: async (question: string) =>
        json
          ? await askOnStandardError(question)
          : await hre.interruptions.requestInput("hardhat-hdp", question),
    };
    try {
      screen.document((await run(args, { hre, screen, asker })) ?? null);
    } catch (error) {
      // Hardhat prints the error; errors of other packages quote nodes unchanged.
      makePrintable(error);
      screen.endOutput();
      reportFailure(error, screen, hre.config.paths.root);
      if (error instanceof HdpError) error.message += `\n${moreAbout(error)}`;
      throw error;
    }
  };
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
