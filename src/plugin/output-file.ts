import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

import { HdpError } from "../base/errors.js";
import { systemErrorWord } from "../base/system-error.js";

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

/**
 * Whether a file holds what a command would write, for `--check`. What a formatter does to it, or Git to its line ends,
 * is no difference.
 */
export async function compareOutput(
  path: string,
  projectRoot: string,
  text: string,
): Promise<"same" | "different" | "missing"> {
  const found = await readFile(resolve(projectRoot, path), "utf8").catch(() => undefined);
  if (found === undefined) return "missing";
  return bare(found) === bare(text) ? "same" : "different";
}

function bare(text: string): string {
  return text.replaceAll(/[\s;'"]/g, "").replaceAll(/,(?=[\]}])/g, "");
}
