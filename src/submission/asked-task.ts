import type { Hex } from "viem";
import { concatHex } from "viem/utils";

import { toWord } from "../base/hex.js";
import { keccak256 } from "../base/keccak.js";
import { standardCall } from "../request/standard-programs.js";
import { hasModuleForm, type TaskForm, writtenTask } from "../request/task-form.js";
import {
  type DatalakeEncoding,
  encodeCompute,
  encodeDatalake,
  encodeTask,
  modulePreimage,
} from "../request/task-hash.js";
import type { Task } from "../request/task.js";
import { fartherTasks, nearTasks, type Vocabulary } from "./task-variations.js";

/** How a task is encoded: as stores of either generation do, or in a way that a contract has by mistake. */
export type TaskEncoding = DatalakeEncoding | "abi.encodePacked" | "abi.encode(task)";

/** One of the hashes that a task can have, and how it comes to it. */
export interface HashedTask {
  readonly hash: Hex;
  /** The task as a user writes it. */
  readonly task: Task;
  readonly form: TaskForm;
  readonly encoding: TaskEncoding;
  /** The chain, one without identifier, that a contract took for the one that the task reads. */
  readonly chainId?: bigint | undefined;
  /** Whether that chain is the connected one: contracts take `block.chainid`. */
  readonly isOnOwnChain?: boolean | undefined;
  /** Whether the task's chain is not known: it was decoded from an encoding without one. */
  readonly isOfAnyChain?: boolean | undefined;
}

/** Returns the hashes that a task can have: in both forms, and in the datalake form with and without chain id. */
export function possibleHashes(given: Task): readonly HashedTask[] {
  const task = writtenTask(given);
  const encodings = ["with-chain-id", "without-chain-id"] as const;
  if (task.type === "Module") return [hashed(task, "module")];
  const ofDatalake = encodings.map((encoding) => hashed(task, "datalake", encoding));
  return hasModuleForm(task) ? [...ofDatalake, hashed(task, "module")] : ofDatalake;
}

/** Hashes with the keccak of this package, which takes a tenth of the time of viem's: thousands of tasks are tried. */
function hashed(
  task: Task,
  form: TaskForm,
  encoding: DatalakeEncoding = "with-chain-id",
): HashedTask {
  return { hash: hashBytes(preimage(task, form, encoding)), task, form, encoding };
}

function preimage(task: Task, form: TaskForm, encoding: DatalakeEncoding): Hex {
  if (task.type === "Module") return encodeTask(task);
  if (form === "module") {
    const { programHash, felts } = standardCall(task);
    return encodeCall(programHash, felts);
  }
  const datalake = encodeDatalake(task.datalake, { datalakeEncoding: encoding });
  return committed(datalake, encodeCompute(task.compute));
}

/** Returns what a module's hash is the hash of, of words that need be no felts. */
export function encodeCall(programHash: Hex, words: readonly bigint[]): Hex {
  return modulePreimage(toWord(BigInt(programHash)), words.map(toWord));
}

/** Returns what a datalake task's hash is the hash of: the hash of the encoded datalake, and the encoded function. */
export function committed(datalake: Hex, compute: Hex): Hex {
  return concatHex([hashBytes(datalake), compute]);
}

/** Returns the keccak256 of bytes. */
export function hashBytes(bytes: Hex): Hex {
  return keccak256(Buffer.from(bytes.slice(2), "hex"));
}

interface SearchOptions {
  readonly vocabulary: Vocabulary;
  /** Returns whether the search has taken its time. */
  readonly isOver: () => boolean;
}

/**
 * Returns the task of a hash: one of the tasks, in whatever form and encoding, or one that differs from one of them in one
 * field, or by two swapped numbers. Undefined where none of those has the hash, or the search `isOver` before it is found.
 */
export function taskOfHash(
  hash: Hex,
  tasks: readonly Task[],
  { isOver, vocabulary }: SearchOptions,
): HashedTask | undefined {
  return firstOfHash(hash, nearTasks(tasks, vocabulary), isOver);
}

/** Returns the task of a hash that differs from one of the tasks in two fields by little, or in a range far away. */
export function fartherTaskOfHash(
  hash: Hex,
  tasks: readonly Task[],
  { isOver, vocabulary }: SearchOptions,
): HashedTask | undefined {
  return firstOfHash(hash, fartherTasks(tasks, vocabulary), isOver);
}

function firstOfHash(
  hash: Hex,
  candidates: Iterable<Task>,
  isOver: () => boolean,
): HashedTask | undefined {
  for (const task of candidates) {
    const found = possibleHashes(task).find((one) => one.hash === hash);
    if (found !== undefined) return found;
    if (isOver()) return undefined;
  }
  return undefined;
}
