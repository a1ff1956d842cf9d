import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import {
  type ChainIdentifier,
  type ModuleTask,
  rootOfValue,
  unorderedRoot,
  valueFelts,
  valueOfFelts,
} from "../../src/entries/request.js";
import {
  type ChainReader,
  type ModuleContext,
  type ModuleRun,
  moduleRunner,
  moduleOutcome,
  runModuleTask,
} from "../../src/entries/local.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import { parseGeneration, ruleFor, withinBudget } from "../../src/compute/module-runner.js";
import { parseSierraAbi } from "../../src/entries/program.js";
import { SMALL_CLASS } from "../dev-server/small-class.js";
import { expectHdpError, hdpFailure } from "../support/failure.js";

const folder = join(import.meta.dirname, "../../examples/module-balance/compiled");
const json = (name: string): unknown =>
  JSON.parse(readFileSync(join(folder, `module_balance_Module.${name}`), "utf8"));
const compiledClassJson = json("compiled_contract_class.json");
const abi = parseSierraAbi(json("contract_class.json"));

/** A module that takes 80 MB of memory at once, and then goes on for ever. */
const LARGE = {
  ...SMALL_CLASS,
  bytecode: [
    "0x40780017fff7fff",
    "0x989680",
    "0x480680017fff8000",
    "0x1",
    "0x10780017fff7fff",
    "0x0",
  ],
  bytecode_segment_lengths: 6,
  entry_points_by_type: {
    ...SMALL_CLASS.entry_points_by_type,
    EXTERNAL: [
      {
        selector: "0xe2054f8a912367e38a22ce773328ff8aabf8082c4120bad9ef085e1dbf29a7",
        offset: 0,
        builtins: ["range_check", "poseidon"],
      },
    ],
  },
};

const task = (chainId: bigint, first: bigint, last: bigint): ModuleTask => ({
  type: "Module",
  programHash: "0x2732acfa21f0e25d14fde0605d9db1313937e8d97d721c228731212d7ad987c",
  inputs: [chainId, 0xabcn, first, last].map((value) => ({
    visibility: "public",
    value: `0x${value.toString(16)}`,
  })),
});

/** A chain on which a balance is the block's number in ether; block 3 cannot be proven. */
const reader: Pick<ChainReader, "account"> = {
  account: async (block) => ({
    value: { nonce: 0n, balance: block * 10n ** 18n, storageRoot: "0x", codeHash: "0x" },
    proven: block !== 3n,
  }),
};

function context(asked: ChainIdentifier[] = []): ModuleContext {
  return {
    readerFor: async (chain) => {
      asked.push(chain);
      return reader as ChainReader;
    },
    signal: new AbortController().signal,
  };
}

const returned = (retdata: readonly bigint[], value: bigint | undefined): ModuleRun => ({
  status: "returned",
  retdata,
  outputRoot: unorderedRoot(retdata),
  value,
  steps: 7,
  gas: 0n,
  reads: [],
  gaps: [],
  proven: true,
  leadingFelts: 8,
  generation: "head",
  printed: [],
  printedFelts: [],
  injectedState: [],
});

