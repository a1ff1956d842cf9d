import { glob } from "node:fs/promises";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { HdpError, isHdpError } from "../../errors/hdp-error.js";
import type { TaskRequest } from "../../request/task.js";
import type { FieldChoice } from "../../request/reader.js";
import type { Screen } from "../ui/screen.js";
import { readRequest } from "./read-request.js";

/** A task file and what it asks for. */
export interface FileRequest {
  readonly file: string;
  readonly request: TaskRequest;
}

/** Mistakes in more than one task file. */
class FilesError extends HdpError {
  public readonly errors: readonly HdpError[];

  public constructor(failures: readonly HdpError[], files: number) {
    const errors = failures.flatMap((failure) => ("errors" in failure ? mistakes(failure.errors) : [failure]));
    super({
      code: "HDP-6084",
      message: `${String(errors.length)} mistakes in ${String(failures.length)} of ${String(files)} task files.`,
      hints: failures.flatMap((failure) => failure.message.split("\n")),
    });
    this.errors = errors;
  }
}

/**
 * The requests of several task files, each once and in the order of their names. Patterns such as `tasks/*.json` are
 * for shells that leave them alone (in quotes, on Windows).
 *
 * @throws HdpError HDP-6083 for a pattern without a file; all mistakes of all files at once (HDP-6084)
 */
export async function readRequests(
  patterns: readonly string[],
  hre: Pick<HardhatRuntimeEnvironment, "config" | "network">,
  fields?: FieldChoice,
  screen?: Pick<Screen, "line">,
): Promise<readonly FileRequest[]> {
  const files = (await Promise.all(patterns.map(async (one) => await filesOf(one, hre.config.paths.root)))).flat();
  const unique = new Map<string, string>();
  for (const file of files) {
    const path = resolve(hre.config.paths.root, file);
    if (!unique.has(path)) unique.set(path, file);
  }
  const requests: FileRequest[] = [];
  const failures: HdpError[] = [];
  for (const file of unique.values()) {
    try {
      requests.push({ file, request: await readRequest(file, hre, fields, screen) });
    } catch (error) {
      if (!isHdpError(error)) throw error;
      failures.push(error);
    }
  }
  const [first] = failures;
  if (first !== undefined) throw failures.length === 1 ? first : new FilesError(failures, unique.size);
  return requests;
}

async function filesOf(pattern: string, root: string): Promise<readonly string[]> {
  if (!/[*?[{]/.test(pattern) || existsSync(resolve(root, pattern))) return [pattern];
  const found: string[] = [];
  for await (const file of glob(pattern, { cwd: root })) found.push(file.replaceAll("\\", "/"));
  if (found.length > 0) return found.toSorted();
  throw new HdpError({
    code: "HDP-6083",
    path: "file",
    message: `no file matches "${pattern}".`,
    hints: [`Looked in ${root}. Patterns are relative to the project; * does not match a slash, ** does.`],
  });
}

function mistakes(errors: unknown): readonly HdpError[] {
  return Array.isArray(errors) ? errors.filter((error) => isHdpError(error)) : [];
}

/** The screen, where `--network` was given to a command that needs none: blocks can then be looked up. */
export function networkAtHand<ScreenT>(
  { globalOptions }: Pick<HardhatRuntimeEnvironment, "globalOptions">,
  screen: ScreenT,
): ScreenT | undefined {
  return (globalOptions.network as string | undefined) === undefined ? undefined : screen;
}
