// Stryker's own plugin for mocha reaches into files of mocha that its version 12 renamed. This one uses what mocha
// offers to everybody, and loads the test files once for all mutants of a process.
import { resolve } from "node:path";

import { type InstrumenterContext, INSTRUMENTER_CONSTANTS } from "@stryker-mutator/api/core";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import {
  determineHitLimitReached,
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  type TestRunnerCapabilities,
  TestStatus,
  toMutantRunResult,
} from "@stryker-mutator/api/test-runner";
import fc from "fast-check";
import Mocha from "mocha";

/** Test files, separated by colons. */
export const TEST_FILES = "HDP_MUTATION_TESTS";

class MochaTestRunner implements TestRunner {
  readonly #stryker = instrumenterContext();
  readonly #mocha = new Mocha({ timeout: 60_000, reporter: Silent });
  #loaded = false;
  #perTest = false;

  public capabilities(): TestRunnerCapabilities {
    // Modules stay as they were loaded first: a mutant in what runs then needs a process of its own.
    return { reloadEnvironment: false };
  }

  public async init(): Promise<void> {
    // The first counter-example is enough, the same ones are tried for each mutant, and none is looked for long.
    fc.configureGlobal({ seed: 1, endOnFailure: true });
    fc.installGlobalPlugin(fc.interruptAfterTimeLimit(30_000));
    this.#mocha.cleanReferencesAfterRun(false);
    for (const file of (process.env[TEST_FILES] ?? "").split(":")) this.#mocha.addFile(file);
    const starts = (title: string | undefined): void => {
      if (this.#perTest && title !== undefined) this.#stryker.currentTestId = title;
    };
    this.#mocha.suite.beforeEach(function () {
      starts(this.currentTest?.fullTitle());
    });
  }

  public async dryRun({ coverageAnalysis, disableBail }: DryRunOptions): Promise<DryRunResult> {
    this.#perTest = coverageAnalysis === "perTest";
    const result = await this.#run(disableBail);
    this.#perTest = false;
    if (result.status !== DryRunStatus.Complete || coverageAnalysis === "off") return result;
    return {
      ...result,
      ...(this.#stryker.mutantCoverage && { mutantCoverage: this.#stryker.mutantCoverage }),
    };
  }

  public async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, mutantActivation, testFilter, hitLimit, disableBail } = options;
    const stryker = this.#stryker;
    stryker.hitLimit = hitLimit;
    stryker.hitCount = hitLimit === undefined ? undefined : 0;
    // One that is active while files are loaded changes what they do then.
    if (mutantActivation === "static") stryker.activeMutant = activeMutant.id;
    await this.#load();
    stryker.activeMutant = activeMutant.id;
    const escaped = testFilter?.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    this.#mocha.grep(new RegExp(escaped === undefined ? "" : `^(?:${escaped.join("|")})$`));
    return toMutantRunResult(await this.#run(disableBail));
  }

  async #load(): Promise<void> {
    if (this.#loaded) return;
    await this.#mocha.loadFilesAsync();
    this.#loaded = true;
  }

  async #run(disableBail: boolean): Promise<DryRunResult> {
    try {
      await this.#load();
      bail(this.#mocha.suite, !disableBail);
      const tests = await new Promise<TestResult[]>((resolve) => {
        const results: TestResult[] = [];
        const runner = this.#mocha.run(() => resolve(results));
        runner.on("pass", (test) =>
          results.push({ ...described(test), status: TestStatus.Success }),
        );
        runner.on("fail", (test, error: Error) => {
          results.push({
            ...described(test),
            status: TestStatus.Failed,
            failureMessage: error.message,
          });
        });
      });
      return (
        determineHitLimitReached(this.#stryker.hitCount, this.#stryker.hitLimit) ?? {
          status: DryRunStatus.Complete,
          tests,
        }
      );
    } catch (error) {
      return {
        status: DryRunStatus.Error,
        errorMessage: error instanceof Error ? String(error.stack) : String(error),
      };
    }
  }
}

class Silent extends Mocha.reporters.Base {}

/** What is shared with the changed source. */
type Shared = {
  -readonly [Key in keyof InstrumenterContext]: InstrumenterContext[Key] | undefined;
};

function instrumenterContext(): Shared {
  const shared = globalThis as { [INSTRUMENTER_CONSTANTS.NAMESPACE]?: Shared };
  return (shared[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {} as Shared);
}

function described(test: Mocha.Test): Pick<TestResult, "id" | "name" | "timeSpentMs" | "fileName"> {
  // Where a hook fails, the test that it belongs to does.
  const title = test.ctx?.currentTest?.fullTitle() ?? test.fullTitle();
  const file = test.file ? { fileName: resolve(test.file) } : {};
  return { id: title, name: title, timeSpentMs: test.duration ?? 0, ...file };
}

function bail(suite: Mocha.Suite, on: boolean): void {
  suite.bail(on);
  for (const child of suite.suites) bail(child, on);
}

/** What Stryker loads this file for. */
export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, "mocha-files", MochaTestRunner),
];
