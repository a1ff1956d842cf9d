import type { CallRecord } from "./call-record.js";
import type { JournalRecord } from "./journal-record.js";

/** What a line begins, with where that stands: they are listed in this order. */
export interface Begun<T> {
  readonly told: T;
  readonly start: number;
}

/** What the first lines of an id tell. */
export interface ToldRecord {
  readonly lines: number;
  readonly record?: Begun<JournalRecord> | undefined;
  readonly call?: Begun<CallRecord> | undefined;
}

/** Lines of all that is remembered. */
const REMEMBERED = 4_096;

/** Records that were asked for last: who waits for a submission asks for it again and again. */
export class ToldRecords {
  readonly #told = new Map<string, ToldRecord>();
  #lines = 0;

  /** What was kept of an id, unless it is of more lines than that. */
  public of(id: string, lines: number): ToldRecord | undefined {
    const told = this.#told.get(id);
    return told !== undefined && told.lines <= lines ? told : undefined;
  }

  public keep(id: string, told: ToldRecord): void {
    this.#forget(id);
    this.#told.set(id, told);
    this.#lines += told.lines;
    for (const other of this.#told.keys()) {
      if (this.#lines <= REMEMBERED || other === id) break;
      this.#forget(other);
    }
  }

  #forget(id: string): void {
    this.#lines -= this.#told.get(id)?.lines ?? 0;
    this.#told.delete(id);
  }
}
