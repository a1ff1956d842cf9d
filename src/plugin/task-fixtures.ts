import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

import { describeTask } from "../request/describe-task.js";
import type { ChainIdentifier } from "../request/chains.js";
import { HdpError } from "../errors/hdp-error.js";
import {
  FIXTURE_FORMATS,
  nameFixtures,
  renderFixtures,
  type Fixture,
  type FixtureFile,
  type FixtureFormat,
} from "../store/starknet/fixtures.js";
import { readTaskFile, type TaskInputContext } from "./task-input.js";
import type { HdpActions } from "./actions/submission-actions.js";

/** The format a user names, or HDP-8015. */
export function parseFixtureFormat(text: string): FixtureFormat {
  const format = FIXTURE_FORMATS.find((one) => one === text);
  if (format !== undefined) return format;
  throw new HdpError({
    code: "HDP-8015",
    path: "--format",
    message: `"${text}" is not a format of fixtures.`,
    hints: [`Allowed: ${FIXTURE_FORMATS.join(", ")}.`],
  });
}

/**
 * Runs the tasks of files with the local data processor and returns their results as fixtures. Results are kept in the
 * connection's own store whatever the destination is, since no hash depends on it.
 *
 * @throws HDP-8013 where a service would compute, HDP-8014 where two tasks would have the same name
 */
export async function computeFixtures(
  paths: readonly string[],
  context: TaskInputContext,
  hdp: HdpActions,
): Promise<readonly Fixture[]> {
  const { kind, description } = await hdp.processor();
  if (kind !== "local") {
    throw new HdpError({
      code: "HDP-8013",
      message: `fixtures are computed by the local data processor, and this network has the ${description}.`,
      hints: ["Choose a development network with --network, or none: the default one runs in this process."],
    });
  }
  const requests = await Promise.all(
    paths.map(async (path) => ({ path, tasks: (await readTaskFile(path, context, anyDestination)).tasks })),
  );
  const files: FixtureFile[] = [];
  for (const { path, tasks } of requests) {
    const { results } = await hdp.run(tasks);
    const titles = tasks.map((task) => describeTask(task).title);
    files.push({
      path,
      tasks: results.map(({ taskHash, word }, position) => ({ title: titles[position] ?? "", taskHash, word })),
    });
  }
  return nameFixtures(files);
}

/** The results are kept in the connection's own store, whatever the destination is. */
const anyDestination = async (): Promise<ChainIdentifier> => await Promise.resolve("STARKNET_SEPOLIA");

/** Writes a fixture file, relative to the project, and returns its text. */
export async function writeFixtures(
  fixtures: readonly Fixture[],
  format: FixtureFormat,
  out: string | undefined,
  projectRoot: string,
): Promise<string> {
  const text = renderFixtures(fixtures, format);
  if (out !== undefined) {
    const file = resolve(projectRoot, out);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return text;
}
