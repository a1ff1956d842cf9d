import { defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({
  plugins: [hardhatHdp],
  hdp: { local: { edition: "module-tasks" } },
});
