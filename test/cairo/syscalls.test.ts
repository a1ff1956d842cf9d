import { expect } from "chai";

import { GENERATIONS } from "../../src/cairo/generations.js";
import { shortStringFelt } from "../../src/base/felt.js";
import { moduleSyscalls } from "../../src/cairo/syscalls.js";
import {
  assertEqual,
  push,
  returning,
  runLines,
  type Line,
  type Source,
} from "../support/cairo-assembler.js";
import { expectHdpError } from "../support/failure.js";

const SYSTEM = ["fp", -5] as const;
const CALL: Line = {
  jump: "rel",
  op1: 2n,
  hints: [{ SystemCall: { system: { Deref: { register: "FP", offset: SYSTEM[1] } } } }],
};

/** Writes the cells of a request and makes the call. */
function request(...cells: readonly Source[]): Line[] {
  return [
    ...cells.flatMap((cell, at) => [push(cell), assertEqual(["ap", -1], { at }, SYSTEM)]),
    CALL,
  ];
}

const keccak = request(shortStringFelt("Keccak"), 0n, ["fp", -4], ["fp", -3]);
let unpadded = false;
const answered = moduleSyscalls(
  GENERATIONS["2024-10-24"],
  () => [1n, 2n],
  () => undefined,
  undefined,
  () => (unpadded = true),
);

describe("system calls of a module", () => {
  it("answer keccak of no whole blocks with a failure the module can handle", async () => {
    const read = [push({ at: 5 }, SYSTEM), push({ at: 6 }, SYSTEM), push({ at: 0 }, ["ap", -1])];
    const end = returning([
      ["fp", 4],
      ["fp", 6],
    ]);
    // The fifth line from the end hands the system pointer back: here behind the call's eight cells.
    end.splice(-5, 1, { ...push(8n), op0: SYSTEM, result: "add" });
    const { retdata } = await runLines([...keccak, ...read, ...end], {
      calldata: [1n],
      syscall: answered,
    });
    expect(retdata).to.deep.equal([1n, shortStringFelt("Invalid input length")]);
    expect(unpadded).to.equal(true);
  });

  it("refuse keccak of words above 64 bits", async () => {
    const calldata = [2n ** 64n, ...new Array<bigint>(16).fill(0n)];
    const run = runLines([...keccak, ...returning([])], { calldata, syscall: answered });
    await expectHdpError(run, "HDP-7111", /18446744073709551616, which exceeds 64 bits/);
  });

  it("refuse values of several words where the generation has no rule for them", async () => {
    const bloom = request(shortStringFelt("CallContract"), 0n, 0n, 6n, ["fp", -4], ["fp", -3]);
    const run = runLines([...bloom, ...returning([])], {
      calldata: [0n, 0n, 1n, 5n],
      syscall: answered,
    });
    await expectHdpError(
      run,
      "HDP-7120",
      /logsBloom in block 5 of chain 1 is longer than 32 bytes/,
    );
  });
});
