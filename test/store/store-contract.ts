import { type Hex, numberToHex } from "viem";

import { type ExecutionStore, NotFinalizedError } from "../../src/store/execution-store.js";
import { modelTaskHash } from "./mock-model.js";

/**
 * What every mock of the execution store does alike, whatever it is written in: steps, and what each of them answers.
 * Tasks are module tasks without inputs, named by a small number.
 *
 * Answers: a status; a result's word; "not finalized: <status>"; "done"; "refused".
 */
export interface ContractStep {
  readonly act: (typeof STORE_ACTS)[number];
  readonly task: number;
  readonly word?: Hex;
  readonly answer: string;
}

/** The position is how Cairo names an act. */
export const STORE_ACTS = ["status", "read", "schedule", "finalize", "finalizeAsStranger"] as const;

const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
const EDGES = [0n, 1n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 256n - 1n, 0xf0f1n << 240n].map(word);

export const STORE_CONTRACT: readonly ContractStep[] = [
  // Nothing is known of a task at first.
  { act: "status", task: 0, answer: "none" },
  { act: "read", task: 0, answer: "not finalized: none" },
  // A scheduled task has no result yet, and is scheduled once.
  { act: "schedule", task: 0, answer: "done" },
  { act: "status", task: 0, answer: "scheduled" },
  { act: "read", task: 0, answer: "not finalized: scheduled" },
  { act: "schedule", task: 0, answer: "refused" },
  { act: "status", task: 1, answer: "none" },
  // Only operators finalize, and what they refused has changed nothing.
  { act: "finalizeAsStranger", task: 0, word: word(6n), answer: "refused" },
  { act: "status", task: 0, answer: "scheduled" },
  { act: "finalize", task: 0, word: word(7n), answer: "done" },
  { act: "status", task: 0, answer: "finalized" },
  { act: "read", task: 0, answer: word(7n) },
  { act: "finalizeAsStranger", task: 0, word: word(8n), answer: "refused" },
  { act: "read", task: 0, answer: word(7n) },
  // A task need not be scheduled. Words are kept whole, each under its own task.
  ...EDGES.map((edge, index): ContractStep => ({
    act: "finalize",
    task: index + 1,
    word: edge,
    answer: "done",
  })),
  ...EDGES.map((edge, index): ContractStep => ({ act: "read", task: index + 1, answer: edge })),
  { act: "status", task: 6, answer: "finalized" },
  { act: "status", task: 7, answer: "none" },
];

export const contractTaskHash = modelTaskHash;

/** A store and the ways to change it. */
export interface StoreUnderTest {
  readonly store: ExecutionStore;
  schedule(task: number): Promise<unknown>;
  finalize(taskHash: Hex, word: Hex): Promise<unknown>;
  finalizeAsStranger(taskHash: Hex, word: Hex): Promise<unknown>;
}

/** Takes the steps and returns what each of them answered. Errors that say nothing of the contract are thrown. */
export async function playStoreContract(
  under: StoreUnderTest,
  isRefusal: (error: unknown) => boolean,
): Promise<string[]> {
  const answers: string[] = [];
  for (const { act, task, word = "0x" } of STORE_CONTRACT)
    answers.push(await answer(under, isRefusal, act, task, word));
  return answers;
}

async function answer(
  { store, ...change }: StoreUnderTest,
  isRefusal: (error: unknown) => boolean,
  act: ContractStep["act"],
  task: number,
  word: Hex,
): Promise<string> {
  const taskHash = contractTaskHash(task);
  try {
    if (act === "status") return await store.status(taskHash);
    if (act === "read") return (await store.readResult(taskHash)).word;
    if (act === "schedule") await change.schedule(task);
    else await change[act](taskHash, word);
    return "done";
  } catch (error) {
    if (error instanceof NotFinalizedError && error.code === "HDP-3001")
      return `not finalized: ${error.status}`;
    if (act !== "read" && act !== "status" && isRefusal(error)) return "refused";
    throw error;
  }
}
