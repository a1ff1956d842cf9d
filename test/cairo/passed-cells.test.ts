import { expect } from "chai";
import fc from "fast-check";
import { z } from "zod";

import { FeltTable, feltKey } from "../../src/cairo/felt-table.js";
import { Memory } from "../../src/cairo/memory.js";
import { type ContractResult, prepareClass, runContract } from "../../src/cairo/run-contract.js";
import { PRIME } from "../../src/cairo/field.js";
import { ReleasedCellError } from "../../src/cairo/vm-error.js";
import { runModule } from "../../src/compute/run-module.js";
import { MAIN_SELECTOR, parseCompiledClass } from "../../src/program/compiled-class.js";
import { assemble, assertEqual, type Line, push, ret, returning } from "../support/cairo-assembler.js";
import { compiledFile } from "../support/compiled-functions.js";
import { expectHdpError } from "../support/failure.js";

const BUILTIN = ["fp", -7] as const;
const noSyscall = (): Promise<never> => Promise.reject(new Error("no system call expected"));

function mainOf(file: string) {
  const program = prepareClass(parseCompiledClass(compiledFile(file)));
  return async (
    inputs: readonly bigint[],
    segment: number,
    maxMemoryCells?: number,
    now?: () => number,
  ): Promise<ContractResult> =>
    await runContract({
      program,
      now,
      selector: MAIN_SELECTOR,
      calldata: [...new Array<bigint>(8).fill(0n), ...inputs],
      syscall: noSyscall,
      limits: { maxMemoryCells },
      windows: { segment, stack: 2 ** 18 },
    });
}

/** Writes 1, 2, 3, … to the builtin's cells from its start on, then what `last` says. */
function passing(
  cells: number,
  last: readonly Line[] = [],
  used = cells,
  bad: readonly [number, bigint] = [-1, 0n],
): Line[] {
  const values = Array.from({ length: cells }, (_, at) => (at === bad[0] ? bad[1] : BigInt(at + 1)));
  const end: Line = { opcode: "assert", dst: ["ap", 0], op0: BUILTIN, op1: BigInt(used), result: "add", ap: "one" };
  return [
    push(7n),
    // `returning` needs cells that nothing else writes.
    { op1: 200n, ap: "add" },
    ...values.flatMap((value, at) => [push(value), assertEqual(["ap", -1], { at }, BUILTIN)]),
    ...last,
    ...returning([["fp", 0]], [end]),
  ];
}

interface RunOptions {
  readonly segment?: number | undefined;
  readonly name?: string;
  readonly genericOnly?: boolean;
}

async function run(
  lines: readonly Line[],
  { segment, name = "range_check", genericOnly = false }: RunOptions = { segment: 64 },
): Promise<ContractResult> {
  return await runContract({
    program: prepareClass(parseCompiledClass(assemble(lines, [name]))),
    selector: 1n,
    calldata: [],
    syscall: noSyscall,
    genericOnly,
    windows: { segment },
  });
}

/** The result of work that is done in steps, and how many there were. */
function inSteps<T>(work: Generator<undefined, T>): { readonly value: T; readonly steps: number } {
  for (let steps = 0; ; steps += 1) {
    const { done, value } = work.next();
    if (done === true) return { value, steps };
  }
}

