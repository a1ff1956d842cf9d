import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import { HdpError } from "../../base/errors.js";
import { notJsonAt } from "../../base/json-text.js";

/**
 * A JSON file that is sent as it is: its content is not published, so nothing but its form is checked, and that no
 * integer in it is lost on the way.
 */
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
    return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
      if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
        throw rounded(file, context?.source ?? String(value));
      }
      return value;
    });
  } catch (error) {
    if (error instanceof HdpError) throw error;
    return fail(`is not JSON (${notJsonAt(text).sentence})`, error);
  }
}

function rounded(file: string, written: string): HdpError {
  return new HdpError({
    code: "HDP-6047",
    path: file,
    message: `the integer ${written} in the request's body would be rounded.`,
    hints: ["Write integers from 2^53 on as text, in quotes. Nothing was sent."],
  });
}
