import type { Hex } from "viem";

import { keccakBytes } from "../base/keccak.js";
import { hasModuleForm, type TaskForm } from "../request/task-form.js";
import type { Task } from "../request/task.js";
import { encodeCall } from "./asked-task.js";
import { FieldNumbers, type WordVocabulary } from "./field-numbers.js";
import { handEncodings } from "./hand-encodings.js";
import { inputLists } from "./input-lists.js";
import type { KnownWord } from "./known-words.js";
import {
  type FieldChange,
  hasHash,
  taskWords,
  type TaskWords,
  type WordField,
} from "./task-words.js";

/** A task in the form in which it has a result. */
export interface FormedTask {
  readonly task: Task;
  readonly form: TaskForm;
}

/** How a contract came to a hash from a task that has a result. */
export type WordFinding = {
  readonly of: FormedTask;
  /** Returns what a slot is, where it is that of known keys in mappings. */
  readonly originOf: (slot: bigint) => string | undefined;
} & Cause;

type Cause =
  | { readonly cause: "fields"; readonly changes: readonly FieldChange[] }
  | { readonly cause: "form" }
  | { readonly cause: "inputs"; readonly inputs: readonly bigint[] }
  | { readonly cause: "encoding"; readonly encoding: string };

/** Tries between two looks at the time. */
const TRIES = 32;

/**
 * Finds how a contract came to a hash from one of the tasks: by other numbers in one or two fields, by inputs that are missing
 * or in another order, or by another encoding. What is likely is tried first for each task.
 */
export class WordSearch {
  readonly #search: Search;
  readonly #tries: Iterator<Try, unknown>;
  #finding: WordFinding | undefined;
  #isDone = false;

  public constructor(hash: Hex, tasks: readonly FormedTask[], vocabulary: WordVocabulary) {
    this.#search = new Search(tasks, vocabulary);
    this.#tries = this.#search.tries(bytesOf(hash));
  }

  /** What was found; undefined where nothing has the hash, or not yet. */
  public get finding(): WordFinding | undefined {
    return this.#finding;
  }

  /** Whether the task is found, or everything tried. */
  public get isDone(): boolean {
    return this.#isDone;
  }

  /** Goes on with the search until it ends, or its time `isOver`. */
  public run(isOver: () => boolean): void {
    while (!this.#isDone && !isOver()) this.#tryNext();
  }

  #tryNext(): void {
    for (let tries = 0; tries < TRIES; tries++) {
      const next = this.#tries.next();
      if (next.done === true) {
        this.#isDone = true;
        return;
      }
      if (!next.value.isHash()) continue;
      const originOf = (slot: bigint): string | undefined =>
        this.#search.numbers.findOrigin(slot)?.origin;
      this.#finding = { ...next.value.finding(), originOf };
      this.#isDone = true;
      return;
    }
  }
}

/** What is tried, and what it means if it has the hash. */
interface Try {
  readonly isHash: () => boolean;
  readonly finding: () => Finding;
}

type Finding = { readonly of: FormedTask } & Cause;

type Changes = Iterable<readonly FieldChange[]>;

/** Stage of the numbers of the sources: encodings and lists of inputs come after it. */
const KNOWN = 2;

class Search {
  readonly #tasks: readonly TaskWords[];
  readonly #others: readonly TaskWords[];
  public readonly numbers: FieldNumbers;

  public constructor(tasks: readonly FormedTask[], vocabulary: WordVocabulary) {
    this.#tasks = tasks.map(({ task, form }) => taskWords(task, form));
    this.#others = tasks.flatMap(inOtherForm);
    const own = this.#tasks.flatMap(({ fields }) => fields.map(({ value }) => ({ value })));
    this.numbers = new FieldNumbers(vocabulary, own);
  }

  public *tries(wanted: Buffer): Generator<Try> {
    const { numbers } = this;
    const stages: readonly ((words: TaskWords) => Changes)[] = [
      ({ fields }) => eachField(fields, (field) => numbers.near(field)),
      ({ fields }) => swapped(fields),
      ({ fields }) => eachField(fields, (field) => numbers.known(field)),
      ({ fields }) => eachField(fields, (field) => numbers.slots(field)),
      ({ fields }) => eachField(fields, (field) => numbers.nested(field)),
      ({ fields }) => numbers.ranges(fields),
      ({ fields }) => numbers.halves(fields),
      ({ fields }) => eachField(fields, (field) => numbers.computed(field)),
      ({ fields }) => eachField(fields, (field) => numbers.members(field)),
      ({ fields }) => numbers.pairs(fields),
      ({ fields }) => eachField(fields, (field) => numbers.far(field)),
    ];
    for (const words of this.#others) yield ofForm(words, wanted);
    for (const [at, stage] of stages.entries()) {
      for (const words of this.#tasks)
        for (const changes of stage(words)) yield ofChanges(words, changes, wanted);
      if (at !== KNOWN) continue;
      for (const words of this.#tasks) yield* ofBytes(words, wanted, numbers.words);
    }
    for (const words of this.#others) {
      for (const stage of stages.slice(0, 4))
        for (const changes of stage(words)) yield ofChanges(words, changes, wanted);
      yield* ofEncodings(words, wanted);
    }
  }
}

function inOtherForm({ task, form }: FormedTask): readonly TaskWords[] {
  if (task.type === "Module") return [];
  if (form === "module") return [taskWords(task, "datalake")];
  return hasModuleForm(task) ? [taskWords(task, "module")] : [];
}

function ofForm(words: TaskWords, wanted: Buffer): Try {
  return {
    isHash: () => hasHash(words, wanted, []),
    finding: () => ({ of: words, cause: "form" }),
  };
}

function ofChanges(words: TaskWords, given: readonly FieldChange[], wanted: Buffer): Try {
  const changes = given.filter(({ field, value }) => value !== field.value);
  return {
    isHash: () =>
      changes.length > 0 &&
      changes.every(({ field, value }) => value >= 0n && value < field.limit) &&
      hasHash(words, wanted, changes),
    finding: () => ({ of: words, cause: "fields", changes }),
  };
}

function* ofBytes(words: TaskWords, wanted: Buffer, known: readonly KnownWord[]): Generator<Try> {
  yield* ofEncodings(words, wanted);
  const { task } = words;
  if (task.type !== "Module") return;
  for (const inputs of inputLists(task, known)) {
    const isHash = (): boolean =>
      wanted.equals(keccakBytes(bytesOf(encodeCall(task.programHash, inputs))));
    yield { isHash, finding: () => ({ of: words, cause: "inputs", inputs }) };
  }
}

function* ofEncodings(words: TaskWords, wanted: Buffer): Generator<Try> {
  for (const { bytes, text } of handEncodings(words.task, words.form))
    yield {
      isHash: () => wanted.equals(keccakBytes(bytes)),
      finding: () => ({ of: words, cause: "encoding", encoding: text }),
    };
}

function bytesOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}

function* eachField(
  fields: readonly WordField[],
  numbers: (field: WordField) => Iterable<KnownWord>,
): Generator<readonly FieldChange[]> {
  for (const field of fields)
    for (const { value, origin } of numbers(field))
      if (value !== field.value) yield [{ field, value, origin }];
}

/** Two fields with each other's number. */
function* swapped(fields: readonly WordField[]): Generator<readonly FieldChange[]> {
  for (const [at, field] of fields.entries())
    for (const other of fields.slice(at + 1))
      if (field.value !== other.value)
        yield [
          { field, value: other.value },
          { field: other, value: field.value },
        ];
}
