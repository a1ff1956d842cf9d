import { expect } from "chai";
import { serializeTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import type { ModuleTask } from "../../src/entries/request.js";
import { moduleRunner, runModule } from "../../src/entries/local.js";
import type { ChainReader } from "../../src/entries/local.js";
import { GENERATIONS } from "../../src/cairo/generations.js";
import { gapTexts, proverGaps } from "../../src/compute/prover-gaps.js";
import { compiledFile, FUNCTIONS } from "../support/compiled-functions.js";
import { expectHdpError } from "../support/failure.js";

const FUNCTIONS_CLASS = compiledFile("functions.compiled_contract_class.json");
const CIRCUITS_CLASS = compiledFile("builtins_Circuits.compiled_contract_class.json");
const signer = privateKeyToAccount(`0x${"11".repeat(32)}`);

/** The inputs that have the test module call a handler, with a handle of two felts, chain 1 and block 9. */
function call(handler: bigint, selector: bigint, ...rest: bigint[]): ModuleTask["inputs"] {
  const passed = [handler, selector, 0n, 0n, 1n, 9n, ...rest];
  return felts(FUNCTIONS.rawCalls, BigInt(passed.length), ...passed);
}

function felts(...values: bigint[]): ModuleTask["inputs"] {
  return values.map((value) => ({ visibility: "public", value: `0x${value.toString(16)}` }));
}

/** A reader of a chain that has one transaction, to a receiver or to none. */
async function chainWith(to: `0x${string}` | undefined): Promise<ChainReader> {
  const value = await signer.signTransaction(
    { chainId: 1, type: "eip1559", nonce: 7, gas: 21_000n, to, maxFeePerGas: 9n },
    { serializer: serializeTransaction },
  );
  const never = async (): Promise<never> => {
    throw new Error("read something else");
  };
  return {
    header: never,
    account: never,
    storage: never,
    receipt: never,
    transaction: async () => ({ value, proven: true }),
  };
}

async function gapsOf(
  inputs: ModuleTask["inputs"],
  { compiledClass = FUNCTIONS_CLASS, reader }: { compiledClass?: unknown; reader?: ChainReader },
): Promise<readonly string[]> {
  const base = { inputs, generation: "head", leadingFelts: 8 } as const;
  const run = await runModule(
    compiledClass,
    reader === undefined ? { ...base, read: () => 1n } : { ...base, reader: () => reader },
  );
  return gapTexts(run.gaps);
}

describe("what the published provers cannot run", () => {
  it("names a read of each header field that their dry run does not return, and no other", async () => {
    const gaps = [];
    for (let selector = 0n; selector < 21n; selector += 1n)
      if (selector !== 6n && selector !== 12n) gaps.push(...(await gapsOf(call(0n, selector), {})));
    expect(gaps).to.deep.equal(
      ["withdrawalsRoot", "blobGasUsed", "excessBlobGas", "parentBeaconBlockRoot"].map(
        (field) =>
          `the module reads header.${field} of block 9: their dry run ends with "Unsupported FunctionId"`,
      ),
    );
  });

  it("names a read of the receiver of a contract creation, and not of a transfer to the zero address", async () => {
    const receiver = call(3n, 3n, 0n);
    expect(await gapsOf(receiver, { reader: await chainWith(undefined) })).to.deep.equal([
      "the module reads the receiver of transaction 0 of block 9, which creates a contract: their dry run ends, since there is none",
    ]);
    const zero = `0x${"00".repeat(20)}` as const;
    expect(await gapsOf(receiver, { reader: await chainWith(zero) })).to.deep.equal([]);
    const nonce = call(3n, 0n, 0n);
    expect(await gapsOf(nonce, { reader: await chainWith(undefined) })).to.deep.equal([]);
  });

  it("names a circuit", async () => {
    const inputs = felts(...[5n, 0n, 0n, 0n], ...[2n, 0n, 0n, 0n], ...[7n, 0n, 0n, 0n]);
    const gaps = await gapsOf(inputs, { compiledClass: CIRCUITS_CLASS });
    expect(gaps).to.have.length(1);
    expect(gaps[0]).to.contain("the module is compiled with circuits");
  });

  it("names Keccak of no whole blocks, and a handle that neither passes", () => {
    const none = { reads: [], creation: undefined, unpaddedKeccak: false, circuits: false };
    const of = (facts: Partial<Parameters<typeof proverGaps>[0]>): readonly string[] =>
      proverGaps({ ...none, generation: GENERATIONS.head, ...facts }).map(({ does }) => does);
    expect(of({})).to.deep.equal([]);
    expect(of({ unpaddedKeccak: true })).to.deep.equal([
      "calls Keccak with words that are no whole blocks of 17",
    ]);
    expect(of({ generation: GENERATIONS["2025-04"] })).to.deep.equal([
      "takes 4 felts in front of its inputs (generation 2025-04)",
    ]);
    expect(of({ generation: GENERATIONS["2025-09"] })).to.deep.equal([]);
  });

  it("lets the local data processor that stands for the service refuse such a run, and says it in other results", async () => {
    const task: ModuleTask = { type: "Module", programHash: "0x1", inputs: call(0n, 17n) };
    const header = new Array<`0x${string}`>(21).fill("0x05");
    const context = {
      readerFor: async () => ({
        ...(await chainWith(undefined)),
        header: async () => ({ value: header, proven: true }),
      }),
      signal: new AbortController().signal,
    };
    const runner = (requireProvable: boolean) =>
      moduleRunner({
        programFor: async () => ({ compiledClassJson: FUNCTIONS_CLASS, leadingFelts: 8 }),
        generation: "head",
        requireProvable,
      });
    await expectHdpError(
      runner(true)(task, context),
      "HDP-7122",
      /program 0x1 cannot be proven as it ran here: the module reads header.blobGasUsed of block 9/,
    );
    const { module } = await runner(false)(task, context);
    expect(module?.gaps).to.deep.equal([
      'the module reads header.blobGasUsed of block 9: their dry run ends with "Unsupported FunctionId"',
    ]);
  });
});
