import { createRequire } from "node:module";

import hardhatEthers from "@nomicfoundation/hardhat-ethers";
import hardhatEthersChaiMatchers from "@nomicfoundation/hardhat-ethers-chai-matchers";
import hardhatMocha from "@nomicfoundation/hardhat-mocha";
import hardhatTypechain from "@nomicfoundation/hardhat-typechain";
import { defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

const require = createRequire(import.meta.url);

export default defineConfig({
  plugins: [hardhatHdp, hardhatEthers, hardhatEthersChaiMatchers, hardhatTypechain, hardhatMocha],
  // The compiler comes from npm, so that building needs no download.
  solidity: { version: "0.8.28", path: require.resolve("solc/soljson.js") },
  hdp: { local: { edition: "module-tasks" } },
});
