import { expect } from "chai";
import fc from "fast-check";

import type { ModuleProfile } from "../../src/types.js";
import {
  type ChainReader,
  type ModuleContext,
  type ModuleRun,
  type Read,
  runModule,
  runModuleTask,
  type ModuleRead,
} from "../../src/entries/local.js";
import type { ModuleTask } from "../../src/entries/request.js";
import type { RunLimits } from "../../src/cairo/run-contract.js";
import { ReadAhead } from "../../src/compute/read-ahead.js";
import { compiledFile } from "../support/compiled-functions.js";
import { drawn } from "../support/drawn.js";
import { expectHdpError } from "../support/failure.js";
import { jumpingClock } from "../support/jumping-clock.js";

const PLAN = compiledFile("builtins_Plan.compiled_contract_class.json");
const ADDRESS = 0xabcn;
/** Milliseconds to a node for which reads are fetched ahead, but which take too little time for passes. */
const AWAY = 2.01;
/** A step of test/cairo/scarb/src/plan.cairo: its kind and two arguments. */
type Step = readonly [kind: number, a: bigint, b: bigint];

/** Reads a value by its key, like `storage:<block>:<slot>`. */
type ReadKey = (key: string) => Promise<bigint>;

/** A chain whose values are read by their keys. */
function readerOver(read: ReadKey, ahead?: ChainReader): ChainReader {
  const proven = async (key: string): Promise<Read<bigint>> => {
    return { value: await read(key), proven: !key.endsWith("7") };
  };
  const unread = async (): Promise<never> => await Promise.reject(new Error("is not read"));
  return {
    ahead,
    header: async (block) => {
      const { value, proven: isProven } = await proven(`header:${block}`);
      const items = new Array<`0x${string}`>(17).fill(`0x${value.toString(16).padStart(4, "0")}`);
      return { value: items, proven: isProven };
    },
    account: async (block, address) => {
      const { value, proven: isProven } = await proven(`account:${block}:${BigInt(address)}`);
      const state = { nonce: 0n, balance: value, storageRoot: "0x", codeHash: "0x" } as const;
      return { value: state, proven: isProven };
    },
    storage: async (block, _address, slot) => await proven(`storage:${block}:${BigInt(slot)}`),
    transaction: unread,
    receipt: unread,
  };
}

/** One of few values, so that steps that compare values take both ways; of many where each read is to be another. */
const valueOf = (key: string, count = 40): bigint => BigInt(256 + drawn(key, count));

interface Outcome {
  readonly run?: ModuleRun;
  readonly failure?: string;
  /** Of each function: name, own steps, steps in all. */
  readonly profile: unknown;
  readonly asked: readonly string[];
}

/** Runs a plan over a chain and returns all that a user can see of it, with what its reader was asked for. */
async function outcomeOf(
  plan: readonly Step[],
  read: ReadKey,
  options: {
    readonly ahead?: ChainReader;
    readonly limits?: RunLimits;
    readonly expected?: readonly ModuleRead[];
  } = {},
): Promise<Outcome> {
  const asked: string[] = [];
  const noting = async (key: string): Promise<bigint> => {
    asked.push(key);
    return await read(key);
  };
  let profile: ModuleProfile | undefined;
  const reader = readerOver(noting, options.ahead);
  const felts = [
    ADDRESS,
    BigInt(plan.length * 3),
    ...plan.flatMap(([kind, a, b]) => [BigInt(kind), a, b]),
  ];
  const running = runModule(PLAN, {
    inputs: felts.map((value) => ({ visibility: "public", value })),
    generation: "head",
    leadingFelts: 8,
    limits: options.limits,
    expected: options.expected,
    reader: (chainId) => (chainId === 1n ? reader : undefined),
    injectedState: { plan: "0x0" },
    onProfile: (made) => (profile = made),
  });
  const ended = await running.then(
    (run) => ({ run }),
    (error: unknown) => ({ failure: String(error) }),
  );
  const stacks = profile?.stacks.map(({ frames, steps }) => ({ frames, steps }));
  return { ...ended, profile: [profile?.functions, stacks], asked };
}

const slots = (count: number): Step[] =>
  Array.from({ length: count }, (_, slot): Step => [0, BigInt(slot), 1n]);

/** A node: reads that begin while another one waits come with it, in one round trip. Values are kept. */
class FarNode {
  public trips = 0;
  public readonly asked: string[] = [];
  readonly #values = new Map<string, Promise<bigint>>();
  #trip: Promise<void> | undefined;

