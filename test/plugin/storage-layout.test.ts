import { createRequire } from "node:module";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import { layoutSchema, slotIn, type StorageKey } from "../../src/plugin/actions/storage-of.js";
import { hdpThrown } from "../support/failure.js";

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
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

describe("slotIn", function () {
  this.timeout(60_000);
  const solc = createRequire(import.meta.url)("solc") as Solc;
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: "Solidity",
        sources: { "a.sol": { content: SOURCE } },
        settings: { outputSelection: { "*": { "*": ["storageLayout", "evm.bytecode.object"] } } },
      }),
    ),
  ) as {
    readonly contracts: {
      "a.sol": { Layout: { storageLayout: unknown; evm: { bytecode: { object: string } } } };
    };
  };
  const { storageLayout, evm } = output.contracts["a.sol"].Layout;
  const layout = layoutSchema.parse(storageLayout);
  const nine = "0x0000000000000000000000000000000000000009";

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
        ...[
          [31n, "words", 0] as const,
          [32n, "words", "1"] as const,
          [2n, "words", "length"] as const,
        ],
        ...[
          [2n, "nested", "length"] as const,
          [2n, "nested", 1, "length"] as const,
          [42n, "nested", 1, 1] as const,
        ],
        ...[
          [21n, "addresses", 0] as const,
          [22n, "addresses", 1] as const,
          [5n, "outer", "owner"] as const,
        ],
        ...[[51n, "outer", "inner", "one"] as const, [52n, "outer", "inner", "pair", 1] as const],
        ...[
          [61n, "outer", "more", 1, "one"] as const,
          [63n, "outer", "more", 1, "pair", 1] as const,
        ],
        ...[
          [71n, "outer", "byKey", 7n, "pair", 1] as const,
          [82n, "lists", nine, true, 1n] as const,
        ],
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
