import type { Hex } from "viem";
import { z } from "zod";

import { toWord } from "../base/hex.js";
import { jsonText } from "../base/json.js";
import { Limiter } from "../base/turns.js";
import type { Eip1193Provider } from "../base/rpc.js";
import type { Row } from "../base/sqlite.js";
import { grouped, messageOf } from "../base/text.js";
import { provenHeader } from "../chain/blocks.js";
import {
  bigIntOf,
  list,
  quantity,
  RpcClient,
  rpcObject,
  type RpcObject,
} from "../chain/node-rpc.js";
import { verifyAccount, verifySlot } from "../chain/state-proof.js";
import { hdpError } from "../errors/hdp-error.js";
import { type BlockTime, firstBlockAtOrAfter } from "../request/block-reference.js";
import { chainIdentifierOf, type ChainIdentifier } from "../request/chains.js";
import { FIELD_NAMES } from "../request/fields.js";
import {
  ACCOUNT_PROPS,
  headerPosition,
  storageProofAcceptedSchema,
  storageProofActionsSchema,
  storageProofQueriesSchema,
} from "../service/storage-proof.js";
import { readAs } from "./body.js";
import { listReply, textIn } from "./database.js";
import type { Reply, Route } from "./route.js";
import {
  jsonReply,
  routesOf,
  STORAGE_PROOF_KEY,
  textReply,
  tooBusy,
  tooLarge,
  unknownId,
} from "./route.js";
import { chainNamed } from "./task.js";
import type { ServerContext } from "./tasks.js";

/** Returns a schema of text that passes a test. The error quotes the text. */
function textThat(passes: (text: string) => boolean, words: string): z.ZodEffects<z.ZodString> {
  return z.string().refine(passes, (text) => ({ message: `"${text.slice(0, 80)}" is ${words}` }));
}

const chainSchema = textThat((text) => chainNamed(text) !== undefined, "not a known chain");
const isChainId = (text: string): boolean => /^\d+$/.test(text) && chainNamed(text) !== undefined;
const chainIdSchema = textThat(isChainId, "not the id of a known chain");
/** A request names up to 19,000 of them: checks and transformations of zod would take 3 kB of memory for each. */
const slotSchema = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, "not a slot of 32 bytes");
const isAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text);
const addressSchema = textThat(isAddress, "not an address (names are not resolved here)");
const headerFieldSchema = textThat((text) => headerPosition(text) >= 0, "not a header field");
const accountPropSchema = textThat(
  (text) => ACCOUNT_PROPS.includes(text),
  `not one of ${ACCOUNT_PROPS.join(", ")}`,
);
const isTime = (text: string): boolean => /^(block|timestamp):\d+$/.test(text);
const timeSchema = textThat(isTime, "neither block:<number> nor timestamp:<unix seconds>");
const accountSchema = z
  .object({ slots: z.array(slotSchema).default([]), props: z.array(accountPropSchema).default([]) })
  .refine(
    ({ slots, props }) => slots.length + props.length > 0,
    "neither slots nor props are given",
  );
const selectionSchema = z
  .object({
    header: z.array(headerFieldSchema).default([]),
    accounts: z.record(addressSchema, accountSchema).default({}),
  })
  .refine(
    ({ header, accounts }) => header.length + Object.keys(accounts).length > 0,
    "neither header fields nor accounts are given",
  );

/** Body of `POST /submit-request`: origin chain id to time key to selection. */
export const proofRequestSchema = z.object({
  destination_chain_id: chainSchema,
  data: z
    .record(chainIdSchema, z.record(timeSchema, selectionSchema))
    .refine(
      (data) => Object.values(data).some((blocks) => Object.keys(blocks).length > 0),
      "no block is named",
    ),
});

/** The values to prove of one block of one chain. */
const proofQuerySchema = z.object({
  /** Decimal. */
  chainId: z.string(),
  /** `block:<number>` or `timestamp:<unix seconds>`. */
  time: timeSchema,
  selection: selectionSchema,
});
type ProofQuery = z.infer<typeof proofQuerySchema>;

