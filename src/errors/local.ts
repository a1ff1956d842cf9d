import type { ErrorTemplate } from "./catalogue-entry.js";

/** The local data processor and injected faults: HDP-44xx and HDP-49xx. */
export const LOCAL_PROCESSOR_ERRORS = {
  "HDP-4401": {
    title: "Module tasks need a module runner",
    message: "this local data processor has no module runner, and the task is a module.",
    hints: ["Give it a module runner (runModule), or send the request to a remote data processor."],
  },
  "HDP-4402": {
    title: "The submission is not known in this process",
    message: "the local data processor does not know {what}: no submission of it is under way in this process.",
    hints: ["Submit the task again, or look for its result: npx hardhat hdp:result <task hash>"],
    description: "Local submissions end with the process that made them; 10,000 ended ones are remembered.",
  },
  "HDP-4403": {
    title: "The local data processor was closed",
    message: "the local data processor was closed before the submission was finalized.",
    hints: ["Submit again on an open connection."],
  },
  "HDP-4404": {
    title: "The execution store has another value than was computed",
    message: "the execution store has {stored} for task {hash}, and {computed} was computed.",
    hints: ["The store {store} {advice}."],
    description: "Somebody else finalized the task, or a development chain was restarted.",
  },
  "HDP-4406": {
    title: "The submission failed",
    message: "submission {id} failed: {reason}",
    hints: ["{recovery}"],
    description: "Nothing of it was finalized, unless its transaction is pending: then a mined block finalizes it.",
  },
  "HDP-4410": {
    title: "The module panicked",
    message: "the module panicked: {panic}",
    hints: ["Program {program}. It has no result at the service either: correct its arguments or its code."],
    description: "`npx hardhat hdp module run <file>` shows what the module read before it panicked.",
  },
  "HDP-4411": {
    title: "The compiled class of a program is not known",
    message: "the compiled class of program {hash} is not known here, so it cannot be run locally.",
    hints: [
      'Name the class in the task: "module": { "class": "path", "arguments": { … } }, in place of programHash.',
      'Or configure it: hdp.local.programs: ["path of a class or of a folder"] (now: {looked}).',
      "Or put the class there: {own}",
    ],
    description: "A local run needs the class itself. It is found by the hash of its bytecode.",
  },
  "HDP-4413": {
    title: "The module's output has no raw value",
    message: "the module returned {felts} felts, which have no raw value.",
    hints: [
      'The rule "value" (generation {generation}) takes one felt, or a u256 of two 128-bit halves.',
      'Return one of these, or store the root over all felts: hdp.local.moduleResult: "output-root".',
    ],
    description: "By the rule `value`, the returned number itself is the result: one word.",
  },
  "HDP-4420": {
    title: "A node of the injected state's trie is missing",
    message: "the node {hash} of the injected state's trie is not known.",
    hints: ["Configure a state server (hdp.local.stateServer), or give the leaves behind the root (--state-leaves)."],
    description: "A label that starts from `0x0` needs no leaves.",
  },
  "HDP-4422": {
    title: "The leaves of injected state do not have its root",
    message: 'the leaves of "{label}" have the root {computed}, not {root}.',
    hints: ["Give the leaves of the root {root}, or start the label from {computed}."],
  },
  "HDP-4424": {
    title: "The module of proven calls is missing",
    message: 'no compiled class of the module of proven calls was found ("{name}").',
    hints: [
      "Make one: npx hardhat hdp module new eth_call --template eth-call",
      "Build it: npx hardhat hdp module build eth_call",
      'Name it: hdp: { local: { ethCallModule: "eth_call/target/dev/eth_call_Module.compiled_contract_class.json" } }',
    ],
  },
  "HDP-4425": {
    title: "The module of proven calls returned something else",
    message: "the module of proven calls cannot be used: {reason}.",
    description:
      "The class of `hdp.local.ethCallModule` must return a success flag, the gas used, and the return data with its length; the stored result must be their root.",
  },
  "HDP-4426": {
    title: "The state server keeps another trie",
    message: 'the state server returned the root {kept} for a write under "{label}" that leads to {computed}.',
    hints: ["Name a state server of the data processor, or the one of hdp:node. Others hash otherwise."],
  },
  "HDP-4427": {
    title: "Injected state is out of range",
    message: "{what} of injected state is out of range: {value}.",
    hints: ["A key is smaller than 2^251; values and hashes are felts. An edge has 1 to 251 bits, its path no more."],
    description: "Cut hashes to 250 bits, as Starknet's addresses.",
  },
  "HDP-4428": {
    title: "A proven call answers otherwise than the node",
    message: "the proven call of {contract} at block {block} {ours}, where the node's own eth_call {theirs}.",
    hints: [
      "Likely cause: {cause}.",
      "Nothing was finalized. node_modules/hardhat-hdp/docs/proven-calls.md lists what differs.",
    ],
    description:
      "`hdp.ethCall` compares the module's answer with the node's own `eth_call` before it finalizes anything. [Proven calls](../proven-calls.md) lists the cases that differ; the cause is looked for with `debug_traceCall`. `--even-if-different` (`evenIfDifferent: true`) finalizes the module's answer, which is also the service's.",
  },
  "HDP-4429": {
    title: "A proven call returned nothing usable",
    message: "the proven call of {contract} at block {block} has no usable answer: {reason}.",
    hints: ["Nothing was finalized. Check the address, the block, the chain and the function's types."],
  },
  "HDP-4901": {
    title: "An injected fault",
    message: "{what}.",
    hints: ["This fault was injected by a test."],
    description: "A test injected it. `hdp.faults.clear()` removes faults.",
  },
} as const satisfies Readonly<Record<`HDP-4${number}`, ErrorTemplate>>;
