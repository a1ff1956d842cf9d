import { expect } from "chai";
import type { Address, Hex } from "viem";
import {
  concatHex,
  encodeAbiParameters,
  encodePacked,
  keccak256,
  parseAbiParameters,
} from "viem/utils";

import {
  account,
  asModule,
  erc20Balance,
  blockSampled,
  datalakeCommitment,
  type DatalakeComputeTask,
  header,
  mappingSlot,
  type ModuleTask,
  outputDigest,
  rootOfFelt,
  rootOfValue,
  storage,
  type Task,
  taskHash,
} from "../../src/entries/request.js";
import { taskDifferences } from "../../src/request/task-differences.js";
import type { Brought } from "../../src/store/failed-read.js";
import { explainRead } from "../../src/submission/explain-read.js";
import { explanationLines } from "../../src/submission/explanation-lines.js";
import type { KnownState } from "../../src/submission/read-finding.js";

const store: Address = `0x${"57".repeat(20)}`;
const fee = blockSampled({ from: 0, to: 9, property: header("base_fee_per_gas") }).avg();
const max = blockSampled({ from: 0, to: 9, property: header("base_fee_per_gas") }).max();
const count = blockSampled({ from: 0, to: 9, property: header("base_fee_per_gas") }).count(
  "gt",
  7n,
);
const context = { operator: "gt", valueToCompare: 7n } as const;
const withContext = (task: DatalakeComputeTask): Task => ({
  ...task,
  compute: { ...task.compute, aggregateFnCtx: context },
});

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;

/** A module task whose inputs are texts, private ones with a dash before. */
const moduleOf = (...inputs: readonly string[]): ModuleTask => ({
  type: "Module",
  programHash: "0x123",
  inputs: inputs.map((text) => ({
    visibility: text.startsWith("-") ? "private" : "public",
    value: text.replace("-", "") as Hex,
  })),
});

/** What is known where one task is finalized, and known. */
const knowing = (task: Task, state: Omit<Partial<KnownState>, "valueOf"> = {}): KnownState => ({
  tasks: [{ task, source: "this process" }],
  stored: [{ taskHash: taskHash(task), store }],
  finalizedHere: [],
  submissions: [],
  network: "default",
  deliveryOf: ({ network }) => network,
  valueOf: () => undefined,
  ...state,
});

/** Differences between two tasks, as an explanation has them. */
const between = (asked: Task, found: Task): readonly string[] =>
  taskDifferences(asked, found).map((one) => `${one.field} ${one.asked} ${one.found}`);

/** The lines of an explanation, without those that describe the tasks. */
function reasons(asked: Task | Hex, known: KnownState, brought?: Brought): readonly string[] {
  const hash = typeof asked === "string" ? asked : taskHash(asked);
  const lines = explanationLines(explainRead({ taskHash: hash, store, brought }, known));
  return lines.slice(1).filter((line) => !/^(Asked|Finalized|Nearest):/.test(line));
}

const REDEPLOY =
  "A contract keeps hash and form as they were at its deployment: deploy it with `await hdp.task(task)` of this network.";

