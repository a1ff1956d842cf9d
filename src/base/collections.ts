/** True for an object that is not an array, such as a parsed JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Least-recently-used cache of reads. It keeps promises, so that simultaneous readers of one thing share one call;
 * a failed read is forgotten, so that it can be tried again.
 */
export class BoundedCache<K, V> {
  readonly #limit: number;
  readonly #entries = new Map<K, Promise<V>>();

  public constructor(limit: number) {
    this.#limit = limit;
  }

  public get(key: K, read: (key: K) => Promise<V>): Promise<V> {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known;
    }
    const reading = read(key);
    this.#entries.set(key, reading);
    dropOldest(this.#entries, this.#limit);
    reading.catch(() => {
      if (this.#entries.get(key) === reading) this.#entries.delete(key);
    });
    return reading;
  }
}

/** Forgets what was set first, until a map has no more than `most` entries. */
export function dropOldest<K>(entries: Map<K, unknown>, most: number): void {
  // Asked for at each of very many entries: an iterator is made only where one has to go.
  if (entries.size <= most) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    if (entries.size <= most) return;
  }
}

/** The names of a table in its order: at least one, so that zod and fast-check take them as choices. */
export function keysOf<T extends object>(table: T): readonly [keyof T & string, ...(keyof T & string)[]] {
  const [first, ...others] = Object.keys(table).filter((name): name is keyof T & string => Object.hasOwn(table, name));
  if (first === undefined) throw new Error("a table without entries has no names");
  return [first, ...others];
}

/** A table with an entry for each name. */
export function tableOf<K extends string, V>(names: readonly K[], make: (name: K) => V): Readonly<Record<K, V>> {
  const table = Object.fromEntries(names.map((name) => [name, make(name)]));
  if (!hasAll(table, names)) throw new Error("a name was lost on the way");
  return table;
}

function hasAll<K extends string, V>(
  table: Readonly<Record<string, V>>,
  names: readonly K[],
): table is Readonly<Record<K, V>> {
  return names.every((name) => Object.hasOwn(table, name));
}
