import type { Hex } from "viem";

import { type HdpError, hdpError } from "../errors/hdp-error.js";

/** Headers read in a run, by number, parent and child. All are kept, since a node could replace a dropped one. */
export class HeaderLinks {
  readonly #links = new Map<bigint, { readonly hash: Hex; readonly parent: Hex }>();

  public add(number: bigint, hash: Hex, parent: Hex): void {
    const known = this.#links.get(number);
    if (known !== undefined) {
      if (known.hash !== hash) throw reorganised(number, known.hash, hash);
      return;
    }
    const below = this.#links.get(number - 1n);
    if (below !== undefined && below.hash !== parent) throw unlinked(number, parent, below.hash);
    const above = this.#links.get(number + 1n);
    if (above !== undefined && above.parent !== hash) throw unlinked(number + 1n, above.parent, hash);
    // Neighbours share the text of a hash.
    this.#links.set(number, { hash, parent: below?.hash ?? parent });
  }

  public hashOf(number: bigint): Hex | undefined {
    return this.#links.get(number)?.hash;
  }

  /** Returns how many headers of an inclusive range were read. */
  public present(from: bigint, to: bigint): number {
    let present = 0;
    for (const number of this.#links.keys()) if (number >= from && number <= to) present += 1;
    return present;
  }

  /** Returns the numbers of an inclusive range whose headers were not read. */
  public missing(from: bigint, to: bigint): bigint[] {
    const missing: bigint[] = [];
    for (let number = from; number <= to; number += 1n) {
      if (!this.#links.has(number)) missing.push(number);
    }
    return missing;
  }
}

/** Returns HDP-4205: a block that was read is no longer on the chain. */
export function reorganised(block: bigint, before: Hex, after: Hex | undefined): HdpError {
  const now = after === undefined ? "does not exist any more" : `is ${after} now`;
  return hdpError("HDP-4205", { block, before, now });
}

function unlinked(block: bigint, parent: Hex, below: Hex): HdpError {
  const reason = `it is ${parent}, but block ${block - 1n} hashes to ${below}`;
  const explanation = /^0x0+$/.test(parent)
    ? `Block ${block} was skipped by one hardhat_mine of 8 or more (mine of Hardhat's network helpers), and has no parent: mine with hdp.mine(blocks), or at most 7 a call.`
    : "The node's blocks do not make up one chain, or it was reorganised while it was read. Run the task again.";
  return hdpError("HDP-4201", { block, field: "parentHash", reason, explanation });
}
