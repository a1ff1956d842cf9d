import { expect } from "chai";

import { TaskRequestError, isHdpError, parseChainIdentifier, parseTaskRequest } from "../../src/entries/request.js";
import { blockTask, request, transactionTask } from "./documents.js";
import { count, MISTAKES, MODULE } from "./invalid-documents.js";

function mistakes(json: unknown) {
  try {
    parseTaskRequest(json, { source: "bad.json" });
  } catch (error) {
    if (error instanceof TaskRequestError) return error;
    throw error;
  }
  throw new Error("The request was accepted.");
}

describe("mistakes of a task request", () => {
  for (const [json, code, path, message, suggestion] of MISTAKES) {
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
    expect(error.shortMessage).to.equal("10 errors.".replace("10", String(error.errors.length)));
    expect(error.errors.map((mistake) => `${mistake.code} ${mistake.path ?? ""}`)).to.have.members([
      "HDP-1102 extra",
      "HDP-1109 destinationChainId",
      "HDP-1106 tasks[0].compute.aggregateFnId",
      "HDP-1113 tasks[0].datalake.increment",
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

  it("compares the ends of a range only where both could be read", () => {
    const wrong = (...tasks: object[]) => mistakes(request(...tasks)).errors.map(({ code, path = "" }) => code + path);
    const at = "HDP-1112tasks[0].datalake";
    for (const [start, end] of [
      ["x", "y"],
      ["x", 1],
      [1, "y"],
    ]) {
      const both = (from: string, to: string) => [
        ...(start === "x" ? [`${at}.${from}`] : []),
        ...(end === "y" ? [`${at}.${to}`] : []),
      ];
      expect(wrong(blockTask({ blockRangeStart: start, blockRangeEnd: end }))).to.deep.equal(
        both("blockRangeStart", "blockRangeEnd"),
      );
      expect(wrong(transactionTask({ startIndex: start, endIndex: end }))).to.deep.equal(
        both("startIndex", "endIndex"),
      );
    }
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
      "HDP-1100 in bad.json: 2 errors.\n" +
        '  HDP-1107 in tasks[0].compute: count needs "aggregateFnCtx" with an operator and a value.\n' +
        '    For instance { "operator": "gteq", "valueToCompare": "1000" }.\n' +
        "  HDP-1113 in tasks[1].datalake.increment: 0 is out of range.\n" +
        "    Allowed: 1 to 2^64 - 1.",
    );
  });

  it("prints several mistakes as a list", () => {
    const { message } = mistakes(request(blockTask({ increment: 0, blockRangeEnd: 2 })));
    expect(message).to.equal(
      "HDP-1100 in bad.json: 2 errors.\n" +
        "  HDP-1113 in tasks[0].datalake.increment: 0 is out of range.\n" +
        "    Allowed: 1 to 2^64 - 1.\n" +
        "  HDP-1115 in tasks[0].datalake.blockRangeEnd: the range from 10 to 2 is empty.\n" +
        "    blockRangeEnd is inclusive: it must be at least 10.",
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
