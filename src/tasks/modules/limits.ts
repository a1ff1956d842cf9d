import { integerIn, type Optional } from "../run-command.js";

export type Limits = Optional<"stepsLimit" | "memoryLimit">;

/** Cells in a MiB. */
const CELLS = 2 ** 17;

/** Returns the limits of a run that a user names. @throws HdpError HDP-6002 */
export function limitsOf({ stepsLimit, memoryLimit }: Limits): {
  readonly maxSteps: number | undefined;
  readonly maxMemoryCells: number | undefined;
} {
  const given = (text: string | undefined, option: string): number | undefined =>
    text === undefined ? undefined : integerIn(text, option, { min: 1 });
  const memory = given(memoryLimit, "--memory-limit");
  return {
    maxSteps: given(stepsLimit, "--steps-limit"),
    maxMemoryCells: memory === undefined ? undefined : memory * CELLS,
  };
}
