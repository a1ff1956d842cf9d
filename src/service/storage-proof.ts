import { z } from "zod";
import type { Address, Hex } from "viem";

import { type FieldEntry, FIELDS } from "../request/fields.js";
import { open, type Schema, wireIdSchema } from "./data-processor/editions.js";
import { endpointCall } from "./endpoints.js";
import type {
  HttpClient,
  HttpReply,
  HttpRequestParts,
  ServiceCallOptions,
} from "./http/http-client.js";
import { pollService, type PollOptions } from "./http/service-polling.js";
import { quoted, serviceFailure, type ServiceFailure } from "./http/service-errors.js";

/** Body of `POST /submit-request`. */
export interface StorageProofSubmit {
  destination_chain_id: string;
  /** By origin chain id, then by `block:<number>` or `timestamp:<unix seconds>`. */
  data: Record<string, Record<string, StorageProofSelection>>;
}

/** The parts of one block to prove, as sent. */
interface StorageProofSelection {
  header?: string[];
  accounts?: Record<string, { slots?: string[]; props?: string[] }>;
}

/** Reply of `POST /submit-request`. */
export const storageProofAcceptedSchema = open({
  request_id: wireIdSchema,
  status: z.string().optional(),
});

const storageProofQuerySchema = open({
  internal_id: wireIdSchema,
  status: z.string().min(1),
  typ: z.string().optional(),
  created_at: z.string().nullish(),
  completed_at: z.string().nullish(),
});

/** Reply of `GET /get_queries/{request_id}`. */
export const storageProofQueriesSchema = open({ queries: z.array(storageProofQuerySchema) });

/** Reply of `GET /get_actions/{query_id}`; the members of an action are not published. */
export const storageProofActionsSchema = open({ actions: z.array(z.unknown()) });

/** Reply of `GET /is-alive`. */
export const storageProofAliveSchema = open({ message: z.string() });

/** An accepted request. */
export type StorageProofAccepted = z.infer<typeof storageProofAcceptedSchema>;
/** A query of a request: the values of one block. */
export type StorageProofQuery = z.infer<typeof storageProofQuerySchema>;
/** The queries of a request. */
export type StorageProofQueries = z.infer<typeof storageProofQueriesSchema>;
/** What was done for a query. */
export type StorageProofActionList = z.infer<typeof storageProofActionsSchema>;
/** The server's greeting. */
export type StorageProofAlive = z.infer<typeof storageProofAliveSchema>;

/** Options of `StorageProofClient.awaitRequest`. */
export interface AwaitRequestOptions extends PollOptions {
  /** Called with the first list of queries and with each later one with other ids or statuses. */
  readonly onQueries?: ((queries: readonly StorageProofQuery[]) => void) | undefined;
}

/** Client of the storage proof interface, which charges. Actions and grow orders are sent and returned unchanged. */
export class StorageProofClient {
  readonly #http: HttpClient;

  public constructor(http: HttpClient) {
    this.#http = http;
  }

