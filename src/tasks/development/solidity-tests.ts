import type { TaskOverrideActionFunction } from "hardhat/types/tasks";

import { isRecord } from "../../base/collections.js";
import type { Brought } from "../../store/failed-read.js";

/** A Solidity test that failed, and what it ended with. */
interface FailedTest {
  readonly name: string;
  readonly reason: string;
}

/**
 * `WrongValue` of HdpResults, with task hash, value and word, as Hardhat has it: `WrongValue(0x93d4…2949, 7000000000 [7e9], 0x…)`,
 * or in hexadecimal digits where it does not know the contract.
 */
const IN_WORDS = /^WrongValue\(0x[0-9a-f]{64}, (\d+)[^,]*, 0x([0-9a-f]{64})\)$/;
const IN_DIGITS = /^custom error 0x18d35b47: [0-9a-f]{64}([0-9a-f]{64})([0-9a-f]{64})$/;

/** Runs Solidity tests, and says of those that end with `WrongValue` in what the value differs: no log of a store can. */
const solidityTests: TaskOverrideActionFunction = async (args, _, runSuper) => {
  const result: unknown = await runSuper(args);
  const failed = failedTests(result).filter(({ reason }) => findRefused(reason) !== undefined);
  if (failed.length === 0) return result;
  const lines = (await Promise.all(failed.map(valueLines))).flat();
  if (lines.length > 0) show(["  hdp: values that are not the result", ...lines], result);
  return result;
};

export default solidityTests;

/** Returns the tests that failed, of the result of Hardhat's task. */
function failedTests(result: unknown): readonly FailedTest[] {
  const { suiteResults } = failedRun(result);
  const suites = Array.isArray(suiteResults) ? suiteResults.filter(isRecord) : [];
  return suites.flatMap(({ id, testResults }) => {
    const suite = isRecord(id) ? String(id["name"]) : "";
    const tests = Array.isArray(testResults) ? testResults.filter(isRecord) : [];
    return tests
      .filter(({ status }) => status === "Failure")
      .map(({ name, reason }) => ({ name: `${suite}#${String(name)}`, reason: String(reason) }));
  });
}

function failedRun(result: unknown): Readonly<Record<string, unknown>> {
  const { error } = isRecord(result) ? result : {};
  return isRecord(error) ? error : {};
}

/** Returns a value that a contract refused, and the stored word; undefined for another reason. */
function findRefused(reason: string): Brought | undefined {
  const [inWords, inDigits] = [IN_WORDS.exec(reason), IN_DIGITS.exec(reason)];
  const value = inWords?.[1] ?? (inDigits === null ? undefined : `0x${inDigits[1]}`);
  const word = inWords?.[2] ?? inDigits?.[2];
  if (value === undefined || word === undefined) return undefined;
  return { kind: "value", value: BigInt(value), word: `0x${word}` };
}

async function valueLines({ name, reason }: FailedTest): Promise<readonly string[]> {
  const refused = findRefused(reason);
  if (refused === undefined) return [];
  const { ofStoredWord } = await import("../../submission/brought-value.js");
  const { differences } = ofStoredWord(refused);
  return differences.map(
    ({ field, asked, found }) =>
      `  ${name}: Difference: ${field} (asked: ${asked}, there: ${found})`,
  );
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
