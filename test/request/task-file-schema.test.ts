import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Ajv } from "ajv";
import { expect } from "chai";
import fc from "fast-check";
import { z } from "zod";

import { taskFileSchema, taskFileSchemaText } from "../../scripts/task-file-schema.js";
import {
  isHdpError,
  parseTask,
  parseTaskRequest,
  parseTaskRequestText,
  TaskRequestError,
} from "../../src/entries/request.js";
import { jsonText } from "../../src/base/json.js";
import { FIELD_NAMES } from "../../src/request/fields.js";
import { root } from "../support/hardhat-cli.js";
import { readFigures } from "../support/vectors.js";
import { ADDRESS, blockTask, request, transactionTask } from "./documents.js";
import { count, INVALID_DOCUMENTS } from "./invalid-documents.js";

/**
 * What a JSON Schema has no words for: the order of two values, two spellings that contradict each other, the types
 * that have a field, and an address's checksum.
 */
const BEYOND_A_SCHEMA = ["HDP-1115", "HDP-1119", "HDP-1122", "HDP-1110"];

const validate = new Ajv({ strict: false }).compile(taskFileSchema());
const isUnderlined = (document: unknown): boolean => !validate(JSON.parse(jsonText(document)));

/** Codes of the errors that the parser finds. */
function errorCodes(parse: () => unknown): readonly string[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (error instanceof TaskRequestError) return error.errors.map(({ code }) => code);
    throw error;
  }
}

describe("task.schema.json", () => {
  it("matches the readers of task files, which it is generated from", async () => {
    expect(readFileSync(join(root, "task.schema.json"), "utf8")).to.equal(taskFileSchemaText());
  });

  it("accepts the files of the project and the examples, each with its $schema", () => {
    const files = [
      ["test/fixture-project/tasks/fee.json", undefined],
      ["test/fixture-project/tasks/history.json", undefined],
      [
        "examples/one-task-three-tests/tasks/fee.json",
        "../node_modules/hardhat-hdp/task.schema.json",
      ],
      [
        "examples/module-balance/tasks/balance.json",
        "../node_modules/hardhat-hdp/task.schema.json",
      ],
    ] as const;
    for (const [file, $schema] of files) {
      const document: unknown = JSON.parse(readFileSync(join(root, file), "utf8"));
      expect(isUnderlined(document), file).to.equal(false);
      if ($schema !== undefined) expect(document).to.include({ $schema });
    }
  });

  it("agrees with the parser about every published task", () => {
    const published = z.array(z.object({ id: z.string(), task: z.unknown() }));
    const tasks = ["datalake-tasks.json", "module-tasks.json"].flatMap((file) =>
      readFigures(file, published),
    );
    expect(tasks.length).to.be.greaterThan(40);
    for (const { id, task } of tasks) {
      const found = errorCodes(() => parseTask(task));
      expect(isUnderlined(task), id).to.equal(found.length > 0);
      expect(isUnderlined(request(task)), id).to.equal(found.length > 0);
      expect(isUnderlined([task]), id).to.equal(found.length > 0);
    }
  });

  for (const [json, code, path] of INVALID_DOCUMENTS) {
    if (BEYOND_A_SCHEMA.includes(code) || json === undefined || isTooLarge(json)) continue;
    it(`refuses ${code} in ${path}: ${jsonText(json).slice(0, 60)}`, () => {
      expect(isUnderlined(json)).to.equal(true);
    });
  }

  it("agrees with the parser about tasks of all kinds of values", () => {
    const integers = fc.constantFrom<unknown>(
      0,
      1,
      64,
      "64",
      "0x40",
      "0b11",
      "0o7",
      "00",
      "0x0",
      "0X0",
      "0B1",
      "",
      "x",
      -1,
      1.5,
      null,
    );
    const words = ["eq", "nq", "gt", "gteq", "lt", "lteq", "lteq=", "none", "=", "GT"];
    const names = Object.entries(FIELD_NAMES).flatMap(([kind, fields]) =>
      fields.map((field) =>
        kind === "account" ? `account.${ADDRESS}.${field}` : `${kind}.${field}`,
      ),
    );
    const properties = fc.constantFrom(
      ...names,
      ...names.map((name) => name.replace(/^[a-z_]+/, (kind) => kind.toUpperCase())),
      `storage.${ADDRESS}.0x1`,
      `storage.${ADDRESS}.1`,
      `storage.${ADDRESS}`,
      "header",
      "header.number.x",
    );
    const types = fc.record({
      legacy: fc.boolean(),
      eip2930: fc.boolean(),
      eip1559: fc.boolean(),
      eip4844: fc.constantFrom<unknown>(true, false, "true"),
    });
    const context = fc.record(
      {
        operator: fc.constantFrom(...words),
        operatorId: fc.constantFrom(...words),
        valueToCompare: integers,
      },
      { requiredKeys: [] },
    );
    const compute = fc.record(
      { aggregateFnId: fc.constantFrom("avg", "count", "min", "AVG"), aggregateFnCtx: context },
      { requiredKeys: ["aggregateFnId"] },
    );
    const chainId = fc.constantFrom<unknown>("ETHEREUM_SEPOLIA", "SN_SEPOLIA", "SEPOLIA", 1);
    const blocks = fc.record(
      {
        chainId,
        blockRangeStart: integers,
        blockRangeEnd: integers,
        increment: integers,
        sampledProperty: properties,
      },
      { requiredKeys: [] },
    );
    const transactions = fc.record(
      {
        targetBlock: integers,
        increment: integers,
        includedTypes: types,
        sampledProperty: properties,
      },
      { requiredKeys: [] },
    );
    const task = fc.oneof(
      fc.tuple(blocks, compute).map(([datalake, fn]) => blockTask(datalake, fn)),
      fc
        .tuple(transactions, compute)
        .map(([datalake, fn]) => ({ ...transactionTask(datalake), compute: fn })),
    );
    let taken = 0;
    fc.assert(
      fc.property(task, (one) => {
        const all = errorCodes(() => parseTask(one));
        const found = all.filter((code) => !BEYOND_A_SCHEMA.includes(code));
        if (all.length > 0 && found.length === 0) return;
        if (found.length === 0) taken += 1;
        expect(isUnderlined(one)).to.equal(found.length > 0);
      }),
      { numRuns: 1000 },
    );
    expect(taken).to.be.greaterThan(0);
  });

  it("accepts modules named by their class, without other keys", () => {
    const module = {
      class: "target/release/a.compiled_contract_class.json",
      arguments: { chain_id: 1 },
    };
    expect(isUnderlined({ type: "Module", module })).to.equal(false);
    expect(isUnderlined({ type: "Module", module, inputs: [] })).to.equal(true);
    expect(isUnderlined({ type: "Module", module: { arguments: {} } })).to.equal(true);
  });

  it("describes each key, and lists the words that an editor completes", () => {
    const text = jsonText(taskFileSchema());
    expect(text).to.include('"header.base_fee_per_gas"').and.to.include('"ETHEREUM_SEPOLIA"');
    expect(text).to.include("The last block that may be sampled: inclusive.");
  });
});

