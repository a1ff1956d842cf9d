/** Returns whether a value is an object and not an array, such as a parsed JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Least-recently-used cache of reads: concurrent readers share a promise, and failed reads are dropped. */
export class BoundedCache<K, V> {
  readonly #limit: number;
  readonly #entries = new Map<K, Promise<V>>();

  public constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns the cached value of a key, or reads it. */
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

/** Returns a function that computes a value of an object once, and keeps it as long as the object. */
export function memoized<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const known = values.get(key) ?? { value: compute(key) };
    values.set(key, known);
    return known.value;
  };
}

/** Deletes the entries that were set first, until a map has at most `max`. */
export function dropOldest<K>(entries: Map<K, unknown>, max: number): void {
  // Called for every entry: creates an iterator only if an entry has to be deleted.
  if (entries.size <= max) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    if (entries.size <= max) return;
  }
}

/** Returns the names of a table in its order, typed as at least one for zod and fast-check. */
export function keysOf<T extends object>(
  table: T,
): readonly [keyof T & string, ...(keyof T & string)[]] {
  const [first, ...others] = Object.keys(table).filter((name): name is keyof T & string =>
    Object.hasOwn(table, name),
  );
  if (first === undefined) throw new Error("a table without entries has no names");
  return [first, ...others];
}

/** Returns a table with the names of another and the value computed for each. */
export function tableOf<T extends object, V>(
  table: T,
  valueOf: (name: keyof T & string) => V,
): Readonly<Record<keyof T & string, V>> {
  const entries = keysOf(table).map((name) => [name, valueOf(name)] as const);
  // Its names are those of the table.
  return Object.fromEntries(entries) as Record<keyof T & string, V>;
}
