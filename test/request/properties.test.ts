import { expect } from "chai";
import fc from "fast-check";

import {
  HdpError,
  parseTask,
  parseTaskRequest,
  parseTaskRequestText,
  type Task,
  taskHash,
  type TaskRequest,
  toTaskRequestJson,
} from "../../src/entries/request.js";
import { chainId, datalakeTask, hexOf, uint64 } from "./arbitrary-tasks.js";
import { blockTask, request, transactionTask } from "./documents.js";

const moduleTask = fc
  .tuple(
    hexOf(62),
    fc.array(
      fc.record({
        visibility: fc.constantFrom("public", "private"),
        value: hexOf(62).map((v) => `0x${v}`),
      }),
    ),
  )
  .map(([hash, inputs]) => parseTask({ type: "Module", programHash: `0x${hash}`, inputs }));
const task: fc.Arbitrary<Task> = fc.oneof(datalakeTask, datalakeTask, moduleTask);

describe("task requests", () => {
  it("keep their hashes when they are written and read again, as an object and as text", () => {
    fc.assert(
      fc.property(
        fc.array(task, { minLength: 1, maxLength: 4 }),
        chainId,
        (tasks, destinationChainId) => {
          const written: TaskRequest = { destinationChainId, tasks };
          const json = toTaskRequestJson(written);
          const read = parseTaskRequest(json);
          expect(read).to.deep.equal(written);
          expect(parseTaskRequestText(JSON.stringify(json))).to.deep.equal(written);
          expect(read.tasks.map((one) => taskHash(one))).to.deep.equal(
            tasks.map((one) => taskHash(one)),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it("hash differently for another range", () => {
    fc.assert(
      fc.property(uint64, fc.bigInt(1n, 2n ** 32n), (start, more) => {
        const hash = (end: bigint) =>
          taskHash(parseTask(blockTask({ blockRangeStart: 0, blockRangeEnd: end })));
        const end = start % 2n ** 63n;
        expect(hash(end)).not.to.equal(hash(end + more));
      }),
      { numRuns: 50 },
    );
  });

  it("parse or fail with an error of the package, whatever is put into a document", () => {
    const documents = [
      request(
        blockTask(
          {},
          { aggregateFnId: "count", aggregateFnCtx: { operator: "gt", valueToCompare: "1" } },
        ),
      ),
      request(transactionTask(), {
        type: "Module",
        programHash: "0x1",
        inputs: [{ visibility: "public", value: "0x2" }],
      }),
    ];
    const anything = fc.oneof(
      fc.anything({ withBigInt: true, withNullPrototype: true }),
      fc.string(),
      fc.constantFrom(
        "__proto__",
        "toString",
        "header.",
        "..",
        "0x",
        "-0",
        Number.NaN,
        Infinity,
        Symbol("x"),
      ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...documents),
        fc.nat(),
        anything,
        fc.boolean(),
        (document, where, value, rename) => {
          const copy: unknown = structuredClone(document);
          const places = placesIn(copy);
          const [holder, key] = places[where % places.length] ?? [{}, "x"];
          const name = rename && typeof value === "string" ? value : key;
          // An array has no such length.
          if (name !== "length") Reflect.set(holder, name, value);
          expectHdpError(() => parseTaskRequest(copy));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("parse or fail with an error of the package, whatever is cut out of their text", () => {
    const text = JSON.stringify(request(blockTask(), transactionTask()), undefined, 1);
    fc.assert(
      fc.property(
        fc.nat(text.length),
        fc.nat(8),
        fc.string({ maxLength: 3 }),
        (at, length, put) => {
          expectHdpError(() =>
            parseTaskRequestText(text.slice(0, at) + put + text.slice(at + length)),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});

function expectHdpError(parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    expect(error).to.be.instanceOf(HdpError);
  }
}

function placesIn(value: unknown): (readonly [object, string])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [value, key] as const,
    ...placesIn(inner),
  ]);
}
