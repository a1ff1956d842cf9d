import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import { HdpError } from "../request/errors.js";
import { notJsonAt } from "../request/json-text.js";

/** A JSON file that is sent as it is: its content is not published, so nothing but its form is checked. */
export async function readJsonFile(file: string, projectRoot: string): Promise<unknown> {
  const absolute = resolve(projectRoot, file);
  const fail = (what: string, cause: unknown): never => {
    throw new HdpError({
      code: "HDP-6042",
      path: file,
      message: `the request's body ${what}.`,
      hints: [`Looked for ${absolute}. Paths are relative to the project. Nothing was sent.`],
      cause,
    });
  };
  const text = await readFile(absolute, "utf8").catch((error: unknown) =>
    fail(`can't be read (${error instanceof Error && "code" in error ? String(error.code) : String(error)})`, error),
  );
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail(`is not JSON (${notJsonAt(text).sentence})`, error);
  }
}
