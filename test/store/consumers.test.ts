import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";
import fc from "fast-check";
import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  numberToHex,
  padHex,
  zeroAddress,
} from "viem";

import {
  markedFelts,
  outputDigest,
  rootOfFelt,
  rootOfMarked,
  rootOfValue,
  unorderedRoot,
} from "../../src/entries/request.js";
import { root } from "../../scripts/root.js";
import { compiledContract } from "../support/compiled-contract.js";
import { type Consumer, consumers } from "../support/consumers.js";
import { permutations } from "../support/permutations.js";
import { callContract, type Chain, createChain, deploy, deployHarness, send } from "./harness.js";

/** The values of HdpForm. */
const [DATALAKE, MODULE] = [0, 1] as const;
type Form = typeof DATALAKE | typeof MODULE;

const word = (value: bigint): Hex => numberToHex(BigInt.asUintN(256, value), { size: 32 });
const BYTES_32 = padHex("0x11");
const ADDRESS: Hex = "0x00000000000000000000000000000000000000aa";

/** How a contract that checks a value is deployed and called. */
interface Checked {
  /** The forms that it takes; a module of one's own has one. */
  readonly forms: readonly Form[];
  readonly args: (store: Hex, form: Form) => readonly unknown[];
  /** Function and arguments by which somebody brings a value. */
  readonly call: (value: bigint) => readonly [name: string, args: readonly unknown[]];
  /** Word of a task with a value. */
  readonly word: (value: bigint, form: Form) => Hex;
}

const IN_BOTH_FORMS = {
  forms: [DATALAKE, MODULE],
  word: (value: bigint, form: Form): Hex => (form === MODULE ? rootOfValue(value) : word(value)),
} as const;
const OF_A_MODULE = { forms: [MODULE], word: rootOfValue } as const;

/** What a module returns of one log of an event with this sum, in its order. */
function eventSum(sum: bigint): Readonly<Record<string, bigint>> {
  const [sumLow, sumHigh] = [BigInt.asUintN(128, sum), sum >> 128n];
  return { count: 1n, sumLow, sumHigh, excludedBlocks: 0n, readBlocks: 0n, openReceipts: 0n };
}

/** Every consumer that takes a value from a caller, by its name. */
const CHECKED: Readonly<Record<string, Checked>> = {
  TwapSettlement: {
    ...OF_A_MODULE,
    args: (store) => [store, BYTES_32, ADDRESS, 0n, 1n, 2n],
    call: (price) => ["settle", [price]],
  },
  BalanceGate: {
    ...OF_A_MODULE,
    args: (store) => [store, BYTES_32, 0n, 0n],
    call: (sum) => ["enter", [sum]],
  },
  SumGate: {
    ...OF_A_MODULE,
    args: (store) => [store, BYTES_32],
    call: (sum) => ["accept", [sum]],
  },
  ViewGate: {
    forms: [MODULE],
    args: (store) => [store, BYTES_32, ADDRESS, 6n],
    call: (power) => ["enter", [power]],
    word: (power) => rootOfFelt(outputDigest(word(power))),
  },
  DepositRecord: {
    forms: [MODULE],
    args: (store) => [store, BYTES_32, ADDRESS, 1n, 2n],
    call: (sum) => ["acceptAtLeast", [[], eventSum(sum)]],
    word: (sum) => rootOfMarked(Object.values(eventSum(sum))),
  },
  Gate: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, { hash: BYTES_32, form }],
    call: (value) => ["update", [value]],
  },
  FeeGate: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, { hash: BYTES_32, form }],
    call: (fee) => ["update", [fee]],
  },
  Membership: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, { hash: BYTES_32, form }],
    call: (balance) => ["update", [balance]],
  },
  UpgradeableFeeGate: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, { hash: BYTES_32, form }],
    call: (fee) => ["update", [fee]],
  },
  RollingAverage: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, form],
    call: (average) => ["update", [0n, average]],
  },
  GasInsurance: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, { hash: BYTES_32, form }, 1n, ADDRESS, 2n ** 40n],
    call: (average) => ["settle", [average]],
  },
  SepoliaFees: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, { hash: BYTES_32, form }],
    call: (average) => ["update", [average]],
  },
  DepositGate: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, { hash: BYTES_32, form }],
    call: (fee) => ["update", [fee]],
  },
  Airdrop: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, form, 2n, 8n, 3n],
    call: (balance) => ["claim", [ADDRESS, balance]],
  },
  Poll: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, form, ADDRESS, 0n, 5n, 2n ** 40n],
    call: (power) => ["vote", [true, power]],
  },
  MainnetHolders: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, form, 0n],
    call: (balance) => ["enter", [balance]],
  },
  VotingGate: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, form, 1n, 5n],
    call: (power) => ["vote", [power]],
  },
  LastFees: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, form],
    call: (fee) => ["update", [0n, 9n, fee]],
  },
  RecentFeeGate: {
    ...IN_BOTH_FORMS,
    args: (store, form) => [store, form],
    // The chain of the test has RECENT_BLOCK blocks.
    call: (fee) => ["update", [fee]],
  },
};
const RECENT_BLOCK = 300;

