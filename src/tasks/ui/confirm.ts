import { createInterface } from "node:readline/promises";

import type { UserInterruptionManager } from "hardhat/types/user-interruptions";

import { HdpError } from "../../errors/hdp-error.js";
import { printable } from "../../base/untrusted-text.js";

/** Who may be asked. */
export interface Asker {
  /** Whether somebody can answer. */
  readonly canAnswer: boolean;
  ask(question: string): Promise<string>;
}

/**
 * Who sits at the terminal of this process. Hardhat asks, as it asks everything, and on standard output; where that is
 * a document's, the question goes to standard error.
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

/** Asks before something that costs money or can't be undone. Where nobody can answer, nothing is done. */
export async function confirmed(question: string, yes: boolean, asker: Asker): Promise<boolean> {
  if (yes) return true;
  if (!asker.canAnswer) {
    throw new HdpError({
      code: "HDP-6041",
      path: "--yes",
      message: "this asks before it acts, and nobody can answer here.",
      hints: ["Add --yes to do it without asking. Nothing was sent."],
    });
  }
  return /^y(es)?$/i.test((await asker.ask(`${printable(question)} [y/N]`)).trim());
}
