import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** Execution store: HDP-3xxx. */
export const STORE_ERRORS = {
  "HDP-3001": {
    title: "The task is not finalized",
    ends: "not finalized",
    meaning:
      "A result was read from an execution store for a task that has none. The message names the status the store has for the task: `none` (it never heard of it) or `scheduled` (it was requested and is not finalized yet).",
    remedy:
      "With `scheduled`, await the task and read again. With `none`, check in this order: the network and the store's address; the task hash (`npx hardhat hdp:hash` prints it, and a store from before July 2024 keeps datalake tasks under the hash without chain id); whether the task was submitted to this destination at all.",
    example: 'HDP-3001: task 0x5c1e… is not finalized in the store 0x5FbD…0aa3: its status is "none".',
  },
  "HDP-3002": {
    title: "No contract at the store's address",
    meaning: "The address given for the execution store has no code on the connected network.",
    remedy:
      "Check the address and the network. On a test network, a snapshot revert or a restart removes a store that was deployed later: deploy it again.",
    example: "HDP-3002: there is no contract at 0x7099…79C8 on this network.",
  },
  "HDP-3003": {
    title: "The contract is not an execution store",
    meaning:
      "There is a contract at the address, but it answers neither the functions of an execution store (`getTaskStatus`) nor those of a satellite (`getDataProcessorTaskStatus`), or not those of the kind that was asked for.",
    remedy:
      "Check the address. When `kind` is configured, compare it with the contract: an execution store and a satellite have different function names ([contracts](../contracts.md)).",
    example:
      "HDP-3003: the contract at 0xe7f1…0512 is not an execution store: it answers neither getTaskStatus (execution store) nor getDataProcessorTaskStatus (satellite).",
  },
  "HDP-3004": {
    title: "The account is not an operator",
    meaning:
      "Results were finalized, or the mock's registries were written, by an account that has no right to. The store answered `Unauthorized()`.",
    remedy:
      "Send from an operator with `from`. The deployer of a mock is its first operator; any operator can add others with `grantRole(OPERATOR_ROLE, account)`. The facts registry mock and the aggregators factory mock have keepers, added with `addKeeper(account)`.",
    example: "HDP-3004: account 0x7099…79C8 is not an operator of the store 0x5FbD…0aa3.",
  },
  "HDP-3005": {
    title: "The task was requested before",
    meaning:
      "A task can be requested on chain once. The store answered `DoubleRegistration()`: the task is scheduled or finalized already.",
    remedy: "Nothing was sent. Read the task's status, await it, or read its result.",
    example: "HDP-3005: the task was requested before in the store 0x5FbD…0aa3.",
  },
  "HDP-3006": {
    title: "The node refused a request",
    ends: "service",
    meaning:
      "A JSON-RPC request to the network's node failed for another reason than a revert of the contract, or its answer could not be understood. The message has the method and the first line of the node's own message, without addresses of nodes.",
    remedy:
      "Check that the node is reachable, synchronised and willing to answer this method. Nothing is wrong with the task.",
    example: "HDP-3006: the node refused eth_call: request timed out.",
  },
  "HDP-3007": {
    title: "The store refused the call",
    ends: "service",
    meaning:
      "The store's contract reverted with an error that has no number of its own here. The message has its name: `InvalidFact`, `NotInBatch`, `InvalidMmrRoot`, `UnauthorizedProgramHash`, `TaskAlreadyFinalized`, `MustBeContractOwner`, `MockPlainFinalizingDisabled`, a text reason, a panic, or unknown data.",
    remedy:
      "The hint below the message says what the published errors mean. With an unknown error, check that the address is the store you mean.",
    example: "HDP-3007: the store 0x5FbD…0aa3 refused the call: NotInBatch().",
  },
  "HDP-3008": {
    title: "Not an address of a store",
    meaning: "What was given as the store's address is not an address.",
    remedy: "Give 0x and 40 hexadecimal digits. Letter case and checksum do not matter.",
    example: 'HDP-3008: "0x1234" is not the address of a store.',
  },
  "HDP-3009": {
    title: "The transaction was not mined in time",
    ends: "not finalized",
    meaning: "A transaction was sent and no receipt came within the time allowed (`timeout`, 120 seconds by default).",
    remedy:
      "Look the transaction up before sending again: it may still be mined. On a network without automining, mine a block.",
    example: "HDP-3009: transaction 0xab12… was sent but not mined within 120 s.",
  },
  "HDP-3010": {
    title: "No account to send from",
    meaning: "A transaction was to be sent, no `from` was given, and the network's provider has no account.",
    remedy: "Configure `accounts` for the network in the Hardhat config, or pass `from`.",
    example: "HDP-3010: the network has no account to send the transaction from.",
  },
  "HDP-3011": {
    title: "Not a task hash",
    meaning: "What was given as a task hash is not a 32-byte word.",
    remedy: "Give 0x and 64 hexadecimal digits. `npx hardhat hdp:hash <file>` prints the hashes of a task file.",
    example: 'HDP-3011: "0x12" is not a task hash.',
  },
  "HDP-3012": {
    title: "Nothing to finalize",
    meaning: "A list of results to finalize was empty.",
    remedy: "Pass at least one task hash with its result word.",
    example: "HDP-3012: there is nothing to finalize: the list of results is empty.",
  },
  "HDP-3013": {
    title: "A satellite takes module tasks only",
    meaning:
      "A DatalakeCompute task was to be requested on chain in a satellite. Satellites have no function for datalakes.",
    remedy: "Request it in an execution store. A submission to the data processor needs no request on chain.",
    example: "HDP-3013: a satellite takes module tasks only: this is a DatalakeCompute task.",
  },
  "HDP-3014": {
    title: "The store keeps its results in no known place",
    meaning:
      "On a forked chain a result is written into the storage of the real store. The store reads it from none of the places that are known: the namespace of a satellite's module, and the first 256 positions of a contract's variables.",
    remedy: "Deploy a mock for the test: `hdp.deployExecutionStore()`. Nothing was written.",
    example:
      "HDP-3014: the store 0x396bF739f7b37D81f6CdD4571fDEF298150db88f keeps its results in no place that is known here.",
  },
} as const satisfies Readonly<Record<`HDP-3${number}`, CatalogueEntry | ErrorTemplate>>;
