import { z } from "zod";

import type { Row } from "../base/sqlite.js";
import type { Eip1193Provider } from "../base/rpc.js";
import { jsonText } from "../base/json.js";
import { Limiter } from "../base/turns.js";
import { grouped } from "../base/text.js";
import { chainIdentifierOf, type ChainIdentifier } from "../request/chains.js";
import {
  storageProofAcceptedSchema,
  storageProofActionsSchema,
  storageProofQueriesSchema,
} from "../service/storage-proof.js";
import { readAs } from "./body.js";
import { listReply, type ServerDatabase, textIn } from "./database.js";
import {
  type ProofAction,
  proofQueries,
  type ProofQuery,
  proofQuerySchema,
  proofRequestSchema,
  proveQuery,
} from "./prove-query.js";
import { tooBusy, tooLarge, unknownId } from "./refusals.js";
import { jsonReply, type Reply, type Route, routesOf, STORAGE_PROOF_KEY, textReply } from "./route.js";
import type { TasksOptions } from "./tasks.js";

export interface StorageProofsOptions extends Pick<TasksOptions, "database" | "timestamp" | "newId" | "onFailure"> {
  readonly providerFor: (chain: ChainIdentifier) => Eip1193Provider | Promise<Eip1193Provider>;
}

/** Maximum number of queries proven in parallel; the others wait. */
const QUERIES_AT_ONCE = 8;
/** Maximum size of unfinished queries, in characters: some 20,000 queries, or two as long as a body. */
const MAX_OPEN = 2 * 2 ** 20;
const MAX_ORDER_BYTES = 16 * 2 ** 10;

/** Storage proof requests: proves their queries, and reports their states. */
export class StorageProofs {
  readonly #options: StorageProofsOptions;
  readonly #limiter = new Limiter(QUERIES_AT_ONCE);
  readonly #closing = new AbortController();
  /** Size of the queries that are not proven yet, in characters. */
  #open = 0;

  public constructor(options: StorageProofsOptions) {
    this.#options = options;
  }

  /** Returns the reply to a new request, which writes the queries and begins to prove them. */
  public accept(queries: readonly ProofQuery[]): Reply {
    const { database, newId, timestamp } = this.#options;
    const id = newId();
    const identified = queries.map((query) => ({ id: newId(), query, text: JSON.stringify(query) }));
    const characters = identified.reduce((sum, { text }) => sum + text.length, 0);
    if (this.#open + characters > MAX_OPEN) {
      const found = `${grouped(this.#open)} characters of queries are not proven yet`;
      throw tooBusy("queries", found, "Send them again once some have ended.");
    }
    return {
      ...jsonReply({ status: "accepted", request_id: id }),
      write: () => {
        for (const one of identified) {
          database.run(
            "INSERT INTO proof_query (id, request, query, created, status, actions) VALUES (?, ?, ?, ?, 'PROCESSING', '[]')",
            ...[one.id, id, one.text, timestamp()],
          );
        }
        database.forget("proof_query", characters);
      },
      begin: () => {
        for (const one of identified) this.#begin(one.id, one.query, one.text.length);
      },
    };
  }

  /** Continues the queries that an earlier server did not finish. */
  public resume(): void {
    const { database } = this.#options;
    const open = database.all("SELECT id, query FROM proof_query WHERE status = 'PROCESSING' ORDER BY number");
    for (const row of open) this.#begin(textIn(row, "id"), queryIn(row), textIn(row, "query").length);
  }

  /** Aborts open queries without waiting for the node. The next server with the data folder restarts them. */
  public close(): void {
    this.#closing.abort(new Error("the server is closing"));
  }

  #begin(id: string, query: ProofQuery, characters: number): void {
    this.#open += characters;
    this.#prove(id, query)
      // Fails only where the database cannot be written: every later request reports that.
      .catch(() => undefined)
      .finally(() => (this.#open -= characters));
  }

  async #prove(id: string, query: ProofQuery): Promise<void> {
    const { providerFor, timestamp, database, onFailure } = this.#options;
    const chain = chainIdentifierOf(BigInt(query.chainId));
    if (chain === undefined) return;
    let status = "COMPLETED";
    let actions: readonly ProofAction[];
    const { signal } = this.#closing;
    try {
      actions = await this.#limiter.run(async () => {
        signal.throwIfAborted();
        return await proveQuery(await providerFor(chain), chain, query, signal);
      });
    } catch (error) {
      status = "FAILED";
      actions = [{ kind: "error", error: error instanceof Error ? error.message : String(error) }];
    }
    if (signal.aborted) return;
    const text = jsonText(actions);
    const end = (): void => {
      database.run(
        "UPDATE proof_query SET status = ?, completed = ?, actions = ? WHERE id = ?",
        ...[status, timestamp(), text, id],
      );
      database.forget("proof_query", text.length);
    };
    await database.keep(end, { signal, onFailure });
  }
}