interface StorageProofsOptions extends ServerContext {
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
    const identified = queries.map((query) => ({
      id: newId(),
      query,
      text: JSON.stringify(query),
    }));
    const characters = identified.reduce((sum, { text }) => sum + text.length, 0);
    if (this.#open + characters > MAX_OPEN) {
      const found = `${grouped(this.#open)} characters of queries are not proven yet`;
      throw tooBusy("queries", found, "Send them again once some have ended.");
    }
    return {
      ...jsonReply({ status: "accepted", request_id: id }),
      write: () => {
        const row = { request: id, created: timestamp(), status: "PROCESSING", actions: "[]" };
        for (const one of identified)
          database.insert("proof_query", { ...row, id: one.id, query: one.text });
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
    const open = database.all(
      "SELECT id, query FROM proof_query WHERE status = 'PROCESSING' ORDER BY number",
    );
    for (const row of open)
      this.#begin(textIn(row, "id"), queryIn(row), textIn(row, "query").length);
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
        return await proveQuery(new RpcClient(await providerFor(chain), { signal }), chain, query);
      });
    } catch (error) {
      status = "FAILED";
      actions = [{ kind: "error", error: messageOf(error) }];
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

export function queryIn(row: Row): ProofQuery {
  return proofQuerySchema.parse(JSON.parse(textIn(row, "query")));
}

const EXAMPLE = {
  destination_chain_id: "SN_SEPOLIA",
  data: { "11155111": { "block:0": { header: ["STATE_ROOT"] } } },
} as const;

export function storageProofRoutes(
  { database, limits }: ServerContext,
  proofs: StorageProofs,
): readonly Route[] {
  return routesOf("storage proof", STORAGE_PROOF_KEY, {
    "POST /submit-request": {
      summary: "Have headers, accounts and slots proven: one query a block",
      body: { type: "json", schemas: [proofRequestSchema], example: EXAMPLE },
      once: true,
      reply: storageProofAcceptedSchema,
      handle: ({ json }) => {
        const queries = proofQueries(readAs(proofRequestSchema, json));
        if (queries.length > limits.queries) {
          throw tooLarge(
            `it has ${grouped(queries.length)} queries, more than ${grouped(limits.queries)}`,
          );
        }
        return proofs.accept(queries);
      },
    },
    "GET /get_queries/{request_id}": {
      summary: "The queries of a request, each with its status",
      reply: storageProofQueriesSchema,
      handle: ({ params: { request_id: id = "" } }) => {
        const rows = database.all(
          "SELECT * FROM proof_query WHERE request = ? ORDER BY number",
          id,
        );
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
export function growOrderRoutes({ database, newId, timestamp }: ServerContext): readonly Route[] {
  const found = (id = ""): z.output<typeof growOrderSchema> => {
    const row = database.get("SELECT body FROM grow_order WHERE id = ?", id);
    if (row === undefined) throw unknownId("grow order", id);
    return growOrderSchema.parse(JSON.parse(textIn(row, "body")));
  };
  return routesOf("storage proof", STORAGE_PROOF_KEY, {
    "GET /grow-orders": {
      summary: "List grow orders, newest first",
      reply: z.object({ grow_orders: z.array(growOrderSchema) }),
      handle: () => {
        const select = "SELECT CAST(body AS BLOB) AS item FROM grow_order ORDER BY number DESC";
        return listReply("grow_orders", database.all(select));
      },
    },
    "POST /grow-orders": {
      summary: "Create a grow order. Its fields are not published and are kept as they come",
      body: {
        type: "json",
        schemas: [z.record(z.unknown())],
        example: {},
        maxBytes: MAX_ORDER_BYTES,
      },
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
            database.insert("grow_order", { id, body });
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
            write: () =>
              database.run(
                "UPDATE grow_order SET body = ? WHERE id = ?",
                jsonText(cancelled),
                order.id,
              ),
          };
        },
    },
  });
}

/** An action for a query. Services do not document actions: the members are specific to this server. */
type ProofAction = Readonly<Record<string, unknown>>;

/** Returns the queries of a request, one for each block of each origin chain. */
function proofQueries({ data }: z.output<typeof proofRequestSchema>): readonly ProofQuery[] {
  return Object.entries(data).flatMap(([chainId, blocks]) =>
    Object.entries(blocks).map(([time, selection]) => ({ chainId, time, selection })),
  );
}

const STATE_ROOT = FIELD_NAMES.header.indexOf("state_root");

/** Reads values and verifies them against the block's hash and state root. @throws HdpError of area 4xxx */
async function proveQuery(
  rpc: RpcClient,
  chain: ChainIdentifier,
  query: ProofQuery,
): Promise<readonly ProofAction[]> {
  const number = await blockOf(rpc, chain, query.time);
  const block = await readBlock(rpc, number);
  const { items } = provenHeader(number, block);
  const common = {
    chain_id: query.chainId,
    block_number: number.toString(),
    block_hash: block.fields["hash"],
  };
  const actions: ProofAction[] = [];
  const { header, accounts } = query.selection;
  if (header.length > 0) {
    // Bytes as in the header; null if the block's header does not have the field.
    const fields = Object.fromEntries(
      header.map((name) => [name, items[headerPosition(name)] ?? null]),
    );
    actions.push({ kind: "header", ...common, header_rlp_items: items, fields, verified: true });
  }
  for (const [address, account] of Object.entries(accounts)) {
    const proven = await proveAccount(rpc, number, items[STATE_ROOT] ?? "0x", address, account);
    actions.push({ kind: "account", ...common, ...proven, verified: true });
  }
  return actions;
}

async function proveAccount(
  rpc: RpcClient,
  number: bigint,
  stateRoot: Hex,
  given: string,
  { slots: named, props }: z.output<typeof accountSchema>,
): Promise<ProofAction> {
  const address: Hex = `0x${given.slice(2).toLowerCase()}`;
  const slots = named.map((slot): Hex => `0x${slot.slice(2).toLowerCase().padStart(64, "0")}`);
  const answer = await rpc.call("eth_getProof", [address, slots, quantity(number)]);
  const proof = rpcObject(answer, `account ${address} in block ${number}`);
  const account = verifyAccount(number, stateRoot, address, proof);
  const values = slots.map((slot, position) => {
    // The verifier requires an answer with this slot's proof only.
    const fields = { ...proof.fields, storageProof: [list(proof, "storageProof")[position]] };
    return [
      slot,
      toWord(verifySlot(number, account, address, slot, { ...proof, fields })),
    ] as const;
  });
  const known: Readonly<Record<string, string>> = {
    NONCE: account.nonce.toString(),
    BALANCE: account.balance.toString(),
    STORAGE_ROOT: account.storageRoot,
    CODE_HASH: account.codeHash,
  };
  return {
    account: address,
    props: Object.fromEntries(props.map((name) => [name, known[name]])),
    slots: Object.fromEntries(values),
    proof: { accountProof: list(proof, "accountProof"), storageProof: list(proof, "storageProof") },
  };
}

/** Returns the number of the query's block; for a time, the last block at or before it. */
async function blockOf(rpc: RpcClient, chain: ChainIdentifier, time: string): Promise<bigint> {
  const timeOf = async (at: bigint | "latest"): Promise<BlockTime> => {
    const block = await readBlock(rpc, at);
    return { number: bigIntOf(block, "number"), timestamp: bigIntOf(block, "timestamp") };
  };
  const latest = await timeOf("latest");
  const [kind, number = ""] = time.split(":");
  if (kind === "block") {
    const block = BigInt(number);
    if (block > latest.number) throw hdpError("HDP-4101", { block, chain, head: latest.number });
    return block;
  }
  const timestamp = BigInt(number);
  const next = await firstBlockAtOrAfter(timestamp + 1n, latest, timeOf);
  if (next === undefined) return latest.number;
  if (next.number === 0n) throw hdpError("HDP-4530", { chain, timestamp });
  return next.number - 1n;
}

async function readBlock(rpc: RpcClient, at: bigint | "latest"): Promise<RpcObject> {
  const name = at === "latest" ? at : quantity(at);
  return rpcObject(await rpc.call("eth_getBlockByNumber", [name, false]), `block ${at}`);
}
