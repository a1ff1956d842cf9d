import { createRequire } from "node:module";

import hardhatIgnitionViem from "@nomicfoundation/hardhat-ignition-viem";
import hardhatNodeTestRunner from "@nomicfoundation/hardhat-node-test-runner";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import hardhatViemAssertions from "@nomicfoundation/hardhat-viem-assertions";
import { defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

const require = createRequire(import.meta.url);

export default defineConfig({
  plugins: [
    hardhatHdp,
    hardhatViem,
    hardhatViemAssertions,
    hardhatIgnitionViem,
    hardhatNodeTestRunner,
  ],
  // The compiler comes from npm, so that building needs no download.
  solidity: {
    version: "0.8.28",
    path: require.resolve("solc/soljson.js"),
    settings: { outputSelection: { "*": { "*": ["storageLayout"] } } },
  },
  networks: {
    // A chain whose store is known: as a live network's, it is used and not deployed.
    known: {
      type: "edr-simulated",
      hdp: { executionStore: { address: "0x396bF739f7b37D81f6CdD4571fDEF298150db88f" } },
    },
  },
});
