import type { Datalake } from "./task.js";

/** The blocks or transaction indices a datalake visits, in ascending order. */
export interface VisitedElements {
  /** How many are visited. Transactions of excluded types are visited, then dropped. */
  readonly count: bigint;
  readonly first: bigint;
  /** The last one that is really visited: the end of the range may lie between two steps. */
  readonly last: bigint;
  readonly step: bigint;
}

/**
 * Which elements a datalake visits: blocks up to and including `blockRangeEnd`, transaction indices up to and
 * excluding `endIndex`.
 *
 * @example visitedElements(blockSampled({ from: 0n, to: 9n, increment: 4n, … })) // count 3, first 0, last 8, step 4
 */
export function visitedElements(datalake: Datalake): VisitedElements {
  const [first, lastAllowed] =
    datalake.type === "BlockSampled"
      ? [datalake.blockRangeStart, datalake.blockRangeEnd]
      : [datalake.startIndex, datalake.endIndex - 1n];
  const step = datalake.increment;
  const count = (lastAllowed - first) / step + 1n;
  return { count, first, last: first + (count - 1n) * step, step };
}
