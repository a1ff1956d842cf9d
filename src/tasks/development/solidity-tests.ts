import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { TaskOverrideActionFunction } from "hardhat/types/tasks";

import { isRecord } from "../../base/collections.js";
import { EXPLAIN_WITHIN } from "../../plugin/explain-within.js";
import type { Brought } from "../../store/failed-read.js";

/** A Solidity test that failed, and what it ended with. */
interface FailedTest {
  readonly name: string;
  /** Its file, below the project's folder. */
  readonly source: string;
  readonly reason: string;
  /** What it logged. */
  readonly logs: readonly string[];
  /** The contract in which it reverted, where that is known. */
  readonly contract: string | undefined;
}

/**
 * `WrongValue` and `WrongOutput` of HdpResults, with task hash, what was brought and the stored word, as Hardhat has them:
 * `WrongValue(0x93d4…2949, 7000000000 [7e9], 0x…)`, or in hexadecimal digits where it does not know the contract.
 */
const REFUSALS = [
  { kind: "value", pattern: /^WrongValue\(0x\w{64}, (\d+)[^,]*, 0x(\w{64})\)$/, prefix: "" },
  { kind: "value", pattern: /^custom error 0x18d35b47: \w{64}(\w{64})(\w{64})$/, prefix: "0x" },
  { kind: "root", pattern: /^WrongOutput\(0x\w{64}, 0x(\w{64}), 0x(\w{64})\)$/, prefix: "0x" },
  { kind: "root", pattern: /^custom error 0x30b31f81: \w{64}(\w{64})(\w{64})$/, prefix: "0x" },
] as const;

/** `NotAStore` of HdpResults, with the account, in both spellings. */
const NO_STORE = /^(?:NotAStore\("?0x|custom error 0x2fbbe55b: 0{24})([\da-f]{40})(?:"?\))?$/i;

/**
 * Runs Solidity tests. Says of those that brought another value or output in what it differs, which no log of a store can, and
 * of those whose contract asked for a task that the test named nowhere which task that is: a log has no gas to try much.
 */
const solidityTests: TaskOverrideActionFunction = async (args, { config }, runSuper) => {
  const result: unknown = await runSuper(args);
  const failed = failedTests(result);
  const { root } = config.paths;
  const refused = failed.filter(({ reason }) => findRefused(reason) !== undefined);
  const values = (await Promise.all(refused.map((test) => valueLines(test, root)))).flat();
  if (values.length > 0) show(["  hdp: values that are not the result", ...values], result);
  const reads = [...failed.flatMap(otherMockLines), ...(await readLines(failed, root))];
  if (reads.length > 0) show(["  hdp: tasks without a result", ...reads], result);
  const accounts = (await Promise.all(failed.map((test) => accountLines(test, root)))).flat();
  if (accounts.length > 0) show(["  hdp: accounts that are no store", ...accounts], result);
  return result;
};

export default solidityTests;

