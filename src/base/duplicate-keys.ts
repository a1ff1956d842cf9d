/** A key that an object of a JSON text has twice. */
export interface DuplicateKey {
  readonly key: string;
  /** Offset of its second place. */
  readonly offset: number;
}

const KEY_OR_BRACE = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}]/gs;

/** The first key of a text that is JSON which its object has twice: JSON.parse takes the last value without a word. */
export function duplicateKey(json: string): DuplicateKey | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (const token of json.matchAll(KEY_OR_BRACE)) {
    const [text, written = "", colon] = token;
    if (text === "{") open.push(undefined);
    else if (text === "}") open.pop();
    else if (colon !== undefined) {
      const key = written.includes("\\") ? String(JSON.parse(`"${written}"`)) : written;
      const keys = (open[open.length - 1] ??= new Set());
      if (keys.has(key)) return { key, offset: token.index };
      keys.add(key);
    }
  }
  return undefined;
}
