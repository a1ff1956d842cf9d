import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** Cairo: program hash, ABI inputs, machine: HDP-7xxx. */
export const CAIRO_ERRORS = {
  "HDP-7001": {
    title: "Not a compiled contract class",
    meaning:
      "The file is JSON, but not in the form of a compiled contract class (CASM) of Cairo 2. The message names the first place that is wrong and how many more there are. Checked are the prime, the compiler's version, the bytecode, the segment lengths and their sum, the hints, and the entry points.",
    remedy:
      "Give the file that Scarb writes with `casm = true`: `target/dev/<package>_<contract>.compiled_contract_class.json`. If it is that file, it was changed or cut off: build the module again.",
    example: "HDP-7001 in x.json: not a compiled contract class: bytecode[1] must be an integer as text, like 0x1f.",
  },
  "HDP-7002": {
    title: "A Sierra class where the compiled class is needed",
    meaning:
      "The file is the Sierra class of a contract (`*.contract_class.json`). The program hash, the registry and a run need the compiled class.",
    remedy:
      "Give the file that the message names: it lies beside the Sierra class. If it is not there, set `casm = true` under `[[target.starknet-contract]]` in Scarb.toml and build again.",
    example: [
      "HDP-7002 in target/dev/a_M.contract_class.json: this is the Sierra class of a contract, not its compiled class.",
      "  Give the compiled class beside it: target/dev/a_M.compiled_contract_class.json",
    ].join("\n"),
  },
  "HDP-7003": {
    title: "A class of Cairo 0",
    meaning: "The file is a class or a program of Cairo 0. Modules are Starknet contracts of Cairo 2.",
    remedy:
      "Write the module in Cairo 2 and build it with Scarb. `npx hardhat hdp:module:new <name>` writes a package to start from.",
    example: "HDP-7003 in old.json: this is a class or program of Cairo 0.",
  },
  "HDP-7004": {
    title: "The class file is not JSON",
    meaning: "The text of a class file could not be parsed as JSON, or it has more than 64 million characters.",
    remedy: "Check that the path is the file that Scarb wrote. Build the module again if a build was interrupted.",
    example: "HDP-7004 in x.json: the file is not JSON: line 1, column 1: the text ends here.",
  },
  "HDP-7005": {
    title: "Not a Sierra class",
    meaning:
      "Arguments by name need the ABI, which only the Sierra class has. The file has no `sierra_program` and `abi`; often it is the compiled class.",
    remedy:
      "Set `sierra = true` under `[[target.starknet-contract]]`, build, and give `<package>_<contract>.contract_class.json`.",
    example:
      "HDP-7005 in a_M.compiled_contract_class.json: this is a compiled class, which has no ABI, where the Sierra class is needed.",
  },
  "HDP-7006": {
    title: "The ABI has another form",
    meaning: "The ABI of the Sierra class is not as a compiler of Cairo 2 writes it. The message names the entry.",
    remedy:
      "Build the module again and give the Sierra class unchanged. An ABI written by hand must be a list of entries with `type` and `name`.",
    example: "HDP-7006: abi[0].members is not as Cairo 2 writes it: Required.",
  },
  "HDP-7007": {
    title: "No function main",
    meaning:
      "The data processor calls one function of a module: the external function `main`. The class or its ABI has none.",
    remedy: "Declare it in the contract: `#[external(v0)] pub fn main(ref self: ContractState, hdp: HDP, …) -> …`.",
    example: "HDP-7007: the contract has no external function `main`, which the data processor calls.",
  },
  "HDP-7008": {
    title: "The first parameter is no data handle",
    meaning:
      "The data processor passes the data handle as first parameter of `main`. It must be a struct named `HDP` of fixed size.",
    remedy:
      "Make `hdp: HDP` the first parameter after `self`, with the struct of the package `hdp_cairo` or of the scaffold.",
    example: 'HDP-7008: the first parameter of `main` is not the data handle: it is "a" of type core::felt252.',
  },
  "HDP-7009": {
    title: "A type that inputs cannot carry",
    meaning:
      "The ABI names a type for which there is no rule of encoding, or a struct or enum that it does not declare, or a list of `()`.",
    remedy:
      "Change the parameter's type to one of the list in [modules](../modules.md#forms-of-values). If the ABI was shortened by hand, give it whole.",
    example:
      'HDP-7009: the ABI has the type "core::dict::Felt252Dict::<core::felt252>", which module inputs cannot carry.',
  },
  "HDP-7010": {
    title: "A name is unknown",
    meaning: "The arguments, a struct or an enum have a name that the ABI does not have there.",
    remedy: "Use a name of the list in the message. The data handle and `self` are not arguments.",
    example:
      'HDP-7010 in arguments.blockNumber: "blockNumber" is not the name of an argument. Did you mean "block_number"?',
  },
  "HDP-7011": {
    title: "A name is missing",
    meaning: "An argument or a member of a struct is missing. Cairo has no default values.",
    remedy: "Give a value for the name. An empty `Option` is `null`.",
    example: 'HDP-7011 in arguments: the argument "block_number" (u32) is missing.',
  },
  "HDP-7012": {
    title: "A value has another form",
    meaning:
      "The value cannot be read as its Cairo type: a text where a list is needed, a fraction, a list of another length, a number beyond the safe integers.",
    remedy: "Write the value in the form that the message allows. Large numbers are written as text.",
    example: ["HDP-7012 in arguments.flag: 1 is not a bool.", "  Allowed: true or false"].join("\n"),
  },
  "HDP-7013": {
    title: "A number is out of range",
    meaning: "The number is larger or smaller than its Cairo type holds, or 0 for `NonZero`.",
    remedy: "Give a number in the range of the message, or use a wider type in the module.",
    example: ["HDP-7013 in arguments.recipients[2].amount: 256 does not fit into u8.", "  Allowed: 0 to 255"].join(
      "\n",
    ),
  },
  "HDP-7014": {
    title: "A private argument stands before a public one",
    meaning:
      "The prover calls a module with all public inputs first, then all private ones. A private argument before a public one would change its place, and the module would read wrong values.",
    remedy: "Move the private parameters of `main` behind all public ones, or make the later arguments private too.",
    example: 'HDP-7014 in visibility.secret: the private argument "secret" stands before the public argument "block".',
  },
  "HDP-7015": {
    title: "Not a visibility",
    meaning: "The visibility of an argument is neither `public` nor `private`, or `visibility` is not an object.",
    remedy: 'Write `"visibility": { "secret": "private" }`. Arguments that are not named are public.',
    example: "HDP-7015 in visibility.a: hidden is not a visibility.",
  },
  "HDP-7016": {
    title: "The felts do not decode",
    meaning: "Inputs or returned felts are no value of the type that the ABI says: too few, too many, or out of range.",
    remedy:
      "Check that the ABI and the program are of the same build, and that the inputs are complete: lists begin with their length.",
    example: "HDP-7016 in return: the felts do not decode: its length is 3, but only 1 felts follow.",
  },
  "HDP-7019": {
    title: "A value is nested too deep",
    meaning: "The value, or the type, is nested deeper than 100 levels. An object that contains itself leads here too.",
    remedy: "Pass deep structures as flat lists.",
    example: "HDP-7019 in arguments.tree.leaves[0]…: the value is nested deeper than 100 levels.",
  },
  "HDP-7020": {
    title: "The module is written in another form",
    meaning: "The field `module` of a task is not an object with `class`, or it has a field that is not known.",
    remedy: 'Write `"module": { "class": "path", "arguments": { … } }`; `visibility` and `sierra` are optional.',
    example:
      "HDP-7020 in tasks[0].module: a module in a task file is not written like this: Unrecognized key(s) in object: 'args'.",
  },
  "HDP-7021": {
    title: "Module and program hash are both given",
    meaning: "A module task has `module` and also `programHash` or `inputs`, which are computed from `module`.",
    remedy: "Remove `module`, or remove `programHash` and `inputs`.",
    example:
      "HDP-7021 in tasks[0].inputs: a module task has either `module`, or `programHash` with `inputs`, not both.",
  },
  "HDP-7022": {
    title: "The Sierra class is not there",
    meaning:
      "Arguments by name need the ABI of the Sierra class. It was not found beside the compiled class, or the compiled class's name is not Scarb's.",
    remedy:
      'Build with `sierra = true`, or name the file: `"sierra": "path"`. Without an ABI, give `programHash` and `inputs`.',
    example:
      "HDP-7022 in tasks[0].module: the Sierra class, which has the ABI of the arguments, is not there: target/dev/a_M.contract_class.json",
  },
  "HDP-7023": {
    title: "The classes are of two contracts",
    meaning:
      "The Sierra class and the compiled class have different external functions, so the ABI is not that of the program.",
    remedy: "Build again and give both files of one build.",
    example:
      "HDP-7023 in b_M.contract_class.json: the Sierra class is not of the same contract as a_M.compiled_contract_class.json: their external functions differ.",
  },
  "HDP-7024": {
    title: "The compiled class is not there",
    meaning: "The file that `module.class` names does not exist.",
    remedy: "Build the module, or correct the path. Paths are relative to the task file.",
    example:
      "HDP-7024 in tasks[0].module.class: the compiled class is not there: target/dev/a_M.compiled_contract_class.json",
  },
  "HDP-7025": {
    title: "No class, or several, where one is named",
    meaning:
      "A module's class may be given as a folder or by the name of its contract or package. The folder has no compiled class, or several fit.",
    remedy: "Build the module, or give the path of the compiled class that is meant.",
    example: 'HDP-7025 in module.class: the folder "my_module" has no compiled class.',
  },
  "HDP-7030": {
    title: "Not a name for a package",
    meaning:
      "Scarb and Cairo take names of lower-case letters, digits and `_`, beginning with a letter, and no words of Cairo.",
    remedy: "Choose a name of that form; the message proposes one where it can.",
    example: 'HDP-7030: "My-Module" cannot be the name of a module\'s package. Did you mean "my_module"?',
  },
  "HDP-7031": {
    title: "Scarb is not installed",
    meaning: "Scarb builds Cairo packages. The program was not found.",
    remedy:
      "Install Scarb with starkup, with asdf, or from the releases of software-mansion/scarb; open a new terminal and check with `scarb --version`. Where it is not in PATH, set the variable `SCARB` to its path.",
    example: "HDP-7031: Scarb, which builds Cairo packages, was not found: scarb.",
  },
  "HDP-7032": {
    title: "The build failed",
    meaning: "Scarb ended with an error. Its own words follow the message.",
    remedy: "Correct the Cairo source or Scarb.toml as Scarb says, and build again.",
    example: "HDP-7032 in modules/a: scarb build failed with exit code 1.",
  },
  "HDP-7104": {
    title: "No such entry point",
    meaning:
      "The class has no external function with the selector that is called. A module's entry function is `main`.",
    remedy: "Name the function `main` and mark it `#[external(v0)]`.",
    example: "HDP-7104: the class has no external function with selector 0xe2054f8a…",
  },
  "HDP-7105": {
    title: "A builtin that is not available",
    meaning:
      "The entry point takes a builtin that the local machine does not have. It has all that Starknet's compiler asks for, those of circuits and `ec_op` among them.",
    remedy: "Check that the class is the unchanged output of Starknet's compiler; the message lists what there is.",
    example: 'HDP-7105: the entry point needs the builtin "output", which the local machine does not have.',
  },
  "HDP-7106": {
    title: "A hint that is not supported",
    meaning:
      "A run reached a hint the machine does not know, or a cheatcode of a test runner. Hints that are never reached do no harm.",
    remedy:
      "Compile the module with a released Cairo 2 compiler. The hints that are known are listed in [the machine's page](../cairo-vm.md).",
    example: "HDP-7106 in bytecode[12]: the hint Cheatcode is not supported.",
  },
  "HDP-7107": {
    title: "A malformed hint",
    meaning: "A hint of the compiled class has a known name but other fields than the compilers write.",
    remedy: "Compile the module again with a released Cairo 2 compiler, and give its output unchanged.",
    example: 'HDP-7107 in bytecode[3]: the hint DivMod is malformed at "lhs": Invalid input.',
  },
  "HDP-7108": {
    title: "The run is inconsistent",
    meaning:
      "The program and the rules of the machine disagree: an assertion failed, a cell was written twice, a pointer was used as a number. No proof of such a run can exist, and a compiler's unchanged output does not get there.",
    remedy: "Check that the class is unchanged compiler output. When it is, report the class and its inputs.",
    example: "HDP-7108 in bytecode[40]: an assertion failed: 3 is not 4.",
  },
  "HDP-7109": {
    title: "The step limit is reached",
    meaning: "The module did not return within the allowed number of steps.",
    remedy:
      "Raise `limits.maxSteps` (`--steps-limit` of `hdp:module:run`), or let the module read fewer blocks at a time.",
    example: [
      "HDP-7109 in bytecode[77]: the module did not return within 100000000 steps.",
      "  Raise limits.maxSteps (--steps-limit of hdp:module:run), or let the module read fewer blocks at a time.",
    ].join("\n"),
  },
  "HDP-7110": {
    title: "The memory limit is reached",
    meaning:
      "Cairo memory is written once, so a run's memory grows with what it computes. It outgrew the limit, or the module has more segments, or takes more felts at a time, than this machine has room for: the message says which.",
    remedy:
      "Raise `limits.maxMemoryCells` (8 bytes a cell) where the message names cells, or let the module read fewer blocks at a time.",
    example: "HDP-7110: the run needs more than 134217728 memory cells.",
  },
  "HDP-7111": {
    title: "A system call that is not offered",
    meaning:
      "The data processor offers two system calls: `CallContract` to its data handlers, and `Keccak` on words of 64 bits. It stops a run that makes another, and so does the local machine.",
    remedy: "Remove storage, events and execution info from the module: it reads chain data and returns felts.",
    example:
      "HDP-7111 in bytecode[9]: the module makes the system call EmitEvent, which the data processor does not offer.",
  },
  "HDP-7112": {
    title: "A read that is not supported",
    meaning:
      "The module calls a handler, field or argument list that its generation does not have, or asks for something the data processor does not return (lists, bytes that are no whole words, a label of injected state that the task does not name).",
    remedy:
      "Choose the generation the module was compiled for; the message lists what it has. Read another field where the service returns none.",
    example: "HDP-7112: the module asks for field 30 of header, which generation head does not have.",
  },
  "HDP-7113": {
    title: "An answer out of range",
    meaning:
      "The function that answers reads gave a value that does not fit the field: 256 bits on EVM chains, a felt on Starknet.",
    remedy: "Correct the `read` function.",
    example: "HDP-7113: storage.slot of 0x… was answered with -1.",
  },
  "HDP-7114": {
    title: "No node for a chain",
    meaning: "The module reads a chain for which no node is configured.",
    remedy: "Configure an RPC URL for the chain, or run the module on blocks of a configured one.",
    example:
      "HDP-7114: the module reads header.number in block 5 of chain 10, and no node is configured for that chain.",
  },
  "HDP-7115": {
    title: "An input that is no felt",
    meaning: "An input of the module is not an integer from 0 below 2^251 + 17·2^192 + 1.",
    remedy: "Give it as bigint or as hexadecimal with 0x. A u256 takes two inputs, low half first.",
    example: "HDP-7115 in inputs[2].value: -1 is no felt.",
  },
  "HDP-7116": {
    title: "Builtin memory does not hold",
    meaning:
      "At the end of a run all builtin memory is checked: ranges, hashes, bitwise results, squashed dictionaries. A cell holds something no proof would accept.",
    remedy: "Check that the class is unchanged compiler output.",
    example:
      "HDP-7116: builtin range_check: cell 4 holds 340282366920938463463374607431768211456, which is not below 2^128.",
  },
  "HDP-7117": {
    title: "The number of leading felts is unknown",
    meaning:
      "A module takes the felts of its data handle in front of its inputs, a different number in each generation. None of the known numbers was accepted, or more than one.",
    remedy:
      "Check the number and order of the inputs. Otherwise say `leadingFelts`: the flattened size of the first parameter of `main` in the ABI.",
    example: "HDP-7117: the module accepts its 2 inputs behind no number of leading felts.",
  },
  "HDP-7118": {
    title: "A Starknet field that RPC does not carry",
    meaning: "Commitments and some counts of a Starknet header are not part of any JSON-RPC answer.",
    remedy: "Read another field, or submit the module to the service.",
    example: "HDP-7118: the Starknet header field stateDiffCommitment of block 155555 is not in the node's answer.",
  },
  "HDP-7119": {
    title: "An unexpected answer of a Starknet node",
    meaning: "The node's answer is not of the form the specification of Starknet's JSON-RPC gives.",
    remedy: "Check that the URL is that of a Starknet node with JSON-RPC 0.7 or later.",
    example: 'HDP-7119: the Starknet node\'s answer for block 5 has another form at "new_root": Required.',
  },
} as const satisfies Readonly<Record<`HDP-7${number}`, CatalogueEntry | ErrorTemplate>>;
