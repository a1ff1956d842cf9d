/** JSON of a value that may hold bigints: they become decimal text. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_member, item: unknown) => (typeof item === "bigint" ? item.toString() : item));
}
