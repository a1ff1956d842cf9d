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
    if (this.#entries.size > this.#limit) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
    reading.catch(() => {
      if (this.#entries.get(key) === reading) this.#entries.delete(key);
    });
    return reading;
  }
}
