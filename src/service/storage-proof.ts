import { z } from "zod";
import type { Address, Hex } from "viem";

import { FIELDS } from "../request/fields.js";
import { open, wireIdSchema } from "./data-processor/module-tasks-edition.js";
import type { HttpClient, HttpReply, ServiceCallOptions } from "./http/http-client.js";
import { poll, type PollOptions } from "./http/polling.js";
import { quoted } from "./http/secrets.js";
import { serviceFailure, type ServiceFailure } from "./http/service-errors.js";

/** The parts of one block that are proven. */
const storageProofSelectionSchema = open({
  header: z.array(z.string()).optional(),
  accounts: z.record(open({ slots: z.array(z.string()).optional(), props: z.array(z.string()).optional() })).optional(),
});

/** `block:<number>` or `timestamp:<unix seconds>`. */
const storageProofTimeKeySchema = z
  .string()
  .regex(/^(block|timestamp):\d+$/, "expected block:<number> or timestamp:<unix seconds>");

/** Body of `POST /submit-request`: origin chain id to time key to selection. */
export const storageProofSubmitSchema = open({
  destination_chain_id: z.string().min(1),
  data: z.record(z.record(storageProofTimeKeySchema, storageProofSelectionSchema)),
});

export const storageProofAcceptedSchema = open({ request_id: wireIdSchema, status: z.string().optional() });

const storageProofQuerySchema = open({
  internal_id: wireIdSchema,
  status: z.string().min(1),
  typ: z.string().optional(),
  created_at: z.string().nullish(),
  completed_at: z.string().nullish(),
});

export const storageProofQueriesSchema = open({ queries: z.array(storageProofQuerySchema) });

/** Reply of `GET /get_actions/{query_id}`; the members of an action are not published. */
export const storageProofActionsSchema = open({ actions: z.array(z.unknown()) });

/** Reply of `GET /is-alive`. */
export const storageProofAliveSchema = open({ message: z.string() });

export type StorageProofSubmit = z.infer<typeof storageProofSubmitSchema>;
export type StorageProofAccepted = z.infer<typeof storageProofAcceptedSchema>;
export type StorageProofQuery = z.infer<typeof storageProofQuerySchema>;
export type StorageProofQueries = z.infer<typeof storageProofQueriesSchema>;
export type StorageProofActionList = z.infer<typeof storageProofActionsSchema>;
export type StorageProofAlive = z.infer<typeof storageProofAliveSchema>;

export interface AwaitRequestOptions extends PollOptions {
  /** Called with the first list of queries and with each later one with other ids or statuses. */
  readonly onQueries?: ((queries: readonly StorageProofQuery[]) => void) | undefined;
}

/**
 * Client of the storage proof interface, which charges for its use. The fields of actions and grow orders are not
 * published: their bodies are sent and returned unchanged.
 */
export class StorageProofClient {
  readonly #http: HttpClient;

  public constructor(http: HttpClient) {
    this.#http = http;
  }

  /** Submits a request. `body` is the result of `storageProofRequest`, or any other JSON. */
  public async submitRequest(body: unknown, options?: ServiceCallOptions): Promise<StorageProofAccepted> {
    const once =
      "Check in the cloud console of the service whether the request was accepted; submit again only if not.";
    return await this.#post(["submit-request"], { json: body, once }, storageProofAcceptedSchema, options);
  }

  /** Returns the queries of a request, with their states. */
  public async getQueries(requestId: string, options?: ServiceCallOptions): Promise<StorageProofQueries> {
    return await this.#get(["get_queries", requestId], storageProofQueriesSchema, options);
  }

  /** Returns the actions of a query. `queryId` is its `internal_id`. */
  public async getActions(queryId: string, options?: ServiceCallOptions): Promise<StorageProofActionList> {
    return await this.#get(["get_actions", queryId], storageProofActionsSchema, options);
  }

  /** Returns the grow orders of this account. */
  public async growOrders(options?: ServiceCallOptions): Promise<unknown> {
    return await this.#get(["grow-orders"], z.unknown(), options);
  }

