import { CairoVmError } from "../vm-error.js";

/** A builtin's memory that no proof would accept. */
export function failed(builtin: string, message: string): CairoVmError {
  return new CairoVmError({
    code: "HDP-7116",
    message: `builtin ${builtin}: ${message}`,
    hints: ["The values the run wrote cannot be proven: check that the compiled class is unchanged compiler output."],
  });
}
