import { resolve } from "node:path";

import { HdpError } from "../../errors/hdp-error.js";
import { type JsonFault, parsePlainJson } from "../../base/json.js";
import { readTextFile, requireFewValues, systemErrorWord } from "../../base/files.js";

/**
 * A JSON file that is sent as it is: its content is not published, so nothing but its form is checked, and that no
 * integer in it is lost on the way.
 */
export async function readJsonFile(file: string, projectRoot: string): Promise<unknown> {
  const absolute = resolve(projectRoot, file);
  const failure = (what: string, cause: unknown): HdpError =>
    new HdpError({
      code: "HDP-6042",
      path: file,
      message: `the request's body ${what}.`,
      hints: [`Looked for ${absolute}. Paths are relative to the project. Nothing was sent.`],
      cause,
    });
  const text = await readTextFile(absolute).catch((error: unknown) => {
    throw failure(`can't be read (${systemErrorWord(error)})`, error);
  });
  try {
    requireFewValues(text);
  } catch (error) {
    throw failure(`can't be read (${systemErrorWord(error)})`, error);
  }
  const reading = { notJson: ({ sentence }: JsonFault, cause: unknown) => failure(`is not JSON (${sentence})`, cause) };
  return parsePlainJson(text, reading, (written) => rounded(file, written));
}

function rounded(file: string, written: string): HdpError {
  return new HdpError({
    code: "HDP-6047",
    path: file,
    message: `the integer ${written} in the request's body would be rounded.`,
    hints: ["Write integers from 2^53 on as text, in quotes. Nothing was sent."],
  });
}
