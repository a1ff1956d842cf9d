import type { Hex } from "viem";

import { isTaskHash } from "../base/hex.js";
import { hdpError } from "../errors/hdp-error.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { Submission, SubmissionPart } from "../request/data-processor.js";
import { noSuchSubmission, recordNamed } from "./lookup.js";
import {
  mayHaveArrived,
  type PartRecord,
  type ServicePlace,
  type SubmissionRecord,
  submittedHashes,
} from "./model.js";
import { notItsId, notResumable } from "./settle.js";
import type { SubmissionStore } from "./submission-store.js";

interface RecordsOptions {
  readonly store: SubmissionStore;
  /** Host and address of the service; undefined for the local data processor. */
  readonly place: ServicePlace | undefined;
  /** Called with the error of an observation that could not be recorded. */
  readonly warn: (error: unknown) => void;
}

/** The recorded submissions of tasks at one place: at a service, or to the local data processor. */
export class Records {
  readonly #options: RecordsOptions;

  public constructor(options: RecordsOptions) {
    this.#options = options;
  }

  /** Returns whether a submission was made at this place. */
  public isHere({ endpoint }: SubmissionRecord): boolean {
    return endpoint === this.#options.place?.endpoint;
  }

  /** Returns the submission of a name on a network. @throws HdpError as `Submissions.find` */
  public find(name: string, network: string): Submission {
    const { store } = this.#options;
    const record = recordNamed(store, name, (one) => this.isHere(one));
    // What another service refused says nothing of the task here.
    const isKnown = record !== undefined && (this.isHere(record) || mayHaveArrived(record));
    if (!isKnown && isTaskHash(name)) return { id: name, taskHashes: [name], parts: [] };
    if (record?.kind !== "tasks") throw noSuchSubmission(store, name, record);
    if (!this.isHere(record)) throw this.#elsewhere(record, network);
    const { destinationChainId, state, serviceId } = record;
    // If the answer was lost and the results were read all the same, the service cannot be asked.
    const parts = state === "finalized" && serviceId === undefined ? [] : [acceptedPart(record)];
    return {
      id: serviceId ?? record.id,
      destinationChainId,
      taskHashes: submittedHashes(record),
      parts,
    };
  }

  #elsewhere(record: SubmissionRecord, network: string): Error {
    const { place } = this.#options;
    const own = ownService(record, place?.host);
    const id = record.serviceId ?? record.id;
    const values = { id, host: record.host, network, other: record.network, own };
    return hdpError("HDP-6045", values, { path: "id" });
  }

  /** Returns the record of a part that a data processor accepted. */
  public ofPart({ id }: SubmissionPart): SubmissionRecord | undefined {
    return this.#options.store.withServiceId(id).findLast((record) => this.isHere(record));
  }

  /** Returns the chain that the results of a task were sent to, if it was submitted from this project. */
  public findDestination(hash: Hex): ChainIdentifier | undefined {
    const own = this.newest([hash], undefined).get(hash);
    return (own ?? recordNamed(this.#options.store, hash))?.destinationChainId;
  }

  /** Returns the newest submission of each hash made here, for a chain or any; accepted ones take precedence. */
  public newest(
    hashes: readonly Hex[],
    destinationChainId: ChainIdentifier | undefined,
  ): Map<Hex, SubmissionRecord> {
    const { store, place } = this.#options;
    const newest = new Map<Hex, SubmissionRecord>();
    if (hashes.length === 0) return newest;
    const wanted = new Map(hashes.map((hash) => [hash.toLowerCase(), hash]));
    for (const record of store.newest(hashes, { endpoint: place?.endpoint, destinationChainId })) {
      for (const part of record.parts) {
        const hash = wanted.get(part.hash);
        if (hash === undefined) continue;
        if (record.serviceId !== undefined || newest.get(hash)?.serviceId === undefined)
          newest.set(hash, record);
      }
    }
    return newest;
  }

  /** Returns the service's own hashes of tasks, where it has others, for a chain or any. */
  public serviceHashes(
    hashes: readonly Hex[],
    destinationChainId: ChainIdentifier | undefined,
  ): Map<Hex, Hex> {
    const { store, place } = this.#options;
    const endpoint = place?.endpoint;
    const byOwn = store.serviceHashes(hashes, { endpoint, destinationChainId });
    const found = new Map<Hex, Hex>();
    for (const hash of hashes) {
      const theirs = byOwn.get(hash.toLowerCase());
      if (theirs !== undefined) found.set(hash, theirs);
    }
    return found;
  }

  /** Returns whether a hash is that of another task of the project, or a service returned it for one. */
  public isOfOther(hash: Hex, taskHash: string): boolean {
    return this.#options.store.isHashOfOther(hash, taskHash);
  }

  /** Throws where an id was recorded for another submission made here. @throws HdpError HDP-5017 */
  public refuseOtherWith(serviceId: string, record: SubmissionRecord): void {
    const other = this.#options.store
      .withServiceId(serviceId)
      .find((one) => one.id !== record.id && this.isHere(one));
    if (other !== undefined) throw notItsId(record, serviceId, "another submission has it");
  }

  /** Records an observation. A failure is reported and does not stop the caller: the observation is made again. */
  public observe(record: (store: SubmissionStore) => void): void {
    const { store, warn } = this.#options;
    try {
      record(store);
    } catch (error) {
      warn(error);
    }
  }
}

/** Returns the part of a record that has a hash. */
export function partWith(record: SubmissionRecord | undefined, hash: Hex): PartRecord | undefined {
  return record?.parts.find((part) => part.hash === hash.toLowerCase());
}

/** Returns a submission as its data processor accepted it. @throws HdpError HDP-5009 where it was not accepted */
export function acceptedPart(record: SubmissionRecord): SubmissionPart {
  const { serviceId, processor, destinationChainId, parts } = record;
  if (serviceId === undefined || destinationChainId === undefined) throw notResumable(record);
  const part = {
    id: serviceId,
    processor,
    destinationChainId,
    taskHashes: submittedHashes(record),
  };
  const serviceTaskHashes = parts.flatMap(({ serviceHash }) => serviceHash ?? []);
  return serviceTaskHashes.length === 0 ? part : { ...part, serviceTaskHashes };
}

/** Returns how an error names the service of a network, beside the one that a submission was made at. */
function ownService({ host }: SubmissionRecord, own: string | undefined): string {
  if (own === undefined) return "the local data processor";
  return own === host ? "another address there" : own;
}
