import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { hardhatCli, root } from "../scripts/root.js";
import { percentile } from "./measure.js";

/** A project of its own inside the repository, so that packages resolve as in a user's, until the process ends. */
export class Project {
  readonly folder = mkdtempSync(join(root, "test", ".bench-"));

  public constructor(files: Readonly<Record<string, string>>) {
    process.on("exit", () => rmSync(this.folder, { recursive: true, force: true }));
    for (const [name, text] of Object.entries({
      "package.json": '{ "type": "module" }',
      ...files,
    })) {
      writeFileSync(join(this.folder, name), text);
    }
  }

  /** Runs Hardhat in a fresh process, and says how many milliseconds it took. */
  public run(...args: readonly string[]): number {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [hardhatCli, ...args], {
      cwd: this.folder,
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    if (status !== 0)
      throw new Error(`hardhat ${args.join(" ")} ended with ${String(status)}: ${stderr}`);
    return performance.now() - start;
  }
}

/** The medians of two things done in turn. */
export function inTurn(
  rounds: number,
  one: () => number,
  other: () => number,
): readonly [number, number] {
  const [ones, others]: [number[], number[]] = [[], []];
  one();
  other();
  for (let round = 0; round < rounds; round += 1) {
    ones.push(one());
    others.push(other());
  }
  return [percentile(ones, 0.5), percentile(others, 0.5)];
}
