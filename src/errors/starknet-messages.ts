import type { ErrorTemplate } from "./catalogue-entry.js";

/** The errors of Starknet networks and accounts. */
export const STARKNET_ERRORS = {
  "HDP-8001": {
    title: "starknet.js is missing",
    message: "a Starknet execution store needs starknet.js 10, which could not be loaded.",
    hints: ["Install it in the project: npm install --save-dev starknet@10"],
  },
  "HDP-8008": {
    title: "The Starknet network refused a transaction",
    ends: "service",
    message: "the Starknet network refused to {action}: {reason}",
    hints: [
      "Check that the node answers, that the account is deployed and funded there, and that it owns the mock.",
    ],
    description: "The reason is the network's own. A task is finalized once.",
  },
  "HDP-8010": {
    title: "No account to finalize with on Starknet",
    message: "no account is configured to finalize with on {chain}.",
    hints: [
      'Configure an account of a devnet: account: { address: "0x…", privateKey: configVariable("STARKNET_PRIVATE_KEY") }.',
      "To keep results of development networks in the local mock instead, move starknet to the networks that deliver there: networks.<name>.hdp.starknet.",
    ],
  },
  "HDP-8016": {
    title: "A settings file cannot be added to safely",
    message: "settings cannot be added to {file}: {reason}",
    hints: ["Nothing was written. Add these lines by hand:\n  {settings}"],
    description: "For a workspace, name the folder of one of its packages.",
  },
  "HDP-8022": {
    title: "The account's name or key cannot be used",
    message: "the account's {name} cannot be used: {reason}.",
    hints: [
      "Name an account of sncast (sncast account list), devnet-1 and so on of a devnet, or give { address, privateKey }.",
      "A key comes from a configuration variable, an environment variable, or a keystore of sncast or starkli.",
    ],
    description:
      'A keystore is of version 3 (aes-128-ctr, scrypt). A key begins with 0x and has no space or line end; with `signer: "ethereum"` it is one of an Ethereum account. sncast\'s accounts are in `accountsFile`, by default `~/.starknet_accounts/starknet_open_zeppelin_accounts.json`.',
  },
  "HDP-8023": {
    title: "An option of a Starknet function has the wrong type",
    message: "the option {name} is of type {found}; it must be {expected}.",
    hints: ["Write {example}. All options: node_modules/hardhat-hdp/docs/starknet.md#on-a-devnet"],
    description:
      "Of `deployStarknetMock`, `declareStarknetMock` and `finalizeTasksOnStarknet` of `hardhat-hdp/store`. The account is `account`, one of starknet.js 10, or `rpcUrl`, `accountAddress` and `privateKey`. The value is not printed, since it may be a key.",
  },
} as const satisfies Readonly<Record<`HDP-8${number}`, ErrorTemplate>>;
