import { expect } from "chai";

import { panicText } from "../../src/base/short-string.js";
import { prepareClass, runContract, type RunLimits } from "../../src/cairo/run-contract.js";
import { parseCompiledClass } from "../../src/program/compiled-class.js";
import { assemble, assertEqual, type Line, push } from "../support/cairo-assembler.js";
import { expectHdpError } from "../support/failure.js";
import { processorTime } from "../support/processor-time.js";

const LIMITS: RunLimits = { maxSteps: 200_000_000, maxMemoryCells: 2 ** 21 };

async function run(lines: readonly Line[], limits: RunLimits = LIMITS, signal?: AbortSignal): Promise<number> {
  const { steps } = await runContract({
    program: prepareClass(parseCompiledClass(assemble(lines))),
    selector: 1n,
    calldata: [],
    syscall: () => Promise.reject(new Error("no system call expected")),
    limits,
    signal,
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

/** Whatever grows with the steps meets the memory limit long before the process's own. */
describe("memory of a run", function () {
  this.timeout(60_000);

  it("counts the stack of functions that wait", async () => {
    await expectHdpError(run([deeper]), "HDP-7110", /more than 2097152 memory cells/);
  });

  it("does not count cells of the stack that nothing can look at again", async () => {
    const lines = forever([push(["fp", -3])]);
    const steps = { maxSteps: 20_000_000, maxMemoryCells: 2 ** 21 };
    await expectHdpError(run(lines, steps), "HDP-7109", /did not return within 20000000 steps/);
  });

  it("counts felts that do not fit a cell, wherever they are kept", async () => {
    // Writes nothing new to the stack: the product is compared with what is there.
    const square: Line[] = [
      push(2n ** 200n),
      { opcode: "assert", dst: ["ap", 0], op0: ["fp", 0], op1: ["fp", 0], result: "mul", ap: "one" },
    ];
    const again: Line = { opcode: "assert", dst: ["fp", 1], op0: ["fp", 0], op1: ["fp", 0], result: "mul" };
    await expectHdpError(run([...square, ...forever([again])]), "HDP-7110", /memory cells/);
  });

  it("bounds segments, and says whose bound that is", async () => {
    const lines = forever([{ op1: ["fp", -3], ap: "one", hints: [allocate] }]);
    await expectHdpError(run(lines, { maxSteps: 200_000_000 }), "HDP-7110", /more than 262144 memory segments/);
  });

  it("counts what is printed", async () => {
    const first: Line = { ...push(["ap", 0]), hints: [allocate] };
    const fill = Array.from({ length: 64 }, (_, index) => [
      push(1n),
      assertEqual(["ap", -1], { at: index }, ["fp", 0]),
    ]);
    const again: Line = { op1: ["fp", -3], hints: [print] };
    await expectHdpError(run([first, ...fill.flat(), ...forever([again])]), "HDP-7110", /memory cells/);
  });

  it("leaves a run that was refused without a trace in the next", async () => {
    await expectHdpError(run([push(["fp", -3]), deeper]), "HDP-7110", /memory cells/);
    const end: Line = { opcode: "ret", dst: ["fp", -2], op1: ["fp", -1], jump: "abs" };
    await expectHdpError(run([{ ...push(["ap", 5]) }, end]), "HDP-7108", /two unknown operands/);
  });

  it("is given up within a moment of an abort, and lets the process work meanwhile", async () => {
    const controller = new AbortController();
    // How long at a time the run kept the process from other work, in milliseconds of the processor.
    const held: number[] = [];
    let taken = processorTime();
    const tick = (): void => {
      held.push(taken());
      taken = processorTime();
    };
    const timer = setInterval(tick, 5);
    setTimeout(() => controller.abort(new Error("enough")), 200);
    try {
      const again: Line = { opcode: "assert", dst: ["fp", -3], op1: ["fp", -3] };
      await run(forever([again]), { maxSteps: 1e12 }, controller.signal);
      expect.fail("it came to an end");
    } catch (error) {
      expect(error).to.have.property("message", "enough");
    } finally {
      clearInterval(timer);
    }
    tick();
    expect(Math.max(...held)).to.be.below(200);
    expect(held.length).to.be.above(1);
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

  it("does not take words wider than 31 bytes for text", () => {
    const magic = 0x46a6158a16a947e5916b2a2ca68501a45e93d7110e81aa2d6438b1c57c879a3n;
    expect(panicText([magic, 0n, 0x6869n, 2n])).to.equal("hi");
    expect(panicText([magic, 1n, 2n ** 250n, 0n, 0n])).to.equal(
      `0x${magic.toString(16)}, 0x1, 0x${(2n ** 250n).toString(16)}, 0x0, 0x0`,
    );
  });
});
