import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";
import fc from "fast-check";
import {
  type Abi,
  concatHex,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  toFunctionSelector,
  toHex,
} from "viem";

import {
  FELT_PRIME,
  outputDigest,
  rootOfFelt,
  rootOfMarked,
  rootOfValue,
} from "../../src/entries/request.js";
import {
  deployExecutionStoreMock,
  finalizeTasks,
  type StoreKind,
} from "../../src/entries/store.js";
import { STORE_KINDS } from "../../src/store/execution-store.js";
import { callContract, type Chain, createChain, deployHarness, revertOf, send } from "./harness.js";

const TASK = keccak256(toHex("a finalized task"));
const UNKNOWN = keccak256(toHex("a task that nobody requested"));
/** The values of HdpForm. */
const [DATALAKE, MODULE] = [0, 1] as const;
const PRICE = 2000n * 10n ** 18n;

const plain = (value: bigint): Hex => numberToHex(value, { size: 32 });
const byForm = (form: 0 | 1, value: bigint): Hex =>
  form === MODULE ? rootOfValue(value) : plain(value);

describe("HdpResults, checking what a caller brings", () => {
  let chain: Chain;
  let checks: { address: Hex; abi: Abi };

  before(async () => {
    chain = await createChain();
    checks = await deployHarness(chain, "ChecksHarness");
  });

  after(async () => {
    await chain.close();
  });

  async function mock(kind: StoreKind): Promise<Hex> {
    return (await deployExecutionStoreMock({ provider: chain.provider, kind })).address;
  }

  async function finalize(store: Hex, word: Hex): Promise<void> {
    const results = [{ taskHash: TASK, word }];
    await finalizeTasks({ provider: chain.provider, store, results });
  }

  const call = async (name: string, ...args: readonly unknown[]): Promise<unknown> =>
    await callContract(chain, checks, name, args);

  type Contract = typeof checks;

  /** What a function does: nothing, or the error with which it reverts. */
  async function outcome(
    contract: Contract,
    name: string,
    args: readonly unknown[],
  ): Promise<string> {
    try {
      await callContract(chain, contract, name, args);
      return "accepted";
    } catch (error) {
      const data = revertOf(error);
      if (data === undefined) throw error;
      const decoded = decodeErrorResult({ abi: contract.abi, data });
      return `${decoded.errorName}(${(decoded.args ?? []).join(", ")})`;
    }
  }

  const required = async (name: string, ...args: readonly unknown[]): Promise<string> =>
    await outcome(checks, name, args);

  async function sent(
    contract: Contract,
    functionName: string,
    args: readonly unknown[],
  ): Promise<void> {
    const data = encodeFunctionData({ abi: contract.abi, functionName, args });
    expect(await send(chain, { to: contract.address, data })).not.to.have.property("reverted");
  }

  for (const kind of STORE_KINDS) {
    it(`accepts each form of the true output and nothing else, from a store of the kind ${kind}`, async () => {
      const store = await mock(kind);
      const value = (PRICE << 128n) + 7n;
      const swapped = (7n << 128n) + PRICE;
      const words = [PRICE, 7n];
      const bytes = concatHex([plain(PRICE), "0x07"]);
      const datalake = { hash: TASK, form: DATALAKE };
      const module = { hash: TASK, form: MODULE };
      const rows = [
        { name: "Value", task: datalake, word: plain(value), right: value, wrong: [swapped, 7n] },
        {
          name: "Value",
          task: module,
          word: rootOfValue(value),
          right: value,
          wrong: [swapped, value << 128n, value >> 128n, 7n].map((one) => BigInt.asUintN(256, one)),
        },
        {
          name: "Felt",
          task: TASK,
          word: rootOfFelt(PRICE),
          right: PRICE,
          wrong: [PRICE + 1n, PRICE << 8n, 0n],
        },
        {
          name: "Marked",
          task: TASK,
          word: rootOfMarked(words),
          right: words,
          wrong: [words.toReversed(), [...words, 0n], [0n, ...words]],
        },
        {
          name: "Digest",
          task: TASK,
          word: rootOfFelt(outputDigest(words)),
          right: words,
          wrong: [words.toReversed(), [...words, 0n], [PRICE], []],
        },
        {
          name: "DigestOfBytes",
          task: TASK,
          word: rootOfFelt(outputDigest(bytes)),
          right: bytes,
          wrong: [concatHex(["0x07", plain(PRICE)]), concatHex([bytes, "0x00"]), "0x"],
        },
      ];
      for (const { name, task, word, right, wrong } of rows) {
        await finalize(store, word);
        expect(await required(`require${name}`, store, task, right)).to.equal("accepted");
        expect(await call(`try${name}`, store, task, right)).to.deep.equal([true, true]);
        for (const claim of wrong) {
          const error = name === "Value" ? "WrongValue" : "WrongOutput";
          expect(await required(`require${name}`, store, task, claim)).to.match(
            new RegExp(`^${error}\\(${TASK}, .*, ${word}\\)$`),
          );
          expect(await call(`try${name}`, store, task, claim)).to.deep.equal([true, false]);
        }
        const unknown = typeof task === "string" ? UNKNOWN : { ...task, hash: UNKNOWN };
        expect(await required(`require${name}`, store, unknown, right)).to.equal("NotFinalized()");
        expect(await call(`try${name}`, store, unknown, right)).to.deep.equal([false, false]);
      }
    });
  }

  it("names what can be no output, and answers that it doesn't match", async () => {
    const store = await mock("satellite");
    await finalize(store, rootOfFelt(5n));
    expect(await required("requireFelt", store, TASK, FELT_PRIME)).to.match(/^NotAFelt\(0, /);
    expect(await call("tryFelt", store, TASK, FELT_PRIME)).to.deep.equal([true, false]);
    // One value would be one felt, whose root is that of the output here.
    expect(await required("requireMarked", store, TASK, [5n])).to.equal("TooFewValues(1)");
    expect(await call("tryMarked", store, TASK, [5n])).to.deep.equal([true, false]);
    expect(await call("tryMarked", store, UNKNOWN, [])).to.deep.equal([false, false]);
    expect(await call("tryFelt", store, UNKNOWN, FELT_PRIME)).to.deep.equal([false, false]);
  });

  it("lets who may choose the form choose the answer, so that the form must not come from a caller", async () => {
    const store = await mock("satellite");
    await finalize(store, rootOfValue(PRICE));
    const chosen = await deployHarness(chain, "ChosenFormGate", [store, TASK]);
    // The root is no price. Read in the other form it is one, of about 10^76.
    const root = BigInt(rootOfValue(PRICE));
    await sent(chosen, "update", [DATALAKE, root]);
    expect(await callContract(chain, chosen, "price")).to.equal(root);

    const fixed = await deployHarness(chain, "PriceGate", [store, { hash: TASK, form: MODULE }]);
    expect(await outcome(fixed, "update", [root])).to.match(/^WrongValue\(/);
    expect(await outcome(fixed, "update", [PRICE])).to.equal("accepted");
  });

  it("passes in both forms: one contract, unchanged, over a store of 2024 and over a satellite", async () => {
    const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const places = [
      { kind: "execution-store", form: DATALAKE },
      { kind: "satellite", form: MODULE },
    ] as const;
    for (const { kind, form } of places) {
      const store = await mock(kind);
      const gate = await deployHarness(chain, "PriceGate", [store, { hash: TASK, form }]);
      const update = async (value: bigint): Promise<string> =>
        await outcome(gate, "update", [value]);
      expect(await update(1n)).to.equal("NotFinalized()");
      await fc.assert(
        fc.asyncProperty(uint256, uint256, async (value, other) => {
          await finalize(store, byForm(form, value));
          const swapped = (value >> 128n) | (BigInt.asUintN(128, value) << 128n);
          for (const claim of [other, swapped]) {
            if (claim !== value) expect(await update(claim)).to.match(/^WrongValue\(/);
          }
          await sent(gate, "update", [value]);
          expect(await callContract(chain, gate, "price")).to.equal(value);
        }),
        { numRuns: 10 },
      );
    }
  });

  it("costs at most what docs/contracts.md says, beside the call of the store", async () => {
    const costsOf = async (kind: StoreKind, signature: string): Promise<readonly number[]> => {
      const store = await mock(kind);
      await finalize(store, rootOfValue(PRICE));
      const selector = toFunctionSelector(signature);
      const [byHand = 0n, ...checked] = (await call(
        "costs",
        store,
        selector,
        TASK,
        PRICE,
      )) as bigint[];
      const marked = (await call("costOfMarked", store, TASK, 8n)) as bigint;
      return [...checked, marked].map((cost) => Number(cost - byHand));
    };
    // Each form is asked of the kind of store that has tasks of it.
    const [datalake = 0] = await costsOf("execution-store", "getFinalizedTaskResult(bytes32)");
    const [, ...modules] = await costsOf(
      "satellite",
      "getDataProcessorFinalizedTaskResult(bytes32)",
    );
    const costs = [datalake, ...modules];
    const page = readFileSync(
      join(import.meta.dirname, "..", "..", "docs", "contracts.md"),
      "utf8",
    );
    const documented = [...page.matchAll(/^\|.*\|\s*([\d,]+) gas +\|$/gm)].map(([, gas = ""]) =>
      Number(gas.replace(",", "")),
    );
    expect(documented).to.have.length(costs.length);
    costs.forEach((cost, index) => {
      expect(cost, `row ${String(index)}`).to.be.within(
        (documented[index] ?? 0) * 0.9,
        documented[index] ?? 0,
      );
    });
  });
});
