import { z } from "zod";

import { formatFelt } from "../../src/base/felt.js";
import type { HttpClient } from "../../src/service/http/http-client.js";
import { felt, StateServerClient } from "../../src/service/state-server.js";

const createdSchema = z.object({ trie_root: felt });
const readSchema = z.object({ key: felt, value: felt.nullable() });

/** A client of a state server with the calls that a run does not make: creating tries and reading values. */
export class FullStateServerClient extends StateServerClient {
  readonly #http: HttpClient;

  public constructor(http: HttpClient) {
    super(http);
    this.#http = http;
  }

  /** Creates a trie of these leaves. Returns its root. */
  public async create(
    label: bigint,
    leaves: readonly (readonly [bigint, bigint])[],
  ): Promise<bigint> {
    const [keys, values] = [
      leaves.map(([key]) => formatFelt(key)),
      leaves.map(([, one]) => formatFelt(one)),
    ];
    const json = { trie_label: formatFelt(label), keys, values };
    const parts = { method: "POST", path: ["create_trie"], json } as const;
    return await this.#http.call(parts, (reply) => createdSchema.parse(reply.json()).trie_root);
  }

  /** Returns the value of a key under a root; undefined where there is none. */
  public async read(label: bigint, root: bigint, key: bigint): Promise<bigint | undefined> {
    const query = {
      trie_label: formatFelt(label),
      trie_root: formatFelt(root),
      key: formatFelt(key),
    };
    const parts = { method: "GET", path: ["read"], query } as const;
    return await this.#http.call(
      parts,
      (reply) => readSchema.parse(reply.json()).value ?? undefined,
    );
  }
}
