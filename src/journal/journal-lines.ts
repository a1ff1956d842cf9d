import { z } from "zod";

import { decodeLines, type LineFormat, type LogContents } from "../base/log-line.js";
import { FORMAT_VERSION, journalEntry, type JournalEntry } from "./journal-entry.js";
import { sealedEntry } from "./sealed-entry.js";

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const versioned = z.object({ v: z.number().int() });

function decode(value: unknown, isSealed: boolean, text: string): ReturnType<LineFormat<JournalEntry>["decode"]> {
  const sealed = isSealed && isMembers(value) ? sealedEntry(value, text) : undefined;
  if (sealed !== undefined) return { entry: sealed };
  const version = versioned.safeParse(value);
  if (version.success && version.data.v > FORMAT_VERSION) {
    return { kind: "newer", reason: `format version ${version.data.v}, this package reads ${FORMAT_VERSION}` };
  }
  const parsed = journalEntry.safeParse(value);
  if (parsed.success) return { entry: parsed.data };
  const issue = parsed.error.issues[0];
  return { kind: "damaged", reason: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}` };
}

/** Inside JSON text the quotes of a line's beginning would be escaped, so it marks where a line starts. */
export const JOURNAL_LINES: LineFormat<JournalEntry> = { decode, lineStart: `{"v":` };

export type JournalContents = LogContents<JournalEntry>;

/**
 * Reads a journal's text: lines that cannot be read are reported with their number and the others are still read.
 *
 * @param linesBefore how many lines of the file come before the text
 */
export function decodeJournal(text: string, linesBefore = 0): JournalContents {
  return decodeLines(text, JOURNAL_LINES, linesBefore);
}
