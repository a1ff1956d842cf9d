import { expect } from "chai";
import fc from "fast-check";
import type { Address, Hex } from "viem";
import {
  concatHex,
  encodeAbiParameters,
  encodePacked,
  keccak256,
  numberToHex,
  parseAbiParameters,
  toHex,
} from "viem/utils";

import {
  account,
  asModule,
  blockSampled,
  header,
  inForm,
  mappingSlot,
  type ModuleTask,
  storage,
  type Task,
  taskHash,
  transactionsInBlock,
  tx,
} from "../../src/entries/request.js";
import { hasModuleForm, writtenTask } from "../../src/request/task-form.js";
import {
  type DatalakeEncoding,
  encodeCompute,
  encodeDatalake,
  encodeSampledProperty,
  encodeTask,
} from "../../src/request/task-hash.js";
import { explainRead } from "../../src/submission/explain-read.js";
import { explanationLines } from "../../src/submission/explanation-lines.js";
import { HashedInCall } from "../../src/submission/hashed-in-call.js";
import type { KnownState } from "../../src/submission/read-finding.js";
import { datalakeTask } from "../request/arbitrary-tasks.js";

const store: Address = `0x${"57".repeat(20)}`;
const token: Address = `0x${"70".repeat(20)}`;
const owner: Address = `0x${"0a".repeat(20)}`;
const spender: Address = `0x${"5e".repeat(20)}`;
const fee = blockSampled({ from: 0, to: 9, property: header("base_fee_per_gas") }).avg();
const gasUsed = blockSampled({ from: 100, to: 199, property: header("gas_used") }).max();
const module: ModuleTask = {
  type: "Module",
  programHash: "0x123",
  inputs: [
    { visibility: "public", value: "0x1" },
    { visibility: "public", value: "0x2" },
  ],
};

const word = (value: bigint | Hex): Hex => numberToHex(BigInt(value), { size: 32 });

/** What is hashed for the hash of a task. */
function preimages(task: Task, datalakeEncoding: DatalakeEncoding = "with-chain-id"): Hex[] {
  const options = { datalakeEncoding };
  const own = encodeTask(task, options);
  return task.type === "Module" ? [own] : [encodeDatalake(task.datalake, options), own];
}

/** What a contract hashed for a datalake task that it encodes from words and bytes. */
function ofWords(words: readonly bigint[], property: Hex, compute: readonly bigint[]): Hex[] {
  const types = parseAbiParameters([...words.map(() => "uint256"), "bytes"].join(", "));
  const datalake = encodeAbiParameters(types, [...words, property] as never);
  return [datalake, concatHex([keccak256(datalake), ...compute.map(word)])];
}

interface Finalized {
  readonly stored?: readonly Task[];
  readonly known?: readonly Task[];
}

/** The lines of an explanation of a read of what a contract hashed last. */
function linesOf(
  hashed: readonly Hex[],
  { stored = [fee], known = stored }: Finalized = {},
  chainId = 31337n,
): readonly string[] {
  let looks = 0;
  const state: KnownState = {
    tasks: known.map((task) => ({ task, source: "tasks/fee.json" })),
    stored: stored.map((task) => ({ taskHash: taskHash(task), store })),
    finalizedHere: [],
    valueOf: () => undefined,
    submissions: [],
    network: "default",
    deliveryOf: ({ network }) => network,
    chainId,
    hashed: new HashedInCall(hashed),
    // What was hashed needs no search.
    isOver: () => (looks += 1) > 5,
  };
  const asked = keccak256(hashed.at(-1) ?? "0x");
  return explanationLines(explainRead({ taskHash: asked, store }, state)).slice(1);
}

const listedFee = `  ${taskHash(fee)}  average of header.base_fee_per_gas, blocks 0..9 on ETHEREUM_SEPOLIA, 10 samples, step 1`;

