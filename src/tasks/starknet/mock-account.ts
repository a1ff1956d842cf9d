import { isOnDevnet, type MockAccountChoice } from "../../plugin/starknet-mock.js";
import type { CommandContext } from "../command.js";
import { flag, optionalText } from "../shared-options.js";
import { confirmed } from "../ui/confirm.js";

/** Who puts a mock on Starknet, and through which node. */
export const mockAccount = {
  rpcUrl: optionalText("Node, instead of the configured one"),
  account: optionalText("Address of the account that pays; its key is read from HDP_STARKNET_PRIVATE_KEY"),
  destination: optionalText(
    "Chain identifier whose section of hdp.starknet is used; needed where several have an account",
  ),
  yes: flag("Do it without asking also where it costs fees: on a chain that is no devnet"),
};

/** Whether to go on: on a devnet, or where somebody says so. */
export async function mayPay(
  question: string,
  { yes, ...choice }: MockAccountChoice & { readonly yes: boolean },
  { hre, screen, asker }: CommandContext,
): Promise<boolean> {
  if (yes || (await isOnDevnet(choice, hre.config.hdp))) return true;
  if (await confirmed(`The node is no devnet, and this costs fees. ${question}`, yes, asker)) return true;
  screen.line("  Nothing was sent.");
  process.exitCode = 1;
  return false;
}
