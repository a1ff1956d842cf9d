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
