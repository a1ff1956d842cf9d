import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { HdpError } from "../errors/hdp-error.js";
import type { CairoConfig } from "./config/config-types.js";
import { knownPrograms } from "./known-programs.js";
import { computeFixtures, parseFixtureFormat, writeFixtures } from "./task-fixtures.js";

/** What snforge counted. */
export interface CairoTestRun {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** snforge's own exit code; not 0 too when nothing could be compiled. */
  readonly exitCode: number;
}

/**
 * Computes the configured fixtures anew, writes them into the Cairo package, and runs its tests with snforge, whose
 * output goes where this process's goes.
 *
 * @param args more arguments of `snforge test`
 * @throws HDP-8019 snforge does not start, HDP-8020 no Cairo package is configured or there is none, and the errors of
 *   `hdp fixtures`
 */
export async function runCairoTests(hre: HardhatRuntimeEnvironment, args: readonly string[]): Promise<CairoTestRun> {
  const config = cairoPackage(hre.config.hdp.cairo);
  await refreshFixtures(hre, config);
  const { code, output } = await runSnforge(config, args);
  const counts = /^Tests: (\d+) passed, (\d+) failed, (\d+) ignored/m.exec(output);
  const [passed = 0, failed = 0, skipped = 0] = (counts ?? []).slice(1).map(Number);
  // Nothing was counted where nothing compiled: that is a failure too.
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped, exitCode: code };
}

/** The configured package, or HDP-8020. */
export function cairoPackage(config: CairoConfig | undefined): CairoConfig {
  if (config !== undefined && existsSync(join(config.package, "Scarb.toml"))) return config;
  throw new HdpError({
    code: "HDP-8020",
    path: "hdp.cairo.package",
    message: config === undefined ? "no Cairo package is configured." : `there is no Scarb.toml in ${config.package}.`,
    hints: [
      'Name the Scarb package\'s folder: hdp: { cairo: { package: "cairo" } }.',
      "Make one: npx hardhat hdp starknet init cairo",
    ],
  });
}

async function refreshFixtures(hre: HardhatRuntimeEnvironment, { fixtures }: CairoConfig): Promise<void> {
  if (fixtures === undefined) return;
  const { root } = hre.config.paths;
  const { hdp } = await hre.network.getOrCreate();
  const context = { projectRoot: root, programs: knownPrograms(hre.config) };
  const computed = await computeFixtures(fixtures.tasks, context, hdp);
  await writeFixtures(computed, parseFixtureFormat(fixtures.format), fixtures.out, root);
}

async function runSnforge(
  { package: cwd, snforge }: CairoConfig,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  return await new Promise((resolve, reject) => {
    const child = spawn(snforge, ["test", ...args], { cwd, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      process.stdout.write(text);
    });
    child.on("error", (cause) => {
      reject(
        new HdpError({
          code: "HDP-8019",
          path: "hdp.cairo.snforge",
          message: `"${snforge}" does not start.`,
          hints: ["Install Starknet Foundry and put snforge, scarb and universal-sierra-compiler on the PATH."],
          cause,
        }),
      );
    });
    child.on("close", (code) => {
      resolve({ code: code ?? 1, output });
    });
  });
}
