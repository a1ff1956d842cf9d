import { createInterface } from "node:readline/promises";

import { HdpError } from "../../base/errors.js";
import { printable } from "../../base/untrusted-text.js";

/** Who may be asked. */
export interface Asker {
  /** Whether somebody can answer. */
  readonly canAnswer: boolean;
  ask(question: string): Promise<string>;
}

/** The terminal of this process; questions go to standard error, so that standard output stays a document's. */
export const terminalAsker: Asker = {
  get canAnswer() {
    return process.stdin.isTTY && process.stderr.isTTY;
  },
  ask: async (question) => {
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await prompt.question(question);
    } finally {
      prompt.close();
    }
  },
};

/** Asks before something that costs money or can't be undone. Where nobody can answer, nothing is done. */
export async function confirmed(question: string, yes: boolean, asker: Asker = terminalAsker): Promise<boolean> {
  if (yes) return true;
  if (!asker.canAnswer) {
    throw new HdpError({
      code: "HDP-6041",
      path: "--yes",
      message: "this asks before it acts, and nobody can answer here.",
      hints: ["Add --yes to do it without asking. Nothing was sent."],
    });
  }
  return /^y(es)?$/i.test((await asker.ask(`${printable(question)} [y/N] `)).trim());
}
