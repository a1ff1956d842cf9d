import type { z } from "zod";

import { BLOCK_REFERENCE, parseBlockReference } from "./block-reference.js";
import { TRANSACTION_TYPES } from "./field-support.js";
import {
  integerReader,
  type JsonForm,
  MAX_UINT64,
  quote,
  readChain,
  type Reader,
  type Report,
  wordReader,
  wrongType,
} from "./readers.js";
import { readBlockProperty, readTransactionProperty } from "./sampled-property.js";
import { also, field, fieldWithDefault, isRead, record, reportTo, type Schema, variant } from "./schema-parts.js";
import type { BlockSampled, Datalake, IncludedTypes, TransactionsInBlock } from "./task.js";

/** Blocks, indices and steps are 64-bit integers in the service. */
const readUint64 = integerReader({ max: MAX_UINT64 });

/** A block's number; what would have to be looked up on a chain is a mistake here. */
const readBlockNumber: Reader<bigint> = Object.assign(
  (value: unknown, report: Report): bigint | undefined => {
    if (parseBlockReference(value) === undefined) return readUint64(value, report);
    report({
      code: "HDP-1130",
      message: `${quote(value)} has to be looked up on the chain, and no network is at hand here.`,
      value,
      hints: ["Name one with --network, or write the block's number: a task hash depends on it."],
    });
    return undefined;
  },
  // What editors are told: a file may have it, wherever it is read with a network.
  { form: (): JsonForm => ({ anyOf: [{ ...readUint64.form?.() }, { type: "string", pattern: BLOCK_REFERENCE }] }) },
);
const increment = fieldWithDefault(integerReader({ max: MAX_UINT64, min: 1n }), 1n).describe(
  "The step from one sample to the next; 1 without it.",
);

const blockSampledSchema: Schema<BlockSampled> = record({
  type: field(wordReader(["BlockSampled"], "the type of a datalake")),
  chainId: field(readChain).describe("The chain that is sampled."),
  blockRangeStart: field(readBlockNumber).describe("The first block that is sampled."),
  blockRangeEnd: field(readBlockNumber).describe("The last block that may be sampled: inclusive."),
  increment,
  sampledProperty: field(readBlockProperty).describe(
    "What is read of each block: header.{field}, account.{address}.{field} or storage.{address}.{slot}.",
  ),
}).superRefine(({ blockRangeStart: start, blockRangeEnd: end }, context) => {
  if (isRead(start, end) && start > end) {
    reportTo(
      context,
      "blockRangeEnd",
    )({
      code: "HDP-1115",
      message: `The range ends at block ${end.toString()}, before its start ${start.toString()}.`,
      value: end,
      hints: ["blockRangeEnd is inclusive and at least blockRangeStart."],
    });
  }
});

const readBoolean: Reader<boolean> = (value, report) => {
  if (typeof value === "boolean") return value;
  report(wrongType(value, "true or false"));
  return undefined;
};

readBoolean.form = () => ({ type: "boolean" });

const includedTypesSchema: Schema<IncludedTypes> = also(
  () => ({ anyOf: TRANSACTION_TYPES.map((type) => ({ properties: { [type]: { const: true } } })) }),
  record({
    legacy: field(readBoolean),
    eip2930: field(readBoolean),
    eip1559: field(readBoolean),
    eip4844: field(readBoolean),
  }).superRefine((types, context) => {
    if (TRANSACTION_TYPES.every((type) => !types[type])) noTypes(types, context);
  }),
);

function noTypes(value: IncludedTypes, context: z.RefinementCtx): void {
  reportTo(context)({
    code: "HDP-1121",
    message: "No transaction type is included, so that nothing would be sampled.",
    value,
    hints: [`Set at least one of ${TRANSACTION_TYPES.join(", ")} to true.`],
  });
}

const transactionsInBlockSchema: Schema<TransactionsInBlock> = record({
  type: field(wordReader(["TransactionsInBlock"], "the type of a datalake")),
  chainId: field(readChain).describe("The chain that is sampled."),
  targetBlock: field(readBlockNumber).describe("The block whose transactions are sampled."),
  startIndex: field(readUint64).describe("The first index in the block that is visited."),
  endIndex: field(readUint64).describe("The first index that is not visited any more: exclusive."),
  increment,
  includedTypes: includedTypesSchema.describe("Types of transactions that are sampled; others are passed over."),
  sampledProperty: field(readTransactionProperty).describe(
    "What is read of each transaction: tx.{field} or tx_receipt.{field}.",
  ),
}).superRefine(({ startIndex: start, endIndex: end }, context) => {
  if (isRead(start, end) && start >= end) {
    reportTo(
      context,
      "endIndex",
    )({
      code: "HDP-1115",
      message: `No transaction lies between startIndex ${start.toString()} and endIndex ${end.toString()}.`,
      value: end,
      hints: ["endIndex is exclusive: the first index that is not visited, at least startIndex + 1."],
    });
  }
});

/** `datalake` of a task, chosen by its `type`. */
export const datalakeSchema: Schema<Datalake> = variant<Datalake>(
  { BlockSampled: blockSampledSchema, TransactionsInBlock: transactionsInBlockSchema },
  "a datalake",
);
