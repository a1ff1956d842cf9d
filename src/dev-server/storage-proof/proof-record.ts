import type { Hex } from "viem";
import { z } from "zod";

import { headerPosition } from "../../service/storage-proof.js";
import { idempotencySchema } from "../task-record.js";

/** Hex text, in lower case. */
export const hexSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/, "expected 0x and hex digits")
  .transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase()}`);

/** The field as the header holds it: hex bytes, an integer minimal; `null` where the block's header has none. */
export function headerField(name: string, items: readonly Hex[]): Hex | null {
  return items[headerPosition(name)] ?? null;
}

/** What is to be proven of one block of one chain. */
export const proofQuerySchema = z.object({
  id: z.string(),
  /** Decimal. */
  chainId: z.string(),
  /** One of the two, decimal. */
  block: z.string().optional(),
  timestamp: z.string().optional(),
  header: z.array(z.string()).optional(),
  accounts: z.array(z.object({ address: hexSchema, slots: z.array(hexSchema), props: z.array(z.string()) })),
});
export type ProofQuery = z.infer<typeof proofQuerySchema>;

/** Something that was done for a query. What services publish of actions is nothing: the members are this front's. */
export type ProofAction = Readonly<Record<string, unknown>>;

export const QUERY_STATUSES = ["PROCESSING", "COMPLETED", "FAILED"] as const;
export type QueryStatus = (typeof QUERY_STATUSES)[number];

/** A query with how it stands. */
export interface ProofQueryRecord {
  readonly query: ProofQuery;
  readonly createdAt: string;
  status: QueryStatus;
  completedAt: string | null;
  actions: readonly ProofAction[];
}

export const proofEntrySchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("proof"),
    id: z.string(),
    createdAt: z.string(),
    queries: z.array(proofQuerySchema),
    idempotency: idempotencySchema.optional(),
  }),
  z.object({
    type: z.literal("proof-ended"),
    query: z.string(),
    status: z.enum(["COMPLETED", "FAILED"]),
    completedAt: z.string(),
    actions: z.array(z.record(z.unknown())),
  }),
]);
export type ProofEntry = z.infer<typeof proofEntrySchema>;