describe("cells of builtins that a run has passed", function () {
  this.timeout(120_000);

  it("make no difference to what compiled modules return, however few are kept", async () => {
    const loops = mainOf("builtins_Loops.compiled_contract_class.json");
    const turns = [3_000n, 3_000n, 300n, 700n, 300n];
    for (const [kind, count] of turns.entries()) {
      const kept = await loops([BigInt(kind), count], Infinity);
      expect(kept.panicked, String(kind)).to.equal(false);
      for (const segment of [64, 100, 1_000]) {
        expect(await loops([BigInt(kind), count], segment), `${kind}, ${segment}`).to.deep.equal(kept);
      }
    }
    const curve = mainOf("builtins_Curve.compiled_contract_class.json");
    const factors = [2n ** 200n + 1n, 874739451078007766457464989774322083649278607533249481151382481072868806602n];
    expect(await curve(factors, 64)).to.deep.equal(await curve(factors, Infinity));
  });

  it("are as they would be, also where each step of a hint's work is the last of its slice of time", async () => {
    let looks = 0;
    const late = (): number => (looks += 1_000);
    for (const [file, ...inputs] of [
      ["builtins_Loops.compiled_contract_class.json", 3n, 40_000n],
      ["builtins_Circuits.compiled_contract_class.json", ...[5n, 0n, 0n, 0n], ...[2n, 0n, 0n, 0n], ...[7n, 0n, 0n, 0n]],
    ] as const) {
      const main = mainOf(file);
      looks = 0;
      expect(await main(inputs, Infinity, undefined, late), file).to.deep.equal(await main(inputs, Infinity));
      expect(looks).to.be.greaterThan(0);
    }
  });

  it("make no difference to functions whose results another machine has recorded", async () => {
    const functions = mainOf("functions.compiled_contract_class.json");
    const recorded = z
      .array(z.object({ number: z.number(), inputs: z.array(z.string()), returned: z.array(z.string()) }))
      .parse(compiledFile("functions.results.json"))
      .filter(({ number }) => number <= 2);
    expect(recorded.length).to.be.above(5);
    for (const { number, inputs, returned } of recorded) {
      const felts = [BigInt(number), BigInt(inputs.length), ...inputs.map(BigInt)];
      const { retdata } = await functions(felts, 32);
      expect(retdata.slice(1).map((value) => `0x${value.toString(16)}`)).to.deep.equal(returned);
    }
  });

  it("are not counted against the limit of cells, nor are the large felts that they held", async () => {
    const loops = mainOf("builtins_Loops.compiled_contract_class.json");
    const limit = 6_000_000;
    expect((await loops([2n, 20_000n], 1_000, limit)).panicked).to.equal(false);
    await expectHdpError(loops([2n, 20_000n], Infinity, limit), "HDP-7110", /more than 6000000 memory cells/);
  });

  it("are never read or written as something else: the run says that they were released", async () => {
    const reads = (at: number): Line => push({ at }, BUILTIN);
    const writes = (at: number, value: bigint): Line[] => [push(value), assertEqual(["ap", -1], { at }, BUILTIN)];
    for (const genericOnly of [false, true]) {
      for (const last of [[reads(0)], [reads(100)], writes(3, 4n), writes(3, 5n), writes(100, 101n)]) {
        const lines = passing(200, last);
        const failure: unknown = await run(lines, { segment: 64, genericOnly }).catch((error: unknown) => error);
        expect(failure).to.be.instanceOf(ReleasedCellError);
      }
      // The later half of what may be kept is there.
      const recent = passing(200, [reads(199), reads(180), ...writes(190, 191n)]);
      expect(await run(recent, { segment: 64, genericOnly })).to.deep.equal(await run(recent, { segment: Infinity }));
    }
  });

  it("are checked when they go", async () => {
    for (const [name, bits] of [
      ["range_check", 128n],
      ["range_check96", 96n],
    ] as const) {
      const lines = passing(200, [], 200, [5, 2n ** bits]);
      const failure: unknown = await run(lines, { segment: 64, name }).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(ReleasedCellError);
      await expectHdpError(run(lines, { name, segment: Infinity }), "HDP-7116", /cell 5 holds/);
      expect((await run(passing(200, [], 200, [5, 2n ** bits - 1n]), { segment: 64, name })).panicked).to.equal(false);
    }
    // Outputs before their inputs, so that none is deduced.
    const instances = (claimed: bigint): Line[] =>
      Array.from({ length: 40 }, (_, instance) =>
        [12n, 10n, instance === 0 ? claimed : 8n, 6n, 14n]
          .map((value, at) => [push(value), assertEqual(["ap", -1], { at: 5 * instance + at }, BUILTIN)])
          .reverse()
          .flat(),
      ).flat();
    const bitwise = (claimed: bigint): Line[] => passing(0, instances(claimed), 200);
    const failure: unknown = await run(bitwise(9n), { segment: 64, name: "bitwise" }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ReleasedCellError);
    const whole = run(bitwise(9n), { segment: Infinity, name: "bitwise" });
    await expectHdpError(whole, "HDP-7116", /instance 0 holds 9 where 8 follows/);
    expect((await run(bitwise(8n), { segment: 64, name: "bitwise" })).panicked).to.equal(false);
  });

  it("lead to a second run with all of them, which has the same result or the error that the run deserves", async () => {
    for (const last of [[], READS_FIRST]) {
      const module = await runModule(asModule(looping(7n, last)), { inputs: [], leadingFelts: 0, read: () => 0n });
      expect(module).to.include({ status: "returned", steps: 4 * TURNS + 11 + last.length });
    }
    const failure: unknown = await run(looping(7n, READS_FIRST), {}).catch((error: unknown) => error);
    expect(failure, "with the window of every run").to.be.instanceOf(ReleasedCellError);
    const wrong = runModule(asModule(looping(2n ** 128n, [])), { inputs: [], leadingFelts: 0, read: () => 0n });
    await expectHdpError(wrong, "HDP-7116", /cell 0 holds/);
  });
});

