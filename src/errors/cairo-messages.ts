import type { ErrorTemplate } from "./catalogue-entry.js";

/** The errors of Cairo: program hash, ABI, inputs, machine. */
export const CAIRO_ERRORS = {
  "HDP-7001": {
    title: "Not a compiled contract class",
    message: "not a compiled contract class: {place} {problem}",
    hints: [
      "Give Scarb's file (`casm = true`): target/dev/<package>_<contract>.compiled_contract_class.json",
    ],
    description:
      "Classes of Cairo 0 are not supported. `npx hardhat hdp module new <name>` writes a package.",
  },
  "HDP-7002": {
    title: "A Sierra class in place of the compiled class",
    message: "this is the Sierra class of a contract, not its compiled class.",
    hints: [
      "Give the compiled class of the same build: {file}",
      "If there is none, set `casm = true` under [[target.starknet-contract]] in Scarb.toml and build again.",
    ],
  },
  "HDP-7005": {
    title: "The ABI cannot be read",
    message: "the ABI cannot be read: {problem}",
    hints: [
      "Give Scarb's Sierra class (`sierra = true`): target/dev/<package>_<contract>.contract_class.json",
    ],
    description:
      "Arguments by name need the ABI. One written by hand is a list of entries with `type` and `name`.",
  },
  "HDP-7007": {
    title: "No function main for the data processor",
    message: "the contract has no external function `main` that takes the data handle{found}.",
    hints: [
      "Declare it: #[external(v0)] pub fn main(ref self: ContractState, hdp: HDP, …) -> …",
      "The handle's type must be a struct named HDP, as in the package hdp_cairo.",
    ],
    description: "`npx hardhat hdp module new` writes a module that has it.",
  },
  "HDP-7009": {
    title: "A type that inputs cannot carry",
    message: 'the ABI has the type "{type}", which module inputs cannot carry.',
    hints: [
      "Allowed: felt252, integers, bool, addresses, class hashes, bytes31, ByteArray, Array, Span, [T; N], tuples, structs, enums, Option, Result, NonZero.",
      "Structs and enums must be declared in the ABI.",
    ],
    description:
      "Change the parameter's type to one of [these](../modules.md#forms-of-values), or give the whole ABI.",
  },
  "HDP-7014": {
    title: "A private argument stands before a public one",
    message: 'the private argument "{hidden}" stands before the public argument "{shown}".',
    hints: [
      'Move "{hidden}" behind all public parameters of `main`, or make "{shown}" private too.',
    ],
    description: "The prover passes all public inputs first: the module would read wrong values.",
  },
  "HDP-7016": {
    title: "The felts do not decode",
    message: "the felts do not decode: {problem}",
    hints: ["Check that the ABI belongs to the program that the felts were made for."],
  },
  "HDP-7020": {
    title: "A module is given twice",
    message: "`{name}` stands beside `module`, from which it is computed.",
    hints: ["Remove `{name}`, or remove `module`."],
  },
  "HDP-7022": {
    title: "A class file is missing, or several have its name",
    message: "the {kind} cannot be found: {place}",
    hints: [
      "Build the module (npx hardhat hdp module build <folder>), or give the path of the class.",
      'If the Sierra class is elsewhere, name it: "sierra": "{example}".',
    ],
    description:
      "A class is named by its path, its folder, or the name of its contract or package.",
  },
  "HDP-7023": {
    title: "The two classes are of different contracts",
    message:
      "the Sierra class is not of the same contract as {compiled}: their external functions differ.",
    hints: ["Build the package again, and give both files of one build."],
  },
  "HDP-7031": {
    title: "A program is not installed",
    message: 'the program "{program}" does not start.',
    hints: [
      "Install {tools} with starkup, the installer of Starknet's tools, then open a new terminal.",
      "If it is not in PATH, {otherwise}.",
    ],
  },
  "HDP-7032": {
    title: "The build failed",
    message: "the command scarb build failed{exit}.",
  },
  "HDP-7033": {
    title: "A package's settings build no class that the data processor runs",
    message: "{file} builds no class that the data processor runs: {problem}.",
    hints: ["Nothing was built."],
    description:
      "Scarb writes a compiled class (CASM) with `casm = true` alone, and the prover's hints in it with `casm-add-pythonic-hints = true`. See [what a Scarb.toml needs](../modules.md#a-new-module).",
  },
  "HDP-7106": {
    title: "A builtin or hint that the machine does not support",
    message: "the local machine does not support {feature}",
    hints: [
      "Supported: {supported}.",
      "Compile the module, without its tests, with a released Cairo 2 compiler, and give its output unchanged.",
    ],
    description:
      "See [the machine's page](../cairo-vm.md#what-is-supported) for builtins and hints.",
  },
  "HDP-7108": {
    title: "The run breaks a rule of the Cairo machine",
    message: "the run breaks a rule of the Cairo machine: {problem}",
    hints: [
      "Check that the compiled class is the compiler's own output, unchanged: of another run no proof can exist.",
    ],
    description: "If the class is a released compiler's output, report it with its inputs.",
  },
  "HDP-7109": {
    title: "The step limit is reached",
    message: "the module did not return within {steps} steps; it has used {cells} memory cells.",
    hints: [
      "Raise limits.maxSteps (--steps-limit), or let the module read fewer blocks at a time.",
    ],
    description: "A step takes about one memory cell of 8 bytes.",
  },
  "HDP-7110": {
    title: "The memory limit is reached",
    message:
      "the run needs more than {bound}; it has made {steps} steps with {cells} memory cells.",
    hints: [
      "Let the module read fewer blocks, or keep less, at a time.",
      "Or raise {option} (8 bytes a cell; --memory-limit of hdp module run and test).",
    ],
    description: "Cairo memory is written once, so it grows with the run.",
  },
  "HDP-7111": {
    title: "A system call that the data processor refuses",
    message: "the data processor refuses the system call {call}",
    hints: ["Allowed: CallContract to the data handlers, and Keccak of 64-bit words."],
    description: "Remove storage, events and execution info from the module.",
  },
  "HDP-7112": {
    title: "A value that the data processor does not return",
    message: "the data processor does not return {what}: it {reason}.",
    hints: ["Read another field, or check what the block and the transaction's type have."],
    description:
      "Transactions of types 0 to 4 are decoded, and bytes are returned in whole words of 32.",
  },
  "HDP-7113": {
    title: "An answer out of range",
    message: "the function that answers reads returned {answer} for {read}",
    hints: [
      "Return an integer below 2^256 (a felt on Starknet), a list of words, or an account's code as 0x-bytes.",
    ],
  },
  "HDP-7114": {
    title: "A call that the generation does not have",
    message: "the module {call}, which generation {generation} does not have.",
    hints: ["It has: {known}.", "Choose the generation that the module was compiled for."],
    description: "A generation is a version of the data handlers that modules call.",
  },
  "HDP-7115": {
    title: "A call of another form",
    message: "the module's call has another form: {reason}.",
    hints: ["Expected: {expected}.", "A call of another form belongs to another generation."],
  },
  "HDP-7116": {
    title: "A handler that only the service has",
    message: 'the module calls the handler "{handler}", which the local machine does not have.',
    hints: ["Arbitrary type conversion needs a run by the service."],
  },
  "HDP-7117": {
    title: "The number of leading felts is unknown",
    message: "the module accepts its {inputs} inputs after {accepted} leading felts.",
    hints: [
      "Tried: {tried}.",
      "Check the number and the order of the inputs.",
      "Or give `leadingFelts`: the flattened size of the first parameter (HDP) of `main` in the ABI.",
    ],
    description:
      "Each generation has another number of felts for the data handle, before the inputs.",
  },
  "HDP-7118": {
    title: "A label of injected state that the task does not name",
    message: 'the module uses the label "{label}" of injected state, which the task does not name.',
    hints: ["It names: {named}.", "Add the label with its root; a new one starts at 0x0."],
  },
  "HDP-7119": {
    title: "A Starknet header field that nodes do not answer",
    message: "the Starknet header field {field} of block {block} is not in the node's answer.",
    hints: ["Allowed: {allowed}. Other fields need a run by the service."],
  },
  "HDP-7120": {
    title: "A value longer than the generation returns",
    message: "{read} is longer than 32 bytes, which generation {generation} cannot return.",
    hints: ["Choose generation head for a module compiled with the newest hdp_cairo."],
  },
  "HDP-7121": {
    title: "Several generations take such a data handle",
    message:
      "the module takes {felts} felts in front of its inputs, as the generations {names} do.",
    hints: [
      "Name the one that it was compiled for: --generation {newest}, hdp.local.generation, or `generation` in the task's module.",
      "node_modules/hardhat-hdp/docs/cairo-vm.md says which release of hdp_cairo has which.",
    ],
    description:
      "The calls, the order of inputs and the stored values of the generations differ: a guess would be a wrong value.",
  },
  "HDP-7123": {
    title: "The module takes the data handle of another generation",
    message:
      "the module takes {felts} felts in front of its inputs, and generation {generation} passes {handle}.",
    hints: [
      "Generations {names} pass {felts}. Name the one that it was compiled for: --generation {newest}.",
    ],
  },
  "HDP-7122": {
    title: "A run that the published provers cannot make",
    message: "program {program} cannot be proven as it ran here: {gap}.",
    hints: [
      "Also: {rest}.",
      "Read in: {sources}.",
      "Let the module do without it. A connection without hdp.local.edition computes it all the same, without a proof.",
    ],
    description:
      "The local data processor stands for a service (hdp.local.edition) and refuses what the newest release of the prover and its newest commit cannot run. A rehearsal warns of the same.",
  },
} as const satisfies Readonly<Record<`HDP-7${number}`, ErrorTemplate>>;
