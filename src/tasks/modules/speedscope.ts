import type { ModuleProfile, ProfiledStack } from "../../plugin/actions/module-runs.js";

const SCHEMA = "https://www.speedscope.app/file-format-schema.json";

/** A profile in which each stack weighs what it cost, in the file format of speedscope. */
interface SampledProfile {
  readonly type: "sampled";
  readonly name: string;
  readonly unit: "none" | "milliseconds";
  readonly startValue: 0;
  readonly endValue: number;
  /** Indices of frames, outermost first. */
  readonly samples: readonly (readonly number[])[];
  readonly weights: readonly number[];
}

/** A file that speedscope opens. */
export interface SpeedscopeFile {
  readonly $schema: typeof SCHEMA;
  readonly name: string;
  readonly exporter: "hardhat-hdp";
  readonly activeProfileIndex: 0;
  readonly shared: { readonly frames: readonly { readonly name: string }[] };
  readonly profiles: readonly SampledProfile[];
}

/** Two flame graphs for each module: its steps, and the milliseconds that it waited for reads, where there are any. */
export function speedscopeFile(name: string, modules: readonly ModuleProfile[]): SpeedscopeFile {
  const frames = new Map<string, number>();
  const frameOf = (frame: string): number => {
    const index = frames.get(frame) ?? frames.size;
    frames.set(frame, index);
    return index;
  };
  const graph = (
    title: string,
    unit: SampledProfile["unit"],
    stacks: readonly ProfiledStack[],
    weigh: (stack: ProfiledStack) => number,
  ): SampledProfile => {
    const weights = stacks.map(weigh);
    return {
      ...{ type: "sampled", name: title, unit, startValue: 0 },
      endValue: weights.reduce((sum, weight) => sum + weight, 0),
      samples: stacks.map((stack) => stack.frames.map(frameOf)),
      weights,
    };
  };
  const profiles = modules.flatMap(({ stacks }, index) => {
    const prefix = modules.length === 1 ? "" : `module ${String(index + 1)}: `;
    const reads = stacks.filter(({ waited }) => waited !== undefined);
    const steps = graph(`${prefix}steps`, "none", stacks, (stack) => stack.steps);
    if (reads.length === 0) return [steps];
    return [steps, graph(`${prefix}waiting for reads`, "milliseconds", reads, ({ waited = 0 }) => waited)];
  });
  return {
    $schema: SCHEMA,
    name,
    exporter: "hardhat-hdp",
    activeProfileIndex: 0,
    shared: { frames: [...frames.keys()].map((frame) => ({ name: frame })) },
    profiles,
  };
}
