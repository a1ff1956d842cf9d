type AsyncFunction = (...args: never[]) => Promise<unknown>;

/** The names of all functions of `T`: one that is missing, or one too many, does not compile. */
export type Names<T> = Readonly<Record<keyof T, true>>;

/**
 * An object that loads what is behind its functions when one of them is called. They are bound, so that they survive
 * destructuring.
 */
export function lazy<T extends Readonly<Record<keyof T, AsyncFunction>>>(names: Names<T>, load: () => Promise<T>): T;
export function lazy(
  names: Readonly<Record<string, true>>,
  load: () => Promise<Readonly<Record<string, AsyncFunction>>>,
): Readonly<Record<string, AsyncFunction>> {
  // Loaders look at an import() each time: of a short run that is a twentieth.
  let loaded: ReturnType<typeof load> | undefined;
  const loadOnce = async (): ReturnType<typeof load> => {
    loaded ??= load();
    loaded.catch(() => (loaded = undefined));
    return await loaded;
  };
  const later = (name: string): AsyncFunction => {
    return async (...args) => {
      const member = (await loadOnce())[name];
      if (member === undefined) throw new TypeError(`nothing is called ${name}`);
      return await member(...args);
    };
  };
  return Object.fromEntries(Object.keys(names).map((name) => [name, later(name)]));
}
