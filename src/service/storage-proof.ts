import { z } from "zod";
import type { Address, Hex } from "viem";

import { FIELDS } from "../request/fields.js";
import type { HttpClient, HttpRequestParts, ServiceCallOptions } from "./http/http-client.js";
import { poll, type WaitOptions } from "./http/polling.js";
import { ServiceValidationError, TaskFailedError } from "./http/service-errors.js";
import { wireIdSchema } from "./http/wire.js";

const storageProofAccountSchema = z
  .object({ slots: z.array(z.string()).optional(), props: z.array(z.string()).optional() })
  .passthrough();

/** What is proven of one block. */
const storageProofSelectionSchema = z
  .object({ header: z.array(z.string()).optional(), accounts: z.record(storageProofAccountSchema).optional() })
  .passthrough();

/** `block:<number>` or `timestamp:<unix seconds>`. */
const storageProofTimeKeySchema = z
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

const storageProofQuerySchema = z
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

export interface AwaitRequestOptions extends WaitOptions {
  /** Told of the first list of queries and of each that differs from the one before in ids or statuses. */
  readonly onQueries?: ((queries: readonly StorageProofQuery[]) => void) | undefined;
}

/**
 * The storage proof interface. Its use is charged. Fields of actions and grow orders are not published: those bodies go
 * in and come out as they are.
 */
export interface StorageProof {
  /** `body` from `storageProofRequest`, or any JSON of your own. */
  submitRequest(body: unknown, options?: ServiceCallOptions): Promise<StorageProofAccepted>;
  /** The queries of a request, with their states. */
  getQueries(requestId: string, options?: ServiceCallOptions): Promise<StorageProofQueries>;
  /** `queryId` is a query's `internal_id`. */
  getActions(queryId: string, options?: ServiceCallOptions): Promise<StorageProofActions>;
  /** The grow orders of this account. */
  growOrders(options?: ServiceCallOptions): Promise<unknown>;
  createGrowOrder(body: unknown, options?: ServiceCallOptions): Promise<unknown>;
  /** One grow order. */
  growOrder(id: string, options?: ServiceCallOptions): Promise<unknown>;
  /** Cancels a grow order. */
  cancelGrowOrder(id: string, options?: ServiceCallOptions): Promise<unknown>;
  /** Needs no key. */
  isAlive(options?: ServiceCallOptions): Promise<StorageProofAlive>;
  /** Done when there are queries and all are terminal. Throws a TaskFailedError when one failed. */
  awaitRequest(requestId: string, options?: AwaitRequestOptions): Promise<readonly StorageProofQuery[]>;
}

const KEY = { in: "header", name: "api-key" } as const;

export class StorageProofClient implements StorageProof {
  readonly #http: HttpClient;

  public constructor(http: HttpClient) {
    this.#http = http;
  }

  public async submitRequest(body: unknown, options?: ServiceCallOptions): Promise<StorageProofAccepted> {
    const once =
      "Check in the cloud console of the service whether the request was accepted; submit again only if not.";
    const parts: HttpRequestParts = { method: "POST", path: ["submit-request"], json: body, key: KEY, once };
    return await this.#http.call(parts, (reply) => storageProofAcceptedSchema.parse(reply.json()), options);
  }

  public async getQueries(requestId: string, options?: ServiceCallOptions): Promise<StorageProofQueries> {
    const parts: HttpRequestParts = { method: "GET", path: ["get_queries", requestId], key: KEY };
    return await this.#http.call(parts, (reply) => storageProofQueriesSchema.parse(reply.json()), options);
  }

  public async getActions(queryId: string, options?: ServiceCallOptions): Promise<StorageProofActions> {
    const parts: HttpRequestParts = { method: "GET", path: ["get_actions", queryId], key: KEY };
    return await this.#http.call(parts, (reply) => storageProofActionsSchema.parse(reply.json()), options);
  }

  public async growOrders(options?: ServiceCallOptions): Promise<unknown> {
    return await this.#http.call({ method: "GET", path: ["grow-orders"], key: KEY }, (reply) => reply.json(), options);
  }