describe("submission: differences between tasks", () => {
  it("names what a function is compared with that only one task has", () => {
    expect(between(withContext(fee), fee)).to.deep.equal([
      "operator gt none",
      "valueToCompare 7 none",
    ]);
    expect(between(fee, withContext(fee))).to.deep.equal([
      "operator none gt",
      "valueToCompare none 7",
    ]);
    expect(between(withContext(max), fee)).to.deep.equal([
      "aggregateFnId max avg",
      "operator gt none",
      "valueToCompare 7 none",
    ]);
  });

  it("names only the function where what it is compared with comes with it", () => {
    expect(between(count, fee)).to.deep.equal(["aggregateFnId count avg"]);
    expect(between(fee, count)).to.deep.equal(["aggregateFnId avg count"]);
    expect(between(count, withContext(fee))).to.deep.equal(["aggregateFnId count avg"]);
  });

  it("names an input that is public in one task and private in the other, by its place", () => {
    expect(between(moduleOf("0x1", "0x5", "0x6"), moduleOf("-0x1", "0x5", "0x6"))).to.deep.equal([
      "inputs[0] public private",
    ]);
    expect(between(moduleOf("0x5", "-0x6"), moduleOf("0x5", "0x6"))).to.deep.equal([
      "inputs[1] private public",
    ]);
    expect(between(moduleOf("0x5", "0x6"), moduleOf("-0x5", "-0x6"))).to.deep.equal([
      "inputs public, public private, private",
    ]);
  });

  it("names no value of a private input", () => {
    expect(between(moduleOf("-0x5", "0x6"), moduleOf("-0x7", "0x8"))).to.deep.equal([
      "inputs[1] 0x6 0x8",
    ]);
    expect(between(moduleOf("-0x5", "0x6"), moduleOf("0x6"))).to.deep.equal([]);
  });

  it("names an input that only one task has, by its place, and otherwise both numbers of inputs", () => {
    expect(between(moduleOf("0x5"), moduleOf("-0x1", "0x5", "0x6"))).to.deep.equal([
      "inputs[2] none or private 0x6",
    ]);
    expect(between(moduleOf("0x5", "0x6"), moduleOf("0x6"))).to.deep.equal([
      "inputs[0] 0x5 none or private",
    ]);
    expect(between(moduleOf("0x5", "0x6"), moduleOf("0x7"))).to.deep.equal(["inputs.length 2 1"]);
  });
});

