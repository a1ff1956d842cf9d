import type { Hex } from "viem";

import type { DamagedLine } from "../base/log-line.js";
import type { Journal } from "./journal.js";
import type { RecordState } from "./journal-record.js";

/** A line that cannot be read, with what is still legible in it. Nothing of it is certain. */
export interface CheckedLine extends DamagedLine {
  readonly event?: string | undefined;
  /** The journal's id of the submission that it was about. */
  readonly id?: string | undefined;
  readonly taskHashes: readonly Hex[];
  /** Where that submission stands by the other lines; missing when they do not tell of it. */
  readonly state?: RecordState | undefined;
}

/** What a look at the whole file found. */
export interface JournalCheck {
  readonly path: string;
  /** Submissions that can be read. */
  readonly submissions: number;
  /** Lines that cannot, in the file's order, without those that were repaired. */
  readonly damage: readonly CheckedLine[];
}

const EVENT = /"event":"([a-z]{1,20})"/;
const ID = /"id":"([\w.:-]{1,100})"/;
const TASK_HASHES = /"taskHashes":\[([^\]]*)/;
const WORD = /0x[0-9a-f]{64}(?![0-9a-f])/g;

/**
 * Looks at every line.
 *
 * @throws JournalError HDP-5002
 */
export async function checkJournal(journal: Journal): Promise<JournalCheck> {
  const look = await journal.look();
  const { damage } = look;
  const texts = await journal.textsOf(damage.map(({ line }) => line));
  const checked: CheckedLine[] = [];
  for (const line of damage) {
    const found = legible(texts.get(line.line) ?? "");
    const known = found.id === undefined ? undefined : await look.submission(found.id);
    checked.push({ ...line, ...found, state: known?.state });
  }
  return { path: journal.path, submissions: look.size, damage: checked };
}

/**
 * Writes down that a person knows of the damage, so that it stops no submission any more. No line is changed or taken
 * out: other processes may be appending.
 *
 * @returns what the check found before
 * @throws JournalError HDP-5001 to HDP-5004
 */
export async function repairJournal(journal: Journal): Promise<JournalCheck> {
  return await journal.exclusively(async () => {
    await journal.settle();
    const check = await checkJournal(journal);
    const damage = check.damage.flatMap(({ kind, line, reason }) => (kind === "damaged" ? [{ line, reason }] : []));
    if (damage.length > 0) await journal.append({ event: "repaired", id: journal.newId(), damage });
    return check;
  });
}

function legible(text: string): Pick<CheckedLine, "event" | "id" | "taskHashes"> {
  const id = ID.exec(text)?.[1];
  const taskHashes = [...(TASK_HASHES.exec(text)?.[1]?.matchAll(WORD) ?? [])].map(
    ([hash]): Hex => `0x${hash.slice(2)}`,
  );
  return { event: EVENT.exec(text)?.[1], id, taskHashes };
}
