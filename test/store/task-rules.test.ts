import { expect } from "chai";
import fc from "fast-check";
import { type Abi, decodeErrorResult, encodePacked, type Hex, numberToHex } from "viem";

import {
  CHAIN_IDENTIFIERS,
  CHAIN_IDS,
  identifyChain,
  parseTask,
  TaskRequestError,
  OPERATORS,
} from "../../src/entries/request.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES, TRANSACTION_TYPES } from "../../src/request/fields.js";
import { callContract, type Chain, createChain, deployHarness, revertOf } from "./harness.js";

const ADDRESS = `0x${"ab".repeat(20)}` as const;
const SLOT = numberToHex(5n, { size: 32 });
const LIMIT = 2n ** 64n;
const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** A property as Solidity has it and as a task file has it; ids without a field are written as their numbers. */
interface Property {
  readonly bytes: Hex;
  readonly text: string;
}

const named = (names: readonly string[], id: number): string => names[id] ?? `field_${id}`;
const fieldOf = (kind: number, text: "header" | "tx" | "tx_receipt"): fc.Arbitrary<Property> =>
  fc.nat({ max: 24 }).map((id) => ({
    bytes: encodePacked(["uint8", "uint8"], [kind, id]),
    text: `${text}.${named(FIELD_NAMES[text], id)}`,
  }));
const accountField = fc.nat({ max: 6 }).map((id) => ({
  bytes: encodePacked(["uint8", "address", "uint8"], [2, ADDRESS, id]),
  text: `account.${ADDRESS}.${named(FIELD_NAMES.account, id)}`,
}));
const storageSlot: Property = {
  bytes: encodePacked(["uint8", "address", "bytes32"], [3, ADDRESS, SLOT]),
  text: `storage.${ADDRESS}.${SLOT}`,
};
const NO_PROPERTY: Property = { bytes: "0x04", text: "block.number" };

/** Mostly a value that is accepted with most others, else one at or over a limit. */
const usually = <T>(usual: fc.Arbitrary<T>, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: 8 }, { arbitrary: fc.constantFrom(...others), weight: 1 });
const number = usually(fc.bigInt({ min: 0n, max: 9n }), LIMIT - 1n, LIMIT, 2n ** 256n - 1n);
const chainId = usually(fc.constantFrom(...Object.values(CHAIN_IDS)), 0n, 31337n, 42n, 2n ** 255n);
const FUNCTIONS: readonly string[] = [...AGGREGATE_FUNCTIONS, "merkle", "slr"];
const compute = fc.record({
  aggregateFnId: usually(fc.nat({ max: AGGREGATE_FUNCTIONS.length - 1 }), 5, 6),
  operatorId: fc.nat({ max: OPERATORS.length }),
  valueToCompare: fc.constantFrom(0n, 7n, 2n ** 256n - 1n),
});
const shared = { chainId, increment: usually(fc.bigInt({ min: 1n, max: 5n }), 0n, LIMIT) };
const blocks = fc.record({
  ...shared,
  blockRangeStart: number,
  blockRangeEnd: number,
  property: usually<Property>(
    fc.oneof(fieldOf(1, "header"), accountField, fc.constant(storageSlot)),
    NO_PROPERTY,
  ),
});
const flag = fc.boolean();
const transactions = fc.record({
  ...shared,
  targetBlock: number,
  startIndex: number,
  endIndex: number,
  types: fc.tuple(flag, flag, flag, flag),
  property: usually<Property>(fc.oneof(fieldOf(1, "tx"), fieldOf(2, "tx_receipt")), NO_PROPERTY),
});

/** The codes of a task's errors as TypeScript finds them in a task file; empty for a task that is taken. */
function codesOf(task: unknown): readonly string[] {
  try {
    parseTask(task, { source: "tasks/a.json" });
    return [];
  } catch (error) {
    if (!(error instanceof TaskRequestError)) throw error;
    return error.errors.map(({ code }) => code);
  }
}

function computeInFile({ aggregateFnId, operatorId, valueToCompare }: FunctionIds): object {
  const operator = OPERATORS[operatorId - 1] ?? "none";
  const aggregateFnCtx = { operator, valueToCompare: valueToCompare.toString() };
  return { aggregateFnId: FUNCTIONS[aggregateFnId], aggregateFnCtx };
}

interface FunctionIds {
  readonly aggregateFnId: number;
  readonly operatorId: number;
  readonly valueToCompare: bigint;
}

const chainInFile = (id: bigint): string => identifyChain(id) ?? id.toString();