function queryIn(row: Row): ProofQuery {
  return proofQuerySchema.parse(JSON.parse(textIn(row, "query")));
}

const EXAMPLE = {
  destination_chain_id: "SN_SEPOLIA",
  data: { "11155111": { "block:0": { header: ["STATE_ROOT"] } } },
} as const;

export function storageProofRoutes(
  proofs: StorageProofs,
  database: ServerDatabase,
  maxQueries: number,
): readonly Route[] {
  return routesOf("storage proof", STORAGE_PROOF_KEY, {
    "POST /submit-request": {
      summary: "Have headers, accounts and slots proven: one query a block",
      body: { type: "json", schemas: [proofRequestSchema], example: EXAMPLE },
      once: true,
      reply: storageProofAcceptedSchema,
      handle: ({ json }) => {
        const queries = proofQueries(readAs(proofRequestSchema, json));
        if (queries.length > maxQueries) {
          throw tooLarge(`it has ${grouped(queries.length)} queries, more than ${grouped(maxQueries)}`);
        }
        return proofs.accept(queries);
      },
    },
    "GET /get_queries/{request_id}": {
      summary: "The queries of a request, each with its status",
      reply: storageProofQueriesSchema,
      handle: ({ params: { request_id: id = "" } }) => {
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
      },
    },
    "GET /get_actions/{query_id}": {
      summary: "What was done for a query: proven values with their proofs, or why it failed",
      reply: storageProofActionsSchema,
      handle: ({ params: { query_id: id = "" } }) => {
        const row = database.get("SELECT actions FROM proof_query WHERE id = ?", id);
        if (row === undefined) throw unknownId("query", id);
        return textReply(`{"actions":${textIn(row, "actions")}}`, "application/json");
      },
    },
  });
}

const growOrderSchema = z.object({
  id: z.string(),
  status: z.enum(["OPEN", "CANCELLED"]),
  created_at: z.string(),
  cancelled_at: z.string().nullable(),
  order: z.record(z.unknown()),
});

/** Returns the routes of grow orders, which only records and cancels them: the server does not have an MMR. */
export function growOrderRoutes({ database, newId, timestamp }: StorageProofsOptions): readonly Route[] {
  const found = (id = ""): z.output<typeof growOrderSchema> => {
    const row = database.get("SELECT body FROM grow_order WHERE id = ?", id);
    if (row === undefined) throw unknownId("grow order", id);
    return growOrderSchema.parse(JSON.parse(textIn(row, "body")));
  };
  return routesOf("storage proof", STORAGE_PROOF_KEY, {
    "GET /grow-orders": {
      summary: "List grow orders, newest first",
      reply: z.object({ grow_orders: z.array(growOrderSchema) }),
      handle: () =>
        listReply(
          "grow_orders",
          database.all("SELECT CAST(body AS BLOB) AS item FROM grow_order ORDER BY number DESC"),
        ),
    },
    "POST /grow-orders": {
      summary: "Create a grow order. Its fields are not published and are kept as they come",
      body: { type: "json", schemas: [z.record(z.unknown())], example: {}, maxBytes: MAX_ORDER_BYTES },
      once: true,
      reply: growOrderSchema,
      handle: ({ json }) => {
        const id = newId();
        const order = readAs(z.record(z.unknown()), json);
        const created = { id, status: "OPEN", created_at: timestamp(), cancelled_at: null, order };
        return {
          ...jsonReply(created),
          write: () => {
            const body = jsonText(created);
            database.run("INSERT INTO grow_order (id, body) VALUES (?, ?)", id, body);
            database.forget("grow_order", body.length);
          },
        };
      },
    },
    "GET /grow-orders/{id}": {
      summary: "One grow order",
      reply: growOrderSchema,
      handle: ({ params }) => jsonReply(found(params["id"])),
    },
    "POST /grow-orders/{id}/cancel": {
      summary: "Cancel a grow order",
      reply: growOrderSchema,
      handle:
        ({ params }) =>
        () => {
          const order = found(params["id"]);
          if (order.status === "CANCELLED") return jsonReply(order);
          const cancelled = { ...order, status: "CANCELLED", cancelled_at: timestamp() };
          return {
            ...jsonReply(cancelled),
            write: () => database.run("UPDATE grow_order SET body = ? WHERE id = ?", jsonText(cancelled), order.id),
          };
        },
    },
  });
}
