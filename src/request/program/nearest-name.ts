/**
 * The candidate that a person most likely meant: fewest single-letter edits, letter case ignored.
 *
 * @returns undefined where nothing is near: more edits than a third of the longer name, or than two in a short one.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > 100) return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const allowed = Math.max(2, Math.floor(Math.max(name.length, candidate.length) / 3));
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= allowed && distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 0; row < left.length; row += 1) {
    const current = [row + 1];
    for (let column = 0; column < right.length; column += 1) {
      const replaced = (previous[column] ?? 0) + (left[row] === right[column] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
