import { asModule } from "../request/standard-programs.js";
import {
  type FieldDifference,
  moduleDifferences,
  taskDifferences,
} from "../request/task-differences.js";
import { findDatalake, hasModuleForm } from "../request/task-form.js";
import type { Task } from "../request/task.js";
import type { HashedTask, TaskEncoding } from "./asked-task.js";

/** A task that differs in more of its fields is another task. */
const MAX_DIFFERENCES = 2;

/** Returns whether a task is the meant one with few mistakes. */
export function isNear(differences: readonly FieldDifference[]): boolean {
  return mistakes(differences) <= MAX_DIFFERENCES;
}

/** Returns in how many fields a task is another one, a moved range as one; without end for a task of another type. */
export function mistakes(differences: readonly FieldDifference[]): number {
  if (!isOfSameType(differences)) return Infinity;
  const ofTask = differences.filter(({ field }) => !isOfPlace(field));
  return ofTask.length - (isMovedRange(ofTask) ? 1 : 0);
}

/** Returns whether two tasks are of one type. */
export function isOfSameType(differences: readonly FieldDifference[]): boolean {
  return differences.every(({ field }) => field !== "type");
}

/** Returns whether both ends of a range differ by the same. */
function isMovedRange(differences: readonly FieldDifference[]): boolean {
  const moves = differences
    .filter(({ field }) => field === "blockRangeStart" || field === "blockRangeEnd")
    .map(({ asked, found }) => BigInt(asked) - BigInt(found));
  return moves.length === 2 && moves[0] === moves[1];
}

/** Returns whether a field says how and where a result is kept: it is of no other task. */
export function isOfPlace(field: string): boolean {
  return ["form", "encoding", "store"].includes(field);
}

/** The right encodings, by those that a contract has by mistake. */
const RIGHT_ENCODINGS: Readonly<Partial<Record<TaskEncoding, string>>> = {
  "abi.encodePacked": "abi.encode",
  "abi.encode(task)": "abi.encode(programHash, inputs)",
};

/** Returns the fields in which the asked task differs, its chain among them where a contract took its own for it. */
export function fieldDifferences(asked: HashedTask, task: Task): readonly FieldDifference[] {
  const differences = differencesOfCall(asked, task) ?? taskDifferences(asked.task, task);
  const found = findDatalake(task)?.datalake.chainId;
  const ofOthers = differences.filter(({ field }) => field !== "chainId");
  if (asked.isOfAnyChain === true) return ofOthers;
  if (asked.chainId === undefined || found === undefined) return differences;
  const own = asked.isOnOwnChain === true ? ", that of block.chainid" : "";
  return [{ field: "chainId", asked: `${asked.chainId}${own}`, found }, ...ofOthers];
}

/**
 * Returns in what a module differs from the module form of a datalake task, where it has as many inputs: a contract may have
 * another program hash, or inputs that are of no datalake task. Undefined for any other two tasks.
 */
function differencesOfCall(
  { task: asked }: HashedTask,
  task: Task,
): readonly FieldDifference[] | undefined {
  if (asked.type !== "Module" || task.type === "Module" || !hasModuleForm(task)) return undefined;
  const found = asModule(task);
  return asked.inputs.length === found.inputs.length ? moduleDifferences(asked, found) : undefined;
}

/** Returns in what two hashes differ: in fields of their tasks, form and encoding. */
export function hashDifferences(asked: HashedTask, found: HashedTask): readonly FieldDifference[] {
  const differences = [...fieldDifferences(asked, found.task)];
  const rightEncoding = RIGHT_ENCODINGS[asked.encoding] ?? found.encoding;
  const [form, encoding] = [
    { field: "form", asked: asked.form, found: found.form },
    { field: "encoding", asked: asked.encoding, found: rightEncoding },
  ];
  // The module form has one encoding, that with the chain id.
  for (const one of [form, encoding]) if (one.asked !== one.found) differences.push(one);
  return differences;
}
