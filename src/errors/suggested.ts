import { printable, shellWord } from "../base/text.js";

/**
 * Returns a command to paste. Arguments come from services and files: each is quoted as one word of a shell.
 *
 * @param after unquoted words of this package's own: a flag, or a placeholder
 */
export function suggested(
  command: string,
  args: readonly string[],
  { network, after }: { readonly network?: string | undefined; readonly after?: string | undefined } = {},
): string {
  return [
    ...["npx hardhat", command, ...args.map(shellWord)],
    ...(after === undefined ? [] : [after]),
    ...(network === undefined ? [] : ["--network", shellWord(network)]),
  ].join(" ");
}

/**
 * Returns a submission's id, or `otherwise` (a task hash) where a command could not take the id: a word that begins
 * with a dash is an option whatever its quotes, and an unprintable id would be printed as another one.
 */
export function pastableName(id: string, otherwise: string | undefined): string {
  return !id.startsWith("-") && printable(id, 200) === id ? id : (otherwise ?? id);
}