describe("a squashed dictionary", () => {
  it("gives its accesses and values up, and is never read as another", async () => {
    const of = (offset: number) => ({ Deref: { register: "FP", offset } });
    const felt = (value: number) => ({ Immediate: `0x${value.toString(16)}` });
    const to = (offset: number) => ({ register: "FP", offset });
    const write = { Felt252DictWrite: { dict_ptr: of(1), key: felt(5), value: felt(9) } };
    const read = { Felt252DictRead: { dict_ptr: of(1), key: felt(5), value_dst: to(92) } };
    const squash = {
      InitSquashData: {
        ...{ dict_accesses: of(1), ptr_diff: felt(3), n_accesses: felt(1) },
        ...{ big_keys: to(90), first_key: to(91) },
      },
    };
    const lines = (last: readonly Line[]): Line[] => [
      { jump: "rel", op1: 2n, hints: [{ AllocFelt252Dict: { segment_arena_ptr: of(-7) } }] },
      ...[push({ at: -3 }, BUILTIN), push({ at: 0 }, ["fp", 0])],
      { ...push(5n), hints: [write] },
      assertEqual(["fp", 2], { at: 0 }, ["fp", 1]),
      ...[push(9n), assertEqual(["ap", -1], { at: 2 }, ["fp", 1])],
      { ...push(1n), hints: [squash] },
      { ...push(1n), hints: ["AssertAllKeysUsed"] },
      ...last,
      ...returning([["fp", 91]], [push(BUILTIN)]),
    ];
    const arena = { name: "segment_arena" };
    expect((await run(lines([]), arena)).retdata).to.deep.equal([5n]);
    for (const last of [[push({ at: 2 }, ["fp", 1])], [{ ...push(1n), hints: [read] }]]) {
      const failure: unknown = await run(lines(last), arena).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(ReleasedCellError);
      expect((await run(lines(last), { ...arena, segment: Infinity })).retdata).to.deep.equal([5n]);
    }
  });
});

/** More turns than a run keeps cells of a builtin. */
const TURNS = 70_000;

