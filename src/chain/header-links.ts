import type { Hex } from "viem";

import { dropOldest } from "../base/bounded-cache.js";
import { HdpError } from "../base/errors.js";
import { headerMismatch } from "./mismatch.js";

/** Links that are kept, the latest: reads of neighbours are not far apart. */
const KEPT = 32_768;

interface Link {
  readonly hash: Hex;
  readonly parent: Hex;
}

/** Looking up bigints takes several times as long as numbers, and shows. */
export function keyOf(number: bigint): number | bigint {
  return number <= Number.MAX_SAFE_INTEGER ? Number(number) : number;
}

/** Headers that were read in a run, by number. Neighbours must be parent and child. */
export class HeaderLinks {
  readonly #links = new Map<number | bigint, Link>();

  /** @throws HdpError HDP-4201 where the header does not fit one that was read before, HDP-4205 where it replaces it. */
  public add(number: bigint, hash: Hex, parent: Hex): void {
    const key = keyOf(number);
    const known = this.#links.get(key);
    if (known !== undefined) {
      if (known.hash !== hash) throw reorganised(number, known.hash, hash);
      return;
    }
    const below = this.#links.get(keyOf(number - 1n));
    if (below !== undefined && below.hash !== parent) throw unlinked(number, parent, below.hash);
    const above = this.#links.get(keyOf(number + 1n));
    if (above !== undefined && above.parent !== hash) throw unlinked(number + 1n, above.parent, hash);
    // One text for both, where there are two.
    this.#links.set(key, { hash, parent: below?.hash ?? parent });
    dropOldest(this.#links, KEPT);
  }

  /** The hash of a header that was read, if it is kept. */
  public hashOf(number: bigint): Hex | undefined {
    return this.#links.get(keyOf(number))?.hash;
  }

  /** Numbers from one to another, both included, whose headers are not there. */
  public missing(from: bigint, to: bigint): bigint[] {
    const missing: bigint[] = [];
    for (let number = from; number <= to; number += 1n) {
      if (!this.#links.has(keyOf(number))) missing.push(number);
    }
    return missing;
  }
}

/** A block that was read is not the chain's any more. */
export function reorganised(number: bigint, before: Hex, now: Hex | undefined): HdpError {
  const what = now === undefined ? "does not exist any more" : `is ${now} now`;
  return new HdpError({
    code: "HDP-4205",
    message: `the chain was reorganised while it was read: block ${number} was ${before} and ${what}`,
    hints: ["Run the task again. Nothing was finalized. Ranges that end well below the head are not affected."],
  });
}

/** The checkpoint is not what everything read can be linked to. */
export function offCheckpoint(checkpoint: Hex, sentence: string): HdpError {
  return new HdpError({
    code: "HDP-4206",
    message: `checkpoint ${checkpoint}: ${sentence}`,
    hints: ["Set hdp.local.checkpoint to the hash of a block at or after the last one that tasks read, or remove it."],
  });
}

/** Two nodes have different blocks under one number: one of them is wrong, and which is not known. */
export function nodesDiffer(number: bigint, first: Hex, second: Hex | undefined): HdpError {
  const what = second === undefined ? "has no such block" : `has ${second}`;
  return new HdpError({
    code: "HDP-4207",
    message: `block ${number} is ${first}, but the second node ${what}`,
    hints: [
      "Nothing was finalized. One of the nodes is behind, on another chain, or wrong: ask a third.",
      "The second node is the network that hdp.local.secondNode names.",
    ],
  });
}

function unlinked(number: bigint, parent: Hex, below: Hex): HdpError {
  return headerMismatch(number, "parentHash", `it is ${parent}, but block ${number - 1n} hashes to ${below}`, [
    "The node's blocks do not make up one chain, or it was reorganised while it was read. Run the task again.",
  ]);
}
