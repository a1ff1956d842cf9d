import type { KeyPlacement, EndpointCall } from "./http/http-client.js";

const METHODS = ["GET", "POST", "PATCH"] as const;

/** Method and path of an endpoint, with parameters in braces: `GET /tasks/{uuid}/status`. */
export type EndpointName = `${(typeof METHODS)[number]} /${string}`;

/** When the development server asks for a key: "sometimes" where the handler decides, "when set" where it has its own. */
type KeyRule = "always" | "sometimes" | "when set" | "never";

/** What the client and the development server share of an endpoint, beside its method and path. */
export interface EndpointRow {
  /** Name of the interface. */
  readonly interface: string;
  /** Where the key is sent; undefined for an interface without keys. */
  readonly key: KeyPlacement | undefined;
  readonly keyNeeded: KeyRule;
}

/** Where the data processor, its module registry and the state server take their key. */
export const DATA_PROCESSOR_KEY: KeyPlacement = { in: "header", name: "X-API-KEY" };
const QUERY_KEY: KeyPlacement = { in: "query", name: "apiKey" };
const STORAGE_PROOF_KEY: KeyPlacement = { in: "header", name: "api-key" };

const tasks = (keyNeeded: KeyRule): EndpointRow => ({
  interface: "data processor",
  key: DATA_PROCESSOR_KEY,
  keyNeeded,
});
const batches = (keyNeeded: KeyRule): EndpointRow => ({
  interface: "data processor",
  key: QUERY_KEY,
  keyNeeded,
});
const programs = (keyNeeded: KeyRule): EndpointRow => ({
  interface: "program registry",
  key: QUERY_KEY,
  keyNeeded,
});
const modules = (keyNeeded: KeyRule): EndpointRow => ({
  interface: "module registry",
  key: DATA_PROCESSOR_KEY,
  keyNeeded,
});
const storageProofs: EndpointRow = {
  interface: "storage proof",
  key: STORAGE_PROOF_KEY,
  keyNeeded: "always",
};
const stateServer: EndpointRow = {
  interface: "state server",
  key: DATA_PROCESSOR_KEY,
  keyNeeded: "when set",
};

const indexer: EndpointRow = { interface: "indexer", key: undefined, keyNeeded: "never" };

/** A session's access token. */
export const BEARER_TOKEN: KeyPlacement = { in: "header", name: "authorization", scheme: "Bearer" };
const login: EndpointRow = { interface: "login", key: undefined, keyNeeded: "never" };

/**
 * Every published endpoint, once: clients build their calls from a row (`endpointCall`), and the development server its route.
 * Reading a module task needs no key in the published documents; in the specification every call does.
 */
export const ENDPOINTS = {
  "POST /tasks": tasks("always"),
  "GET /tasks": tasks("never"),
  "POST /tasks/decommitment": tasks("always"),
  "GET /tasks/{uuid}/status": tasks("sometimes"),
  "GET /tasks/{uuid}/details": tasks("sometimes"),
  "GET /tasks/{uuid}/mmrs": tasks("sometimes"),
  "GET /tasks/{uuid}/output_preimage": tasks("sometimes"),
  "GET /tasks/{uuid}/state_transitions": tasks("sometimes"),
  "POST /tasks/{uuid}/retry": tasks("always"),
  "POST /submit-batch": batches("always"),
  "GET /batch-query/{batchId}": batches("never"),
  "POST /submit-program": programs("always"),
  "GET /get-metadata": programs("never"),
  "GET /get-program": programs("never"),
  "POST /modules/upload": modules("always"),
  "GET /modules": modules("never"),
  "GET /modules/{id}": modules("never"),
  "PATCH /modules/{id}": modules("always"),
  "GET /modules/{id}/versions": modules("never"),
  "POST /modules/{id}/publish": modules("always"),
  "POST /modules/{id}/unpublish": modules("always"),
  "POST /submit-request": storageProofs,
  "GET /get_queries/{request_id}": storageProofs,
  "GET /get_actions/{query_id}": storageProofs,
  "GET /grow-orders": storageProofs,
  "POST /grow-orders": storageProofs,
  "GET /grow-orders/{id}": storageProofs,
  "POST /grow-orders/{id}/cancel": storageProofs,
  "POST /create_trie": stateServer,
  "GET /read": stateServer,
  "POST /write": stateServer,
  "POST /get_state_proofs": stateServer,
  "GET /get_trie_root_node_idx": stateServer,
  "GET /block-ranges/get-all-ranges-accumulated-per-chain": indexer,
  "GET /auth/web3/challenge": login,
  "POST /auth/web3/session": login,
  "GET /api-keys": { interface: "login", key: BEARER_TOKEN, keyNeeded: "sometimes" },
  "GET /is-alive": { interface: "this server", key: undefined, keyNeeded: "never" },
} as const satisfies Readonly<Record<EndpointName, EndpointRow>>;

/** A published endpoint. */
export type PublishedEndpoint = keyof typeof ENDPOINTS;

type Parameters<PathT extends string> = PathT extends `${string}{${string}}${infer RestT}`
  ? readonly [id: string, ...Parameters<RestT>]
  : readonly [];

/**
 * Returns method, path and key of a call to an endpoint. The key is left out unless the endpoint always needs one.
 *
 * @param ids the parameters of the path, in order
 * @example endpointCall("GET /tasks/{uuid}/status", id) // { method: "GET", path: ["tasks", id, "status"] }
 */
export function endpointCall<NameT extends PublishedEndpoint>(
  name: NameT,
  ...ids: Parameters<NameT>
): EndpointCall {
  const { key, keyNeeded }: EndpointRow = ENDPOINTS[name];
  const [, path = ""] = name.split(" ");
  let next = 0;
  const segments = path
    .slice(1)
    .split("/")
    .map((segment) => (segment.startsWith("{") ? (ids[next++] ?? "") : segment));
  return {
    method: METHODS.find((method) => name.startsWith(`${method} `)) ?? "GET",
    path: segments,
    ...(key !== undefined && keyNeeded === "always" && { key }),
  };
}
