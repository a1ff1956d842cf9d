import fc from "fast-check";

import {
  CHAIN_IDENTIFIERS,
  type DatalakeComputeTask,
  listFields,
  parseTask,
} from "../../src/entries/request.js";
import { blockTask, transactionTask } from "./documents.js";

export const uint64 = fc.bigInt(0n, 2n ** 64n - 1n);
export const hexOf = (digits: number): fc.Arbitrary<string> =>
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
export const chainId = fc.constantFrom(...CHAIN_IDENTIFIERS);
const range = fc
  .tuple(uint64, uint64, uint64)
  .map(([a, b, step]) => (a < b ? [a, b, step + 1n] : [b, a + 1n, step + 1n]));

const includedTypes = fc.record({
  legacy: fc.boolean(),
  eip2930: fc.boolean(),
  eip1559: fc.boolean(),
  eip4844: fc.boolean(),
});

const blocks = fc
  .record({ chainId, range, sampledProperty: blockProperty, compute })
  .map((parts) => {
    const [blockRangeStart, blockRangeEnd, increment] = parts.range;
    const { chainId: chain, sampledProperty } = parts;
    return blockTask(
      { chainId: chain, blockRangeStart, blockRangeEnd, increment, sampledProperty },
      parts.compute,
    );
  });

const transactions = fc
  .record({
    chainId,
    range,
    compute,
    targetBlock: uint64,
    includedTypes,
    sampledProperty: transactionProperty,
  })
  .map((parts) => {
    const [startIndex, endIndex, increment] = parts.range;
    const { chainId: chain, targetBlock, includedTypes: types, sampledProperty } = parts;
    const datalake = {
      chainId: chain,
      targetBlock,
      startIndex,
      endIndex,
      increment,
      includedTypes: types,
      sampledProperty,
    };
    return { ...transactionTask(datalake), compute: parts.compute };
  });

/** Datalake tasks of every kind, as parsed. */
export const datalakeTask: fc.Arbitrary<DatalakeComputeTask> = fc
  .oneof(blocks, transactions)
  .map((json) => {
    try {
      const task = parseTask(json);
      return task.type === "DatalakeCompute" ? task : undefined;
    } catch {
      // The largest range plus one does not fit into 64 bits; included types may lack the field.
      return undefined;
    }
  })
  .filter((task) => task !== undefined);
