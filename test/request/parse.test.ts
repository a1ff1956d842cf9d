import { expect } from "chai";

import {
  HdpError,
  type ModuleTask,
  parseTask,
  parseTaskRequest,
  parseTaskRequestText,
  taskHash,
  TaskRequestError,
  toTaskJson,
} from "../../src/entries/request.js";
import { camelCase } from "../../src/request/fields.js";
import { ADDRESS, blockTask, request, transactionTask } from "./documents.js";

const address = ADDRESS.toLowerCase();

describe("the parser of task requests", () => {
  it("fills in defaults and reads every integer as a bigint", () => {
    expect(
      parseTaskRequest({
        ...request(blockTask(), transactionTask()),
        destinationChainId: "SN_SEPOLIA",
      }),
    ).to.deep.equal({
      destinationChainId: "STARKNET_SEPOLIA",
      tasks: [
        {
          type: "DatalakeCompute",
          datalake: {
            type: "BlockSampled",
            chainId: "ETHEREUM_SEPOLIA",
            blockRangeStart: 10n,
            blockRangeEnd: 20n,
            increment: 1n,
            sampledProperty: { kind: "header", field: "timestamp" },
          },
          compute: { aggregateFnId: "avg" },
        },
        {
          type: "DatalakeCompute",
          datalake: {
            type: "TransactionsInBlock",
            chainId: "ETHEREUM_SEPOLIA",
            targetBlock: 5605816n,
            startIndex: 12n,
            endIndex: 53n,
            increment: 1n,
            includedTypes: { legacy: true, eip2930: true, eip1559: true, eip4844: true },
            sampledProperty: { kind: "tx", field: "nonce" },
          },
          compute: { aggregateFnId: "max" },
        },
      ],
    });
  });

  it("reads aliases of chains", () => {
    for (const [written, read] of [
      ["SN_MAIN", "STARKNET_MAINNET"],
      ["SN_MAINNET", "STARKNET_MAINNET"],
      ["STARKNET", "STARKNET_MAINNET"],
      ["SN_SEPOLIA", "STARKNET_SEPOLIA"],
      ["STARKNET_SEPOLIA", "STARKNET_SEPOLIA"],
    ]) {
      expect(parseTask(blockTask({ chainId: written }))).to.have.nested.property(
        "datalake.chainId",
        read,
      );
    }
  });

  it("reads integers as numbers, bigints and text in any base, exactly", () => {
    for (const written of [64, 64n, "64", "064", "0x40", "0X40", "0o100", "0b1000000"]) {
      expect(parseTask(blockTask({ blockRangeEnd: written }))).to.have.nested.property(
        "datalake.blockRangeEnd",
        64n,
      );
    }
    const largest = (2n ** 64n - 1n).toString();
    expect(parseTask(blockTask({ blockRangeEnd: largest }))).to.have.nested.property(
      "datalake.blockRangeEnd",
      2n ** 64n - 1n,
    );
    const compute = {
      aggregateFnId: "count",
      aggregateFnCtx: { operator: "gt", valueToCompare: (2n ** 256n - 1n).toString() },
    };
    expect(parseTask(blockTask({}, compute))).to.have.nested.property(
      "compute.aggregateFnCtx.valueToCompare",
      2n ** 256n - 1n,
    );
  });

  it("reads properties in any letter case and pads short slots", () => {
    for (const [written, read] of [
      ["HEADER.Base_Fee_Per_Gas", { kind: "header", field: "base_fee_per_gas" }],
      [`Account.${ADDRESS}.NONCE`, { kind: "account", address, field: "nonce" }],
      [`storage.${ADDRESS}.0xA`, { kind: "storage", address, slot: `0x${"a".padStart(64, "0")}` }],
    ] as const) {
      expect(parseTask(blockTask({ sampledProperty: written })))
        .to.have.nested.property("datalake.sampledProperty")
        .deep.equal(read);
    }
    expect(parseTask(transactionTask({ sampledProperty: "TX_RECEIPT.success" })))
      .to.have.nested.property("datalake.sampledProperty")
      .deep.equal({ kind: "tx_receipt", field: "success" });
  });

  it("reads operatorId, and the published parser's lteq= and none", () => {
    const context = (aggregateFnId: string, aggregateFnCtx: unknown) =>
      parseTask(blockTask({}, { aggregateFnId, aggregateFnCtx }));
    const lteq = {
      aggregateFnId: "count",
      aggregateFnCtx: { operator: "lteq", valueToCompare: 7n },
    };
    expect(context("count", { operatorId: "lteq", valueToCompare: "7" }))
      .to.have.property("compute")
      .deep.equal(lteq);
    expect(context("count", { operator: "lteq=", valueToCompare: 7 }))
      .to.have.property("compute")
      .deep.equal(lteq);
    expect(context("count", { operator: "lteq", operatorId: "lteq", valueToCompare: 7 }))
      .to.have.property("compute")
      .deep.equal(lteq);
    expect(context("avg", { operator: "none", valueToCompare: "0" }))
      .to.have.property("compute")
      .deep.equal({ aggregateFnId: "avg" });
    expect(taskHash(context("avg", { operator: "gt", valueToCompare: 5 }))).not.to.equal(
      taskHash(parseTask(blockTask())),
    );
  });

  it("reads module tasks, felts without leading zeros", () => {
    expect(
      parseTask({
        type: "Module",
        programHash: "0x00AF13",
        inputs: [{ visibility: "private", value: "0x00" }],
      }),
    ).to.deep.equal({
      type: "Module",
      programHash: "0xaf13",
      inputs: [{ visibility: "private", value: "0x0" }],
    });
  });

  it("accepts fields without functions for hashing only", () => {
    const task = parseTask(blockTask({ sampledProperty: "header.parent_hash" }), {
      fields: "encodable",
    });
    expect(task).to.have.nested.property("datalake.sampledProperty.field", "parent_hash");
  });
});

