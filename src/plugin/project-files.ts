import {
  access,
  constants,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";

import { MAX_FIXTURE_BYTES, readNamedFile, systemErrorWord } from "../base/files.js";
import { parseRecordingText, type Recording } from "../chain/recording/recording.js";
import { hdpError } from "../errors/hdp-error.js";

/** Reads recorded chain data; the path is relative to the project. @throws HdpError HDP-6001 */
export async function readFixture(path: string, projectRoot: string): Promise<Recording> {
  const hints = [`Record it: npx hardhat hdp record <task file> --out ${path}`];
  const options = { maxBytes: MAX_FIXTURE_BYTES, path, hints };
  const text = await readNamedFile("the recorded chain data", resolve(projectRoot, path), options);
  return parseRecordingText(text, path);
}

/** Writes a command's output file, or to a pipe or device; creates missing folders. @throws HdpError HDP-6207 */
export async function writeOutput(
  path: string,
  projectRoot: string,
  text: string,
  option = "--out",
): Promise<void> {
  const absolute = resolve(projectRoot, path);
  try {
    await mkdir(dirname(absolute), { recursive: true });
    const before = await stat(absolute).catch(() => undefined);
    if (before?.isFile() === false) await writeFile(absolute, text);
    else await replaceFile(await realpath(absolute).catch(() => absolute), text, before?.mode);
  } catch (cause) {
    throw hdpError(
      "HDP-6207",
      { file: path, reason: systemErrorWord(cause), path: absolute },
      { path: option, cause },
    );
  }
}

/** Writes a file as a whole: on a full disk the file stays as it was. `mode` is that of a file to replace. */
async function replaceFile(path: string, text: string, mode: number | undefined): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  try {
    if (mode !== undefined) await access(path, constants.W_OK);
    await writeFile(part, text, { mode });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Returns a path of the project as seen from the working directory, an absolute one as it is. */
export function pathFromHere(path: string, projectRoot: string): string {
  return isAbsolute(path) ? path : relative(process.cwd(), resolve(projectRoot, path));
}

/** Throws if a file differs, but for formatting, from what `again` writes from a source. @throws HdpError HDP-6087 */
export async function requireOutput(
  path: string,
  projectRoot: string,
  text: string,
  { from, again }: { readonly from: string; readonly again: string },
): Promise<void> {
  const found = await readFile(resolve(projectRoot, path), "utf8").catch(() => undefined);
  if (found !== undefined && bare(found) === bare(text)) return;
  const problem = found === undefined ? "is missing" : `does not match the ${from}`;
  throw hdpError("HDP-6087", { file: path, problem, again }, { path: "--check" });
}

function bare(text: string): string {
  return text.replaceAll(/[\s;'"]/g, "").replaceAll(/,(?=[\]}])/g, "");
}
