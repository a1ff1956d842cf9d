import type { LinePlace } from "../base/line-places.js";
import type { DamagedLine } from "../base/log-line.js";
import { addCallEntries, type CallRecord } from "./call-record.js";
import type { CallTarget, JournalEntry } from "./journal-entry.js";
import type { JournalIndex } from "./journal-index.js";
import { addEntries, isAllRead, isUnfinished, type JournalRecord } from "./journal-record.js";
import type { Begun, ToldRecords } from "./told-records.js";

/** What a look at a journal is made of. */
export interface LookSources {
  readonly index: JournalIndex;
  /** What follows the lines that are indexed: the last line, as long as it lacks its line feed. */
  readonly end: readonly JournalEntry[];
  readonly damage: readonly DamagedLine[];
  /** The entries of lines; undefined for one that cannot be read. */
  readonly entriesAt: (places: readonly LinePlace[]) => Promise<readonly (JournalEntry | undefined)[]>;
  /** What is thrown where lines are not what was indexed. */
  readonly changed: () => Error;
  /** What was read before. */
  readonly told: ToldRecords;
}

/**
 * What a journal says, found by what others know it by. Records are read from their lines when they are asked for, each
 * line with its checksum.
 *
 * Each of its functions throws JournalError HDP-5002 where lines cannot be read.
 */
export class JournalLook {
  /** Lines that could not be read and that nobody knows of yet. */
  public readonly damage: readonly DamagedLine[];
  readonly #from: LookSources;

  public constructor(sources: LookSources) {
    this.damage = sources.damage;
    this.#from = sources;
  }

  /** How many submissions there are. */
  public get size(): number {
    const { index, end } = this.#from;
    const added = end.filter((entry) => isOfTasks(entry) && !index.hasSubmission(entry.id));
    return index.submissions + added.length;
  }

  /** How many calls there are. */
  public get callCount(): number {
    const { index, end } = this.#from;
    const added = end.filter((entry) => isOfCalls(entry) && !index.hasCall(entry.id));
    return index.calls + added.length;
  }