describe("submission: why a read failed", () => {
  it("names what a function is compared with where it takes nothing", () => {
    const tasks = [withContext(fee), fee].map((task) => ({ task, source: "this process" }));
    expect(reasons(withContext(fee), knowing(fee, { tasks }))).to.include.members([
      "Difference: operator (asked: gt, there: none)",
      "Difference: valueToCompare (asked: 7, there: none)",
    ]);
  });

  it("finds the module task of a hash in which an input is public that is private in a known one", () => {
    const known = moduleOf("0x1", "0x2", "-0x3");
    expect(reasons(moduleOf("0x1", "0x2", "0x3"), knowing(known))).to.deep.equal([
      "Difference: inputs[2] (asked: public, there: private)",
    ]);
    const secret = moduleOf("-0x1", "-0x2", "-0x3");
    expect(reasons(moduleOf("0x1", "0x2", "0x3"), knowing(secret))).to.deep.equal([
      "Difference: inputs (asked: public, public, public, there: private, private, private)",
    ]);
  });

  it("finds the module task of a hash without an input that is public in a known one", () => {
    const known = moduleOf("0x1", "0x2", "0x3");
    expect(reasons(moduleOf("0x1", "-0x2", "0x3"), knowing(known))).to.deep.equal([
      "Difference: inputs[1] (asked: none or private, there: 0x2)",
    ]);
    expect(reasons(moduleOf("-0x1", "-0x2", "-0x3"), knowing(known))).to.deep.equal([
      "Difference: inputs.length (asked: 0, there: 3)",
    ]);
  });

  it("says that the asked program hash is the flat hash of the class of a known module", () => {
    const known = moduleOf("0x1", "0x2");
    const asked: ModuleTask = { ...known, programHash: "0x456" };
    const flatHashes = new Map<Hex, Hex>([["0x123", "0x456"]]);
    const line =
      "The asked program hash is the flat hash of the same class: give the contract its programHash.";
    const difference = "Difference: programHash (asked: 0x456, there: 0x123)";
    expect(reasons(asked, knowing(known, { flatHashes }))).to.deep.equal([difference, line]);
    expect(reasons(asked, knowing(known, { flatHashes, stored: [] }))).to.deep.equal([
      difference,
      line,
      "The nearest task is known from this process, and is not finalized either.",
      "The store has no results.",
    ]);
    const tasks = [asked, known].map((task) => ({ task, source: "this process" }));
    expect(reasons(asked, knowing(known, { tasks }))).to.not.include(line);
  });

  it("names how a contract encoded a known task by hand, in either form", () => {
    const module = moduleOf("0x5", "0x6");
    const words = [word(0x123n), [word(5n), word(6n)]] as const;
    const struct = parseAbiParameters("(bytes32 programHash, bytes32[] inputs) task");
    const packedFee = keccak256(
      encodePacked(
        ["uint256", "uint256", "uint256", "uint256", "uint256", "bytes"],
        [0n, 11155111n, 0n, 9n, 1n, "0x010f"],
      ),
    );
    const packedWith = (commitment: Hex): Hex =>
      encodePacked(["bytes32", "uint8", "uint8", "uint256"], [commitment, 0, 0, 0n]);
    const zeros = word(0n).slice(2).repeat(3);
    for (const [task, encoded, asked, there] of [
      [module, encodePacked(["bytes32", "bytes32[]"], words), "abi.encodePacked", "abi.encode"],
      [
        module,
        encodeAbiParameters(struct, [{ programHash: words[0], inputs: words[1] }]),
        "abi.encode(task)",
        "abi.encode(programHash, inputs)",
      ],
      [fee, `${packedFee}${zeros}`, "abi.encodePacked", "abi.encode"],
      [fee, packedWith(packedFee), "abi.encodePacked", "abi.encode"],
      [fee, packedWith(datalakeCommitment(fee.datalake)), "abi.encodePacked", "abi.encode"],
    ] as const) {
      const read = { taskHash: keccak256(encoded), store };
      const difference = { field: "encoding", asked, found: there };
      expect(explainRead(read, knowing(task))).to.include({ cause: "other-task" });
      expect(explainRead(read, knowing(task)).differences).to.deep.equal([difference]);
      // Known, and not finalized.
      const open = explainRead(read, knowing(task, { stored: [] }));
      expect(open).to.include({ cause: "not-finalized" });
      expect(open.differences).to.deep.equal([difference]);
    }
  });

  it("names an input, or an account, that is a contract of the chain", () => {
    const [feed, other] = [`0x${"fe".repeat(20)}`, `0x${"0e".repeat(20)}`] as const;
    const known = moduleOf("0x1", feed);
    const asked = moduleOf("0x1", `0x${"e".padEnd(39, "0e".repeat(20))}`);
    const contracts = [store, other];
    expect(reasons(asked, knowing(known, { contracts }))).to.deep.equal([
      `Difference: inputs[1] (asked: ${asked.inputs[1]?.value}, there: ${feed})`,
    ]);
    const ofAccount = (address: Address): Task =>
      blockSampled({ from: 0, to: 9, property: account(address, "balance") }).avg();
    expect(reasons(ofAccount(other), knowing(ofAccount(feed), { contracts }))).to.deep.equal([
      `Difference: address (asked: ${other}, there: ${feed})`,
    ]);
  });

  it("names a common step, and no other that is far away", () => {
    const withStep = (step: number): Task =>
      blockSampled({
        from: 5_000_000,
        to: 5_216_000,
        increment: step,
        property: header("base_fee_per_gas"),
      }).min();
    for (const step of [7_200, 300, 216_000])
      expect(reasons(withStep(step), knowing(withStep(1)))).to.deep.equal([
        `Difference: increment (asked: ${step}, there: 1)`,
      ]);
    expect(reasons(withStep(1), knowing(withStep(7_123)))).to.deep.equal([
      "Difference: increment (asked: 1, there: 7123)",
    ]);
    expect(reasons(withStep(7_123), knowing(withStep(1)))[0]).to.match(/^No task that is known/);
  });

  it("names an input, or a number of a task, whose digits were read in the other base, and none near it", () => {
    const chain = moduleOf("0xaa36a7", "-0x8", "0x4c4b40");
    expect(reasons(moduleOf("0x11155111", "-0x8", "0x4c4b40"), knowing(chain))).to.deep.equal([
      "Difference: inputs[0] (asked: 0x11155111, there: 0xaa36a7)",
      "The asked inputs[0] has the decimal digits of the number there, read as hexadecimal.",
    ]);
    expect(reasons(moduleOf("0xaa36a7"), knowing(moduleOf("0x11155111")))).to.deep.equal([
      "Difference: inputs[0] (asked: 0xaa36a7, there: 0x11155111)",
      "The asked inputs[0] has the hexadecimal digits of the number there, read as decimal.",
    ]);
    const ofBlocks = (from: bigint, to: bigint): Task =>
      blockSampled({ from, to, property: header("base_fee_per_gas") }).avg();
    const known = ofBlocks(5_858_987n, 5_858_997n);
    expect(reasons(ofBlocks(5_858_987n, 0x5858997n), knowing(known))).to.deep.equal([
      "Difference: blockRangeEnd (asked: 92637591, there: 5858997)",
      "The asked blockRangeEnd has the decimal digits of the number there, read as hexadecimal.",
    ]);
    expect(reasons(ofBlocks(0x5858987n, 0x5858997n), knowing(known))).to.have.length(4);
    for (const asked of [moduleOf("0x11155112"), moduleOf("0x1115511"), moduleOf("0x111551110")])
      expect(reasons(asked, knowing(moduleOf("0xaa36a7")))[0]).to.match(/^No task that is known/);
    // The distance is nearer than a base.
    expect(reasons(moduleOf("0x10"), knowing(moduleOf("0xa")))).to.have.length(1);
  });

  it("names an input whose address is left-aligned, on either side, and none shifted otherwise", () => {
    const leftOf = (address: Address): Hex => `${address}${"0".repeat(24)}`;
    const ofContract = (input: Hex): Hex =>
      keccak256(
        encodeAbiParameters(parseAbiParameters("bytes32, bytes32[]"), [
          word(0x123n),
          [word(1n), input],
        ]),
      );
    const large: Address = `0x${"7e".repeat(20)}`;
    // No felt: only a contract hashes it.
    expect(reasons(ofContract(leftOf(large)), knowing(moduleOf("0x1", large)))).to.deep.equal([
      `Difference: inputs[1] (asked: ${leftOf(large)}, there: ${large})`,
    ]);
    const feed: Address = `0x5${"7e".repeat(19)}`;
    const left = leftOf(feed);
    const [right, shifted] = [moduleOf("0x1", feed), moduleOf("0x1", left)];
    expect(reasons(shifted, knowing(right))).to.deep.equal([
      `Difference: inputs[1] (asked: ${left}, there: ${feed})`,
    ]);
    expect(reasons(right, knowing(shifted))).to.deep.equal([
      `Difference: inputs[1] (asked: ${feed}, there: ${left})`,
    ]);
    const other = moduleOf("0x1", `${feed}${"0".repeat(22)}`);
    expect(reasons(other, knowing(right))[0]).to.match(/^No task that is known/);
  });

  it("names the chain of the contract where it took that for the task's, in either form, and no other", () => {
    const ofWords = parseAbiParameters("uint256, uint256, uint256, uint256, uint256, bytes");
    const datalakeOn = (chain: bigint): Hex => {
      const encoded = encodeAbiParameters(ofWords, [0n, chain, 0n, 9n, 1n, "0x010f"]);
      return keccak256(`${keccak256(encoded)}${word(0n).slice(2).repeat(3)}`);
    };
    const { programHash, inputs } = asModule(fee);
    const moduleOn = (chain: bigint): Hex => {
      const felts = inputs.map(({ value }) => word(BigInt(value))).with(1, word(chain));
      const call = [word(BigInt(programHash)), felts] as const;
      return keccak256(encodeAbiParameters(parseAbiParameters("bytes32, bytes32[]"), call));
    };
    expect(datalakeOn(11155111n)).to.equal(taskHash(fee));
    expect(moduleOn(11155111n)).to.equal(taskHash(asModule(fee)));
    const difference =
      "Difference: chainId (asked: 31337, that of block.chainid, there: ETHEREUM_SEPOLIA)";
    const linesOf = (hash: Hex, known: KnownState): readonly string[] =>
      explanationLines(explainRead({ taskHash: hash, store }, known)).slice(1);
    expect(linesOf(datalakeOn(31337n), knowing(fee, { chainId: 31337n }))).to.deep.equal([
      "Asked:      average of header.base_fee_per_gas, blocks 0..9 on chain 31337, 10 samples, step 1",
      "Finalized:  average of header.base_fee_per_gas, blocks 0..9 on ETHEREUM_SEPOLIA, 10 samples, step 1",
      difference,
    ]);
    expect(reasons(moduleOn(31337n), knowing(asModule(fee), { chainId: 31337n }))).to.deep.equal([
      difference,
    ]);
    expect(reasons(datalakeOn(31337n), knowing(fee, { chainId: 31337n, stored: [] }))[0]).to.equal(
      difference,
    );
    // Chains with an identifier are tried as any field is.
    expect(reasons(datalakeOn(10n), knowing(fee, { chainId: 10n }))).to.deep.equal([
      "Difference: chainId (asked: OPTIMISM_MAINNET, there: ETHEREUM_SEPOLIA)",
    ]);
    for (const chainId of [undefined, 1337n])
      expect(reasons(datalakeOn(31337n), knowing(fee, { chainId }))[0]).to.match(
        /^No task that is known/,
      );
  });

  it("speaks of programs and inputs only where the asked task may be a module", () => {
    const unknown: Hex = `0x${"5b".repeat(32)}`;
    const text =
      "No task that is known here has this hash, nor one that was tried by changing a field";
    const ofModules = `${text}: a program or an input that is known nowhere here cannot be tried.`;
    expect(reasons(unknown, knowing(fee))[0]).to.equal(`${text}.`);
    expect(reasons(unknown, knowing(asModule(fee)))[0]).to.equal(`${text}.`);
    expect(reasons(unknown, knowing(moduleOf("0x1")))[0]).to.equal(ofModules);
    const stored = [{ taskHash: taskHash(moduleOf("0x1")), store }];
    expect(reasons(unknown, knowing(fee, { stored }))[0]).to.equal(ofModules);
  });

  it("stops among contracts too when the clock runs out, and says that it did not try all", () => {
    const known = moduleOf("0x1", "0x2");
    const contracts = Array.from(
      { length: 900 },
      (_, at): Address => `0x${word(BigInt(at)).slice(26)}`,
    );
    let looks = 0;
    const isOver = (): boolean => (looks += 1) > 500;
    expect(reasons(`0x${"5b".repeat(32)}`, knowing(known, { contracts, isOver }))[0]).to.equal(
      "No task that was tried in time has this hash; not all that are known here, or differ in one field, were.",
    );
    expect(looks).to.be.within(500, 510);
  });

  it("says that a plain number is stored where the module form keeps a root", () => {
    const stored = { word: word(175n) };
    const lines = [
      "The stored word is the plain number 175; the module form keeps the root of what was returned.",
      "Finalize rootOfValue(175n) of hardhat-hdp/request, or run the task.",
    ];
    for (const task of [moduleOf("0x1"), asModule(fee)]) {
      expect(reasons(task, knowing(task), { kind: "value", value: 175n, ...stored })).to.deep.equal(
        [`Difference: word (asked: ${rootOfValue(175n)}, there: ${stored.word})`, ...lines],
      );
      expect(reasons(task, knowing(task), { kind: "value", value: 999n, ...stored })).to.deep.equal(
        ["Difference: value (asked: 999, there: 175)", ...lines],
      );
    }
  });

  it("says that a plain number is stored where a contract checks the root of its module's output", () => {
    const task = moduleOf("0x1");
    const root = rootOfFelt(5n);
    const brought = { kind: "root", value: BigInt(root), word: word(5n) } as const;
    expect(reasons(task, knowing(task), brought)).to.deep.equal([
      "Difference: output (asked: felt 5, there: plain word 5)",
      "The stored word is the plain number 5; the module form keeps the root of what was returned.",
      "Finalize a root (rootOfFelt, rootOfMarked or rootOfValue) of hardhat-hdp/request, or run the task.",
    ]);
  });

  it("says of which numbers of the failed call roots are, and in which form", () => {
    const task = moduleOf("0x1");
    const refused = (root: Hex, stored: Hex, numbers: readonly bigint[] = []) =>
      reasons(task, knowing(task), { kind: "root", value: BigInt(root), word: stored, numbers });
    expect(refused(rootOfFelt(15_250n), rootOfValue(15_250n), [15_250n])).to.deep.equal([
      "Difference: output (asked: felt 15250, there: marked_u256 15250)",
    ]);
    expect(refused(rootOfFelt(1n), rootOfFelt(0n))).to.deep.equal([
      "Difference: output (asked: felt 1, there: felt 0)",
    ]);
    const [root, stored] = [rootOfFelt(15_251n), rootOfFelt(15_250n)];
    expect(refused(root, stored, [15_250n])).to.deep.equal([
      `Difference: output (asked: ${root}, there: felt 15250)`,
    ]);
    expect(refused(root, stored)).to.deep.equal([
      `Difference: root (asked: ${root}, there: ${stored})`,
    ]);
    const digest = rootOfFelt(outputDigest([700n, 900n]));
    const packed = rootOfFelt(outputDigest(encodePacked(["uint128", "uint64"], [700n, 900n])));
    expect(refused(packed, digest, [32n, 700n, 900n])).to.deep.equal([
      "Difference: output (asked: digest of the same numbers packed, abi.encodePacked(uint128, uint64), there: digest [700, 900], abi.encode)",
    ]);
  });

  it("says of which value a root is that is known, and of which output a value is that is not", () => {
    const task = moduleOf("0x1");
    const root = rootOfFelt(15_250n);
    const known = {
      ...knowing(task),
      valueOf: (_: Hex, of: Hex) => (of === rootOfValue(987_654n) ? 987_654n : undefined),
    };
    const brought = { kind: "root", value: BigInt(root), word: rootOfValue(987_654n) } as const;
    expect(reasons(task, known, brought)).to.deep.equal([
      `Difference: output (asked: ${root}, there: marked_u256 987654)`,
    ]);
    expect(reasons(task, known, { kind: "value", value: 15_250n, word: root })).to.deep.equal([
      "Difference: output (asked: value 15250, there: felt 15250)",
    ]);
  });

  it("tries no lists of numbers when the time of the search is over", () => {
    const task = moduleOf("0x1");
    const [root, stored] = [rootOfFelt(15_251n), rootOfFelt(outputDigest([700n, 900n]))];
    const numbers = [700n, 900n];
    const brought = { kind: "root", value: BigInt(root), word: stored, numbers } as const;
    expect(reasons(task, knowing(task), brought)).to.deep.equal([
      `Difference: output (asked: ${root}, there: digest [700, 900])`,
    ]);
    expect(reasons(task, knowing(task, { isOver: () => true }), brought)).to.deep.equal([
      `Difference: root (asked: ${root}, there: ${stored})`,
    ]);
  });

  it("says that a root is stored where the datalake form keeps the plain value", () => {
    const brought = { kind: "value", value: 7n, word: rootOfValue(7n) } as const;
    expect(reasons(fee, knowing(fee), brought)).to.deep.equal([
      `Difference: word (asked: ${word(7n)}, there: ${rootOfValue(7n)})`,
      "The stored word is the root of 7; the datalake form keeps the plain value.",
      "Finalize 7n, or run the task.",
    ]);
  });

  it("advises to deploy again only where the contract has the other form", () => {
    const brought = { kind: "value", value: 7n, word: word(7n) } as const;
    expect(reasons(fee, knowing(fee), brought)).to.deep.equal([
      "Difference: form (asked: module, there: datalake)",
      REDEPLOY,
    ]);
    expect(reasons(`0x${"5b".repeat(32)}`, knowing(fee), brought)).to.deep.equal([
      "Difference: form (asked: module, there: datalake)",
      REDEPLOY,
      "Finalize rootOfValue(7n) of hardhat-hdp/request if the task is a module.",
    ]);
  });
});

