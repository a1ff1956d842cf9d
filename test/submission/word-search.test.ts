import { expect } from "chai";
import {
  type Address,
  encodeAbiParameters,
  encodePacked,
  type Hex,
  keccak256,
  stringToHex,
  toHex,
} from "viem";

import {
  account,
  blockSampled,
  header,
  inForm,
  mappingSlot,
  storage,
  type Task,
  taskHash,
  transactionsInBlock,
  tx,
} from "../../src/entries/request.js";
import {
  encodeCompute,
  encodeDatalake,
  encodeSampledProperty,
} from "../../src/request/task-hash.js";
import { handEncodings } from "../../src/submission/hand-encodings.js";
import { taskWords } from "../../src/submission/task-words.js";
import { type FormedTask, type WordFinding, WordSearch } from "../../src/submission/word-search.js";

const TOKEN: Address = `0x${"70".repeat(20)}`;
const ALICE: Address = `0x${"a1".repeat(20)}`;
const BOB: Address = `0x${"b0".repeat(20)}`;

const fee = (from: bigint, to: bigint) =>
  blockSampled({ from, to, property: header("base_fee_per_gas") }).avg();
const slotTask = (slot: Hex | bigint, to = 9n) =>
  blockSampled({ from: 0n, to, property: storage(TOKEN, slot) }).min();
const moduleTask = (...inputs: readonly bigint[]): Task => ({
  type: "Module",
  programHash: "0x1a7f",
  inputs: inputs.map((input) => ({ visibility: "public", value: toHex(input) })),
});

interface Sought {
  readonly words?: readonly (bigint | Hex)[];
  readonly form?: "datalake" | "module";
}

/** What is found of a hash, from a task that is finalized. */
function find(hash: Hex, task: Task, { words = [], form }: Sought = {}): WordFinding | undefined {
  const formed: FormedTask = {
    task,
    form: form ?? (task.type === "Module" ? "module" : "datalake"),
  };
  const vocabulary = {
    words: words.map((value) => ({ value: BigInt(value) })),
    accounts: [],
    namespaces: [],
  };
  const search = new WordSearch(hash, [formed], vocabulary);
  search.run(() => false);
  return search.finding;
}

/** The changed fields of what is found, `blockRangeEnd 9 -> 12`. */
function changes(finding: WordFinding | undefined): readonly string[] {
  if (finding?.cause !== "fields") return [finding?.cause ?? "nothing"];
  return finding.changes.map(({ field, value }) => `${field.name} ${field.value} -> ${value}`);
}

