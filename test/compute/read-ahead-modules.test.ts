import { readFileSync } from "node:fs";

import { expect } from "chai";
import fc from "fast-check";

import {
  type ChainReader,
  type ModuleRun,
  type Read,
  runModule,
  type StarknetReader,
} from "../../src/entries/local.js";
import { asModule, standardProgram } from "../../src/entries/request.js";
import { shortStringFelt } from "../../src/base/felt.js";
import { encodeRlp } from "../../src/base/rlp.js";
import { standardClass } from "../../src/program/standard-classes.js";
import { rootsByLabel } from "../../src/request/injected-state.js";
import { compiledFile } from "../support/compiled-functions.js";
import { drawn } from "../support/drawn.js";
import { jumpingClock } from "../support/jumping-clock.js";
import { ERAS, syntheticChain } from "../support/synthetic-chain.js";
import { randomCase } from "./both-forms.js";

type EvmChain = ReturnType<typeof syntheticChain>;
type StarknetChain = Pick<StarknetReader, "header" | "storage">;
/** Chains of both kinds, whose values follow from a seed. */
interface Chains {
  readonly evm: EvmChain;
  readonly starknet: StarknetChain;
}

interface Called {
  readonly compiledClass: unknown;
  readonly felts: readonly bigint[];
}

const HOLDER = 0x7f2c6f930306d3aa736b3a6c6a98f512f74036d4n;
const TOPIC = BigInt(`0x${"11".repeat(32)}`);
const FULL_BLOOM = `0x${"ff".repeat(256)}` as const;
const label = shortStringFelt("votes");

function chainsOf(seed: string, era = ERAS[6]): Chains {
  if (era === undefined) throw new TypeError("no era");
  const evm = syntheticChain(seed, era);
  const address = `0x${HOLDER.toString(16)}` as const;
  const log = [address, [`0x${TOPIC.toString(16)}` as const], `0x${"22".repeat(32)}` as const];
  const starknet = async (...place: readonly unknown[]): Promise<Read<bigint>> =>
    await Promise.resolve({ value: BigInt(drawn([seed, ...place].join(), 300)), proven: false });
  return {
    evm: {
      ...evm,
      // A bloom that excludes no event.
      header: async (block) => {
        const { value, proven } = await evm.header(block);
        return { value: block % 2n === 0n ? value.with(6, FULL_BLOOM) : value, proven };
      },
      receipt: async (block, index) => {
        const value = encodeRlp(["0x01", "0x5208", FULL_BLOOM, [log, log, log]]);
        return block % 2n === 0n ? { value, proven: true } : await evm.receipt(block, index);
      },
    },
    starknet: { header: starknet, storage: starknet },
  };
}

/** Calls `before` with a read's name and place, then reads from the chain that it returns. */
function through(before: (key: string) => Promise<Chains>): Chains {
  const evm = async (name: keyof EvmChain, place: readonly unknown[]): Promise<EvmChain> =>
    (await before([name, ...place].join(" "))).evm;
  const starknet = async (...place: readonly unknown[]): Promise<StarknetChain> =>
    (await before(place.join(" "))).starknet;
  return {
    evm: {
      header: async (...place) => await (await evm("header", place)).header(...place),
      account: async (...place) => await (await evm("account", place)).account(...place),
      storage: async (...place) => await (await evm("storage", place)).storage(...place),
      transaction: async (...place) =>
        await (await evm("transaction", place)).transaction(...place),
      receipt: async (...place) => await (await evm("receipt", place)).receipt(...place),
    },
    starknet: {
      header: async (...place) => await (await starknet("starknet", ...place)).header(...place),
      storage: async (...place) => await (await starknet("slot", ...place)).storage(...place),
    },
  };
}

interface Outcome {
  readonly run?: ModuleRun;
  readonly failure?: string;
  /** What the run's own readers were asked for, in order. */
  readonly asked: readonly string[];
}

