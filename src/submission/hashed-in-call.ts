import type { Hex } from "viem";

import type { FieldDifference } from "../request/task-differences.js";
import type { Task } from "../request/task.js";
import type { HashedTask } from "./asked-task.js";
import { relatedSlotText, slotText } from "./hashed-slots.js";
import { byHash, decodeHashed, type HashedBytes } from "./hashed-task.js";
import { nearestWords, taskInParts } from "./hashed-words.js";

/** What a failed call hashed: the tasks and slots that its contracts derived themselves. */
export class HashedInCall {
  readonly #hashed: HashedBytes;

  public constructor(hashed: Iterable<Hex>) {
    this.#hashed = byHash(hashed);
  }

  /** Returns the bytes of a hash; undefined where they were not hashed. */
  public bytes(hash: Hex): Hex | undefined {
    return this.#hashed.get(hash);
  }

  /** Returns the task of a hash; undefined where what was hashed encodes none. */
  public task(hash: Hex): HashedTask | undefined {
    return decodeHashed(hash, this.#hashed);
  }

  /** Returns in which words that which was hashed differs from the nearest task; undefined where none is near. */
  public wordDifferences(
    hash: Hex,
    tasks: readonly Task[],
  ): readonly FieldDifference[] | undefined {
    return nearestWords(hash, this.#hashed, tasks);
  }

  /** Returns the task of which what was hashed has parts; undefined where it has too few of any. */
  public taskInParts(hash: Hex, tasks: readonly Task[]): Task | undefined {
    return taskInParts(hash, this.#hashed, tasks);
  }

  /** Returns what a slot is the hash of, in words: one that was derived, or one that comes of the derived one by a mistake. */
  public slotText(slot: Hex, derived: Hex = slot): string | undefined {
    return slotText(slot, this.#hashed) ?? relatedSlotText(slot, derived, this.#hashed);
  }
}
