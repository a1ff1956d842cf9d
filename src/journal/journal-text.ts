import { isHdpError } from "../errors/hdp-error.js";
import { printable } from "../base/text.js";

/**
 * Text from outside (a state's name, a reason) made fit for a file that is committed: credentials and queries of URLs
 * are masked, and what could do something on a screen is taken out.
 */
export function journalText(text: string, redact: (text: string) => string): string {
  const masked = redact(text)
    .replaceAll(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, "$1***@")
    .replaceAll(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#]*)[?#][^\s"']*/gi, "$1?***");
  return printable(masked);
}

/** Why something failed, for the journal. The words of foreign errors may hold addresses and keys: only their name. */
export function reasonOf(error: unknown, redact: (text: string) => string): string {
  if (isHdpError(error) && "shortMessage" in error) return journalText(`${error.code}: ${error.shortMessage}`, redact);
  return error instanceof Error ? error.name : "unknown error";
}