const CHECKS_A_CLAIM = /\bHdpResults\.(?:require|try)(?!Read\b|Store\b)[A-Z]\w*/;
const READS_THE_WORD =
  /\bHdpResults\.(?:read|tryRead)\b|\bget(?:DataProcessor)?FinalizedTaskResult\b|\bHdpStorageProofs\./;
/** What a contract could compare a claimed list by, beside the functions of HdpResults. */
const COMPARES_BY_ITSELF = /\bHdpOutputRoot\b|\bunorderedRoot\b|\bkeccak256\b/;

const isChecked = ({ text }: Consumer): boolean => CHECKS_A_CLAIM.test(text);

/** Values above every consumer's minimum: any, one half 0, and those whose halves or bytes are alike. */
const value = fc
  .oneof(
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
    fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((half) => half << 128n),
    fc.bigInt({ min: 0n, max: 2n ** 128n - 2n }).map((half) => (half << 128n) + half + 1n),
  )
  .map((any) => (any < 10n ** 21n ? any + 10n ** 21n : any));

/** What a thief would bring for a proven value: its parts in other orders, shifted, and the stored word itself. */
function otherClaims(proven: bigint, stored: Hex): readonly bigint[] {
  const parts = (bits: bigint): readonly bigint[] =>
    Array.from({ length: Number(256n / bits) }, (_, index) =>
      BigInt.asUintN(Number(bits), proven >> (BigInt(index) * bits)),
    );
  const joined = (some: readonly bigint[], bits: bigint): bigint =>
    some.reduce((sum, part, index) => sum + (part << (BigInt(index) * bits)), 0n);
  const bytes = parts(8n);
  const neighbours = bytes
    .slice(1)
    .map((_, at) => bytes.with(at, bytes[at + 1] ?? 0n).with(at + 1, bytes[at] ?? 0n));
  const claims = [
    ...permutations(parts(128n)).map((order) => joined(order, 128n)),
    ...permutations(parts(64n)).map((order) => joined(order, 64n)),
    ...[...neighbours, bytes.toReversed()].map((order) => joined(order, 8n)),
    proven << 128n,
    proven >> 128n,
    proven << 8n,
    proven >> 8n,
    proven + 1n,
    proven - 1n,
    BigInt(stored),
  ];
  return [...new Set(claims.map((claim) => BigInt.asUintN(256, claim)))].filter(
    (claim) => claim !== proven,
  );
}

const stringified = (_: string, any: unknown): unknown =>
  typeof any === "bigint" ? `${any}` : any;

/** The same arguments with 0 in the place of a hash. */
function withoutHash(args: readonly unknown[]): readonly unknown[] {
  const zero = padHex("0x0");
  return args.map((arg) => {
    if (arg === BYTES_32) return zero;
    return typeof arg === "object" ? { ...arg, hash: zero } : arg;
  });
}

