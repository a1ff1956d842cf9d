import { expect } from "chai";
import type { Hex } from "viem";

import {
  type ChainReader,
  ProvenChainReader,
  type ModuleRunner,
  explainTask,
  type StoredWords,
  verifyTask,
} from "../../src/entries/local.js";
import { toWord } from "../../src/base/hex.js";
import { requireDatalake } from "../../src/compute/explain-task.js";
import {
  blockSampled,
  header,
  transactionsInBlock,
  tx,
  type ChainIdentifier,
  type Anchor,
  taskHash,
  type ModuleTask,
} from "../../src/entries/request.js";
import { failure } from "../support/failure.js";
import { sharedChain } from "../support/simulated-chain.js";

const ADDRESS: Hex = `0x${"11".repeat(20)}`;
const numbers = blockSampled({ from: 1n, to: 7n, property: header("number") }).sum();
const module: ModuleTask = { type: "Module", programHash: "0x1", inputs: [] };

function storeOf(words: Readonly<Record<Hex, Hex>>): StoredWords {
  return { address: ADDRESS, read: async (hash) => words[hash] };
}

describe("verifying and explaining", () => {
  let simulated: Awaited<ReturnType<typeof sharedChain>>;
  let reader: ProvenChainReader;
  before(async () => {
    simulated = await sharedChain();
    reader = new ProvenChainReader(simulated);
  });
  const readerFor = async () => reader;

  it("agrees with the right word, whatever its case", async () => {
    const values = transactionsInBlock({
      block: 7n,
      from: 0n,
      to: 3n,
      property: tx("value"),
    }).sum();
    await reader.header(1n);
    const words = {
      [taskHash(numbers)]: toWord(28n),
      [taskHash(values)]: `0x${"0".repeat(62)}21` as Hex,
    };
    const anchor = await reader.anchor();
    expect(anchor).to.include({ kind: "node" });
    const common = { agrees: true, store: ADDRESS, proven: true, anchor, firstSamples: [] };
    expect(await verifyTask(numbers, { readerFor, store: storeOf(words) })).to.deep.equal({
      ...common,
      task: numbers,
      taskHash: taskHash(numbers),
      samples: 7,
      stored: toWord(28n),
      computed: toWord(28n),
    });
    expect(await verifyTask(values, { readerFor, store: storeOf(words) })).to.include({
      agrees: true,
      samples: 3,
    });
    const fees = blockSampled({ from: 1n, to: 1n, property: header("gas_limit") }).sum();
    const computed = (await verifyTask(fees, { readerFor, store: storeOf({}) })).computed;
    const shouted: Hex = `0x${computed.slice(2).toUpperCase()}`;
    expect(
      await verifyTask(fees, { readerFor, store: storeOf({ [taskHash(fees)]: shouted }) }),
    ).to.include({
      agrees: true,
    });
  });

  it("shows both words and the first five values where they differ", async () => {
    const report = await verifyTask(numbers, {
      readerFor,
      store: storeOf({ [taskHash(numbers)]: toWord(29n) }),
    });
    expect(report).to.include({ agrees: false, stored: toWord(29n), computed: toWord(28n) });
    expect(report.firstSamples).to.deep.equal(
      [1n, 2n, 3n, 4n, 5n].map((block) => ({ block, value: block, proven: true })),
    );
    expect(report).not.to.have.property("otherEncoding");
  });

  it("asks the store under the other hash only where there is another and nothing is stored", async () => {
    const old = taskHash(numbers, { datalakeEncoding: "without-chain-id" });
    const runModule = async () => ({ word: toWord(5n), proven: false });
    for (const [task, words, hashes] of [
      [numbers, { [taskHash(numbers)]: toWord(29n), [old]: toWord(28n) }, [taskHash(numbers)]],
      [numbers, {}, [taskHash(numbers), old]],
      [module, {}, [taskHash(module)]],
    ] as const) {
      const [asked, store] = [[] as Hex[], storeOf(words)];
      const read: StoredWords["read"] = async (hash) => {
        asked.push(hash);
        return await store.read(hash);
      };
      const report = await verifyTask(task, { readerFor, runModule, store: { ...store, read } });
      expect([asked, report.otherEncoding]).to.deep.equal([hashes, undefined]);
    }
  });

  it("looks under the hash without chain id where nothing is stored", async () => {
    const nothing = await verifyTask(numbers, { readerFor, store: storeOf({}) });
    expect(nothing).to.include({ agrees: false, computed: toWord(28n) });
    expect(nothing).not.to.have.any.keys("stored", "otherEncoding");
    expect(nothing.firstSamples).to.deep.equal([]);
    const old = taskHash(numbers, { datalakeEncoding: "without-chain-id" });
    for (const [word, agrees] of [[toWord(28n), true], [toWord(1n), false]] as const) {
      const report = await verifyTask(numbers, { readerFor, store: storeOf({ [old]: word }) });
      expect(report.agrees).to.equal(false);
      expect(report.otherEncoding).to.deep.equal({
        encoding: "without-chain-id", taskHash: old, stored: word, agrees,
      });
    } // prettier-ignore
  });

  it("computes modules with the runner it is given, and refuses them without one", async () => {
    const store = storeOf({ [taskHash(module)]: toWord(5n) });
    const runModule = async () => ({ word: toWord(5n), proven: false });
    const report = await verifyTask(module, { readerFor, store, runModule });
    expect(report).to.include({ agrees: true, proven: false });
    expect(report).not.to.have.property("samples");
    const missing = await verifyTask(module, { readerFor, store: storeOf({}), runModule });
    expect(missing).to.include({ agrees: false });
    expect(await failure(verifyTask(module, { readerFor, store }))).to.contain(
      "HDP-4401 in tasks[0]",
    );
    expect(
      await failure(verifyTask(module, { readerFor, store, runModule: undefined })),
    ).to.contain("HDP-4401");
  });

  it("says what a module's values rest on where all of them are of one chain", async () => {
    const runs =
      (...chains: readonly ChainIdentifier[]): ModuleRunner =>
      async (_task, context) => {
        for (const chain of chains) {
          const opened = await context.readerFor(chain);
          expect(await context.readerFor(chain)).to.equal(opened);
        }
        return { word: toWord(5n), proven: true, output: [5n] };
      };
    const number = 7n;
    const anchorOf = async (
      anchors: Readonly<Record<string, Anchor | undefined>>,
      ...chains: ChainIdentifier[]
    ) =>
      await verifyTask(module, {
        store: storeOf({ [taskHash(module)]: toWord(5n) }),
        readerFor: async (chain) => withAnchor(anchors[chain]),
        runModule: runs(...chains),
      });
    const [sepolia, mainnet] = [
      { kind: "checkpoint", number, hash: toWord(1n) },
      { kind: "nodes", number, hash: toWord(2n) },
    ] as const;
    const both = { ETHEREUM_SEPOLIA: sepolia, ETHEREUM_MAINNET: mainnet };
    expect(await anchorOf(both, "ETHEREUM_SEPOLIA")).to.deep.equal({
      task: module,
      taskHash: taskHash(module),
      store: ADDRESS,
      agrees: true,
      stored: toWord(5n),
      computed: toWord(5n),
      proven: true,
      anchor: sepolia,
      output: [5n],
      firstSamples: [],
    });
    expect((await anchorOf(both, "ETHEREUM_MAINNET")).anchor).to.deep.equal(mainnet);
    // What is recorded of the second chain has none: the first one's would say too much.
    for (const several of [both, { ETHEREUM_SEPOLIA: sepolia }, { ETHEREUM_MAINNET: mainnet }]) {
      expect(await anchorOf(several, "ETHEREUM_SEPOLIA", "ETHEREUM_MAINNET")).not.to.have.property(
        "anchor",
      );
    }
    for (const chains of [[], ["OPTIMISM_MAINNET"]] as const) {
      expect(await anchorOf(both, ...chains)).not.to.have.property("anchor");
    }
  });

  it("gives a module the caller's signal, or one that never aborts", async () => {
    const store = storeOf({});
    const signals: AbortSignal[] = [];
    const runModule: ModuleRunner = async (_task, { signal }) => {
      signals.push(signal);
      return { word: toWord(5n), proven: false };
    };
    const { signal } = new AbortController();
    await verifyTask(module, { readerFor, store, runModule, signal });
    await verifyTask(module, { readerFor, store, runModule });
    expect(signals[0]).to.equal(signal);
    expect(signals[1]?.aborted).to.equal(false);
  });

  it("knows no anchor of a chain that has none, recorded data for instance", async () => {
    const store = storeOf({});
    for (const recorded of [withAnchor(undefined), withoutAnchor()]) {
      const report = await verifyTask(numbers, { readerFor: async () => recorded, store });
      expect(report).to.include({ computed: toWord(28n), samples: 7, proven: true });
      expect(report).not.to.have.property("anchor");
    }
    expect((await explainTask(withoutAnchor(), numbers)).anchor).to.equal(undefined);
  });

  it("does not sample a range that ends after the head", async () => {
    const readers = async () => ({
      ...withAnchor(undefined),
      latestBlock: () => Promise.resolve(6n),
    });
    expect(
      await failure(verifyTask(numbers, { readerFor: readers, store: storeOf({}) })),
    ).to.contain("HDP-4101: block 7 does not exist, the latest block of the chain is 6");
  });

  /** The simulated chain with a made-up anchor. */
  function withAnchor(anchor: Anchor | undefined): ChainReader {
    return {
      ...withoutAnchor(),
      latestBlock: async () => await reader.latestBlock(),
      anchor: () => Promise.resolve(anchor),
    };
  }

  function withoutAnchor(): ChainReader {
    return {
      header: async (block) => await reader.header(block),
      account: async (block, address) => await reader.account(block, address),
      storage: async (block, address, slot) => await reader.storage(block, address, slot),
      transaction: async (block, index) => await reader.transaction(block, index),
      receipt: async (block, index) => await reader.receipt(block, index),
    };
  }

  it("shows the first five values of more, and all of fewer", async () => {
    for (const [to, shown] of [[4n, 4], [5n, 5], [6n, 5]] as const) {
      const task = blockSampled({ from: 1n, to, property: header("number") }).sum();
      const store = storeOf({ [taskHash(task)]: toWord(0n) });
      expect((await verifyTask(task, { readerFor, store })).firstSamples).to.have.length(shown);
    } // prettier-ignore
  });

  it("explains every sample with the aggregate so far", async () => {
    const task = blockSampled({
      from: 1n,
      to: 7n,
      increment: 3n,
      property: header("number"),
    }).avg();
    const explanation = await explainTask(reader, task);
    const head = (await simulated.request({
      method: "eth_getBlockByNumber",
      params: ["latest", false],
    })) as {
      hash: Hex;
    };
    expect(explanation).to.deep.equal({
      anchor: { kind: "node", number: 8n, hash: head.hash },
      task,
      taskHash: taskHash(task),
      form: "datalake",
      unit: "block",
      elements: 3n,
      value: 4n,
      proven: true,
      samples: [
        { position: 1n, value: 1n, proven: true, aggregate: 1n },
        // 2.5 is rounded up.
        { position: 4n, value: 4n, proven: true, aggregate: 3n },
        { position: 7n, value: 7n, proven: true, aggregate: 4n },
      ],
    });
  });

  it("explains transactions by index, leaving excluded types out", async () => {
    const task = transactionsInBlock({
      block: 7n,
      from: 0n,
      to: 3n,
      types: ["eip2930", "eip1559"],
      property: tx("value"),
    }).max();
    const { unit, elements, samples } = await explainTask(reader, task);
    expect([unit, elements]).to.deep.equal(["transaction", 3n]);
    expect(samples.map(({ position, value }) => [position, value])).to.deep.equal([[1n, 11n], [2n, 12n]]); // prettier-ignore
  });

  it("does not explain modules", () => {
    expect(requireDatalake(numbers)).to.equal(numbers);
    expect(() => requireDatalake(module)).to.throw(/^HDP-1126: the module 0x1 samples no values/);
  });
});
