import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { commands } from "../../src/tasks/generated/commands.js";

/** What a command wrote and how it ended. */
export interface CommandRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly error: unknown;
}

/** Runs a command's action in this process, with its defaults, and keeps what it writes. */
export async function runCommand(
  name: string,
  given: Record<string, unknown>,
  hre: HardhatRuntimeEnvironment,
): Promise<CommandRun> {
  const entry = commands.find((one) => one.name === name);
  if (entry === undefined) throw new Error(`no command ${name}`);
  const defaults = Object.fromEntries(
    [...Object.values(entry.options), ...entry.positionalArguments].map((one) => [one.name, one.defaultValue]),
  );
  const { stdout, stderr } = process;
  const originals = [stdout.write.bind(stdout), stderr.write.bind(stderr)] as const;
  const exitCode = process.exitCode;
  const written = { stdout: "", stderr: "" };
  const keep =
    (stream: "stdout" | "stderr") =>
    (chunk: string | Uint8Array): boolean => {
      written[stream] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      return true;
    };
  Object.assign(stdout, { write: keep("stdout") });
  Object.assign(stderr, { write: keep("stderr") });
  let error: unknown;
  try {
    await (await entry.action()).default({ ...defaults, ...given }, hre);
  } catch (thrown) {
    error = thrown;
  } finally {
    Object.assign(stdout, { write: originals[0] });
    Object.assign(stderr, { write: originals[1] });
    process.exitCode = exitCode;
  }
  return { ...written, error };
}
