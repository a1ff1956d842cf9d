import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { hdpError } from "../errors/hdp-error.js";
import type { CairoConfig } from "./config/config-types.js";
import { knownPrograms } from "./known-programs.js";
import { computeFixtures, parseFixtureFormat, writeFixtures } from "./task-fixtures.js";

/** What snforge counted. */
export interface CairoTestRun {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** snforge's own exit code; not 0 either when nothing could be compiled. */
  readonly exitCode: number;
}

/**
 * Computes the configured fixtures anew, writes them into the Cairo package, and runs its tests with snforge, whose
 * output goes to this process's.
 *
 * @param args more arguments of `snforge test`
 * @throws HdpError HDP-8019 snforge does not start, HDP-8020 no Cairo package, and the errors of `hdp fixtures`
 */
export async function runCairoTests(hre: HardhatRuntimeEnvironment, args: readonly string[]): Promise<CairoTestRun> {
  const config = cairoPackage(hre.config.hdp.cairo);
  const { fixtures } = config;
  if (fixtures !== undefined) {
    const projectRoot = hre.config.paths.root;
    const { hdp } = await hre.network.getOrCreate();
    const context = { projectRoot, programs: knownPrograms(hre.config) };
    const computed = await computeFixtures(fixtures.tasks, context, hdp);
    await writeFixtures(computed, parseFixtureFormat(fixtures.format), fixtures.out, projectRoot);
  }
  const { exitCode, output } = await runSnforge(config, args);
  const counts = /^Tests: (\d+) passed, (\d+) failed, (\d+) ignored/m.exec(output);
  const [passed = 0, failed = 0, skipped = 0] = (counts ?? []).slice(1).map(Number);
  // Where nothing compiles, nothing is counted: that is a failure too.
  return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed, skipped, exitCode };
}

/** Returns the configured package. @throws HdpError HDP-8020 */
export function cairoPackage(config: CairoConfig | undefined): CairoConfig {
  if (config !== undefined && existsSync(join(config.package, "Scarb.toml"))) return config;
  const reason = config === undefined ? "none is configured" : `${config.package} has no Scarb.toml`;
  throw hdpError("HDP-8020", { reason }, { path: "hdp.cairo.package" });
}

async function runSnforge(
  { package: cwd, snforge }: CairoConfig,
  args: readonly string[],
): Promise<{ readonly exitCode: number; readonly output: string }> {
  return await new Promise((resolve, reject) => {
    const child = spawn(snforge, ["test", ...args], { cwd, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      process.stdout.write(text);
    });
    child.on("error", (cause) => {
      reject(hdpError("HDP-8019", { snforge }, { path: "hdp.cairo.snforge", cause }));
    });
    child.on("close", (code) => {
      resolve({ exitCode: code ?? 1, output });
    });
  });
}
