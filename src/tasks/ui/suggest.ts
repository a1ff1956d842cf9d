import { shellWord } from "../../base/untrusted-text.js";

/**
 * A command that a person can paste as it stands. Arguments come from services and files: in a shell each is one word,
 * whatever is in it.
 */
export function suggested(
  command: string,
  args: readonly string[],
  { network }: { readonly network?: string } = {},
): string {
  const words = args.map(word);
  return ["npx hardhat", command, ...words, ...(network === undefined ? [] : ["--network", word(network)])].join(" ");
}

/** Paths of plain names need no quotes either. */
function word(text: string): string {
  return /^\w[\w.:/-]*$/.test(text) ? text : shellWord(text);
}
