/** Returns a value as a caller in JavaScript passes it: in a place of any type. */
export function untyped(value: unknown): never {
  return value as never;
}
