import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

import { runModule, type ModuleRun } from "../../src/compute/run-module.js";
import type { ModuleRead, ReadModuleValue } from "../../src/cairo/module-read.js";

const folder = new URL("../cairo/compiled/", import.meta.url);

/** Functions of the test module by number, as in scripts/starknet/test-modules.ts. */
export const FUNCTIONS = {
  arithmetic: 0n,
  collections: 1n,
  hashes: 2n,
  keccak: 3n,
  panics: 4n,
  storageSum: 5n,
  rawCalls: 6n,
  otherSyscalls: 7n,
} as const;

/** Parsed JSON of a file under test/cairo/compiled; one whose name ends with `.br` is compressed. */
export function compiledFile(name: string): unknown {
  const bytes = readFileSync(new URL(name, folder));
  const text = name.endsWith(".br") ? brotliDecompressSync(bytes) : bytes;
  const json: unknown = JSON.parse(text.toString("utf8"));
  return json;
}

const functions = compiledFile("functions.compiled_contract_class.json");

/** What the reads of the test module answer: the same formula as its double in Cairo. */
export function squareOfBlock(read: ModuleRead): bigint {
  return "slot" in read
    ? read.block * read.block + (BigInt(read.slot) % 2n ** 128n) + (BigInt(read.slot) >> 128n)
    : 0n;
}

/** Calls a function of the test module. */
export async function callFunction(
  number: bigint,
  inputs: readonly bigint[],
  read: ReadModuleValue = squareOfBlock,
): Promise<ModuleRun> {
  const felts = [number, BigInt(inputs.length), ...inputs];
  return await runModule(functions, {
    inputs: felts.map((value) => ({ visibility: "public", value })),
    generation: "head",
    leadingFelts: 8,
    read,
  });
}

/** What a function returned, past the length of the array; fails when it panicked. */
export async function returnedBy(
  number: bigint,
  inputs: readonly bigint[],
  read?: ReadModuleValue,
): Promise<bigint[]> {
  const run = await callFunction(number, inputs, read);
  if (run.status !== "returned") throw new Error(run.message);
  return run.retdata.slice(1);
}
