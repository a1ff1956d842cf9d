import { flag } from "../shared-options.js";
import { command } from "../command.js";
import { style } from "../ui/screen.js";

export default command({
  name: "store deploy",
  aliases: ["deploy-store"],
  description: "Deploy a mock execution store on a development chain",
  options: { yes: flag("Deploy also on a chain that is no development chain") },
  run: async ({ yes }, { hre, screen }) => {
    const { hdp, networkName } = await hre.network.getOrCreate();
    const { address, mock } = await hdp.deployExecutionStore({ onLiveChain: yes });
    screen.line();
    screen.line(`  ${style.strong("Execution store")}  ${address}  (mock, network "${networkName}")`);
    screen.line(`  To use it from other commands, configure it for the network in hardhat.config.ts:`);
    screen.line(`    hdp: { executionStore: { address: "${address}" } }`);
    screen.document({ networkName, address, mock });
  },
});
