/** Returns a number below `end` that a text decides: the same one each time. */
export function drawn(text: string, end: number): number {
  let state = 7;
  for (const char of text) state = (Math.imul(state, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  return (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 8) % end;
}
