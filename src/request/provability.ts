import type { ChainIdentifier } from "./chains.js";

/** Blocks of one chain, the last included. */
export interface BlockRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Whether a chain's accumulators hold blocks of another chain. */
export type Provability =
  | { readonly kind: "provable" }
  /** `ends`: the last block that is held; `missing`: the first of the wanted ones that isn't. */
  | { readonly kind: "not-yet"; readonly ends: bigint | undefined; readonly missing: bigint }
  | { readonly kind: "unconnected" };

/**
 * Returns whether blocks are in accumulators.
 *
 * @param ranges what the accumulators hold; undefined where there is none for the chain
 * @param isConnected whether a published connection would bring them there
 */
export function judgeProvability(
  wanted: BlockRange,
  ranges: readonly BlockRange[] | undefined,
  isConnected: boolean,
): Provability {
  if (ranges === undefined && !isConnected) return { kind: "unconnected" };
  const held = [...(ranges ?? [])].sort((one, other) => (one.first < other.first ? -1 : 1));
  let missing = wanted.first;
  let ends: bigint | undefined;
  for (const { first, last } of held) {
    if (first <= missing && missing <= last) missing = last + 1n;
    if (ends === undefined || last > ends) ends = last;
  }
  return missing > wanted.last ? { kind: "provable" } : { kind: "not-yet", ends, missing };
}

/** Returns a provability in words: `not yet: ends at block 7,000`. */
export function provabilityText(
  provability: Provability,
  chains: Readonly<{ source: string; destination: string }>,
): string {
  switch (provability.kind) {
    case "provable":
      return "provable";
    case "unconnected":
      return `no published connection from ${chains.source} to ${chains.destination}`;
    case "not-yet": {
      const { ends, missing } = provability;
      if (ends === undefined) return "not yet: no block is there";
      return missing > ends
        ? `not yet: ends at block ${ends}`
        : `not yet: block ${missing} is missing, before the end at block ${ends}`;
    }
  }
}

/** Blocks of a chain that tasks read, and whether the destination's accumulators hold them. */
export interface SourceProvability extends BlockRange {
  readonly source: ChainIdentifier;
  readonly provability: Provability;
  /** In words: `provable`, `not yet: ends at block 7000`, `no published connection from A to B`. */
  readonly text: string;
}

/** What the indexer says of a request, or why it was not asked: nothing is refused then. */
export type ProvabilityReport =
  | { readonly sources: readonly SourceProvability[]; readonly problem?: undefined }
  | { readonly problem: string; readonly sources?: undefined };

/** Blocks of a chain. */
export interface SourceBlocks extends BlockRange {
  readonly source: ChainIdentifier;
}