  /** Submits a request. `body` is the result of `storageProofRequest`, or any other JSON. */
  public async submitRequest(
    body: unknown,
    options?: ServiceCallOptions,
  ): Promise<StorageProofAccepted> {
    const once =
      "Check in the cloud console of the service whether the request was accepted; submit again only if not.";
    return await this.#post(
      endpointCall("POST /submit-request"),
      { json: body, once },
      storageProofAcceptedSchema,
      options,
    );
  }

  /** Returns the queries of a request with their statuses. */
  public async getQueries(
    requestId: string,
    options?: ServiceCallOptions,
  ): Promise<StorageProofQueries> {
    return await this.#get(
      endpointCall("GET /get_queries/{request_id}", requestId),
      storageProofQueriesSchema,
      options,
    );
  }

  /** Returns the actions of a query. `queryId` is its `internal_id`. */
  public async getActions(
    queryId: string,
    options?: ServiceCallOptions,
  ): Promise<StorageProofActionList> {
    return await this.#get(
      endpointCall("GET /get_actions/{query_id}", queryId),
      storageProofActionsSchema,
      options,
    );
  }

  /** Returns the service's list of grow orders. */
  public async growOrders(options?: ServiceCallOptions): Promise<unknown> {
    return await this.#get(endpointCall("GET /grow-orders"), z.unknown(), options);
  }

  /** Creates a grow order. May cost money: never repeated automatically when its outcome is unknown. */
  public async createGrowOrder(body: unknown, options?: ServiceCallOptions): Promise<unknown> {
    const once = `Check the list of grow orders (${this.#http.suggest("hdp grow-orders", [])}); create it again only if it is not there.`;
    return await this.#post(
      endpointCall("POST /grow-orders"),
      { json: body, once },
      z.unknown(),
      options,
    );
  }

  /** Returns the service's record of a grow order. */
  public async growOrder(id: string, options?: ServiceCallOptions): Promise<unknown> {
    return await this.#get(endpointCall("GET /grow-orders/{id}", id), z.unknown(), options);
  }

  /** Cancels a grow order. Never repeated automatically when its outcome is unknown. */
  public async cancelGrowOrder(id: string, options?: ServiceCallOptions): Promise<unknown> {
    const once = `Check the grow order before cancelling again: ${this.#http.suggest("hdp grow-orders show", [id])}`;
    return await this.#post(
      endpointCall("POST /grow-orders/{id}/cancel", id),
      { once },
      z.unknown(),
      options,
    );
  }

  /** Returns the server's greeting. Does not need a key. */
  public async isAlive(options?: ServiceCallOptions): Promise<StorageProofAlive> {
    return await this.#http.call(
      endpointCall("GET /is-alive"),
      (reply) => storageProofAliveSchema.parse(reply.json()),
      options,
    );
  }

  async #get<T>(
    call: HttpRequestParts,
    schema: Schema<T>,
    options?: ServiceCallOptions,
  ): Promise<T> {
    return await this.#http.call(call, (reply) => schema.parse(reply.json()), options);
  }

  async #post<T>(
    call: HttpRequestParts,
    body: { readonly json?: unknown; readonly once: string },
    schema: Schema<T>,
    options?: ServiceCallOptions,
  ): Promise<T> {
    // Some replies have no published shape: an empty body is a valid answer.
    const parse = (reply: HttpReply): T =>
      schema.parse(reply.text.trim() === "" ? null : reply.json());
    return await this.#http.call({ ...call, ...body }, parse, options);
  }

  /** Waits until there are queries and all have ended. @throws ServiceFailure (`task-failed`) if one failed */
  public async awaitRequest(
    id: string,
    options: AwaitRequestOptions = {},
  ): Promise<readonly StorageProofQuery[]> {
    const what = `storage proof request ${id}`;
    const listStates = (seen: readonly StorageProofQuery[]): string =>
      seen.map(({ status }) => status).join(", ");
    const queries = await pollService<readonly StorageProofQuery[]>({
      options,
      look: async (call) => (await this.getQueries(id, call)).queries,
      onNew: options.onQueries,
      shownAs: (seen) =>
        JSON.stringify(seen.map(({ internal_id, status }) => [internal_id, status])),
      done: (seen) => seen.length > 0 && seen.every(({ status }) => TERMINAL.has(status)),
      what,
      describe: (seen) =>
        seen.length === 0
          ? "it had no queries yet"
          : `its queries were ${quoted(listStates(seen))}`,
      comeBack: `Look at it again with its id: ${this.#http.suggest("hdp proof queries", [id])}`,
    });
    const failed = queries.filter(({ status }) => status === FAILED);
    if (failed.length === 0) return queries;
    const reason = `${failed.length} of its ${queries.length} queries did`;
    const commands = failed.map(({ internal_id }) =>
      this.#http.suggest("hdp proof actions", [internal_id]),
    );
    const hints = commands.map((command) => `${command} shows what was done for that query.`);
    throw serviceFailure("HDP-2091", { what, reason, tasks: undefined }, { hints });
  }
}

const FAILED = "FAILED";
const TERMINAL = new Set(["COMPLETED", FAILED]);

type Names<K extends "header" | "account"> = {
  readonly [F in keyof (typeof FIELDS)[K]]: (typeof FIELDS)[K][F] extends {
    readonly proof: infer N extends string;
  }
    ? N
    : never;
}[keyof (typeof FIELDS)[K]];

