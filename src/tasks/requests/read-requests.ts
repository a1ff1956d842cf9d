import { existsSync } from "node:fs";
import { glob } from "node:fs/promises";
import { resolve } from "node:path";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { namedPath } from "../../base/files.js";
import { grouped } from "../../base/text.js";
import { type HdpError, hdpError, isHdpError } from "../../errors/hdp-error.js";
import { blockResolver } from "../../plugin/block-ranges.js";
import { defaultDestination } from "../../plugin/destination.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { Session } from "../../plugin/session.js";
import type { ParsedTasks, TaskSource } from "../../plugin/task-input.js";
import { parseTaskText, readTaskFile, readTaskStream, STANDARD_INPUT } from "../../plugin/task-input.js";
import { hasReference } from "../../request/block-reference.js";
import type { FieldChoice } from "../../request/reader.js";
import type { TaskRequest } from "../../request/task.js";
import type { Screen } from "../ui/screen.js";

type Hre = Pick<HardhatRuntimeEnvironment, "config" | "network">;

/**
 * Reads the request in a file, or on standard input for "-" or without a file: Hardhat parses a bare "-" as an option
 * (`-- -` works too). Paths of classes in standard input are relative to the current folder.
 *
 * @param screen of a command that may connect: blocks written as `latest-64` or dates are resolved and printed; without
 * a screen they are errors
 */
export async function readRequest(
  file: string,
  { config, network }: Hre,
  screen?: Screen,
  fields?: FieldChoice,
): Promise<TaskRequest> {
  const programs = knownPrograms(config);
  const folder = config.paths.root;
  const session = async (): Promise<Session> => Session.of(await network.getOrCreate());
  const resolveBlocks = async (document: unknown): Promise<unknown> => {
    // Connects only if a block has to be looked up.
    if (!hasReference(document)) return document;
    return await blockResolver(await session(), ({ path, text, block, timestamp }) => {
      const time = new Date(Number(timestamp) * 1000).toISOString().replace(".000Z", "Z");
      screen?.line(`  ${path}  ${text} is block ${grouped(block)} of ${time}`);
    })(document);
  };
  const source = { programs, fields, resolveBlocks: screen === undefined ? undefined : resolveBlocks };
  const read =
    file === "-" ? await readInput(source) : await readTaskFile(namedPath(file, folder), { folder, ...source });
  // The connected chain is the destination of a file of tasks without one.
  return { ...read, destinationChainId: read.destinationChainId ?? (await defaultDestination(await session())) };
}

async function readInput(source: Omit<TaskSource, "folder" | "source">): Promise<ParsedTasks> {
  const text = process.stdin.isTTY ? "" : await readTaskStream(process.stdin);
  if (text.trim() === "") {
    const example = "tasks/fee.json; or pipe one into the command: < tasks/fee.json";
    throw hdpError("HDP-6016", { what: "task file", example }, { path: "file" });
  }
  return await parseTaskText(text, { folder: process.cwd(), source: STANDARD_INPUT, ...source });
}

export interface FileRequest {
  readonly file: string;
  readonly request: TaskRequest;
}

/**
 * Reads the requests of several task files, each file once, in the order of their names. Patterns such as
 * `tasks/*.json` are expanded here for shells that do not expand them (in quotes, on Windows).
 *
 * @throws HdpError HDP-6001 for a pattern without a file; HDP-1100 with the errors of all files
 */
export async function readRequests(
  patterns: readonly string[],
  hre: Hre,
  screen?: Screen,
  fields?: FieldChoice,
): Promise<readonly FileRequest[]> {
  const { root } = hre.config.paths;
  const files = (await Promise.all(patterns.map(async (pattern) => await filesOf(pattern, root)))).flat();
  const paths = files.map((file) => namedPath(file, root));
  const unique = files.filter((_, index) => paths.indexOf(paths[index] ?? "") === index);
  const requests: FileRequest[] = [];
  const failures: HdpError[] = [];
  for (const file of unique) {
    try {
      requests.push({ file, request: await readRequest(file, hre, screen, fields) });
    } catch (error) {
      if (!isHdpError(error)) throw error;
      failures.push(error);
    }
  }
  const [first, ...others] = failures;
  if (first === undefined) return requests;
  if (others.length === 0) throw first;
  const errors = failures.flatMap((failure) => ("errors" in failure ? failure.errors : failure));
  const hints = failures.flatMap(({ message }) => message.split("\n"));
  const where = ` in ${failures.length} of ${unique.length} task files`;
  throw Object.assign(hdpError("HDP-1100", { count: errors.length, where }, { hints }), { errors });
}

async function filesOf(pattern: string, root: string): Promise<readonly string[]> {
  if (!/[*?[{]/.test(pattern) || existsSync(namedPath(pattern, root))) return [pattern];
  for (const cwd of new Set([process.cwd(), root])) {
    const found: string[] = [];
    for await (const file of glob(pattern, { cwd })) found.push(file.replaceAll("\\", "/"));
    if (found.length > 0) return found.toSorted();
  }
  const values = { what: `"${pattern}"`, reason: "no file matches", path: resolve(root, pattern) };
  throw hdpError("HDP-6001", values, { path: "file", hints: ["* does not match a slash, ** does."] });
}
