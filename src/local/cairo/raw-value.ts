/**
 * The result word of the generations of 2024: one felt, or a u256 as low and high half.
 *
 * @returns undefined for data of another length, or halves above 128 bits: it had no value then
 */
export function rawValue(retdata: readonly bigint[]): bigint | undefined {
  const [low, high] = retdata;
  if (low === undefined || retdata.length > 2) return undefined;
  if (high === undefined) return low;
  return low >> 128n === 0n && high >> 128n === 0n ? low + (high << 128n) : undefined;
}
