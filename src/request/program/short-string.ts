/** Characters that fit into one felt as a short string. */
export const SHORT_STRING_LENGTH = 31;

/** Bytes of an ASCII text as one big-endian integer: how Cairo writes short strings and builtin names. */
export function asciiToInteger(text: string): bigint {
  let value = 0n;
  for (const character of text) value = value * 256n + BigInt(character.charCodeAt(0));
  return value;
}
