import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

import { HdpError } from "../base/errors.js";

/** Writes what a command was asked to keep in a file. @throws HdpError HDP-6207 where it cannot. */
export async function writeOutput(path: string, projectRoot: string, text: string): Promise<void> {
  const absolute = resolve(projectRoot, path);
  try {
    await mkdir(dirname(absolute), { recursive: true });
    await writeFile(absolute, text);
  } catch (cause) {
    throw new HdpError({
      code: "HDP-6207",
      path: "--out",
      message: `"${path}" cannot be written (${systemCode(cause)}).`,
      hints: [`Tried ${absolute}. Name another file, or correct the permissions.`],
      cause,
    });
  }
}

/** The system's name of a failure: ENOENT, EACCES. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
