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

  it("reads what the whole parser reads where a task has fifty inputs, one more, or mistakes among many", () => {
    const inputs = (count: number, odd: Record<number, unknown> = {}): unknown[] =>
      Array.from(
        { length: count },
        (_, at) => odd[at] ?? { visibility: at % 2 === 0 ? "public" : "private", value: `0x${at}` },
      );
    const task = (changes: object): object => ({ type: "Module", programHash: "0x5", inputs: inputs(60), ...changes });
    const request = (...tasks: unknown[]): unknown => ({ $schema: "x", destinationChainId: "ETHEREUM_SEPOLIA", tasks });
    const wrong = { 3: "0x12", 55: { visibility: "secret", value: "0x1" } };
    const fee = {
      type: "DatalakeCompute",
      datalake: {
        ...{ type: "BlockSampled", chainId: "ETHEREUM_SEPOLIA", blockRangeStart: 1, blockRangeEnd: 2 },
        sampledProperty: "header.logs_bloom",
      },
      compute: { aggregateFnId: "avg" },
    };
    for (const json of [
      request(task({})),
      request(task({ inputs: inputs(50) }), task({ inputs: inputs(51) })),
      request(task({ inputs: inputs(60, wrong) })),
      request(task({ programHash: "no", inputs: inputs(60, wrong), injected_state: { votes: "no" }, extra: 1 })),
      request(task({ injected_state: { votes: "0x0" } }), task({ injected_state: { votes: "0x1" } }), fee),
      request(task({ injected_state: { votes: "0x0" } }), task({ injected_state: { votes: "0x1" } })),
      request(task({}), task({ injected_state: { votes: "0x0" } }), task({})),
      request({ type: "Mars", inputs: inputs(60) }, null, task({ type: "module" })),
      { ...(request() as object), more: 1 },
      { $schema: 5, destinationChainId: "ETHEREUM_SEPOLIA", tasks: [task({})] },
      { destinationChainId: "ETHEREUM_SEPOLIA", tasks: { 0: task({}) } },
      5,
    ]) {
      for (const maxMistakes of [undefined, 1, 2, 3]) {
        const whole = outcome(() => parseTaskRequest(json, { maxMistakes }));
        expect(outcome(() => inSteps(json, maxMistakes).request)).to.deep.equal(whole);
      }
    }
    expect(inSteps(request(task({ inputs: inputs(50) }))).steps).to.equal(1);
    expect(inSteps(request(task({ inputs: inputs(51) }))).steps).to.equal(1 + 2);
    const encodable = parseTaskRequestInSteps(request(fee), { fields: "encodable" });
    expect(encodable.next().done).to.equal(false);
    expect(encodable.next().value).to.deep.equal(parseTaskRequest(request(fee), { fields: "encodable" }));
  });
});