describe("the module runner", () => {
  it("runs a module alone where it needs more memory than it may have beside others", async () => {
    const begun: number[] = [];
    let end = (): void => undefined;
    const other = withinBudget(async () => {
      await new Promise<void>((resolve) => (end = resolve));
    });
    const large = withinBudget((cells) => {
      begun.push(cells);
      const values = { bound: "a bound", option: "maxMemoryCells", steps: 1, cells };
      return cells < 2 ** 27
        ? Promise.reject(hdpError("HDP-7110", values))
        : Promise.resolve(cells);
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).to.deep.equal([2 ** 23]);
    end();
    await other;
    expect(await large).to.equal(2 ** 27);
  });

  it("runs a module without a submission within the memory of all too", async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const others = Array.from(
      { length: 16 },
      async () => await withinBudget(async () => await ended),
    );
    const asked: ChainIdentifier[] = [];
    const run = runModuleTask(task(1n, 2n, 2n), { compiledClassJson, abi }, context(asked));
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const askedBefore = [...asked];
    end();
    await Promise.all(others);
    expect(askedBefore).to.deep.equal([]);
    expect((await run).run.status).to.equal("returned");
    expect(asked).to.deep.equal(["ETHEREUM_MAINNET"]);
  });

  it("reports one profile of a module that needs more memory than it may have beside others", async () => {
    const large = { compiledClassJson: LARGE, leadingFelts: 0 };
    const profiles: number[] = [];
    const onProfile = ({ steps }: { readonly steps: number }): unknown => profiles.push(steps);
    const run = async (more: object): Promise<unknown> =>
      await runModuleTask({ ...task(1n, 1n, 1n), inputs: [] }, large, context(), {
        onProfile,
        maxSteps: 1_000,
        ...more,
      });
    await expectHdpError(run({}), "HDP-7109", /within 1000 steps/);
    expect(profiles).to.deep.equal([1_000]);
    await expectHdpError(run({ maxMemoryCells: 2 ** 23 }), "HDP-7110", /8388608 memory cells/);
    expect(profiles).to.have.length(2);
    await expectHdpError(run({ maxMemoryCells: 2 ** 20 }), "HDP-7110", /1048576 memory cells/);
    await expectHdpError(run({ maxMemoryCells: 2 ** 24 }), "HDP-7109", /within 1000 steps/);
  });

  it("finds the convention of a module that begins with much memory", async () => {
    const run = runModuleTask(
      { ...task(1n, 1n, 1n), inputs: [] },
      { compiledClassJson: LARGE },
      context(),
    );
    await expectHdpError(
      run,
      "HDP-7117",
      /accepts its 0 inputs after 8 and 6 and 4 and 2 and 10 and 0 leading felts/,
    );
  });

  it("sums over the chain that the module names, and marks what was not proven", async () => {
    const asked: ChainIdentifier[] = [];
    const { run, reads, proven } = await runModuleTask(
      task(1n, 2n, 4n),
      { compiledClassJson, abi },
      context(asked),
    );
    expect(valueOfFelts(run.retdata)).to.equal(9n * 10n ** 18n);
    expect(reads.map((read) => [read.block, read.proven])).to.deep.equal([
      [2n, true],
      [3n, false],
      [4n, true],
    ]);
    expect(proven).to.equal(false);
    expect(new Set(asked)).to.deep.equal(new Set(["ETHEREUM_MAINNET"]));
  });

  it("finds the convention by trial where the ABI is not known", async () => {
    const { run } = await runModuleTask(task(1n, 2n, 2n), { compiledClassJson }, context());
    expect(run).to.include({ leadingFelts: 8, generation: "head", status: "returned" });
  });

  it("makes the word by the rule, and says how", async () => {
    const programFor = async () => ({ compiledClassJson, abi });
    const root = await moduleRunner({ programFor })(task(1n, 1n, 2n), context());
    const sum = 3n * 10n ** 18n;
    expect(root.word).to.equal(rootOfValue(sum));
    expect(root.module).to.include({
      rule: "output-root",
      reads: 2,
      generation: "head",
    });
    expect(root.module?.decoded).to.deep.equal(valueFelts(sum));
    expect(root.module).to.not.have.property("rawValue");
    const plain = { run: returned([sum, 0n], sum), reads: [], proven: true };
    const value = moduleOutcome(task(1n, 1n, 2n), plain, { compiledClassJson }, "value");
    expect(BigInt(value.word)).to.equal(sum);
    expect(value.word).to.have.length(66);
    expect(value.module).to.include({ rule: "value", rawValue: sum });
  });

  it("takes the raw value for the generations until v1.0.9 of hdp-cairo, in March 2025", () => {
    expect(ruleFor(task(1n, 1n, 1n), "auto", "2024-06")).to.equal("value");
    expect(ruleFor(task(1n, 1n, 1n), "auto", "2024-10-24")).to.equal("value");
    expect(ruleFor(task(1n, 1n, 1n), "auto", "2025-02")).to.equal("value");
    expect(ruleFor(task(1n, 1n, 1n), "auto", "2025-03-04")).to.equal("value");
    expect(ruleFor(task(1n, 1n, 1n), "auto", "2025-03-17")).to.equal("output-root");
    expect(ruleFor(task(1n, 1n, 1n), "auto", "head")).to.equal("output-root");
  });

  it("refuses a raw value where there is none, and takes the root of the same output", async () => {
    const done = { run: returned([1n, 2n, 3n], undefined), reads: [], proven: true };
    await expectHdpError(
      Promise.resolve().then(() =>
        moduleOutcome(task(1n, 1n, 1n), done, { compiledClassJson }, "value"),
      ),
      "HDP-4413",
      /returned 3 felts/,
    );
    const { word, module } = moduleOutcome(task(1n, 1n, 1n), done, { compiledClassJson }, "auto");
    expect(word).to.equal(unorderedRoot([1n, 2n, 3n]));
    expect(module).to.not.have.any.keys("rawValue", "decoded");
  });

  it("fails for a panic, with its text", async () => {
    const run = moduleRunner({ programFor: async () => ({ compiledClassJson, abi }) })(
      task(1n, 2n, 1n),
      context(),
    );
    await expectHdpError(run, "HDP-4410", /no blocks in the range/);
  });

  it("refuses unknown chains", async () => {
    const run = runModuleTask(task(31337n, 1n, 1n), { compiledClassJson, abi }, context());
    await expectHdpError(run, "HDP-2004", /^there is no node configured, and the module reads/);
    expect((await hdpFailure(run)).hints).to.include(
      "The data processor has no chain 31337. On a development chain give the module the id of one that it has: 11155111.",
    );
  });

  it("knows generations by name", async () => {
    expect([
      parseGeneration(undefined),
      parseGeneration("auto"),
      parseGeneration("2025-02"),
    ]).to.deep.equal([undefined, undefined, "2025-02"]);
    await expectHdpError(
      Promise.resolve().then(() => parseGeneration("2023")),
      "HDP-6003",
      /"2023" is not a generation/,
    );
  });
});
