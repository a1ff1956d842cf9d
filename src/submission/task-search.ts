import type { Address, Hex } from "viem";

import { lowerCase } from "../base/hex.js";
import { identifyChain } from "../request/chains.js";
import { describeTaskWithInputs } from "../request/describe-task.js";
import { findDatalake, type TaskForm, writtenTask } from "../request/task-form.js";
import type { ModuleTask, Task } from "../request/task.js";
import { fartherTaskOfHash, type HashedTask, possibleHashes, taskOfHash } from "./asked-task.js";
import type { HashedInCall } from "./hashed-in-call.js";
import type { SlotOrigin } from "./mapping-slots.js";
import { collectVocabulary, type SearchHints, type Vocabulary } from "./task-variations.js";
import { hashesOnChain, wrongHashes } from "./wrong-encodings.js";

/** A task that is known here, with the place where it is known from: `tasks/fee.json`. */
export interface KnownTask {
  readonly task: Task;
  readonly source: string;
}

/** A task of an explanation. */
export interface ExplainedTask {
  readonly taskHash: Hex;
  readonly store?: Address | undefined;
  /** The task in words; none where only its hash is known. */
  readonly title?: string | undefined;
  readonly lines?: readonly string[] | undefined;
  readonly form?: TaskForm | undefined;
  /** Where the task is known from. */
  readonly source?: string | undefined;
}

interface TaskSearchOptions extends SearchHints {
  readonly tasks: readonly KnownTask[];
  /** Returns the names of the arguments that a module task's inputs are of. */
  readonly argumentsOf?: ((task: ModuleTask) => readonly string[] | undefined) | undefined;
  /** What the failed call hashed: a task among that need not be searched. */
  readonly hashed?: HashedInCall | undefined;
  /** Returns whether the search has taken its time. */
  readonly isOver?: (() => boolean) | undefined;
}

/** Finds the task of a hash once. */
export class TaskSearch {
  public readonly tasks: readonly KnownTask[];
  readonly #found = new Map<Hex, HashedTask | undefined>();
  readonly #decoded = new Set<Hex>();
  readonly #sources = new Map<Hex, string>();
  readonly #written: readonly Task[];
  readonly #vocabulary: Vocabulary;
  /** The chain that a contract may have taken for a task's; none where it has an identifier: then it is tried as a field. */
  readonly #chainId: bigint | undefined;
  readonly #argumentsOf: (task: ModuleTask) => readonly string[] | undefined;
  readonly #hashed: HashedInCall | undefined;
  readonly #isOver: () => boolean;
  readonly #hasNoTime: () => boolean;
  #isCut = false;

  public constructor({
    tasks,
    hashed,
    argumentsOf = () => undefined,
    isOver = () => false,
    ...hints
  }: TaskSearchOptions) {
    this.tasks = tasks;
    this.#hashed = hashed;
    this.#argumentsOf = argumentsOf;
    this.#written = tasks.map(({ task }) => writtenTask(task));
    this.#vocabulary = collectVocabulary(this.#written, hints);
    const { chainId } = hints;
    this.#chainId =
      chainId !== undefined && identifyChain(chainId) === undefined ? chainId : undefined;
    this.#hasNoTime = isOver;
    this.#isOver = () => (this.#isCut ||= isOver());
    for (const { task, source } of tasks) {
      if (this.#isOver()) break;
      for (const one of possibleHashes(task)) this.#add(one, source);
    }
  }

  #add(one: HashedTask, source: string): void {
    if (this.#sources.has(one.hash)) return;
    this.#sources.set(one.hash, source);
    this.#found.set(one.hash, one);
  }

  /** Whether the time was too short for a search. */
  public get isCut(): boolean {
    return this.#isCut;
  }

  /** Hashes of the known tasks. */
  public get hashes(): readonly Hex[] {
    return [...this.#sources.keys()];
  }

  public findSource(hash: Hex): string | undefined {
    return this.#sources.get(lowerCase(hash));
  }

  /** Returns whether the task of a hash was decoded from what was hashed, and is known nowhere here. */
  public isDecoded(hash: Hex): boolean {
    return this.#decoded.has(lowerCase(hash));
  }

  public find(given: Hex): HashedTask | undefined {
    const hash = lowerCase(given);
    if (this.#found.has(hash)) return this.#found.get(hash);
    const options = { vocabulary: this.#vocabulary, isOver: this.#isOver };
    const found = taskOfHash(hash, this.#written, options);
    this.#found.set(hash, found);
    return found;
  }

  /** Decodes what was hashed, where that is known, or searches farther than {@link find} while there is time. */
  public findAsked(given: Hex): HashedTask | undefined {
    const hash = lowerCase(given);
    const decoded = this.#found.has(hash) ? undefined : this.#hashed?.task(hash);
    if (decoded !== undefined) {
      const isOnOwnChain = decoded.chainId !== undefined && decoded.chainId === this.#chainId;
      const found = { ...decoded, isOnOwnChain };
      this.#found.set(hash, found);
      this.#decoded.add(hash);
      return found;
    }
    const isHashed = this.#hashed?.bytes(hash) !== undefined;
    // What was hashed encodes no task: none that is searched has the hash.
    if (isHashed && !this.#found.has(hash)) return this.#findWronglyEncoded(hash);
    const options = { vocabulary: this.#vocabulary, isOver: this.#hasNoTime };
    const found =
      this.#findWronglyEncoded(hash) ??
      this.find(hash) ??
      fartherTaskOfHash(hash, this.#written, options);
    this.#found.set(hash, found);
    return found;
  }

  /** Returns the known task that has a hash where a contract encodes it by hand, or with its own chain; undefined where it has its own hash. */
  #findWronglyEncoded(hash: Hex): HashedTask | undefined {
    if (this.#found.has(hash)) return undefined;
    for (const task of this.#written) {
      const onChain = this.#chainId === undefined ? [] : hashesOnChain(task, this.#chainId);
      const found = [...wrongHashes(task), ...onChain].find((one) => one.hash === hash);
      if (found !== undefined || this.#hasNoTime()) return found;
    }
    return undefined;
  }

  /** Returns what a storage slot is the hash of, where that is a mapping's slot and a known account. */
  public findOrigin(slot: Hex): SlotOrigin | undefined {
    return this.#vocabulary.slots.find(slot);
  }

  /** Returns a task in words; without a search where it is not given. */
  public explained(
    taskHash: Hex,
    found: HashedTask | undefined = this.#found.get(lowerCase(taskHash)),
  ): ExplainedTask {
    if (found === undefined) return { taskHash };
    const { title, lines } = describeTaskWithInputs(found.task, this.#argumentsOf);
    const source = this.findSource(taskHash);
    return { taskHash, title, lines: onAskedChain(lines, found), form: found.form, source };
  }
}

/** Returns what a task reads in words, on the chain that it was asked for. */
function onAskedChain(
  lines: readonly string[],
  { task, chainId, isOfAnyChain = false }: HashedTask,
): readonly string[] {
  const own = findDatalake(task)?.datalake.chainId;
  if (own === undefined) return lines;
  if (isOfAnyChain) return lines.map((line) => line.replace(` on ${own},`, ","));
  if (chainId === undefined) return lines;
  return lines.map((line) => line.replace(` on ${own},`, ` on chain ${chainId},`));
}
