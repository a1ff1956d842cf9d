/** An integer with its digits in groups, "71,204". Asking the locale's tables for it takes a millisecond. */
export function grouped(integer: bigint | number): string {
  return integer.toString().replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 task`, `3 tasks`, `1,200 tasks`. */
export function plural(count: number | bigint, word: string): string {
  return `${grouped(count)} ${word}${BigInt(count) === 1n ? "" : "s"}`;
}

/**
 * The word a person most likely meant, or undefined when none is near: letter case, `-`, `_` and spaces do not count,
 * a word may be the beginning or the end of the right one, otherwise at most a third of the letters may differ.
 */
export function nearest<T extends string>(word: string, words: readonly T[]): T | undefined {
  const wanted = plain(word);
  if (wanted === "" || wanted.length > 64) return undefined;
  const ranked = words
    .map((candidate) => ({ candidate, distance: distanceTo(wanted, plain(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(1, Math.floor(wanted.length / 3)) ? best.candidate : undefined;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/** Edits between the words; the beginning or the end of a word counts as one edit from it. */
function distanceTo(wanted: string, candidate: string): number {
  if (wanted === candidate) return 0;
  const edits = editDistance(wanted, candidate);
  return wanted.length >= 3 && (candidate.startsWith(wanted) || candidate.endsWith(wanted))
    ? Math.min(edits, 1)
    : edits;
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
