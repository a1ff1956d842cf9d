/** Returns every order of the items, the given one first. Equal items count as different ones. */
export function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

/** Whether felts can be read as marked values: felt i is a value below 2^128 plus i * 2^128. */
export function marked(felts: readonly bigint[]): boolean {
  return felts.every((felt, index) => felt >> 128n === BigInt(index));
}
