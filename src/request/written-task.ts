import type { Task, TaskRequest } from "./task.js";

/** A task as in a file: a module by program hash, or by class with named arguments. Parsing is stricter. */
export type WrittenTask =
  | { readonly type: string; readonly datalake: object; readonly compute: object }
  | { readonly type: string; readonly programHash: string; readonly inputs?: readonly unknown[] }
  | { readonly module: object };

export interface WrittenRequest {
  readonly destinationChainId: string;
  readonly tasks: readonly unknown[];
}

/** The path of a JSON file (relative to the project), the file's content as an object, a task, or a parsed request. */
export type TaskDocument = string | Task | TaskRequest | WrittenTask | WrittenRequest;

/** All that can be submitted. Results of tasks without a request go to the chain on which they are submitted. */
export type TaskInput = TaskDocument | readonly TaskDocument[];

/** The compiler's error text for an input that cannot be a task; `unknown` for every other input. */
export type Taken<T> = [InputError<T>] extends [never] ? unknown : InputError<T>;

/** The error text of an input, or of any element of a list; `never` if there is none. */
type InputError<T> = T extends readonly []
  ? "there are no tasks in this list: give at least one"
  : T extends readonly (infer One)[]
    ? ErrorOf<One>
    : ErrorOf<T>;

type ErrorOf<T> = unknown extends T
  ? never
  : T extends string
    ? never
    : string extends keyof T
      ? never
      : T extends { readonly avg: unknown; readonly sum: unknown }
        ? "this is a datalake without its function: end it with .avg(), .sum(), .min(), .max() or .count(operator, value)"
        : T extends { readonly tasks: infer Tasks }
          ? ErrorOfRequest<T, Tasks>
          : T extends { readonly destinationChainId: unknown }
            ? '"tasks" is missing: a request has "destinationChainId" and "tasks"'
            : ErrorOfTask<T>;

type ErrorOfRequest<T, Tasks> = Tasks extends readonly []
  ? '"tasks" is empty: write at least one task'
  : T extends { readonly destinationChainId: unknown }
    ? Tasks extends readonly (infer One)[]
      ? ErrorOf<One>
      : '"tasks" has to be a list of tasks'
    : '"destinationChainId" is missing: a request has "destinationChainId" and "tasks"';

type ErrorOfTask<T> = T extends { readonly module: object }
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
