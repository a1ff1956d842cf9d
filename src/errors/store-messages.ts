import type { ErrorTemplate } from "./catalogue-entry.js";

/** The errors of execution stores. */
export const STORE_ERRORS = {
  "HDP-3001": {
    title: "The task is not finalized",
    ends: "not finalized",
    message:
      'task {taskHash} is not finalized in the execution store {store}: its status is "{status}".',
    description:
      "`scheduled`: requested, await it. `none`: the store does not know the task hash. Check the network, the store's address, the task hash (stores from before July 2024 hash datalakes without chain id), and the submission's destination.",
  },
  "HDP-3002": {
    title: "No contract at the store's address",
    message: "there is no contract at {address} on this network.",
    hints: [
      "Check the execution store's address, and that the node is one of the task's destination chain.",
    ],
    description:
      "A reverted snapshot or a restarted development node removes a store: deploy it again.",
  },
  "HDP-3003": {
    title: "The contract is not an execution store",
    message:
      "the contract at {address} is not an execution store: it does not answer {functions} as one does.",
    hints: [
      "Check the address. Function names differ by kind: node_modules/hardhat-hdp/docs/contracts.md",
    ],
    description:
      "It lacks the functions of a store, or those of the configured `kind` ([contracts](../contracts.md#two-kinds-of-stores)). A store on Starknet with another entry point is read with `entrypoint`, one without with `readStorage` ([Starknet](../starknet.md#from-a-script)).",
  },
  "HDP-3004": {
    title: "The account is not an operator",
    message: "account {account} is not an operator of the execution store {store}.",
    hints: [
      "Send from an operator (`from`), or let an operator add the account: grantRole(OPERATOR_ROLE, {account}).",
    ],
    description:
      "A mock's deployer is the first operator. Some mocks have keepers: `addKeeper(account)`.",
  },
  "HDP-3007": {
    title: "The store reverted the call",
    ends: "service",
    message: "the {contract} reverted the call: {reason}",
    description:
      "The message names the contract's error, such as `InvalidFact`, `NotInBatch`, `InvalidMmrRoot`, `UnauthorizedProgramHash`, `TaskAlreadyFinalized`, `MustBeContractOwner` or `MockPlainFinalizingDisabled`. If it is unknown, check the store's address.",
  },
  "HDP-3009": {
    title: "The transaction was not mined in time",
    ends: "not finalized",
    message: "transaction {transactionHash} was sent but not mined within {seconds} s.",
    hints: [
      "It is pending, and may still be mined, or another one took its nonce: look it up before sending again.",
      "The node's automine is {automine}: mine a block with `await hdp.mine()` while the call waits, or turn it on with evm_setAutomine.",
    ],
    description:
      "A development node with automine off is given 15 seconds: mine a block, or turn automine on.",
  },
  "HDP-3010": {
    title: "No account to send from",
    message: "{network} has no account to send transactions from.",
    hints: ["Configure `accounts` for the network in hardhat.config.ts, or pass `from`."],
  },
  "HDP-3011": {
    title: "Not a task hash",
    message: '"{taskHash}" is not a task hash{nor}.',
    hints: [
      "A task hash is 0x and 64 hexadecimal digits: `npx hardhat hdp hash` prints the hashes of a task file.",
    ],
  },
  "HDP-3014": {
    title: "The store's storage layout is unknown",
    message:
      "the results of the execution store {store} are at none of the known places of its storage.",
    hints: [
      "Nothing was written. Deploy a mock for this test instead: hdp.deployExecutionStore().",
    ],
    description: "Known are a satellite's module, and the first 256 positions of a contract.",
  },
  "HDP-3015": {
    title: "The value of a finalized root is not known",
    message: "task {hash} is finalized with the root {root}, whose value is not known: {reason}.",
    hints: [
      'Name a network of {chain} in the configuration, and read it again: hdp: { sources: { {chain}: "<network>" } }',
      "Read it again: {again}",
    ],
    description:
      "In the module form a store keeps the root of the value. The value is the service's published output, checked against the root, or computed over the sources of its chain.",
  },
  "HDP-3016": {
    title: "A contract refuses what would be delivered",
    message: "the contract {contract} refuses the call {call}: {reason}.",
    hints: ["Task {hash}, value {value}. Nothing was sent."],
    description:
      "The call was simulated on the latest block. A contract refuses a value that is not the result of the task that it was deployed with: where the node has traces (`debug_traceCall`), the fields in which the two differ are named, as by `hdp why`. Compare the hash and the form with `hdp.task(task)`. One that takes a result once refuses the second time, whoever brought the first.",
  },
  "HDP-3017": {
    title: "Whether a result was delivered is not known",
    message: "it is not known whether {call} was sent to {contract}: {reason}.",
    hints: [
      "Look at the transactions of {from}. If it is not there: {again} (if it is, the call is made twice).",
    ],
    ends: "unknown outcome",
    description:
      "The account and the nonce of the transaction are recorded before it is sent, so that delivering again finds it, or sends it under the same nonce: only one of both can be mined. That needs a node with the state of the blocks since then.",
  },
  "HDP-3018": {
    title: "The record of a delivery is gone",
    message: "{call} was not sent: its record in the database was deleted or ended meanwhile.",
    hints: ["Deliver again: account and nonce are recorded before a transaction leaves."],
    ends: "unknown outcome",
  },
  "HDP-3019": {
    title: "The transaction asks for nothing here",
    message: "transaction {transaction} is no request of a contract: {reason}. Nothing was sent.",
    hints: ["The requests of a store, with their transactions: {list}"],
    description:
      "A contract asks by `requestExecutionOfModuleTask` (execution store) or `requestDataProcessorExecutionOfTask` (satellite); both emit `ModuleTaskScheduled`. A transaction on Starknet is not looked up.",
  },
  "HDP-3020": {
    title: "What contracts ask for on Starknet is not read",
    message: "{value} is of Starknet, and requests of contracts are read on EVM chains alone.",
    hints: [
      "Read program hash and inputs in the store's event ModuleTaskScheduled (starknet_getEvents, or a block explorer), write them as a task file with a Starknet destinationChainId, and submit that: npx hardhat hdp:submit <file>. Nothing was sent.",
    ],
    description:
      "A task file of a module with the event's program hash and its inputs, all public, has the hash that the contract reads its result by. Such a submission carries no `schedule_tx_hash`.",
  },
} as const satisfies Readonly<Record<`HDP-3${number}`, ErrorTemplate>>;