  public async createGrowOrder(body: unknown, options?: ServiceCallOptions): Promise<unknown> {
    const once = `Check the list of grow orders (${this.#http.suggest("hdp grow-orders", [])}); create it again only if it is not there.`;
    return await this.#post(["grow-orders"], { json: body, once }, z.unknown(), options);
  }

  /** Returns one grow order. */
  public async growOrder(id: string, options?: ServiceCallOptions): Promise<unknown> {
    return await this.#get(["grow-orders", id], z.unknown(), options);
  }

  /** Cancels a grow order. */
  public async cancelGrowOrder(id: string, options?: ServiceCallOptions): Promise<unknown> {
    const once = `Check the grow order before cancelling again: ${this.#http.suggest("hdp grow-orders show", [id])}`;
    return await this.#post(["grow-orders", id, "cancel"], { once }, z.unknown(), options);
  }

  /** Returns the server's greeting. Does not need a key. */
  public async isAlive(options?: ServiceCallOptions): Promise<StorageProofAlive> {
    const parts = { method: "GET", path: ["is-alive"] } as const;
    return await this.#http.call(parts, (reply) => storageProofAliveSchema.parse(reply.json()), options);
  }

  async #get<T>(path: readonly string[], schema: Schema<T>, options?: ServiceCallOptions): Promise<T> {
    const parts = { method: "GET", path, key: KEY } as const;
    return await this.#http.call(parts, (reply) => schema.parse(reply.json()), options);
  }

  async #post<T>(
    path: readonly string[],
    body: { readonly json?: unknown; readonly once: string },
    schema: Schema<T>,
    options?: ServiceCallOptions,
  ): Promise<T> {
    // Some replies have no published shape: an empty body is a valid answer.
    const parse = (reply: HttpReply): T => schema.parse(reply.text.trim() === "" ? null : reply.json());
    return await this.#http.call({ method: "POST", path, key: KEY, ...body }, parse, options);
  }

  /** Waits until there are queries and all have ended. Throws a ServiceFailure (`task-failed`) if one failed. */
  public async awaitRequest(
    requestId: string,
    options: AwaitRequestOptions = {},
  ): Promise<readonly StorageProofQuery[]> {
    let shown: string | undefined;
    const statuses = (queries: readonly StorageProofQuery[]): string => queries.map(({ status }) => status).join(", ");
    const queries = await poll<readonly StorageProofQuery[]>(
      {
        look: async (call) => {
          const seen = (await this.getQueries(requestId, call)).queries;
          const states = JSON.stringify(seen.map(({ internal_id, status }) => [internal_id, status]));
          if (states !== shown) options.onQueries?.(seen);
          shown = states;
          return seen;
        },
        done: (seen) => seen.length > 0 && seen.every(({ status }) => TERMINAL.has(status)),
        what: `storage proof request ${requestId}`,
        describe: (seen) =>
          seen.length === 0 ? "it had no queries yet" : `its queries were ${quoted(statuses(seen))}`,
        comeBack: `Look at it again with its id: ${this.#http.suggest("hdp proof queries", [requestId])}`,
      },
      options,
    );
    const failed = queries.filter(({ status }) => status === FAILED);
    if (failed.length === 0) return queries;
    const reason = `${failed.length} of its ${queries.length} queries did`;
    const commands = failed.map(({ internal_id }) => this.#http.suggest("hdp proof actions", [internal_id]));
    const hints = commands.map((command) => `${command} shows what was done for that query.`);
    throw serviceFailure(
      "HDP-2091",
      { what: `storage proof request ${requestId}`, reason, next: undefined },
      { hints },
    );
  }
}

type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

const KEY = { in: "header", name: "api-key" } as const;
const FAILED = "FAILED";
const TERMINAL = new Set(["COMPLETED", FAILED]);

type Names<K extends "header" | "account"> = {
  readonly [F in keyof (typeof FIELDS)[K]]: (typeof FIELDS)[K][F] extends { readonly proof: infer N extends string }
    ? N
    : never;
}[keyof (typeof FIELDS)[K]];

/** Account properties that the published clients request. */
export type StorageProofAccountProp = Names<"account">;

/** Header fields that the published clients request; PROPOSER is an alias of COINBASE. */
export type StorageProofHeaderField = Names<"header"> | "PROPOSER";

