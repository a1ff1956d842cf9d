import { deployMock } from "../../plugin/starknet-mock.js";
import { command } from "../command.js";
import { mayPay, mockAccount } from "./mock-account.js";
import { style } from "../ui/screen.js";

export default command({
  name: "starknet deploy-mock",
  aliases: ["starknet:deploy-mock"],
  description: "Deploy an execution store mock, declaring its class where needed",
  options: mockAccount,
  run: async ({ ...choice }, context) => {
    const { hre, screen } = context;
    if (!(await mayPay("Deploy a mock?", choice, context))) return;
    const deployed = await deployMock(choice, hre.config.hdp);
    screen.line();
    screen.line(`  ${style.strong("Execution store")}  ${deployed.address}  (mock, on Starknet)`);
    screen.line(`  To use it, configure it for its chain in hardhat.config.ts:`);
    screen.line(`    hdp: { starknet: { <chain>: { rpcUrl, executionStore: "${deployed.address}" } } }`);
    screen.document(deployed);
  },
});
