import type { TaskRequest, Task } from "./task.js";

/** A task as it is written in a file: read strictly, whatever the types let through. */
export type WrittenTask = WrittenDatalakeTask | WrittenModuleTask;

export interface WrittenDatalakeTask {
  readonly type: string;
  readonly datalake: object;
  readonly compute: object;
}

/** A module by its program hash, or by a compiled class with arguments by name. */
export type WrittenModuleTask =
  | { readonly type: string; readonly programHash: string; readonly inputs?: readonly unknown[] }
  | { readonly module: object };

/** A request as it is written in a file. */
export interface WrittenRequest {
  readonly destinationChainId: string;
  readonly tasks: readonly unknown[];
}

/** The path of a JSON file (relative to the project), the file's content as an object, a task, or a parsed request. */
export type TaskDocument = string | Task | TaskRequest | WrittenTask | WrittenRequest;

/** What can be submitted. Tasks alone are delivered to the chain they are submitted on. */
export type TaskInput = TaskDocument | readonly TaskDocument[];

/**
 * What a type says of an input that cannot be a task: the sentence stands in the compiler's error. `unknown` for all that
 * may be one.
 */
export type Taken<T> = [Mistake<T>] extends [never] ? unknown : Mistake<T>;

/** The sentence, `never` without a mistake; of a list that of any of its elements. */
type Mistake<T> = T extends readonly []
  ? "there are no tasks in this list: give at least one"
  : T extends readonly (infer One)[]
    ? MistakeOf<One>
    : MistakeOf<T>;

type MistakeOf<T> = unknown extends T
  ? never
  : T extends string
    ? never
    : string extends keyof T
      ? never
      : T extends { readonly avg: unknown; readonly sum: unknown }
        ? "this is a datalake without its function: end it with .avg(), .sum(), .min(), .max() or .count(operator, value)"
        : T extends { readonly tasks: infer Tasks }
          ? MistakeOfRequest<T, Tasks>
          : T extends { readonly destinationChainId: unknown }
            ? '"tasks" is missing: a request has "destinationChainId" and "tasks"'
            : MistakeOfTask<T>;

type MistakeOfRequest<T, Tasks> = Tasks extends readonly []
  ? '"tasks" is empty: write at least one task'
  : T extends { readonly destinationChainId: unknown }
    ? Tasks extends readonly (infer One)[]
      ? MistakeOf<One>
      : '"tasks" has to be a list of tasks'
    : '"destinationChainId" is missing: a request has "destinationChainId" and "tasks"';

type MistakeOfTask<T> = T extends { readonly module: object }
  ? never
  : T extends { readonly type: unknown }
    ? T extends { readonly programHash: unknown }
      ? never
      : T extends { readonly datalake: object }
        ? T extends { readonly compute: object }
          ? never
          : '"compute" is missing: a task has "type", "datalake" and "compute"'
        : '"datalake" is missing: a task has "type", "datalake" and "compute", or "programHash" and "inputs"'
    : 'neither a task, which has "type", "datalake" and "compute", nor a request, which has "destinationChainId" and "tasks"';
