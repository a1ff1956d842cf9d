import { HdpError, type HdpErrorOptions } from "../errors/hdp-error.js";

/** A refusal or failure of the local Cairo machine; `pc` is the offset in the class's bytecode where it happened. */
export class CairoVmError extends HdpError {
  public readonly pc: number | undefined;

  public constructor(options: HdpErrorOptions & { readonly pc?: number | undefined }) {
    const { pc, ...rest } = options;
    super({ ...rest, path: rest.path ?? (pc === undefined ? undefined : `bytecode[${pc}]`) });
    this.pc = pc;
  }
}

/** The program and the machine's rules disagree: no honest compiler and no honest prover gets here. */
export function inconsistent(message: string, pc?: number): CairoVmError {
  return new CairoVmError({
    code: "HDP-7108",
    message,
    pc,
    hints: [
      "The run breaks a rule of the Cairo machine, so no proof of it can exist.",
      "Check that the compiled class is the compiler's own output, unchanged.",
    ],
  });
}

/**
 * A cell is looked at after it was released: one of the stack in a way that the program's functions do not foresee, one of
 * a builtin or a squashed dictionary far behind the last. The run breaks no rule by that, or none that is known yet: it is
 * to be made again with all cells kept.
 */
export class ReleasedCellError extends Error {
  public constructor() {
    super("a cell was looked at that had been released");
  }
}
