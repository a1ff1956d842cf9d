import type { NewTaskActionFunction } from "hardhat/types/tasks";
import { errorResult, successfulResult } from "hardhat/utils/result";

import { runCairoTests } from "../plugin/cairo-tests.js";

/**
 * `npx hardhat test cairo`, and the part of `npx hardhat test` that runs the Cairo package of `hdp.cairo`: nothing where
 * none is configured.
 */
const action: NewTaskActionFunction = async ({ testFiles }, hre) => {
  if (hre.config.hdp.cairo === undefined) return undefined;
  const names: unknown[] = Array.isArray(testFiles) ? testFiles : [];
  const { passed, failed, skipped, exitCode } = await runCairoTests(hre, names.map(String));
  const summary = { passed, failed, skipped, todo: 0 };
  return exitCode === 0 ? successfulResult({ summary }) : errorResult({ summary });
};

export default action;
