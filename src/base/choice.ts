import { type ErrorContext, type HdpError, hdpError } from "../errors/hdp-error.js";

/** Returns HDP-6003 for a value that an option or argument does not take; `what` says what it takes: "a fault". */
export function notAllowed(
  value: unknown,
  what: string,
  { near, allowed, ...context }: ErrorContext & { readonly near?: string | undefined; readonly allowed?: string },
): HdpError {
  const suggestion = near === undefined ? undefined : ` Did you mean "${near}"?`;
  return hdpError("HDP-6003", { value: String(value), what, suggestion, allowed }, context);
}
