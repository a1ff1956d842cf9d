import { z } from "zod";

import { wireIdSchema } from "./common.js";

/** Account properties that the published clients ask for. */
export const STORAGE_PROOF_ACCOUNT_PROPS = ["BALANCE", "NONCE", "CODE_HASH", "STORAGE_ROOT"] as const;

/** Header fields that the published clients ask for. */
export const STORAGE_PROOF_HEADER_FIELDS = [
  "PARENT_HASH",
  "UNCLES_HASH",
  "COINBASE",
  "PROPOSER",
  "STATE_ROOT",
  "TRANSACTIONS_ROOT",
  "RECEIPTS_ROOT",
  "LOGS_BLOOM",
  "DIFFICULTY",
  "BLOCK_NUMBER",
  "GAS_LIMIT",
  "GAS_USED",
  "TIMESTAMP",
  "EXTRA_DATA",
  "MIX_HASH",
  "NONCE",
  "BASE_FEE_PER_GAS",
  "WITHDRAWALS_ROOT",
  "BLOB_GAS_USED",
  "EXCESS_BLOB_GAS",
  "PARENT_BEACON_BLOCK_ROOT",
] as const;

export const storageProofAccountSchema = z
  .object({ slots: z.array(z.string()).optional(), props: z.array(z.string()).optional() })
  .passthrough();

/** What is proven of one block. */
export const storageProofSelectionSchema = z
  .object({ header: z.array(z.string()).optional(), accounts: z.record(storageProofAccountSchema).optional() })
  .passthrough();

/** `block:<number>` or `timestamp:<unix seconds>`. */
export const storageProofTimeKeySchema = z
  .string()
  .regex(/^(block|timestamp):\d+$/, "expected block:<number> or timestamp:<unix seconds>");

/** Body of `POST /submit-request`: origin chain id to time key to selection. */
export const storageProofSubmitSchema = z
  .object({
    destination_chain_id: z.string().min(1),
    data: z.record(z.record(storageProofTimeKeySchema, storageProofSelectionSchema)),
  })
  .passthrough();

export const storageProofAcceptedSchema = z
  .object({ request_id: wireIdSchema, status: z.string().optional() })
  .passthrough();

export const storageProofQuerySchema = z
  .object({
    internal_id: wireIdSchema,
    status: z.string().min(1),
    typ: z.string().optional(),
    created_at: z.string().nullish(),
    completed_at: z.string().nullish(),
  })
  .passthrough();

export const storageProofQueriesSchema = z.object({ queries: z.array(storageProofQuerySchema) }).passthrough();

/** Reply of `GET /get_actions/{query_id}`; what an action holds is not published. */
export const storageProofActionsSchema = z.object({ actions: z.array(z.unknown()) }).passthrough();

/** Reply of `GET /is-alive`. */
export const storageProofAliveSchema = z.object({ message: z.string() }).passthrough();

export type StorageProofSubmit = z.infer<typeof storageProofSubmitSchema>;
export type StorageProofAccepted = z.infer<typeof storageProofAcceptedSchema>;
export type StorageProofQuery = z.infer<typeof storageProofQuerySchema>;
export type StorageProofQueries = z.infer<typeof storageProofQueriesSchema>;
export type StorageProofActions = z.infer<typeof storageProofActionsSchema>;
export type StorageProofAlive = z.infer<typeof storageProofAliveSchema>;
