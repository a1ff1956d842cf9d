import { createRequire } from "node:module";

import { expect } from "chai";
import type { Hex } from "viem";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import { erc7201, mappingSlot } from "../../src/entries/request.js";
import { toWord } from "../../src/base/hex.js";
import {
  type Layout,
  layoutSchema,
  slotIn,
  type StorageKey,
} from "../../src/plugin/storage/layout.js";
import { withNamespaces } from "../../src/plugin/storage/namespaces.js";
import { hdpThrown } from "../support/failure.js";

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;
contract Layout {
    struct Inner { uint256 one; uint256[2] pair; }
    struct Outer { address owner; Inner inner; Inner[] more; mapping(uint256 => Inner) byKey; }
    uint8 small = 1;
    uint256[3] fixedWords = [uint256(11), 12, 13];
    uint256[] words;
    uint64[] packedWords;
    uint64[4] oneWord;
    uint256[][] nested;
    uint160[2] addresses = [uint160(21), 22];
    Outer outer;
    mapping(address => mapping(bool => uint256[])) lists;
    string text = "short";
    bytes data;
    constructor() {
        words.push(31); words.push(32);
        packedWords.push(1);
        nested.push(); nested.push(); nested[1].push(41); nested[1].push(42);
        outer.owner = address(5); outer.inner.one = 51; outer.inner.pair[1] = 52;
        outer.more.push(); outer.more.push(); outer.more[1].one = 61; outer.more[1].pair[0] = 62; outer.more[1].pair[1] = 63;
        outer.byKey[7].pair[1] = 71;
        lists[address(9)][true].push(81); lists[address(9)][true].push(82);
    }
}`;

interface Solc {
  readonly compile: (input: string) => string;
}

/** The compiler's output for a source, `a.sol`. */
function compiled(content: string, selection: object): unknown {
  const solc = createRequire(import.meta.url)("solc") as Solc;
  const input = {
    language: "Solidity",
    sources: { "a.sol": { content } },
    settings: { outputSelection: { "*": selection } },
  };
  return JSON.parse(solc.compile(JSON.stringify(input)));
}

const nine = "0x0000000000000000000000000000000000000009";

describe("slotIn", () => {
  const output = compiled(SOURCE, { "*": ["storageLayout", "evm.bytecode.object"] }) as {
    readonly contracts: {
      "a.sol": { Layout: { storageLayout: unknown; evm: { bytecode: { object: string } } } };
    };
  };
  const { storageLayout, evm } = output.contracts["a.sol"].Layout;
  const layout = layoutSchema.parse(storageLayout);

  it("returns the slots that a contract wrote: structs, nested arrays, nested mappings", async () => {
    const hre = await createHardhatRuntimeEnvironment({});
    const { provider } = await hre.network.create();
    const [from] = (await provider.request({ method: "eth_accounts" })) as string[];
    const data = `0x${evm.bytecode.object}`;
    const hash: unknown = await provider.request({
      method: "eth_sendTransaction",
      params: [{ from, data, gas: "0x5b8d80" }],
    });
    const receipt: unknown = await provider.request({
      method: "eth_getTransactionReceipt",
      params: [hash],
    });
    const { contractAddress } = receipt as { readonly contractAddress: string };
    const cases: readonly (readonly [expected: bigint, variable: string, ...keys: StorageKey[]])[] =
      [
        ...[0n, 1n, 2n].map((index) => [11n + index, "fixedWords", index] as const),
        [31n, "words", 0] as const,
        [32n, "words", "1"] as const,
        [2n, "words", "length"] as const,
        [2n, "nested", "length"] as const,
        [2n, "nested", 1, "length"] as const,
        [42n, "nested", 1, 1] as const,
        [21n, "addresses", 0] as const,
        [22n, "addresses", 1] as const,
        [5n, "outer", "owner"] as const,
        [51n, "outer", "inner", "one"] as const,
        [52n, "outer", "inner", "pair", 1] as const,
        [61n, "outer", "more", 1, "one"] as const,
        [63n, "outer", "more", 1, "pair", 1] as const,
        [71n, "outer", "byKey", 7n, "pair", 1] as const,
        [82n, "lists", nine, true, 1n] as const,
      ];
    for (const [expected, variable, ...keys] of cases) {
      const slot = slotIn(layout, `Layout.${variable}`, variable, keys);
      const word: unknown = await provider.request({
        method: "eth_getStorageAt",
        params: [contractAddress, slot, "latest"],
      });
      expect(BigInt(String(word)), `${variable}, ${String(keys.length)} keys`).to.equal(expected);
    }
  });

  for (const [variable, keys, text] of [
    ["packedWords", [0], /shares its slot/],
    ["fixedWords", [3], /"3" is not an index of its array: give an integer below 3/],
    ["fixedWords", ["length"], /no length in storage/],
    ["words", [-1], /"-1" is not an index/],
    ["words", [], /not a value of one word/],
    ["fixedWords", [], /not a value of one word/],
    ["oneWord", [], /not a value of one word/],
    ["text", [], /not a value of one word/],
    ["data", [0], /no part named "0"/],
    ["outer", ["more", 0], /not a value of one word/],
    ["outer", ["none"], /there is no "none"; there are owner, inner, more, byKey/],
  ] as const) {
    it(`refuses ${[variable, ...keys].join(".")}`, () => {
      const error = hdpThrown(() => slotIn(layout, `Layout.${variable}`, variable, keys));
      expect(error.code).to.equal("HDP-6126");
      expect(error.shortMessage).to.match(text);
    });
  }
});

const NAMESPACED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;
type Price is uint96;
enum Kind { One, Two }
struct Leaf { uint64 a; uint256 b; uint8 c; }
contract Base {
    /// @custom:storage-location erc7201:test.base
    struct BaseStorage { uint256 total; bool paused; mapping(address => uint256) balances; }
    /// @notice Another struct, which is no namespace.
    struct Other { uint256 one; }
}
contract Tree is Base {
    /// @notice All kinds of types.
    /// @custom:storage-location erc7201:test.tree
    struct TreeStorage {
        bool flag; address owner; Kind kind; Price price; Base base;
        uint24[5] small; uint24[13] thirteen; address[3] addresses; Leaf leaf; Leaf[2] leaves; uint8 behind;
        function (uint256) external returns (uint256) outside; function () internal inside; bytes4 selector; int128 number;
        string text; bytes data; uint256[] words; uint64[][2] nested; Node[] nodes; mapping(uint256 => Node) byId;
        mapping(string => mapping(Kind => mapping(Base => uint256))) keyed; mapping(bytes => Leaf) byBytes;
        uint128 left; uint128 right; uint256 total; bytes32 last; address payable payee;
    }
    struct Node { Price price; Node[] children; mapping(address => Node) others; uint8 tail; }
    uint256 last;
    TreeStorage tree;
}
library Space {
    /// @custom:storage-location erc7201:test.space
    struct State { uint256 value; }
}`;