describe("the parser of a task request's text", () => {
  it("reads bare integers beyond 2^53 exactly", () => {
    const text = JSON.stringify(
      request(
        blockTask(
          {},
          { aggregateFnId: "count", aggregateFnCtx: { operator: "gt", valueToCompare: 0 } },
        ),
      ),
    ).replace('"valueToCompare":0', '"valueToCompare":9007199254740993');
    expect(parseTaskRequestText(`\uFEFF${text}`)).to.have.nested.property(
      "tasks[0].compute.aggregateFnCtx.valueToCompare",
      9007199254740993n,
    );
  });

  it("does not round numbers to integers", () => {
    const text = JSON.stringify(request(blockTask())).replace(":10,", ":9.99999999999999999999,");
    expect(() => parseTaskRequestText(text, { source: "stdin" })).to.throw(
      'HDP-1112 in stdin, tasks[0].datalake.blockRangeStart: "9.99999999999999999999" is not an integer.',
    );
  });

  const broken: readonly (readonly [string, string])[] = [
    ["", "line 1, column 1: the text ends here"],
    ["{", "line 1, column 2: the text ends here"],
    ['{\n  "a": 1,\n}', 'line 3, column 1: unexpected "}"'],
    ['{"a": 1} x', 'line 1, column 10: unexpected "x"'],
    ["[1, 2", "line 1, column 6: the text ends here"],
    ["[1 2]", 'line 1, column 4: unexpected "2"'],
    ["[]]", 'line 1, column 3: unexpected "]"'],
    ['{"a" 1}', 'line 1, column 6: unexpected "1"'],
    ["{a: 1}", 'line 1, column 2: unexpected "a"'],
    ["[01]", 'line 1, column 3: unexpected "1"'],
    ["// no", "line 1, column 6: the text ends here"],
    ['["a\\x"]', 'line 1, column 2: unexpected "\\""'],
    ['{"a": [true, null, -1.5e3, {}, []}', 'line 1, column 34: unexpected "}"'],
  ];
  for (const [text, place] of broken) {
    it(`names the place in ${JSON.stringify(text)}`, () => {
      expect(() => parseTaskRequestText(text, { source: "fee.json" }))
        .to.throw(HdpError)
        .that.includes({ code: "HDP-1001", shortMessage: `the text is not JSON at ${place}.` });
    });
  }

  it("puts line and column behind the file's path", () => {
    expect(() => parseTaskRequestText("[\n1 2]", { source: "tasks/fee.json" })).to.throw(
      "HDP-1001 in tasks/fee.json:2:3: the text is not JSON",
    );
  });

  it("ignores $schema where it is text", () => {
    const plain = parseTaskRequest(request(blockTask()));
    expect(
      parseTaskRequest({ $schema: "./task.schema.json", ...request(blockTask()) }),
    ).to.deep.equal(plain);
    expect(parseTask({ $schema: "x", ...blockTask() })).to.deep.equal(parseTask(blockTask()));
    expect(() => parseTaskRequest({ $schema: 5, ...request(blockTask()) })).to.throw(
      'the key "$schema" is not known',
    );
    expect(
      parseTaskRequestText(`{ // a fee\n${JSON.stringify(request(blockTask())).slice(1)}`),
    ).to.deep.equal(plain);
  });

  it("names as many errors as requested, and counts the others", () => {
    const wrong = request(...[1, 2, 3].map(() => blockTask({ chainId: "MARS" })));
    const hints = (maxErrors?: number): readonly string[] => {
      try {
        parseTaskRequest(wrong, { maxErrors });
      } catch (error) {
        if (error instanceof TaskRequestError)
          return error.hints.filter((hint) => !hint.startsWith("  "));
      }
      return expect.fail("accepted");
    };
    expect(hints(2).map((hint) => hint.slice(0, 40))).to.deep.equal([
      'HDP-1108 in tasks[0].datalake.chainId: "',
      'HDP-1108 in tasks[1].datalake.chainId: "',
      "… and 1 more.",
    ]);
    expect(hints(3)).to.have.length(3);
    expect(hints()).to.have.length(3);
  });

  it("writes integers as numbers as long as they are exact", () => {
    const end = (value: bigint): unknown => {
      const task = toTaskJson(parseTask(blockTask({ blockRangeEnd: value })));
      return (task["datalake"] as { readonly blockRangeEnd: unknown }).blockRangeEnd;
    };
    expect(end(2n ** 53n - 1n)).to.equal(9_007_199_254_740_991);
    expect(end(2n ** 53n)).to.equal("9007199254740992");
    expect(end(20n)).to.equal(20);
  });

  it("refuses to hash module values that are not felts", () => {
    const module: ModuleTask = { type: "Module", programHash: "0x5", inputs: [] };
    expect(taskHash(module)).to.match(/^0x[0-9a-f]{64}$/);
    for (const programHash of ["x0x5", "0x5x", "0x", "5", `0x${"f".repeat(64)}`]) {
      expect(() => taskHash({ ...module, programHash: programHash as "0x" })).to.throw(
        `"${programHash}" is not a felt`,
      );
    }
    const value = "0x5x" as const;
    expect(() => taskHash({ ...module, inputs: [{ visibility: "private", value }] })).to.throw(
      'HDP-1118 in inputs[0].value: "0x5x" is not a felt',
    );
  });

  it("suggests the current form for the bare values of older inputs", () => {
    const input = (value: unknown): unknown =>
      parseTask({ type: "Module", programHash: "0x5", inputs: [value] });
    for (const value of ["0x5", "0X5f"])
      expect(() => input(value)).to.throw(
        `expected an input, found ${JSON.stringify(value)}.\n  Write { "visibility": "public", "value": ${JSON.stringify(value)} }.`,
      );
    for (const value of ["x0x5", "0x5x", "0x", "5"])
      expect(() => input(value)).to.throw(
        `expected an object with the keys visibility, value, found "${value}".`,
      );
  });

  it("lists all operators where one is not text, and converts field names to camel case", () => {
    const operator = (value: unknown): unknown =>
      parseTask(
        blockTask(
          {},
          { aggregateFnId: "count", aggregateFnCtx: { operator: value, valueToCompare: 1 } },
        ),
      );
    expect(() => operator(5)).to.throw(
      'expected one of "eq", "nq", "gt", "gteq", "lt", "lteq", found 5.',
    );
    expect(["base_fee_per_gas", "number", "r"].map(camelCase)).to.deep.equal([
      "baseFeePerGas",
      "number",
      "r",
    ]);
  });

  it("names a hundred unknown keys of an object at most", () => {
    const errorsOf = (task: unknown): readonly TaskRequestError["errors"][number][] => {
      try {
        parseTask(task);
      } catch (error) {
        if (error instanceof TaskRequestError) return error.errors;
      }
      return expect.fail("accepted");
    };
    const more = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`zzzz${at}`, at]));
    expect(errorsOf({ ...blockTask(), ...more })).to.have.length(100);
    const types = errorsOf(blockTask({ includedTypes: { legacy: true } }));
    expect(types.map(({ code, path }) => [code, path])).to.deep.equal([
      ["HDP-1102", "datalake.includedTypes"],
    ]);
    const [error] = errorsOf(blockTask({ sampledProperty: "storage.0x1.0x1" }));
    expect(error?.allowed).to.deep.equal([]);
  });
});
