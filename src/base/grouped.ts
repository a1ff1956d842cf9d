/** An integer with its digits in groups, "71,204". Asking the locale's tables for it takes a millisecond. */
export function grouped(integer: bigint | number): string {
  return integer.toString().replace(/\B(?=(?:\d{3})+$)/g, ",");
}
