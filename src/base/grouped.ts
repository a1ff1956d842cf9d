/** An integer with its digits in groups, "71,204". Asking the locale's tables for it takes a millisecond. */
export function grouped(integer: bigint | number): string {
  return integer.toString().replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 task`, `3 tasks`, `1,200 tasks`. */
export function plural(count: number | bigint, word: string): string {
  return `${grouped(count)} ${word}${BigInt(count) === 1n ? "" : "s"}`;
}