  public readonly read = async (key: string): Promise<bigint> => {
    const reading = this.#values.get(key) ?? this.#ask(key);
    this.#values.set(key, reading);
    return await reading;
  };

  async #ask(key: string): Promise<bigint> {
    this.asked.push(key);
    if (this.#trip === undefined) {
      this.trips += 1;
      this.#trip = new Promise((resolve) => setTimeout(resolve, 20));
      void this.#trip.then(() => (this.#trip = undefined));
    }
    await this.#trip;
    return valueOf(key, 65_000);
  }
}

async function overFarNode(
  plan: readonly Step[],
  limits?: RunLimits,
): Promise<{ node: FarNode; outcome: Outcome }> {
  const node = new FarNode();
  const options = { ahead: readerOver(node.read), ...(limits && { limits }) };
  return { node, outcome: await outcomeOf(plan, node.read, options) };
}

describe("reading ahead of a module's run", () => {
  const wait = jumpingClock();

  it("takes two round trips for reads that do not depend on one another", async () => {
    const plan = [...slots(200), [3, 0n, 5n], [4, ADDRESS, 5n]] as const;
    const { node, outcome } = await overFarNode(plan);
    expect(outcome.run?.reads).to.have.length(202);
    expect([node.trips, node.asked.length]).to.deep.equal([2, 202]);
  });

  it("takes as many round trips as a chain of reads is long, and fetches little in vain", async () => {
    const chain = Array.from({ length: 50 }, (_, index): Step => [1, BigInt(1_000 * index), 1n]);
    const { node, outcome } = await overFarNode(chain);
    expect(outcome.run?.reads).to.have.length(50);
    expect(node.trips).to.equal(50);
    expect(node.asked.length).to.be.below(200);
  });

  it("takes a round trip for the first read and for each level where many chains of reads lie side by side", async () => {
    const pairs = Array.from({ length: 100 }, (_, index): Step[] => [
      [0, BigInt(index), 1n],
      [1, BigInt(1_000 * index), 1n],
      [1, BigInt(1_000 * index), 2n],
    ]);
    const { node, outcome } = await overFarNode(pairs.flat());
    expect(outcome.run?.reads).to.have.length(300);
    expect(node.trips).to.equal(4);
  });

  it("fetches the reads of a long run in windows", async () => {
    const { node, outcome } = await overFarNode(slots(3_000));
    expect(outcome.run?.reads).to.have.length(3_000);
    expect(node.trips).to.be.below(12);
    expect(node.asked.length).to.be.below(4_100);
  });

  it("goes on in the strides of a loop where no pass can run, and fetches little more than it needs", async () => {
    const turn = (index: bigint): Step[] => [
      [0, 7n, index],
      [0, 3n * index, index],
      [3, 0n, index],
    ];
    for (const turns of [0, 1, 2, 3, 10, 100, 1_000]) {
      const plan = Array.from({ length: turns }, (_, index) => turn(BigInt(index))).flat();
      let [made, ahead] = [0, 0];
      const known = new Set<string>();
      const read = async (key: string): Promise<bigint> => {
        if (!known.has(key)) made += 1;
        wait(AWAY);
        return await Promise.resolve(valueOf(key));
      };
      const reader = readerOver(async (key) => {
        ahead += 1;
        known.add(key);
        return await Promise.resolve(valueOf(key));
      });
      const { run } = await outcomeOf(plan, read, { ahead: reader });
      expect(run?.reads).to.have.length(3 * turns);
      expect(made, `of ${turns} turns`).to.be.at.most(9 + Math.ceil(Math.log2(turns + 1)));
      expect(made + ahead, `of ${turns} turns`).to.be.at.most(Math.max(16, 5 * 3 * turns));
    }
  });

  it("makes the reads of a node nearby one by one: passes would take as long", async () => {
    performance.now = () => 0;
    const ahead = readerOver(() => expect.fail("is read ahead"));
    const read = async (key: string): Promise<bigint> => await Promise.resolve(valueOf(key));
    const { run } = await outcomeOf(slots(300), read, { ahead });
    expect(run?.reads).to.have.length(300);
  });

  it("takes one round trip where the reads are expected, and fetches what was forgotten", async () => {
    const [known, forgetful] = [new FarNode(), new FarNode()];
    const plan = [...slots(20), [1, 7n, 1n], [1, 9n, 1n]] as const;
    const { outcome } = await overFarNode(plan);
    const expected = outcome.run?.reads ?? [];
    const over = async (node: FarNode, list: readonly ModuleRead[]): Promise<Outcome> =>
      await outcomeOf(plan, node.read, { ahead: readerOver(node.read), expected: list });
    expect((await over(known, expected)).run).to.deep.equal(outcome.run);
    expect([known.trips, known.asked.length]).to.deep.equal([1, 22]);
    expect((await over(forgetful, expected.slice(0, 20))).run).to.deep.equal(outcome.run);
    expect(forgetful.trips).to.equal(3);
  });

  it("expects of a task what its last run read", async () => {
    const nodes = [new FarNode(), new FarNode()] as const;
    const felts = [ADDRESS, 6n, 1n, 5n, 1n, 1n, 6n, 1n];
    const task: ModuleTask = {
      type: "Module",
      programHash: "0x123",
      inputs: felts.map((felt) => ({ visibility: "public", value: `0x${felt.toString(16)}` })),
    };
    const runs = [];
    for (const node of nodes) {
      const context: ModuleContext = {
        readerFor: async () => await Promise.resolve(readerOver(node.read, readerOver(node.read))),
        signal: new AbortController().signal,
      };
      const program = { compiledClassJson: PLAN, leadingFelts: 8 };
      runs.push(await runModuleTask(task, program, context));
    }
    expect(runs[1]).to.deep.equal(runs[0]);
    expect(runs[0]?.reads).to.have.length(2);
    expect(nodes.map(({ trips }) => trips)).to.deep.equal([2, 1]);
  });

  it("leaves a run its steps and memory, and ends it where it ends without passes", async () => {
    const { outcome } = await overFarNode(slots(20));
    const steps = outcome.run?.steps ?? 0;
    const limited = await overFarNode(slots(20), { maxSteps: steps });
    expect(limited.outcome.run?.status).to.equal("returned");
    for (const limits of [{ maxSteps: steps - 1 }, { maxMemoryCells: 3_000 }]) {
      const { outcome: ended } = await overFarNode(slots(20), limits);
      const alone = await outcomeOf(slots(20), new FarNode().read, { limits });
      expect(ended.failure).to.match(/HDP-71(?:09|10)/);
      expect(ended).to.deep.equal(alone);
    }
  });

  it("does not wait for reads ahead that are not answered", async () => {
    const stuck = readerOver(async (key) =>
      key === "storage:1:3" ? await new Promise<never>(() => undefined) : valueOf(key),
    );
    for (const milliseconds of [AWAY, 50]) {
      const read = async (key: string): Promise<bigint> => {
        await Promise.resolve();
        wait(milliseconds);
        return valueOf(key);
      };
      const outcome = await outcomeOf(slots(6), read, { ahead: stuck });
      expect(outcome).to.deep.equal(await outcomeOf(slots(6), read));
    }
  });

  it("opens no chain for a guess", async () => {
    const opened: bigint[] = [];
    const node = new FarNode();
    const reader = readerOver(node.read, readerOver(node.read));
    const running = runModule(compiledFile("storage_sum.compiled_contract_class.json"), {
      inputs: [4n, 5n, ADDRESS, 1n, 9n].map((value) => ({ visibility: "public", value })),
      generation: "head",
      leadingFelts: 8,
      reader: (chainId) => {
        opened.push(chainId);
        return chainId === 1n ? reader : undefined;
      },
    });
    await expectHdpError(running, "HDP-2004", /storage/);
    expect(opened).to.deep.equal([5n]);
    expect(node.asked).to.deep.equal([]);
  });

  it("leaves to a pass the memory that the run does not use and the steps that its waits pay for, and fetches nothing of a chain that the run has not read", async () => {
    const header = (chainId: bigint, block: bigint): ModuleRead => {
      return { kind: "header", field: "number", chainId, block };
    };
    const opened: bigint[] = [];
    const asked: string[] = [];
    const limits: unknown[] = [];
    let now = 0;
    performance.now = () => now;
    const read = async (key: string): Promise<bigint> => {
      now += 50;
      return await Promise.resolve(valueOf(key));
    };
    const reader = readerOver(
      read,
      readerOver(async (key) => {
        asked.push(key);
        return await Promise.resolve(valueOf(key));
      }),
    );
    const ahead = new ReadAhead({
      readers: {
        reader: (chainId) => {
          opened.push(chainId);
          return reader;
        },
      },
      pass: async (answer, given) => {
        limits.push(given);
        for (const chainId of [2n, 1n]) answer(header(chainId, 9n));
        return await Promise.resolve(given.maxSteps);
      },
      maxMemoryCells: 1_000,
    });
    await ahead.read(header(1n, 5n), { steps: 1, cells: 100 });
    await ahead.read(header(1n, 6n), { steps: 2, cells: 300 });
    await ahead.read(header(1n, 7n), { steps: 3, cells: 500 });
    // Each wait of 50 ms pays for one pass.
    expect(limits).to.deep.equal([
      { maxSteps: 240_000, maxMemoryCells: 700 },
      { maxSteps: 240_000, maxMemoryCells: 500 },
    ]);
    expect(asked).to.deep.equal(["header:9"]);
    expect(new Set(opened)).to.deep.equal(new Set([1n]));
  });

  it("ends a pass that has met 1,024 reads, or transactions of 16 blocks, and gives none more than 10 million steps", async () => {
    const headerOf = (block: number): ModuleRead => {
      return { kind: "header", field: "number", chainId: 1n, block: BigInt(block) };
    };
    const transactionOf = (block: number): ModuleRead => {
      return { ...headerOf(block), kind: "transaction", field: "nonce", index: 0 };
    };
    const programs = [headerOf, transactionOf];
    const met: number[] = [];
    const steps: number[] = [];
    const read = async (key: string): Promise<bigint> => {
      wait(3_600_000);
      return await Promise.resolve(valueOf(key));
    };
    const reader = readerOver(
      read,
      readerOver(async (key) => await Promise.resolve(valueOf(key))),
    );
    const ahead = new ReadAhead({
      readers: { reader: () => reader },
      pass: async (answer, { maxSteps }) => {
        steps.push(maxSteps);
        const program = programs.shift() ?? expect.fail("a third pass");
        for (let block = 0; block < 5_000; block += 1) {
          try {
            answer(program(block));
          } catch {
            met.push(block);
            break;
          }
        }
        return await Promise.resolve(maxSteps);
      },
      maxMemoryCells: 1_000,
    });
    for (const block of [10_000, 20_000, 30_000])
      await ahead.read(headerOf(block), { steps: 1, cells: 1 });
    expect(met).to.deep.equal([1_024, 16]);
    expect(steps).to.deep.equal([10_000_000, 10_000_000]);
  });

  const amount = fc.bigInt({ min: 0n, max: 300n });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.tuple(fc.constantFrom(0, 1, 2), amount, fc.bigInt({ min: 0n, max: 9n })),
    fc.tuple(fc.constantFrom(0, 1, 2), amount, fc.bigInt({ min: 0n, max: 9n })),
    fc.tuple(fc.constantFrom(3, 4), amount, fc.bigInt({ min: 0n, max: 9n })),
    fc.tuple(fc.constantFrom(5, 6, 7, 8, 9, 10, 11), amount, fc.bigInt({ min: 0n, max: 9n })),
  );

  it("changes nothing about a run, whatever placeholders its passes get from readers that delay, reorder, fail and lie", async () => {
    let [readAhead, unexpected] = [0, 0];
    const answers = fc.record({
      fails: fc.nat(3),
      lies: fc.nat(3),
      seed: fc.nat(),
      lie: fc.bigInt(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.constantFrom(0, 0, 0, 1),
        // By passes where the node is far away, by strides where it is less far.
        fc.constantFrom(AWAY, 50),
        answers,
        async (plan, trueFails, milliseconds, { fails, lies, seed, lie }) => {
          const read = async (key: string): Promise<bigint> => {
            await Promise.resolve();
            wait(milliseconds);
            if (drawn(`${key} truly`, 20) < trueFails) throw new Error(`no ${key}`);
            return valueOf(key);
          };
          // Delays reorder the answers; some fail, and some are of any value, also of none that a chain has.
          const ahead = readerOver(async (key) => {
            readAhead += 1;
            for (let turn = drawn(`${key} ${seed}`, 4); turn > 0; turn -= 1)
              await new Promise((resolve) => setImmediate(resolve));
            if (drawn(`${key} fails ${seed}`, 5) < fails) throw new Error("no answer");
            return drawn(`${key} lies ${seed}`, 5) < lies ? lie : valueOf(key);
          });
          const alone = await outcomeOf(plan, read);
          const before = readAhead;
          expect(await outcomeOf(plan, read, { ahead })).to.deep.equal(alone);
          unexpected += readAhead - before;
          const { reads = [] } = alone.run ?? {};
          const other = { kind: "header", field: "number", chainId: 1n, block: lie } as const;
          const expected = [...reads.slice(fails), other, { ...other, chainId: 2n }];
          expect(await outcomeOf(plan, read, { ahead, expected })).to.deep.equal(alone);
        },
      ),
      { numRuns: 300 },
    );
    // Without passes there is none: the plans are random, and so is the number.
    expect(unexpected).to.be.above(30);
  });
});
