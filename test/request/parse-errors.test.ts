import { expect } from "chai";

import { TaskRequestError, isHdpError, parseChainIdentifier, parseTaskRequest } from "../../src/entries/request.js";
import { ADDRESS, ALL_TYPES, blockTask, request, transactionTask } from "./documents.js";

function mistakes(json: unknown) {
  try {
    parseTaskRequest(json, { source: "bad.json" });
  } catch (error) {
    if (error instanceof TaskRequestError) return error;
    throw error;
  }
  throw new Error("The request was accepted.");
}

const MODULE = { type: "Module", programHash: "0x1", inputs: [] };
const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;
const count = (aggregateFnCtx?: unknown) =>
  blockTask({}, { aggregateFnId: "count", ...(aggregateFnCtx === undefined ? {} : { aggregateFnCtx }) });
const datalake = "tasks[0].datalake";

/** The document, then code and path of its only mistake, its sentence, and the nearest valid spelling. */
const cases: readonly (readonly [unknown, string, string, string | RegExp, string?])[] = [
  [7, "HDP-1103", "", "7 is a number; it must be an object with the keys destinationChainId, tasks."],
  [null, "HDP-1103", "", /^null is null;/],
  [undefined, "HDP-1101", "", /^This key is missing/],
  [{ tasks: [blockTask()] }, "HDP-1101", "destinationChainId", /it must be a chain identifier/],
  [{ destinationChainId: "SN_SEPOLIA" }, "HDP-1101", "tasks", "This key is missing; it must be an array of tasks."],
  [request(), "HDP-1120", "tasks", "The list of tasks is empty; write at least one."],
  [{ ...request(blockTask()), tasks: {} }, "HDP-1103", "tasks", "{} is an object; it must be an array of tasks."],
  [{ ...request(blockTask()), task: 1 }, "HDP-1102", "task", /^The key "task" is not known/, "tasks"],
  [
    { ...request(blockTask()), deliveryChainId: "x" },
    "HDP-1117",
    "deliveryChainId",
    'The key "deliveryChainId" is a retired spelling. Write destinationChainId.',
  ],
  [request("x"), "HDP-1103", "tasks[0]", '"x" is a string; it must be an object: a task.'],
  [request({}), "HDP-1101", "tasks[0].type", 'This key is missing; it must be "DatalakeCompute" or "Module".'],
  [request({ type: "module" }), "HDP-1108", "tasks[0].type", /^"module" is not the type of a task/, "Module"],
  [request({ type: "toString" }), "HDP-1108", "tasks[0].type", /not the type of a task/],
  [
    request(blockTask({ type: "BlockSample" })),
    "HDP-1108",
    `${datalake}.type`,
    /not the type of a datalake/,
    "BlockSampled",
  ],
  [
    request(blockTask({ chainId: "ETH_SEPOLIA" })),
    "HDP-1109",
    `${datalake}.chainId`,
    /^"ETH_SEPOLIA" is not a chain identifier/,
  ],
  [request(blockTask({ chainId: "SEPOLIA" })), "HDP-1109", `${datalake}.chainId`, /is not a chain identifier/],
  [
    request(blockTask({ chainId: "ethereum-sepolia" })),
    "HDP-1109",
    `${datalake}.chainId`,
    /is not a chain/,
    "ETHEREUM_SEPOLIA",
  ],
  [
    request(blockTask({ chainId: 11155111 })),
    "HDP-1117",
    `${datalake}.chainId`,
    /^Chains are written by name, not by number: 11155111/,
    "ETHEREUM_SEPOLIA",
  ],
  [
    request(blockTask({ chainId: "0x534e5f5345504f4c4941" })),
    "HDP-1117",
    `${datalake}.chainId`,
    /retired/,
    "STARKNET_SEPOLIA",
  ],
  [request(blockTask({ chainId: 5n })), "HDP-1117", `${datalake}.chainId`, /retired/],
  [
    request(blockTask({ chainId: true })),
    "HDP-1103",
    `${datalake}.chainId`,
    /^true is a boolean; it must be a chain identifier/,
  ],
  [request(blockTask({ chainId: 1.5 })), "HDP-1103", `${datalake}.chainId`, /^1.5 is a number/],
  [
    request(blockTask({ blockRangeStart: "latest" })),
    "HDP-1112",
    `${datalake}.blockRangeStart`,
    '"latest" is not an integer.',
  ],
  [request(blockTask({ blockRangeStart: 1.5 })), "HDP-1112", `${datalake}.blockRangeStart`, "1.5 is not an integer."],
  [
    request(blockTask({ blockRangeStart: [] })),
    "HDP-1103",
    `${datalake}.blockRangeStart`,
    "[] is an array; it must be an integer.",
  ],
  [request(blockTask({ blockRangeStart: -1 })), "HDP-1113", `${datalake}.blockRangeStart`, "-1 is out of range."],
  [request(blockTask({ blockRangeStart: "-0x1" })), "HDP-1113", `${datalake}.blockRangeStart`, "-1 is out of range."],
  [
    request(blockTask({ blockRangeEnd: 2 ** 53 })),
    "HDP-1114",
    `${datalake}.blockRangeEnd`,
    "9007199254740992 is too large to be exact as a JSON number.",
  ],
  [
    request(blockTask({ blockRangeEnd: "18446744073709551616" })),
    "HDP-1113",
    `${datalake}.blockRangeEnd`,
    "18446744073709551616 is out of range.",
  ],
  [
    request(blockTask({ blockRangeEnd: 9 })),
    "HDP-1115",
    `${datalake}.blockRangeEnd`,
    "The range ends at block 9, before its start 10.",
  ],
  [
    request(transactionTask({ endIndex: 12 })),
    "HDP-1115",
    `${datalake}.endIndex`,
    "No transaction lies between startIndex 12 and endIndex 12.",
  ],
  [
    request(blockTask({ increment: 0 })),
    "HDP-1116",
    `${datalake}.increment`,
    "The increment is 0; it must be at least 1.",
  ],
  [request(blockTask({ increment: "-1" })), "HDP-1113", `${datalake}.increment`, "-1 is out of range."],
  [request(blockTask({ incremnt: 2 })), "HDP-1102", `${datalake}.incremnt`, /not known/, "increment"],
  [
    request(blockTask({ sampledProperty: "header.base_fee" })),
    "HDP-1104",
    `${datalake}.sampledProperty`,
    /^"header.base_fee" is not a header field/,
    "header.base_fee_per_gas",
  ],
  [
    request(blockTask({ sampledProperty: "header.xyzzy" })),
    "HDP-1104",
    `${datalake}.sampledProperty`,
    '"header.xyzzy" is not a header field.',
  ],
  [
    request(blockTask({ sampledProperty: "header.ParentHash" })),
    "HDP-1104",
    `${datalake}.sampledProperty`,
    /is not a header field/,
    "header.parent_hash",
  ],
  [
    request(blockTask({ sampledProperty: `account.${ADDRESS}.balanc` })),
    "HDP-1104",
    `${datalake}.sampledProperty`,
    /is not an account field/,
    `account.${ADDRESS}.balance`,
  ],
  [
    request(transactionTask({ sampledProperty: "tx_receipt.gas" })),
    "HDP-1104",
    `${datalake}.sampledProperty`,
    /is not a receipt field/,
  ],
  [
    request(transactionTask({ sampledProperty: "tx.nonc" })),
    "HDP-1104",
    `${datalake}.sampledProperty`,
    /is not a transaction field/,
    "tx.nonce",
  ],
  [
    request(blockTask({ sampledProperty: "tx.nonce" })),
    "HDP-1105",
    `${datalake}.sampledProperty`,
    '"tx.nonce" cannot be sampled by a BlockSampled datalake.',
  ],
  [
    request(blockTask({ sampledProperty: "headr.nonce" })),
    "HDP-1105",
    `${datalake}.sampledProperty`,
    /is not a sampled property/,
    "header.nonce",
  ],
  [
    request(blockTask({ sampledProperty: "header" })),
    "HDP-1105",
    `${datalake}.sampledProperty`,
    '"header" is not a sampled property.',
  ],
  [
    request(blockTask({ sampledProperty: "header.nonce.x" })),
    "HDP-1105",
    `${datalake}.sampledProperty`,
    /is not a sampled property/,
  ],
  [
    request(blockTask({ sampledProperty: 15 })),
    "HDP-1103",
    `${datalake}.sampledProperty`,
    /^15 is a number; it must be text of the form header\.\{field\}/,
  ],
  [
    request(blockTask({ sampledProperty: "account.0x12.nonce" })),
    "HDP-1110",
    `${datalake}.sampledProperty`,
    '"0x12" is not an address.',
  ],
  [
    request(blockTask({ sampledProperty: "account.vitalik.nonce" })),
    "HDP-1110",
    `${datalake}.sampledProperty`,
    '"vitalik" is not an address.',
  ],
  [
    request(blockTask({ sampledProperty: `storage.${ADDRESS}.3` })),
    "HDP-1111",
    `${datalake}.sampledProperty`,
    '"3" is not a storage slot.',
  ],
  [
    request(blockTask({ sampledProperty: "header.logs_bloom" })),
    "HDP-1106",
    "tasks[0].compute.aggregateFnId",
    /^avg cannot run over header\.logs_bloom: its 256 bytes are no integer\.$/,
  ],
  [
    request(transactionTask({ includedTypes: { ...ALL_TYPES, legacy: 1 } })),
    "HDP-1103",
    `${datalake}.includedTypes.legacy`,
    "1 is a number; it must be true or false.",
  ],
  [
    request(transactionTask({ includedTypes: { legacy: false, eip2930: false, eip1559: false, eip4844: false } })),
    "HDP-1121",
    `${datalake}.includedTypes`,
    /^No transaction type is included/,
  ],
  [
    request(
      transactionTask({ sampledProperty: "tx.max_fee_per_blob_gas", includedTypes: { ...ALL_TYPES, eip4844: false } }),
    ),
    "HDP-1122",
    `${datalake}.includedTypes`,
    /^None of the included transaction types has the field/,
  ],
  [
    request(blockTask({}, { aggregateFnId: "AVG" })),
    "HDP-1108",
    "tasks[0].compute.aggregateFnId",
    /is not an aggregate function/,
    "avg",
  ],
  [
    request(blockTask({}, { aggregateFnId: "slr" })),
    "HDP-1108",
    "tasks[0].compute.aggregateFnId",
    /"slr" is not an aggregate function/,
  ],
  [
    request(blockTask({}, {})),
    "HDP-1101",
    "tasks[0].compute.aggregateFnId",
    /^This key is missing; it must be one of "avg"/,
  ],
  [request(count()), "HDP-1107", "tasks[0].compute", 'count needs "aggregateFnCtx" with an operator and a value.'],
  [request(count({ operator: "none", valueToCompare: 0 })), "HDP-1107", "tasks[0].compute", /^count needs/],
  [
    request(count({ valueToCompare: "1" })),
    "HDP-1101",
    "tasks[0].compute.aggregateFnCtx.operator",
    /^This key is missing/,
  ],
  [
    request(count({ operator: "gt" })),
    "HDP-1101",
    "tasks[0].compute.aggregateFnCtx.valueToCompare",
    /^This key is missing/,
  ],
  [
    request(count({ operator: ">=", valueToCompare: 1 })),
    "HDP-1108",
    "tasks[0].compute.aggregateFnCtx.operator",
    /is not an operator/,
    "gteq",
  ],
  [
    request(count({ operatorId: "gtq", valueToCompare: 1 })),
    "HDP-1108",
    "tasks[0].compute.aggregateFnCtx.operatorId",
    /is not an operator/,
  ],
  [
    request(count({ operator: "gt", operatorId: "lt", valueToCompare: 1 })),
    "HDP-1119",
    "tasks[0].compute.aggregateFnCtx.operatorId",
    '"lt" contradicts the operator "gt".',
  ],
  [request(count(5)), "HDP-1103", "tasks[0].compute.aggregateFnCtx", /^5 is a number; it must be an object/],
  [
    request(count({ operator: "gt", valueToCompare: (2n ** 256n).toString() })),
    "HDP-1113",
    "tasks[0].compute.aggregateFnCtx.valueToCompare",
    /is out of range/,
  ],
  [
    request(blockTask({}, { aggregateFnId: "sum", aggregateFnCtx: { operator: "none", valueToCompare: 4 } })),
    "HDP-1119",
    "tasks[0].compute.aggregateFnCtx.valueToCompare",
    /^4 is compared with nothing/,
  ],
  [request({ ...MODULE, programHash: "0x" }), "HDP-1118", "tasks[0].programHash", '"0x" is not a felt.'],
  [request({ ...MODULE, programHash: `0x${PRIME.toString(16)}` }), "HDP-1118", "tasks[0].programHash", /is not a felt/],
  [
    request({ ...MODULE, programHash: 5 }),
    "HDP-1103",
    "tasks[0].programHash",
    "5 is a number; it must be a felt: 0x-prefixed hex.",
  ],
  [
    request({ ...MODULE, inputs: ["0x1"] }),
    "HDP-1117",
    "tasks[0].inputs[0]",
    'The bare value "0x1" is a retired spelling of an input.',
  ],
  [
    request({ ...MODULE, inputs: [{ visibility: "secret", value: "0x1" }] }),
    "HDP-1108",
    "tasks[0].inputs[0].visibility",
    /is not a visibility/,
  ],
  [request({ ...MODULE, program_hash: "0x1" }), "HDP-1102", "tasks[0].program_hash", /not known/, "programHash"],
];