describe("modules whose reads are fetched ahead", () => {
  const wait = jumpingClock();
  let readAhead = 0;
  beforeEach(() => {
    readAhead = 0;
  });

  /** Runs a module over chains of which some reads fail. */
  async function outcomeOf(
    { compiledClass, felts }: Called,
    chains: Chains,
    seed: string,
    ahead?: Chains,
  ): Promise<Outcome> {
    const asked: string[] = [];
    const own = through(async (key) => {
      await Promise.resolve();
      asked.push(key);
      wait(drawn(`${key} waits`, 2) * 50);
      if (drawn(`${key} fails truly ${seed}`, 40) === 0) throw new Error(`no ${key}`);
      return chains;
    });
    const running = runModule(compiledClass, {
      inputs: felts.map((value) => ({ visibility: "public", value })),
      generation: "head",
      leadingFelts: 8,
      reader: (): ChainReader => ({ ...own.evm, ahead: ahead?.evm }),
      starknetReader: () => ({ ...own.starknet, ahead: ahead?.starknet }),
      injectedState: { roots: rootsByLabel({ [`0x${label.toString(16)}`]: "0x0" }) },
    });
    const ended = await running.then(
      (run) => ({ run }),
      (error: unknown) => ({ failure: String(error) }),
    );
    return { ...ended, asked };
  }

  /** Expects the same outcome over readers ahead that delay, reorder, fail, and answer with values of another chain. */
  async function expectSame(called: Called, chains: Chains, seed: string): Promise<Outcome> {
    const others = chainsOf(`${seed} otherwise`);
    const unreliable = through(async (key) => {
      readAhead += 1;
      for (let turn = drawn(`${key} ${seed}`, 4); turn > 0; turn -= 1)
        await new Promise((resolve) => setImmediate(resolve));
      if (drawn(`${key} fails ${seed}`, 4) === 0) throw new Error("no answer");
      return drawn(`${key} lies ${seed}`, 3) === 0 ? others : chains;
    });
    const alone = await outcomeOf(called, chains, seed);
    expect(await outcomeOf(called, chains, seed, unreliable)).to.deep.equal(alone);
    return alone;
  }

  const compiledFileOf = (path: string): unknown =>
    JSON.parse(
      readFileSync(new URL(`${path}.compiled_contract_class.json`, import.meta.url), "utf8"),
    );
  const template = (name: string): unknown =>
    compiledFileOf(`../program/templates/m_${name}_Module`);
  const number = (max: bigint): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max });
  const calls: Readonly<
    Record<string, readonly [compiledClass: unknown, felts: fc.Arbitrary<bigint[]>]>
  > = {
    "sums a slot": [
      compiledFile("storage_sum.compiled_contract_class.json"),
      fc
        .tuple(number(50n), number(30n))
        .map(([from, length]) => [4n, 1n, HOLDER, from, from + length]),
    ],
    "reads in functions": [
      compiledFile("builtins_Calls.compiled_contract_class.json"),
      number(30n).map((turns) => [4n, turns]),
    ],
    "compares two chains": [
      template("bridge"),
      fc.tuple(number(50n), number(9n)).map(([block, slot]) => {
        const starknet = [shortStringFelt("SN_MAIN"), block, 8n, slot];
        return [1n, block, HOLDER, ...starknet];
      }),
    ],
    "reads and writes injected state": [
      template("injected_state"),
      fc.tuple(number(50n), number(3n)).map(([block, voter]) => [1n, block, voter, 5n]),
    ],
    "sums an event": [
      compiledFileOf("../../examples/events/compiled/events_Module"),
      fc.tuple(number(50n), number(4n), number(4n)).map(([block, index, logs]) => {
        const emitter = [HOLDER % 2n ** 128n, HOLDER >> 128n];
        const topic0 = [TOPIC % 2n ** 128n, TOPIC >> 128n];
        return [1n, ...emitter, ...topic0, block, block + 1n, 1n, block, index, logs];
      }),
    ],
  };

  for (const [name, [compiledClass, inputs]] of Object.entries(calls)) {
    it(`come out the same where the module ${name}`, async () => {
      let returned = 0;
      await fc.assert(
        fc.asyncProperty(inputs, fc.string({ minLength: 4, maxLength: 4 }), async (felts, seed) => {
          const { run } = await expectSame({ compiledClass, felts }, chainsOf(seed), seed);
          if (run?.status === "returned") returned += 1;
        }),
        { numRuns: 40 },
      );
      expect(returned).to.be.above(0);
      // The one with injected state makes one read.
      if (!name.includes("injected state")) expect(readAhead).to.be.above(0);
    });
  }

  it("come out the same where the module is a standard program", async () => {
    await fc.assert(
      fc.asyncProperty(randomCase, async ({ task, era, seed }) => {
        const { programHash, inputs } = asModule(task);
        const program = standardProgram(programHash);
        if (program === undefined) throw new TypeError("not a standard program");
        const felts = inputs.map(({ value }) => BigInt(value));
        const called = { compiledClass: await standardClass(program), felts };
        await expectSame(called, chainsOf(seed, era), seed);
      }),
      { numRuns: 100 },
    );
    expect(readAhead).to.be.above(0);
  });
});
