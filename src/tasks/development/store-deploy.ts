import { Session } from "../../plugin/session.js";
import { flag } from "../shared-options.js";
import { command } from "../command.js";
import { confirmed } from "../ui/confirm.js";
import { style } from "../ui/screen.js";

export default command({
  name: "store deploy",
  aliases: ["deploy-store"],
  description: "Deploy a mock execution store on a development chain",
  options: { yes: flag("Deploy also on a chain that is no development chain, without asking") },
  run: async ({ yes }, { hre, screen, asker }) => {
    const connection = await hre.network.getOrCreate();
    const { hdp, networkName } = connection;
    const session = Session.of(connection);
    let onLiveChain = yes;
    // Where nobody can answer, the refusal names the chain.
    if (!yes && asker.canAnswer && !(await session.isDevelopment())) {
      const chain = `Network "${networkName}" is chain ${await session.chainId()}, not a development chain`;
      onLiveChain = await confirmed(`${chain}: deploy a mock store there, which costs gas?`, yes, asker);
      if (!onLiveChain) {
        screen.line("  Nothing was sent.");
        screen.document({ networkName, address: null });
        process.exitCode = 1;
        return;
      }
    }
    const { address, mock } = await hdp.deployExecutionStore({ onLiveChain });
    screen.line();
    screen.line(`  ${style.strong("Execution store")}  ${address}  (mock, network "${networkName}")`);
    screen.line(`  To use it from other commands, configure it for the network in hardhat.config.ts:`);
    screen.line(`    hdp: { executionStore: { address: "${address}" } }`);
    screen.document({ networkName, address, mock });
  },
});