describe("search for a task by the words of sources", () => {
  it("hashes a task's words as the task is hashed, in both forms", () => {
    const tasks = [
      fee(3n, 9n),
      slotTask(5n),
      blockSampled({ from: 0n, to: 9n, property: account(ALICE, "balance") }).count(
        "gt",
        2n ** 200n,
      ),
      transactionsInBlock({ block: 7n, from: 0n, to: 4n, property: tx("value") }).sum(),
    ];
    for (const task of tasks) {
      expect(toHex(taskWords(task, "datalake").hash())).to.equal(taskHash(task));
      expect(toHex(taskWords(task, "module").hash())).to.equal(taskHash(inForm(task, "module")));
    }
    expect(toHex(taskWords(moduleTask(7n), "module").hash())).to.equal(taskHash(moduleTask(7n)));
  });

  for (const form of ["datalake", "module"] as const) {
    const sought = (asked: Task, task: Task, words: readonly (bigint | Hex)[] = []) =>
      changes(find(taskHash(inForm(asked, form)), task, { words, form }));

    it(`finds numbers of the sources in a field, in the ${form} form`, () => {
      expect(sought(fee(0n, 5_123_456n), fee(0n, 9n), [5_123_456n])).to.deep.equal([
        "blockRangeEnd 9 -> 5123456",
      ]);
      const count = (value: bigint) =>
        blockSampled({ from: 0n, to: 9n, property: account(ALICE, "balance") }).count("gt", value);
      expect(sought(count(2n ** 200n + 77n), count(5n), [2n ** 200n + 77n])).to.deep.equal([
        `valueToCompare 5 -> ${2n ** 200n + 77n}`,
      ]);
      const of = (holder: Address) =>
        blockSampled({ from: 0n, to: 9n, property: account(holder, "balance") }).min();
      expect(sought(of(BOB), of(ALICE), [BOB])).to.deep.equal([
        `address ${BigInt(ALICE)} -> ${BigInt(BOB)}`,
      ]);
    });

    it(`finds ranges between numbers of the sources, and of their lengths, in the ${form} form`, () => {
      const words = [4_321_000n, 7_777n, 4_400_123n];
      for (const [from, to] of [
        [4_321_000n, 4_400_123n],
        [4_321_000n, 4_328_776n],
        [4_313_223n, 4_321_000n],
        [7_777n * 7_777n, 7_777n * 7_777n + 7_776n],
      ] as const)
        expect(sought(fee(from, to), fee(0n, 9n), words), String(from)).to.deep.equal([
          `blockRangeStart 0 -> ${from}`,
          `blockRangeEnd 9 -> ${to}`,
        ]);
      expect(sought(fee(145n, 154n), fee(0n, 9n))).to.deep.equal([
        "blockRangeStart 0 -> 145",
        "blockRangeEnd 9 -> 154",
      ]);
      expect(sought(fee(4_321_001n, 4_400_124n), fee(0n, 9n), words)).to.deep.equal(["nothing"]);
    });

    it(`finds sums and differences of numbers of the sources, in the ${form} form`, () => {
      expect(sought(fee(0n, 4_313_223n), fee(0n, 9n), [4_321_000n, 7_777n])).to.deep.equal([
        "blockRangeEnd 9 -> 4313223",
      ]);
    });

    it(`finds slots of mappings and of nested ones by known keys, in the ${form} form`, () => {
      const there = mappingSlot(2n, ALICE);
      const ofBob = find(taskHash(inForm(slotTask(mappingSlot(17n, BOB)), form)), slotTask(there), {
        words: [ALICE, BOB],
        form,
      });
      expect(changes(ofBob)).to.deep.equal([
        `slot ${BigInt(there)} -> ${BigInt(mappingSlot(17n, BOB))}`,
      ]);
      expect(ofBob?.cause === "fields" && ofBob.changes[0]?.origin).to.equal(
        `that of ${BOB} in a mapping at slot 17`,
      );
      expect(ofBob?.originOf(BigInt(there))).to.equal(`that of ${ALICE} in a mapping at slot 2`);
      const nested = mappingSlot(3n, ALICE, BOB);
      const swapped = find(
        taskHash(inForm(slotTask(mappingSlot(3n, BOB, ALICE)), form)),
        slotTask(nested),
        { words: [ALICE, BOB], form },
      );
      expect(swapped?.cause === "fields" && swapped.changes[0]?.origin).to.equal(
        `that of [${BOB}][${ALICE}] in a nested mapping at slot 3`,
      );
      expect(swapped?.originOf(BigInt(nested))).to.equal(
        `that of [${ALICE}][${BOB}] in a nested mapping at slot 3`,
      );
      const member = toHex(BigInt(there) + 2n, { size: 32 });
      expect(sought(slotTask(member), slotTask(there), [ALICE])).to.deep.equal([
        `slot ${BigInt(there)} -> ${BigInt(member)}`,
      ]);
      // Another mapping than those that are tried, and a key that no source has.
      for (const slot of [mappingSlot(21n, ALICE), mappingSlot(2n, BOB)])
        expect(sought(slotTask(slot), slotTask(there), [ALICE])).to.deep.equal(["nothing"]);
    });

    it(`finds other fields and two fields at once, in the ${form} form`, () => {
      expect(
        sought(blockSampled({ from: 0n, to: 9n, property: header("gas_used") }).max(), fee(0n, 9n)),
      ).to.deep.equal(["sampledProperty 15 -> 10", "aggregateFnId 0 -> 3"]);
      const ofTypes = (types?: readonly "eip1559"[]) =>
        transactionsInBlock({
          block: 7n,
          from: 0n,
          to: 4n,
          property: tx("value"),
          ...(types && { types }),
        }).sum();
      const some = ofTypes(["eip1559"]);
      expect(sought(some, ofTypes())).to.deep.equal([`includedTypes 16843009 -> 256`]);
    });
  }

  it("finds a number whose digits were read in the other base, and none near it", () => {
    const digits = "the decimal digits of the number there, read as hexadecimal";
    const found = find(taskHash(moduleTask(8n, 0x11155111n)), moduleTask(8n, 11155111n));
    expect(changes(found)).to.deep.equal(["inputs[1] 11155111 -> 286609681"]);
    expect(found?.cause === "fields" && found.changes[0]?.origin).to.equal(digits);
    const block = find(taskHash(fee(0n, 5_858_997n)), fee(0n, 0x5858997n));
    expect(changes(block)).to.deep.equal(["blockRangeEnd 92637591 -> 5858997"]);
    expect(block?.cause === "fields" && block.changes[0]?.origin).to.equal(
      "the hexadecimal digits of the number there, read as decimal",
    );
    const near = find(taskHash(moduleTask(8n, 0x11155112n)), moduleTask(8n, 11155111n));
    expect(near).to.equal(undefined);
  });

  it("finds the chain of block.chainid, and the other form", () => {
    const words = taskWords(fee(0n, 9n), "datalake");
    const [chain] = words.fields;
    expect(chain?.name).to.equal("chainId");
    const encoded = encodeDatalake(fee(0n, 9n).datalake);
    const moved =
      `${encoded.slice(0, 66)}${31337n.toString(16).padStart(64, "0")}${encoded.slice(130)}` as Hex;
    const hash = keccak256(`${keccak256(moved)}${encodeCompute(fee(0n, 9n).compute).slice(2)}`);
    expect(changes(find(hash, fee(0n, 9n)))).to.deep.equal(["chainId 11155111 -> 31337"]);
    const other = taskHash(inForm(fee(0n, 9n), "module"));
    expect(find(other, fee(0n, 9n))?.cause).to.equal("form");
  });

  describe("inputs of modules", () => {
    const inputs = [1n, BigInt(ALICE), 100n, 200n];
    const lists: Readonly<Record<string, readonly bigint[]>> = {
      missing: [1n, BigInt(ALICE), 200n],
      added: [1n, BigInt(ALICE), 100n, 555_555n, 200n],
      reversed: [200n, 100n, BigInt(ALICE), 1n],
      rotated: [200n, 1n, BigInt(ALICE), 100n],
      halves: [1n, BigInt(ALICE) + 100n * 2n ** 128n, 200n].map((one) => BigInt.asUintN(250, one)),
    };
    for (const [name, list] of Object.entries(lists).slice(0, 4))
      it(`finds one that is ${name}, or all in another order`, () => {
        const found = find(taskHash(moduleTask(...list)), moduleTask(...inputs), {
          words: [555_555n],
        });
        expect(found?.cause === "inputs" ? found.inputs : changes(found)).to.deep.equal(list);
      });

    it("finds a slot in one input instead of two halves, and the halves in the wrong order", () => {
      const [low, high] = [77n + 2n ** 127n, 99n];
      const whole = low + high * 2n ** 128n;
      const joined = find(taskHash(moduleTask(1n, whole, 5n)), moduleTask(1n, low, high, 5n));
      expect(joined?.cause === "inputs" && joined.inputs).to.deep.equal([1n, whole, 5n]);
      const task = moduleTask(1n, low, high, 5n);
      expect(changes(find(taskHash(moduleTask(1n, high, low, 5n)), task))).to.deep.equal([
        `inputs[1] ${low} -> ${high}`,
        `inputs[2] ${high} -> ${low}`,
      ]);
    });

    it("finds a short string that is on the left of its word, and a number of the sources", () => {
      const [right, left] = [BigInt(stringToHex("ETH")), BigInt(stringToHex("ETH", { size: 32 }))];
      const hash = keccak256(
        encodeAbiParameters(
          [{ type: "bytes32" }, { type: "bytes32[]" }],
          [toHex(0x1a7f, { size: 32 }), [toHex(left, { size: 32 })]],
        ),
      );
      expect(changes(find(hash, moduleTask(right)))).to.deep.equal([
        `inputs[0] ${right} -> ${left}`,
      ]);
      const [asked, there] = [moduleTask(1n, 424_242n), moduleTask(1n, 7n)];
      expect(changes(find(taskHash(asked), there, { words: [424_242n] }))).to.deep.equal([
        "inputs[1] 7 -> 424242",
      ]);
      expect(find(taskHash(asked), there, { words: [333_333n] })).to.equal(undefined);
    });
  });

  describe("encodings by hand", () => {
    const task = fee(0n, 9n);
    const { datalake, compute } = task;
    const [lake, fn] = [encodeDatalake(datalake), encodeCompute(compute)];
    const join = (...parts: readonly Hex[]): Hex =>
      `0x${parts.map((one) => one.slice(2)).join("")}`;
    const property = encodeSampledProperty(datalake.sampledProperty);
    const numbers = [0n, 11155111n, 0n, 9n, 1n] as const;
    const withProperty = (bytes: Hex): Hex =>
      encodeAbiParameters(
        [...numbers.map(() => ({ type: "uint256" }) as const), { type: "bytes" }],
        [...numbers, bytes] as never,
      );
    const struct = encodeAbiParameters(
      [
        {
          type: "tuple",
          components: [
            ...["a", "b", "c", "d"].map((name) => ({ name, type: "uint256" }) as const),
            { name: "e", type: "bytes" },
          ],
        },
      ],
      [{ a: 11155111n, b: 0n, c: 9n, d: 1n, e: property } as never],
    );
    const packed = encodePacked(
      ["uint256", "uint256", "uint256", "uint256", "uint256", "bytes"],
      [...numbers, property],
    );
    for (const [text, bytes] of [
      ["the function before the datalake", join(fn, keccak256(lake))],
      ["the hash of the datalake alone", lake],
      ["hashed twice", keccak256(join(keccak256(lake), fn))],
      ["the function hashed", join(keccak256(lake), keccak256(fn))],
      ["abi.encodePacked of both: the datalake not hashed", join(lake, fn)],
      ["abi.encode(datalake) of the struct, without its type", join(keccak256(struct), fn)],
      ["abi.encodePacked of the datalake", join(keccak256(packed), fn)],
      [
        "abi.encode of datalake and function as bytes: the datalake not hashed",
        encodeAbiParameters([{ type: "bytes" }, { type: "bytes" }], [lake, fn]),
      ],
      ["the property's kind 0 instead of 1, 0x000f", join(keccak256(withProperty("0x000f")), fn)],
      [
        "the property as text",
        join(keccak256(withProperty(stringToHex("header.base_fee_per_gas"))), fn),
      ],
    ] as const)
      it(`finds ${text}`, () => {
        const found = find(keccak256(bytes), task);
        expect(found?.cause === "encoding" && found.encoding).to.equal(text);
      });

    for (const [text, bytes] of [
      ["abi.encodePacked", encodePacked(["uint256", "uint256[]"], [0x1a7fn, [7n, 8n]])],
      [
        "abi.encode(inputs, programHash)",
        encodeAbiParameters([{ type: "uint256[]" }, { type: "uint256" }], [[7n, 8n], 0x1a7fn]),
      ],
      [
        "abi.encode(programHash, abi.encode(inputs))",
        encodeAbiParameters(
          [{ type: "uint256" }, { type: "bytes" }],
          [0x1a7fn, encodeAbiParameters([{ type: "uint256[]" }], [[7n, 8n]])],
        ),
      ],
      [
        "abi.encodePacked, accounts in 20 bytes and numbers in 8",
        encodePacked(["uint256", "uint64", "uint64"], [0x1a7fn, 7n, 8n]),
      ],
    ] as const)
      it(`finds ${text} of a module`, () => {
        const found = find(keccak256(bytes), moduleTask(7n, 8n));
        expect(found?.cause === "encoding" && found.encoding).to.equal(text);
        // The same encoding of other inputs.
        expect(find(keccak256(bytes), moduleTask(7n, 900n))?.cause).to.equal(undefined);
      });

    it("gives no two wrong encodings of a task the same bytes, and none those of the right one", () => {
      for (const given of [task, slotTask(mappingSlot(2n, ALICE)), moduleTask(7n, 8n)]) {
        const form = given.type === "Module" ? "module" : "datalake";
        const all = [...handEncodings(given, form)].map(({ bytes }) => bytes.toString("hex"));
        expect(all.filter((one, at) => all.indexOf(one) !== at)).to.deep.equal([]);
        expect(all.map((one) => keccak256(`0x${one}`))).to.not.include(taskHash(given));
      }
    });
  });

  it("ends when its time is over, and goes on with more", () => {
    const vocabulary = { words: [], accounts: [], namespaces: [] };
    const formed: FormedTask = { task: fee(0n, 9n), form: "datalake" };
    const search = new WordSearch(taskHash(fee(0n, 12n)), [formed], vocabulary);
    search.run(() => true);
    expect([search.isDone, search.finding]).to.deep.equal([false, undefined]);
    search.run(() => false);
    expect([search.isDone, changes(search.finding)]).to.deep.equal([
      true,
      ["blockRangeEnd 9 -> 12"],
    ]);
  });
});
