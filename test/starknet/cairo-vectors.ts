import type { Hex } from "viem";
import { z } from "zod";

import { parseTask } from "../../src/request/parse.js";
import { readVectors } from "../support/vectors.js";
import { computeFelts, datalakeFelts, wordFelts } from "./cairo-felts.js";

const isHex = (text: string): text is Hex => text.startsWith("0x");
const hex = z.string().refine(isHex);
const taskVectors = z.array(
  z.object({
    encodingVersion: z.string().optional(),
    task: z.unknown(),
    expected: z.object({ taskCommitment: hex }),
  }),
);
const rootVectors = z.object({
  moduleResultRoots: z.object({ items: z.array(z.object({ returns: z.array(z.string()), resultWord: hex })) }),
});

/**
 * The published vectors as files that `snforge_std` reads: a number, then each vector's felts, one a line. Undefined
 * where the vectors are not at hand.
 */
export function cairoVectorFiles(): Readonly<Record<string, string>> | undefined {
  const modules = readVectors("module-tasks.json");
  if (modules === undefined) return undefined;
  return {
    "data/module_tasks.txt": feltFile(moduleVectors(modules)),
    "data/datalake_tasks.txt": feltFile(datalakeVectors(readVectors("datalake-tasks.json"))),
    "data/output_roots.txt": feltFile(
      rootVectors.parse(readVectors("recomputed.json")).moduleResultRoots.items.map(({ returns, resultWord }) => {
        return [BigInt(returns.length), ...returns.map(BigInt), ...wordFelts(resultWord)];
      }),
    ),
  };
}

function moduleVectors(json: unknown): bigint[][] {
  return taskVectors.parse(json).flatMap(({ task: text, expected }) => {
    const task = parseTask(text);
    // The first generation of vectors hashed private inputs too.
    if (task.type !== "Module" || task.inputs.some((input) => input.visibility === "private")) return [];
    const inputs = task.inputs.map((input) => BigInt(input.value));
    return [[BigInt(task.programHash), BigInt(inputs.length), ...inputs, ...wordFelts(expected.taskCommitment)]];
  });
}

function datalakeVectors(json: unknown): bigint[][] {
  return taskVectors.parse(json).flatMap(({ encodingVersion, task: text, expected }) => {
    if (encodingVersion !== "datalake-with-chainId") return [];
    const task = parseTask(text);
    if (task.type !== "DatalakeCompute") return [];
    return [[...datalakeFelts(task.datalake), ...computeFelts(task.compute), ...wordFelts(expected.taskCommitment)]];
  });
}

function feltFile(vectors: readonly (readonly bigint[])[]): string {
  if (vectors.length === 0) throw new Error("No vectors of this kind.");
  return `${[BigInt(vectors.length), ...vectors.flat()].map(String).join("\n")}\n`;
}
