import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import { type NewTaskDefinition, TaskDefinitionType } from "hardhat/types/tasks";

import { groups, withCairoTests } from "../../src/tasks/commands.js";

/** Every command by its name without `hdp`. */
export const COMMANDS: Readonly<Record<string, NewTaskDefinition>> = Object.fromEntries(
  groups
    .flatMap(({ commands }) => commands)
    .map((command) => [command.id.slice(1).join(" "), command]),
);

/** What a project has beside them that configures a Cairo package, by its whole name. */
const { tasks = [] } = await withCairoTests({ hdp: { cairo: { package: "cairo" } } }, (config) =>
  Promise.resolve(config),
);
const added = tasks.filter(
  (one): one is NewTaskDefinition => one.type === TaskDefinitionType.NEW_TASK,
);
const WITH_CAIRO = {
  ...COMMANDS,
  ...Object.fromEntries(added.map((one) => [one.id.join(" "), one])),
};

/** What a command wrote and how it ended. */
export interface CommandRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly error: unknown;
  /** Undefined where the command set none. */
  readonly exitCode: typeof process.exitCode;
}

/** Runs a command in this process, with its defaults, and keeps what it writes, which `onText` gets as it is written. */
export async function runCommand(
  name: string,
  given: Record<string, unknown>,
  hre: HardhatRuntimeEnvironment,
  onText?: (text: string) => void,
): Promise<CommandRun> {
  const command = WITH_CAIRO[name];
  if (command?.action === undefined) throw new Error(`no command ${name}`);
  const defaults = [...command.positionalArguments, ...Object.values(command.options)].map(
    (one) => {
      return [one.name, one.defaultValue] as const;
    },
  );
  const { default: action } = await command.action();
  return await keptOutput(async () => {
    await action({ ...Object.fromEntries(defaults), ...given }, hre);
  }, onText);
}

/** Runs something in this process, and keeps what it writes. */
export async function keptOutput(
  run: () => Promise<unknown>,
  onText?: (text: string) => void,
): Promise<CommandRun> {
  const { stdout, stderr } = process;
  const originals = [stdout.write.bind(stdout), stderr.write.bind(stderr)] as const;
  const before = process.exitCode;
  process.exitCode = undefined;
  let exitCode: CommandRun["exitCode"];
  const written = { stdout: "", stderr: "" };
  const keep =
    (stream: "stdout" | "stderr") =>
    (chunk: string | Uint8Array): boolean => {
      const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      written[stream] += text;
      onText?.(text);
      return true;
    };
  Object.assign(stdout, { write: keep("stdout") });
  Object.assign(stderr, { write: keep("stderr") });
  let error: unknown;
  try {
    await run();
  } catch (thrown) {
    error = thrown;
  } finally {
    Object.assign(stdout, { write: originals[0] });
    Object.assign(stderr, { write: originals[1] });
    exitCode = process.exitCode;
    process.exitCode = before;
  }
  return { ...written, error, exitCode };
}
