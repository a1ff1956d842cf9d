import type { Hex } from "viem";

import type { ChainIdentifier } from "../request/chains.js";
import type { CallOptions, Submission, TaskStatus } from "../request/data-processor.js";
import type { Anchor, TaskResult } from "../request/task-result.js";
import type { ExecutionStore, ReadStoreOptions, StoredStatus } from "../store/execution-store.js";
import type { PartRecord, SubmissionRecord } from "./model.js";
import { partWith, type Records } from "./records.js";
import { storedUnderText } from "./service-hashes.js";
import type { Destination, SubmissionsOptions } from "./submissions.js";
import { isBeingSent } from "./system.js";

/** The status of a submission whose results are in the execution store. */
export const FINALIZED: TaskStatus = { name: "Finalized", phase: "finalized" };

/** What a reader of results works with. */
export interface ResultReaderOptions {
  readonly records: Records;
  readonly destination: SubmissionsOptions["destination"];
  readonly store: SubmissionsOptions["store"];
  readonly system: SubmissionsOptions["system"];
  /** Called for each result that is stored under a hash of the service, or whose task the service hashed differently. */
  readonly warn?: ((sentence: string) => void) | undefined;
  /** Returns whether the chain that a local run read still has the block of its proofs. */
  readonly holds?: ((anchor: Anchor) => Promise<boolean>) | undefined;
  /** Returns a result with the data that the service adds. */
  readonly annotate?:
    ((result: TaskResult, record: SubmissionRecord) => Promise<TaskResult>) | undefined;
}

/** Reads results from execution stores, under a task's own hash or the service's, and records what was read. */
export class ResultReader {
  readonly #options: ResultReaderOptions;

  public constructor(options: ResultReaderOptions) {
    this.#options = options;
  }

