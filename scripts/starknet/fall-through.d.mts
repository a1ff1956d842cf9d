/** The felts of a Sierra class with the fall-through mark of 64-bit machines; throws where it can't be told apart. */
export function widenFallThrough(felts: readonly string[]): string[];
/** The values a compressed program stands for. */
export function decompress(packed: readonly bigint[]): bigint[];
