import { defineConfig } from "hardhat/config";

import config from "./hardhat.config.js";

/** Hardhat puts errors into words of contracts that are compiled as sources alone. */
const sources = process.env["HDP_TEST_SOURCES"] ?? "failing";

/** The project with tests that fail. */
export default defineConfig({
  ...config,
  paths: {
    sources,
    tests: { solidity: "failing", mocha: "failing" },
    cache: `cache/failing/${sources}`,
    artifacts: `cache/failing/${sources}/artifacts`,
  },
});