describe("mistakes of a task request", () => {
  for (const [json, code, path, message, suggestion] of cases) {
    it(`${code} in ${path}: ${message.toString()}`, () => {
      const error = mistakes(json);
      expect(error.errors.map((mistake) => `${mistake.code} ${mistake.path ?? ""}`)).to.deep.equal([`${code} ${path}`]);
      expect(error).to.include({ code, path, source: "bad.json", name: "TaskRequestError" });
      const [mistake] = error.errors;
      if (suggestion !== undefined) expect(mistake.suggestion).to.equal(suggestion);
      const sentence =
        mistake.suggestion === undefined
          ? mistake.shortMessage
          : mistake.shortMessage.replace(` Did you mean "${mistake.suggestion}"?`, "");
      if (typeof message === "string") expect(sentence).to.equal(message);
      else expect(sentence).to.match(message);
      expect(isHdpError(error)).to.equal(true);
    });
  }

  it("reports all mistakes of a document at once, each with value, allowed and nearest spelling", () => {
    const error = mistakes({
      destinationChainId: "ETHEREUM_SEPOLA",
      extra: 1,
      tasks: [
        blockTask(
          { blockRangeStart: 5, blockRangeEnd: "4", increment: 0, sampledProperty: "header.logs_bloom" },
          { aggregateFnId: "sum", fn: 1 },
        ),
        { ...MODULE, programHash: "1", inputs: [{ visibility: "public" }] },
        count(),
      ],
    });
    expect(error.code).to.equal("HDP-1100");
    expect(error.shortMessage).to.equal("10 mistakes.".replace("10", String(error.errors.length)));
    expect(error.errors.map((mistake) => `${mistake.code} ${mistake.path ?? ""}`)).to.have.members([
      "HDP-1102 extra",
      "HDP-1109 destinationChainId",
      "HDP-1106 tasks[0].compute.aggregateFnId",
      "HDP-1116 tasks[0].datalake.increment",
      "HDP-1115 tasks[0].datalake.blockRangeEnd",
      "HDP-1102 tasks[0].compute.fn",
      "HDP-1118 tasks[1].programHash",
      "HDP-1101 tasks[1].inputs[0].value",
      "HDP-1107 tasks[2].compute",
    ]);
    const chain = error.errors.find(({ path }) => path === "destinationChainId");
    expect(chain).to.include({ value: "ETHEREUM_SEPOLA", suggestion: "ETHEREUM_SEPOLIA" });
    expect(chain?.allowed).to.include("STARKNET_MAINNET");
  });

  it("prints one mistake with its source, path, sentence and hints", () => {
    expect(mistakes(request(count())).message).to.equal(
      'HDP-1107 in bad.json, tasks[0].compute: count needs "aggregateFnCtx" with an operator and a value.\n' +
        '  For instance { "operator": "gteq", "valueToCompare": "1000" }.',
    );
  });

  it("prints several mistakes with their hints below each", () => {
    const { message } = mistakes(request(count(), blockTask({ increment: 0 })));
    expect(message).to.equal(
      "HDP-1100 in bad.json: 2 mistakes.\n" +
        '  HDP-1107 in tasks[0].compute: count needs "aggregateFnCtx" with an operator and a value.\n' +
        '    For instance { "operator": "gteq", "valueToCompare": "1000" }.\n' +
        "  HDP-1116 in tasks[1].datalake.increment: The increment is 0; it must be at least 1.",
    );
  });

  it("prints several mistakes as a list", () => {
    const { message } = mistakes(request(blockTask({ increment: 0, blockRangeEnd: 2 })));
    expect(message).to.equal(
      "HDP-1100 in bad.json: 2 mistakes.\n" +
        "  HDP-1116 in tasks[0].datalake.increment: The increment is 0; it must be at least 1.\n" +
        "  HDP-1115 in tasks[0].datalake.blockRangeEnd: The range ends at block 2, before its start 10.\n" +
        "    blockRangeEnd is inclusive and at least blockRangeStart.",
    );
  });

  it("refuses a chain name by itself", () => {
    expect(parseChainIdentifier("SN_MAIN")).to.equal("STARKNET_MAINNET");
    expect(() => parseChainIdentifier("GOERLI", { source: "--chain" })).to.throw(
      TaskRequestError,
      'HDP-1109 in --chain: "GOERLI" is not a chain identifier.',
    );
  });
});
