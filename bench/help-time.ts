// What the plugin adds to `npx hardhat --help`: the same project with and without it, in turn, each in a fresh process.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { line, percentile } from "./measure.js";

const ROUNDS = 15;
const root = join(import.meta.dirname, "..");
const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
// Inside the repository, so that packages resolve as in a user's project.
const project = mkdtempSync(join(root, "test", ".help-time-"));

const withPlugin = `import { defineConfig } from "hardhat/config";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import hardhatHdp from "hardhat-hdp";
export default defineConfig({ plugins: [hardhatViem, hardhatHdp] });
`;
const without = `import { defineConfig } from "hardhat/config";
import hardhatViem from "@nomicfoundation/hardhat-viem";
export default defineConfig({ plugins: [hardhatViem] });
`;
writeFileSync(join(project, "package.json"), '{ "type": "module" }');

function help(config: string): number {
  writeFileSync(join(project, "hardhat.config.js"), config);
  const start = performance.now();
  const { status } = spawnSync(process.execPath, [cli, "--help"], { cwd: project, stdio: "ignore" });
  if (status !== 0) throw new Error(`hardhat --help ended with ${String(status)}`);
  return performance.now() - start;
}

try {
  const floors: number[] = [];
  const ours: number[] = [];
  help(withPlugin);
  for (let round = 0; round < ROUNDS; round += 1) {
    floors.push(help(without));
    ours.push(help(withPlugin));
  }
  const floor = percentile(floors, 0.5);
  const own = percentile(ours, 0.5);
  line("hardhat --help with hardhat-viem, floor p50", `${floor.toFixed(0)} ms`);
  line("hardhat --help with hardhat-hdp, p50", `${own.toFixed(0)} ms`);
  line("added by the plugin", `${(own - floor).toFixed(1)} ms (at most 15), ratio ${(own / floor).toFixed(2)}`);
} finally {
  rmSync(project, { recursive: true });
}