describe("submission: which slot was asked for", () => {
  const token: Address = `0x${"70".repeat(20)}`;
  const holder: Address = `0x${"a1".repeat(20)}`;
  const other: Address = `0x${"b2".repeat(20)}`;
  const at = (block: number, slot: Hex): Task =>
    blockSampled({ from: block, to: block, property: storage(token, slot) }).sum();
  const ofHolder = (slot: bigint): Hex => mappingSlot(slot, holder);
  const slotFirst = (slot: bigint): Hex => keccak256(concatHex([word(slot), word(BigInt(holder))]));
  const knowingSlot = (slot: Hex, state: Pick<KnownState, "accounts"> = {}): KnownState =>
    knowing(at(5, slot), { addresses: [holder], ...state });

  it("names mapping and key of both slots", () => {
    const [asked, there] = [ofHolder(0n), ofHolder(1n)];
    expect(reasons(at(5, asked), knowingSlot(there))).to.deep.equal([
      `Difference: slot (asked: ${asked}, there: ${there})`,
      `The asked slot is that of ${holder} in a mapping at slot 0.`,
      `The slot there is that of ${holder} in a mapping at slot 1.`,
    ]);
  });

  it("names a slot whose mapping is hashed before the key, on either side", () => {
    const [swapped, right] = [slotFirst(1n), ofHolder(1n)];
    const ofSwapped = `keccak256(abi.encode(1, ${holder})): the mapping's slot first, as Vyper has it. Solidity has the key first.`;
    expect(reasons(at(5, swapped), knowingSlot(right))).to.deep.equal([
      `Difference: slot (asked: ${swapped}, there: ${right})`,
      `The asked slot is ${ofSwapped}`,
      `The slot there is that of ${holder} in a mapping at slot 1.`,
    ]);
    expect(reasons(at(5, right), knowingSlot(swapped))).to.deep.equal([
      `Difference: slot (asked: ${right}, there: ${swapped})`,
      `The asked slot is that of ${holder} in a mapping at slot 1.`,
      `The slot there is ${ofSwapped}`,
    ]);
  });

  it("names no mapping of a slot that is no known account's, or the number of a variable", () => {
    const [asked, there] = [ofHolder(1n), mappingSlot(1n, other)];
    expect(reasons(at(5, asked), knowingSlot(there))).to.deep.equal([
      `Difference: slot (asked: ${asked}, there: ${there})`,
      `The asked slot is that of ${holder} in a mapping at slot 1.`,
    ]);
    expect(reasons(at(5, word(3n)), knowingSlot(word(4n)))).to.deep.equal([
      `Difference: slot (asked: ${word(3n)}, there: ${word(4n)})`,
    ]);
    expect(reasons(at(5, mappingSlot(2n, other)), knowingSlot(ofHolder(1n)))[0]).to.match(
      /^No task that is known here has this hash/,
    );
  });

  it("names the slot of an account of the node", () => {
    const [asked, there] = [mappingSlot(2n, other), ofHolder(2n)];
    expect(reasons(at(5, asked), knowingSlot(there, { accounts: [other] }))).to.include(
      `The asked slot is that of ${other} in a mapping at slot 2.`,
    );
  });

  it("names block and mapping where both are swapped, and a mapping beside another block", () => {
    const there = ofHolder(1n);
    expect(reasons(at(1, ofHolder(5n)), knowingSlot(there))).to.deep.equal([
      "Difference: blockRangeStart (asked: 1, there: 5)",
      "Difference: blockRangeEnd (asked: 1, there: 5)",
      `Difference: slot (asked: ${ofHolder(5n)}, there: ${there})`,
      `The asked slot is that of ${holder} in a mapping at slot 5.`,
      `The slot there is that of ${holder} in a mapping at slot 1.`,
    ]);
    expect(reasons(at(8, ofHolder(3n)), knowingSlot(there))).to.include.members([
      "Difference: blockRangeEnd (asked: 8, there: 5)",
      `The asked slot is that of ${holder} in a mapping at slot 3.`,
    ]);
  });

  it("names the ends of a range that are swapped, and describes it as it was asked for", () => {
    const ends = (from: number, to: number): Task =>
      ({
        ...fee,
        datalake: { ...fee.datalake, blockRangeStart: BigInt(from), blockRangeEnd: BigInt(to) },
      }) as Task;
    const explained = explainRead({ taskHash: taskHash(ends(27, 3)), store }, knowing(ends(3, 27)));
    expect(explanationLines(explained).slice(1)).to.deep.equal([
      "Asked:      average of header.base_fee_per_gas, blocks 27..3 on ETHEREUM_SEPOLIA, 0 samples, step 1",
      "Finalized:  average of header.base_fee_per_gas, blocks 3..27 on ETHEREUM_SEPOLIA, 25 samples, step 1",
      "Difference: blockRangeStart (asked: 27, there: 3)",
      "Difference: blockRangeEnd (asked: 3, there: 27)",
    ]);
  });

  it("names two numbers that are swapped, in the first fifty tasks that are tried", () => {
    const balance = erc20Balance(token, holder, { slot: 0n });
    const counting = (from: bigint, to: bigint, value: bigint): Task =>
      blockSampled({ from, to, property: balance }).count("gt", value);
    const differences = (asked: Task, found: Task): readonly string[] => {
      let looks = 0;
      const state = knowing(found, { addresses: [holder], isOver: () => (looks += 1) > 50 });
      const { differences: ones } = explainRead({ taskHash: taskHash(asked), store }, state);
      return ones.map((one) => `${one.field} ${one.asked} ${one.found}`);
    };
    expect(differences(counting(10n, 500n, 90n), counting(10n, 90n, 500n))).to.deep.equal([
      "blockRangeEnd 500 90",
      "valueToCompare 90 500",
    ]);
    expect(
      differences(moduleOf("0x9", "0x77", "0x1"), moduleOf("0x1", "0x77", "0x9")),
    ).to.deep.equal(["inputs[0] 0x9 0x1", "inputs[2] 0x1 0x9"]);
    expect(differences(at(1, ofHolder(5n)), at(5, ofHolder(1n)))).to.have.length(3);
    expect(differences(at(5, slotFirst(1n)), at(5, ofHolder(1n)))).to.have.length(1);
  });
});