describe("the contracts that are shipped and taught", () => {
  const found = consumers();
  let chain: Chain;
  let store: { address: Hex; abi: Abi };
  /** No account, one without code, and one with code that answers as no store. */
  let noStores: readonly Hex[];

  before(async () => {
    chain = await createChain();
    store = await deployHarness(chain, "WordStore");
    noStores = [zeroAddress, ADDRESS, (await deployHarness(chain, "AnswersNothing")).address];
    const blocks = numberToHex(RECENT_BLOCK);
    await chain.provider.request({ method: "hardhat_mine", params: [blocks] });
  });

  after(async () => {
    await chain.close();
  });

  async function keep(stored: Hex): Promise<void> {
    const data = encodeFunctionData({ abi: store.abi, functionName: "set", args: [stored] });
    await send(chain, { to: store.address, data });
  }

  async function deployed(
    { key }: Consumer,
    args: readonly unknown[],
  ): Promise<{ address: Hex; abi: Abi }> {
    const { abi, bytecode } = compiledContract(key);
    return {
      address: await deploy(chain.provider, encodeDeployData({ abi, bytecode, args })),
      abi,
    };
  }

  /** Expects the deployment to revert. */
  async function expectRefused(consumer: Consumer, args: readonly unknown[]): Promise<void> {
    const problem = await deployed(consumer, args).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(problem, `deployed with ${JSON.stringify(args, stringified)}`).to.have.property("data");
  }

  async function accepts(
    contract: { address: Hex; abi: Abi },
    [name, args]: readonly [string, readonly unknown[]],
  ): Promise<boolean> {
    try {
      await callContract(chain, contract, name, args);
      return true;
    } catch (error) {
      expect(error).to.have.property("data"); // a revert, and no mistake of this test
      return false;
    }
  }

  it("finds all of them by a search: files and blocks of pages", () => {
    const names = new Set(found.filter(isChecked).map(({ name }) => name));
    expect(names).to.include.all.keys("TwapSettlement", "ViewGate", "BalanceGate", "SumGate");
    expect(found.length).to.be.at.least(15);
  });

  it("read the word as the value nowhere but on the page that says when that is right", () => {
    const taught = [
      "README.md",
      "skills/**/*.md",
      "docs/**/*.md",
      "templates/**/*.*",
      "examples/**/*.*",
    ];
    const exclude = ["**/node_modules/**", "**/artifacts/**", "**/cache/**"];
    const files = globSync(taught, { cwd: root, exclude });
    expect(files).to.include.members([
      "README.md",
      "docs/get-started.md",
      "templates/project/contracts/FeeGate.sol",
      "examples/gas-insurance/contracts/GasInsurance.sol",
    ]);
    const reads = /uint256\((?:HdpResults\.read|[\w.]+\.get\w*FinalizedTaskResult)\(/;
    const reading = files.filter((file) => reads.test(readFileSync(join(root, file), "utf8")));
    expect(reading).to.deep.equal([join("docs", "task-forms.md")]);
  });

  for (const consumer of found) {
    const { name, text, source } = consumer;
    if (!isChecked(consumer)) {
      it(`read what the store keeps and take no output from a caller: ${name} of ${source.path}`, () => {
        expect(text).to.match(READS_THE_WORD).and.not.to.match(COMPARES_BY_ITSELF);
      });
      continue;
    }

    it(`check a claim by HdpResults alone: ${name} of ${source.path}`, () => {
      expect(text).not.to.match(COMPARES_BY_ITSELF).and.not.to.match(READS_THE_WORD);
    });

    it(`accept a proven value, and no permutation, other length or other split of it: ${name} of ${source.path}`, async () => {
      const row = CHECKED[name];
      if (row === undefined) throw new Error(`describe how ${name} is called: a row of CHECKED`);
      for (const form of row.forms) {
        const contract = await deployed(consumer, row.args(store.address, form));
        await fc.assert(
          fc.asyncProperty(value, async (proven) => {
            const stored = row.word(proven, form);
            await keep(stored);
            expect(await accepts(contract, row.call(proven)), "the proven value").to.equal(true);
            for (const claim of otherClaims(proven, stored)) {
              expect(await accepts(contract, row.call(claim)), word(claim)).to.equal(false);
            }
          }),
          { numRuns: 8 },
        );
      }
    });

    it(`refuse at deployment what is no store and a task or program of hash 0: ${name} of ${source.path}`, async () => {
      const row = CHECKED[name];
      if (row === undefined) throw new Error(`describe how ${name} is called: a row of CHECKED`);
      for (const form of row.forms) {
        const args = row.args(store.address, form);
        await deployed(consumer, args);
        for (const account of noStores) await expectRefused(consumer, row.args(account, form));
        if (JSON.stringify(args, stringified).includes(BYTES_32))
          await expectRefused(consumer, withoutHash(args));
      }
    });

    it(`accept nothing where the module returned its felts otherwise: ${name} of ${source.path}`, async () => {
      const row = CHECKED[name];
      if (row?.forms.includes(MODULE) !== true) return;
      const contract = await deployed(consumer, row.args(store.address, MODULE));
      await fc.assert(
        fc.asyncProperty(value, async (proven) => {
          const [low, high] = [BigInt.asUintN(128, proven), proven >> 128n];
          const bytes = Array.from({ length: 32 }, (_, index) =>
            BigInt.asUintN(8, proven >> BigInt(8 * (31 - index))),
          );
          const others = [
            unorderedRoot([low, high]),
            unorderedRoot([2n, low, high]),
            unorderedRoot([35n, 1n, 24_000n, 32n, ...bytes]),
            unorderedRoot(markedFelts([low, high, 0n])),
            rootOfMarked([high, BigInt.asUintN(128, low + 1n)]),
            rootOfFelt(low),
            word(proven),
          ];
          for (const stored of others) {
            await keep(stored);
            for (const claim of [proven, ...otherClaims(proven, stored)]) {
              // Marked halves in the other order are those of another value.
              const isValue = stored === row.word(claim, MODULE);
              expect(await accepts(contract, row.call(claim)), word(claim)).to.equal(isValue);
            }
          }
        }),
        { numRuns: 2 },
      );
    });
  }

  it("refuse at deployment, without taking a value, what is no store: WordGate a satellite too", async () => {
    const { address: ofWords } = await deployHarness(chain, "RealExecutionStore");
    await deployed(example("WordGate"), [ofWords, BYTES_32]);
    await deployed(example("PastBalance"), [store.address]);
    await expectRefused(example("WordGate"), [ofWords, padHex("0x0")]);
    for (const account of [...noStores, store.address])
      await expectRefused(example("WordGate"), [account, BYTES_32]);
    for (const account of noStores) await expectRefused(example("PastBalance"), [account]);
  });

  it("would be robbed by the plain root: the same claims take a contract in that compares it", async () => {
    const plain = await deployHarness(chain, "PlainGate", [store.address]);
    await fc.assert(
      fc.asyncProperty(value, async (proven) => {
        const swapped = (proven >> 128n) | (BigInt.asUintN(128, proven) << 128n);
        fc.pre(swapped !== proven);
        const stored = unorderedRoot([BigInt.asUintN(128, proven), proven >> 128n]);
        await keep(stored);
        const taken = [];
        for (const claim of otherClaims(proven, stored)) {
          if (await accepts(plain, ["settle", [claim]])) taken.push(claim);
        }
        expect(taken).to.deep.equal([swapped]);
      }),
      { numRuns: 8 },
    );
  });

  /** The consumer of a name in an example. */
  function example(name: string): Consumer {
    const consumer = found.find((one) => one.name === name);
    if (consumer === undefined) throw new Error(`no ${name}`);
    return consumer;
  }

  it("refuse what robbed them: a price of 2,000e18 that settles at 6.8e59, by the word of any form", async () => {
    const price = 2000n * 10n ** 18n;
    const settlement = await deployed(example("TwapSettlement"), [
      store.address,
      BYTES_32,
      ADDRESS,
      0n,
      1n,
      2n,
    ]);
    const swapped = ["settle", [price << 128n]] as const;
    for (const stored of [rootOfValue(price), unorderedRoot([price, 0n])]) {
      await keep(stored);
      expect(await accepts(settlement, swapped)).to.equal(false);
    }
    await keep(rootOfValue(price));
    expect(await accepts(settlement, ["settle", [price]])).to.equal(true);
  });

  it("refuse what robbed them: a power of 1 ether of which two neighbouring bytes are swapped", async () => {
    const proven = 10n ** 18n;
    const gate = await deployed(example("ViewGate"), [store.address, BYTES_32, ADDRESS, 6n]);
    // 0x0de0b6b3a7640000 as 0xe00db6b3a7640000: 16 ether, of which 10 are needed.
    const claimed = 0xe00db6b3a7640000n;
    expect(claimed > 16n * proven).to.equal(true);
    await keep(rootOfFelt(outputDigest(word(proven))));
    expect(await accepts(gate, ["enter", [claimed]])).to.equal(false);
    await keep(rootOfFelt(outputDigest(word(claimed))));
    expect(await accepts(gate, ["enter", [claimed]])).to.equal(true);
  });
});
