import { shortString, formatFelt } from "../../base/felt.js";
import { grouped } from "../../base/text.js";
import { toWord } from "../../base/hex.js";
import type { Explanation } from "../../plugin/actions/inspection-actions.js";
import type { ModuleProfile } from "../../plugin/actions/module-runs.js";
import type { InspectedModule } from "../../plugin/local-node.js";
import { describeTask, spokenValue, unitOf } from "../../request/describe-task.js";
import { FUNCTION_WORDS } from "../../request/fields.js";
import type { Datalake } from "../../request/task.js";
import type { ProfileView, RunView } from "../../request/views.js";
import { cairoText, describeRead, feltsText } from "./format.js";
import { anchorText } from "./results.js";

/** How values of each kind are proven. */
const PROOFS: Readonly<Record<Datalake["sampledProperty"]["kind"], string>> = {
  header: "each header by its block hash",
  account: "each header by its block hash, each account by a proof under its state root",
  storage: "each header by its block hash, each account and slot by proofs under its state root",
  tx: "the header by its block hash, the transactions by its transactions root",
  tx_receipt: "the header by its block hash, the receipts by its receipts root",
};

const [MAX_READS, MAX_STACKS] = [1_000, 5_000];

export function runView(inspected: Explanation | InspectedModule): RunView {
  return "dryRun" in inspected ? moduleView(inspected) : samplesView(inspected);
}

function samplesView({ task, taskHash, samples, value, proven, anchor, unit }: Explanation): RunView {
  const { title, lines } = describeTask(task);
  const { sampledProperty } = task.datalake;
  const { aggregateFnId } = task.compute;
  return {
    ...{ title, lines, taskHash, proven, value: grouped(value), word: toWord(value) },
    spoken: spokenValue(value, task),
    anchor: anchor && anchorText(anchor),
    samples: {
      unit,
      aggregate: FUNCTION_WORDS[aggregateFnId].replace(" of", ""),
      valueUnit: unitOf(task),
      positions: samples.map(({ position }) => position.toString()),
      values: samples.map((sample) => sample.value.toString()),
      aggregates: samples.map(({ aggregate }) => aggregate.toString()),
      isCount: aggregateFnId === "count",
      unproven: samples.flatMap((sample, index) => (sample.proven ? [] : [index])),
      proof: PROOFS[sampledProperty.kind],
    },
  };
}

function moduleView({ task, dryRun, profile }: InspectedModule): RunView {
  const { run, reads, proven, taskHash, rule, decoded, anchors } = dryRun;
  const { title, lines } = describeTask(task);
  const returned = decoded === undefined ? feltsText(run.retdata) : cairoText(decoded);
  return {
    ...{ title, lines, taskHash, proven },
    value: run.status === "panicked" ? run.message : returned,
    anchor: anchors.length === 0 ? undefined : anchors.map((one) => anchorText(one)).join("; "),
    word: rule === "value" && run.value !== undefined ? toWord(run.value) : run.outputRoot,
    module: {
      ...{ status: run.status, steps: run.steps, generation: run.generation, printed: run.printed },
      reads: reads.slice(0, MAX_READS).map((read) => ({ what: describeRead(read), proven: read.proven })),
      moreReads: Math.max(0, reads.length - MAX_READS),
      state: run.injectedState.map(
        ({ label, rootBefore, rootAfter }) =>
          [shortString(label), formatFelt(rootBefore), formatFelt(rootAfter)] as const,
      ),
      profile: profile && profileView(profile),
    },
  };
}

/** Returns the stacks with the most steps, and those of the longest reads; each name is written once. */
function profileView({ steps, named, stacks }: ModuleProfile): ProfileView {
  const frames = new Map<string, number>();
  const indexOf = (frame: string): number => {
    const index = frames.get(frame) ?? frames.size;
    frames.set(frame, index);
    return index;
  };
  const reads = stacks.filter(({ waited }) => waited !== undefined).sort((a, b) => (b.waited ?? 0) - (a.waited ?? 0));
  const calls = stacks.filter(({ waited }) => waited === undefined).sort((a, b) => b.steps - a.steps);
  const shown = [...calls.slice(0, MAX_STACKS), ...reads.slice(0, MAX_READS)].map(
    (stack): ProfileView["stacks"][number] => {
      const indices = stack.frames.map(indexOf);
      return stack.waited === undefined ? [indices, stack.steps] : [indices, stack.steps, stack.waited];
    },
  );
  return { steps, named, frames: [...frames.keys()], stacks: shown };
}
