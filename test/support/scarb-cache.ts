import { copyFileSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";

import { root } from "./hardhat-cli.js";
import type { StarknetTools } from "./starknet-tools.js";

const cache = join(root, "node_modules", ".cache", "hardhat-hdp", "scarb");
/** What is the same in every package of these tests; Scarb itself checks that a file fits. */
const SHARED = /^(core|snforge_std)-\w+\.bin$/;

/**
 * Compiles in a folder with what earlier builds on this machine made of the standard libraries, which is half of what a
 * build costs. Each build has a copy, since several run at a time.
 *
 * @param folder the Scarb package's
 */
export async function withScarbCache<T>(
  tools: StarknetTools,
  folder: string,
  build: () => Promise<T>,
): Promise<T> {
  const places = ["dev", "release"].map((profile) => ({
    kept: join(cache, tools.versions.scarb, profile),
    used: join(folder, "target", profile, "incremental"),
  }));
  for (const { kept, used } of places) copyShared(kept, used);
  const done = await build();
  for (const { kept, used } of places) copyShared(used, kept);
  return done;
}

/** Whoever copies at the same time copies the same. */
function copyShared(from: string, to: string): void {
  const there = new Set(files(to));
  for (const name of files(from).filter((one) => SHARED.test(one) && !there.has(one))) {
    mkdirSync(to, { recursive: true });
    const unfinished = join(to, `${name}.${process.pid.toString()}`);
    copyFileSync(join(from, name), unfinished);
    renameSync(unfinished, join(to, name));
  }
}

function files(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
