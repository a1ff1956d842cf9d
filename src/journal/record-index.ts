import type { JournalEntry } from "./journal-entry.js";
import { addEntries, type JournalRecord } from "./journal-record.js";

/** Ids of submissions, oldest first. Nearly always there is one, which needs no list. */
type Ids = Map<string, string | string[]>;

function note(ids: Ids, key: string, id: string): void {
  const known = ids.get(key);
  if (known === undefined) ids.set(key, id);
  else if (typeof known === "string") {
    if (known !== id) ids.set(key, [known, id]);
  } else if (!known.includes(id)) known.push(id);
}

const idsOf = (ids: Ids, key: string): readonly string[] => [ids.get(key) ?? []].flat();

/** The submissions of a journal, oldest first, found by what others know them by: there may be a hundred thousand. */
export class RecordIndex {
  readonly #records: Map<string, JournalRecord>;
  readonly #byTask: Ids;
  readonly #byServiceId: Ids;
  /** By journal id, how many submissions came before. */
  readonly #ages: Map<string, number>;

  public constructor(other?: RecordIndex) {
    this.#records = new Map(other === undefined ? [] : other.#records);
    this.#byTask = copied(other === undefined ? [] : other.#byTask);
    this.#byServiceId = copied(other === undefined ? [] : other.#byServiceId);
    this.#ages = new Map(other === undefined ? [] : other.#ages);
  }

  /** By journal id. It shows what is added later, too. */
  public get records(): ReadonlyMap<string, JournalRecord> {
    return this.#records;
  }

  /** Folds later entries in. */
  public add(entries: readonly JournalEntry[]): void {
    addEntries(this.#records, entries);
    for (const entry of entries) {
      if (entry.event === "accepted") note(this.#byServiceId, entry.serviceId, entry.id);
      if (entry.event !== "accepted" && entry.event !== "intent") continue;
      if (!this.#ages.has(entry.id)) this.#ages.set(entry.id, this.#ages.size);
      for (const hash of entry.taskHashes) note(this.#byTask, hash, entry.id);
    }
  }

  /** Those that any of the tasks was sent with. */
  public withTasks(taskHashes: readonly string[]): JournalRecord[] {
    const ids = new Set(taskHashes.flatMap((hash) => idsOf(this.#byTask, hash)));
    const age = (id: string): number => this.#ages.get(id) ?? 0;
    return this.#all([...ids].sort((one, other) => age(one) - age(other)));
  }

  /** Those that a service accepted under an id: two services may give the same one. */
  public withServiceId(serviceId: string): JournalRecord[] {
    return this.#all(idsOf(this.#byServiceId, serviceId)).filter((record) => record.serviceId === serviceId);
  }

  #all(ids: readonly string[]): JournalRecord[] {
    return ids.flatMap((id) => this.#records.get(id) ?? []);
  }
}

function copied(ids: Iterable<[string, string | string[]]>): Ids {
  return new Map([...ids].map(([key, known]) => [key, typeof known === "string" ? known : [...known]]));
}
