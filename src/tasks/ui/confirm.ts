import { printable } from "../../errors/printable.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { ResolvedDestination } from "../../plugin/connected-processor.js";
import { requireDestination } from "../../plugin/destination.js";
import type { Session } from "../../plugin/session.js";
import type { SubmissionRecord } from "../../submission/model.js";
import { sentBefore } from "../../submission/recovery.js";
import type { ProcessorInfo } from "../../submission/submissions.js";
import { printBlock, type Screen, style } from "./screen.js";
import type { CommandDialog } from "../run-command.js";

/** Asks before an action. A no prints what was not done, and sets exit code 1. @throws HdpError HDP-6041 */
export async function confirmed(
  question: string,
  yes: boolean,
  { asker, screen }: CommandDialog,
  declined = "Nothing was sent.",
): Promise<boolean> {
  if (yes) return true;
  if (!asker.canAnswer) throw hdpError("HDP-6041", {}, { path: "--yes" });
  if (/^y(es)?$/i.test((await asker.ask(`${printable(question)} [y/N]`)).trim())) return true;
  screen.line(`  ${declined}`);
  process.exitCode = 1;
  return false;
}

/**
 * Asks before work, `what` ("2 tasks"), where a service charges, or finalizing costs gas: on chains other than
 * development chains.
 *
 * @throws HdpError HDP-6041 where no user can answer; HDP-6023, and errors of the store, where the work would be useless
 */
export async function mayCost(
  work: { destination: ResolvedDestination; what: string; processor: ProcessorInfo },
  session: Session,
  yes: boolean,
  questioning: CommandDialog,
): Promise<boolean> {
  const { destination, what, processor } = work;
  if (processor.kind === "remote") {
    if (await session.isDevelopment()) return true;
    return await confirmed(
      `Send ${what} to the ${processor.description}? Its use is charged.`,
      yes,
      questioning,
    );
  }
  if ((await destination.store.chain()).startsAnew) return true;
  await requireDestination(destination, session);
  await destination.store.requireWritable();
  const where = `the mock store of ${destination.chain}, which is not a development chain`;
  return await confirmed(`Finalize ${what} in ${where}? It costs gas.`, yes, questioning);
}

/** Prints that nothing is sent because it was sent before. */
export function printEarlier(screen: Screen, earlier: SubmissionRecord): void {
  printBlock(screen, `  ${style.bad("!")} Nothing is sent: it was ${sentBefore(earlier)}.`);
  screen.line("    To send it again, which may be charged again: --force");
}
