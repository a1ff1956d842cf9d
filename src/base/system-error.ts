/** The code of an operating system error, such as `ENOENT`; undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Why the system refused, in a word for a message: its code where it gave one, otherwise the error's text. */
export function systemErrorWord(error: unknown): string {
  return systemErrorCode(error) ?? String(error);
}
