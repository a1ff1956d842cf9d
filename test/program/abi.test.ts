import { expect } from "chai";

import {
  parseAbi,
  parseSierraAbi,
  leadingFelts,
  moduleParameters,
} from "../../src/entries/program.js";
import { mainFunction } from "../../src/program/abi/abi.js";
import { typeFinder } from "../../src/program/abi/type-table.js";
import { HANDLE, abiWith, compiledJson, sierraJson } from "./classes.js";
import { expectThrown, hdpThrown } from "../support/failure.js";

const memorizer = (member: string): { readonly name: string; readonly type: string } => ({
  name: member,
  type: "hdp_cairo::EvmMemorizer",
});

describe("module ABI", () => {
  it("reads the name of a type once, however many values have it", () => {
    const find = typeFinder(abiWith({}));
    for (const name of [
      "core::array::Array::<core::felt252>",
      "(core::felt252, core::bool)",
      "[core::felt252; 3]",
    ]) {
      expect(find(name), name)
        .to.equal(find(` @${name}`))
        .and.not.equal(undefined);
    }
  });

  it("derives the leading felts of every generation from the handle", () => {
    expect(leadingFelts(abiWith({}))).to.equal(4);
    const generations: readonly (readonly [readonly string[], number])[] = [
      [["header", "account", "storage"], 6],
      [["evm", "starknet", "injected_state", "unconstrained"], 8],
    ];
    for (const [members, felts] of generations) {
      const handle = {
        type: "struct",
        name: "other::HDP",
        members: members.map(memorizer),
      } as const;
      const main = {
        type: "function",
        name: "main",
        inputs: [{ name: "hdp", type: "other::HDP" }],
        outputs: [],
      } as const;
      expect(leadingFelts([...HANDLE, handle, main])).to.equal(felts);
    }
  });

  it("counts every type of fixed size in a handle", () => {
    const types = [
      "core::integer::u256",
      "(core::bool, core::bytes_31::bytes31)",
      "[core::felt252; 3]",
      "core::zeroable::NonZero::<core::integer::u8>",
      "core::starknet::class_hash::ClassHash",
      "()",
    ];
    const members = types.map((type, index) => ({ name: `m${index}`, type }));
    const abi = abiWith({}, [{ type: "struct", name: "x::HDP", members }]).map((entry) =>
      entry.type === "function" ? { ...entry, inputs: [{ name: "hdp", type: "x::HDP" }] } : entry,
    );
    expect(leadingFelts(abi)).to.equal(2 + 2 + 3 + 1 + 1);
  });

  it("refuses a first parameter that is no handle", () => {
    const main = (inputs: readonly { name: string; type: string }[]): (() => number) => {
      const members = [{ name: "m", type: "core::array::Array::<core::felt252>" }];
      return () =>
        leadingFelts([
          { type: "struct", name: "dynamic::HDP", members },
          { type: "struct", name: "endless::HDP", members: [{ name: "m", type: "endless::HDP" }] },
          { type: "struct", name: "empty::HDP", members: [] },
          { type: "function", name: "main", inputs, outputs: [] },
        ]);
    };
    expectThrown(main([]), "HDP-7007", undefined, "it takes no parameters");
    expectThrown(
      main([{ name: "a", type: "core::felt252" }]),
      "HDP-7007",
      undefined,
      '"a" of type core::felt252',
    );
    for (const type of ["dynamic::HDP", "endless::HDP", "empty::HDP"]) {
      expectThrown(main([{ name: "hdp", type }]), "HDP-7007", undefined, type);
    }
  });

  it("finds main in an interface, and lists its parameters without the handle", () => {
    const items = abiWith({ a: "core::felt252" }).filter((entry) => entry.type === "function");
    const abi = [
      ...HANDLE,
      { type: "interface", name: "my::IModule", items },
      { type: "impl", name: "x" },
    ] as const;
    expect(mainFunction(abi).name).to.equal("main");
    expect(moduleParameters(abi)).to.deep.equal([{ name: "a", type: "core::felt252" }]);
    expect(hdpThrown(() => mainFunction(HANDLE)).code).to.equal("HDP-7007");
  });

  it("reads the ABI of a Sierra class, with entries that inputs do not need", () => {
    const event = { type: "event", name: "my::Event", kind: "enum", variants: [] };
    const json = sierraJson(abiWith({ a: "core::felt252" }));
    const abi = parseSierraAbi({ ...json, abi: [...abiWith({ a: "core::felt252" }), event] });
    expect(moduleParameters(abi)).to.deep.equal([{ name: "a", type: "core::felt252" }]);
  });

  it("refuses files that are no Sierra class", () => {
    const file = "x.json";
    expectThrown(
      () => parseSierraAbi(compiledJson(), { file }),
      "HDP-7005",
      file,
      "a compiled class has none",
    );
    expectThrown(
      () => parseSierraAbi({}, { file }),
      "HDP-7005",
      file,
      "`sierra_program` and `abi`",
    );
    expectThrown(() => parseSierraAbi(null), "HDP-7005", undefined);
  });

  it("names the place of a error in an ABI", () => {
    expectThrown(
      () => parseAbi("[]", { file: "x.json" }),
      "HDP-7005",
      "x.json",
      "abi is not as Cairo 2 writes it",
    );
    expectThrown(
      () => parseAbi([{ type: "struct", name: "A" }]),
      "HDP-7005",
      undefined,
      "abi[0].members",
    );
    expectThrown(() => parseAbi([{ type: "contract" }]), "HDP-7005", undefined, "abi[0].type");
  });

  it("returns a size only where every value has it", () => {
    const array = "core::array::Array::<core::felt252>";
    const sizeOf = (...types: readonly string[]): (() => number) => {
      const members = types.map((type, index) => ({ name: `m${index}`, type }));
      const extra = [
        { type: "struct", name: "x::HDP", members },
        { type: "struct", name: "x::Other", members: [{ name: "m", type: "core::felt252" }] },
      ] as const;
      const abi = abiWith({}, extra).map((entry) =>
        entry.type === "function" ? { ...entry, inputs: [{ name: "hdp", type: "x::HDP" }] } : entry,
      );
      return () => leadingFelts(abi);
    };
    const nested = (levels: number): string =>
      "[".repeat(levels) + "core::felt252" + "; 1]".repeat(levels);
    expect(sizeOf("core::integer::u512", "core::felt252")()).to.equal(5);
    expect(sizeOf(nested(99))()).to.equal(1);
    for (const types of [
      [nested(100)],
      [array, "core::felt252"],
      ["core::felt252", array],
      [`[${array}; 2]`],
      ["core::byte_array::ByteArray"],
      ["core::option::Option::<core::felt252>"],
      ["core::result::Result::<core::felt252, core::felt252>"],
      ["core::zeroable::NonZero::<x::HDP>"],
      ["[x::HDP; 1]"],
      ["(x::HDP,)"],
    ]) {
      expectThrown(sizeOf(...types), "HDP-7007", undefined, "x::HDP");
    }
  });

  it("adds up structs in each other once, however many ways lead to them, and refuses a handle without bounds", () => {
    const structs = (levels: number) =>
      Array.from({ length: levels }, (_, level) => ({
        type: "struct",
        name: level === 0 ? "x::HDP" : `x::S${level}`,
        members: ["a", "b"].map((name) => ({
          name,
          type: level === levels - 1 ? "core::felt252" : `x::S${level + 1}`,
        })),
      }));
    const main = {
      type: "function",
      name: "main",
      inputs: [{ name: "hdp", type: "x::HDP" }],
      outputs: [],
    };
    const sizeOf = (levels: number): number => leadingFelts(parseAbi([...structs(levels), main]));
    expect(sizeOf(1)).to.equal(2);
    expect(sizeOf(9)).to.equal(512);
    expectThrown(() => sizeOf(10), "HDP-7007", undefined, "x::HDP");
    // 2^90 ways.
    expectThrown(() => sizeOf(90), "HDP-7007", undefined, "x::HDP");
  });

  it("refuses an ABI of more characters than are read", () => {
    const members = Array.from({ length: 300 }, (_, at) => ({
      name: `m${at}`,
      type: "x".repeat(2_000),
    }));
    const problem = "it has 607,735 characters, more than the 524,288 that are read";
    expectThrown(
      () => parseAbi([{ type: "struct", name: "x::S", members }]),
      "HDP-7005",
      undefined,
      problem,
    );
  });

  it("takes a struct named HDP only, wherever the parameters are asked for", () => {
    const main = {
      type: "function",
      name: "main",
      inputs: [{ name: "a", type: "x::Point" }],
      outputs: [],
    } as const;
    const point = {
      type: "struct",
      name: "x::Point",
      members: [{ name: "m", type: "core::felt252" }],
    } as const;
    expectThrown(() => leadingFelts([point, main]), "HDP-7007", undefined, '"a" of type x::Point');
    expectThrown(
      () => moduleParameters([point, main]),
      "HDP-7007",
      undefined,
      '"a" of type x::Point',
    );
  });

  it("passes over other functions for main", () => {
    const other = { type: "function", name: "other", inputs: [], outputs: [] } as const;
    expect(mainFunction([other, ...abiWith({})])).to.include({ name: "main" });
    expectThrown(() => mainFunction([other]), "HDP-7007", undefined);
  });

  it("refuses what is not even an object, and a Sierra class that lacks a part", () => {
    for (const json of ["bytecode", 5, undefined, [], { sierra_program: [] }, { abi: [] }]) {
      expectThrown(
        () => parseSierraAbi(json),
        "HDP-7005",
        undefined,
        "the file has no `sierra_program` and `abi`",
      );
    }
  });
});
