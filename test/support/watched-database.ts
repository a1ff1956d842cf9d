import { Database } from "../../src/base/sqlite.js";

type Method = "all" | "get" | "run" | "transaction";

/** Is called before a method of a database runs; what it returns is called afterwards with the method's result. */
export type Watcher = (method: Method) => ((result: unknown) => void) | undefined;

/** Watches some methods of every database of this process. Returns what ends the watch. */
export function watchDatabases(methods: readonly Method[], watch: Watcher): () => void {
  const originals = methods.map((method) => {
    const original: unknown = Object.getOwnPropertyDescriptor(Database.prototype, method)?.value;
    if (typeof original !== "function") throw new TypeError(`a database has no method ${method}`);
    Object.assign(Database.prototype, {
      [method](this: Database, ...args: unknown[]): unknown {
        const after = watch(method);
        const result: unknown = Reflect.apply(original, this, args);
        after?.(result);
        return result;
      },
    });
    return [method, original] as const;
  });
  return () => {
    for (const [method, original] of originals)
      Object.assign(Database.prototype, { [method]: original });
  };
}