describe("submission: what a failed call hashed", () => {
  it("decodes every task in each form and encoding", () => {
    const cases = fc.record({
      task: datalakeTask,
      isModule: fc.boolean(),
      encoding: fc.constantFrom("with-chain-id", "without-chain-id"),
    });
    fc.assert(
      fc.property(cases, ({ task: drawn, isModule, encoding }) => {
        const written = writtenTask(drawn);
        const hasOther = written.type === "DatalakeCompute" && hasModuleForm(written);
        const task = isModule && hasOther ? inForm(written, "module") : written;
        const isOld = task.type !== "Module" && encoding === "without-chain-id";
        const datalakeEncoding = isOld ? encoding : "with-chain-id";
        const hash = taskHash(task, { datalakeEncoding });
        const found = new HashedInCall(preimages(task, datalakeEncoding)).task(hash);
        expect(found?.form).to.equal(task.type === "Module" ? "module" : "datalake");
        expect(found?.encoding).to.equal(datalakeEncoding);
        const again = found?.form === "module" ? inForm(found.task, "module") : found?.task;
        if (again === undefined) throw new Error("the task was not decoded");
        expect(taskHash(again, { datalakeEncoding })).to.equal(hash);
        const chain = written.type === "Module" ? undefined : written.datalake.chainId;
        if (found?.task.type === "DatalakeCompute" && !isOld)
          expect(found.task.datalake.chainId).to.equal(chain);
      }),
    );
  });

  it("names every field in which a derived task differs from the finalized one", () => {
    for (const hashed of [preimages(gasUsed), preimages(asModule(gasUsed))]) {
      const isModule = hashed.length === 1;
      expect(linesOf(hashed)).to.deep.equal([
        "Asked:      maximum of header.gas_used, blocks 100..199 on ETHEREUM_SEPOLIA, 100 samples, step 1",
        "Finalized:  average of header.base_fee_per_gas, blocks 0..9 on ETHEREUM_SEPOLIA, 10 samples, step 1",
        "Difference: blockRangeStart (asked: 100, there: 0)",
        "Difference: blockRangeEnd (asked: 199, there: 9)",
        "Difference: sampledProperty (asked: header.gas_used, there: header.base_fee_per_gas)",
        "Difference: aggregateFnId (asked: max, there: avg)",
        ...(isModule ? ["Difference: form (asked: module, there: datalake)"] : []),
      ]);
    }
  });

  it("names the nearest task that is not finalized where a finalized one differs in more", () => {
    const near = blockSampled({ from: 100, to: 198, property: header("gas_used") }).max();
    expect(linesOf(preimages(gasUsed), { known: [fee, near] }).slice(1)).to.deep.equal([
      "Nearest:    maximum of header.gas_used, blocks 100..198 on ETHEREUM_SEPOLIA, 99 samples, step 1",
      "Difference: blockRangeEnd (asked: 199, there: 198)",
      "The nearest task is known from tasks/fee.json, and is not finalized either.",
      "The store has 1 result:",
      listedFee,
    ]);
  });

  it("describes a derived task where nothing is of its kind", () => {
    const asked = "Asked:      module 0x123, inputs: 0x1, 0x2";
    const derived =
      "A contract derived the hash of this task. No task that is known here is near it.";
    expect(linesOf(preimages(module))).to.deep.equal([
      asked,
      derived,
      "The store has 1 result:",
      listedFee,
    ]);
    expect(linesOf(preimages(module), { stored: [] })).to.deep.equal([
      asked,
      derived,
      "The store has no results.",
    ]);
  });

  it("names the chain, that of block.chainid or any other, and none of an encoding without", () => {
    const on = (chain: bigint): readonly string[] =>
      linesOf(ofWords([0n, chain, 0n, 9n, 1n], "0x010f", [0n, 0n, 0n]));
    const finalized =
      "Finalized:  average of header.base_fee_per_gas, blocks 0..9 on ETHEREUM_SEPOLIA, 10 samples, step 1";
    expect(on(31337n)).to.deep.equal([
      "Asked:      average of header.base_fee_per_gas, blocks 0..9 on chain 31337, 10 samples, step 1",
      finalized,
      "Difference: chainId (asked: 31337, that of block.chainid, there: ETHEREUM_SEPOLIA)",
    ]);
    expect(on(5n).slice(2)).to.deep.equal([
      "Difference: chainId (asked: 5, there: ETHEREUM_SEPOLIA)",
    ]);
    const inputs = asModule(fee).inputs.with(1, { visibility: "public", value: "0x539" });
    expect(linesOf(preimages({ ...asModule(fee), inputs }))).to.include.members([
      "Difference: chainId (asked: 1337, there: ETHEREUM_SEPOLIA)",
      "Difference: form (asked: module, there: datalake)",
    ]);
    expect(linesOf(ofWords([0n, 0n, 8n, 1n], "0x010f", [0n, 0n, 0n]))).to.deep.equal([
      "Asked:      average of header.base_fee_per_gas, blocks 0..8, 9 samples, step 1",
      finalized,
      "Difference: blockRangeEnd (asked: 8, there: 9)",
      "Difference: encoding (asked: without-chain-id, there: with-chain-id)",
    ]);
  });

  it("names program and inputs of a module that is none of a datalake task", () => {
    const right = asModule(fee);
    const other = preimages({ ...right, programHash: "0x77" });
    expect(linesOf(other, { stored: [right] }).slice(2)).to.deep.equal([
      `Difference: programHash (asked: 0x77, there: ${right.programHash})`,
    ]);
    const swapped = right.inputs.with(2, { visibility: "public", value: "0x9" });
    const inputs = swapped.with(3, { visibility: "public", value: "0x0" });
    expect(linesOf(preimages({ ...right, inputs }), { stored: [right] }).slice(2)).to.deep.equal([
      "Difference: inputs[2], first (asked: 0x9, there: 0x0)",
      "Difference: inputs[3], last (asked: 0x0, there: 0x9)",
    ]);
    const word_: Hex = `0x${"ff".repeat(32)}`;
    const types = parseAbiParameters("bytes32, bytes32[]");
    const hashed = encodeAbiParameters(types, [word("0x123"), [word_, word("0x2")]]);
    expect(linesOf([hashed], { stored: [module] }).slice(2)).to.deep.equal([
      `Difference: inputs[0] (asked: ${word_}, there: 0x1)`,
    ]);
  });

  it("names the words of what encodes no task, where few differ from those of a known one", () => {
    const advice =
      "What was hashed differs in that from the encoding of the nearest task: HdpTaskHash has the right one.";
    const listed = ["The store has 1 result:", listedFee];
    // A function id, a property's field and a type that there are not.
    expect(linesOf(ofWords([0n, 11155111n, 0n, 9n, 1n], "0x010f", [9n, 0n, 0n]))).to.deep.equal([
      "Difference: aggregateFnId (asked: 9, there: 0)",
      advice,
      ...listed,
    ]);
    const fields = ofWords([0n, 11155111n, 0n, 9n, 1n], "0x01ff", [0n, 0n, 0n]);
    expect(linesOf(fields)[0]).to.match(
      /^Difference: property \(asked: 0x01ff0+, there: 0x010f0+\)$/,
    );
    expect(linesOf(ofWords([7n, 11155111n, 0n, 9n, 1n], "0x010f", [0n, 0n, 0n]))[0]).to.equal(
      "Difference: type (asked: 7, there: 0)",
    );
    const nested = encodeAbiParameters(parseAbiParameters("bytes32, bytes32[]"), [
      word("0x123"),
      [word("0x1"), word("0x2")],
    ]);
    const offset = concatHex([word("0x123"), word(96n), `0x${nested.slice(130)}`]);
    expect(linesOf([offset], { stored: [module] })[0]).to.equal(
      "Difference: offset of the inputs (asked: 96, there: 64)",
    );
  });

  it("shows what was hashed where that is near no encoding of a task", () => {
    const bytes = toHex("fee");
    expect(linesOf([bytes])).to.deep.equal([
      "The hash is that of 3 bytes, which encode no task: 0x666565",
      "The store has 1 result:",
      listedFee,
    ]);
    const long: Hex = `0x${"ab".repeat(200)}`;
    expect(linesOf([long])[0]).to.equal(
      `The hash is that of 200 bytes, which encode no task: 0x${"ab".repeat(160)}…`,
    );
    const packed = encodePacked(["uint256", "uint256"], [0n, 9n]);
    expect(linesOf([packed])[0]).to.match(
      /^The hash is that of 64 bytes, which encode no task: 0x/,
    );
  });

  it("names the task of which parts are in what was hashed otherwise", () => {
    const [datalake = "0x"] = preimages(fee);
    const types = parseAbiParameters("bytes, uint256, uint256, uint256");
    const nearest =
      "Nearest:    average of header.base_fee_per_gas, blocks 0..9 on ETHEREUM_SEPOLIA, 10 samples, step 1";
    const parts = "Parts of the nearest task are in them: HdpTaskHash has the right encoding.";
    const notHashed = encodeAbiParameters(types, [datalake, 0n, 0n, 0n]);
    expect(linesOf([notHashed], { known: [gasUsed, fee] }).slice(0, 3)).to.deep.equal([
      nearest,
      `The hash is that of 416 bytes, which encode no task: ${notHashed.slice(0, 322)}…`,
      parts,
    ]);
    const hashedTwice = concatHex([word(keccak256(datalake)), word(1n)]);
    expect(linesOf([datalake, hashedTwice]).slice(0, 3)).to.include.members([nearest, parts]);
    const call = concatHex([word(2n), word(1n), word("0x123")]);
    expect(linesOf([call], { stored: [module] })).to.include(parts);
    for (const few of [word("0x123"), concatHex([word(1n), word(2n)])])
      expect(linesOf([few], { stored: [module] })).to.not.include(parts);
  });

  it("names the packed encoding of a known task although it was hashed", () => {
    const packed = encodePacked(["bytes32", "bytes32[]"], [word("0x123"), [word(1n), word(2n)]]);
    expect(linesOf([packed], { stored: [module] }).at(-1)).to.equal(
      "Difference: encoding (asked: abi.encodePacked, there: abi.encode)",
    );
  });

  it("says what slots are the hashes of, and the finalized one where its keys are swapped", () => {
    const inner = word(mappingSlot(4n, spender));
    const derived = mappingSlot(BigInt(inner), owner);
    const right = mappingSlot(BigInt(mappingSlot(4n, owner)), spender);
    const at = (slot: Hex): Task =>
      blockSampled({ from: 4, to: 9, property: storage(token, slot) }).max();
    const ofSlot = [concatHex([word(spender), word(4n)]), concatHex([word(owner), inner])];
    const linesAt = (found: Hex): readonly string[] =>
      linesOf([...ofSlot, ...preimages(at(derived))], { stored: [at(found)] }).slice(2);
    const difference = (found: Hex): string =>
      `Difference: slot (asked: ${derived}, there: ${found})`;
    const asked = `The asked slot is keccak256(abi.encode(${owner}, keccak256(abi.encode(${spender}, 4)))).`;
    expect(linesAt(right)).to.deep.equal([
      difference(right),
      asked,
      `The slot there is keccak256(abi.encode(${spender}, keccak256(abi.encode(${owner}, 4)))).`,
    ]);
    const ofOtherMapping = mappingSlot(BigInt(mappingSlot(5n, spender)), owner);
    expect(linesAt(ofOtherMapping)[2]).to.equal(
      `The slot there is keccak256(abi.encode(${owner}, keccak256(abi.encode(${spender}, 5)))).`,
    );
    const unrelated = word(BigInt(derived) ^ (1n << 200n));
    expect(linesAt(unrelated)).to.deep.equal([difference(unrelated), asked]);
  });

  it("says which element of a struct a slot is, and the hash of bytes", () => {
    const key = toHex("ETH-USD");
    const base = concatHex([key, word(3n)]);
    const slot = word(BigInt(keccak256(base)) + 2n);
    const found = new HashedInCall([base]);
    expect(found.slotText(slot)).to.equal('keccak256(abi.encodePacked("ETH-USD", 3)) + 2');
    const text = toHex("fees");
    const odd = "0x00ff";
    const others = new HashedInCall([text, odd, concatHex([odd, word(3n)])]);
    expect(others.slotText(keccak256(text))).to.equal('keccak256("fees")');
    expect(others.slotText(keccak256(odd))).to.equal("keccak256(0x00ff)");
    const keyed = concatHex([odd, word(3n)]);
    expect(others.slotText(keccak256(keyed))).to.equal(`keccak256(${keyed})`);
    expect(found.slotText(word(BigInt(keccak256(base)) + 17n))).to.equal(undefined);
    expect(found.slotText(word(7n))).to.equal(undefined);
  });

  it("explains tasks that no request has: a step of 0, no types, numbers that are no felts", () => {
    const property = "0x010f";
    const ofStep = (step: bigint): Hex[] =>
      ofWords([0n, 11155111n, 0n, 9n, step], property, [0n, 0n, 0n]);
    expect(linesOf(ofStep(0n)).filter((line) => !line.startsWith("Finalized"))).to.deep.equal([
      "Asked:      average of header.base_fee_per_gas, blocks 0..9 on ETHEREUM_SEPOLIA, 0 samples, step 0",
      "Difference: increment (asked: 0, there: 1)",
    ]);
    const most = 2n ** 256n - 1n;
    expect(linesOf(ofStep(most))[2]).to.equal(`Difference: increment (asked: ${most}, there: 1)`);
    const ofTypes = (types: bigint): Hex[] =>
      ofWords([1n, 11155111n, 7n, 0n, 4n, 1n, types], encodeSampledProperty(tx("gas_limit")), [
        1n,
        0n,
        0n,
      ]);
    const transfers = transactionsInBlock({ block: 7, from: 0, to: 4, property: tx("gas_limit") });
    const lines = linesOf(ofTypes(0n), { stored: [transfers.sum()] });
    expect(lines[0]).to.match(/\(endIndex 4 is exclusive\), no transaction type takes part$/);
    expect(lines.at(-1)).to.match(/^Difference: includedTypes \(asked: none, there: legacy/);
  });

  it("names the place of a module's input among all of its inputs, private ones without values", () => {
    const secret: ModuleTask["inputs"][number] = { visibility: "private", value: "0x5ec2e7" };
    const stored = [{ ...module, inputs: [secret, ...module.inputs] }];
    const types = parseAbiParameters("bytes32, bytes32[]");
    const right = encodeAbiParameters(types, [word("0x123"), [word(1n), word(9n)]]);
    expect(linesOf([right], { stored }).at(-1)).to.equal(
      "Difference: inputs[2] (asked: 0x9, there: 0x2)",
    );
    const offset = concatHex([word("0x123"), word(96n), `0x${right.slice(130)}`]);
    expect(linesOf([offset], { stored }).slice(0, 2)).to.deep.equal([
      "Difference: offset of the inputs (asked: 96, there: 64)",
      "Difference: inputs[2] (asked: 9, there: 2)",
    ]);
    expect(
      linesOf([concatHex([word("0x123"), word("0x5ec2e7"), word(1n)])], { stored }),
    ).to.not.include("Parts of the nearest task are in them: HdpTaskHash has the right encoding.");
  });

  it("calls no finalized task one that is not finalized either", () => {
    const ofBlocks = (from: number, to: number, field: "gas_used" | "number") =>
      blockSampled({ from, to, property: header(field) });
    const asked = ofBlocks(100, 109, "gas_used").avg();
    // Both differ in three fields. The range of the second is moved, which is one mistake.
    const finalized = ofBlocks(100, 120, "number").max();
    const lines = linesOf(preimages(asked), { stored: [finalized], known: [finalized, fee] });
    expect(lines[1]).to.equal(
      "Nearest:    average of header.base_fee_per_gas, blocks 0..9 on ETHEREUM_SEPOLIA, 10 samples, step 1",
    );
    expect(lines).to.include(
      "The nearest task is known from tasks/fee.json, and is not finalized either.",
    );
  });

  it("names a known task that is near where one of another type is known too", () => {
    const transfers = transactionsInBlock({ block: 7, from: 0, to: 4, property: tx("gas_limit") });
    const asked = blockSampled({ from: 0, to: 19, property: header("number") }).avg();
    const lines = linesOf(preimages(asked), { stored: [module], known: [transfers.sum(), fee] });
    expect(lines[1]).to.equal(
      "Nearest:    average of header.base_fee_per_gas, blocks 0..9 on ETHEREUM_SEPOLIA, 10 samples, step 1",
    );
  });

  it("puts the hashes of a tree into few words", () => {
    const tree: Hex[] = [];
    for (let node = word(0n), level = 0; level < 40; level++) {
      const pair = concatHex([node, node]);
      tree.push(pair);
      node = keccak256(pair);
    }
    const found = new HashedInCall([...tree, `0x${"ab".repeat(200)}`]);
    const at = (level: number): Hex => keccak256(tree[level] ?? "0x");
    const pair = (text: string): string => `keccak256(abi.encode(${text}, ${text}))`;
    expect(found.slotText(at(39))).to.equal(pair(pair(pair(pair(at(35))))));
    expect(found.slotText(keccak256(`0x${"ab".repeat(200)}`))).to.equal(
      `keccak256(0x${"ab".repeat(160)}…)`,
    );
  });

  it("decodes no bytes that are near an encoding", () => {
    const [datalake = "0x", own = "0x"] = preimages(
      blockSampled({ from: 4, to: 9, property: account(owner, "nonce") }).max(),
    );
    const compute = encodeCompute({ aggregateFnId: "max" });
    const taskOf = (bytes: Hex, functionWords: Hex = compute): unknown => {
      const hashed = concatHex([keccak256(bytes), functionWords]);
      return new HashedInCall([bytes, hashed]).task(keccak256(hashed));
    };
    expect(taskOf(datalake)).to.not.equal(undefined);
    expect(new HashedInCall([own]).task(keccak256(own))).to.equal(undefined);
    for (const bytes of ["0x", "0x00", `${datalake}00`, `${datalake}${"00".repeat(32)}`] as const)
      expect(taskOf(bytes), bytes).to.equal(undefined);
    expect(taskOf(`${datalake.slice(0, -2)}01` as Hex), "padding").to.equal(undefined);
    const types = ofWords(
      [1n, 11155111n, 7n, 0n, 4n, 1n, 3n],
      encodeSampledProperty(tx("gas_limit")),
      [1n, 0n, 0n],
    );
    expect(new HashedInCall(types).task(keccak256(types.at(-1) ?? "0x"))).to.equal(undefined);
    for (const words of [
      [4n, 0n, 7n],
      [4n, 9n, 7n],
      [99n, 0n, 0n],
      [0n, 0n],
      [0n, 0n, 0n, 0n],
    ])
      expect(taskOf(datalake, concatHex(words.map(word))), String(words)).to.equal(undefined);
  });
});
