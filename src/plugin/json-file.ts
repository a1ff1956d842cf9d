import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import { HdpError } from "../request/errors.js";

/** A JSON file that is sent as it is: its content is not published, so nothing but its form is checked. */
export async function readJsonFile(file: string, projectRoot: string): Promise<unknown> {
  const absolute = resolve(projectRoot, file);
  try {
    return JSON.parse(await readFile(absolute, "utf8"));
  } catch (error) {
    const isSystem = error instanceof Error && "code" in error;
    const reason = isSystem ? String(error.code) : error instanceof Error ? error.message : String(error);
    throw new HdpError({
      code: "HDP-6042",
      path: file,
      message: `the request's body ${isSystem ? "can't be read" : "is not JSON"} (${reason}).`,
      hints: [`Looked for ${absolute}. Paths are relative to the project. Nothing was sent.`],
      cause: error,
    });
  }
}
