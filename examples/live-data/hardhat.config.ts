import hardhatMocha from "@nomicfoundation/hardhat-mocha";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { configVariable, defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({
  plugins: [hardhatHdp, hardhatViem, hardhatMocha],
  solidity: "0.8.28",
  networks: {
    // Read by `hdp record` alone; the tests need no node.
    sepolia: { type: "http", url: configVariable("SEPOLIA_RPC_URL") },
  },
  hdp: { local: { edition: "module-tasks" } },
});
