import { hdpError } from "../errors/hdp-error.js";
import { rootsByLabel } from "./injected-state.js";
import type { Task } from "./task.js";

/** The parts of a task that its hash does not cover: private inputs with their indices, roots of injected state. */
export interface Uncovered {
  readonly inputs: string;
  readonly injected_state: string;
}

export function uncovered(task: Task | undefined): Uncovered {
  if (task?.type !== "Module") return { inputs: "", injected_state: "" };
  const isPrivate = task.inputs.some(({ visibility }) => visibility === "private");
  const inputs = task.inputs.map(({ visibility, value }) => `${visibility} ${BigInt(value)}`).join(",");
  const roots = [...rootsByLabel(task.injectedState)].map(([label, root]) => `${label}=${root}`).join(",");
  return { inputs: isPrivate ? inputs : "", injected_state: roots };
}

/** Returns each task that has the task hash of an earlier one, `other`, and differs from it in a field. */
export function conflictsOf(
  tasks: readonly Task[],
): readonly { readonly index: number; readonly other: number; readonly field: keyof Uncovered }[] {
  // Keeps the first task of each hash and the first that differs from it: any later task differs from one of them.
  const seen = new Map<string, readonly (Uncovered & { readonly index: number })[]>();
  return tasks.flatMap((task, index) => {
    if (task.type !== "Module") return [];
    const publicInputs = task.inputs.filter(({ visibility }) => visibility === "public").map(({ value }) => value);
    const hashed = `${task.programHash} ${publicInputs.join()}`;
    const own = { ...uncovered(task), index };
    const known = seen.get(hashed) ?? [];
    const other = known.find((one) => one.inputs !== own.inputs || one.injected_state !== own.injected_state);
    if (known.length === 0 || (known.length === 1 && other !== undefined)) seen.set(hashed, [...known, own]);
    if (other === undefined) return [];
    const field = other.injected_state === own.injected_state ? "inputs" : "injected_state";
    return [{ index, other: other.index, field }];
  });
}

export function refuseConflicts(tasks: readonly Task[]): void {
  const [conflict] = conflictsOf(tasks);
  if (conflict === undefined) return;
  const { index, other, field } = conflict;
  throw hdpError("HDP-1125", { other }, { path: `tasks[${index}].${field}` });
}
