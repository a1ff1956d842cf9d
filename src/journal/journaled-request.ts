import type { Address, Hex } from "viem";
import { z } from "zod";

import { CHAIN_IDS, type ChainIdentifier } from "../request/chains.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES } from "../request/fields.js";
import { type ModuleInput, OPERATORS, type TaskRequest } from "../request/task.js";

/** A non-negative integer as decimal text: JSON numbers lose digits from 2^53 on. */
export const decimal = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt);

export const hex = z.custom<Hex>((value) => typeof value === "string" && /^0x[0-9a-fA-F]*$/.test(value));
const address = z.custom<Address>((value) => typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value));

export const chainIdentifier = z.custom<ChainIdentifier>(
  (value) => typeof value === "string" && Object.hasOwn(CHAIN_IDS, value),
);

const header = z.object({ kind: z.literal("header"), field: z.enum(FIELD_NAMES.header) });
const account = z.object({ kind: z.literal("account"), address, field: z.enum(FIELD_NAMES.account) });
const storage = z.object({ kind: z.literal("storage"), address, slot: hex });
const transaction = z.object({ kind: z.literal("tx"), field: z.enum(FIELD_NAMES.tx) });
const receipt = z.object({ kind: z.literal("tx_receipt"), field: z.enum(FIELD_NAMES.tx_receipt) });

const blockSampled = z.object({
  type: z.literal("BlockSampled"),
  chainId: chainIdentifier,
  blockRangeStart: decimal,
  blockRangeEnd: decimal,
  increment: decimal,
  sampledProperty: z.discriminatedUnion("kind", [header, account, storage]),
});

const transactionsInBlock = z.object({
  type: z.literal("TransactionsInBlock"),
  chainId: chainIdentifier,
  targetBlock: decimal,
  startIndex: decimal,
  endIndex: decimal,
  increment: decimal,
  includedTypes: z.object({
    legacy: z.boolean(),
    eip2930: z.boolean(),
    eip1559: z.boolean(),
    eip4844: z.boolean(),
  }),
  sampledProperty: z.discriminatedUnion("kind", [transaction, receipt]),
});

const datalakeCompute = z.object({
  type: z.literal("DatalakeCompute"),
  datalake: z.discriminatedUnion("type", [blockSampled, transactionsInBlock]),
  compute: z.object({
    aggregateFnId: z.enum(AGGREGATE_FUNCTIONS),
    aggregateFnCtx: z.object({ operator: z.enum(OPERATORS), valueToCompare: decimal }).optional(),
  }),
});

/** A private input is written without its value: the journal may be committed, and no hash covers the value. */
const moduleInput = z.discriminatedUnion("visibility", [
  z.object({ visibility: z.literal("public"), value: hex }),
  z.object({ visibility: z.literal("private") }),
]);

const moduleTask = z.object({
  type: z.literal("Module"),
  programHash: hex,
  inputs: z.array(moduleInput).readonly(),
  injectedState: z.record(hex).optional(),
});

/** The journal's form of a task request: bigints as decimal text, the values of private module inputs left out. */
export const journaledRequest = z.object({
  destinationChainId: chainIdentifier,
  tasks: z
    .array(z.discriminatedUnion("type", [datalakeCompute, moduleTask]))
    .min(1)
    .readonly(),
});

/** A task request as the journal remembers it. */
export type JournaledRequest = z.output<typeof journaledRequest>;

function journaledInput({ visibility, value }: ModuleInput): z.output<typeof moduleInput> {
  return visibility === "public" ? { visibility, value } : { visibility };
}

/** A request as it is written down: without the values of private module inputs. */
export function withoutPrivateInputs(request: TaskRequest): JournaledRequest {
  const { destinationChainId, tasks } = request;
  return {
    destinationChainId,
    tasks: tasks.map((task) => (task.type === "Module" ? { ...task, inputs: task.inputs.map(journaledInput) } : task)),
  };
}
