import { keysOf } from "../base/collections.js";
import { grouped } from "../base/text.js";
import type { EmptyBecause } from "../chain/chain-reader.js";
import type { Datalake } from "../request/task.js";
import type { Sample } from "./samples.js";

/** Successive samples that are empty for one reason. */
interface Run {
  readonly because: EmptyBecause;
  readonly first: bigint;
  last: bigint;
  samples: number;
  /** The first sampled block behind it. */
  next?: bigint;
}

/**
 * Notes which samples of a task are 0 because there is nothing to read: the proof of such a 0 is right, and the value is
 * mostly not what the task is meant to be of.
 */
export class EmptySamples {
  readonly #property: Datalake["sampledProperty"];
  readonly #runs: Run[] = [];
  #first: bigint | undefined;
  #samples = 0;
  #hasValue = false;

  public constructor(property: Datalake["sampledProperty"]) {
    this.#property = property;
  }

  public add(sample: Sample): void {
    if (!("block" in sample)) return;
    this.#samples += 1;
    const { block, empty: because } = sample;
    this.#first ??= block;
    const current = this.#runs.at(-1);
    if (current !== undefined && current.next === undefined) {
      if (current.because === because) {
        current.last = block;
        current.samples += 1;
        return;
      }
      current.next = block;
    }
    // A slot that had a value was written: 0 is its value then.
    const isWritten = this.#hasValue && (because === "slot" || because === "storage");
    this.#hasValue ||= because === undefined;
    if (because !== undefined && !isWritten)
      this.#runs.push({ because, first: block, last: block, samples: 1 });
  }

  /** Returns a sentence for each reason, with the blocks that it is of; nothing where no sample is empty. */
  public warnings(): { readonly warnings?: readonly string[] } {
    const warnings = this.#sentences();
    return warnings.length === 0 ? {} : { warnings };
  }

  #sentences(): readonly string[] {
    const property = this.#property;
    if (property.kind !== "account" && property.kind !== "storage") return [];
    const slot = property.kind === "storage" ? property.slot : "";
    return keysOf(REASONS).flatMap((because) => {
      const runs = this.#runs.filter((run) => run.because === because);
      if (runs.length === 0) return [];
      const { state, advice } = REASONS[because];
      return [`${state(property.address, slot)} ${this.#describeBlocks(runs)}: ${advice}`];
    });
  }

  #describeBlocks(runs: readonly Run[]): string {
    const [run, ...others] = runs;
    const end = runs.at(-1);
    if (run === undefined || end === undefined) return "";
    const [first, last] = [run.first.toString(), end.last.toString()];
    if (others.length > 0) {
      const samples = runs.reduce((sum, one) => sum + one.samples, 0);
      return `at ${grouped(samples)} of ${grouped(this.#samples)} sampled blocks from ${first} to ${last}`;
    }
    if (run.next !== undefined && run.first === this.#first) return `before block ${run.next}`;
    return first === last ? `at block ${first}` : `from block ${first} to block ${last}`;
  }
}

const REASONS: Readonly<
  Record<EmptyBecause, { state: (address: string, slot: string) => string; advice: string }>
> = {
  account: {
    state: (address) => `there is no account ${address}`,
    advice: "check the address and the chain",
  },
  code: {
    state: (address) => `${address} has no code, and no storage,`,
    advice: "check the address and the chain",
  },
  storage: {
    state: (address) => `the contract ${address} has nothing in storage`,
    advice: "where it is the implementation behind a proxy, sample the proxy's address",
  },
  slot: {
    state: (address, slot) => `slot ${slot} of ${address} is empty`,
    advice:
      "it was never written, or set back to 0; check the slot (hdp.storageOf, hdp.erc20Balance); behind a proxy, storage is at the proxy's address",
  },
};
