/** A file or stream that is not read for what it is, in words that fit into brackets. */
export class UnreadableError extends Error {}

/** The code of an operating system error, such as `ENOENT`; undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Why something could not be read, for a message: the system's code where it gave one, otherwise the error's text. */
export function systemErrorWord(error: unknown): string {
  if (error instanceof UnreadableError) return error.message;
  return systemErrorCode(error) ?? String(error);
}
