import { expect } from "chai";

import { moduleRunner, type ModuleProgram } from "../../src/entries/local.js";
import {
  asModule,
  account,
  blockSampled,
  type DatalakeComputeTask,
  header,
  type ModuleTask,
  rootOfValue,
  standardProgram,
  storage,
  transactionsInBlock,
  tx,
  valueFelts,
} from "../../src/entries/request.js";
import { toWord } from "../../src/base/hex.js";
import { readerOpener } from "../../src/chain/readers.js";
import { computeRequest } from "../../src/compute/compute-request.js";
import { standardAbi, standardClass } from "../../src/program/standard-classes.js";
import type { Eip1193Provider } from "../../src/entries/local.js";
import { hdpFailure } from "../support/failure.js";
import { ALICE, sharedChain, SLOT } from "../support/simulated-chain.js";

async function programFor(hash: ModuleTask["programHash"]): Promise<ModuleProgram> {
  const program = standardProgram(hash);
  if (program === undefined) throw new Error(`no standard program ${hash}`);
  return { compiledClassJson: await standardClass(program), abi: standardAbi(program) };
}

async function computed(provider: Eip1193Provider, ...tasks: readonly DatalakeComputeTask[]) {
  const options = {
    readersFor: readerOpener({ providerFor: () => provider }),
    runModule: moduleRunner({ programFor }),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
  const [both, modules] = [
    await computeRequest(tasks, options),
    await computeRequest(tasks.map(asModule), options),
  ];
  return tasks.map((_, at) => ({ datalake: both[at], module: modules[at] }));
}

const tasks: readonly DatalakeComputeTask[] = [
  blockSampled({ from: 0n, to: 7n, property: header("gas_limit") }).avg(),
  blockSampled({ from: 0n, to: 7n, increment: 2n, property: account(ALICE, "balance") }).max(),
  blockSampled({ from: 1n, to: 2n, property: storage(ALICE, SLOT) }).count("eq", 0n),
  transactionsInBlock({
    block: 7n,
    from: 0n,
    to: 4n,
    types: ["legacy", "eip1559"],
    property: tx("value"),
  }).sum(),
];

describe("a datalake task in the module form", () => {
  it("computes the value of the datalake form, and stores the root over its halves", async () => {
    const provider = await sharedChain();
    for (const { datalake, module } of await computed(provider, ...tasks)) {
      const value = BigInt(datalake?.word ?? "0x");
      expect(module?.word).to.equal(rootOfValue(value));
      expect(module?.output).to.deep.equal(valueFelts(value));
      expect(module).to.deep.include({
        samples: datalake?.samples,
        elements: datalake?.elements,
        proven: datalake?.proven,
        anchor: datalake?.anchor,
      });
      expect(module?.module?.steps).to.be.greaterThan(0);
    }
  });

  it("asks the node for each value once: the program reads what the samples fetched", async () => {
    const provider = await sharedChain();
    const counts: number[] = [];
    const counting = (): Eip1193Provider => {
      counts.push(0);
      const at = counts.length - 1;
      return {
        request: async (args) => {
          counts[at] = (counts[at] ?? 0) + 1;
          return await provider.request(args);
        },
      };
    };
    const task = blockSampled({ from: 0n, to: 7n, property: header("gas_limit") }).avg();
    const options = {
      runModule: moduleRunner({ programFor }),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
    for (const form of [task, asModule(task)]) {
      const node = counting();
      const readersFor = readerOpener({ providerFor: () => node });
      await computeRequest([form], { ...options, readersFor });
    }
    const [datalake, module] = counts;
    expect(module).to.equal(datalake);
  });

  it("refuses an account that does not exist where provability is asked for, and reads 0 elsewhere", async () => {
    const provider = await sharedChain();
    const nobody = "0x00000000000000000000000000000000000000aa";
    const options = {
      readersFor: readerOpener({ providerFor: () => provider }),
      runModule: moduleRunner({ programFor }),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
    for (const property of [account(nobody, "balance"), storage(nobody, SLOT)]) {
      const task = blockSampled({ from: 2n, to: 6n, increment: 2n, property }).sum();
      const forms = [task, asModule(task)];
      const [word, root] = await computeRequest(forms, options);
      expect([word?.word, root?.word]).to.deep.equal([toWord(0n), rootOfValue(0n)]);
      const strict = { ...options, requireProvable: true };
      expect((await computeRequest([task], strict))[0]?.word).to.equal(toWord(0n));
      for (const [firstPlace, place] of [
        [undefined, "tasks[1]"],
        [3, "tasks[4]"],
      ] as const) {
        const error = await hdpFailure(computeRequest(forms, { ...strict, firstPlace }));
        expect([error.code, error.path]).to.deep.equal([
          "HDP-1129",
          `${place}.datalake.sampledProperty`,
        ]);
        expect(error.message).to.contain(`the account ${nobody} does not exist at block 2, so`);
      }
    }
    // An account that exists, whose slot is empty, is provable.
    const empty = blockSampled({ from: 2n, to: 6n, property: storage(ALICE, SLOT) }).sum();
    await computeRequest([asModule(empty)], { ...options, requireProvable: true });
  });

  it("fails with the error of the datalake form", async () => {
    const provider = await sharedChain();
    const late = blockSampled({ from: 0n, to: 99_999n, property: header("number") }).avg();
    const error = await hdpFailure(computed(provider, late));
    expect(error.code).to.equal("HDP-4101");
    const onlyModule = await hdpFailure(
      computeRequest([asModule(late)], {
        readersFor: readerOpener({ providerFor: () => provider }),
        runModule: moduleRunner({ programFor }),
        signal: new AbortController().signal,
        onProgress: () => undefined,
      }),
    );
    expect([onlyModule.code, onlyModule.path]).to.deep.equal([error.code, error.path]);
  });
});