describe("submission: a module task in an explanation", () => {
  const described = (
    asked: ModuleTask,
    found: ModuleTask,
    argumentsOf?: KnownState["argumentsOf"],
  ): readonly string[] =>
    explanationLines(
      explainRead({ taskHash: taskHash(asked), store }, knowing(found, { argumentsOf })),
    ).filter((line) => /^(Asked|Finalized|Nearest):/.test(line));

  it("shows public inputs, with the names of their arguments where they are known, and no private value", () => {
    const [asked, found] = [moduleOf("0x5", "0x7", "-0x9"), moduleOf("0x5", "0x6", "-0x9")];
    expect(described(asked, found)).to.deep.equal([
      "Asked:      module 0x123, inputs: 0x5, 0x7, private",
      "Finalized:  module 0x123, inputs: 0x5, 0x6, private",
    ]);
    expect(described(asked, found, () => ["slot", "first_block", "key"])).to.deep.equal([
      "Asked:      module 0x123, inputs: slot 0x5, first_block 0x7, key private",
      "Finalized:  module 0x123, inputs: slot 0x5, first_block 0x6, key private",
    ]);
    expect(described(asked, found, () => ["amount", "amount", "key"])[0]).to.equal(
      "Asked:      module 0x123, inputs: amount 0x5, 0x7, key private",
    );
  });

  it("shows the first 16 inputs, and says how many more there are", () => {
    const inputs = Array.from({ length: 18 }, (_, at) => `0x${(at + 1).toString(16)}`);
    const shown =
      "0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xa, 0xb, 0xc, 0xd, 0xe, 0xf, 0x10, 2 more";
    expect(described(moduleOf(...inputs), moduleOf(...inputs, "0x1"))[0]).to.equal(
      `Asked:      module 0x123, inputs: ${shown}`,
    );
    expect(described(moduleOf(), moduleOf("0x1"))[0]).to.equal(
      "Asked:      module 0x123, no inputs",
    );
  });
});
