import type { Hex } from "viem";

import { isHdpError } from "../../errors/hdp-error.js";
import { decodeReturn } from "../../program/abi/arguments.js";
import type { CairoValue, OutputPreimage, TaskResult } from "../../request/lifecycle.js";
import { outputRoot } from "../../request/merkle.js";
import { isServiceFailure } from "../../service/http/service-errors.js";
import { knownPrograms } from "../known-programs.js";
import { moduleTasks } from "../service-clients.js";
import type { Session } from "../session.js";

/** A result is read without its preimage where the service does not answer in this time. */
const PATIENCE_MS = 5_000;

/**
 * What a module's stored word is made of: the felts that the service publishes, checked against the word and decoded by
 * the class's ABI where it is known. Undefined where the service has none; a result never fails for want of it.
 */
export async function outputPreimageOf(
  { word }: Pick<TaskResult, "word">,
  { id, programHash }: { readonly id: string; readonly programHash: Hex },
  session: Session,
): Promise<OutputPreimage | undefined> {
  const felts = await publishedFelts(id, session);
  if (felts === undefined) return undefined;
  if (rootOf(felts) !== word) return { felts, matches: false };
  const decoded = await decodedReturn(felts, programHash, session);
  return { felts, matches: true, ...(decoded === undefined ? {} : { decoded }) };
}

async function publishedFelts(id: string, session: Session): Promise<readonly bigint[] | undefined> {
  try {
    const client = await moduleTasks(session);
    const options = { attempts: 1, signal: AbortSignal.timeout(PATIENCE_MS) };
    const { outputPreimage: texts } = await client.outputPreimage(id, options);
    return texts?.every((text) => /^(0x[0-9a-f]+|\d+)$/i.test(text)) === true ? texts.map(BigInt) : undefined;
  } catch (error) {
    if (isServiceFailure(error)) return undefined;
    throw error;
  }
}

/** Undefined for numbers that are no felts. */
function rootOf(felts: readonly bigint[]): Hex | undefined {
  try {
    return outputRoot(felts);
  } catch (error) {
    if (isHdpError(error, "HDP-1118")) return undefined;
    throw error;
  }
}

/** Undefined where the ABI is not known, or is of another output: no hash covers it. */
async function decodedReturn(
  felts: readonly bigint[],
  programHash: Hex,
  session: Session,
): Promise<CairoValue | undefined> {
  const program = await knownPrograms(session.project.config).search(programHash, session.config);
  if (program?.abi === undefined) return undefined;
  try {
    return decodeReturn(program.abi, felts);
  } catch (error) {
    if (isHdpError(error)) return undefined;
    throw error;
  }
}
