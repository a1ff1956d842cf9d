import { type Generation, generationFor, type ModuleInputFelt, orderedInputs } from "./generations.js";
import { panicText } from "../base/felt.js";
import { runContract, type PreparedClass } from "./run-contract.js";
import { hdpError, isHdpError } from "../errors/hdp-error.js";

const CANDIDATES = [8, 6, 4, 2, 10, 0];
/** Reading its arguments takes a module some hundred steps; whoever runs longer has accepted them. */
const PROBE_STEPS = 200_000;

/** Stops a probe at the first system call: the arguments were accepted. */
class Accepted extends Error {}

/**
 * Finds how many felts the module expects in front of its inputs by starting it with each count: a module checks its
 * arguments before anything else, and panics on a wrong count by name. Nothing is read while trying.
 *
 * @throws HdpError HDP-7117 when no count is accepted, or more than one
 */
export async function acceptedLeadingFelts(
  program: PreparedClass,
  selector: bigint,
  inputs: readonly ModuleInputFelt[],
  generation: Generation | undefined,
): Promise<number> {
  const accepted: number[] = [];
  const refusals: string[] = [];
  for (const count of CANDIDATES) {
    const { inputOrder } = generation ?? generationFor(count);
    const calldata = [...new Array<bigint>(count).fill(0n), ...orderedInputs(inputs, inputOrder)];
    const refusal = await probe(program, selector, calldata);
    if (refusal === undefined) accepted.push(count);
    else refusals.push(`${count}: ${refusal}`);
  }
  const [only, ...others] = accepted;
  if (only !== undefined && others.length === 0) return only;
  throw hdpError("HDP-7117", {
    inputs: inputs.length,
    accepted: accepted.length === 0 ? "no number of" : accepted.join(" and "),
    tried: refusals.length === 0 ? undefined : refusals.join("; "),
  });
}

/** The panic by which the module refuses the calldata's length, or undefined when it accepts it. */
async function probe(
  program: PreparedClass,
  selector: bigint,
  calldata: readonly bigint[],
): Promise<string | undefined> {
  try {
    const result = await runContract({
      program,
      selector,
      calldata,
      limits: { maxSteps: PROBE_STEPS },
      syscall: () => {
        throw new Accepted();
      },
    });
    const message = panicText(result.retdata);
    return result.panicked && /^(Failed to deserialize param #|Input too long for arguments)/.test(message)
      ? message
      : undefined;
  } catch (error) {
    if (error instanceof Accepted) return undefined;
    if (isHdpError(error, "HDP-7109")) return undefined;
    throw error;
  }
}
