import { defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({
  plugins: [hardhatHdp],
  hdp: {
    starknet: {
      // Results go to a mock that this account of the devnet deploys.
      STARKNET_SEPOLIA: {
        rpcUrl: process.env["STARKNET_RPC_URL"] ?? "http://127.0.0.1:5050",
        account: "devnet-1",
      },
    },
  },
});
