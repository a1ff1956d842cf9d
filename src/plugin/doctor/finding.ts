import { errorMessage } from "../../base/text.js";
import { isHardhatError } from "../../base/rpc.js";
import { isHdpError } from "../../errors/hdp-error.js";

/** How a check ended: red stops or falsifies work, yellow may surprise. */
export type Light = "green" | "yellow" | "red";

/** What a check found. Every light but green has the next step, of one line or several. */
export type Found =
  | { readonly light: "green"; readonly found: string }
  | { readonly light: "yellow" | "red"; readonly found: string; readonly nextStep: string };

/** One check: a row of the table of its group. `IoT` is what it asks. */
export interface Check<IoT> {
  readonly name: string;
  /** Whether the checks after it are left out where it is red: they would all fail for its reason. */
  readonly isNeeded?: boolean;
  /** Undefined where there is nothing to check. */
  readonly run: (io: IoT) => Promise<Found | undefined>;
}

/** A line of the page. */
export type Finding = Found & { readonly group: string; readonly check: string };

/** Returns a finding that needs nothing. */
export const green = (found: string): Found => ({ light: "green", found });
/** Returns a finding that may surprise. */
export const yellow = (found: string, nextStep: string): Found => ({
  light: "yellow",
  found,
  nextStep,
});
/** Returns a finding that stops or falsifies work. */
export const red = (found: string, nextStep: string): Found => ({ light: "red", found, nextStep });

/** Runs the checks of a group in order, and stops behind a needed one that is red. */
export async function runChecks<IoT>(
  group: string,
  checks: readonly Check<IoT>[],
  io: IoT,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { name, isNeeded = false, run } of checks) {
    const found = await run(io).catch(asFinding);
    if (found === undefined) continue;
    findings.push({ group, check: name, ...found });
    if (isNeeded && found.light === "red") break;
  }
  return findings;
}

/** Returns an error of this package or of Hardhat as a red finding. Other errors are bugs and are thrown. */
export function asFinding(error: unknown): Found {
  if (isHdpError(error)) {
    const page = `npx hardhat hdp error ${error.code.slice("HDP-".length)}`;
    const steps = error.hints.length === 0 ? [page] : error.hints;
    return red(`${error.code}: ${error.shortMessage}`, steps.join("\n"));
  }
  if (!isHardhatError(error)) throw error;
  return red(errorMessage(error), "Correct the network in hardhat.config.ts.");
}
