import * as nodeModule from "node:module";
import { availableParallelism } from "node:os";

import { shellLine } from "./scripts/toolchain.mjs";

// An older Node would fail in the middle of a test, with an error that doesn't name it.
const line = shellLine();
if (line !== undefined) {
  console.error(
    `Node ${process.version} is too old for the tests. Run "npm run setup" once, then: ${line}`,
  );
  process.exit(1);
}

// Node 22 before 22.15 cannot be told how to load TypeScript.
const loader = "registerHooks" in nodeModule ? "./test/support/typescript.mjs" : "tsx/esm";

export default {
  import: [loader],
  require: ["./test/support/patience.ts"],
  ignore: ["test/fixture-project/**", "test/fixture-remote/**", "test/fixture-node-test/**"],
  // Only a test that hangs takes as long, on a machine that does other work too.
  timeout: 120_000,
  reporter: "./test/support/reporter.mjs",
  // Some tests wait for servers and processes: two workers more than there are cores keep these busy.
  jobs: availableParallelism() + 2,
};