describe("what a task file may have beside its tasks", () => {
  const plain = request(blockTask(), count({ operator: "gt", valueToCompare: 1 }));

  it("accepts $schema in a request and in a task", () => {
    const parsed = parseTaskRequest(plain);
    expect(parseTaskRequest({ $schema: "x", ...plain })).to.deep.equal(parsed);
    expect(parseTask({ $schema: "x", ...blockTask() })).to.deep.equal(parsed.tasks[0]);
    expect(isUnderlined({ $schema: "x", ...plain })).to.equal(false);
    expect(isUnderlined({ $schema: "x", ...blockTask() })).to.equal(false);
  });

  it("refuses $schema inside a task of a request, and $schema that is not text", () => {
    for (const document of [
      { $schema: 1, ...plain },
      request({ $schema: "x", ...blockTask() }),
      request(blockTask({ $schema: "x" })),
    ]) {
      expect(errorCodes(() => parseTaskRequest(document))).to.deep.equal(["HDP-1102"]);
      expect(isUnderlined(document)).to.equal(true);
    }
  });

  it("accepts comments, which do not move the places of errors", () => {
    const text = JSON.stringify(plain, undefined, 2).replace(
      '"tasks"',
      '// all of them\n  "tasks"',
    );
    const commented = text
      .replaceAll(/,$/gm, ", // and // more\r")
      .concat("  // the end")
      .replace("{", "// a task\n{ /* its\n keys */");
    expect(parseTaskRequestText(commented)).to.deep.equal(parseTaskRequest(plain));
    const address = JSON.stringify({ $schema: "https://example.org/a.json", ...plain });
    expect(parseTaskRequestText(address)).to.deep.equal(parseTaskRequest(plain));
    for (const [wrong, place] of [
      ['{ "a": 1, // "b"\n }', "line 2, column 2"],
      ['{ /* a */ "a": 1, }', "line 1, column 19"],
      ['{ # a\n "a": 1 }', "line 1, column 3"],
      ["/", "line 1, column 1"],
      ["{} /* not closed", "line 1, column 4"],
      ['{ "a // ', "line 1, column 3"],
    ] as const) {
      let error: unknown;
      try {
        parseTaskRequestText(wrong);
      } catch (caught) {
        error = caught;
      }
      expect(isHdpError(error, "HDP-1001"), wrong).to.equal(true);
      expect(String(error)).to.include(place);
    }
  });
});

/** Numbers beyond 2^53: as text a pattern can't compare them, as JSON numbers they are rounded before a schema sees them. */
function isTooLarge(json: unknown): boolean {
  return /\d{16,}/.test(jsonText(json));
}
