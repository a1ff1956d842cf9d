import { jsonText } from "../base/json.js";
import type { Eip1193Provider } from "../base/rpc.js";
import { grouped, errorMessage } from "../base/text.js";
import { Limiter } from "../base/turns.js";
import { RpcClient } from "../chain/node-rpc.js";
import { identifyChain, type ChainIdentifier } from "../request/chains.js";
import { textIn } from "./database.js";
import { type ProofQuery, queryIn } from "./proof-queries.js";
import { type ProofAction, proveQuery } from "./prove-query.js";
import { tooBusy } from "./refusals.js";
import { jsonReply, type Reply } from "./route.js";
import type { ServerContext } from "./task-service.js";

interface StorageProofsOptions extends ServerContext {
  readonly providerFor: (chain: ChainIdentifier) => Eip1193Provider | Promise<Eip1193Provider>;
}

/** Maximum number of queries proven in parallel; the others wait. */
const QUERIES_AT_ONCE = 8;
/** Maximum size of unfinished queries, in characters: some 20,000 queries, or two as long as a body. */
const MAX_OPEN = 2 * 2 ** 20;

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

  /** Proves a query, and records its end. */
  async #prove(id: string, query: ProofQuery): Promise<void> {
    const { providerFor, timestamp, database, onFailure } = this.#options;
    const chain = identifyChain(BigInt(query.chainId));
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
      actions = [{ kind: "error", error: errorMessage(error) }];
    }
    if (signal.aborted) return;
    const text = jsonText(actions);
    const end = (): void => {
      database.run(
        "UPDATE proof_query SET status = ?, completed = ?, actions = ? WHERE id = ?",
        status,
        timestamp(),
        text,
        id,
      );
      database.forget("proof_query", text.length);
    };
    await database.keep(end, { signal, onFailure });
  }
}