  public async createGrowOrder(body: unknown, options?: ServiceCallOptions): Promise<unknown> {
    const once = `Check the list of grow orders (${this.#http.suggest("hdp grow-orders", [])}); create it again only if it is not there.`;
    const parts: HttpRequestParts = { method: "POST", path: ["grow-orders"], json: body, key: KEY, once };
    return await this.#http.call(parts, (reply) => reply.json(), options);
  }

  public async growOrder(id: string, options?: ServiceCallOptions): Promise<unknown> {
    return await this.#http.call(
      { method: "GET", path: ["grow-orders", id], key: KEY },
      (reply) => reply.json(),
      options,
    );
  }

  public async cancelGrowOrder(id: string, options?: ServiceCallOptions): Promise<unknown> {
    const once = `Check the grow order before cancelling again: ${this.#http.suggest("hdp grow-orders show", [id])}`;
    const parts: HttpRequestParts = { method: "POST", path: ["grow-orders", id, "cancel"], key: KEY, once };
    // The reply's shape is not published: no body is an answer as well.
    return await this.#http.call(parts, (reply) => (reply.text.trim() === "" ? null : reply.json()), options);
  }

  public async isAlive(options?: ServiceCallOptions): Promise<StorageProofAlive> {
    const parts: HttpRequestParts = { method: "GET", path: ["is-alive"] };
    return await this.#http.call(parts, (reply) => storageProofAliveSchema.parse(reply.json()), options);
  }

  public async awaitRequest(
    requestId: string,
    options: AwaitRequestOptions = {},
  ): Promise<readonly StorageProofQuery[]> {
    let told: string | undefined;
    const queries = await poll<readonly StorageProofQuery[]>(
      {
        look: async (call) => {
          const seen = (await this.getQueries(requestId, call)).queries;
          const states = JSON.stringify(seen.map((query) => [query.internal_id, query.status]));
          if (states !== told) options.onQueries?.(seen);
          told = states;
          return seen;
        },
        done: (seen) => seen.length > 0 && seen.every((query) => TERMINAL.has(query.status)),
        what: `storage proof request ${requestId}`,
        describe: (seen) =>
          seen.length === 0
            ? "it had no queries yet"
            : `its queries were ${this.#http.quote(seen.map((query) => query.status).join(", "))}`,
        comeBack: `Look at it again with its id: ${this.#http.suggest("hdp proof queries", [requestId])}`,
      },
      options,
    );
    const failed = queries.filter((query) => query.status === FAILED);
    if (failed.length === 0) return queries;
    throw new TaskFailedError({
      code: "HDP-2092",
      message: `storage proof request ${requestId} failed: ${failed.length} of its ${queries.length} queries did.`,
      hints: failed.map(
        (query) =>
          `${this.#http.suggest("hdp proof actions", [query.internal_id])} shows what was done for that query.`,
      ),
    });
  }
}

const FAILED = "FAILED";
const TERMINAL = new Set(["COMPLETED", FAILED]);

type Names<K extends "header" | "account"> = {
  readonly [F in keyof (typeof FIELDS)[K]]: (typeof FIELDS)[K][F] extends { readonly proof: infer N extends string }
    ? N
    : never;
}[keyof (typeof FIELDS)[K]];

/** Account properties that the published clients ask for. */
export type StorageProofAccountProp = Names<"account">;

/** Header fields that the published clients ask for; PROPOSER is a second name of COINBASE. */
export type StorageProofHeaderField = Names<"header"> | "PROPOSER";

/** Names of account properties. */
export const ACCOUNT_PROPS: readonly string[] = Object.values(FIELDS.account).map(({ proof }) => proof);

/** Names of header fields by their position in the header's RLP list. */
const HEADER_NAMES: readonly string[] = Object.values(FIELDS.header).map(({ proof }) => proof);

/** Position of a header field's published name in the header's RLP list; -1 for a name that is not published. */
export function headerPosition(name: string): number {
  return HEADER_NAMES.indexOf(name === "PROPOSER" ? FIELDS.header.beneficiary.proof : name);
}