describe("withNamespaces", () => {
  const output = compiled(NAMESPACED, { "*": ["storageLayout"], "": ["ast"] }) as {
    readonly contracts: { "a.sol": Record<"Base" | "Tree" | "Space", { storageLayout: unknown }> };
    readonly sources: { "a.sol": { readonly ast: unknown } };
  };
  const trees = { "a.sol": output.sources["a.sol"].ast };
  const layoutOf = (contract: "Base" | "Tree" | "Space"): Layout =>
    layoutSchema.parse(output.contracts["a.sol"][contract].storageLayout);
  const whole = (contract: "Base" | "Tree" | "Space"): Layout =>
    withNamespaces(layoutOf(contract), trees, { source: "a.sol", contract });
  const at = (id: string, slots: bigint): Hex => toWord(BigInt(erc7201(id)) + slots);

  /** Only in the names of function types, the compiler has two spellings. */
  const named = (type: string): string => type.replace(/^(t_function_[a-z]+).*/, "$1");

  it("places the members of a namespace as the compiler places those of the same struct", () => {
    const own = layoutOf("Tree");
    const [, tree] = own.storage;
    const members = own.types?.[tree?.type ?? ""]?.members ?? [];
    expect(members).to.have.length(28);
    // Without the compiler's types, all are derived from the syntax tree.
    const { storage, types } = withNamespaces({ storage: [], types: null }, trees, {
      source: "a.sol",
      contract: "Tree",
    });
    const base = BigInt(erc7201("test.tree"));
    const places = storage.slice(3).map(({ label, slot, offset, type }) => {
      const own = label.replace("Tree.TreeStorage.", "");
      return { label: own, slot: (BigInt(slot) - base).toString(), offset, type: named(type) };
    });
    expect(places).to.deep.equal(members.map((one) => ({ ...one, type: named(one.type) })));
    for (const [name, type] of Object.entries(own.types ?? {})) {
      if (name !== tree?.type && types?.[name] !== undefined)
        expect(types[name], name).to.deep.equal(type);
    }
    const missing = Object.keys(own.types ?? {}).filter((name) => types?.[name] === undefined);
    const others = missing.filter((name) => !/^t_function|_memory_ptr$/.test(name));
    expect(others).to.deep.equal([tree?.type]);
  });

  it("finds namespaces of a contract, of its bases and of a library, and names twins with their struct", () => {
    expect(whole("Base").storage.map(({ label }) => label)).to.deep.equal([
      "total",
      "paused",
      "balances",
    ]);
    const labels = whole("Tree").storage.map(({ label }) => label);
    expect(labels).to.include.members(["last", "Tree.TreeStorage.last", "tree", "balances"]);
    expect(labels).to.include.members(["Base.BaseStorage.total", "Tree.TreeStorage.total"]);
    const slotOf = (
      contract: "Tree" | "Space",
      variable: string,
      ...keys: readonly StorageKey[]
    ): string => slotIn(whole(contract), `${contract}.${variable}`, variable, keys);
    expect(slotOf("Space", "value")).to.equal(at("test.space", 0n));
    expect(slotOf("Tree", "last")).to.equal(toWord(0n));
    expect(slotOf("Tree", "balances", nine)).to.equal(mappingSlot(at("test.base", 2n), nine));
    const members = layoutOf("Tree").types?.[layoutOf("Tree").storage[1]?.type ?? ""]?.members;
    const keyed = BigInt(members?.find(({ label }) => label === "keyed")?.slot ?? -1);
    expect(slotOf("Tree", "keyed", "Anna", 1n, nine)).to.equal(
      mappingSlot(mappingSlot(mappingSlot(at("test.tree", keyed), { text: "Anna" }), 1n), nine),
    );
    const paused = hdpThrown(() => slotOf("Tree", "flag"));
    expect(paused.shortMessage).to.match(/it shares its slot/);
  });
});