/** Names of account properties. */
export const ACCOUNT_PROPS: readonly string[] = Object.values(FIELDS.account).map(({ proof }) => proof);

/** Names of header fields by their position in the header's RLP list. */
const HEADER_NAMES: readonly string[] = Object.values(FIELDS.header).map(({ proof }) => proof);

/** Returns the position of a header field's published name in the header's RLP list; -1 for a name that is not published. */
export function headerPosition(name: string): number {
  return HEADER_NAMES.indexOf(name === "PROPOSER" ? FIELDS.header.beneficiary.proof : name);
}

export interface StorageProofAccount {
  readonly slots?: readonly (Hex | bigint)[];
  readonly props?: readonly StorageProofAccountProp[];
}

/** The parts of one block to prove. The block is given by number or by time (unix seconds). */
export type StorageProofBlock = ({ readonly block: bigint } | { readonly timestamp: bigint }) & {
  readonly header?: readonly StorageProofHeaderField[];
  readonly accounts?: Readonly<Record<Address, StorageProofAccount>>;
};

export interface StorageProofRequest {
  /** The service's name of the chain: `SN_SEPOLIA`. It is sent unchanged, as other accepted names are not published. */
  readonly destinationChainId: string;
  /** By origin chain id. */
  readonly origins: readonly { readonly chainId: bigint; readonly blocks: readonly StorageProofBlock[] }[];
}

/**
 * Returns the body of a storage proof request from its known fields. For other fields, pass the JSON to
 * `StorageProofClient.submitRequest`.
 *
 * @example
 * storageProofRequest({
 *   destinationChainId: "SN_SEPOLIA",
 *   origins: [{ chainId: 11155111n, blocks: [{ block: 5150551n, accounts: { "0x17C2…": { slots: [0n] } } }] }],
 * })
 */
export function storageProofRequest(request: StorageProofRequest): StorageProofSubmit {
  const data: StorageProofSubmit["data"] = {};
  for (const [index, { chainId, blocks }] of request.origins.entries()) {
    if (blocks.length === 0) throw invalid(`origins[${index}].blocks`, "no block is given");
    const selections = (data[chainId.toString()] ??= {});
    for (const [position, block] of blocks.entries()) {
      const path = `origins[${index}].blocks[${position}]`;
      const key = "block" in block ? `block:${block.block}` : `timestamp:${block.timestamp}`;
      if (key.includes("-")) throw invalid(path, `${key} is negative`);
      if (key in selections) throw invalid(path, `${key} of chain ${chainId} is given twice`);
      selections[key] = selectionOf(block, path);
    }
  }
  if (Object.keys(data).length === 0) throw invalid("origins", "nothing is asked for");
  return { destination_chain_id: request.destinationChainId, data };
}

function selectionOf(
  { header, accounts }: StorageProofBlock,
  path: string,
): StorageProofSubmit["data"][string][string] {
  const entries = Object.entries(accounts ?? {}).map(([address, account]) => {
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw invalid(`${path}.accounts`, `"${address}" is not an address`);
    return [address, accountOf(account, `${path}.accounts.${address}`)] as const;
  });
  if (entries.length === 0 && (header ?? []).length === 0) {
    throw invalid(path, "neither header fields nor accounts are given");
  }
  return { ...(header && { header: [...header] }), ...(accounts && { accounts: Object.fromEntries(entries) }) };
}

function accountOf({ slots, props }: StorageProofAccount, path: string): { slots?: string[]; props?: string[] } {
  if ((slots ?? []).length === 0 && (props ?? []).length === 0)
    throw invalid(path, "neither slots nor props are given");
  return {
    ...(slots && { slots: slots.map((slot) => slotText(slot, `${path}.slots`)) }),
    ...(props && { props: [...props] }),
  };
}

function slotText(slot: Hex | bigint, path: string): string {
  const text = typeof slot === "bigint" ? `0x${slot.toString(16)}` : slot;
  if (/^0x[0-9a-fA-F]{1,64}$/.test(text)) return text;
  throw invalid(path, `${typeof slot === "bigint" ? slot : `"${slot}"`} is not a slot of 32 bytes`);
}

function invalid(path: string, reason: string): ServiceFailure {
  return serviceFailure("HDP-2024", { reason }, { path });
}