  /**
   * Reads the results of tasks from a store, which may still be being opened, in their order, with the recorded data about
   * them. `destination` is the chain whose submissions they end; undefined for a store that they were not sent to.
   * `resolved` is that chain's destination, where it is known.
   * @throws HdpError HDP-3001 where one is missing
   */
  public async readAll(
    opening: ExecutionStore | Promise<ExecutionStore>,
    hashes: readonly Hex[],
    destination: ChainIdentifier | undefined,
    resolved?: Destination,
  ): Promise<readonly TaskResult[]> {
    const { records, annotate, warn } = this.#options;
    const newest = records.newest(hashes, destination);
    const theirs = records.serviceHashes(hashes, destination);
    const [store, stale] = await Promise.all([opening, this.#stale(hashes, newest, resolved)]);
    // Which of two hashes was used matters only where there are two.
    const under = theirs.size > 0 ? await storedUnder(store, hashes, theirs) : new Map<Hex, Hex>();
    const isKnown = (hash: Hex): boolean =>
      !stale.has(hash) && partWith(newest.get(hash), hash)?.transactionHash !== undefined;
    const read = await readUnder(store, hashes, under, {
      withTransaction: !hashes.every(isKnown),
    });
    const results = hashes.map((hash) => {
      const result = read(hash);
      const named = theirs.has(hash) ? { ...result, storedUnder: result.taskHash } : result;
      const part = stale.has(hash) ? undefined : partWith(newest.get(hash), hash);
      return withComputed({ ...named, taskHash: hash }, part);
    });
    if (destination !== undefined) this.#recordRead(results, newest);
    const annotated = await Promise.all(
      results.map(async (result) => {
        const record = newest.get(result.taskHash);
        return record === undefined ? result : ((await annotate?.(result, record)) ?? result);
      }),
    );
    for (const result of annotated) {
      if (result.storedUnder === undefined) continue;
      warn?.(`The result of task ${result.taskHash} is ${storedUnderText(result)}.`);
    }
    return annotated;
  }

  /** Returns the results of a submission, in request order. @throws HdpError HDP-3001 where one is missing */
  public async results(
    { taskHashes, destinationChainId }: Submission,
    destination?: Destination,
  ): Promise<readonly TaskResult[]> {
    const resolved = destination ?? (await this.#options.destination(destinationChainId));
    const opening = resolved.openForReading();
    return await this.readAll(opening, taskHashes, destinationChainId, resolved);
  }

  /** Returns the results that a store holds already, by task hash, and records that they were read. */
  public async stored(
    store: ExecutionStore,
    hashes: readonly Hex[],
    destination: ChainIdentifier,
    options: CallOptions = {},
  ): Promise<Map<Hex, TaskResult>> {
    const { records } = this.#options;
    const theirs = records.serviceHashes(hashes, destination);
    const under = await storedUnder(store, hashes, theirs, options);
    if (under.size === 0) return new Map();
    const found = [...under.keys()];
    const read = await readUnder(store, found, under, options);
    const results = found.map((hash) => ({ ...read(hash), taskHash: hash }));
    this.#recordRead(results, records.newest(hashes, destination));
    return new Map(results.map((result) => [result.taskHash, result]));
  }

  /** Returns how many results of a submission a store has, under this project's hash or the service's. */
  public async count(
    store: ExecutionStore,
    { taskHashes, destinationChainId }: Submission,
  ): Promise<number> {
    const theirs = this.#options.records.serviceHashes(taskHashes, destinationChainId);
    const under = await storedUnder(store, taskHashes, theirs);
    return taskHashes.filter((hash) => under.has(hash)).length;
  }

  /** Returns whether the execution store has every result of a submission. */
  public async hasAll(submission: Submission): Promise<boolean> {
    const store = await this.#open(submission.destinationChainId);
    return (await this.count(store, submission)) === submission.taskHashes.length;
  }

  /** Returns the status of a submission by the execution store alone. */
  public async status(submission: Submission, destination?: Destination): Promise<TaskStatus> {
    const { taskHashes, destinationChainId } = submission;
    const store = await this.#open(destinationChainId, destination);
    const states = [...(await statusesIn(store, taskHashes)).values()];
    if (states.every((state) => state === "finalized")) return FINALIZED;
    const name = states.includes("scheduled") ? "Scheduled" : "Unknown";
    return { name, phase: "pending", detail: `in store ${store.address}` };
  }

  async #open(
    chain: ChainIdentifier | undefined,
    destination?: Destination,
  ): Promise<ExecutionStore> {
    return await (destination ?? (await this.#options.destination(chain))).openForReading();
  }

  /** Returns the tasks whose run rests on an anchor block or finalizing transaction that the chain no longer has. */
  async #stale(
    hashes: readonly Hex[],
    records: ReadonlyMap<Hex, SubmissionRecord>,
    resolved: Destination | undefined,
  ): Promise<ReadonlySet<Hex>> {
    // The results of a run share both.
    const asked = new Map<string, Promise<boolean>>();
    const once = async (key: string, ask: () => Promise<boolean>): Promise<boolean> => {
      const answer = asked.get(key) ?? ask();
      asked.set(key, answer);
      return await answer;
    };
    const stale = new Set<Hex>();
    const check = async (hash: Hex): Promise<void> => {
      const record = records.get(hash);
      const computed = partWith(record, hash)?.computed;
      if (record === undefined || computed === undefined) return;
      const { destinationChainId } = record;
      const destination = async (): Promise<Destination> =>
        resolved ?? (await this.#options.destination(destinationChainId));
      if (!(await this.#isCurrent(computed, destination, once))) stale.add(hash);
    };
    await Promise.all(hashes.map(check));
    return stale;
  }

  /** Returns whether the chains still have the finalizing transaction and the anchor of a local run. */
  async #isCurrent(
    { transactionHash, blockNumber, anchor }: TaskResult,
    destination: () => Promise<Destination>,
    once: (key: string, ask: () => Promise<boolean>) => Promise<boolean>,
  ): Promise<boolean> {
    const { holds } = this.#options;
    const isFinalized = async (hash: Hex): Promise<boolean> => {
      const stores = await destination();
      return (await stores.transactionBlock?.(hash).catch(() => undefined)) === blockNumber;
    };
    const isThere = [
      transactionHash !== undefined &&
        once(transactionHash, async () => await isFinalized(transactionHash)),
      anchor !== undefined &&
        holds !== undefined &&
        once(`${anchor.source?.network}:${anchor.hash}`, async () => await holds(anchor)),
    ];
    return (await Promise.all(isThere.filter((one) => one !== false))).every(Boolean);
  }

  /** Records results that were read: they end every submission of their tasks that is not being sent right now. */
  #recordRead(read: readonly TaskResult[], newest: ReadonlyMap<Hex, SubmissionRecord>): void {
    const { records, store, system } = this.#options;
    const found = read.flatMap((result) => {
      const part = partWith(newest.get(result.taskHash), result.taskHash);
      if (part === undefined) return [];
      return [{ hash: part.hash, identity: part.identity, word: result.word, result }];
    });
    for (const record of store.awaiting(found)) {
      if (isBeingSent(record, system.processes)) continue;
      const own = found.filter(({ identity }) =>
        record.parts.some((part) => part.identity === identity),
      );
      const results = own.map(({ result }) => result);
      records.observe((rows) => rows.recordResults(record.id, results));
    }
  }
}

/** Returns the state of each hash in a store. */
async function statusesIn(
  store: ExecutionStore,
  hashes: readonly Hex[],
  options?: CallOptions,
): Promise<ReadonlyMap<Hex, StoredStatus>> {
  const states = await store.statuses(hashes, options);
  return new Map(hashes.map((hash, at) => [hash, states[at] ?? "none"]));
}

/** Returns the hash under which a store has each result: this project's, else the service's. */
async function storedUnder(
  store: ExecutionStore,
  hashes: readonly Hex[],
  theirs: ReadonlyMap<Hex, Hex>,
  options?: CallOptions,
): Promise<ReadonlyMap<Hex, Hex>> {
  const states = await statusesIn(store, [...hashes, ...theirs.values()], options);
  const under = new Map<Hex, Hex>();
  for (const hash of hashes) {
    const candidates = [hash, theirs.get(hash)];
    const found = candidates.find((one) => one !== undefined && states.get(one) === "finalized");
    if (found !== undefined) under.set(hash, found);
  }
  return under;
}

/** Reads the results of tasks in one batch. Returns a function that gives a task's. */
async function readUnder(
  store: ExecutionStore,
  hashes: readonly Hex[],
  under: ReadonlyMap<Hex, Hex>,
  options: ReadStoreOptions,
): Promise<(hash: Hex) => TaskResult> {
  const stored = hashes.map((hash) => under.get(hash) ?? hash);
  const results = await store.readResults(stored, options);
  const byHash = new Map(hashes.map((hash, at) => [hash, results[at]]));
  return (hash) => {
    const result = byHash.get(hash);
    if (result === undefined) throw new TypeError(`no result of task ${hash} was read`);
    return result;
  };
}

/** Returns a result with a local run's data, as long as the stored value is that run's. */
function withComputed(result: TaskResult, part: PartRecord | undefined): TaskResult {
  if (part?.computed?.word !== result.word || part.computed.store !== result.store) return result;
  return { ...part.computed, ...result };
}
