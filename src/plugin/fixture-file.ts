import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

import { parseRecordingText, recordingText, type Recording } from "../local/recording/recording.js";
import { HdpError } from "../request/errors.js";

/** Reads a fixture; the path is relative to the project. */
export async function readFixture(path: string, projectRoot: string): Promise<Recording> {
  let text: string;
  try {
    text = await readFile(resolve(projectRoot, path), "utf8");
  } catch (cause) {
    throw new HdpError({
      code: "HDP-6202",
      message: `the recorded chain data "${path}" cannot be read (${systemCode(cause)}).`,
      hints: [
        `Looked for ${resolve(projectRoot, path)}. Paths are relative to the project.`,
        `Record it: npx hardhat hdp:record <task file> --out ${path}`,
      ],
      cause,
    });
  }
  return parseRecordingText(text, path);
}

/** Writes a fixture, with the folders on the way. */
export async function writeFixture(path: string, projectRoot: string, recording: Recording): Promise<void> {
  await writeOutput(path, projectRoot, recordingText(recording));
}

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

function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
