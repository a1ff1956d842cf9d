import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** Starknet: HDP-8xxx. */
export const STARKNET_ERRORS = {
  "HDP-8001": {
    title: "starknet.js is missing",
    meaning:
      "Execution stores on Starknet are read through starknet.js, an optional peer of this package. It could not be loaded: it is not installed, or another major version is.",
    remedy:
      "Install it in the project: `npm install --save-dev starknet@10`. Projects that read results on EVM chains only do not need it.",
    example: [
      "HDP-8001: a Starknet execution store needs starknet.js, which could not be loaded.",
      "  Install it beside the plugin: npm install --save-dev starknet@10",
    ].join("\n"),
  },
  "HDP-8002": {
    title: "No contract at the address",
    meaning: "The Starknet node knows no contract at the address of the execution store.",
    remedy:
      "Check the address, and that `rpcUrl` is a node of the task's destination chain: a store of Starknet Sepolia is not found on mainnet. A devnet forgets its contracts when it is restarted.",
    example: [
      "HDP-8002: there is no contract at 0x0042…676e on this Starknet network.",
      "  Check the execution store's address, and that rpcUrl is a node of the task's destination chain.",
    ].join("\n"),
  },
  "HDP-8003": {
    title: "The contract is no execution store",
    meaning:
      "The contract has none of the entry points that were tried, or it answered something that is neither a u256 nor a status. Tried, in this order, are `getDataProcessorFinalizedTaskResult` and `getFinalizedTaskResult`, or only the one named by `entrypoint`.",
    remedy:
      "Check the address. A store with another name for its entry point is read with `entrypoint`; a store without one, but with the same storage, with `readStorage` (see [Starknet](../starknet.md)).",
    example:
      "HDP-8003: the contract at 0x0042…676e is no execution store: it has no entry point getDataProcessorFinalizedTaskResult or getFinalizedTaskResult.",
  },
  "HDP-8004": {
    title: "The contract panicked",
    meaning:
      "The contract was called and panicked with a reason that has nothing to do with the task being pending. The reason is the contract's own and is quoted.",
    remedy: "Check that the address is the execution store's. A paused or upgraded contract says so in its reason.",
    example: [
      "HDP-8004: the contract at 0x0042…676e panicked: Paused.",
      "  The reason is the contract's own. Check that the address is the execution store's.",
    ].join("\n"),
  },
  "HDP-8005": {
    title: "The Starknet node refused or did not answer",
    ends: "service",
    meaning:
      "The request did not reach the contract: the node is not reachable, limits requests, or does not speak Starknet's JSON-RPC. Addresses of nodes are left out of the message, because they may hold a key.",
    remedy: "Check `rpcUrl`, try again later, or use another node.",
    example: [
      "HDP-8005: the Starknet node refused or did not answer: Too many requests.",
      "  Check that rpcUrl is reachable and speaks Starknet's JSON-RPC.",
    ].join("\n"),
  },
  "HDP-8006": {
    title: "Not an address on Starknet",
    meaning:
      "An address of a contract on Starknet is a felt: `0x` and up to 64 hexadecimal digits, smaller than the field's prime, and not 0.",
    remedy:
      "Correct the address. An address of an EVM chain is a valid felt: it is not refused here, but no contract will be found at it.",
    example: [
      'HDP-8006: "0x0" is not the address of a contract on Starknet.',
      "  An address is 0x and up to 64 hexadecimal digits, smaller than the field's prime and not 0.",
    ].join("\n"),
  },
  "HDP-8007": {
    title: "No node for Starknet",
    meaning: "A store on Starknet was to be opened, and neither `rpcUrl` nor a provider of starknet.js was given.",
    remedy:
      "Set `rpcUrl` of the destination chain under `starknet` in the `hdp` section of the Hardhat config, or pass one of the two.",
    example: "HDP-8007: a Starknet execution store needs a node: neither rpcUrl nor provider is given.",
  },
  "HDP-8008": {
    title: "The Starknet network refused a transaction",
    ends: "service",
    meaning:
      "Declaring, deploying or finalizing the Cairo mock failed. The end of the network's own message is quoted.",
    remedy:
      "Check that the node answers, that the account is deployed and funded on that network, that its private key is right, and that it owns the mock it finalizes in. A task is finalized once.",
    example: [
      "HDP-8008: the Starknet network refused to finalize the task: … 0x5461736b416c726561647946696e616c697a6564 ('TaskAlreadyFinalized').",
      "  Check that the node answers, that the account is deployed and funded there, and that it owns the mock.",
    ].join("\n"),
  },
  "HDP-8009": {
    title: "No Starknet node is configured for the destination",
    meaning:
      "The task's results are kept on a Starknet chain, and the network in use is no development chain, where the local mock would stand for it. There is nothing to read from.",
    remedy: [
      "Configure a node of that chain. The published execution store is used unless `executionStore` names another one:",
      "",
      "```ts",
      'import { configVariable, defineConfig } from "hardhat/config";',
      'import hardhatHdp from "hardhat-hdp";',
      "",
      "export default defineConfig({",
      "  plugins: [hardhatHdp],",
      "  hdp: {",
      "    starknet: {",
      "      STARKNET_SEPOLIA: {",
      '        rpcUrl: configVariable("STARKNET_RPC_URL"),',
      "      },",
      "    },",
      "  },",
      "});",
      "```",
      "",
      '`chains: { STARKNET_SEPOLIA: "<network>" }` lets a network of the configuration stand for the chain instead.',
    ].join("\n"),
    example:
      'HDP-8009 in hdp.starknet.STARKNET_SEPOLIA: results for STARKNET_SEPOLIA are kept on Starknet, and no node is configured for network "sepolia".',
  },
  "HDP-8010": {
    title: "No account to finalize with on Starknet",
    meaning:
      "The local data processor computed a task whose destination is a configured Starknet chain, and the configuration has no account to store the result with. Results of a service need none: it finalizes them itself.",
    remedy: [
      "For a devnet, give one of its accounts. Its key is a configuration variable:",
      "",
      "```ts",
      'import { configVariable, defineConfig } from "hardhat/config";',
      'import hardhatHdp from "hardhat-hdp";',
      "",
      "export default defineConfig({",
      "  plugins: [hardhatHdp],",
      "  hdp: {",
      "    starknet: {",
      "      STARKNET_SEPOLIA: {",
      '        rpcUrl: "http://127.0.0.1:5050",',
      '        account: { address: "0x1234", privateKey: configVariable("STARKNET_PRIVATE_KEY") },',
      "      },",
      "    },",
      "  },",
      "});",
      "```",
      "",
      "To keep the results of development networks in the local mock instead, move `starknet` from the global `hdp` section to the networks that deliver there.",
    ].join("\n"),
    example:
      "HDP-8010 in hdp.starknet.STARKNET_SEPOLIA.account: the local data processor has no account to finalize with on STARKNET_SEPOLIA.",
  },
  "HDP-8011": {
    title: "No execution store is known on the Starknet chain",
    meaning:
      "An account but no `executionStore` is configured for the chain, so a mock is deployed when the first result is kept. There was none yet in this process, and nothing is deployed only to be read.",
    remedy:
      "Run a task first, or deploy a mock with `npx hardhat hdp:starknet:deploy-mock` and set its address as `executionStore`.",
    example:
      "HDP-8011 in hdp.starknet.STARKNET_SEPOLIA.executionStore: no execution store is known on STARKNET_SEPOLIA, and none was deployed yet.",
  },
  "HDP-8012": {
    title: "The store has another result of the task",
    meaning:
      "A store on Starknet finalizes a task once. The task was computed again and came out differently, for instance because the development chain it reads was started anew.",
    remedy:
      "Deploy another mock (`npx hardhat hdp:starknet:deploy-mock`), restart the devnet, or leave `executionStore` out, so that each process deploys its own.",
    example: "HDP-8012: task 0xc045… is finalized in the store 0x0421… with another result: 0x…07, not 0x…08.",
  },
  "HDP-8013": {
    title: "Fixtures are computed locally",
    meaning:
      "`hdp:fixtures` runs tasks with the local data processor. The network it was called for has a service, to which nothing is sent for a fixture.",
    remedy: "Leave `--network` out, or name a development network.",
    example:
      "HDP-8013: fixtures are computed by the local data processor, and this network has the data processor at example.org, edition tasks.",
  },
  "HDP-8014": {
    title: "Two fixtures have the same name",
    meaning:
      "Fixtures are named after their task files, without folders and extension. Two of the files have the same name.",
    remedy: "Rename one of the files, or write two fixture files with `--out`.",
    example: 'HDP-8014: two tasks would be the fixture "fee": of a/fee.json and of b/fee.json.',
  },
  "HDP-8015": {
    title: "Unknown format of fixtures",
    meaning:
      "`--format` names none of the formats: `cairo` writes constants, `json` and `txt` write files for `snforge_std`'s file functions.",
    remedy: "Give one of the three, or leave it out for `cairo`.",
    example: 'HDP-8015 in --format: "xml" is not a format of fixtures.',
  },
  "HDP-8016": {
    title: "A settings file cannot be added to safely",
    meaning:
      "`hdp:snforge:init` adds lines to `Scarb.toml` and `snfoundry.toml` and keeps every line that is there. It does not guess: multi-line strings, sections written as keys (`dependencies = { … }`), several `[[target.starknet-contract]]` sections, settings that are no list of texts, and a workspace without `[package]` are refused. Nothing was written.",
    remedy:
      "Add the settings by hand, as [Starknet Foundry in five minutes](../starknet.md) lists them. For a workspace name the folder of one of its packages.",
    example: "HDP-8016: Scarb.toml can't be added to safely: dependencies is written as a key, not as a section.",
  },
  "HDP-8017": {
    title: "The node, the account or its key is missing",
    meaning:
      "`hdp:starknet:declare-mock` and `hdp:starknet:deploy-mock` need a node, an account and its private key. What the command line does not name comes from `hdp.starknet` in the configuration: the section that `--destination` names, else the only one with an account.",
    remedy:
      "Configure the account, or give `--rpc-url` and `--account` and put the key into the environment variable `HDP_STARKNET_PRIVATE_KEY`. It is no option, since others can read the options of a running command.",
    example:
      "HDP-8017 in HDP_STARKNET_PRIVATE_KEY: the account's private key to put the mock on Starknet with is not known.",
  },
  "HDP-8018": {
    title: "Not a chain identifier",
    meaning: "`destination` names no chain this package knows.",
    remedy:
      "Use an identifier as in a task file, for instance `ETHEREUM_SEPOLIA` or `SN_SEPOLIA`; the message lists them.",
    example: 'HDP-8018 in destination: "STARKNET_GOERLI" is not a chain identifier.',
  },
  "HDP-8019": {
    title: "Starknet Foundry does not start",
    meaning: "The command of `hdp.cairo.snforge`, by default `snforge`, was not found or can't be executed.",
    remedy:
      "Install Starknet Foundry, and put `snforge`, `scarb` and `universal-sierra-compiler` on the PATH: `snforge --version` must answer in the same terminal.",
    example: 'HDP-8019 in hdp.cairo.snforge: "snforge" does not start.',
  },
  "HDP-8020": {
    title: "No Cairo package",
    meaning:
      "`hdp:snforge:test` runs the tests of the Scarb package that `hdp.cairo.package` names, and there is none.",
    remedy:
      'Name the package\'s folder in hardhat.config.ts: `hdp: { cairo: { package: "cairo" } }`. `npx hardhat hdp:snforge:init cairo` makes one.',
    example: "HDP-8020 in hdp.cairo.package: no Cairo package is configured.",
  },
  "HDP-8021": {
    title: "The account's keystore can't be opened",
    meaning:
      "`hdp.starknet.<chain>.account.keystore` names no file, one that is no keystore of version 3 (aes-128-ctr, scrypt), or the password is another.",
    remedy: "Check the file, which `sncast` or `starkli` wrote, and the configuration variable with its password.",
    example: "HDP-8021: the account's keystore can't be opened: the password is another.",
  },
  "HDP-8022": {
    title: "The account's key is none",
    meaning:
      "A key of `hdp.starknet.<chain>.account`, or of `HDP_STARKNET_PRIVATE_KEY`, is not 0x and up to 64 hexadecimal digits, or not a number that its curve has keys for. The key is not repeated.",
    remedy:
      'Check the variable it is read from: whether it is set at all, begins with 0x, and has no space or line end. With `signer: "ethereum"` it is a key of an Ethereum account.',
    example:
      "HDP-8022: the account's private key is none: it is not 0x and up to 64 hexadecimal digits, or no number of the curve.",
  },
  "HDP-8023": {
    title: "No mock is deployed by itself on a live Starknet chain",
    meaning:
      "The local data processor finalizes in a mock, deploys one only on a devnet, and the node of this chain is none.",
    remedy:
      "Deploy one, which costs fees (`npx hardhat hdp:starknet:deploy-mock`), and set `executionStore`; or send the tasks to a service.",
    example: [
      "HDP-8023 in hdp.starknet.STARKNET_SEPOLIA.executionStore: no execution store is known on STARKNET_SEPOLIA, whose node is no devnet: no mock is deployed there by itself.",
      "  Deploy one, which costs fees: npx hardhat hdp:starknet:deploy-mock, and set its address.",
      "  Nothing was sent.",
    ].join("\n"),
  },
  "HDP-8024": {
    title: "The execution store on Starknet is no mock",
    meaning: "The local data processor stores results from an account, which only a mock store takes.",
    remedy: "Send the tasks to a service, or deploy a mock and configure its address.",
    example: [
      "HDP-8024 in hdp.starknet.STARKNET_SEPOLIA.executionStore: the execution store 0x0421…676e on STARKNET_SEPOLIA is no mock: it takes proven results of the service only.",
      "  Configure the service as the network's dataProcessor, or deploy a mock: npx hardhat hdp:starknet:deploy-mock.",
      "  Nothing was sent.",
    ].join("\n"),
  },
} as const satisfies Readonly<Record<`HDP-8${number}`, CatalogueEntry | ErrorTemplate>>;
