import { styleText } from "node:util";

import { errorMessage } from "../base/text.js";
import { printableLines } from "../errors/printable.js";
import { SECRETS } from "../errors/secrets.js";

/** Prints a warning about a problem that stops nothing on standard error. */
export function warn(problem: unknown): void {
  const text = printableLines(SECRETS.redact(`hardhat-hdp: ${errorMessage(problem)}`));
  // Not process.emitWarning: Node adds its process id and a line about --trace-warnings to what it prints.
  console.warn(styleText("yellow", text, { stream: process.stderr }));
}
