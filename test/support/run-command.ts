import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { CommandDefinition } from "../../src/tasks/command.js";
import { GROUPS } from "../../src/tasks/commands.js";
import { runCommand as runAction } from "../../src/tasks/run-command.js";

/** Every command by its name without `hdp`. */
export const COMMANDS: Readonly<Record<string, CommandDefinition>> = Object.fromEntries(
  GROUPS.flatMap(({ commands }) => Object.entries(commands)),
);

/** What a command wrote and how it ended. */
export interface CommandRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly error: unknown;
}

/** Runs a command in this process, with its defaults, and keeps what it writes. */
export async function runCommand(
  name: string,
  given: Record<string, unknown>,
  hre: HardhatRuntimeEnvironment,
): Promise<CommandRun> {
  const command = COMMANDS[name];
  if (command === undefined) throw new Error(`no command ${name}`);
  const defaults = Object.entries({ ...command.positional, ...command.options }).map(([key, one]) => {
    return [key, one.defaultValue] as const;
  });
  const action = await command.load();
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
    await runAction(action, { ...Object.fromEntries(defaults), ...given }, hre);
  } catch (thrown) {
    error = thrown;
  } finally {
    Object.assign(stdout, { write: originals[0] });
    Object.assign(stderr, { write: originals[1] });
    process.exitCode = exitCode;
  }
  return { ...written, error };
}
