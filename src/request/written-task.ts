import type { Task, TaskRequest } from "./task.js";

/** A task as in a file: a module by program hash, or by class with named arguments. Parsing is stricter. */
export type WrittenTask =
  | { readonly type: string; readonly datalake: object; readonly compute: object }
  | { readonly type: string; readonly programHash: string; readonly inputs?: readonly unknown[] }
  | { readonly module: object };

/** A request as in a file. Parsing is stricter. */
export interface WrittenRequest {
  readonly destinationChainId: string;
  readonly tasks: readonly unknown[];
}

/** The path of a JSON file (relative to the project), the file's content as an object, a task, or a parsed request. */
export type TaskDocument = string | Task | TaskRequest | WrittenTask | WrittenRequest;

/** All that can be submitted. Results of tasks without a request go to the chain on which they are submitted. */
export type TaskInput = TaskDocument | readonly TaskDocument[];
