import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { bundleCairo } from "./bundle.js";
import { cairoFolder } from "./mock-class.js";

const doubles = fileURLToPath(new URL("../../test/starknet/cairo/", import.meta.url));
const example = fileURLToPath(new URL("../../examples/one-task-three-tests/cairo/", import.meta.url));
const tests = join(cairoFolder, "testing", "tests");

/**
 * Both packages, their tests, those of the example, and what stands in for `snforge_std`, as one source that runs in a
 * plain Cairo VM. One source, because each compile reads Cairo's own library anew.
 */
export function cairoTestSource(): string {
  return bundleCairo({
    hardhat_hdp: join(cairoFolder, "src", "lib.cairo"),
    hardhat_hdp_testing: join(cairoFolder, "testing", "src", "lib.cairo"),
    snforge_std: join(doubles, "snforge_double.cairo"),
    consumer_test: join(tests, "consumer_test.cairo"),
    first_test: join(tests, "first_test.cairo"),
    hash_test: join(tests, "hash_test.cairo"),
    store_test: join(tests, "store_test.cairo"),
    mock_call_test: join(doubles, "mock_call_test.cairo"),
    one_task_three_tests: join(example, "src", "lib.cairo"),
    fixtures: join(example, "tests", "fixtures.cairo"),
    fee_gate_test: join(example, "tests", "fee_gate_test.cairo"),
  });
}

/** The package without its contract, which takes most of the time to compile: enough to test its hashes. */
export function cairoHashSource(): string {
  return bundleCairo({ hardhat_hdp: join(cairoFolder, "src", "lib.cairo") }, ["mock", "storage"]);
}

/** Names of the test functions in a source. */
export function testNames(source: string): string[] {
  const name = /#\[test\]\s*(?:#\[[^\n]*\]\s*)*fn (\w+)/g;
  return [...source.matchAll(name)].map((match) => match[1] ?? "");
}
