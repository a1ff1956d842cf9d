import type { HdpError } from "../errors/hdp-error.js";
import { hdpError } from "../errors/hdp-error.js";

/** HDP-7108: the run breaks a rule of the Cairo machine. */
export function inconsistent(problem: string): HdpError {
  return hdpError("HDP-7108", { problem });
}
