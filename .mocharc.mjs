import { availableParallelism } from "node:os";

export default {
  import: ["tsx/esm"],
  ignore: ["test/fixture-project/**", "test/fixture-remote/**", "test/fixture-node-test/**"],
  timeout: 20_000,
  reporter: "./test/support/reporter.mjs",
  // Some tests wait for servers and processes: one worker more than there are cores keeps these busy.
  jobs: availableParallelism() + 1,
};
