import type { LinePlace } from "../base/line-places.js";
import { Column } from "./column.js";
import type { CallTarget, JournalEntry } from "./journal-entry.js";
import { isUnfinished, type RecordState, stateAfter } from "./journal-record.js";
import { KeyTable } from "./key-table.js";

const STATES: readonly RecordState[] = ["intent", "open", "unknown", "finalized", "failed", "refused", "lost"];

const BEGINNINGS: ReadonlySet<JournalEntry["event"]> = new Set([
  "intent",
  "accepted",
  "call",
  "call-accepted",
] as const);

/** What an id is of. */
const IS_SUBMISSION = 1;
const IS_CALL = 2;

const taskKey = (hash: string): string => `t${hash.toLowerCase()}`;
const serviceKey = (serviceId: string): string => `s${serviceId}`;
const contentKey = (content: CallTarget["content"]): string => `c${content}`;
const resultKey = (hash: string, number: number): string => `r${number} ${hash}`;
const isLowerCase = (hash: string): boolean => hash === hash.toLowerCase();

/**
 * Where the lines of each submission and call stand in a journal, and by what they are looked for. It holds some 250
 * bytes a submission, and nothing that a line says beside ids and states: what is asked for is read from its lines.
 *
 * It may name too many submissions for a task or a service's id, and never too few.
 */
export class JournalIndex {
  readonly #starts: Column;
  readonly #lengths: Column;
  /** By line, the next one of the same id. Lines count from 1 here and in `#first` and `#last`; 0 is none. */
  readonly #next: Column;
  /** Texts of the ids, and by number where each ends. */
  readonly #idBytes: Column;
  readonly #idEnds: Column;
  readonly #first: Column;
  readonly #last: Column;
  readonly #kinds: Column;
  readonly #states: Column;
  /** Of a submission's tasks, how many have no result for sure. */
  readonly #unread: Column;
  readonly #numbers: KeyTable;
  readonly #keys: KeyTable;
  #submissions = 0;
  #calls = 0;
  /** Lines of one id often follow each other. */
  #latest: { readonly id: string; readonly number: number } | undefined;

