import type { Eip1193Provider } from "../../base/rpc.js";
import { chainIdentifierOf, type ChainIdentifier } from "../../request/chains.js";
import { keep, type FrontLog } from "../front-log.js";
import type { Keyed } from "../idempotency-keys.js";
import type { Idempotency } from "../task-record.js";
import type { ProofEntry, ProofQuery, ProofQueryRecord, QueryStatus } from "./proof-record.js";
import { proveSelection } from "./prove-selection.js";

export interface ProofBookOptions {
  readonly providerFor: (chain: ChainIdentifier) => Eip1193Provider | Promise<Eip1193Provider>;
  readonly log: FrontLog;
  readonly timestamp: () => string;
  readonly newId: () => string;
  /** Told of what cannot be kept; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

/** Requests that can still be asked about; older ones that ended are forgotten. */
const REMEMBERED = 10_000;

/** All storage proof requests of a front: proves their queries, and knows how each stands. */
export class ProofBook {
  readonly #options: ProofBookOptions;
  readonly #requests = new Map<string, readonly ProofQueryRecord[]>();
  readonly #queries = new Map<string, ProofQueryRecord>();
  readonly #byKey = new Map<string, Keyed<string>>();
  readonly #closing = new AbortController();

  public constructor(options: ProofBookOptions) {
    this.#options = options;
  }

  /** Accepts a request; it will not be lost when the promise resolves with its id. */
  public async accept(queries: readonly ProofQuery[], idempotency?: Idempotency): Promise<string> {
    const { newId, timestamp, log } = this.#options;
    const entry: AcceptedEntry = {
      ...{ type: "proof", id: newId(), createdAt: timestamp(), queries: [...queries] },
      ...(idempotency === undefined ? {} : { idempotency }),
    };
    await log.append(entry);
    this.#add(entry);
    this.#workOn(queries);
    return entry.id;
  }

  /** The id of the request that was accepted under a key. */
  public findByKey(key: string): Keyed<string> | undefined {
    return this.#byKey.get(key);
  }

  public request(id: string): readonly ProofQueryRecord[] | undefined {
    return this.#requests.get(id);
  }

  public query(id: string): ProofQueryRecord | undefined {
    return this.#queries.get(id);
  }

  /** Puts back what a log remembers. */
  public replay(entry: ProofEntry): void {
    if (entry.type === "proof") {
      this.#add(entry);
      return;
    }
    const record = this.#queries.get(entry.query);
    if (record !== undefined) finish(record, entry.status, entry.completedAt, entry.actions);
  }

  /** Goes on with what was under way. */
  public resume(): void {
    this.#workOn([...this.#queries.values()].filter(isOpen).map(({ query }) => query));
  }

  /** Gives up what is under way; it is begun again when the log is opened again. A silent node is not waited for. */
  public close(): void {
    this.#closing.abort(new Error("the server is closing"));
  }

  #add({ id, createdAt, queries, idempotency }: AcceptedEntry): void {
    const records = queries.map((query): ProofQueryRecord => ({
      query,
      createdAt,
      status: "PROCESSING",
      completedAt: null,
      actions: [],
    }));
    this.#requests.set(id, records);
    if (idempotency !== undefined) this.#byKey.set(idempotency.key, { digest: idempotency.digest, record: id });
    for (const record of records) this.#queries.set(record.query.id, record);
    if (this.#requests.size <= REMEMBERED) return;
    for (const [old, known] of this.#requests) {
      if (known.some(isOpen)) continue;
      this.#requests.delete(old);
      for (const { query } of known) this.#queries.delete(query.id);
      for (const [key, { record }] of this.#byKey) if (record === old) this.#byKey.delete(key);
      break;
    }
  }

  #workOn(queries: readonly ProofQuery[]): void {
    for (const query of queries) {
      // Only a log that cannot be written fails here: every later request then says so.
      this.#prove(query).catch(() => undefined);
    }
  }

  async #prove(query: ProofQuery): Promise<void> {
    const { providerFor, timestamp, log, onFailure } = this.#options;
    const { signal } = this.#closing;
    const record = this.#queries.get(query.id);
    const chain = chainIdentifierOf(BigInt(query.chainId));
    if (record === undefined || chain === undefined) return;
    let status: "COMPLETED" | "FAILED" = "COMPLETED";
    let actions: ProofQueryRecord["actions"];
    try {
      actions = await proveSelection(await providerFor(chain), query, signal);
    } catch (error) {
      status = "FAILED";
      actions = [{ kind: "error", error: error instanceof Error ? error.message : String(error) }];
    }
    if (signal.aborted) return;
    const completedAt = timestamp();
    finish(record, status, completedAt, actions);
    const entry: ProofEntry = { type: "proof-ended", query: query.id, status, completedAt, actions: [...actions] };
    await keep(log, entry, { signal, onFailure });
  }
}

type AcceptedEntry = Extract<ProofEntry, { type: "proof" }>;

function isOpen(record: ProofQueryRecord): boolean {
  return record.status === "PROCESSING";
}

function finish(
  record: ProofQueryRecord,
  status: QueryStatus,
  completedAt: string,
  actions: ProofQueryRecord["actions"],
): void {
  record.actions = actions;
  record.completedAt = completedAt;
  record.status = status;
}
