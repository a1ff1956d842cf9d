import { z } from "zod";

import { CHAIN_ALIASES, CHAIN_IDENTIFIERS } from "../request/chains.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES, TRANSACTION_TYPES } from "../request/fields.js";
import { OPERATORS } from "../request/task.js";
import { BATCH_STATES } from "../service/data-processor/editions.js";
import { MODULE_TASK_STATES } from "../service/data-processor/module-tasks-edition.js";

// What bodies and replies hold, for the description alone: they are read by stricter parsers, whose messages say more.

const chain = z.enum([...CHAIN_IDENTIFIERS, ...namesOf(CHAIN_ALIASES)]).describe("Chain identifier");
const integer = z
  .union([z.number().int().min(0), z.string().regex(/^(\d+|0x[0-9a-fA-F]+)$/)])
  .describe("A number, or text of decimal or 0x-prefixed hex digits");
const increment = integer.optional().describe("Default 1");
const hex = z.string().regex(/^0x[0-9a-fA-F]+$/);

const blockProperty = z
  .string()
  .describe(
    [
      `header.{field}, one of ${FIELD_NAMES.header.join(", ")}`,
      `account.{address}.{field}, one of ${FIELD_NAMES.account.join(", ")}`,
      "storage.{address}.{slot}",
    ].join("; "),
  );

const transactionProperty = z
  .string()
  .describe(
    [
      `tx.{field}, one of ${FIELD_NAMES.tx.join(", ")}`,
      `tx_receipt.{field}, one of ${FIELD_NAMES.tx_receipt.join(", ")}`,
    ].join("; "),
  );

const blockSampled = z.object({
  type: z.literal("BlockSampled"),
  chainId: chain,
  blockRangeStart: integer,
  blockRangeEnd: integer.describe("Inclusive"),
  increment,
  sampledProperty: blockProperty,
});

const transactionsInBlock = z.object({
  type: z.literal("TransactionsInBlock"),
  chainId: chain,
  targetBlock: integer,
  startIndex: integer,
  endIndex: integer.describe("Exclusive"),
  increment,
  includedTypes: z.object(
    Object.fromEntries(TRANSACTION_TYPES.map((type) => [type, z.boolean()])) as Record<
      (typeof TRANSACTION_TYPES)[number],
      z.ZodBoolean
    >,
  ),
  sampledProperty: transactionProperty,
});

const compute = z.object({
  aggregateFnId: z.enum(listOf(AGGREGATE_FUNCTIONS)),
  aggregateFnCtx: z
    .object({ operator: z.enum(OPERATORS).describe("Also taken as operatorId"), valueToCompare: integer })
    .optional()
    .describe("For count: what each value is compared with"),
});

const task = z.union([
  z.object({
    type: z.literal("DatalakeCompute"),
    datalake: z.union([blockSampled, transactionsInBlock]),
    compute,
  }),
  z.object({
    type: z.literal("Module"),
    programHash: hex.describe("As the program registry returned it"),
    inputs: z.array(z.object({ visibility: z.enum(["public", "private"]), value: hex })),
  }),
]);

/** The specification's request body, of `POST /tasks` and `POST /submit-batch`. */
export const describedTaskRequest = z.object({
  destinationChainId: chain.describe("Chain that receives the results"),
  tasks: z.array(task).min(1),
  webhook_url: z.string().optional().describe("Called when the tasks have ended"),
});

/** The status of a task: the published states. */
export const describedTaskStatus = z.object({
  taskId: z.string(),
  status: z.enum(MODULE_TASK_STATES).describe("Others where a fault plays them"),
  errorMessage: z.string().nullable(),
  updatedAt: z.string(),
});

const STEP_STATES = [
  ...["INITIAL_STATE", "PROCESS_REQUEST_SENT", "CACHE_MMR_TX_RECEIVED", "SHARP_REQUEST_SENT"],
  ...["FACT_HASH_RECEIVED", "FINALIZATION_TX_SENT", "COMPLETED"],
] as const;

/** The status of a batch: the specification's states, or with `?edition=published` the published record. */
export const describedBatchStatus = z.union([
  z.object({ status: z.enum([...BATCH_STATES, "FAILED"]), errorMessage: z.string().optional() }),
  z.object({
    dataProcessorQuery: z.object({
      id: z.string(),
      status: z.enum(["RECEIVED", "PROCESSING", "REJECTED", "DONE", "FAILED"]),
      stepState: z.enum(STEP_STATES),
      createdAt: z.string(),
      completedAt: z.string().nullable(),
      destinationChainId: chain,
      tasks: z.array(
        z.object({
          resultSerialized: hex.nullable(),
          taskHash: hex,
          aggregateFn: z.enum(listOf(AGGREGATE_FUNCTIONS)).optional(),
          datalakeHash: hex.optional(),
          operator: z.enum(["none", ...OPERATORS]).optional(),
          valueToCompare: z.string().optional(),
          type: z.enum(["BlockSampled", "TransactionsInBlock", "Module"]),
          chainId: chain.optional(),
          blockRangeStart: integer.optional(),
          blockRangeEnd: integer.optional(),
          targetBlock: integer.optional(),
          startIndex: integer.optional(),
          endIndex: integer.optional(),
          increment: integer.optional(),
          includedTypes: transactionsInBlock.shape.includedTypes.optional(),
          sampledProperty: z.string().optional(),
          programHash: hex.optional(),
          inputs: z.array(z.unknown()).optional(),
        }),
      ),
    }),
  }),
]);

function namesOf(table: object): string[] {
  return Object.keys(table);
}

function listOf<T extends string>(words: readonly T[]): [T, ...T[]] {
  const [first, ...others] = words;
  if (first === undefined) throw new TypeError("a list of words is empty");
  return [first, ...others];
}