/** Writes a value to the next cell of the builtin, turn by turn; the pointer to it is at ap - 1. */
function looping(value: bigint, last: readonly Line[]): Line[] {
  const allocate = { AllocSegment: { dst: { register: "AP", offset: 0 } } };
  return [
    ...[push(value), push(BigInt(TURNS)), push(BUILTIN)],
    assertEqual(["fp", 0], { at: 0 }, ["ap", -1]),
    { opcode: "assert", dst: ["ap", 0], op0: ["ap", -2], op1: -1n, result: "add", ap: "one" },
    { opcode: "assert", dst: ["ap", 0], op0: ["ap", -2], op1: 1n, result: "add", ap: "one" },
    { dst: ["ap", -2], op1: -5n, jump: "jnz" },
    ...last,
    { ...push(["ap", 0]), hints: [allocate] },
    // The builtin's end, gas, system, no failure, an empty array.
    ...[push(["ap", -2]), push(["fp", -6]), push(["fp", -5]), push(0n), push(["ap", -5]), push(["ap", -6])],
    ret,
  ];
}

/** Reads the first cell again, and pushes the pointer anew. */
const READS_FIRST = [push({ at: 0 }, BUILTIN), assertEqual(["fp", 0], ["ap", -1]), push(["ap", -2])];

function asModule(lines: readonly Line[]): unknown {
  const text = JSON.stringify(assemble(lines, ["range_check"]));
  return JSON.parse(text.replace('"selector":"0x1"', `"selector":"0x${MAIN_SELECTOR.toString(16)}"`));
}

describe("a table by felt", () => {
  const felt = fc.oneof(
    fc.bigInt({ min: 0n, max: PRIME - 1n }),
    fc.bigInt({ min: 0n, max: 2_000n }),
    fc.bigInt({ min: 2n ** 50n - 20n, max: 2n ** 50n + 20n }),
    fc.bigInt({ min: PRIME - 2n ** 50n - 20n, max: PRIME - 2n ** 50n + 20n }),
    fc.bigInt({ min: PRIME - 2_000n, max: PRIME - 1n }),
  );

  it("sorts very many keys in steps, felts far from zero among them", () => {
    const memory = new Memory(2 ** 24);
    const table = new FeltTable();
    const keys = Array.from({ length: 100_000 }, (_, at) => {
      const mixed = BigInt(Math.imul(at, 0x9e3779b1) >>> 0);
      return [mixed, mixed << 180n, PRIME - 1n - mixed][at % 3] ?? 0n;
    });
    for (const [at, key] of keys.entries()) table.set(feltKey(memory, memory.word(key), "a key"), at);
    const ascending = [...keys.entries()].sort(([, a], [, b]) => (a < b ? -1 : 1)).map(([at]) => at);
    const { value, steps } = inSteps(table.sorted());
    expect(value.length).to.equal(keys.length);
    expect(ascending.findIndex((at, place) => value[place] !== at)).to.equal(-1);
    // Sorted in seven runs of each kind or so, merged three times, and looked up.
    expect(steps).to.be.greaterThan(20);
  });

  it("holds what a map by integer holds, small or large, and sorts it as felts ascend", () => {
    fc.assert(
      fc.property(fc.array(felt, { maxLength: 3_000, size: "max" }), fc.boolean(), (felts, again) => {
        const memory = new Memory(2 ** 24);
        const table = new FeltTable();
        const map = new Map<bigint, number>();
        const differing: bigint[] = [];
        for (const [at, key] of [...felts, ...(again ? felts : [])].entries()) {
          const known = feltKey(memory, memory.word(key), "a key");
          if (table.get(known) !== map.get(key)) differing.push(key);
          table.set(known, at);
          map.set(key, at);
          if (table.size !== map.size) differing.push(key);
        }
        expect(differing).to.deep.equal([]);
        const ascending = [...map.keys()].sort((a, b) => (a < b ? -1 : 1));
        expect([...inSteps(table.sorted()).value]).to.deep.equal(ascending.map((key) => map.get(key)));
        const values = table.values().flatMap((part) => [...part].filter((value) => !Number.isNaN(value)));
        expect(values.sort((a, b) => a - b)).to.deep.equal([...map.values()].sort((a, b) => a - b));
        table.fill(-1);
        expect(inSteps(table.sorted()).value).to.have.length(0);
        expect(table.size).to.equal(map.size);
        table.free();
        expect(table.size).to.equal(0);
      }),
      { numRuns: 40 },
    );
  });
});
