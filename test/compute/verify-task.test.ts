import { expect } from "chai";
import type { Hex } from "viem";

import { toWord } from "../../src/base/word.js";
import { ProvenChainReader } from "../../src/chain/proven-chain-reader.js";
import { explainTask, requireDatalake } from "../../src/compute/explain-task.js";
import { type StoredWords, verifyTask } from "../../src/compute/verify-task.js";
import { blockSampled, transactionsInBlock } from "../../src/request/builder.js";
import { header, tx } from "../../src/request/properties.js";
import { taskHash } from "../../src/request/task-hash.js";
import type { ModuleTask } from "../../src/request/task.js";
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
    const values = transactionsInBlock({ block: 7n, from: 0n, to: 3n, property: tx("value") }).sum();
    await reader.header(1n);
    const words = { [taskHash(numbers)]: toWord(28n), [taskHash(values)]: `0x${"0".repeat(62)}21` as Hex };
    const anchor = await reader.anchor();
    expect(anchor).to.include({ kind: "node" });
    const common = { agrees: true, store: ADDRESS, proven: true, anchor, firstSamples: [] };
    expect(await verifyTask(numbers, { readerFor, store: storeOf(words) })).to.deep.equal({
      ...{ ...common, task: numbers, taskHash: taskHash(numbers), samples: 7 },
      ...{ stored: toWord(28n), computed: toWord(28n) },
    });
    expect(await verifyTask(values, { readerFor, store: storeOf(words) })).to.include({ agrees: true, samples: 3 });
    const fees = blockSampled({ from: 1n, to: 1n, property: header("gas_limit") }).sum();
    const computed = (await verifyTask(fees, { readerFor, store: storeOf({}) })).computed;
    const shouted: Hex = `0x${computed.slice(2).toUpperCase()}`;
    expect(await verifyTask(fees, { readerFor, store: storeOf({ [taskHash(fees)]: shouted }) })).to.include({
      agrees: true,
    });
  });

  it("shows both words and the first five values where they differ", async () => {
    const report = await verifyTask(numbers, { readerFor, store: storeOf({ [taskHash(numbers)]: toWord(29n) }) });
    expect(report).to.include({ agrees: false, stored: toWord(29n), computed: toWord(28n) });
    expect(report.firstSamples).to.deep.equal(
      [1n, 2n, 3n, 4n, 5n].map((block) => ({ block, value: block, proven: true })),
    );
    expect(report).not.to.have.property("otherEncoding");
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
        ...{ encoding: "without-chain-id", taskHash: old, stored: word, agrees },
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
    expect(await failure(verifyTask(module, { readerFor, store }))).to.contain("HDP-4401 in tasks[0]");
  });

  it("explains every sample with the aggregate so far", async () => {
    const task = blockSampled({ from: 1n, to: 7n, increment: 3n, property: header("number") }).avg();
    const explanation = await explainTask(reader, task);
    const head = (await simulated.request({ method: "eth_getBlockByNumber", params: ["latest", false] })) as {
      hash: Hex;
    };
    expect(explanation).to.deep.equal({
      anchor: { kind: "node", number: 8n, hash: head.hash },
      ...{ task, taskHash: taskHash(task), unit: "block", elements: 3n, value: 4n, proven: true },
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
    expect(() => requireDatalake(module)).to.throw(/^HDP-4606: the task is the module 0x1/);
  });
});
