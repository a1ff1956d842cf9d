import type { ErrorTemplate } from "./catalogue-entry.js";

/** The errors of requests. */
export const REQUEST_ERRORS = {
  "HDP-1001": {
    title: "The text is not JSON",
    message: "the text is not JSON at {place}.",
  },
  "HDP-1100": {
    title: "The request has several errors",
    message: "there are {count} errors to correct{where}.",
    description: "In a program they are in the `errors` of the thrown `TaskRequestError`.",
  },
  "HDP-1101": {
    title: "A key is missing",
    message: "the key is missing; it must be {expected}.",
    description:
      "`increment` is the only optional key of a datalake, 1. An empty `Option` of a module is `null`.",
  },
  "HDP-1102": {
    title: "The key is not known",
    message: "the key {key} is not known.",
    hints: ["It is a former spelling: write {current}.", "Keys: {keys}."],
  },
  "HDP-1103": {
    title: "A value has the wrong type",
    message: "expected {expected}, found {found}.",
    hints: ["Write {instead}."],
  },
  "HDP-1104": {
    title: "The field is not known",
    message: "{value} is not the name of {kind} field.",
    hints: [
      "Fields: {fields}.",
      "Fields with the functions they allow: npx hardhat hdp fields {name}",
    ],
    description:
      "`sampledProperty` ends with a [field](../requests.md#fields) in snake_case, in any letter case.",
  },
  "HDP-1105": {
    title: "Not a sampled property",
    message: "{value} cannot be sampled by a {datalake} datalake.",
    hints: ["{datalake} samples {forms}."],
  },
  "HDP-1106": {
    title: "The field supports no aggregate function",
    message: "the function {function} cannot run over {property}: {reason}.",
    hints: [
      "Fields of {kind} that support aggregate functions: {fields}.",
      "No published evaluator knows a value for it. A service may: hdp:submit --unsupported-fields (unsupportedFields: true) sends the task all the same.",
    ],
    description:
      'Such a field can only be encoded. To compare hashes, parse with `{ fields: "encodable" }`.',
  },
  "HDP-1107": {
    title: "Count without an operator",
    message: 'count needs "aggregateFnCtx" with an operator and a value.',
    hints: ['For instance { "operator": "gteq", "valueToCompare": "1000" }.'],
  },
  "HDP-1108": {
    title: "The word or chain is not allowed here",
    message: "{value} is not {what}.",
    hints: ["Allowed: {words}.", "In Solidity, {inSolidity}."],
  },
  "HDP-1110": {
    title: "Not an address",
    message: "{value} is not an address{reason}.",
    hints: [
      "An address is 0x and 40 hex digits, in any letter case{digits}.",
      "With its checksum (EIP-55) it is {checksum}. In lower case, the checksum is not checked.",
    ],
  },
  "HDP-1111": {
    title: "Not a storage slot",
    message: "{value} is not a storage slot.",
    hints: ["A slot is 0x and up to 64 hex digits; a short one is padded on the left."],
  },
  "HDP-1112": {
    title: "Not an integer",
    message: "{value} is not an integer{exactly}.",
    hints: [
      'Allowed: a JSON integer up to 2^53 - 1, or text in decimal or 0x hex: 64, "64" or "0x40".',
    ],
    description:
      "A JavaScript number above 2^53 - 1 may have lost digits: write it as text, or pass a bigint.",
  },
  "HDP-1113": {
    title: "The integer is out of range",
    message: "{value} is out of range.",
    hints: ["Allowed: {min} to {max}."],
  },
  "HDP-1115": {
    title: "The range is empty",
    message: "the range from {start} to {end} is empty.",
    hints: ["{key} is {bound}: it must be at least {least}."],
  },
  "HDP-1118": {
    title: "Not a felt",
    message: "{value} is not a felt.",
    hints: ["A felt is 0x-prefixed hex, smaller than 2^251 + 17 * 2^192 + 1."],
    description: "A u256 is two felts: its low and its high 128 bits.",
  },
  "HDP-1119": {
    title: "The context contradicts itself",
    message: "{value} contradicts the operator {operator} beside it.",
    hints: ["Write operator ({operators}) with valueToCompare, or leave aggregateFnCtx out."],
    description: "`operator` and `operatorId` differ, or `none` has a value to compare.",
  },
  "HDP-1120": {
    title: "The list is empty",
    message: "the list of {items} is empty; write at least one.",
  },
  "HDP-1122": {
    title: "The included transaction types leave nothing to sample",
    message: "the included transaction types ({included}) leave nothing to sample{reason}.",
    hints: ["Include {types}."],
  },
  "HDP-1123": {
    title: "Each task needs one result",
    message: "{tasks} task hashes need one result each, not {results} in all.",
    hints: ["Name at least one task, and give exactly one result for each, in the same order."],
  },
  "HDP-1124": {
    title: "Invalid injected state",
    message: "{entry} is not accepted as injected state: {reason}.",
    hints: ['For instance "injected_state": { "my_trie": "0x0" }.'],
    description:
      "A label is short text or a felt, named once; its root is a felt; there are at most 100.",
  },
  "HDP-1125": {
    title: "Two tasks of one hash that are not the same task",
    message:
      "this task has the task hash of {other} and different private inputs or injected state.",
    hints: [
      "The hash covers the program and the public inputs: only one of the two results could be stored.",
      "Make what differs, or a hash of it, a public input, so that each task has its own hash.",
    ],
    description: "Or send the task once the other one has failed or was given up.",
  },
  "HDP-1126": {
    title: "A module samples no values",
    message: "the {program} samples no values.",
    hints: [
      "Explain a datalake task of the file (--task <number>), or compare a module's result with hdp verify.",
    ],
    description:
      "Modules are run (`hdp module run`), datalake tasks are sampled (`hdp explain`). Both can be submitted.",
  },
  "HDP-1127": {
    title: "Not felts that carry their places",
    message: "the felts [{felts}] do not carry their places: {reason}.",
    hints: ["Expected: {expected}."],
    description:
      "Felt number i of the marked form is value + i * 2^128, each value below 2^128: its root binds the order.",
  },
  "HDP-1128": {
    title: "Not bytes",
    message: "{value} is not bytes in hexadecimal.",
    hints: ["Bytes are 0x and two hex digits for each."],
  },
  "HDP-1129": {
    title: "The task cannot be proven in the module form",
    message: "{problem}, so the task cannot be proven in the module form.",
    description:
      "In the module form a shipped program computes what a datalake task does. The prover behind it does not return every value: what it refuses is known before a task is sent.",
  },
  "HDP-1130": {
    title: "The block has to be looked up on a network",
    message: "{value} has to be looked up on a chain, and no network is connected.",
    hints: [
      "Name a network with --network, or write the block's number. The functions of hdp look it up, and `hdp.task` returns the hash.",
    ],
  },
  "HDP-1132": {
    title: "The request has no module task",
    message: "there is no module task in this request.",
    hints: [
      "Datalake tasks are submitted (npx hardhat hdp:submit <file>), which is local on development chains.",
    ],
  },
  "HDP-1136": {
    title: "Not one task",
    message: "this takes one task, and the request has {tasks}.",
    hints: ["Give one task of it: `request.tasks[0]`. `hdp.run` takes several."],
    description: "A contract pins the hash and the form of each task by itself.",
  },
  "HDP-1139": {
    title: "Not a block",
    message: "{value} is not a block.",
    hints: [
      'Allowed: a number, "latest", "safe" or "finalized" with how many blocks before it ("latest-64"), or a day or time ("2026-01-31", "2026-01-31T12:00Z").',
    ],
    description:
      "A chain has no block behind its latest one. Days are written with the year first, in UTC.",
  },
} as const satisfies Readonly<Record<`HDP-1${number}`, ErrorTemplate>>;
