import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { makePrintable } from "../base/untrusted-text.js";
import { HdpError } from "../errors/hdp-error.js";
import { type Asker, terminalAsker } from "./ui/confirm.js";
import { type Screen, terminalScreen } from "./ui/screen.js";

export interface CommandContext {
  readonly hre: HardhatRuntimeEnvironment;
  readonly screen: Screen;
  readonly asker: Asker;
}

/** What a command does. Returns the document that `--json` prints. */
export type CommandAction<ArgumentsT extends object = object> = (
  args: ArgumentsT,
  context: CommandContext,
) => Promise<unknown>;

/** Runs a command: prints its document, or reports why it failed, and sets the exit code. */
export async function runCommand<ArgumentsT extends { readonly json?: boolean }>(
  action: CommandAction<ArgumentsT>,
  args: ArgumentsT,
  hre: HardhatRuntimeEnvironment,
): Promise<void> {
  const json = args.json === true;
  const screen = terminalScreen(json);
  try {
    screen.document((await action(args, { hre, screen, asker: terminalAsker(hre.interruptions, json) })) ?? null);
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
}
