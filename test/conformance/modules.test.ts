import { expect } from "chai";

import { runModule, type AccountState, type Read } from "../../src/entries/local.js";
import {
  MODULE_VECTORS,
  RecordedChain,
  moduleCases,
  moduleClass,
} from "../support/module-cases.js";
import { jumpingClock } from "../support/jumping-clock.js";

type Ahead = Pick<RecordedChain, "reader" | "starknetReader">;

/** Readers that answer each integer with one value, and fail for what is no integer. */
function lying(value: bigint): Ahead {
  const failing = async (): Promise<never> => await Promise.reject(new Error("no answer"));
  const integer = async (): Promise<Read<bigint>> => await Promise.resolve({ value, proven: true });
  const account = async (): Promise<Read<AccountState>> => {
    const state = { nonce: value, balance: value, storageRoot: "0x01", codeHash: "0x01" } as const;
    return await Promise.resolve({ value: state, proven: true });
  };
  return {
    reader: () => {
      return { header: failing, account, storage: integer, transaction: failing, receipt: failing };
    },
    starknetReader: () => ({ header: integer, storage: integer }),
  };
}

/** Published module runs: compiled classes with the chain data they read and the result the service published. */
describe("conformance: compiled modules", () => {
  const wait = jumpingClock();

  for (const [file, folder] of [
    ["cases.json", "classes"],
    ["extra/self-checking.json", "extra"],
  ] as const) {
    const cases = moduleCases(file);
    if (cases === undefined) {
      it(`${file} (skipped: no vectors at ${MODULE_VECTORS})`, function () {
        this.skip();
      });
      continue;
    }

    for (const item of cases) {
      it(`${item.id} returns the published result and reads exactly what was recorded`, async () => {
        const chain = new RecordedChain(item.reads);
        const run = await runModule(moduleClass(folder, item.programHash), {
          inputs: item.inputs,
          generation: item.convention,
          reader: chain.reader,
          starknetReader: chain.starknetReader,
        });
        expect(run.status).to.equal("returned");
        expect(run.retdata.map((felt) => `0x${felt.toString(16)}`)).to.deep.equal(
          item.expected.retdata,
        );
        if (item.expected.result !== undefined)
          expect(run.value).to.equal(BigInt(item.expected.result.decimal));
        expect([...chain.touched].sort()).to.deep.equal([...chain.recorded].sort());
        expect(run.proven).to.equal(true);
      });

      it(`${item.id} runs the same where values are read ahead, whatever is answered there`, async () => {
        const outcome = async (ahead?: Ahead): Promise<unknown> => {
          const chain = new RecordedChain(item.reads, () => wait(50));
          const run = await runModule(moduleClass(folder, item.programHash), {
            inputs: item.inputs,
            generation: item.convention,
            reader: (id) => ({ ...chain.reader(id), ahead: ahead?.reader(id) }),
            starknetReader: (id) => ({
              ...chain.starknetReader(id),
              ahead: ahead?.starknetReader(id),
            }),
          });
          return { run, touched: [...chain.touched] };
        };
        const alone = await outcome();
        expect(await outcome(new RecordedChain(item.reads))).to.deep.equal(alone);
        for (const value of [0n, 1n, 2n ** 250n]) {
          expect(await outcome(lying(value))).to.deep.equal(alone);
        }
      });

      const { whenSlotIsOneHigher } = item;
      if (whenSlotIsOneHigher === undefined) continue;
      it(`${item.id} panics with the recorded text when its slot holds one more`, async () => {
        const storages = item.reads.storages.map((read) => ({
          ...read,
          value: `0x${(BigInt(read.value) + 1n).toString(16)}` as const,
        }));
        const chain = new RecordedChain({ ...item.reads, storages });
        const run = await runModule(moduleClass(folder, item.programHash), {
          inputs: item.inputs,
          generation: item.convention,
          reader: chain.reader,
          starknetReader: chain.starknetReader,
        });
        expect(run.status).to.equal("panicked");
        expect(run.retdata.map((felt) => `0x${felt.toString(16)}`)).to.deep.equal(
          whenSlotIsOneHigher.retdata,
        );
      });
    }
  }
});
