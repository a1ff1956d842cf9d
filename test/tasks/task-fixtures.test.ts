import { expect } from "chai";
import fc from "fast-check";

import { isHdpError, StateNodeMap } from "../../src/entries/request.js";
import { proveStateRead, proveStateUpdate, writeState } from "../../src/request/state-trie.js";
import {
  nameFixtures,
  renderFixtures,
  type Fixture,
  type FixtureFile,
} from "../../src/tasks/requests/task-fixtures.js";

const HASH = "0xc045b2ad4e6c9efb76f0fb712b20891496165bd6b7f32e148aee2243e3687307";
const WORD = `0x${"0".repeat(31)}1${"0".repeat(31)}7` as const;
/** Of a trie that has 7 under 5. */
const ROOT = "0xeddb6698d7c569ff62ff64f1f1492bf14a545a43";
const task = { title: "average of\n header.number", taskHash: HASH, result: BigInt(WORD) } as const;
const fee: Fixture = { name: "fee", ...task };

function names(...files: readonly (readonly [path: string, tasks: number])[]): string[] {
  const described: FixtureFile[] = files.map(([path, tasks]) => ({
    path,
    tasks: Array<typeof task>(tasks).fill(task),
  }));
  return nameFixtures(described).map(({ name }) => name);
}

/** What snforge_std makes of a JSON file: its numbers in the order of their flattened keys, in lower case. */
function asRead(json: string): bigint[] {
  const numbers: [string, bigint][] = [];
  const path: string[] = [];
  for (const [, key, opening, value, closing] of json.matchAll(/"(\w+)":\s*(?:(\{)|(\d+))|(\})/g)) {
    if (opening !== undefined) path.push(key ?? "");
    else if (value !== undefined)
      numbers.push([[...path, key].join(".").toLowerCase(), BigInt(value)]);
    else if (closing !== undefined) path.pop();
  }
  return numbers.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

describe("fixtures", () => {
  it("names fixtures after their task files", () => {
    expect(names(["tasks/fee.json", 1], ["tasks/history.json", 2])).to.deep.equal([
      "fee",
      "history_1",
      "history_2",
    ]);
    expect(names(["C:\\tasks\\baseFee.v2.json", 1])).to.deep.equal(["base_fee_v2"]);
    expect(names(["2024.json", 1], ["--.json", 1])).to.deep.equal(["task_2024", "task"]);
  });

  it("refuses two fixtures of one name", () => {
    let error: unknown;
    try {
      names(["a/fee.json", 1], ["b/fee.json", 1]);
    } catch (reason) {
      error = reason;
    }
    if (!isHdpError(error, "HDP-6086")) throw new Error(String(error));
    expect(error.message)
      .to.contain("would be fee:")
      .and.contain("a/fee.json")
      .and.contain("b/fee.json");
  });

  it("writes Cairo constants", () => {
    expect(renderFixtures([fee], "cairo")).to
      .equal(`//! Task hashes and results, written by \`npx hardhat hdp fixtures\`.
//! To change them, run it again.

/// Task hash: average of header.number.
pub const FEE_TASK: u256 = ${HASH};
/// Its result, 340282366920938463463374607431768211463.
pub const FEE_RESULT: u256 = 0x100000000000000000000000000000007;
/// Both: a row of \`#[test_case]\`.
pub const FEE: (u256, u256) = (FEE_TASK, FEE_RESULT);
`);
  });

  it("of module tasks are written with the program, inputs, output and proofs", () => {
    const start = new StateNodeMap();
    const first = proveStateUpdate(start, 0n, 5n, 7n);
    writeState(start, 0n, 5n, 7n);
    const module = {
      programHash: "0x12",
      inputs: [1n, 2n ** 250n, 3n],
      output: [2n ** 250n],
      injectedState: [
        {
          label: 0x766f746573n,
          writes: [first],
          reads: [proveStateRead(start, first.rootAfter, 5n)],
        },
      ],
    } as const;
    const twap: Fixture = { ...fee, name: "twap", module };
    const text = renderFixtures([fee, twap], "cairo");
    expect(text).to.contain("\n\nuse hardhat_hdp::injected_state::StateNode;\n\n/// Task hash");
    expect(text.slice(text.indexOf("/// Hash of the module"))).to
      .equal(`/// Hash of the module's program.
pub const TWAP_PROGRAM_HASH: felt252 = 0x12;
/// Its public inputs.
#[cairofmt::skip]
pub const TWAP_INPUTS: [felt252; 3] = [
    0x1,
    0x400000000000000000000000000000000000000000000000000000000000000,
    0x3,
];
/// What it returned.
#[cairofmt::skip]
pub const TWAP_OUTPUT: [felt252; 1] = [
    0x400000000000000000000000000000000000000000000000000000000000000,
];
/// Written to votes: root before, root after, key, value.
pub const TWAP_WRITE_1: [felt252; 4] = [0x0, ${ROOT}, 0x5, 0x7];
/// The nodes that prove it.
pub const TWAP_WRITE_1_NODES: [StateNode; 0] = [];
/// Read from votes: root, key, value.
pub const TWAP_READ_1: [felt252; 3] = [${ROOT}, 0x5, 0x7];
/// The nodes that prove it.
#[cairofmt::skip]
pub const TWAP_READ_1_NODES: [StateNode; 1] = [
    StateNode { child: 0x7, right_or_path: 0x5, length: 251 },
];
`);
    const without = renderFixtures([{ ...fee, module: { ...module, injectedState: [] } }], "cairo");
    expect(without).to.not.contain("StateNode");
    expect(renderFixtures([twap], "txt")).to.equal(renderFixtures([fee], "txt"));
  });

  it("writes constants of Solidity and of TypeScript", () => {
    const solidity = renderFixtures([fee], "solidity");
    expect(solidity).to.match(
      /^\/\/ SPDX-License-Identifier: UNLICENSED\npragma solidity >=0\.8\.21 <0\.9\.0;\n/,
    );
    expect(solidity).to.contain(`\nbytes32 constant FEE_TASK = ${HASH};\n`);
    expect(solidity).to.contain(
      "\nuint256 constant FEE_RESULT = 340282366920938463463374607431768211463;\n",
    );
    const typescript = renderFixtures([fee], "typescript");
    expect(typescript).to.contain(`\nexport const FEE_TASK = "${HASH}";\n`);
    expect(typescript).to.contain(
      "\nexport const FEE_RESULT = 340282366920938463463374607431768211463n;\n",
    );
  });

  it("names the form of a datalake task in every language", () => {
    const both: readonly Fixture[] = [
      { ...fee, form: "datalake" },
      { ...fee, name: "tip", form: "module" },
    ];
    const cairo = renderFixtures(both, "cairo");
    expect(cairo)
      .to.contain("\n\nuse hardhat_hdp::task::HdpForm;\n\n/// Task hash")
      .and.contain("\npub const FEE_FORM: HdpForm = HdpForm::Datalake;\n")
      .and.contain("\npub const TIP_FORM: HdpForm = HdpForm::Module;\n");
    expect(renderFixtures(both, "solidity"))
      .to.contain('\nimport {HdpForm} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";\n')
      .and.contain("\nHdpForm constant FEE_FORM = HdpForm.Datalake;\n")
      .and.contain("\nHdpForm constant TIP_FORM = HdpForm.Module;\n");
    expect(renderFixtures(both, "typescript"))
      .to.contain("\nexport const FEE_FORM = 0;\n")
      .and.contain("\nexport const TIP_FORM = 1;\n");
  });

  it("writes a list of felts that an array of fixtures is parsed from", () => {
    const felts = [
      1n,
      0x96165bd6b7f32e148aee2243e3687307n,
      0xc045b2ad4e6c9efb76f0fb712b208914n,
      7n,
      1n,
    ];
    expect(renderFixtures([fee], "txt")).to.equal(`${felts.join("\n")}\n`);
    expect(renderFixtures([], "txt")).to.equal("0\n");
  });

  it("writes JSON with numbers of at most 64 bits, in the order in which they are read", () => {
    const text = renderFixtures([fee], "json");
    expect(Object.keys(JSON.parse(text) as object)).to.deep.equal(["fee"]);
    const result = [7n, 0n, 1n, 0n];
    const hash = [
      0x8aee2243e3687307n,
      0x96165bd6b7f32e14n,
      0x76f0fb712b208914n,
      0xc045b2ad4e6c9efbn,
    ];
    expect(asRead(text)).to.deep.equal([...result, ...hash]);
  });

  it("writes every word exactly in every format", () => {
    const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value): `0x${string}` => {
      return `0x${value.toString(16).padStart(64, "0")}`;
    });
    const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/);
    const some = fc.uniqueArray(
      fc.record({ name, title: fc.constant("t"), taskHash: word, result: word.map(BigInt) }),
      {
        selector: (fixture) => fixture.name,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(some, (fixtures) => {
        const words = (felts: bigint[], size: number): bigint[] =>
          felts.flatMap((_, at) =>
            at % size === 0
              ? [
                  felts
                    .slice(at, at + size)
                    .reduceRight((sum, limb) => sum * 2n ** BigInt(256 / size) + limb, 0n),
                ]
              : [],
          );
        const [count, ...felts] = renderFixtures(fixtures, "txt").trim().split("\n").map(BigInt);
        expect(count).to.equal(BigInt(fixtures.length));
        expect(words(felts, 2)).to.deep.equal(
          fixtures.flatMap((one) => [BigInt(one.taskHash), one.result]),
        );
        const sorted = [...fixtures].sort((a, b) => (`${a.name}.` < `${b.name}.` ? -1 : 1));
        expect(words(asRead(renderFixtures(fixtures, "json")), 4)).to.deep.equal(
          sorted.flatMap((one) => [one.result, BigInt(one.taskHash)]),
        );
        const constants = [...renderFixtures(fixtures, "cairo").matchAll(/u256 = (\w+);/g)].map(
          ([, value]) => BigInt(value ?? 0),
        );
        expect(constants).to.deep.equal(
          fixtures.flatMap((one) => [BigInt(one.taskHash), one.result]),
        );
      }),
    );
  });
});
