import { expect } from "chai";
import fc from "fast-check";

import { parseCompiledClass } from "../../src/entries/program.js";
import { mapKey, sortedFelts } from "../../src/cairo/hints/dict-hints.js";
import type { Felt } from "../../src/cairo/machine-state.js";
import { PRIME } from "../../src/cairo/words.js";
import { type ContractResult, prepareClass, runContract } from "../../src/cairo/run-contract.js";
import { assertEqual, type Line, push, returning, runLines } from "../support/cairo-assembler.js";
import { compiledFile } from "../support/compiled-functions.js";
import { expectHdpError } from "../support/failure.js";

async function runMain(
  file: string,
  inputs: readonly bigint[],
  now?: () => number,
): Promise<ContractResult> {
  return await runContract({
    program: prepareClass(parseCompiledClass(compiledFile(file))),
    calldata: [...new Array<bigint>(8).fill(0n), ...inputs],
    syscall: () => Promise.reject(new Error("no system call expected")),
    now,
  });
}

/** The result of work that is done in steps, and how many there were. */
function inSteps<T>(work: Generator<undefined, T>): { readonly value: T; readonly steps: number } {
  for (let steps = 0; ; steps += 1) {
    const { done, value } = work.next();
    if (done === true) return { value, steps };
  }
}

const inNumbers = (felt: bigint): Felt => (felt < 2n ** 50n ? Number(felt) : felt);

describe("hints that work in steps", () => {
  it("give the same result where a slice of time ends at each of their steps", async () => {
    let reads = 0;
    const late = (): number => (reads += 1_000);
    for (const [file, ...inputs] of [
      ["builtins_Loops.compiled_contract_class.json", 3n, 40_000n],
      [
        "builtins_Circuits.compiled_contract_class.json",
        5n,
        0n,
        0n,
        0n,
        2n,
        0n,
        0n,
        0n,
        7n,
        0n,
        0n,
        0n,
      ],
    ] as const) {
      reads = 0;
      const result = await runMain(file, inputs);
      expect(await runMain(file, inputs, late), file).to.deep.equal(result);
      expect(reads).to.be.greaterThan(0);
    }
  });
});

const range = (make: (at: number) => bigint): bigint[] =>
  Array.from({ length: 60_000 }, (_, at) => make(at));

describe("felts as keys", () => {
  const felt = fc.oneof(
    fc.bigInt({ min: 0n, max: PRIME - 1n }),
    fc.bigInt({ min: 0n, max: 2_000n }),
    fc.bigInt({ min: 2n ** 50n - 20n, max: 2n ** 50n + 20n }),
    fc.bigInt({ min: PRIME - 2_000n, max: PRIME - 1n }),
  );

  it("sorts felts like integers", () => {
    fc.assert(
      fc.property(fc.array(felt, { maxLength: 3_000, size: "max" }), (felts) => {
        const ascending = [...new Set(felts)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(inSteps(sortedFelts([...new Set(felts)].map(inNumbers))).value).to.deep.equal(
          ascending.map(inNumbers),
        );
      }),
      { numRuns: 40 },
    );
  });

  for (const [name, felts] of [
    [
      "that differ in all bits",
      range((at) => (BigInt(at) * 0x9e3779b97f4a7c15n * 2n ** 180n + 5n) % PRIME),
    ],
    ["that share their highest bits", range((at) => PRIME - 1n - BigInt((at * 7_919) % 60_000))],
    ["that share their lowest bits", range((at) => BigInt((at * 7_919) % 60_000) << 190n)],
  ] as const) {
    it(`sorts many felts ${name} in many steps`, () => {
      const ascending = [...felts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const { value, steps } = inSteps(sortedFelts(felts.map(inNumbers)));
      expect(value).to.deep.equal(ascending.map(inNumbers));
      expect(steps).to.be.greaterThan(5);
    });
  }

  it("differ where felts do, and in the 64 bits that maps hash", () => {
    fc.assert(
      fc.property(felt, felt, (one, other) => {
        expect(mapKey(inNumbers(one)) === mapKey(inNumbers(other))).to.equal(one === other);
      }),
    );
    const packed = Array.from({ length: 20_000 }, (_, at) => BigInt(at) << 128n);
    expect(new Set(packed.map((key) => BigInt.asUintN(64, BigInt(mapKey(key))))).size).to.be.above(
      19_990,
    );
  });
});

describe("a dictionary's hints", () => {
  const of = (offset: number) => ({ Deref: { register: "FP", offset } });
  const felt = (value: bigint) => ({ Immediate: `0x${value.toString(16)}` });
  const to = (offset: number) => ({ register: "FP", offset });
  const squash = (count: bigint, cells = 3n * count) => ({
    InitSquashData: {
      dict_accesses: of(1),
      ptr_diff: felt(cells),
      n_accesses: felt(count),
      big_keys: to(90),
      first_key: to(91),
    },
  });
  /** Writes 9 under each key, then squashes `count` accesses; returns whether keys are large, and the first. */
  const run = async (keys: readonly bigint[], hint: unknown = squash(BigInt(keys.length))) => {
    const accesses = keys.flatMap((key, at): Line[] => {
      const pointer = {
        BinOp: { op: "Add", a: { register: "FP", offset: 1 }, b: felt(BigInt(3 * at)) },
      };
      return [
        {
          ...push(key),
          hints: [{ Felt252DictWrite: { dict_ptr: pointer, key: felt(key), value: felt(9n) } }],
        },
        assertEqual(["ap", -1], { at: 3 * at }, ["fp", 1]),
        push(9n),
        assertEqual(["ap", -1], { at: 3 * at + 2 }, ["fp", 1]),
      ];
    });
    const lines: Line[] = [
      { jump: "rel", op1: 2n, hints: [{ AllocFelt252Dict: { segment_arena_ptr: of(-7) } }] },
      push({ at: -3 }, ["fp", -7]),
      push({ at: 0 }, ["fp", 0]),
      ...accesses,
      { ...push(1n), hints: [hint] },
    ];
    const results = returning(
      [
        ["fp", 90],
        ["fp", 91],
      ],
      [push(["fp", -7])],
    );
    return (await runLines([...lines, ...results], { builtins: ["segment_arena"] })).retdata;
  };

  it("begin a squash at the lowest key, and say whether a key has more than 128 bits", async () => {
    expect(await run([7n, 5n, 5n])).to.deep.equal([0n, 5n]);
    expect(await run([2n ** 128n - 1n])).to.deep.equal([0n, 2n ** 128n - 1n]);
    expect(await run([2n ** 128n, 2n ** 60n])).to.deep.equal([1n, 2n ** 60n]);
    expect(await run([PRIME - 1n, 2n ** 128n])).to.deep.equal([1n, 2n ** 128n]);
    expect(await run([PRIME - 1n, 3n])).to.deep.equal([1n, 3n]);
  });

  it("refuse to squash no accesses, parts of accesses, or more than were written", async () => {
    await expectHdpError(run([5n], squash(0n)), "HDP-7108", /no accesses to squash/);
    await expectHdpError(run([5n], squash(1n, 4n)), "HDP-7108", /not whole entries/);
    await expectHdpError(
      run([5n], squash(2n ** 20n)),
      "HDP-7108",
      /a dictionary's key is not known/,
    );
  });
});
