import { shellWord } from "./untrusted-text.js";

/**
 * A command that a person can paste as it stands. Arguments come from services and files: in a shell each is one word,
 * whatever is in it.
 *
 * @param after words of this package's own: a flag, or what a person has to fill in
 */
export function suggested(
  command: string,
  args: readonly string[],
  { network, after }: { readonly network?: string | undefined; readonly after?: string | undefined } = {},
): string {
  return [
    ...["npx hardhat", command, ...args.map(word)],
    ...(after === undefined ? [] : [after]),
    ...(network === undefined ? [] : ["--network", word(network)]),
  ].join(" ");
}

/** Paths of plain names need no quotes either. */
function word(text: string): string {
  return /^\w[\w.:/-]*$/.test(text) ? text : shellWord(text);
}
