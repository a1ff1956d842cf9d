import type { ModuleTask } from "../request/task.js";
import type { KnownWord } from "./known-words.js";

const HALF = 2n ** 128n;

/** Public inputs of which some are missing, one is added, or all are in another order. */
export function* inputLists(
  task: ModuleTask,
  known: readonly KnownWord[],
): Generator<readonly bigint[]> {
  const given = task.inputs.filter(({ visibility }) => visibility === "public");
  const inputs = given.map(({ value }) => BigInt(value));
  const places = [...inputs.keys()];
  for (const at of places) yield inputs.toSpliced(at, 1);
  for (const at of places) yield* inOtherHalves(inputs, at);
  yield inputs.toReversed();
  for (const at of places.slice(1)) yield [...inputs.slice(at), ...inputs.slice(0, at)];
  for (const count of places) yield inputs.slice(0, count);
  for (const count of places) yield inputs.slice(count + 1);
  for (const { value } of [{ value: BigInt(inputs.length) }, ...known])
    for (const at of [...places, inputs.length]) yield inputs.toSpliced(at, 0, value);
  for (const from of places)
    for (const to of places) if (from !== to) yield moved(inputs, from, to);
  for (const from of places)
    for (const to of places) if (to > from + 1) yield inputs.toSpliced(from, to - from);
}

/** Two halves as one input, and one input as two halves, the high one first too. */
function* inOtherHalves(inputs: readonly bigint[], at: number): Generator<readonly bigint[]> {
  const [low = 0n, high] = inputs.slice(at);
  if (high !== undefined) {
    yield inputs.toSpliced(at, 2, low + high * HALF);
    yield inputs.toSpliced(at, 2, high + low * HALF);
  }
  yield inputs.toSpliced(at, 1, low % HALF, low / HALF);
  yield inputs.toSpliced(at, 1, low / HALF, low % HALF);
}

function moved(inputs: readonly bigint[], from: number, to: number): readonly bigint[] {
  const [one = 0n] = inputs.slice(from, from + 1);
  return inputs.toSpliced(from, 1).toSpliced(to, 0, one);
}
