import * as nodeModule from "node:module";
import { availableParallelism } from "node:os";

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
