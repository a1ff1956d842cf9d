import { expect } from "chai";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Abi, type Hex, keccak256, toHex } from "viem";

import { finalizeTasks } from "../../src/entries/store.js";
import { callContract, type Chain, createChain, deployHarness, deployMock } from "./harness.js";

/** Felts, and the gas of their root written by hand in scratch space. */
const ROOTS = [
  [2, 1_794],
  [36, 27_405],
  [256, 197_929],
] as const;

interface Cost {
  readonly what: string;
  readonly library: number;
  readonly byHand: number;
}

/** The rows of the table in docs/contracts.md. */
function documented(): readonly Cost[] {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "contracts.md"), "utf8");
  return [...page.matchAll(/^\| ([^|]+?) +\| ([\d,]+) +\| ([\d,]+) +\|$/gm)].map(
    ([, what = "", ...costs]) => {
      const [library = 0, byHand = 0] = costs.map((cost) => Number(cost.replace(",", "")));
      return { what, library, byHand };
    },
  );
}

describe("the gas of the Solidity libraries", () => {
  let chain: Chain;
  let harness: { address: Hex; abi: Abi };

  before(async () => {
    chain = await createChain();
    harness = await deployHarness(chain, "GasHarness");
  });

  after(async () => {
    await chain.close();
  });

  const call = async (name: string, ...args: readonly unknown[]): Promise<unknown> =>
    await callContract(chain, harness, name, args);

  /** Of a function that measures the library and what is written by hand. */
  async function both(what: string, name: string, ...args: readonly unknown[]): Promise<Cost> {
    const [library, byHand] = (await call(name, ...args)) as readonly [bigint, bigint];
    return { what, library: Number(library), byHand: Number(byHand) };
  }

  it("takes the gas that docs/contracts.md says, within a tenth of what is written by hand", async () => {
    const { address } = await deployMock(chain, "execution-store");
    const taskHash = keccak256(toHex("a task"));
    const results = [{ taskHash, word: taskHash }];
    await finalizeTasks({ provider: chain.provider, store: address, results });
    const costs: Cost[] = [];
    for (const [count, byHand] of ROOTS) {
      const library = Number(await call("unorderedRoot", BigInt(count)));
      costs.push({ what: `root of ${String(count)} felts`, library, byHand });
    }
    costs.push(
      await both("hash of a task over sampled blocks", "taskHash", 0n, 9n),
      await both("word of a task in a store of 2024", "readExecutionStore", address, taskHash),
    );
    expect(documented()).to.deep.equal(costs);
    for (const { what, library, byHand } of costs)
      expect(library, what).to.be.at.most(byHand * 1.1);
  });

  it("takes for marked values at most the gas of as many felts", async () => {
    for (const [count] of ROOTS) {
      const marked = Number(await call("rootOfMarked", BigInt(count)));
      expect(marked).to.be.at.most(Number(await call("unorderedRoot", BigInt(count))));
    }
  });
});
