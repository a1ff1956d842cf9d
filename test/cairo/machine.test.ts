import { expect } from "chai";
import fc from "fast-check";

import { PRIME } from "../../src/cairo/words.js";
import { decodeInstruction } from "../../src/cairo/bytecode.js";
import {
  assertEqual,
  encode,
  push,
  ret,
  returning,
  runLines,
  type Cell,
  type Line,
} from "../support/cairo-assembler.js";
import { expectHdpError } from "../support/failure.js";

const frame = (...offsets: number[]): Cell[] => offsets.map((offset) => ["fp", offset]);

async function resultOf(
  lines: readonly Line[],
  values: number,
  calldata?: readonly bigint[],
): Promise<readonly bigint[]> {
  const cells = frame(...Array.from({ length: values }, (_, index) => index));
  const result = await runLines(
    [...lines, ...returning(cells)],
    calldata === undefined ? {} : { calldata },
  );
  expect(result.panicked).to.equal(false);
  return result.retdata;
}

async function refusedBecause(lines: readonly Line[], text: RegExp): Promise<void> {
  await expectHdpError(runLines([...lines, ...returning([])]), "HDP-7108", text);
}

describe("the Cairo machine", () => {
  describe("assertions", () => {
    it("write constants, cells and sums and products of small and large felts", async () => {
      const large = 2n ** 200n;
      const lines = [
        push(7n),
        push(["fp", 0]),
        push(-1n),
        { ...push(["fp", 0]), op0: ["fp", 1], result: "add" },
        { ...push(5n), op0: ["fp", 2], result: "add" },
        { ...push(["fp", 0]), op0: ["fp", 1], result: "mul" },
        { ...push(large), op0: ["fp", 0], result: "mul" },
        { ...push(["fp", 2]), op0: ["fp", 6], result: "mul" },
        { ...push(2n ** 49n), op0: ["fp", 0], result: "add" },
        { ...push(["fp", 8]), op0: ["fp", 8], result: "add" },
      ] satisfies Line[];
      expect(await resultOf(lines, 10)).to.deep.equal([
        7n,
        7n,
        PRIME - 1n,
        14n,
        4n,
        49n,
        7n * large,
        PRIME - 7n * large,
        2n ** 49n + 7n,
        2n ** 50n + 14n,
      ]);
    });

    it("deduce the operand that is not known", async () => {
      const lines: Line[] = [
        push(10n),
        push(3n),
        // [fp+2] + 3 = 10; [fp+3] = 10 - [fp+1]; [fp+4] * 5 = 10; 3 * [fp+5] = 10; [fp+6] from its own value.
        assertEqual(["fp", 0], 3n, ["fp", 2], "add"),
        assertEqual(["fp", 0], ["fp", 3], ["fp", 1], "add"),
        assertEqual(["fp", 0], 5n, ["fp", 4], "mul"),
        assertEqual(["fp", 0], ["fp", 5], ["fp", 1], "mul"),
        assertEqual(["fp", 0], ["fp", 6]),
        assertEqual(["fp", 1], 10n, ["fp", 7], "add"),
        { jump: "rel", op1: 2n, ap: "one" },
      ];
      const third =
        (
          await resultOf(
            [...lines, ...Array.from({ length: 7 }, (): Line => ({ op1: 1n, ap: "add" }))],
            8,
          )
        )[5] ?? 0n;
      expect((third * 3n) % PRIME).to.equal(10n);
      expect(await resultOf([...lines, { op1: 7n, ap: "add" }], 8)).to.deep.equal([
        10n,
        3n,
        7n,
        7n,
        2n,
        third,
        10n,
        PRIME - 7n,
      ]);
    });

    it("find any operand of a sum, whatever the size of the three", async () => {
      const felt = fc.oneof(
        fc.bigInt(0n, 9n),
        fc.bigInt(2n ** 50n - 9n, 2n ** 50n + 9n),
        fc.bigInt(2n ** 128n - 9n, 2n ** 128n + 9n),
        fc.bigInt(PRIME - 9n, PRIME - 1n),
        fc.bigInt(0n, PRIME - 1n),
      );
      await fc.assert(
        fc.asyncProperty(felt, felt, async (left, right) => {
          const sum = (left + right) % PRIME;
          const lines: Line[] = [
            push(left),
            push(right),
            push(sum),
            assertEqual(["fp", 3], ["fp", 1], ["fp", 0], "add"),
            assertEqual(["fp", 2], ["fp", 1], ["fp", 4], "add"),
            assertEqual(["fp", 2], ["fp", 5], ["fp", 0], "add"),
            assertEqual(["fp", 6], right, ["fp", 0], "add"),
            assertEqual(["fp", 2], right, ["fp", 7], "add"),
            assertEqual(["fp", 2], ["fp", 1], ["fp", 0], "add"),
            { op1: 5n, ap: "add" },
          ];
          expect(await resultOf(lines, 8)).to.deep.equal([
            left,
            right,
            sum,
            sum,
            left,
            right,
            sum,
            left,
          ]);
          const wrong = assertEqual(["fp", 3], ["fp", 1], ["fp", 0], "add");
          await refusedBecause(
            [push(left), push(right), push(0n), push((sum + 1n) % PRIME), wrong],
            /is not/,
          );
        }),
        { numRuns: 40 },
      );
    });

    it("take the distance of two pointers, and move a pointer by a felt on either side", async () => {
      const lines: Line[] = [
        push(2n),
        assertEqual(["fp", -3], ["fp", -4], ["fp", 1], "add"),
        assertEqual(["fp", -3], ["fp", 2], ["fp", -4], "add"),
        assertEqual(["fp", 3], ["fp", -4], ["fp", 0], "add"),
        { op1: 3n, ap: "add" },
        push({ at: 0 }, ["fp", 3]),
        assertEqual(["fp", 3], ["fp", -4], ["fp", 0], "add"),
      ];
      const result = await runLines(
        [
          ...lines,
          ...returning([
            ["fp", 1],
            ["fp", 2],
            ["fp", 4],
          ]),
        ],
        { calldata: [7n, 8n, 9n] },
      );
      expect(result.retdata).to.deep.equal([3n, 3n, 9n]);
      await refusedBecause(
        [assertEqual(["fp", 0], ["fp", -5], ["fp", -4], "add")],
        /two pointers cannot be added/,
      );
      await refusedBecause(
        [assertEqual(["fp", -4], ["fp", -5], ["fp", 0], "add")],
        /different segments/,
      );
    });

    it("fail when the sides differ, in every form", async () => {
      await refusedBecause([push(7n), assertEqual(["fp", 0], 8n)], /7 is not 8/);
      await refusedBecause([push(7n), push(8n), assertEqual(["fp", 0], ["fp", 1])], /7 is not 8/);
      await refusedBecause([push(7n), assertEqual(["fp", 0], 8n, ["fp", 0], "add")], /7 is not 15/);
      await refusedBecause([push(7n), assertEqual(["fp", 0], 2n, ["fp", 0], "mul")], /7 is not 14/);
      await refusedBecause([push(2n ** 100n), assertEqual(["fp", 0], 2n ** 101n)], /is not/);
    });

    it("fail on unknown operands, zero factors and pointers used as felts", async () => {
      await refusedBecause([assertEqual(["fp", 0], ["fp", 1])], /two unknown operands/);
      await refusedBecause(
        [push(7n), assertEqual(["fp", 0], 0n, ["fp", 1], "mul")],
        /factor is zero/,
      );
      await refusedBecause(
        [push(["fp", -5]), { ...push(["fp", 0]), op0: ["fp", 0], result: "add" }],
        /two pointers cannot be added/,
      );
      await refusedBecause(
        [{ ...push(2n), op0: ["fp", -5], result: "mul" }],
        /pointer where a felt is needed/,
      );
      await refusedBecause([push(1n), push({ at: 0 }, ["fp", 0])], /felt was used as an address/);
      await refusedBecause([{ ...push(-1n), op0: ["fp", -5], result: "add" }], /left its segment/);
    });

    it("reach calldata through pointers and write through them once", async () => {
      const read = [push({ at: 0 }, ["fp", -4]), push({ at: 1 }, ["fp", -4])];
      expect(await resultOf(read, 2, [11n, 2n ** 240n])).to.deep.equal([11n, 2n ** 240n]);
      await refusedBecause(
        [
          push(5n),
          assertEqual(["fp", 0], { at: 0 }, ["fp", -5]),
          push(6n),
          assertEqual(["fp", 1], { at: 0 }, ["fp", -5]),
        ],
        /6 is not 5/,
      );
    });
  });

  describe("jumps", () => {
    it("go relative, absolute and on a condition, with ap moving along", async () => {
      const lines: Line[] = [
        push(0n),
        push(9n),
        { jump: "jnz", dst: ["fp", 0], op1: 100n },
        { jump: "jnz", dst: ["fp", 1], op1: 4n, ap: "one" },
        push(111n),
        { jump: "rel", op1: 3n },
        { raw: 2n ** 63n },
        assertEqual(["ap", -1], 222n),
      ];
      expect(await resultOf(lines, 3)).to.deep.equal([0n, 9n, 222n]);
    });

    it("jump by a cell, and to an absolute address that a call left behind", async () => {
      const byCell = [
        push(2n),
        { jump: "rel", op1: ["fp", 0] },
        { raw: 2n ** 63n },
      ] satisfies Line[];
      expect(await resultOf(byCell, 1)).to.deep.equal([2n]);
      // The called function returns its own return address, offset 4; eight words on from there is behind the trap.
      const absolute = [
        push(1n),
        { opcode: "call", dst: ["ap", 0], op0: ["ap", 1], op1: 4n, jump: "rel" },
        { jump: "rel", op1: 4n },
        push(["fp", -1]),
        ret,
        { ...push(8n), op0: ["ap", -1], result: "add" },
        { jump: "abs", op1: ["ap", -1] },
        { raw: 2n ** 63n },
      ] satisfies Line[];
      // Words: 0 push, 2 call, 4 jump, 6 push, 7 ret, 8 add, 10 jump, 11 trap, 12 on. 4 + 8 is 12.
      expect(await resultOf(absolute, 1)).to.deep.equal([1n]);
    });

    it("call and return, with the frame restored", async () => {
      const call: Line = { opcode: "call", dst: ["ap", 0], op0: ["ap", 1], op1: 4n, jump: "rel" };
      const body: Line[] = [{ ...push(["fp", -3]), op0: ["fp", -3], result: "add" }, ret];
      // After the return: [fp] = 20, two frame cells, then the doubled value.
      const result = await runLines([
        push(20n),
        call,
        { jump: "rel", op1: 4n },
        ...body,
        ...returning([
          ["fp", 0],
          ["fp", 3],
        ]),
      ]);
      expect(result.retdata).to.deep.equal([20n, 40n]);
    });

    it("return to the frames of callers, however many wait, and follow pointers into these", async () => {
      const call = (lines: number): Line => ({
        opcode: "call",
        dst: ["ap", 0],
        op0: ["ap", 1],
        op1: BigInt(lines),
        jump: "rel",
      });
      // deep(n): n is 0, or 1 + deep(n - 1), where the caller's argument is read through the saved frame pointer.
      const deep: Line[] = [
        { jump: "jnz", dst: ["fp", -3], op1: 5n },
        push(0n),
        ret,
        { ...push(-1n), op0: ["fp", -3], result: "add" },
        call(-7),
        push(["fp", -2]),
        push({ at: -3 }, ["ap", -1]),
        { ...push(["fp", -3]), op0: ["ap", -3], result: "add" },
        ret,
      ];
      const depth = 50_000n;
      const lines = [push(depth), push(depth), call(4), { jump: "rel", op1: 15n } as const];
      const { retdata } = await runLines(
        [
          { op1: 101n, ap: "add" },
          ...lines,
          ...deep,
          push(["ap", -1]),
          assertEqual(["fp", 0], ["ap", -1]),
          ...returning([["fp", 0]]),
        ],
        { maxSteps: 1_000_000 },
      );
      expect(retdata).to.deep.equal([(depth * (depth + 1n)) / 2n]);
    });

    it("fail when they leave the program or depend on an unknown cell", async () => {
      await refusedBecause([{ jump: "rel", op1: 10_000n }], /left the bytecode|no instruction/);
      await refusedBecause([{ jump: "abs", op1: ["fp", -5] }], /leaves the program/);
      await refusedBecause([{ jump: "jnz", dst: ["fp", 50], op1: 4n }], /unknown cell/);
      await refusedBecause([{ jump: "rel", op1: ["fp", -5] }], /not a felt/);
    });

    it("stop at the step limit", async () => {
      await expectHdpError(
        runLines([{ jump: "rel", op1: 0n }], { maxSteps: 500 }),
        "HDP-7109",
        /within 500 steps/,
      );
    });
  });

  describe("decoding", () => {
    it("refuses words that are not an instruction", () => {
      const refused: [Line, RegExp][] = [
        [{ raw: 4n << 63n }, /not an instruction/],
        [{ raw: encode(ret) | (1n << 60n) }, /two of a group/],
        [{ opcode: "call", dst: ["fp", 0], op0: ["ap", 1], op1: 1n, jump: "rel" }, /a call saves/],
        [{ opcode: "ret", dst: ["fp", -3], op1: ["fp", -1], jump: "abs" }, /a return restores/],
        [{ jump: "jnz", op1: 3n, result: "add" }, /no result to use/],
        [{ raw: encode({ opcode: "assert", op1: 3n }) + (1n << 32n) }, /immediate has offset 1/],
      ];
      for (const [line, text] of refused)
        expect(() => decodeInstruction(encode(line))).to.throw(text);
    });

    it("knows a word of a real program", () => {
      expect(decodeInstruction(0x208b7fff7fff7ffen)).to.deep.equal({
        dst: { register: "fp", offset: -2 },
        op0: { register: "fp", offset: -1 },
        op1: { source: "fp", offset: -1 },
        result: "op1",
        pcUpdate: "jump",
        apUpdate: "regular",
        opcode: "ret",
        size: 1,
      });
    });
  });

  it("names the instructions of later provers that it does not have", async () => {
    for (const [extension, name] of [
      [1n, "Blake2s"],
      [2n, "Blake2s of a last block"],
      [3n, "QM31 arithmetic"],
    ] as const)
      await expectHdpError(
        Promise.resolve().then(() => decodeInstruction((extension << 63n) + 5n)),
        "HDP-7108",
        new RegExp(`is an instruction of an opcode extension, ${name}, which later provers have`),
      );
    await expectHdpError(
      Promise.resolve().then(() => decodeInstruction((4n << 63n) + 5n)),
      "HDP-7108",
      /0x20+5 is not an instruction/,
    );
  });

  it("refuses a return with other system calls or a failure flag that is no bit", async () => {
    const lines = returning([]);
    const wrongEnd = lines.map((line, index) =>
      index === lines.length - 5 ? push(["fp", -4]) : line,
    );
    await expectHdpError(
      runLines(wrongEnd, { calldata: [1n] }),
      "HDP-7108",
      /another end of its system calls/,
    );
    await expectHdpError(runLines(returning([], [], 2n)), "HDP-7108", /failure flag is 2/);
  });

  it("stops at the limit of memory, on the stack as in any segment", async () => {
    const stack = [{ op1: 2n ** 20n, ap: "add" }, push(1n), ...returning([])] satisfies Line[];
    const deeper: Line[] = [
      { opcode: "call", dst: ["ap", 0], op0: ["ap", 1], op1: 0n, jump: "rel" },
    ];
    const bounds = { maxMemoryCells: 2 ** 18, maxSteps: 1_000_000 };
    await expectHdpError(runLines(deeper, bounds), "HDP-7110", /more than 262144 memory cells/);
    expect((await runLines(stack, { maxMemoryCells: 2 ** 21 })).retdata).to.deep.equal([]);
    const segment: Line[] = [
      push(5n),
      { ...push(2n ** 31n), op0: ["fp", -5], result: "add" },
      assertEqual(["fp", 0], { at: 0 }, ["fp", 1]),
    ];
    await expectHdpError(runLines(segment), "HDP-7110", /more than 134217728 memory cells/);
  });

  it("gives a panic as a result", async () => {
    const result = await runLines([push(5n), ...returning([["fp", 0]], [], 1n)]);
    expect(result).to.deep.include({ panicked: true, retdata: [5n] });
  });
});
