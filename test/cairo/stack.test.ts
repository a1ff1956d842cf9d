import { expect } from "chai";
import fc from "fast-check";

import { runModule } from "../../src/compute/run-module.js";
import { MAIN_SELECTOR, parseCompiledClass } from "../../src/program/compiled-class.js";
import { PRIME } from "../../src/cairo/field.js";
import { type ContractResult, prepareClass, runContract } from "../../src/cairo/run-contract.js";
import { CairoVmError, ReleasedCellError } from "../../src/cairo/vm-error.js";
import { assemble, assertEqual, type Cell, type Line, push, ret, returning } from "../support/cairo-assembler.js";
import { compiledFile } from "../support/compiled-functions.js";
import { expectHdpError } from "../support/failure.js";

/** A line whose immediate is the distance to a label, or the place that a label names. */
type Item = Line | { readonly label: string } | { readonly to: string; readonly line: Line };

function size(item: Item): number {
  if ("label" in item) return 0;
  return "to" in item || typeof item.op1 === "bigint" ? 2 : 1;
}

function resolved(items: readonly Item[]): Line[] {
  const labels = new Map<string, number>();
  let pc = 0;
  for (const item of items) {
    if ("label" in item) labels.set(item.label, pc);
    pc += size(item);
  }
  pc = 0;
  return items.flatMap((item) => {
    const at = pc;
    pc += size(item);
    if ("label" in item) return [];
    return "to" in item ? [{ ...item.line, op1: BigInt((labels.get(item.to) ?? NaN) - at) }] : [item];
  });
}

const call = (to: string): Item => ({
  to,
  line: { opcode: "call", dst: ["ap", 0], op0: ["ap", 1], jump: "rel" },
});
const jumpUnlessZero = (to: string, dst: Cell): Item => ({ to, line: { dst, jump: "jnz" } });
const advance = (cells: number): Line => ({ op1: BigInt(cells), ap: "add" });

interface Program {
  readonly lines: readonly Line[];
  readonly calldata?: readonly bigint[];
}

async function run(
  { lines, calldata = [] }: Program,
  stackWindow: number,
  options: { readonly genericOnly?: boolean; readonly maxMemoryCells?: number } = {},
): Promise<ContractResult> {
  return await runContract({
    program: prepareClass(parseCompiledClass(assemble(lines))),
    selector: 1n,
    calldata,
    syscall: () => Promise.reject(new Error("no system call expected")),
    limits: { maxSteps: 20_000_000, maxMemoryCells: options.maxMemoryCells },
    genericOnly: options.genericOnly,
    windows: { stack: stackWindow },
  });
}

/** The result, or what a run that breaks a rule says. */
async function outcome(program: Program, window: number, genericOnly = false): Promise<unknown> {
  try {
    return await run(program, window, { genericOnly });
  } catch (error) {
    if (error instanceof CairoVmError) return { refused: error.message };
    throw error;
  }
}

/** The least that leaves something to release. */
const SMALL = 2 ** 18;

/** Main: room for the cells that `returning` uses, the calls, and the results of the last one. */
function main(calls: readonly Item[], functions: readonly Item[]): Line[] {
  return resolved([
    advance(110),
    assertEqual(["fp", 1], 5n),
    ...calls,
    assertEqual(["fp", 3], ["ap", -1]),
    assertEqual(["fp", 4], ["ap", -2]),
    ...returning([
      ["fp", 3],
      ["fp", 4],
    ]),
    ...functions,
  ]);
}

const callWith = (name: string, n: number, start = 3n): Item[] => [push(start), push(BigInt(n)), call(name)];

/** Goes n frames down, each with twelve cells and one it reads on the way back, and adds up. */
const DEEP: Item[] = [
  { label: "deep" },
  advance(10),
  push(["fp", -4]),
  jumpUnlessZero("deep on", ["fp", -3]),
  push(0n),
  push(["fp", -4]),
  ret,
  { label: "deep on" },
  push(["fp", -4], undefined),
  { ...push(-1n), op0: ["fp", -3], result: "add" },
  call("deep"),
  { ...push(["ap", -1]), op0: ["fp", 10], result: "add" },
  push(["ap", -1]),
  ret,
];

