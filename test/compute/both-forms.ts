import { expect } from "chai";
import fc from "fast-check";

import {
  asModule,
  type DatalakeComputeTask,
  listFields,
  type ModuleTask,
  parseTask,
  standardProgram,
  valueFelts,
} from "../../src/entries/request.js";
import {
  type ChainReader,
  evaluateWith,
  type GenerationName,
  type ModuleRun,
  runModule,
} from "../../src/entries/local.js";
import { isHdpError } from "../../src/errors/hdp-error.js";
import { standardClass } from "../../src/program/standard-classes.js";
import { ERAS, syntheticChain } from "../support/synthetic-chain.js";

/** The data handles that a standard program is called with: felts, and how a prover of the time answers reads. */
export const HANDLES = [
  { felts: 4, generation: "2024-10-24" },
  { felts: 6, generation: "2025-09" },
  { felts: 8, generation: "head" },
] as const satisfies readonly { felts: number; generation: GenerationName }[];
export type Handle = Readonly<{ felts: number; generation: GenerationName }>;

/** Runs a module task of a standard program over a chain, as a prover with the handle does. */
export async function runUnder(
  { felts, generation }: Handle,
  { programHash, inputs }: ModuleTask,
  reader: ChainReader,
): Promise<ModuleRun> {
  const program = standardProgram(programHash);
  if (program === undefined) throw new TypeError("not a standard program");
  return await runModule(await standardClass(program), {
    inputs,
    leadingFelts: felts,
    generation,
    reader: () => reader,
  });
}

const number = (most: number): fc.Arbitrary<bigint> => fc.bigInt(0n, BigInt(most));
const HOLDERS = ["0x7f2c6f930306d3aa736b3a6c6a98f512f74036d4", `0x${"00".repeat(19)}07`];
const SLOTS = [`0x${"00".repeat(31)}01`, `0x${"f".repeat(64)}`];
const LAST = 2n ** 64n - 1n;

const integersOf = (kind: "header" | "account" | "tx" | "tx_receipt"): readonly string[] =>
  listFields(kind)
    .filter(({ functions }) => functions.length > 0)
    .map(({ field }) => field);

const compute = fc.oneof(
  fc.constantFrom("avg", "sum", "min", "max").map((aggregateFnId) => ({ aggregateFnId })),
  fc.record({
    aggregateFnId: fc.constant("count"),
    aggregateFnCtx: fc.record({
      operator: fc.constantFrom("eq", "nq", "gt", "gteq", "lt", "lteq"),
      valueToCompare: fc
        .constantFrom(
          0n,
          1n,
          9n,
          2n ** 64n,
          2n ** 128n,
          2n ** 128n - 1n,
          2n ** 255n,
          2n ** 256n - 1n,
        )
        .map(String),
    }),
  }),
);
/** Ranges of up to ten elements, at the start, in the middle and at the end of all numbers; small and huge steps. */
const range = fc
  .record({
    from: fc.oneof(number(9), fc.constantFrom(1_000_000n, LAST - 9n)),
    length: number(9),
    step: fc.oneof(
      fc.constantFrom(1n, 1n, 2n, 3n, 7n),
      fc.constantFrom(LAST, LAST - 1n, 2n ** 63n),
    ),
  })
  .map(({ from, length, step }) => ({ from, to: from + length, step }));

const blockProperty = fc.oneof(
  fc.constantFrom(...integersOf("header")).map((field) => `header.${field}`),
  fc
    .tuple(fc.constantFrom(...HOLDERS), fc.constantFrom(...integersOf("account")))
    .map(([address, field]) => `account.${address}.${field}`),
  fc
    .tuple(fc.constantFrom(...HOLDERS), fc.constantFrom(...SLOTS))
    .map(([address, slot]) => `storage.${address}.${slot}`),
);
const blocks = fc
  .record({ range, sampledProperty: blockProperty, compute })
  .map(({ range: { from, to, step }, sampledProperty, compute: computation }) => ({
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      increment: step,
      blockRangeStart: from,
      blockRangeEnd: to,
      sampledProperty,
    },
    compute: computation,
  }));