describe("HdpTaskRules, which the Solidity test kit asks", () => {
  let chain: Chain;
  let harness: { address: Hex; abi: Abi };

  before(async () => {
    chain = await createChain();
    harness = await deployHarness(chain, "TaskRulesHarness");
  });

  after(async () => {
    await chain.close();
  });

  /** The code with which Solidity refuses a task; undefined for a task that is taken. */
  async function refusal(name: string, args: readonly unknown[]): Promise<unknown> {
    try {
      await callContract(chain, harness, name, args);
      return undefined;
    } catch (error) {
      const data = revertOf(error) ?? "0x";
      const { errorName, args: values = [] } = decodeErrorResult({ abi: harness.abi, data });
      expect(errorName).to.equal("InvalidTask");
      return values[0];
    }
  }

  /** Expects Solidity to refuse a task with a code that TypeScript has for it too, or both to take it. */
  function expectSame(code: unknown, codes: readonly string[]): void {
    if (codes.length === 0) expect(code).to.equal(undefined);
    else expect(codes).to.include(code);
  }

  it("refuses the tasks over blocks that a task file is refused for, with an error of the same number", async () => {
    await fc.assert(
      fc.asyncProperty(blocks, compute, async ({ property, ...lake }, fn) => {
        const code = await refusal("blocks", [{ ...lake, sampledProperty: property.bytes }, fn]);
        const datalake = {
          type: "BlockSampled",
          chainId: chainInFile(lake.chainId),
          blockRangeStart: lake.blockRangeStart.toString(),
          blockRangeEnd: lake.blockRangeEnd.toString(),
          increment: lake.increment.toString(),
          sampledProperty: property.text,
        };
        expectSame(
          code,
          codesOf({ type: "DatalakeCompute", datalake, compute: computeInFile(fn) }),
        );
      }),
      { numRuns: 400 },
    );
  });

  it("refuses the tasks over transactions that a task file is refused for, with an error of the same number", async () => {
    await fc.assert(
      fc.asyncProperty(transactions, compute, async ({ property, types, ...lake }, fn) => {
        const word = types.reduce((sum, included) => sum * 256n + (included ? 1n : 0n), 0n);
        const args = { ...lake, includedTypes: word, sampledProperty: property.bytes };
        const code = await refusal("transactions", [args, fn]);
        const datalake = {
          type: "TransactionsInBlock",
          chainId: chainInFile(lake.chainId),
          targetBlock: lake.targetBlock.toString(),
          startIndex: lake.startIndex.toString(),
          endIndex: lake.endIndex.toString(),
          increment: lake.increment.toString(),
          includedTypes: Object.fromEntries(
            TRANSACTION_TYPES.map((type, index) => [type, types[index]]),
          ),
          sampledProperty: property.text,
        };
        expectSame(
          code,
          codesOf({ type: "DatalakeCompute", datalake, compute: computeInFile(fn) }),
        );
      }),
      { numRuns: 400 },
    );
  });

  it("takes every chain that has a name and every field that TypeScript takes, and no other id", async () => {
    const fn = { aggregateFnId: 1, operatorId: 0, valueToCompare: 0n };
    const range = { blockRangeStart: 0n, blockRangeEnd: 9n, increment: 1n };
    const ofChain = async (id: bigint): Promise<unknown> =>
      await refusal("blocks", [{ ...range, chainId: id, sampledProperty: storageSlot.bytes }, fn]);
    for (const name of CHAIN_IDENTIFIERS)
      expect(await ofChain(CHAIN_IDS[name]), name).to.equal(undefined);
    expect(await ofChain(31337n)).to.equal("HDP-1108");
  });

  it("refuses the module tasks that a task file is refused for", async () => {
    const word = fc.constantFrom(0n, 1n, PRIME - 1n, PRIME, 2n ** 256n - 1n);
    await fc.assert(
      fc.asyncProperty(word, fc.array(word, { maxLength: 3 }), async (program, values) => {
        const words = values.map((value) => numberToHex(value, { size: 32 }));
        const programHash = numberToHex(program, { size: 32 });
        const code = await refusal("module", [{ programHash, inputs: words }]);
        const inputs = words.map((value) => ({ visibility: "public", value }));
        expectSame(code, codesOf({ type: "Module", programHash, inputs }));
      }),
    );
  });

  it("refuses a word of included types that has other bits", async () => {
    const lake = { chainId: 1n, targetBlock: 1n, startIndex: 0n, endIndex: 1n, increment: 1n };
    const sampledProperty = encodePacked(["uint8", "uint8"], [1, 0]);
    const fn = { aggregateFnId: 1, operatorId: 0, valueToCompare: 0n };
    for (const includedTypes of [2n, 0x0100000000n, 0x0201n])
      expect(
        await refusal("transactions", [{ ...lake, includedTypes, sampledProperty }, fn]),
      ).to.equal("HDP-1122");
  });
});