interface Body {
  readonly locals: number;
  readonly before: readonly number[][];
  readonly after: readonly number[][];
  /** At this count the function goes down anew on its way back. */
  readonly deepAt: number;
  readonly table: boolean;
}

/**
 * A function (n, value) that computes, calls `next` with n - 1, and computes again on the way back: with its arguments,
 * what it computed before, what the call returned, and locals that are written only then.
 */
function functionOf(name: string, next: string, { locals, before, after, deepAt, table }: Body): Item[] {
  const readable: Cell[] = [
    ["fp", -3],
    ["fp", -4],
  ];
  const cell = (choice = 0): Cell => readable[choice % readable.length] ?? ["fp", -3];
  const value = ([kind = 0, a = 0, b = 0]: readonly number[]): Omit<Line, "dst"> => {
    if (kind % 5 === 0) return { op1: cell(a) };
    if (kind % 5 === 1) return { op1: cell(a), op0: cell(b), result: "add" };
    if (kind % 5 === 2) return { op1: BigInt(b) ** 7n, op0: cell(a), result: "add" };
    if (kind % 5 === 3) return { op1: BigInt(b) ** 9n % PRIME, op0: cell(a), result: "mul" };
    const operand = ([register, offset]: Cell): unknown => ({
      Deref: { register: register.toUpperCase(), offset },
    });
    const hint = { lhs: operand(cell(a)), rhs: operand(cell(b)), dst: { register: "AP", offset: 0 } };
    return { op1: ["ap", 0], hints: [{ TestLessThan: hint }] };
  };
  const pushed = (choice: readonly number[]): Line => ({
    opcode: "assert",
    dst: ["ap", 0],
    ap: "one",
    ...value(choice),
  });
  const items: Item[] = [{ label: name }, ...(locals === 0 ? [] : [advance(locals)])];
  before.forEach((choice, index) => {
    items.push(pushed(choice));
    readable.push(["fp", locals + index]);
  });
  items.push(
    jumpUnlessZero(`${name} on`, ["fp", -3]),
    push(7n),
    push(["fp", -4]),
    ret,
    { label: `${name} on` },
    push(cell(before.length + 1)),
    { ...push(-1n), op0: ["fp", -3], result: "add" },
    call(next),
  );
  for (let local = 0; local < locals; local += 1) {
    items.push(assertEqual(["fp", local], ["ap", local % 2 === 0 ? -1 : -2]));
    readable.push(["fp", local]);
  }
  items.push(
    { ...push(BigInt(-deepAt)), op0: ["fp", -3], result: "add" },
    jumpUnlessZero(`${name} back`, ["ap", -1]),
    ...callWith("deep", 22_000),
    { label: `${name} back` },
  );
  if (table) {
    // A jump by 1 or 3, into a table of one jump and the code behind it.
    const isDeep: Line = { ...push(["fp", -4]), hints: [], op1: 1n };
    items.push(isDeep, { op1: ["ap", -1], jump: "rel" }, { to: `${name} end`, line: { jump: "rel" } }, push(5n), {
      label: `${name} end`,
    });
  }
  const start = readable.length;
  after.forEach((choice) => items.push(pushed(choice)));
  return [...items, push(cell(start - 1)), pushed(after[0] ?? [0, 1, 1]), ret];
}

