import { expect } from "chai";
import fc from "fast-check";

import { parseTaskRequest, parseTaskRequestInSteps } from "../../src/request/parse.js";
import { TaskRequestError } from "../../src/request/task-request-error.js";

/** What a parser makes of a document: the request, or every mistake with its place. */
function outcome(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof TaskRequestError)) throw error;
    return {
      mistakes: error.errors.map(({ code, path, shortMessage }) => [code, path, shortMessage]),
      error: error.shortMessage,
    };
  }
}

function inSteps(json: unknown, maxMistakes?: number): { readonly request: unknown; readonly steps: number } {
  const parsing = parseTaskRequestInSteps(json, { maxMistakes });
  for (let steps = 0; ; steps += 1) {
    const step = parsing.next();
    if (step.done === true) return { request: step.value, steps };
  }
}

const input = fc.oneof(
  { weight: 6, arbitrary: fc.record({ visibility: fc.constantFrom("public", "private"), value: fc.constant("0x1") }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>("0x12", 5, {}, null, { visibility: "secret", value: -1 }) },
);
const module = fc.record({
  type: fc.constant("Module"),
  programHash: fc.constantFrom<unknown>("0x5", "0x5", "0x5", "no", 7n),
  inputs: fc.oneof(fc.array(input, { maxLength: 160 }), fc.constantFrom<unknown>("no", [], [])),
  injected_state: fc.constantFrom<unknown>(undefined, undefined, { votes: "0x0" }, { votes: "0x1" }, { votes: "no" }),
});
const datalake = fc.record({
  type: fc.constant("DatalakeCompute"),
  datalake: fc.record({
    type: fc.constant("BlockSampled"),
    chainId: fc.constantFrom("ETHEREUM_SEPOLIA", "MARS"),
    blockRangeStart: fc.integer({ min: -1, max: 5 }),
    blockRangeEnd: fc.integer({ min: 3, max: 9 }),
    sampledProperty: fc.constantFrom("header.number", "header.numbre"),
  }),
  compute: fc.record({ aggregateFnId: fc.constantFrom("avg", "average") }),
});
const document = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        destinationChainId: fc.constantFrom<unknown>("ETHEREUM_SEPOLIA", "ETHEREUM_SEPOLIA", "MARS", 5),
        tasks: fc.array(fc.oneof(module, datalake, fc.constantFrom<unknown>(5, {}, { type: "Mars" })), {
          maxLength: 4,
        }),
      },
      { requiredKeys: [] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(5, null, [], { tasks: "no", more: 1 }, { $schema: "x", tasks: [] }),
  },
);

describe("parsing a request in steps", () => {
  it("makes of any document what parsing it at once makes, mistakes and their order included", () => {
    fc.assert(
      fc.property(document, fc.constantFrom(undefined, 1, 3), (json, maxMistakes) => {
        expect(outcome(() => inSteps(json, maxMistakes).request)).to.deep.equal(
          outcome(() => parseTaskRequest(json, { maxMistakes })),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("stops for other work after each task, and inside of one after fifty inputs, right or wrong", () => {
    const inputs = Array.from({ length: 10_000 }, () => ({ visibility: "public", value: "0x1" }));
    const many = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [{ type: "Module", programHash: "0x1", inputs }] };
    expect(inSteps(many).steps).to.equal(1 + 200);
    const wrong = { ...many, tasks: Array.from({ length: 1_000 }, () => ({})) };
    const parsing = parseTaskRequestInSteps(wrong, { maxMistakes: 100 });
    let steps = 0;
    const end = outcome(() => {
      while (parsing.next().done !== true) steps += 1;
    });
    expect(steps).to.equal(1_000);
    expect(end).to.include({ error: "1000 mistakes." });
  });
});
