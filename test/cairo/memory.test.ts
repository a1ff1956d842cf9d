import { expect } from "chai";

import { parseCompiledClass } from "../../src/entries/program.js";
import { panicText } from "../../src/base/felt.js";
import { PRIME } from "../../src/cairo/words.js";
import { prepareClass, runContract, type RunLimits } from "../../src/cairo/run-contract.js";
import { assemble, assertEqual, type Line, push } from "../support/cairo-assembler.js";
import { expectHdpError, hdpFailure } from "../support/failure.js";
import { processorTime } from "../support/processor-time.js";

const LIMITS: RunLimits = { maxSteps: 200_000_000, maxMemoryCells: 2 ** 21 };

async function run(lines: readonly Line[], limits: RunLimits = LIMITS): Promise<number> {
  const { steps } = await runContract({
    program: prepareClass(parseCompiledClass(assemble(lines))),
    calldata: [],
    syscall: () => Promise.reject(new Error("no system call expected")),
    limits,
  });
  return steps;
}

/** Repeats lines for ever; each takes one word, as none has an immediate. */
function forever(lines: readonly Line[]): Line[] {
  const words = lines.reduce((sum, line) => sum + (typeof line.op1 === "bigint" ? 2 : 1), 0);
  return [...lines, { op1: -BigInt(words), jump: "rel" }];
}

/** A function that calls itself for ever. */
const deeper: Line = { opcode: "call", dst: ["ap", 0], op0: ["ap", 1], op1: 0n, jump: "rel" };
const allocate = { AllocSegment: { dst: { register: "AP", offset: 0 } } };
const print = {
  DebugPrint: {
    start: { Deref: { register: "FP", offset: 0 } },
    end: { BinOp: { op: "Add", a: { register: "FP", offset: 0 }, b: { Immediate: "0x40" } } },
  },
};

describe("the memory of a run", () => {
  it("counts the stack", async () => {
    await expectHdpError(run([deeper]), "HDP-7110", /more than 2097152 memory cells/);
    await expectHdpError(
      run(forever([push(["fp", -3])])),
      "HDP-7110",
      /more than 2097152 memory cells/,
    );
  });

  it("names the place, the steps made, the cells in use and the option that raises the limit", async () => {
    const error = await hdpFailure(run([deeper], { maxMemoryCells: 2 ** 20 }));
    expect(error).to.include({
      code: "HDP-7110",
      path: "bytecode[0]",
      shortMessage:
        "the run needs more than 1048576 memory cells; it has made 491517 steps with 1048584 memory cells.",
    });
    expect(error).to.have.deep.property("hints", [
      "Let the module read fewer blocks, or keep less, at a time.",
      "Or raise limits.maxMemoryCells (8 bytes a cell; --memory-limit of hdp module run and test).",
    ]);
  });

  it("names the cells in use where a run meets the step limit", async () => {
    const error = await hdpFailure(run([deeper], { maxSteps: 100_000 }));
    expect(error).to.include({
      code: "HDP-7109",
      path: "bytecode[0]",
      shortMessage:
        "the module did not return within 100000 steps; it has used 393224 memory cells.",
    });
    expect(error).to.have.deep.property("hints", [
      "Raise limits.maxSteps (--steps-limit), or let the module read fewer blocks at a time.",
    ]);
  });

  it("counts felts that do not fit a cell, wherever they are kept", async () => {
    // Writes nothing new to the stack: the product is compared with what is there.
    const square: Line[] = [
      push(2n ** 200n),
      {
        opcode: "assert",
        dst: ["ap", 0],
        op0: ["fp", 0],
        op1: ["fp", 0],
        result: "mul",
        ap: "one",
      },
    ];
    const again: Line = {
      opcode: "assert",
      dst: ["fp", 1],
      op0: ["fp", 0],
      op1: ["fp", 0],
      result: "mul",
    };
    await expectHdpError(run([...square, ...forever([again])]), "HDP-7110", /memory cells/);
  });

  it("bounds segments, and says whose bound that is", async () => {
    const lines = forever([{ op1: ["fp", -3], ap: "one", hints: [allocate] }]);
    await expectHdpError(
      run(lines, { maxSteps: 200_000_000 }),
      "HDP-7110",
      /more than 262144 memory segments/,
    );
  });

  it("counts what is printed", async () => {
    const first: Line = { ...push(["ap", 0]), hints: [allocate] };
    const fill = Array.from({ length: 64 }, (_, index) => [
      push(1n),
      assertEqual(["ap", -1], { at: index }, ["fp", 0]),
    ]);
    const again: Line = { op1: ["fp", -3], hints: [print] };
    await expectHdpError(
      run([first, ...fill.flat(), ...forever([again])]),
      "HDP-7110",
      /memory cells/,
    );
  });

  it("leaves a run that was refused without a trace in the next", async () => {
    await expectHdpError(run([push(["fp", -3]), deeper]), "HDP-7110", /memory cells/);
    const end: Line = { opcode: "ret", dst: ["fp", -2], op1: ["fp", -1], jump: "abs" };
    await expectHdpError(run([{ ...push(["ap", 5]) }, end]), "HDP-7108", /two unknown operands/);
  });

  it("refuses to take out more felts at a time than it can in a moment", async () => {
    const first: Line = { ...push(["ap", 0]), hints: [allocate] };
    const printing = (felts: bigint): unknown => {
      const start = { register: "FP", offset: 0 };
      const end = { BinOp: { op: "Add", a: start, b: { Immediate: `0x${felts.toString(16)}` } } };
      return { DebugPrint: { start: { Deref: start }, end } };
    };
    const printed = (felts: bigint): Promise<number> =>
      run([first, { op1: ["fp", -3], hints: [printing(felts)] }]);
    await expectHdpError(
      printed(2n ** 17n + 1n),
      "HDP-7110",
      /needs more than 131072 felts in a print/,
    );
    await expectHdpError(printed(2n ** 17n), "HDP-7108", /a print is not known/);
  });
});

