import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** Requests: HDP-1xxx. */
export const REQUEST_ERRORS = {
  "HDP-1001": {
    title: "The text is not JSON",
    meaning:
      "A task request file, or what came from stdin, cannot be read as JSON. The message names the line and column of the first character that cannot continue the document.",
    remedy:
      "Correct the text at that place. The usual causes are a comma after the last item, a missing quote or bracket, and a comment; JSON allows none of them.",
    example: 'HDP-1001 in tasks/fee.json:3:5: Not JSON at line 3, column 5: unexpected "}".',
  },
  "HDP-1100": {
    title: "The request has several mistakes",
    meaning:
      "The task request has more than one mistake. All of them are listed, each with its own code and path; nothing was sent.",
    remedy:
      "Correct each listed mistake; the page of its own code says how. In a program, the mistakes are in the `errors` list of the thrown `TaskRequestError`.",
    example: [
      "HDP-1100 in tasks/bad.json: 2 mistakes.",
      '  HDP-1101 in tasks[0].datalake.chainId: This key is missing; it must be a chain identifier, for instance "ETHEREUM_SEPOLIA".',
      "  HDP-1116 in tasks[0].datalake.increment: The increment is 0; it must be at least 1.",
    ].join("\n"),
  },
  "HDP-1101": {
    title: "A key is missing",
    meaning: "A key that the request needs is not there.",
    remedy:
      "Add the key at the path of the message. `increment` is the only key of a datalake that may be left out; it is then 1.",
    example: "HDP-1101 in tasks[0].datalake.blockRangeEnd: This key is missing; it must be an integer.",
  },
  "HDP-1102": {
    title: "A key is not known",
    meaning:
      "An object has a key that means nothing at this place. Unknown keys are refused because a misspelled optional key would otherwise be ignored silently.",
    remedy: "Use one of the keys the message lists, or remove the key.",
    example: 'HDP-1102 in tasks[0].datalake.incremnt: The key "incremnt" is not known. Did you mean "increment"?',
  },
  "HDP-1103": {
    title: "A value has the wrong type",
    meaning: "A value is of another JSON type than the request allows, for instance a number where text is expected.",
    remedy: "Write the value as the message says.",
    example:
      "HDP-1103 in tasks[0].datalake.sampledProperty: 15 is a number; it must be text of the form header.{field} or account.{address}.{field} or storage.{address}.{slot}.",
  },
  "HDP-1104": {
    title: "The field is not known",
    meaning:
      "The last part of `sampledProperty` is not a field of the header, account, transaction or receipt. Fields are snake_case; letter case does not matter.",
    remedy: "Use one of the listed fields. [requests](../requests.md) has all of them with the functions they support.",
    example:
      'HDP-1104 in tasks[0].datalake.sampledProperty: "header.base_fee" is not a header field. Did you mean "header.base_fee_per_gas"?',
  },
  "HDP-1105": {
    title: "Not a sampled property",
    meaning:
      "`sampledProperty` does not have one of the forms the datalake samples. `BlockSampled` takes `header.`, `account.` and `storage.`; `TransactionsInBlock` takes `tx.` and `tx_receipt.`.",
    remedy: "Write the property in one of the forms the message lists, or use the datalake type that samples it.",
    example: 'HDP-1105 in tasks[0].datalake.sampledProperty: "tx.nonce" cannot be sampled by a BlockSampled datalake.',
  },
  "HDP-1106": {
    title: "The field supports no aggregate function",
    meaning:
      "Blooms, bytes of any number, lists and the recipient of a transaction have an encoding, but no published evaluator makes an integer of them. Hashes and addresses of headers and accounts are taken as 256-bit integers.",
    remedy:
      'Sample one of the fields the message lists. A service may know more: `hdp:submit --unsupported-fields`, or `{ unsupportedFields: true }`, sends the task to it all the same. To compare hashes of existing tasks only, parse with `{ fields: "encodable" }`.',
    example:
      "HDP-1106 in tasks[0].compute.aggregateFnId: avg cannot run over header.logs_bloom: its 256 bytes are no integer.",
  },
  "HDP-1107": {
    title: "Count without an operator",
    meaning: "`count` counts the sampled values that stand in a relation to a value, and neither is given.",
    remedy: 'Add `"aggregateFnCtx": { "operator": "gteq", "valueToCompare": "1000" }` beside `aggregateFnId`.',
    example: 'HDP-1107 in tasks[1].compute: count needs "aggregateFnCtx" with an operator and a value.',
  },
  "HDP-1108": {
    title: "A word that is not allowed here",
    meaning:
      "A value must be one of a few words (a type, an aggregate function, an operator, a visibility) and is another one.",
    remedy: "Use one of the words the message lists, in exactly this spelling.",
    example: 'HDP-1108 in tasks[0].compute.aggregateFnId: "average" is not an aggregate function.',
  },
  "HDP-1109": {
    title: "The chain identifier is not known",
    meaning: "A chain is named that no source of the data processor names.",
    remedy: "Use one of the listed identifiers. Aliases such as `SN_SEPOLIA` are accepted and resolved.",
    example:
      'HDP-1109 in destinationChainId: "ETH_SEPOLIA" is not a chain identifier. Did you mean "ETHEREUM_SEPOLIA"?',
  },
  "HDP-1110": {
    title: "Not an address",
    meaning:
      "The address in a sampled property is not 0x and 40 hex digits, or it is in mixed case and its checksum (EIP-55) is wrong: then a digit was probably mistyped.",
    remedy:
      "Write the whole address. All in lower case or all in upper case it needs no checksum; in mixed case copy it again from where it comes from.",
    example: [
      'HDP-1110 in tasks[0].datalake.sampledProperty: "0x12" is not an address.',
      "  An address is 0x and 40 hex digits, in any letter case; this one has 2.",
    ].join("\n"),
  },
  "HDP-1111": {
    title: "Not a storage slot",
    meaning: "The slot in a `storage.` property is not 0x and at most 64 hex digits.",
    remedy: "Write the slot as hex. Short slots are padded on the left: `0x3` is slot 3.",
    example: 'HDP-1111 in tasks[0].datalake.sampledProperty: "3" is not a storage slot.',
  },
  "HDP-1112": {
    title: "Not an integer",
    meaning: "A number has a fraction or an exponent, or text does not hold an integer.",
    remedy:
      'Write an integer as a JSON number or as text with decimal or 0x-prefixed hex digits: `64`, `"64"` or `"0x40"`.',
    example: 'HDP-1112 in tasks[0].datalake.blockRangeStart: "latest" is not an integer.',
  },
  "HDP-1113": {
    title: "An integer is out of range",
    meaning: "Blocks, indices and increments are 64-bit, `valueToCompare` is 256-bit; none can be negative.",
    remedy: "Use a value in the range of the message.",
    example: ["HDP-1113 in tasks[0].datalake.startIndex: -1 is out of range.", "  Allowed: 0 to 2^64 - 1."].join("\n"),
  },
  "HDP-1114": {
    title: "An integer is too large for a JavaScript number",
    meaning:
      "A number above 2^53 - 1 reached the parser as a JavaScript number, so that its last digits may be lost already.",
    remedy: "Write it as text in quotes, or pass a bigint. In files and on stdin large bare integers are read exactly.",
    example:
      "HDP-1114 in tasks[0].compute.aggregateFnCtx.valueToCompare: 9007199254740992 is too large to be exact as a JSON number.",
  },
  "HDP-1115": {
    title: "The range is empty",
    meaning:
      "The range of blocks ends before it starts, or no transaction index lies in the range. `blockRangeEnd` is inclusive, `endIndex` is exclusive.",
    remedy:
      "Correct the ends. One block is `blockRangeStart` equal to `blockRangeEnd`; one transaction is `endIndex` equal to `startIndex + 1`.",
    example: "HDP-1115 in tasks[0].datalake.endIndex: No transaction lies between startIndex 5 and endIndex 5.",
  },
  "HDP-1116": {
    title: "The increment is 0",
    meaning: "The step over a range must move forward.",
    remedy: "Write 1 or more, or leave the key out: the default is 1.",
    example: "HDP-1116 in tasks[0].datalake.increment: The increment is 0; it must be at least 1.",
  },
  "HDP-1117": {
    title: "A retired spelling",
    meaning:
      "The request uses a spelling of an older or other edition of the interface: `deliveryChainId`, `sourceChainId`, `datalakeType`, numeric chain ids, or inputs that are bare hex.",
    remedy: "Write the current spelling that the message names.",
    example:
      'HDP-1117 in tasks[0].datalake.chainId: Chains are written by name, not by number: 11155111 is a retired spelling. Did you mean "ETHEREUM_SEPOLIA"?',
  },
  "HDP-1118": {
    title: "Not a felt",
    meaning:
      "A program hash, a module input or a returned value is not a felt: 0x-prefixed hex, smaller than 2^251 + 17 * 2^192 + 1.",
    remedy:
      "Write the value as hex with 0x. A larger integer, such as a u256, is two felts: its low and its high 128 bits.",
    example: 'HDP-1118 in tasks[0].programHash: "0x" is not a felt.',
  },
  "HDP-1119": {
    title: "The context contradicts itself",
    meaning:
      "`aggregateFnCtx` says two things: `operator` and `operatorId` with different operators, or the operator `none` with a value to compare.",
    remedy: "Write `operator` only, with its value, or leave `aggregateFnCtx` out.",
    example: 'HDP-1119 in tasks[0].compute.aggregateFnCtx.operatorId: "lt" contradicts the operator "gt".',
  },
  "HDP-1120": {
    title: "No tasks",
    meaning: "The list of tasks is empty.",
    remedy: "Write at least one task.",
    example: "HDP-1120 in tasks: The list of tasks is empty; write at least one.",
  },
  "HDP-1121": {
    title: "No transaction type is included",
    meaning: "All four of `includedTypes` are false, so that no transaction could take part.",
    remedy: "Set at least one of `legacy`, `eip2930`, `eip1559` and `eip4844` to true.",
    example:
      "HDP-1121 in tasks[0].datalake.includedTypes: No transaction type is included, so that nothing would be sampled.",
  },
  "HDP-1122": {
    title: "No included transaction type has the field",
    meaning:
      "The sampled field exists on some transaction types only, and none of them is included. A visited transaction without the field fails the whole task.",
    remedy: "Include the types the message names, and exclude the others.",
    example: [
      "HDP-1122 in tasks[0].datalake.includedTypes: None of the included transaction types has the field of tx.max_fee_per_gas.",
      "  Only eip1559, eip4844 transactions have it: include these and no others.",
    ].join("\n"),
  },
  "HDP-1123": {
    title: "A batch needs one result for each task",
    meaning: "The Merkle trees of a batch were asked for no task, or for more or fewer results than tasks.",
    remedy: "Pass at least one task hash and exactly one result word for each, in the same order.",
    example: "HDP-1123: A batch of 2 task hashes cannot have 1 results.",
  },
  "HDP-1124": {
    title: "Injected state that cannot be read",
    meaning:
      "`injected_state` of a module task names labels with the roots of their tries. A label is no felt and no short text, a root is no felt, or a label is there twice.",
    remedy: 'Write `"injected_state": { "my_trie": "0x0" }`: labels as text or as 0x felt, roots as 0x felt.',
    example: 'HDP-1124 in tasks[0].injected_state: The root of "my_trie" is 7, which is no felt.',
  },
  "HDP-1125": {
    title: "Two tasks with one task hash and other injected state",
    meaning:
      "The task hash covers a module's program and its public inputs, and not the tries it starts from: two tasks that differ in nothing else have one place in the execution store.",
    remedy: "Submit them one after the other, or give the root as a public input, so that the hashes differ.",
    example:
      "HDP-1125 in tasks[1].injected_state: This task has the task hash of tasks[0], and starts from other injected state.",
  },
  "HDP-1130": {
    title: "A block has to be looked up, and no network is at hand",
    meaning:
      "A task file may name blocks by `latest`, `latest-64` or a date. Which block that is, and with it the task hash, is known on a network only.",
    remedy: "Give `--network`, or write the block's number.",
    example: [
      'HDP-1130 in tasks/fee.json, tasks[0].datalake.blockRangeEnd: "latest" has to be looked up on the chain, and no network is at hand here.',
      "  Name one with --network, or write the block's number: a task hash depends on it.",
    ].join("\n"),
  },
} as const satisfies Readonly<Record<`HDP-1${number}`, CatalogueEntry | ErrorTemplate>>;