const transactions = fc
  .record({
    block: fc.oneof(number(40), fc.constant(LAST)),
    start: fc.oneof(number(3), fc.constant(LAST - 4n)),
    length: fc.oneof(number(4), fc.constant(4n)),
    step: fc.constantFrom(1n, 1n, 2n, 3n, LAST),
    types: fc.record({
      legacy: fc.boolean(),
      eip2930: fc.boolean(),
      eip1559: fc.boolean(),
      eip4844: fc.boolean(),
    }),
    sampledProperty: fc.oneof(
      fc.constantFrom(...integersOf("tx")).map((field) => `tx.${field}`),
      fc.constantFrom(...integersOf("tx_receipt")).map((field) => `tx_receipt.${field}`),
    ),
    compute,
  })
  .map(({ block, start, length, step, types, sampledProperty, compute: computation }) => ({
    type: "DatalakeCompute",
    datalake: {
      type: "TransactionsInBlock",
      chainId: "ETHEREUM_SEPOLIA",
      increment: step,
      targetBlock: block,
      startIndex: start,
      endIndex: start + length + 1n,
      includedTypes: types,
      sampledProperty,
    },
    compute: computation,
  }));

function parsed(json: unknown): DatalakeComputeTask | undefined {
  try {
    const task = parseTask(json);
    return task.type === "DatalakeCompute" ? task : undefined;
  } catch {
    // The end exceeds 64 bits, or no included type has the field.
    return undefined;
  }
}

/** A task of a standard program, with the chain that it is of. */
export const randomCase = fc.record({
  task: fc
    .oneof(blocks, transactions)
    .map(parsed)
    .filter((task) => task !== undefined),
  era: fc.constantFrom(...ERAS),
  seed: fc.string({ minLength: 6, maxLength: 6 }),
});

/** What became of random tasks, to see that a run of them tried what it should. */
export interface Tried {
  values: number;
  failures: number;
  /** Tasks that only the evaluator computes: legacy chain ids, and ranges with deposits. */
  onlyEvaluated: number;
}

/**
 * Computes random tasks over chains of every time, by the evaluator and by the standard program under each handle, and
 * compares: the same value, or no value.
 */
export async function compareForms(numRuns: number, seed?: number): Promise<Tried> {
  const tried: Tried = { values: 0, failures: 0, onlyEvaluated: 0 };
  await fc.assert(
    fc.asyncProperty(randomCase, async ({ task, era, seed: chainSeed }) => {
      const reader = syntheticChain(chainSeed, era);
      const expected = await evaluateWith(reader, task).then(
        ({ value }) => valueFelts(value),
        (error: unknown) => codeOf(error),
      );
      for (const handle of HANDLES) {
        const found = await outcomeUnder(handle, asModule(task), reader);
        if (typeof expected !== "string" && typeof found === "string" && isOnlyEvaluated(found)) {
          expect(isBeyondModules(task, era.name), found).to.equal(true);
          tried.onlyEvaluated += 1;
        } else if (typeof expected === "string") {
          if (typeof found !== "string") expect.fail(`${expected}, and the program has a value`);
          const isNothing = expected === "HDP-4305" && !isOnlyEvaluated(found);
          expect(found === "no values").to.equal(isNothing);
          tried.failures += 1;
        } else {
          expect(found).to.deep.equal(expected);
          tried.values += 1;
        }
      }
    }),
    { numRuns, ...(seed === undefined ? {} : { seed }) },
  );
  return tried;
}

/** The felts of a run, the text of its panic, or the code of its error. */
async function outcomeUnder(
  handle: Handle,
  task: ModuleTask,
  reader: ChainReader,
): Promise<readonly bigint[] | string> {
  try {
    const run = await runUnder(handle, task, reader);
    return run.status === "panicked" ? run.message : run.retdata;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  if (isHdpError(error)) return error.code;
  throw error;
}

/** The error of a read that the data processor does not answer. */
function isOnlyEvaluated(found: string): boolean {
  return found === "HDP-7112";
}

function isBeyondModules({ datalake }: DatalakeComputeTask, era: string): boolean {
  if (datalake.type === "BlockSampled") return false;
  const { kind, field } = datalake.sampledProperty;
  const isLegacyChainId = kind === "tx" && field === "chain_id" && datalake.includedTypes.legacy;
  return isLegacyChainId || era === "Optimism";
}
