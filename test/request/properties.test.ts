import { expect } from "chai";
import fc from "fast-check";

import {
  CHAIN_IDENTIFIERS,
  HdpError,
  listFields,
  parseTask,
  parseTaskRequest,
  parseTaskRequestText,
  type Task,
  taskHash,
  type TaskRequest,
  toTaskRequestJson,
} from "../../src/entries/request.js";
import { blockTask, request, transactionTask } from "./documents.js";

const uint64 = fc.bigInt(0n, 2n ** 64n - 1n);
const hexOf = (digits: number) =>
  fc
    .bigInt(0n, 16n ** BigInt(digits) - 1n)
    .map((value) => value.toString(16).padStart(digits, "0"));
const fieldsOf = (kind: "header" | "account" | "tx" | "tx_receipt") =>
  fc.constantFrom(
    ...listFields(kind)
      .filter(({ functions }) => functions.length > 0)
      .map(({ field }) => field),
  );

const blockProperty = fc.oneof(
  fieldsOf("header").map((field) => `header.${field}`),
  fc
    .tuple(hexOf(40), fieldsOf("account"))
    .map(([address, field]) => `account.0x${address}.${field}`),
  fc.tuple(hexOf(40), hexOf(64)).map(([address, slot]) => `storage.0x${address}.0x${slot}`),
);
const transactionProperty = fc.oneof(
  fieldsOf("tx").map((field) => `tx.${field}`),
  fieldsOf("tx_receipt").map((field) => `tx_receipt.${field}`),
);
const compute = fc.oneof(
  fc.constantFrom("avg", "sum", "min", "max").map((aggregateFnId) => ({ aggregateFnId })),
  fc
    .tuple(fc.constantFrom("eq", "nq", "gt", "gteq", "lt", "lteq"), fc.bigInt(0n, 2n ** 256n - 1n))
    .map(([operator, value]) => ({
      aggregateFnId: "count",
      aggregateFnCtx: { operator, valueToCompare: value.toString() },
    })),
);
const chainId = fc.constantFrom(...CHAIN_IDENTIFIERS);
const range = fc
  .tuple(uint64, uint64, uint64)
  .map(([a, b, step]) => (a < b ? [a, b, step + 1n] : [b, a + 1n, step + 1n]));

const task: fc.Arbitrary<Task> = fc
  .oneof(
    fc.record({ chainId, range, sampledProperty: blockProperty, compute }).map((parts) => {
      const [blockRangeStart, blockRangeEnd, increment] = parts.range;
      const { chainId: chain, sampledProperty } = parts;
      return {
        ...blockTask(
          { chainId: chain, blockRangeStart, blockRangeEnd, increment, sampledProperty },
          parts.compute,
        ),
      };
    }),
    fc
      .record({
        chainId,
        range,
        targetBlock: uint64,
        sampledProperty: transactionProperty,
        compute,
      })
      .map((parts) => {
        const [startIndex, endIndex, increment] = parts.range;
        const { chainId: chain, targetBlock, sampledProperty } = parts;
        const datalake = {
          chainId: chain,
          targetBlock,
          startIndex,
          endIndex,
          increment,
          sampledProperty,
        };
        return { ...transactionTask(datalake), compute: parts.compute };
      }),
    fc
      .tuple(
        hexOf(62),
        fc.array(
          fc.record({
            visibility: fc.constantFrom("public", "private"),
            value: hexOf(62).map((v) => `0x${v}`),
          }),
        ),
      )
      .map(([hash, inputs]) => ({ type: "Module", programHash: `0x${hash}`, inputs })),
  )
  .filter((json) => {
    try {
      parseTask(json);
      return true;
    } catch {
      // The largest range plus one does not fit into 64 bits.
      return false;
    }
  })
  .map((json) => parseTask(json));

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

  it("have another hash for another range", () => {
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

  it("are read or refused with an error of the package, whatever is put into a document", () => {
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

  it("are read or refused with an error of the package, whatever is cut out of their text", () => {
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