/** A root takes hundreds of times as long as a quick step, a hash thousands of times. */
const root = {
  FieldSqrt: {
    val: { Immediate: `0x${((PRIME * 2n) / 3n).toString(16)}` },
    sqrt: { register: "FP", offset: 5 },
  },
};
const decrement: Line = {
  opcode: "assert",
  dst: ["ap", 0],
  op0: ["ap", -1],
  op1: -1n,
  result: "add",
  ap: "one",
};
/** Writes the inputs of one instance after the other, and reads no output. */
const hashes: Line[] = [
  push(2n ** 250n - 1n),
  push(2n ** 249n - 7n),
  push(["fp", -7]),
  assertEqual(["fp", 0], { at: 0 }, ["ap", -1]),
  assertEqual(["fp", 1], { at: 1 }, ["ap", -1]),
  { opcode: "assert", dst: ["ap", 0], op0: ["ap", -1], op1: 3n, result: "add", ap: "one" },
  { op1: -4n, jump: "rel" },
];

describe("a run", () => {
  const cases: readonly {
    readonly name: string;
    readonly lines: readonly Line[];
    readonly builtins?: string[];
  }[] = [
    {
      name: "of quick steps",
      lines: forever([{ opcode: "assert", dst: ["fp", -3], op1: ["fp", -3] }]),
    },
    { name: "of slow hints", lines: forever([{ op1: ["fp", -3], hints: [root] }]) },
    {
      name: "of many hints a step",
      lines: forever([{ op1: ["fp", -3], hints: new Array(1_000).fill(root) }]),
    },
    {
      name: "of slow hints after a million quick steps",
      lines: [
        { op1: 20n, ap: "add" } as const,
        push(1_000_000n),
        decrement,
        { dst: ["ap", -1], op1: -2n, jump: "jnz" } as const,
        ...forever([{ op1: ["fp", -3], hints: [root] }]),
      ],
    },
    { name: "of hashes that nobody reads", lines: hashes, builtins: ["pedersen"] },
  ];
  for (const { name, lines, builtins = [] } of cases) {
    it(`${name} is given up within a moment of an abort, and lets the process work meanwhile`, async () => {
      const controller = new AbortController();
      // How long at a time the run kept the process from other work, in milliseconds of the processor.
      const held: number[] = [];
      let taken = processorTime();
      const tick = (): void => {
        held.push(taken());
        taken = processorTime();
      };
      const timer = setInterval(tick, 5);
      setTimeout(() => controller.abort(new Error("enough")), 300);
      const program = prepareClass(parseCompiledClass(assemble(lines, builtins)));
      const run = {
        program,
        calldata: [],
        syscall: () => Promise.reject(new Error("no system call")),
        limits: { maxSteps: 1e12 },
        signal: controller.signal,
      };
      try {
        await runContract(run);
        expect.fail("it came to an end");
      } catch (error) {
        expect(error).to.have.property("message", "enough");
      } finally {
        clearInterval(timer);
      }
      tick();
      // At most 45 ms on an idle machine; a loaded one, or a collection of garbage, takes several times as long.
      expect(Math.max(...held)).to.be.below(1_000);
      expect(held.length).to.be.above(1);
    });
  }

  it("computes the hashes that were not read at its end, with time for other work between them", async () => {
    const end: Line[] = [
      push(["fp", -4]),
      push(["fp", -6]),
      push(["fp", -5]),
      push(0n),
      push(["fp", -4]),
      push(["fp", -4]),
      { opcode: "ret", dst: ["fp", -2], op1: ["fp", -1], jump: "abs" },
    ];
    const count = 200;
    const instances = Array.from({ length: count }, (_, at) =>
      [0, 1].map((input) => assertEqual(["fp", input], { at: 3 * at + input }, ["fp", -7])),
    );
    const lines = [push(2n ** 250n - 1n), push(2n ** 249n - 7n), ...instances.flat(), ...end];
    lines[lines.length - end.length] = {
      opcode: "assert",
      dst: ["ap", 0],
      op0: ["fp", -7],
      op1: BigInt(3 * count),
      result: "add",
      ap: "one",
    };
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    try {
      const program = prepareClass(parseCompiledClass(assemble(lines, ["pedersen"])));
      const { retdata } = await runContract({
        program,
        calldata: [],
        syscall: () => Promise.reject(new Error("no system call")),
      });
      expect(retdata).to.deep.equal([]);
    } finally {
      clearInterval(timer);
    }
    expect(turns).to.be.above(2);
  });
});

describe("text of a panic", () => {
  it("takes time in proportion to its felts, even where each looks like the start of a text", () => {
    const magic = 0x46a6158a16a947e5916b2a2ca68501a45e93d7110e81aa2d6438b1c57c879a3n;
    const felts = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? magic : 19_000n));
    const taken = processorTime();
    expect(panicText(felts)).to.have.length.above(20_000);
    expect(taken()).to.be.below(2_000);
  });

  it("shows words wider than 31 bytes as numbers, not as text", () => {
    const magic = 0x46a6158a16a947e5916b2a2ca68501a45e93d7110e81aa2d6438b1c57c879a3n;
    expect(panicText([magic, 0n, 0x6869n, 2n])).to.equal("hi");
    expect(panicText([magic, 1n, 2n ** 250n, 0n, 0n])).to.equal(
      `0x${magic.toString(16)}, 0x1, 0x${(2n ** 250n).toString(16)}, 0x0, 0x0`,
    );
  });
});
