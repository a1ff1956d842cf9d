import { createRequire } from "node:module";

import hardhatMocha from "@nomicfoundation/hardhat-mocha";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

const require = createRequire(import.meta.url);

export default defineConfig({
  plugins: [hardhatHdp, hardhatViem, hardhatMocha],
  // The compiler comes from npm, so that building needs no download.
  solidity: { version: "0.8.28", path: require.resolve("solc/soljson.js") },
  hdp: { local: { edition: "module-tasks" } },
});
