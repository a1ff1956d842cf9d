import hardhatMocha from "@nomicfoundation/hardhat-mocha";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({
  plugins: [hardhatHdp, hardhatViem, hardhatMocha],
  solidity: "0.8.28",
  networks: {
    // Stands for Ethereum Sepolia, where the first account has 250 ether. Live: { type: "http", url: … }
    ethereum: {
      type: "edr-simulated",
      chainId: 11155111,
      accounts: [
        {
          privateKey: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
          balance: "250000000000000000000",
        },
      ],
    },
  },
  hdp: { local: { edition: "module-tasks" }, sources: { ETHEREUM_SEPOLIA: "ethereum" } },
});