/** Returns the tests that failed, of the result of Hardhat's task. */
function failedTests(result: unknown): readonly FailedTest[] {
  const { suiteResults } = failedRun(result);
  const suites = Array.isArray(suiteResults) ? suiteResults.filter(isRecord) : [];
  return suites.flatMap(({ id, testResults }) => {
    const [suite, file] = isRecord(id) ? [String(id["name"]), String(id["source"])] : ["", ""];
    const source = file.replace(/^project\//, "");
    const tests = Array.isArray(testResults) ? testResults.filter(isRecord) : [];
    return tests
      .filter(({ status }) => status === "Failure")
      .map((test) => ({
        name: `${suite}#${String(test["name"])}`,
        source,
        reason: String(test["reason"]),
        logs: Array.isArray(test["decodedLogs"]) ? test["decodedLogs"].map(String) : [],
        contract: revertedIn(test),
      }));
  });
}

/** Returns the contract in which a test reverted, by its stack trace. */
function revertedIn(test: Readonly<Record<string, unknown>>): string | undefined {
  const { stackTrace } = test;
  const trace: unknown = typeof stackTrace === "function" ? stackTrace.call(test) : undefined;
  const entries = isRecord(trace) && Array.isArray(trace["entries"]) ? trace["entries"] : [];
  const innermost: unknown = entries.at(-1);
  const source = isRecord(innermost) ? innermost["sourceReference"] : undefined;
  return isRecord(source) ? String(source["contract"]) : undefined;
}

function failedRun(result: unknown): Readonly<Record<string, unknown>> {
  const { error } = isRecord(result) ? result : {};
  return isRecord(error) ? error : {};
}

/** Returns what a contract refused, and the stored word; undefined for another reason. */
function findRefused(reason: string): Brought | undefined {
  for (const { kind, pattern, prefix } of REFUSALS) {
    const [, brought, word] = pattern.exec(reason) ?? [];
    if (brought === undefined || word === undefined) continue;
    return { kind, value: BigInt(`${prefix}${brought}`), word: `0x${word}` };
  }
  return undefined;
}

async function valueLines(
  { name, source, reason }: FailedTest,
  root: string,
): Promise<readonly string[]> {
  const refused = findRefused(reason);
  if (refused === undefined) return [];
  const text = await readFile(join(root, source), "utf8").catch(() => "");
  const { explained } = await import("./solidity-outputs.js");
  return explained(refused, text, functionOf(name)).map((line) => `  ${name}: ${line}`);
}

/** Says of a test whose contract took another account for its store what that is. */
async function accountLines(
  { name, source, reason }: FailedTest,
  root: string,
): Promise<readonly string[]> {
  const [, account] = NO_STORE.exec(reason) ?? [];
  if (account === undefined) return [];
  const { noStoreLines } = await import("./solidity-accounts.js");
  const { readSources } = await import("./solidity-words.js");
  const sources = await readSources(source, root);
  const lines = noStoreLines(BigInt(`0x${account}`), sources, functionOf(name));
  return [`  ${name}:`, ...lines.map((line) => `    ${line}`)];
}

/** The mock without the log of HdpTest's store, which has another name. */
const MOCK = "HdpExecutionStoreMock";

/** Says of a test that a mock which it deployed by hand has no result. */
function otherMockLines({ name, reason, contract }: FailedTest): readonly string[] {
  if (contract !== MOCK || !reason.includes("NotFinalized()")) return [];
  return [
    `  ${name}:`,
    `    Asked was a mock of its own (${MOCK}), and not store() of an HdpTest, where finalize keeps results.`,
    `    Deploy the contract with address(store()), or finalize the task in that mock (finalizeTask).`,
  ];
}

/** A failed read begins with it in the logs. */
const FAILED_READ = "hdp: no result of task ";

/** Returns what is known of the tasks that contracts asked for, a paragraph for each test. */
async function readLines(failed: readonly FailedTest[], root: string): Promise<readonly string[]> {
  const asking = failed.filter(({ logs }) => logs.some((log) => log.includes(FAILED_READ)));
  if (asking.length === 0) return [];
  const { explainReads } = await import("./solidity-reads.js");
  const tests = asking.map((test) => ({ ...test, test: functionOf(test.name) }));
  const within = EXPLAIN_WITHIN.all;
  return await explainReads(tests, root, { within, now: () => performance.now() });
}

/** Returns the function of a test's name: `opens` of `FeeGateTest#opens()`. */
function functionOf(name: string): string {
  return name.slice(name.indexOf("#") + 1).replace(/\(.*/, "");
}

/** Shows lines below the failures, which Hardhat prints itself, or with those of all kinds of tests. */
function show(lines: readonly string[], result: unknown): void {
  const { summary } = failedRun(result);
  const text = lines.join("\n");
  const failures = isRecord(summary) ? summary["failureOutput"] : undefined;
  if (isRecord(summary) && typeof failures === "string" && failures !== "")
    Object.assign(summary, { failureOutput: `${failures}\n${text}\n` });
  else console.log(text);
}
