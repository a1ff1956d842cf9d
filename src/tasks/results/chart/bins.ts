import type { ExplainedSample } from "../../../plugin/actions/inspection-actions.js";

/** Neighbouring samples that share a place in a chart. */
export interface Bin {
  /** Positions of the first and the last sample. */
  readonly first: bigint;
  readonly last: bigint;
  readonly min: bigint;
  readonly max: bigint;
  /** The aggregate after the last one. */
  readonly aggregate: bigint;
  readonly samples: number;
  /** Whether all of them are. */
  readonly proven: boolean;
}

/** At most `limit` bins of equal numbers of samples, the last one with what is left; one each where that fits. */
export function binSamples(samples: readonly ExplainedSample[], limit: number): readonly Bin[] {
  const size = Math.max(1, Math.ceil(samples.length / Math.max(1, limit)));
  const bins: Bin[] = [];
  for (let start = 0; start < samples.length; start += size) {
    const bin = toBin(samples.slice(start, start + size));
    if (bin !== undefined) bins.push(bin);
  }
  return bins;
}

/** "each column is 4 samples", where bins hold more than one. */
export function describeBins(bins: readonly Bin[], place: string): string | undefined {
  const size = bins[0]?.samples ?? 1;
  return size === 1 ? undefined : `each ${place} is ${size.toString()} samples, from their lowest to their highest`;
}

function toBin(samples: readonly ExplainedSample[]): Bin | undefined {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const values = samples.map(({ value }) => value);
  return {
    first: first.position,
    last: last.position,
    min: values.reduce((least, value) => (value < least ? value : least)),
    max: values.reduce((most, value) => (value > most ? value : most)),
    aggregate: last.aggregate,
    samples: samples.length,
    proven: samples.every(({ proven }) => proven),
  };
}
