import { resolve } from "node:path";

import { parseRecordingText, recordingText, type Recording } from "../chain/recording/recording.js";
import { HdpError } from "../errors/hdp-error.js";
import { MOST_FIXTURE_BYTES, readTextFile, systemErrorWord } from "../base/files.js";
import { writeOutput } from "./output-file.js";

/** Reads a fixture; the path is relative to the project. */
export async function readFixture(path: string, projectRoot: string): Promise<Recording> {
  let text: string;
  try {
    text = await readTextFile(resolve(projectRoot, path), MOST_FIXTURE_BYTES);
  } catch (cause) {
    throw new HdpError({
      code: "HDP-6202",
      message: `the recorded chain data "${path}" cannot be read (${systemErrorWord(cause)}).`,
      hints: [
        `Looked for ${resolve(projectRoot, path)}. Paths are relative to the project.`,
        `Record it: npx hardhat hdp record <task file> --out ${path}`,
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
