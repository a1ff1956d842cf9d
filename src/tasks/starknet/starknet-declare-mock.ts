import { declareMock } from "../../plugin/starknet-mock.js";
import { command } from "../command.js";
import { mayPay, mockAccount } from "./mock-account.js";
import { style } from "../ui/screen.js";

export default command({
  name: "starknet declare-mock",
  aliases: ["starknet:declare-mock"],
  description: "Declare the class of the execution store mock",
  options: mockAccount,
  run: async ({ ...choice }, context) => {
    const { hre, screen } = context;
    if (!(await mayPay("Declare the mock's class?", choice, context))) return;
    const declared = await declareMock(choice, hre.config.hdp);
    screen.line();
    screen.line(`  ${style.strong("Class")}        ${declared.classHash}`);
    screen.line(`  ${style.strong("Transaction")}  ${declared.transactionHash ?? "none: it was declared before"}`);
    screen.document(declared);
  },
});