const body: fc.Arbitrary<Body> = fc.record({
  locals: fc.nat(4),
  before: fc.array(fc.array(fc.nat(200), { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 9 }),
  after: fc.array(fc.array(fc.nat(200), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
  deepAt: fc.integer({ min: 1, max: 30_000 }),
  table: fc.boolean(),
});

describe("the stack of a run", function () {
  this.timeout(120_000);

  it("gives the same result whether it keeps all or releases what nothing can look at again", async () => {
    const modules: readonly (readonly [bigint, bigint])[] = [
      [0n, 60_000n],
      [1n, 80_000n],
      [2n, 2_000n],
      [3n, 8_000n],
    ];
    const loops = prepareClass(parseCompiledClass(compiledFile("builtins_Loops.compiled_contract_class.json")));
    for (const inputs of modules) {
      const [released, kept] = await Promise.all(
        [SMALL, Infinity].map(async (stackWindow) => {
          return await runContract({
            program: loops,
            selector: MAIN_SELECTOR,
            calldata: [...new Array<bigint>(8).fill(0n), ...inputs],
            syscall: () => Promise.reject(new Error("no system call expected")),
            windows: { stack: stackWindow },
          });
        }),
      );
      expect(kept?.panicked).to.equal(false);
      expect(released).to.deep.equal(kept);
    }
  });

  it("takes a loop's turns for one number each", async () => {
    const program = { lines: main(callWith("deep", 200_000), DEEP) };
    const kept = await run(program, Infinity);
    expect(kept.retdata).to.deep.equal([600_003n, 600_003n]);
    expect(await run(program, SMALL, { maxMemoryCells: 2 ** 20 })).to.deep.equal(kept);
  });

  it("forgets large felts with the cells that held them", async () => {
    const large = async (stackWindow: number): Promise<ContractResult> =>
      await runContract({
        program: prepareClass(parseCompiledClass(compiledFile("builtins_Loops.compiled_contract_class.json"))),
        selector: MAIN_SELECTOR,
        calldata: [...new Array<bigint>(8).fill(0n), 1n, 300_000n],
        syscall: () => Promise.reject(new Error("no system call expected")),
        limits: { maxMemoryCells: 4_500_000 },
        windows: { stack: stackWindow },
      });
    let expected = 3n;
    for (let left = 300_000n; left > 0n; left -= 1n) expected = (expected * expected + left) % PRIME;
    expect((await large(SMALL)).retdata).to.deep.equal([expected]);
    await expectHdpError(large(Infinity), "HDP-7110", /more than 4500000 memory cells/);
  });

  it("gives functions of any form their frames back", async () => {
    await fc.assert(
      fc.asyncProperty(body, body, fc.integer({ min: 24_000, max: 30_000 }), async (first, second, depth) => {
        const functions = [...functionOf("even", "odd", first), ...functionOf("odd", "even", second), ...DEEP];
        const program = { lines: main([...callWith("even", depth), ...callWith("odd", depth, 11n)], functions) };
        const kept = await outcome(program, Infinity);
        expect(await outcome(program, SMALL)).to.deep.equal(kept);
        expect(await outcome(program, SMALL, true)).to.deep.equal(kept);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  /** Follows the pointer to its caller's frame on the way back, where the caller waits. */
  const looksDown: Item[] = [
    { label: "down" },
    jumpUnlessZero("down on", ["fp", -3]),
    push(1n),
    push(1n),
    ret,
    { label: "down on" },
    push(["fp", -4]),
    { ...push(-1n), op0: ["fp", -3], result: "add" },
    call("down"),
    push(["fp", -2]),
    // What the caller handed over, which it has no use for itself any more.
    push({ at: 1 }, ["ap", -1]),
    { ...push(["ap", -1]), op0: ["ap", -4], result: "add" },
    push(["ap", -1]),
    ret,
  ];

  it("refuses to look at what it released, and a module's run is made again with all of it", async () => {
    const program = { lines: main(callWith("down", 60_000), looksDown) };
    const kept = await run(program, Infinity);
    for (const genericOnly of [false, true]) {
      const failure: unknown = await run(program, SMALL, { genericOnly }).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(ReleasedCellError);
    }
    const deep = { lines: main(callWith("down", 200_000), looksDown) };
    const named = JSON.stringify(assemble(deep.lines)).replace(
      '"selector":"0x1"',
      `"selector":"0x${MAIN_SELECTOR.toString(16)}"`,
    );
    expect(kept.panicked).to.equal(false);
    const module = await runModule(JSON.parse(named), { inputs: [], leadingFelts: 0, read: () => 0n });
    expect(module.retdata).to.deep.equal((await run(deep, Infinity)).retdata);
  });

  it("follows pointers into frames that it still has", async () => {
    const lines = main(
      [...callWith("deep", 50_000), call("holder")],
      [
        ...DEEP,
        ...[{ label: "holder" }, push(9n), push(9n), call("own"), push(["ap", -1]), push(["fp", 0]), ret],
        ...[{ label: "own" }, push(["fp", -2]), push({ at: 1 }, ["ap", -1]), ret],
      ],
    );
    const kept = await run({ lines }, Infinity);
    expect(kept.retdata).to.deep.equal([9n, 9n]);
    expect(await run({ lines }, SMALL)).to.deep.equal(kept);
  });
});