  /** A submission by the journal's id. */
  public async submission(id: string): Promise<JournalRecord | undefined> {
    return (await this.#read([id])).records.get(id);
  }

  /** Submissions that any of the tasks was sent with, oldest first. The case of hashes does not count. */
  public async withTasks(taskHashes: readonly string[]): Promise<JournalRecord[]> {
    const wanted = new Set(taskHashes.map((hash) => hash.toLowerCase()));
    const { records } = await this.#read([...wanted].flatMap((hash) => this.#from.index.withTask(hash)));
    return [...records.values()].filter((record) => record.taskHashes.some((hash) => wanted.has(hash.toLowerCase())));
  }

  /** Submissions that a service accepted under an id, in that order: two services may give the same one. */
  public async withServiceId(serviceId: string): Promise<JournalRecord[]> {
    const ids = this.#from.index.withServiceId(serviceId);
    const { records } = await this.#read(ids);
    const inOrder = new Set([...ids, ...records.keys()]);
    return [...inOrder].flatMap((id) => records.get(id) ?? []).filter((record) => record.serviceId === serviceId);
  }

  /** The submission that a person names: by the journal's id, the service's id or a task hash. Of several the newest. */
  public async named(name: string): Promise<JournalRecord | undefined> {
    const own = await this.submission(name);
    if (own !== undefined) return own;
    const hash = name.toLowerCase();
    const { index } = this.#from;
    const { records } = await this.#read([...index.withServiceId(name), ...index.withTask(hash)]);
    return [...records.values()].findLast(
      (record) => record.serviceId === name || record.taskHashes.some((known) => known.toLowerCase() === hash),
    );
  }

  /** Submissions for which something is left to do, oldest first: not over, or results not read. */
  public async unfinished(): Promise<JournalRecord[]> {
    const { records } = await this.#read(this.#from.index.unfinished());
    return [...records.values()].filter((record) => isUnfinished(record.state, isAllRead(record)));
  }

  /** What was sent beside tasks, oldest first, by the journal's id. */
  public async calls(): Promise<ReadonlyMap<string, CallRecord>> {
    return (await this.#read(this.#from.index.allCalls())).calls;
  }

  /** Calls of a content, oldest first. */
  public async callsOf(content: CallTarget["content"]): Promise<CallRecord[]> {
    const { calls } = await this.#read(this.#from.index.withContent(content));
    return [...calls.values()].filter((call) => call.content === content);
  }

  /** Calls that a person names, by the journal's id or the service's, oldest first. */
  public async callsNamed(name: string): Promise<ReadonlyMap<string, CallRecord>> {
    const { calls } = await this.#read([name, ...this.#from.index.withServiceId(name)]);
    return new Map([...calls].filter(([id, { serviceId }]) => id === name || serviceId === name));
  }

  /** What the lines of some ids tell, in the order of their first lines, and of those that the last line is about. */
  async #read(ids: readonly string[]): Promise<Told> {
    const { end } = this.#from;
    const told = await this.#indexed([...new Set([...ids, ...end.map(({ id }) => id)])]);
    // What lacks its line feed is read again as soon as it has it: it is told here, and not remembered.
    addEntries(told.records, end);
    addCallEntries(told.calls, end);
    return told;
  }

  async #indexed(ids: readonly string[]): Promise<Told> {
    const { index, told, entriesAt, changed } = this.#from;
    const parts = ids.map((id) => {
      const places = index.placesOf(id);
      return { id, places, known: told.of(id, places.length) };
    });
    const missing = parts.flatMap(({ places, known }) => places.slice(known?.lines ?? 0));
    missing.sort((one, other) => one.start - other.start);
    const entries = new Map(parts.map(({ id }): [string, JournalEntry[]] => [id, []]));
    for (const entry of await entriesAt(missing)) if (entry !== undefined) entries.get(entry.id)?.push(entry);
    const found = parts.map(({ id, places, known }) => {
      const added = entries.get(id) ?? [];
      if (added.length !== places.length - (known?.lines ?? 0)) throw changed();
      const starts = places.slice(-added.length).map(({ start }) => start);
      const record = begun(known?.record, addedTo(known?.record, added, addEntries, id), added, starts, isOfTasks);
      const call = begun(known?.call, addedTo(known?.call, added, addCallEntries, id), added, starts, isOfCalls);
      told.keep(id, { lines: places.length, record, call });
      return { id, record, call };
    });
    return {
      records: inOrder(found.map(({ id, record }) => [id, record])),
      calls: inOrder(found.map(({ id, call }) => [id, call])),
    };
  }
}

interface Told {
  readonly records: Map<string, JournalRecord>;
  readonly calls: Map<string, CallRecord>;
}

type Add<T> = (records: Map<string, T>, entries: readonly JournalEntry[]) => void;

/** What the entries of an id make of what was told of it before. */
function addedTo<T>(
  before: Begun<T> | undefined,
  entries: readonly JournalEntry[],
  add: Add<T>,
  id: string,
): T | undefined {
  const records = new Map(before === undefined ? [] : [[id, before.told]]);
  add(records, entries);
  return records.get(id);
}

function begun<T>(
  before: Begun<T> | undefined,
  told: T | undefined,
  entries: readonly JournalEntry[],
  starts: readonly number[],
  begins: (entry: JournalEntry) => boolean,
): Begun<T> | undefined {
  if (told === undefined) return undefined;
  return { told, start: before?.start ?? starts[entries.findIndex(begins)] ?? 0 };
}

function inOrder<T>(found: readonly (readonly [id: string, one: Begun<T> | undefined])[]): Map<string, T> {
  const all = found.flatMap(([id, one]) => (one === undefined ? [] : [{ id, ...one }]));
  all.sort((one, other) => one.start - other.start);
  return new Map(all.map(({ id, told }) => [id, told]));
}

const isOfTasks = ({ event }: JournalEntry): boolean => event === "intent" || event === "accepted";

const isOfCalls = ({ event }: JournalEntry): boolean => event === "call" || event === "call-accepted";