  /** @param columns what `columns` of an earlier one gave */
  public constructor(columns: readonly Uint8Array[] = []) {
    const [starts, lengths, next, idBytes, idEnds, first, last, kinds, states, unread, ...tables] = columns;
    this.#starts = new Column("offsets", starts);
    this.#lengths = new Column("integers", lengths);
    this.#next = new Column("integers", next);
    this.#idBytes = new Column("bytes", idBytes);
    this.#idEnds = new Column("integers", idEnds);
    this.#first = new Column("integers", first);
    this.#last = new Column("integers", last);
    this.#kinds = new Column("bytes", kinds);
    this.#states = new Column("bytes", states);
    this.#unread = new Column("integers", unread);
    this.#numbers = new KeyTable(tables.slice(0, 2));
    this.#keys = new KeyTable(tables.slice(2));
    for (let number = 0; number < this.#kinds.length; number += 1) this.#count(this.#kinds.get(number));
  }

  /** How many submissions there are. */
  public get submissions(): number {
    return this.#submissions;
  }

  /** How many calls there are. */
  public get calls(): number {
    return this.#calls;
  }

  /** What it is made of; the memory stays its own. */
  public columns(): Uint8Array[] {
    const own = [this.#starts, this.#lengths, this.#next, this.#idBytes, this.#idEnds, this.#first, this.#last];
    const columns = [...own, this.#kinds, this.#states, this.#unread].map((column) => column.bytes());
    return [...columns, ...this.#numbers.columns(), ...this.#keys.columns()];
  }

  /** Takes the next entry of the journal. */
  public add(entry: JournalEntry, { start, length }: LinePlace): void {
    const known = this.#numberOf(entry.id);
    // What nothing tells the beginning of is no record's.
    if (known === undefined && !BEGINNINGS.has(entry.event)) return;
    const number = known ?? this.#begin(entry.id);
    this.#latest = { id: entry.id, number };
    this.#starts.push(start);
    this.#lengths.push(length);
    this.#next.push(0);
    const line = this.#starts.length;
    const last = this.#last.get(number);
    if (last === 0) this.#first.set(number, line);
    else this.#next.set(last - 1, line);
    this.#last.set(number, line);
    this.#note(entry, number);
  }

  /** Whether an id is one of a submission. */
  public hasSubmission(id: string): boolean {
    return this.#is(IS_SUBMISSION, this.#numberOf(id));
  }

  public hasCall(id: string): boolean {
    return this.#is(IS_CALL, this.#numberOf(id));
  }

  /** Where the lines of an id stand, in the file's order. */
  public placesOf(id: string): LinePlace[] {
    const number = this.#numberOf(id);
    const places: LinePlace[] = [];
    for (let line = number === undefined ? 0 : this.#first.get(number); line !== 0; line = this.#next.get(line - 1)) {
      places.push({ start: this.#starts.get(line - 1), length: this.#lengths.get(line - 1) });
    }
    return places;
  }

  /** Ids of what has a task, whatever the case of its hash. */
  public withTask(hash: string): string[] {
    return this.#found(taskKey(hash));
  }

  /** Ids of what a service accepted under an id, in that order. */
  public withServiceId(serviceId: string): string[] {
    return this.#found(serviceKey(serviceId));
  }

  /** Ids of the calls with a content. */
  public withContent(content: CallTarget["content"]): string[] {
    return this.#found(contentKey(content));
  }

  /** Ids of submissions for which something is left to do: not over, or results not read. */
  public unfinished(): string[] {
    return this.#idsWhere((number) => {
      const state = STATES[this.#states.get(number)];
      if (state === undefined || !this.#is(IS_SUBMISSION, number)) return false;
      return isUnfinished(state, this.#unread.get(number) === 0);
    });
  }

  /** Ids of all calls. */
  public allCalls(): string[] {
    return this.#idsWhere((number) => this.#is(IS_CALL, number));
  }

  #note(entry: JournalEntry, number: number): void {
    switch (entry.event) {
      case "intent":
      case "accepted":
        this.#noteTasks(entry.taskHashes, number);
        if (entry.event === "accepted") this.#keys.note(serviceKey(entry.serviceId), number);
        this.#become(IS_SUBMISSION, number);
        break;
      case "call":
      case "call-accepted":
        this.#keys.note(contentKey(entry.content), number);
        if (entry.event === "call-accepted" && entry.serviceId !== undefined) {
          this.#keys.note(serviceKey(entry.serviceId), number);
        }
        this.#become(IS_CALL, number);
        break;
      case "result":
        this.#noteResult(entry.taskHash, number);
        break;
      case "failed":
      case "lost":
      case "refused":
      case "repaired":
      case "status":
      case "unknown":
        break;
    }
    if (!this.#is(IS_SUBMISSION, number)) return;
    const before = STATES[this.#states.get(number)] ?? "intent";
    this.#states.set(number, STATES.indexOf(stateAfter(before, entry, this.#unread.get(number) === 0)));
  }

  /** A hash that is not written as all are counts as one without a result: another line may write it in another way. */
  #noteTasks(hashes: readonly string[], number: number): void {
    const added = hashes.filter((hash) => this.#keys.note(taskKey(hash), number) || !isLowerCase(hash));
    this.#unread.set(number, this.#unread.get(number) + added.length);
  }

  #noteResult(hash: string, number: number): void {
    const isOwn = this.#is(IS_SUBMISSION, number) && this.#keys.has(taskKey(hash), number);
    if (!isOwn || !isLowerCase(hash) || !this.#keys.note(resultKey(hash, number), number)) return;
    this.#unread.set(number, Math.max(0, this.#unread.get(number) - 1));
  }

  #is(kind: number, number: number | undefined): boolean {
    return number !== undefined && (this.#kinds.get(number) & kind) !== 0;
  }

  #become(kind: number, number: number): void {
    const before = this.#kinds.get(number);
    if ((before & kind) !== 0) return;
    this.#kinds.set(number, before | kind);
    this.#count(kind);
  }

  #count(kinds: number): void {
    if ((kinds & IS_SUBMISSION) !== 0) this.#submissions += 1;
    if ((kinds & IS_CALL) !== 0) this.#calls += 1;
  }

  #begin(id: string): number {
    const number = this.#idEnds.length;
    this.#numbers.note(id, number);
    this.#idBytes.append(Buffer.from(id));
    this.#idEnds.push(this.#idBytes.length);
    for (const column of [this.#first, this.#last, this.#kinds, this.#states, this.#unread]) column.push(0);
    return number;
  }

  #numberOf(id: string): number | undefined {
    if (this.#latest?.id === id) return this.#latest.number;
    const wanted = Buffer.from(id);
    return this.#numbers.find(id).find((number) => wanted.equals(this.#idBytesOf(number)));
  }

  #idBytesOf(number: number): Uint8Array {
    return this.#idBytes.bytes(number === 0 ? 0 : this.#idEnds.get(number - 1), this.#idEnds.get(number));
  }

  #idOf(number: number): string {
    return Buffer.from(this.#idBytesOf(number)).toString("utf8");
  }

  #found(key: string): string[] {
    return this.#keys.find(key).map((number) => this.#idOf(number));
  }

  #idsWhere(is: (number: number) => boolean): string[] {
    const ids: string[] = [];
    for (let number = 0; number < this.#idEnds.length; number += 1) if (is(number)) ids.push(this.#idOf(number));
    return ids;
  }
}
