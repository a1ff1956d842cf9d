import { namedPath, readNamedFile } from "../../base/files.js";
import { parsePlainJson } from "../../base/json.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
/** Reads a JSON file that is sent unchanged: its form is not published. @throws HdpError HDP-6001, HDP-6047 */
export async function readBodyFile(file: string, projectRoot: string): Promise<unknown> {
  const path = namedPath(file, projectRoot);
  const context = { path: file, hints: ["Nothing was sent."] };
  const text = await readNamedFile("the request body", path, context);
  const notJson = (sentence: string): HdpError =>
    hdpError(
      "HDP-6001",
      { what: "the request body", reason: `not JSON: ${sentence}`, path },
      context,
    );
  return parsePlainJson(text, { notJson, maxValues: 500_000 }, (integer) =>
    hdpError("HDP-6047", { integer }, { path: file }),
  );
}
