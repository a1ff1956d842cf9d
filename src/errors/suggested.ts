import { isPlainId, printable, shellWord } from "../base/text.js";

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

/**
 * What names a submission in a command: its id, unless the command could not take it. A word that begins with a dash is
 * an option whatever its quotes, and what is not printed as it is would be another id.
 *
 * @param otherwise another name of the same: a task hash, a journal's id
 */
export function pastableName(id: string, otherwise: string | undefined): string {
  const isWhole = !id.startsWith("-") && printable(id, 200) === id;
  return isPlainId(id) || isWhole ? id : (otherwise ?? id);
}

/** Paths of plain names need no quotes either. */
function word(text: string): string {
  return /^\w[\w.:/-]*$/.test(text) ? text : shellWord(text);
}
