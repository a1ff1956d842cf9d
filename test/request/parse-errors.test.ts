import { expect } from "chai";

import { TaskRequestError, isHdpError, parseTaskRequest } from "../../src/entries/request.js";
import { blockTask, request, transactionTask } from "./documents.js";
import { count, INVALID_DOCUMENTS, MODULE } from "./invalid-documents.js";

function errorIn(json: unknown) {
  try {
    parseTaskRequest(json, { source: "bad.json" });
  } catch (error) {
    if (error instanceof TaskRequestError) return error;
    throw error;
  }
  throw new Error("The request was accepted.");
}

/** The value at a path of a document; of the last key that exists where the path ends in a missing one. */
function at(json: unknown, path: string): unknown {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
  return keys.reduce<unknown>(
    (value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key],
    json,
  );
}

describe("errors in a task request", () => {
  for (const [json, code, path, message, suggestion] of INVALID_DOCUMENTS) {
    it(`${code} in ${path}: ${message.toString()}`, () => {
      const error = errorIn(json);
      expect(error.errors.map((one) => `${one.code} ${one.path ?? ""}`)).to.deep.equal([
        `${code} ${path}`,
      ]);
      expect(error).to.include({ code, path, source: "bad.json", name: "TaskRequestError" });
      const [one] = error.errors;
      expect(one.value, "the value as written").to.deep.equal(
        code === "HDP-1107" ? one.value : at(json, path),
      );
      if (suggestion !== undefined) expect(one.suggestion).to.equal(suggestion);
      const sentence =
        one.suggestion === undefined
          ? one.shortMessage
          : one.shortMessage.replace(` Did you mean "${one.suggestion}"?`, "");
      if (typeof message === "string") expect(sentence).to.equal(message);
      else expect(sentence).to.match(message);
      expect(isHdpError(error)).to.equal(true);
    });
  }

  it("reports all errors of a document at once, each with value, allowed and nearest spelling", () => {
    const error = errorIn({
      destinationChainId: "ETHEREUM_SEPOLA",
      extra: 1,
      tasks: [
        blockTask(
          {
            blockRangeStart: 5,
            blockRangeEnd: "4",
            increment: 0,
            sampledProperty: "header.logs_bloom",
          },
          { aggregateFnId: "sum", fn: 1 },
        ),
        { ...MODULE, programHash: "1", inputs: [{ visibility: "public" }] },
        count(),
      ],
    });
    expect(error.code).to.equal("HDP-1100");
    expect(error.shortMessage).to.equal(
      "there are 10 errors to correct.".replace("10", String(error.errors.length)),
    );
    expect(error.errors.map((one) => `${one.code} ${one.path ?? ""}`)).to.have.members([
      "HDP-1102 extra",
      "HDP-1108 destinationChainId",
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

  it("names what is allowed, for programs", () => {
    const allowed = (json: unknown): readonly string[] => errorIn(json).errors[0].allowed;
    const operators = ["eq", "nq", "gt", "gteq", "lt", "lteq"];
    const types = ["legacy", "eip2930", "eip1559", "eip4844"];
    const none = Object.fromEntries(types.map((type) => [type, false]));
    expect(allowed(request(count({ valueToCompare: 1 })))).to.deep.equal(operators);
    expect(allowed(request(count({ operator: "x", valueToCompare: 1 })))).to.deep.equal(operators);
    expect(allowed(request(transactionTask({ includedTypes: none })))).to.deep.equal(types);
    const blobs = { ...none, legacy: true };
    const fee = transactionTask({
      includedTypes: blobs,
      sampledProperty: "tx.max_fee_per_blob_gas",
    });
    expect(allowed(request(fee))).to.deep.equal(["eip4844"]);
    expect(allowed({ ...request(blockTask()), task: 1 })).to.deep.equal([
      "destinationChainId",
      "tasks",
    ]);
    expect(allowed(request(blockTask({ increment: 0 })))).to.deep.equal([
      "1",
      "18446744073709551615",
    ]);
    expect(allowed(request(blockTask({ sampledProperty: "x.y" })))).to.deep.equal([
      "header.{field}",
      "account.{address}.{field}",
      "storage.{address}.{slot}",
    ]);
    expect(allowed(request(blockTask({ sampledProperty: "header.logs_bloom" })))).to.deep.equal([]);
  });

  it("hints at the current form of a former one, and at the next step", () => {
    const hints = (json: unknown): readonly string[] => errorIn(json).errors[0].hints;
    expect(hints({ ...request(blockTask()), deliveryChainId: "x" })).to.deep.equal([
      "It is a former spelling: write destinationChainId.",
      "Keys: destinationChainId, tasks.",
    ]);
    expect(hints({ ...request(blockTask()), other: "x" })).to.deep.equal([
      "Keys: destinationChainId, tasks.",
    ]);
    expect(hints(request({ ...MODULE, inputs: [5n] }))).to.deep.equal([
      'Write { "visibility": "public", "value": 5 }.',
    ]);
    expect(hints(request(transactionTask({ startIndex: 12, endIndex: 12 })))).to.deep.equal([
      "endIndex is exclusive: it must be at least 13.",
    ]);
    expect(hints(request(count({ valueToCompare: 1 })))).to.deep.equal([]);
    expect(errorIn(request(count({ valueToCompare: 1 }))).shortMessage).to.equal(
      "the key is missing; it must be one of eq, nq, gt, gteq, lt, lteq.",
    );
  });

  it("reports no missing support of a field under an unknown function", () => {
    const wrong = blockTask({ sampledProperty: "header.logs_bloom" }, { aggregateFnId: "mean" });
    expect(errorIn(request(wrong)).errors.map(({ code }) => code)).to.deep.equal(["HDP-1108"]);
  });

  it("compares no value that could not be read", () => {
    const wrong = count({ operator: "none", valueToCompare: "x" });
    expect(errorIn(request(wrong)).errors.map(({ code }) => code)).to.deep.equal([
      "HDP-1112",
      "HDP-1107",
    ]);
  });

  it("quotes the value as written also of what is missing or has to be looked up", () => {
    const value = (json: unknown): unknown => errorIn(json).errors[0].value;
    expect(value(request(count({ operator: "none", valueToCompare: 0 })))).to.deep.equal({
      operator: "none",
      valueToCompare: 0,
    });
    expect(value(request(blockTask({ blockRangeEnd: "latest" })))).to.equal("latest");
    expect(value(request({ ...MODULE, injected_state: { votes: 7 } }))).to.equal(7);
  });

  it("compares the injected state of tasks only where all tasks could be read", () => {
    const task = (injected_state: unknown) => ({ ...MODULE, injected_state });
    const codes = (...tasks: unknown[]) =>
      errorIn(request(...tasks)).errors.map(({ code, path = "" }) => code + path);
    expect(
      codes({ ...MODULE, programHash: 1 }, task({ a: "0x0" }), task({ a: "0x1" })),
    ).to.deep.equal(["HDP-1103tasks[0].programHash"]);
    expect(codes(task({ a: "0x0" }), task({ a: 1 }))).to.deep.equal([
      "HDP-1124tasks[1].injected_state",
    ]);
  });

  it("names one error at least", () => {
    const wrong = request(blockTask({ increment: 0, chainId: "MARS" }));
    expect(() => parseTaskRequest(wrong, { maxErrors: 0 }))
      .to.throw(TaskRequestError)
      .that.includes({ count: 2 });
  });

  it("compares the ends of a range only where both could be read", () => {
    const wrong = (...tasks: object[]) =>
      errorIn(request(...tasks)).errors.map(({ code, path = "" }) => code + path);
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

  it("prints one error with its source, path, sentence and hints", () => {
    expect(errorIn(request(count())).message).to.equal(
      'HDP-1107 in bad.json, tasks[0].compute: count needs "aggregateFnCtx" with an operator and a value.\n' +
        '  For instance { "operator": "gteq", "valueToCompare": "1000" }.',
    );
  });

  it("prints several errors with their hints below each", () => {
    const { message } = errorIn(request(count(), blockTask({ increment: 0 })));
    expect(message).to.equal(
      "HDP-1100 in bad.json: there are 2 errors to correct.\n" +
        '  HDP-1107 in tasks[0].compute: count needs "aggregateFnCtx" with an operator and a value.\n' +
        '    For instance { "operator": "gteq", "valueToCompare": "1000" }.\n' +
        "  HDP-1113 in tasks[1].datalake.increment: 0 is out of range.\n" +
        "    Allowed: 1 to 2^64 - 1.",
    );
  });

  it("prints several errors as a list", () => {
    const { message } = errorIn(request(blockTask({ increment: 0, blockRangeEnd: 2 })));
    expect(message).to.equal(
      "HDP-1100 in bad.json: there are 2 errors to correct.\n" +
        "  HDP-1113 in tasks[0].datalake.increment: 0 is out of range.\n" +
        "    Allowed: 1 to 2^64 - 1.\n" +
        "  HDP-1115 in tasks[0].datalake.blockRangeEnd: the range from 10 to 2 is empty.\n" +
        "    blockRangeEnd is inclusive: it must be at least 10.",
    );
  });
});
