import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

import { HdpError, type HdpErrorCode } from "../errors/hdp-error.js";
import { systemErrorWord } from "../base/files.js";

/** Writes what a command was asked to keep in a file. @throws HdpError HDP-6207 where it cannot. */
export async function writeOutput(path: string, projectRoot: string, text: string, option = "--out"): Promise<void> {
  const absolute = resolve(projectRoot, path);
  try {
    await mkdir(dirname(absolute), { recursive: true });
    await writeFile(absolute, text);
  } catch (cause) {
    throw new HdpError({
      code: "HDP-6207",
      path: option,
      message: `"${path}" cannot be written (${systemErrorWord(cause)}).`,
      hints: [`Tried ${absolute}. Name another file, or correct the permissions.`],
      cause,
    });
  }
}

/** How `--check` of a command says that its file is not up to date. */
export interface OutdatedOutput {
  readonly code: HdpErrorCode;
  /** What the file is made from and should say: "the task files say". */
  readonly said: string;
  /** The command that writes it again. */
  readonly again: string;
}

/**
 * For `--check`: a file holds what a command would write. What a formatter does to it, or Git to its line ends, is no
 * difference.
 *
 * @throws HdpError with the command's own code where it does not
 */
export async function requireOutput(
  path: string,
  projectRoot: string,
  text: string,
  { code, said, again }: OutdatedOutput,
): Promise<void> {
  const found = await readFile(resolve(projectRoot, path), "utf8").catch(() => undefined);
  if (found !== undefined && bare(found) === bare(text)) return;
  throw new HdpError({
    code,
    path: "--check",
    message: `"${path}" ${found === undefined ? "is not there" : `is not what ${said}`}.`,
    hints: [`Write it again: ${again}`],
  });
}

function bare(text: string): string {
  return text.replaceAll(/[\s;'"]/g, "").replaceAll(/,(?=[\]}])/g, "");
}