/** The published names of an account's properties. */
export const ACCOUNT_PROPS: readonly string[] = Object.values<FieldEntry>(FIELDS.account).flatMap(
  ({ proof = [] }) => proof,
);

/** Returns the position of a header field's published name in the header's RLP list; -1 for a name that is not published. */
export function headerPosition(name: string): number {
  return HEADER_NAMES.indexOf(name === "PROPOSER" ? FIELDS.header.beneficiary.proof : name);
}

/** By position; undefined for a field that the interface does not have. */
const HEADER_NAMES = Object.values<FieldEntry>(FIELDS.header).map(({ proof }) => proof);

/** The names under which a header's fields are asked for. */
export const HEADER_FIELDS: readonly string[] = [
  ...HEADER_NAMES.filter((name) => name !== undefined),
  "PROPOSER",
];

/** The parts of one account to prove. */
export interface StorageProofAccount {
  readonly slots?: readonly (Hex | bigint)[];
  /** Properties that the published clients request. */
  readonly props?: readonly Names<"account">[];
}

/** The parts of one block to prove. The block is given by number or by time (unix seconds). */
export type StorageProofBlock = ({ readonly block: bigint } | { readonly timestamp: bigint }) & {
  /** Fields that the published clients request; PROPOSER is an alias of COINBASE. */
  readonly header?: readonly (Names<"header"> | "PROPOSER")[];
  readonly accounts?: Readonly<Record<Address, StorageProofAccount>>;
};

/** The blocks to prove, by origin chain. */
export interface StorageProofRequest {
  /** The service's name of the chain: `SN_SEPOLIA`. It is sent unchanged, as other accepted names are not published. */
  readonly destinationChainId: string;
  /** By origin chain id. */
  readonly origins: readonly {
    readonly chainId: bigint;
    readonly blocks: readonly StorageProofBlock[];
  }[];
}

/**
 * Returns the body of a storage proof request from its known fields. For other fields, pass the JSON to
 * `StorageProofClient.submitRequest`.
 * @example
 * storageProofRequest({
 *   destinationChainId: "SN_SEPOLIA",
 *   origins: [{ chainId: 11155111n, blocks: [{ block: 5150551n, accounts: { "0x17C2…": { slots: [0n] } } }] }],
 * })
 */
export function storageProofRequest({
  destinationChainId,
  origins,
}: StorageProofRequest): StorageProofSubmit {
  if (origins.length === 0) throw invalid("origins", "nothing is asked for");
  const data: StorageProofSubmit["data"] = {};
  for (const [index, { chainId, blocks }] of origins.entries()) {
    if (blocks.length === 0) throw invalid(`origins[${index}].blocks`, "no block is given");
    const selections = (data[chainId.toString()] ??= {});
    for (const [position, block] of blocks.entries()) {
      const path = `origins[${index}].blocks[${position}]`;
      const key = "block" in block ? `block:${block.block}` : `timestamp:${block.timestamp}`;
      if (key.includes("-")) throw invalid(path, `${key} is negative`);
      if (key in selections) throw invalid(path, `${key} of chain ${chainId} is given twice`);
      selections[key] = encodeSelection(block, path);
    }
  }
  return { destination_chain_id: destinationChainId, data };
}

function encodeSelection(
  { header = [], accounts = {} }: StorageProofBlock,
  path: string,
): StorageProofSelection {
  const selected = Object.entries(accounts).map(([address, { slots = [], props = [] }]) => {
    const place = `${path}.accounts.${address}`;
    if (!/^0x[0-9a-fA-F]{40}$/.test(address))
      throw invalid(`${path}.accounts`, `"${address}" is not an address`);
    if (slots.length + props.length === 0)
      throw invalid(place, "neither slots nor props are given");
    const texts = slots.map((slot) => slotText(slot, `${place}.slots`));
    const account = {
      ...(slots.length > 0 && { slots: texts }),
      ...(props.length > 0 && { props: [...props] }),
    };
    return [address, account] as const;
  });
  if (header.length + selected.length === 0)
    throw invalid(path, "neither header fields nor accounts are given");
  return {
    ...(header.length > 0 && { header: [...header] }),
    ...(selected.length > 0 && { accounts: Object.fromEntries(selected) }),
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
