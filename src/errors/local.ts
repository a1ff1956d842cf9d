import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** The local data processor and injected faults: HDP-44xx and HDP-49xx. */
export const LOCAL_PROCESSOR_ERRORS = {
  "HDP-4401": {
    title: "Module tasks need a module runner",
    message: "this local data processor has no module runner, and the task is a module.",
    hints: ["Give it a module runner (runModule), or send the request to a remote data processor."],
    description:
      "The request has a module task, and this local data processor was made without `runModule`. The request is refused before anything is computed.",
  },
  "HDP-4402": {
    title: "The submission is unknown",
    meaning:
      "Local submissions live in the process that made them, and the oldest finished ones are forgotten after 10,000 later ones. This one was made elsewhere, or long ago.",
    remedy: "Read the result from the execution store by its task hash. If it was not finalized, submit again.",
    example: "HDP-4402: the local data processor does not know the submission 0b9e…",
  },
  "HDP-4403": {
    title: "The local data processor was closed",
    meaning: "The processor was closed while the submission was being worked on. Nothing of it was finalized.",
    remedy: "Submit again on an open connection.",
    example: "HDP-4403: the local data processor was closed before the submission was finalized.",
  },
  "HDP-4404": {
    title: "The execution store holds another word than was computed",
    meaning:
      "A submission was finalized, and the store of its destination has another word for a task than the local data processor computed for it. Either somebody else finalized the task, or the store was written wrongly (in tests: an injected `wrongResult`).",
    remedy:
      "The stored word is what contracts read. Find the transaction that wrote it, and submit the task again before anything relies on it.",
    example: [
      "HDP-4404: the execution store holds 0x00…63 for task 0x3f…90, but 0x00…0a was computed.",
      "  Store 0x5fbdb2315678afecb367f032d93f642f64180aa3. Somebody else finalized the task, or the store was written wrongly.",
      "  The stored word is what contracts read: submit the task again before anything relies on it.",
    ].join("\n"),
  },
  "HDP-4410": {
    title: "The module panicked",
    message: "the module panicked: {panic}",
    hints: [
      "Program {program}. A module that panics has no result, also at the service: correct its arguments or its code.",
    ],
    description:
      "The module ran locally and ended with a panic: an `assert` that does not hold, an overflow, or an input of the wrong form. The message quotes the panic. Nothing of its request was finalized. `npx hardhat hdp module run <file>` shows what the module read before it stopped.",
  },
  "HDP-4411": {
    title: "The compiled class of a program is not known",
    meaning:
      "A task names a module by its program hash only. A service has the class in its registry; a local run needs the class itself.",
    remedy: [
      "One of:",
      "",
      '- name the class in the task: `"module": { "class": "path", "arguments": { … } }` in place of `programHash` and `inputs`;',
      '- configure where classes are: `hdp: { local: { programs: ["my_module/target/dev"] } }`;',
      "- put the class into the journal's folder: `hdp/programs/<program hash>.json`.",
      "",
      "A class is found by the hash of its bytecode: one that was changed or built again by another compiler has another hash.",
    ].join("\n"),
    example:
      "HDP-4411 in programHash: the compiled class of program 0x1234 is not known here, so it cannot be run locally.",
  },
  "HDP-4413": {
    title: "The module's output has no raw value",
    message: "the module returned {felts} felts, which have no raw value.",
    hints: [
      'The rule "value" (generation {generation}) takes one felt, or a u256 of two 128-bit halves.',
      'Return one of these, or store the root over all felts: hdp.local.moduleResult: "output-root".',
    ],
    description:
      "With the rule `value`, which the service of 2024 had, the result of a module is the returned number itself. The module returned something that does not fit one word.",
  },
  "HDP-4420": {
    title: "A node of the injected state's trie is not known",
    meaning:
      "A module reads or writes injected state under a root other than 0, and the nodes behind that root are not here; or a proof of injected state lacks one.",
    remedy:
      "Give the leaves behind the root in a file (`--state-leaves leaves.json` of `hdp module run`), or start the label from `0x0`.",
    example: "HDP-4420: the node 0xf153c6cd2bc40a4ec675068562f4ddefadc23030 of the injected state's trie is not known.",
  },
  "HDP-4421": {
    title: "No entry of injected state",
    meaning: "A key of injected state is below 2^251, a value is a felt. The module, or a file of leaves, has another.",
    remedy: "Let the module use smaller keys: a hash is cut to 250 bits, as Starknet's addresses are.",
    example:
      "HDP-4421: 0x800000000000000000000000000000000000000000000000000000000000000 = 0x1 is no entry of injected state.",
  },
  "HDP-4422": {
    title: "The leaves of injected state do not have its root",
    message: 'the leaves of "{label}" have the root {computed}, not {root}.',
    hints: ["Give the leaves of the root {root}, or start the label from {computed}."],
    description:
      "The leaves that were given for a label belong to another root than the one that the label starts from.",
  },
  "HDP-4423": {
    title: "A file of injected state cannot be used",
    message: "the file of injected state cannot be used: {reason}.",
    hints: [
      'Labels: { "my_trie": "0x0" }. Leaves: { "my_trie": { "0x2a": "0x1" } }. Paths are relative to the project.',
    ],
    description:
      "`--state` names a JSON file of labels and roots, `--state-leaves` one of labels, keys and values. Labels are text or felts; roots, keys and values are felts in quotes.",
  },
  "HDP-4424": {
    title: "The module of proven calls is missing",
    message: 'no compiled class of the module of proven calls was found ("{name}").',
    hints: [
      "Make one: npx hardhat hdp module new eth_call --template eth-call",
      "Build it: npx hardhat hdp module build eth_call",
      'Name it: hdp: { local: { ethCallModule: "eth_call/target/dev/eth_call_Module.compiled_contract_class.json" } }',
    ],
    description:
      "`hdp.ethCall` and `hdp eth-call` run a module of your own with an EVM in it, which is built on the data processor's public Cairo library. There is no class where `hdp.local.ethCallModule` says.",
  },
  "HDP-4425": {
    title: "The module of proven calls returned something else",
    message: "the module of proven calls cannot be used: {reason}.",
    description:
      "The class of `hdp.local.ethCallModule` has to return a success flag, the gas used, and the return data with its length, and the stored result has to be the root over that.",
  },
  "HDP-4426": {
    title: "The state server keeps another trie",
    message: 'the state server returned the root {kept} for a write under "{label}" that leads to {computed}.',
    hints: [
      "A trie has height 251 and hashes by the upper 160 bits of Keccak-256: name a state server of the data processor, or that of npx hardhat hdp:node.",
    ],
    description:
      "A module wrote injected state, and the state server of `hdp.local.stateServer` returned another root than the one that was computed here.",
  },
  "HDP-4606": {
    title: "A module has no samples",
    message: "the task is the module {program}, which samples no values.",
    hints: ["Explain a datalake task of the file (--task <number>), or compare a module's result with hdp verify."],
    description:
      "`hdp explain` shows the values that a datalake task samples. A module is a program: its reads are not samples.",
  },
  "HDP-4901": {
    title: "The connection ended before the answer arrived (injected)",
    meaning:
      "A test asked the local data processor to accept a submission and then to cut the connection. The submission is being worked on, and the caller cannot know it.",
    remedy:
      "In a test of recovery this is the expected error: the journal has the submission as `unknown`. Elsewhere, remove `cutAfterAcceptance()` from the faults.",
    example: ["HDP-4901: the connection ended before the answer arrived.", "  This fault was injected by a test."].join(
      "\n",
    ),
  },
  "HDP-4902": {
    title: "The data processor answered with an error status (injected)",
    meaning:
      "A test asked the local data processor to answer a number of calls with 429 or a 5xx status. The calls went no further.",
    remedy:
      "Call again: the burst ends after the number of calls that the test named. To end it, remove `httpBurst()` from the faults.",
    example: ["HDP-4902: the data processor answered 503.", "  This fault was injected by a test."].join("\n"),
  },
  "HDP-4903": {
    title: "The chain cannot be reorganised (injected)",
    meaning:
      "A test asked for a chain reorganisation, and the node behind the connection cannot take blocks back: it has no `evm_snapshot` and `evm_revert`.",
    remedy: "Inject `reorg` on an in-process network or a development node, or remove it from the faults.",
    example: [
      "HDP-4903: the chain cannot be reorganised: the method evm_snapshot does not exist.",
      "  This fault was injected by a test.",
    ].join("\n"),
  },
  "HDP-4904": {
    title: "Not a fault",
    meaning:
      "`--fault` of `hdp:node` names what goes wrong in the local front, and one of the names or of the parts behind it is none.",
    remedy: "Write a fault as the message lists it, several with commas between: `--fault http-burst:503:3,reorg:1`.",
    example:
      'HDP-4904 in --fault: "http-burst:404:1" is not a fault. Did you mean http-burst:<429|500|502|503|504>:<calls>?',
  },
} as const satisfies Readonly<Record<`HDP-4${number}`, CatalogueEntry | ErrorTemplate>>;
