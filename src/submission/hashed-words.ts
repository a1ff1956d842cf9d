import type { Hex } from "viem";
import { size, sliceHex } from "viem/utils";

import { toWord } from "../base/hex.js";
import { asModule } from "../request/standard-programs.js";
import type { FieldDifference } from "../request/task-differences.js";
import { hasModuleForm, writtenTask } from "../request/task-form.js";
import {
  encodeCompute,
  encodeDatalake,
  encodeSampledProperty,
  encodeTask,
} from "../request/task-hash.js";
import type { DatalakeComputeTask, ModuleTask, Task } from "../request/task.js";
import { committed } from "./asked-task.js";
import { type HashedBytes, wordsOf } from "./hashed-task.js";

/** Bytes that a contract may have been meant to hash, with names of their words. */
interface NamedWords {
  readonly bytes: Hex;
  readonly names: readonly string[];
}

const CALL_NAMES = ["programHash", "offset of the inputs", "number of inputs"] as const;
const COMPUTE_NAMES = ["aggregateFnId", "operator", "valueToCompare"] as const;
const BLOCKS_NAMES = ["blockRangeStart", "blockRangeEnd", "increment"] as const;
const TRANSACTIONS_NAMES = [
  "targetBlock",
  "startIndex",
  "endIndex",
  "increment",
  "includedTypes",
] as const;
const PROPERTY_NAMES = ["offset of the property", "bytes of the property", "property"] as const;

/**
 * Returns in which words that which was hashed differs from the encoding of a task, the nearest of those with as many;
 * undefined where more than two words differ from each.
 */
export function nearestWords(
  hash: Hex,
  hashed: HashedBytes,
  tasks: readonly Task[],
): readonly FieldDifference[] | undefined {
  const bytes = hashed.get(hash);
  if (bytes === undefined) return undefined;
  const all = tasks.flatMap((task) => encodingsOf(writtenTask(task), bytes, hashed));
  const [best] = all.sort((one, other) => one.length - other.length);
  return best !== undefined && best.length <= MAX_WORDS ? best : undefined;
}

const MAX_WORDS = 2;

/** Returns the differing words of each encoding of a task that is as long as what was hashed. */
function encodingsOf(
  task: Task,
  bytes: Hex,
  hashed: HashedBytes,
): readonly (readonly FieldDifference[])[] {
  if (task.type === "Module") return differing(bytes, ofModule(task));
  const ofForm = hasModuleForm(task) ? differing(bytes, ofModule(asModule(task))) : [];
  const [own, datalake] = [ofCompute(task), ofDatalake(task)];
  const commitment = size(bytes) >= 32 ? hashed.get(sliceHex(bytes, 0, 32)) : undefined;
  if (commitment === undefined) return [...ofForm, ...differing(bytes, own)];
  // The function's words and those of the datalake, whose hash comes first.
  const ofFunction = differing(bytes, own).map((words) => words.filter(isOfFunction));
  const ofBlocks = differing(commitment, datalake);
  const both = ofFunction.flatMap((ones) => ofBlocks.map((others) => [...others, ...ones]));
  return [...ofForm, ...both];
}

const HASH_OF_DATALAKE = "hash of the datalake";

function isOfFunction({ field }: FieldDifference): boolean {
  return field !== HASH_OF_DATALAKE;
}

function ofModule(task: ModuleTask): NamedWords {
  // The hash covers no private inputs.
  const names = task.inputs.flatMap(({ visibility }, at) =>
    visibility === "public" ? [`inputs[${at}]`] : [],
  );
  return { bytes: encodeTask(task), names: [...CALL_NAMES, ...names] };
}

function ofCompute({ datalake, compute }: DatalakeComputeTask): NamedWords {
  const bytes = committed(encodeDatalake(datalake), encodeCompute(compute));
  return { bytes, names: [HASH_OF_DATALAKE, ...COMPUTE_NAMES] };
}

function ofDatalake({ datalake }: DatalakeComputeTask): NamedWords {
  const numbers = datalake.type === "BlockSampled" ? BLOCKS_NAMES : TRANSACTIONS_NAMES;
  return {
    bytes: encodeDatalake(datalake),
    names: ["type", "chainId", ...numbers, ...PROPERTY_NAMES],
  };
}

/** Returns the words in which bytes differ; none where they are not as long. */
function differing(
  bytes: Hex,
  { bytes: right, names }: NamedWords,
): readonly (readonly FieldDifference[])[] {
  const [asked = [], found = []] = [wordsOf(bytes), wordsOf(right)];
  if (asked.length === 0 || asked.length !== found.length) return [];
  const differences = asked.flatMap((one, at): FieldDifference[] => {
    const other = found[at] ?? 0n;
    const name = names[at] ?? `word ${at}`;
    return one === other ? [] : [{ field: name, asked: wordText(one), found: wordText(other) }];
  });
  return [differences];
}

const SMALL = 2n ** 64n;
const ACCOUNTS = 2n ** 160n;

/** Returns a word as a reader knows it: a small number, an address, or all digits. */
export function wordText(word: bigint): string {
  if (word < SMALL) return String(word);
  return word < ACCOUNTS ? `0x${word.toString(16).padStart(40, "0")}` : toWord(word);
}

/** Bytes that are shown of those which a contract hashed. */
const SHOWN_BYTES = 160;

/** Returns whether bytes are few enough to be shown. */
export function isShort(bytes: Hex): boolean {
  return size(bytes) <= SHOWN_BYTES;
}

/** Returns the first bytes of many. */
export function shortened(bytes: Hex): string {
  return isShort(bytes) ? bytes : `${sliceHex(bytes, 0, SHOWN_BYTES)}…`;
}

/** Returns the task of which most parts are in what was hashed, at least its property or program and two more. */
export function taskInParts(
  hash: Hex,
  hashed: HashedBytes,
  tasks: readonly Task[],
): Task | undefined {
  const bytes = hashed.get(hash);
  if (bytes === undefined) return undefined;
  // What was hashed may hold the hash of more.
  const inner = (wordsOf(bytes) ?? []).map((word) => hashed.get(toWord(word))?.slice(2) ?? "");
  const all = [bytes.slice(2), ...inner].join(" ");
  const counts = tasks.map((task) => ({ task, count: partsIn(all, writtenTask(task)) }));
  const [best] = counts.sort((one, other) => other.count - one.count);
  return best !== undefined && best.count >= MIN_PARTS ? best.task : undefined;
}

const MIN_PARTS = 3;

/** Returns how many parts of a task digits have; none without its property or program. */
function partsIn(digits: string, task: Task): number {
  const { main, numbers } = partsOf(task);
  if (!digits.includes(main.slice(2).toLowerCase())) return 0;
  return 1 + numbers.filter((number) => digits.includes(toWord(number).slice(2))).length;
}

function partsOf(task: Task): { readonly main: Hex; readonly numbers: readonly bigint[] } {
  if (task.type === "Module")
    return {
      main: toWord(BigInt(task.programHash)),
      numbers: task.inputs
        .filter(({ visibility }) => visibility === "public")
        .map(({ value }) => BigInt(value)),
    };
  const { datalake } = task;
  const numbers =
    datalake.type === "BlockSampled"
      ? [datalake.blockRangeStart, datalake.blockRangeEnd]
      : [datalake.targetBlock, datalake.startIndex, datalake.endIndex];
  return { main: encodeSampledProperty(datalake.sampledProperty), numbers };
}
