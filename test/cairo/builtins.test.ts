import { expect } from "chai";
import { pedersen, poseidonSmall } from "@scure/starknet";

import { push, assertEqual, returning, runLines, type Line } from "../support/cairo-assembler.js";
import { expectHdpError } from "../support/failure.js";

/** Stack of a call with one builtin: its pointer is fp - 7. */
const BUILTIN = ["fp", -7] as const;

/** Writes `inputs` to the builtin, the last first so that none is deduced, then reads the cells behind them. */
function use(inputs: readonly bigint[], outputs: number): Line[] {
  return [
    ...inputs
      .map((value, at) => [push(value), assertEqual(["ap", -1], { at }, BUILTIN)])
      .reverse()
      .flat(),
    ...Array.from({ length: outputs }, (_, at) => push({ at: inputs.length + at }, BUILTIN)),
  ];
}

async function run(
  name: string,
  lines: readonly Line[],
  first: number,
  count: number,
  cells: bigint,
) {
  const end: Line = {
    opcode: "assert",
    dst: ["ap", 0],
    op0: BUILTIN,
    op1: cells,
    result: "add",
    ap: "one",
  };
  const values = Array.from({ length: count }, (_, index): ["fp", number] => ["fp", first + index]);
  return (await runLines([...lines, ...returning(values, [end])], { builtins: [name] })).retdata;
}

describe("builtins", () => {
  it("compute hashes and bits from their inputs", async () => {
    expect(await run("pedersen", use([1n, 2n], 1), 2, 1, 3n)).to.deep.equal([
      BigInt(pedersen(1n, 2n)),
    ]);
    expect(await run("poseidon", use([1n, 2n, 3n], 3), 3, 3, 6n)).to.deep.equal(
      poseidonSmall([1n, 2n, 3n]),
    );
    expect(await run("bitwise", use([12n, 10n], 3), 2, 3, 5n)).to.deep.equal([8n, 6n, 14n]);
    expect(await run("range_check", use([2n ** 128n - 1n], 0), 0, 1, 1n)).to.deep.equal([
      2n ** 128n - 1n,
    ]);
    expect(await run("range_check96", use([2n ** 96n - 1n], 0), 0, 1, 1n)).to.deep.equal([
      2n ** 96n - 1n,
    ]);
  });

  it("refuse a run whose cells do not hold", async () => {
    const refused = async (
      name: string,
      lines: readonly Line[],
      cells: bigint,
      text: RegExp,
    ): Promise<void> => {
      await expectHdpError(run(name, lines, 0, 0, cells), "HDP-7108", text);
    };
    await refused("pedersen", use([1n, 2n, 3n], 0), 3n, /holds 3 where/);
    await refused("bitwise", use([12n, 10n, 9n], 0), 5n, /holds 9 where 8 follows/);
    await refused("bitwise", use([2n ** 251n, 1n], 1), 5n, /more than 251 bits/);
    await refused("poseidon", use([1n, 2n], 0), 6n, /lacks an input/);
    await refused("range_check", use([2n ** 128n], 0), 1n, /not below 2\^128/);
    await refused("range_check", use([-1n], 0), 1n, /not below 2\^128/);
    await refused("range_check96", use([2n ** 96n], 0), 1n, /not below 2\^96/);
    await refused("range_check", use([1n, 2n], 0), 1n, /does not cover the 2 cells/);
    await refused("pedersen", use([1n, 2n], 1), 2n, /does not cover/);
  });

  it("refuse dictionaries that were opened and not squashed", async () => {
    const arena: Line[] = [
      {
        jump: "rel",
        op1: 2n,
        hints: [
          { AllocFelt252Dict: { segment_arena_ptr: { Deref: { register: "FP", offset: -7 } } } },
        ],
      },
      push({ at: -3 }, BUILTIN),
      assertEqual(["ap", -1], { at: 0 }, BUILTIN),
      push(1n),
      assertEqual(["ap", -1], { at: 1 }, BUILTIN),
      push(0n),
      assertEqual(["ap", -1], { at: 2 }, BUILTIN),
    ];
    await expectHdpError(
      run("segment_arena", arena, 0, 0, 3n),
      "HDP-7108",
      /not all of them squashed/,
    );
    expect(await run("segment_arena", [], 0, 0, 0n)).to.deep.equal([]);
  });

  it("leave a dictionary's values to the hints that read and write it", async () => {
    const dereferenced = (offset: number) => ({ Deref: { register: "FP", offset } });
    const start = dereferenced(1);
    const next = {
      BinOp: { op: "Add", a: { register: "FP", offset: 1 }, b: { Immediate: "0x3" } },
    };
    const write = (dict_ptr: unknown, value: string) => ({
      Felt252DictWrite: { dict_ptr, key: { Immediate: "0x5" }, value: { Immediate: value } },
    });
    const read = (key: string, offset: number) => ({
      Felt252DictRead: {
        dict_ptr: start,
        key: { Immediate: key },
        value_dst: { register: "FP", offset },
      },
    });
    const lines: Line[] = [
      {
        jump: "rel",
        op1: 2n,
        hints: [{ AllocFelt252Dict: { segment_arena_ptr: dereferenced(-7) } }],
      },
      push({ at: -3 }, BUILTIN),
      push({ at: 0 }, ["fp", 0]),
      {
        ...push(1n),
        hints: [write(start, "0x9"), read("0x5", 3), read("0x6", 4), write(next, "0xa")],
      },
      { op1: 2n, ap: "add" },
      push({ at: 1 }, ["fp", 1]),
      push({ at: 4 }, ["fp", 1]),
    ];
    expect(await run("segment_arena", lines, 3, 4, 0n)).to.deep.equal([9n, 0n, 0n, 9n]);
    const never: Line[] = [{ ...push(1n), hints: [write(dereferenced(-4), "0x9")] }];
    await expectHdpError(run("segment_arena", never, 0, 0, 0n), "HDP-7108", /never created/);
  });

  it("refuses builtins by name when they are not offered", async () => {
    for (const name of ["ecdsa", "keccak", "output"]) {
      await expectHdpError(run(name, [], 0, 0, 0n), "HDP-7106", new RegExp(`builtin "${name}"`));
    }
  });
});
