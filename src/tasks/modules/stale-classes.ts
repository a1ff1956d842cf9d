import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";

import { getAllFilesMatching } from "@nomicfoundation/hardhat-utils/fs";

import { suggested } from "../../errors/suggested.js";
import type { KnownPrograms } from "../../plugin/known-programs.js";
import type { Task } from "../../request/task.js";

/** Returns a sentence for each class of tasks that is older than a source of its Scarb package. */
export async function staleClasses(
  tasks: readonly Task[],
  programs: KnownPrograms,
  root: string,
): Promise<readonly string[]> {
  const files = new Set(
    tasks.flatMap((task) => (task.type === "Module" ? [programs.get(task.programHash)?.file ?? []].flat() : [])),
  );
  const sentences = await Promise.all([...files].map(async (file) => await staleClass(file, root)));
  return sentences.filter((sentence) => sentence !== undefined);
}

async function staleClass(file: string, root: string): Promise<string | undefined> {
  // Scarb builds into <package>/target/<profile>.
  const target = dirname(dirname(file));
  const folder = dirname(target);
  if (basename(target) !== "target" || !existsSync(join(folder, "Scarb.toml"))) return undefined;
  const sources = await getAllFilesMatching(join(folder, "src"), (path) => path.endsWith(".cairo"));
  const built = (await stat(file)).mtimeMs;
  for (const source of [join(folder, "Scarb.toml"), ...sources]) {
    if ((await stat(source)).mtimeMs <= built) continue;
    const build = suggested("hdp module build", [relative(root, folder) || "."]);
    return `${relative(root, source)} is newer than the class that is run: ${build}`;
  }
  return undefined;
}
