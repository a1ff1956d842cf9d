import { z } from "zod";

import {
  storageProofAcceptedSchema,
  storageProofActionsSchema,
  storageProofQueriesSchema,
  storageProofSubmitSchema,
} from "../../service/storage-proof.js";
import { parsedAs } from "../body.js";
import { FrontProblem, jsonReply } from "../front-problem.js";
import { IdempotencyKeys, idempotencyOf } from "../idempotency-keys.js";
import { type Route, STORAGE_PROOF_KEY } from "../router.js";
import { type GrowOrder, type GrowOrders, growOrderSchema } from "../storage-proof/grow-orders.js";
import { proofQueries } from "../storage-proof/parse-proof-request.js";
import type { ProofBook } from "../storage-proof/proof-book.js";

export interface StorageProofRouteOptions {
  readonly proofs: ProofBook;
  readonly growOrders: GrowOrders;
  readonly newId: () => string;
  readonly timestamp: () => string;
}

const common = { interface: "storage proof", key: STORAGE_PROOF_KEY } as const;
const EXAMPLE = {
  destination_chain_id: "SN_SEPOLIA",
  data: { "11155111": { "block:0": { header: ["STATE_ROOT"] } } },
} as const;

/** Storage proof requests: submitted, then read as queries and their actions. */
export function storageProofRoutes({ proofs, newId }: StorageProofRouteOptions): readonly Route[] {
  const keys = new IdempotencyKeys((key) => proofs.findByKey(key));
  return [
    {
      ...common,
      method: "POST",
      path: "/submit-request",
      summary: "Have headers, accounts and slots proven: one query a block",
      body: { type: "json", schema: storageProofSubmitSchema, example: EXAMPLE },
      reply: storageProofAcceptedSchema,
      handle: async (request) => {
        const body = parsedAs(storageProofSubmitSchema, request.json);
        const idempotency = idempotencyOf(request, "/submit-request");
        const { record } = await keys.once(idempotency, async () => ({
          record: await proofs.accept(proofQueries(body, newId), idempotency),
        }));
        return jsonReply(200, { status: "accepted", request_id: record });
      },
    },
    {
      ...common,
      method: "GET",
      path: "/get_queries/{request_id}",
      summary: "The queries of a request, each with its status",
      reply: storageProofQueriesSchema,
      handle: ({ params }) => {
        const id = params["request_id"] ?? "";
        const queries = proofs.request(id);
        if (queries === undefined) throw unknown("request", id);
        return jsonReply(200, {
          queries: queries.map(({ query, status, createdAt, completedAt }) => ({
            ...{ internal_id: query.id, status, created_at: createdAt, completed_at: completedAt },
            typ: query.block === undefined ? "timestamp" : "block",
          })),
        });
      },
    },
    {
      ...common,
      method: "GET",
      path: "/get_actions/{query_id}",
      summary: "What was done for a query: proven values with their proofs, or why it failed",
      reply: storageProofActionsSchema,
      handle: ({ params }) => {
        const id = params["query_id"] ?? "";
        const record = proofs.query(id);
        if (record === undefined) throw unknown("query", id);
        return jsonReply(200, { actions: record.actions });
      },
    },
  ];
}

/** Grow orders. */
export function growOrderRoutes({ growOrders, newId, timestamp }: StorageProofRouteOptions): readonly Route[] {
  const keys = new IdempotencyKeys((key) => growOrders.findByKey(key));
  const found = (id = ""): GrowOrder => {
    const order = growOrders.find(id);
    if (order === undefined) throw unknown("grow order", id);
    return order;
  };
  return [
    {
      ...common,
      method: "GET",
      path: "/grow-orders",
      summary: "List grow orders, newest first",
      reply: z.object({ grow_orders: z.array(growOrderSchema) }),
      handle: () => jsonReply(200, { grow_orders: growOrders.list() }),
    },
    {
      ...common,
      method: "POST",
      path: "/grow-orders",
      summary: "Create a grow order; its fields are not published and are kept as they come",
      body: { type: "json", schema: z.record(z.unknown()), example: {} },
      reply: growOrderSchema,
      handle: async (request) => {
        const order = parsedAs(z.record(z.unknown()), request.json);
        const idempotency = idempotencyOf(request, "/grow-orders");
        const { record } = await keys.once(idempotency, async () => ({
          record: await growOrders.create(newId(), timestamp(), order, idempotency),
        }));
        return jsonReply(200, record);
      },
    },
    {
      ...common,
      method: "GET",
      path: "/grow-orders/{id}",
      summary: "One grow order",
      reply: growOrderSchema,
      handle: ({ params }) => jsonReply(200, found(params["id"])),
    },
    {
      ...common,
      method: "POST",
      path: "/grow-orders/{id}/cancel",
      summary: "Cancel a grow order",
      reply: growOrderSchema,
      handle: async ({ params }) => jsonReply(200, await growOrders.cancel(found(params["id"]), timestamp())),
    },
  ];
}

function unknown(what: string, id: string): FrontProblem {
  return new FrontProblem({ code: "HDP-4519", status: 404, message: `no ${what} ${id} is known.` });
}
