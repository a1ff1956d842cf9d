import hardhatMocha from "@nomicfoundation/hardhat-mocha";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({
  plugins: [hardhatHdp, hardhatViem, hardhatMocha],
  solidity: "0.8.28",
  networks: {
    // Stands for Optimism Sepolia. Live: { type: "http", chainType: "op", url: … }
    optimism: {
      type: "edr-simulated",
      chainType: "op",
      chainId: 11155420,
      initialBaseFeePerGas: 3_000_000n,
    },
  },
  hdp: { local: { edition: "module-tasks" }, sources: { OPTIMISM_SEPOLIA: "optimism" } },
});
