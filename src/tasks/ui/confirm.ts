import { createInterface } from "node:readline/promises";

import type { UserInterruptionManager } from "hardhat/types/user-interruptions";

import { printable } from "../../base/untrusted-text.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { Screen } from "./screen.js";

/** Asks the person at the terminal. */
export interface Asker {
  /** Whether somebody can answer. */
  readonly canAnswer: boolean;
  ask(question: string): Promise<string>;
}

/** What a question needs of a command's context. */
export interface Questioning {
  readonly asker: Asker;
  readonly screen: Screen;
}

/**
 * Asks through Hardhat, which prints questions on standard output; with `--json`, that is for the document, and questions
 * go to standard error.
 */
export function terminalAsker(interruptions: Pick<UserInterruptionManager, "requestInput">, json: boolean): Asker {
  return {
    get canAnswer() {
      return process.stdin.isTTY && (json ? process.stderr : process.stdout).isTTY;
    },
    ask: async (question) =>
      json ? await onStandardError(`${question} `) : await interruptions.requestInput("hardhat-hdp", question),
  };
}

async function onStandardError(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question(question);
  } finally {
    prompt.close();
  }
}

/**
 * Asks before something that costs money or can't be undone. After a no it prints that nothing was sent, and the command
 * ends with 1.
 *
 * @throws HdpError HDP-6041 where nobody can answer
 */
export async function confirmed(question: string, yes: boolean, { asker, screen }: Questioning): Promise<boolean> {
  if (yes) return true;
  if (!asker.canAnswer) throw hdpError("HDP-6041", {}, { path: "--yes" });
  if (/^y(es)?$/i.test((await asker.ask(`${printable(question)} [y/N]`)).trim())) return true;
  screen.line("  Nothing was sent.");
  process.exitCode = 1;
  return false;
}
