import { grouped } from "../base/text.js";
import {
  storageProofAcceptedSchema,
  storageProofActionsSchema,
  storageProofQueriesSchema,
} from "../service/storage-proof.js";
import { readAs } from "./body.js";
import { textIn } from "./database.js";
import { proofQueries, proofRequestSchema, queryIn } from "./proof-queries.js";
import { tooLarge, unknownId } from "./refusals.js";
import {
  jsonReply,
  publishedRoutes,
  type Reply,
  type Request,
  type Route,
  textReply,
} from "./route.js";
import type { StorageProofs } from "./storage-proofs.js";
import type { ServerContext } from "./task-service.js";

const EXAMPLE = {
  destination_chain_id: "SN_SEPOLIA",
  data: { "11155111": { "block:0": { header: ["STATE_ROOT"] } } },
} as const;

/** Returns the routes of storage proof requests. */
export function storageProofRoutes(
  context: ServerContext,
  proofs: StorageProofs,
): readonly Route[] {
  return publishedRoutes({
    "POST /submit-request": {
      summary: "Have headers, accounts and slots proven: one query a block",
      body: { type: "json", schemas: [proofRequestSchema], example: EXAMPLE },
      once: true,
      reply: storageProofAcceptedSchema,
      handle: (request) => submitRequest(context, proofs, request),
    },
    "GET /get_queries/{request_id}": {
      summary: "The queries of a request, each with its status",
      reply: storageProofQueriesSchema,
      handle: (request) => queriesReply(context, request),
    },
    "GET /get_actions/{query_id}": {
      summary: "What was done for a query: proven values with their proofs, or why it failed",
      reply: storageProofActionsSchema,
      handle: (request) => actionsReply(context, request),
    },
  });
}

function submitRequest({ limits }: ServerContext, proofs: StorageProofs, { json }: Request): Reply {
  const queries = proofQueries(readAs(proofRequestSchema, json));
  if (queries.length > limits.queries) {
    throw tooLarge(
      `it has ${grouped(queries.length)} queries, more than ${grouped(limits.queries)}`,
    );
  }
  return proofs.accept(queries);
}

function queriesReply(
  { database }: ServerContext,
  { params: { request_id: id = "" } }: Request,
): Reply {
  const rows = database.all("SELECT * FROM proof_query WHERE request = ? ORDER BY number", id);
  if (rows.length === 0) throw unknownId("request", id);
  const queries = rows.map((row) => ({
    internal_id: textIn(row, "id"),
    status: textIn(row, "status"),
    created_at: textIn(row, "created"),
    completed_at: row["completed"],
    typ: queryIn(row).time.split(":")[0],
  }));
  return jsonReply({ queries });
}

function actionsReply(
  { database }: ServerContext,
  { params: { query_id: id = "" } }: Request,
): Reply {
  const row = database.get("SELECT actions FROM proof_query WHERE id = ?", id);
  if (row === undefined) throw unknownId("query", id);
  return textReply(`{"actions":${textIn(row, "actions")}}`, "application/json");
}