export interface StorageProofAccount {
  readonly slots?: readonly (Hex | bigint)[];
  readonly props?: readonly StorageProofAccountProp[];
}

/** What is to be proven of one block, given by number or by time (unix seconds). */
export type StorageProofBlock = ({ readonly block: bigint } | { readonly timestamp: bigint }) & {
  readonly header?: readonly StorageProofHeaderField[];
  readonly accounts?: Readonly<Record<Address, StorageProofAccount>>;
};

export interface StorageProofRequest {
  /** As the service names it: `SN_SEPOLIA`; other accepted forms are not published, so it is passed on as given. */
  readonly destinationChainId: string;
  /** By origin chain id. */
  readonly origins: readonly { readonly chainId: bigint; readonly blocks: readonly StorageProofBlock[] }[];
}

/**
 * The body of a storage proof request from its known fields. For fields that are not known here, give
 * `StorageProof.submitRequest` the JSON itself.
 *
 * @example
 * storageProofRequest({
 *   destinationChainId: "SN_SEPOLIA",
 *   origins: [{ chainId: 11155111n, blocks: [{ block: 5150551n, accounts: { "0x17C2…": { slots: [0n] } } }] }],
 * })
 */
export function storageProofRequest(request: StorageProofRequest): StorageProofSubmit {
  const data: StorageProofSubmit["data"] = {};
  for (const [index, origin] of request.origins.entries()) {
    const path = `origins[${index}]`;
    const blocks = (data[origin.chainId.toString()] ??= {});
    if (origin.blocks.length === 0) throw refused(`${path}.blocks`, "no block is given");
    for (const [position, block] of origin.blocks.entries()) {
      const key = "block" in block ? `block:${block.block}` : `timestamp:${block.timestamp}`;
      const place = `${path}.blocks[${position}]`;
      if (key.includes("-")) throw refused(place, `${key} is negative`);
      if (key in blocks) throw refused(place, `${key} of chain ${origin.chainId} is given twice`);
      blocks[key] = selection(block, place);
    }
  }
  if (Object.keys(data).length === 0) throw refused("origins", "nothing is asked for");
  return { destination_chain_id: request.destinationChainId, data };
}

function selection(block: StorageProofBlock, place: string): StorageProofSubmit["data"][string][string] {
  const accounts = Object.entries(block.accounts ?? {}).map(([address, account]) => {
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw refused(`${place}.accounts`, `"${address}" is no address`);
    const slots = account.slots?.map((slot) => slotText(slot, `${place}.accounts.${address}.slots`));
    if ((slots ?? []).length === 0 && (account.props ?? []).length === 0) {
      throw refused(`${place}.accounts.${address}`, "neither slots nor props are given");
    }
    return [
      address,
      {
        ...(slots === undefined ? {} : { slots }),
        ...(account.props === undefined ? {} : { props: [...account.props] }),
      },
    ] as const;
  });
  if (accounts.length === 0 && (block.header ?? []).length === 0) {
    throw refused(place, "neither header fields nor accounts are given");
  }
  return {
    ...(block.header === undefined ? {} : { header: [...block.header] }),
    ...(block.accounts === undefined ? {} : { accounts: Object.fromEntries(accounts) }),
  };
}

function slotText(slot: Hex | bigint, place: string): string {
  if (typeof slot === "bigint") {
    if (slot < 0n || slot >= 1n << 256n) throw refused(place, `${slot} is no slot of 32 bytes`);
    return `0x${slot.toString(16)}`;
  }
  if (!/^0x[0-9a-fA-F]{1,64}$/.test(slot)) throw refused(place, `"${slot}" is no slot of 32 bytes`);
  return slot;
}

function refused(path: string, fault: string): ServiceValidationError {
  return new ServiceValidationError({
    code: "HDP-2024",
    path,
    message: `${fault}.`,
    hints: [
      "A storage proof request names header fields, or accounts with slots or props, per block. Nothing was sent.",
    ],
  });
}
