import type { ErrorTemplate } from "./catalogue-entry.js";

/** Starknet: HDP-8xxx. */
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
    hints: ["Check that the node answers, that the account is deployed and funded there, and that it owns the mock."],
    description: "The reason is the network's own. A task is finalized once.",
  },
  "HDP-8009": {
    title: "No Starknet node is configured",
    message: "no Starknet node is configured for {what}.",
    hints: ['Set hdp.starknet.{chain}.rpcUrl in hardhat.config.ts, say to configVariable("STARKNET_RPC_URL").'],
    description:
      'With `rpcUrl` alone, the published execution store is used unless `executionStore` names another one. `chains: { STARKNET_SEPOLIA: "<network>" }` lets a Hardhat network stand for the chain instead ([Starknet](../starknet.md)).',
  },
  "HDP-8010": {
    title: "No account to finalize with on Starknet",
    message: "no account is configured to finalize with on {chain}.",
    hints: [
      'Configure an account of a devnet: account: { address: "0x…", privateKey: configVariable("STARKNET_PRIVATE_KEY") }.',
      "To keep results of development networks in the local mock instead, move starknet to the networks that deliver there: networks.<name>.hdp.starknet.",
    ],
    description: "A service needs no account.",
  },
  "HDP-8012": {
    title: "The store has another result of the task",
    message: "task {taskHash} is finalized in the execution store {store} with another result: {kept}, not {word}.",
    hints: ["A store on Starknet finalizes a task once. Deploy another mock: npx hardhat hdp starknet deploy-mock"],
    description: "For instance, the task was computed again over a restarted development chain.",
  },
  "HDP-8016": {
    title: "A settings file cannot be added to safely",
    message: "the settings for tests against the mock cannot be added to {file}: {reason}",
    hints: ["Nothing was written. Add these lines by hand:\n  {settings}"],
    description:
      "`hdp starknet init` adds lines to `Scarb.toml` and `snfoundry.toml` and keeps the others. For a workspace, name the folder of one of its packages.",
  },
  "HDP-8019": {
    title: "Starknet Foundry does not start",
    message: '"{snforge}" does not start.',
    hints: ["Install Starknet Foundry and put snforge, scarb and universal-sierra-compiler on the PATH."],
  },
  "HDP-8022": {
    title: "The account's key cannot be used",
    message: "the account's {name} cannot be used: {reason}.",
    hints: [
      "Check the configuration variable, environment variable or keystore of sncast or starkli that it is read from.",
    ],
    description:
      'A keystore is of version 3 (aes-128-ctr, scrypt). Check that the variable is set, begins with 0x, and has no space or line end. With `signer: "ethereum"` it is a key of an Ethereum account.',
  },
  "HDP-8023": {
    title: "There is no account of this name",
    message: 'there is no account "{name}": {reason}.',
    hints: [
      "Name one of sncast's (sncast account list), devnet-1 and so on of a devnet, or give { address, privateKey }.",
    ],
  },
} as const satisfies Readonly<Record<`HDP-8${number}`, ErrorTemplate>>;
