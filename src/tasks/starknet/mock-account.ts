import { optionalText } from "../shared-options.js";

/** Who puts a mock on Starknet, and through which node. */
export const mockAccount = {
  rpcUrl: optionalText("Node, instead of the configured one"),
  account: optionalText("Address of the account that pays; its key is read from HDP_STARKNET_PRIVATE_KEY"),
  destination: optionalText(
    "Chain identifier whose section of hdp.starknet is used; needed where several have an account",
  ),
};
