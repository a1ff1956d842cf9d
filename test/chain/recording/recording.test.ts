import { expect } from "chai";
import fc from "fast-check";
import type { Hex } from "viem";

import {
  type Eip1193Provider,
  openRecording,
  parseRecording,
  parseRecordingText,
  type Recording,
  recordingText,
  evaluate,
  evaluateWith,
  type ModuleRunner,
  recordTasks,
} from "../../../src/entries/local.js";
import { keccak256 } from "../../../src/base/keccak.js";
import { hashesInForms } from "../../../src/request/task-form.js";
import { bytesToHex, encodeRlp, hexToBytes, listStrings } from "../../../src/base/rlp.js";
import { toWord } from "../../../src/base/hex.js";
import {
  account,
  blockSampled,
  header,
  storage,
  transactionsInBlock,
  tx,
  txReceipt,
  type DatalakeComputeTask,
} from "../../../src/entries/request.js";
import { failure } from "../../support/failure.js";
import {
  ALICE,
  BOB,
  sharedChain,
  simulatedChain,
  SLOT,
  without,
} from "../../support/simulated-chain.js";

const CHAIN = "ETHEREUM_SEPOLIA";
const ABSENT = "0x00000000000000000000000000000000000000aa";
const STORE = "0x00000000000000000000000000000000000000bb";

describe("recorded chain data", () => {
  let provider: Eip1193Provider;
  before(async () => {
    provider = await sharedChain();
  });

  const record = async (...tasks: DatalakeComputeTask[]): Promise<Recording> =>
    (await recordTasks(tasks, { providerFor: () => provider })).recording;
  const reopened = async (recording: Recording) =>
    await openRecording(parseRecordingText(recordingText(recording), "fixture.json"));
  const replay = async (recording: Recording, task: DatalakeComputeTask) => {
    const reader = (await reopened(recording)).readers.get(task.datalake.chainId);
    if (reader === undefined) throw new Error("the chain is not recorded");
    return await evaluateWith(reader, task);
  };

  const slots = blockSampled({ from: 6n, to: 7n, property: storage(BOB, SLOT) }).sum();
  const balances = blockSampled({ from: 6n, to: 7n, property: account(BOB, "balance") }).max();
  const values = transactionsInBlock({ block: 7n, from: 0n, to: 3n, property: tx("value") }).sum();

  it("refuses numbers, bytes and indices that no file could hold, also without parseRecording", async () => {
    const recording = await record(slots, values);
    const [chain] = recording.chains;
    const [block] = chain?.blocks ?? [];
    if (chain === undefined || block === undefined) throw new Error("a block is recorded");
    for (const [path, change] of [
      ["number", { number: -1 }],
      ["number", { number: 6.5 }],
      ["transactions[0]", { transactions: [-1] }],
      ["transactionCount", { transactionCount: NaN }],
      ["header", { header: "0xF9" }],
    ] as const) {
      const changed: Recording = {
        ...recording,
        chains: [{ ...chain, blocks: [Object.assign({}, block, change)] }],
      };
      expect(await failure(openRecording(changed)))
        .to.match(/^HDP-6001 /)
        .and.to.contain(`chains[0].blocks[0].${path}`);
    }
  });

  it("computes every kind of task from the fixture alone", async () => {
    const tasks = [
      slots,
      balances,
      values,
      blockSampled({ from: 1n, to: 7n, increment: 3n, property: header("timestamp") }).min(),
      blockSampled({ from: 1n, to: 2n, property: account(ABSENT, "nonce") }).sum(),
      blockSampled({ from: 1n, to: 2n, property: storage(ABSENT, SLOT) }).sum(),
      transactionsInBlock({
        block: 7n,
        from: 0n,
        to: 3n,
        property: txReceipt("cumulative_gas_used"),
      }).max(),
    ];
    const recording = await record(...tasks);
    expect(recording.taskHashes).to.deep.equal(tasks.flatMap((task) => hashesInForms(task)));
    expect(recording.chains.map(({ chain, nodeChainId }) => [chain, nodeChainId])).to.deep.equal([
      [CHAIN, "31337"],
    ]);
    for (const task of tasks) {
      expect(await replay(recording, task)).to.deep.equal(
        await evaluate(task, { provider, prove: "require" }),
      );
    }
    expect((await replay(recording, slots)).value).to.equal(84n);
    expect((await replay(recording, values)).value).to.equal(33n);
  });

  it("writes the same document when it records the same data again", async () => {
    expect(recordingText(await record(slots, values))).to.equal(
      recordingText(await record(slots, values)),
    );
  });

  it("keeps tasks once and chains by name, whatever the order, and says what they computed to", async () => {
    const elsewhere = blockSampled({
      chainId: "OPTIMISM_MAINNET",
      from: 1n,
      to: 4n,
      property: header("number"),
    }).sum();
    for (const tasks of [
      [elsewhere, values, elsewhere],
      [values, elsewhere, slots],
    ]) {
      const lines: string[] = [];
      const { recording, computed } = await recordTasks(tasks, {
        providerFor: () => provider,
        onProgress: (line) => lines.push(line),
      });
      expect(recording.taskHashes).to.deep.equal([
        ...new Set(tasks.flatMap((task) => hashesInForms(task))),
      ]);
      expect(recording.chains.map(({ chain }) => chain)).to.deep.equal([CHAIN, "OPTIMISM_MAINNET"]);
      const words = await Promise.all(
        tasks.map(async (task) => (await evaluate(task, { provider })).value),
      );
      expect(computed.map(({ word, proven }) => [BigInt(word), proven])).to.deep.equal(
        words.map((word) => [word, true]),
      );
      const elements = computed.reduce((all, one) => all + Number(one.elements), 0);
      expect(lines.at(-1)).to.equal(`${elements} of ${elements} sampled`);
    }
  });

  it("reads no more at once than it may, and ends with the signal", async () => {
    const stopping = new AbortController();
    const counts = { now: 0, most: 0 };
    const slow: Eip1193Provider = {
      request: async (args) => {
        counts.most = Math.max(counts.most, (counts.now += 1));
        await new Promise((resolve) => setTimeout(resolve, 5));
        counts.now -= 1;
        return await provider.request(args);
      },
    };
    await recordTasks([slots, balances], { providerFor: () => slow, concurrency: 2 });
    expect(counts.most).to.equal(2);
    const work = recordTasks([slots], {
      providerFor: () => ({
        request: () => new Promise(() => stopping.abort(new Error("enough"))),
      }),
      signal: stopping.signal,
    });
    expect(await failure(work)).to.equal("enough");
  });

  it("keeps what modules read with the runner that it is given", async () => {
    const module = { type: "Module", programHash: "0x1", inputs: [] } as const;
    const runModule: ModuleRunner = async (_task, { readerFor }) => {
      const { value, proven } = await (await readerFor(CHAIN)).storage(6n, BOB, SLOT);
      return { word: toWord(value), proven };
    };
    const { recording, computed } = await recordTasks([module], {
      providerFor: () => provider,
      runModule,
    });
    expect(computed).to.deep.equal([{ word: toWord(42n), proven: true }]);
    const reader = (await reopened(recording)).readers.get(CHAIN);
    expect(await reader?.storage(6n, BOB, SLOT)).to.deep.equal({ value: 42n, proven: true });
  });

  it("keeps code, which its account's hash proves, and makes up none", async () => {
    const own = await simulatedChain();
    const call = async (method: string, ...params: unknown[]): Promise<unknown> =>
      await own.request({ method, params });
    for (const [address, code] of [[BOB, "0x6002"], [ALICE, "0x6001"]] as const) {
      await call("hardhat_setCode", address, code);
    } // prettier-ignore
    await call("evm_mine");
    const block = BigInt((await call("eth_blockNumber")) as Hex);
    const runModule: ModuleRunner = async (_task, { readerFor }) => {
      const reader = await readerFor(CHAIN);
      for (const address of [BOB, ALICE, ABSENT] as const) await reader.code?.(block, address);
      await reader.account(block, STORE);
      return { word: toWord(1n), proven: true };
    };
    const module = { type: "Module", programHash: "0x1", inputs: [] } as const;
    const { recording } = await recordTasks([module], { providerFor: () => own, runModule });
    expect(recording.chains[0]?.codes).to.deep.equal(["0x", "0x6001", "0x6002"]);
    expect(await record(slots)).not.to.have.nested.property("chains[0].codes");
    const reader = (await reopened(recording)).readers.get(CHAIN);
    for (const [address, value] of [[BOB, "0x6002"], [ALICE, "0x6001"], [ABSENT, "0x"]] as const) {
      expect(await reader?.code?.(block, address)).to.deep.equal({ value, proven: true });
    } // prettier-ignore
    const unread = await failure(reader?.code?.(block - 1n, BOB) ?? Promise.resolve());
    expect(unread).to.match(/^HDP-4604: account 0x7099.*block \d+, is not in/);
    const [chain] = recording.chains;
    const without = { ...recording, chains: [{ ...chain, codes: ["0x", "0x6001"] }] };
    const poorer = (await openRecording(parseRecording(without))).readers.get(CHAIN);
    expect(await poorer?.code?.(block, ALICE)).to.deep.equal({ value: "0x6001", proven: true });
    expect(await failure(poorer?.code?.(block, BOB) ?? Promise.resolve())).to.match(
      /^HDP-4604: the code of 0x7099/,
    );
  });

  it("knows that an account without code has none, though no code was read", async () => {
    const recording = await record(
      blockSampled({ from: 6n, to: 6n, property: account(ABSENT, "nonce") }).sum(),
    );
    expect(recording.chains[0]).not.to.have.property("codes");
    const reader = (await reopened(recording)).readers.get(CHAIN);
    expect(await reader?.code?.(6n, ABSENT)).to.deep.equal({ value: "0x", proven: true });
  });

  it("keeps single transactions, not their block", async () => {
    const [chain] = (
      await record(
        transactionsInBlock({ block: 7n, from: 1n, to: 2n, property: tx("value") }).sum(),
      )
    ).chains;
    expect(chain?.blocks.map(({ number, transactions }) => [number, transactions])).to.deep.equal([
      [7, [1]],
    ]);
    const envelope = (await evaluateEnvelope(1)).slice(2);
    const other = (await evaluateEnvelope(2)).slice(2);
    expect(chain?.nodes.some((node) => node.includes(envelope))).to.equal(true);
    expect(chain?.nodes.some((node) => node.includes(other))).to.equal(false);
  });

  async function evaluateEnvelope(index: number): Promise<Hex> {
    const { ProvenChainReader } = await import("../../../src/chain/proven-chain-reader.js");
    return (await new ProvenChainReader(provider).transaction(7n, index)).value;
  }

  it("proves how many transactions a block has", async () => {
    const recording = await record(
      transactionsInBlock({ block: 7n, from: 1n, to: 2n, property: tx("value") }).sum(),
    );
    expect(recording.chains[0]?.blocks[0]?.transactionCount).to.equal(4);
    for (const count of [3, 5, 0]) {
      const changed = structuredClone(recording);
      const block = changed.chains[0]?.blocks.find(({ number }) => number === 7);
      Object.assign(block ?? {}, { transactionCount: count });
      expect(await failure(openRecording(changed))).to.match(
        /HDP-4603: .*block 7, field "transactionCount"/,
      );
    }
  });

  const missing: readonly [string, DatalakeComputeTask, RegExp][] = [
    [
      "a block",
      blockSampled({ from: 4n, to: 4n, property: header("number") }).sum(),
      /the header of .*block 4,/,
    ],
    [
      "an account",
      blockSampled({ from: 6n, to: 6n, property: account(ALICE, "nonce") }).sum(),
      /account 0xf39f.*block 6/,
    ],
    [
      "a slot",
      blockSampled({ from: 6n, to: 6n, property: storage(BOB, `0x${"00".repeat(31)}02`) }).sum(),
      /slot 0x/,
    ],
    [
      "a slot's account",
      blockSampled({ from: 6n, to: 6n, property: storage(ALICE, SLOT) }).sum(),
      /slot 0x/,
    ],
    [
      "a transaction",
      transactionsInBlock({ block: 7n, from: 3n, to: 4n, property: tx("value") }).sum(),
      /transaction 3/,
    ],
    [
      "a receipt",
      transactionsInBlock({ block: 7n, from: 0n, to: 1n, property: txReceipt("success") }).sum(),
      /receipt 0/,
    ],
  ];
  for (const [what, task, says] of missing) {
    it(`refuses to make up ${what}`, async () => {
      const message = await failure(replay(await record(slots, values), task));
      expect(message)
        .to.match(/^HDP-4604/)
        .and.to.match(says)
        .and.to.contain("hdp record");
    });
  }

  const changes: readonly [string, RegExp, (recording: Draft) => void][] = [
    ["a header", /block 6, field "header": it hashes to/, ({ block }) => (block(6)["header"] = flip(block(6)["header"], -3))],
    ["a block hash", /block 6, field "header": it hashes to/, ({ block }) => (block(6)["hash"] = flip(block(6)["hash"], -3))],
    ["a block number", /block 3, field "number": the header is that of block 6/, ({ block }) => (block(6)["number"] = 3)],
    ["a repeated block", /block 6, field "number": .* twice/, ({ chain }) => chain.blocks.push({ ...chain.blocks[0] })],
    ["a chain's second part", /block 6, field "chain": the chain is there twice/, ({ chains, chain }) => chains.push(chain)],
    ["a chain's second, empty part", /block 0, field "chain": the chain is there twice/, ({ chains, chain }) => chains.push({ ...chain, blocks: [] })],
    ["a node", /field "accounts\.0x7099.*its proof does not lead/, ({ chain }) => (chain.nodes = chain.nodes.map((node) => flip(node, -3)))],
    ["an index", /block 7, field "transactions\.200": /, ({ block }) => block(7)["transactions"] = [200]],
    ["an index past the end", /block 7, field "transactions\.4": the block has none/, ({ block }) => block(7)["transactions"] = [4]],
  ]; // prettier-ignore

  interface Draft {
    chains: object[];
    chain: { blocks: Record<string, unknown>[]; nodes: string[] };
    block: (number: number) => Record<string, unknown>;
  }
  for (const [what, says, change] of changes) {
    it(`notices ${what} that was tampered with`, async () => {
      const changed = structuredClone(await record(slots, values)) as unknown as {
        chains: Draft["chain"][];
      };
      const [chain] = changed.chains;
      if (chain === undefined) throw new Error("nothing was recorded");
      const block = (number: number) => chain.blocks.find((one) => one["number"] === number) ?? {};
      change({ chains: changed.chains, chain, block });
      expect(await failure(openRecording(parseRecording(changed))))
        .to.match(/^HDP-4603/)
        .and.to.match(says);
    });
  }

  /** A recording of blocks 6 to 8 whose block 8 has another header, with the hash that fits it. */
  async function forged(change: (items: readonly Hex[]) => readonly Hex[]): Promise<Recording> {
    const headers = await record(
      blockSampled({ from: 6n, to: 8n, property: header("number") }).sum(),
    );
    const [chain] = headers.chains;
    const blocks = chain?.blocks.map((block) => {
      if (block.number !== 8) return block;
      const items = listStrings(hexToBytes(block.header)).map(bytesToHex);
      const rlp = encodeRlp(change(items));
      return { ...block, header: rlp, hash: keccak256(hexToBytes(rlp)) };
    });
    return parseRecording({ ...headers, chains: [{ ...chain, blocks }] });
  }

  it("notices a block that is not its neighbour's child", async () => {
    const orphan = await forged(([, ...items]) => [`0x${"00".repeat(32)}`, ...items]);
    expect(await failure(openRecording(orphan))).to.match(
      /^HDP-4603: .*block 8, field "header": its parent is not the recorded block 7/,
    );
  });

  it("notices a header that is none: too few items, or something else than byte strings among them", async () => {
    const eight = (items: readonly Hex[]): readonly Hex[] => items.slice(0, 8);
    for (const change of [() => ["0x01"] as const, eight]) {
      expect(await failure(openRecording(await forged(change)))).to.match(
        /^HDP-4603: .*block 8, field "header": it is not a block header/,
      );
    }
    const nine = await forged((items) => items.slice(0, 9));
    const reader = (await openRecording(nine)).readers.get(CHAIN);
    expect((await reader?.header(8n))?.value).to.have.length(9);
  });

  it("notices bytes that are no list of bytes at all", async () => {
    const { chains, ...rest } = await record(
      blockSampled({ from: 8n, to: 8n, property: header("number") }).sum(),
    );
    const items = listStrings(hexToBytes(chains[0]?.blocks[0]?.header ?? "0x")).map(bytesToHex);
    const [first = "0x", ...others] = items;
    const nested = encodeRlp([[first], ...others]);
    // The first item, of 32 bytes, with a length that is longer than it has to be.
    const longer = encodeRlp([first, ...others, "0x"]).replace(
      `a0${first.slice(2)}`,
      `b820${first.slice(2)}`,
    ) as Hex;
    for (const bytes of ["0x05", "0xc1", "0x", nested, longer] as const) {
      const blocks = chains[0]?.blocks.map((block) => ({
        ...block,
        header: bytes,
        hash: keccak256(hexToBytes(bytes)),
      }));
      const none = parseRecording({ ...rest, chains: [{ ...chains[0], blocks }] });
      expect(await failure(openRecording(none)), bytes).to.match(
        /^HDP-4603: .*block 8, .*it is not a block header/,
      );
    }
  });

  it("refuses what is no fixture, naming the place", async () => {
    expect(() => parseRecordingText("{", "x.json")).to.throw(
      /^HDP-6001 in x\.json: .*it is not JSON: line 1, column 2: the text ends here/,
    );
    expect(() => parseRecordingText('{"format":"other","version":1}')).to.throw(
      'HDP-6001: the recorded chain data can\'t be read (it is "other", version 1; this package reads "hardhat-hdp recording", version 1).',
    );
    const recording = await record(slots);
    expect(() => parseRecording({ ...recording, version: 2 })).to.throw(
      /^HDP-6001: .*version 2; this package reads/,
    );
    expect(() =>
      parseRecording({ ...recording, chains: [{ ...recording.chains[0], nodes: ["0xA0"] }] }),
    ).to.throw("HDP-6001 in chains[0].nodes[0]");
    for (const none of [[], null, "recording", 7]) {
      const shown = { object: "array", string: "string", number: "number" } as Readonly<
        Record<string, string>
      >;
      const type = none === null ? "null" : shown[typeof none];
      expect(() => parseRecording(none, "x.json")).to.throw(
        `HDP-6001 in x.json: the recorded chain data can't be read (Expected object, received ${type}).`,
      );
    }
  });

  it("takes one spelling of every value, and names the field of another one", async () => {
    const recording = await record(slots, values);
    const word = `0x${"ab".repeat(32)}`;
    const owner = `0x${"ab".repeat(20)}`;
    /** What is no bytes of any length: of others, and of other types whose text is bytes. */
    const odd = ["", "0x0", "0xA0", "ab", "x0xab", "10xab", "0xab ", 7, null, ["0xab"]];
    const spelled = (right: string): readonly unknown[] => [
      `1${right}`,
      `${right}0`,
      `${right}00`,
      right.slice(0, -1),
      right.slice(0, -2),
      right.toUpperCase(),
      right.replace("ab", "AB"),
      right.slice(2),
      [right],
      7,
      null,
    ];
    const fields: readonly (readonly [string, string, readonly unknown[]])[] = [
      ["taskHashes[0]", "expected 32 bytes", spelled(word)],
      ["chains[0].nodes[0]", "expected hex", odd],
      ["chains[0].codes[0]", "expected hex", odd],
      ["chains[0].blocks[0].header", "expected hex", odd],
      ["chains[0].blocks[0].hash", "expected 32 bytes", spelled(word)],
      [
        "chains[0].blocks[0].accounts[0].address",
        "expected an address in lower case",
        spelled(owner),
      ],
      ["chains[0].blocks[0].accounts[0].slots[0]", "expected 32 bytes", spelled(word)],
      [
        "chains[0].chain",
        "expected a chain identifier",
        ["", "ethereum_sepolia", "toString", [CHAIN], 7, null],
      ],
      [
        "chains[0].nodeChainId",
        "expected a decimal number",
        ["", "0x1", "-1", "1.5", " 1", "1 ", "9".repeat(79)],
      ],
    ];
    /** The recording, whole, with one value in another's place. */
    const withValue = (path: string, value: unknown): unknown => {
      const changed = structuredClone(recording) as unknown as Record<string, unknown>;
      const [chain] = changed["chains"] as [Record<string, unknown>];
      chain["codes"] = ["0x"];
      const names = path.split(/[.[\]]+/).filter((name) => name !== "");
      let at: Record<string, unknown> = changed;
      for (const name of names.slice(0, -1)) at = at[name] as Record<string, unknown>;
      expect(at, path).to.have.property(names.at(-1) ?? "");
      at[names.at(-1) ?? ""] = value;
      return changed;
    };
    for (const [path, words, bad] of fields) {
      for (const value of bad) {
        const said =
          words === "expected a decimal number" ? value : `${path}: ${JSON.stringify(value)}`;
        expect(() => parseRecording(withValue(path, value), "x.json"), String(said)).to.throw(
          `HDP-6001 in x.json, ${path}: the recorded chain data can't be read (${words}).`,
        );
      }
    }
    for (const [path, right] of [
      ["chains[0].nodes[0]", "0x"],
      ["chains[0].nodes[0]", "0x00ff"],
      ["chains[0].nodeChainId", "9".repeat(78)],
      ["taskHashes[0]", word],
      ["chains[0].blocks[0].accounts[0].address", owner],
    ] as const) {
      expect(() => parseRecording(withValue(path, right)), path).not.to.throw();
    }
  });

  it("refuses to record what cannot be proven, modules without a runner and the wrong chain", async () => {
    const unproving = without(provider, "eth_getProof");
    expect(await failure(recordTasks([balances], { providerFor: () => unproving }))).to.contain(
      "HDP-4204",
    );
    const module = { type: "Module", programHash: "0x1", inputs: [] } as const;
    expect(await failure(recordTasks([module], { providerFor: () => provider }))).to.contain(
      "HDP-4401",
    );
    const mainnet: Eip1193Provider = {
      request: async (args) =>
        args.method === "eth_chainId" ? "0x1" : await provider.request(args),
    };
    expect(await failure(recordTasks([balances], { providerFor: () => mainnet }))).to.match(
      /^HDP-4605: the tasks read ETHEREUM_SEPOLIA \(chain id 11155111\), the network is ETHEREUM_MAINNET/,
    );
  });

  it("gives equal results for random tasks (property)", async () => {
    const properties = fc.constantFrom(
      header("timestamp"),
      header("gas_used"),
      account(BOB, "balance"),
      account(ABSENT, "nonce"),
      storage(BOB, SLOT),
      storage(ALICE, SLOT),
    );
    const ranges = fc.tuple(
      fc.integer({ min: 6, max: 8 }),
      fc.integer({ min: 6, max: 8 }),
      fc.integer({ min: 1, max: 3 }),
    );
    const blockTasks = fc.tuple(properties, ranges, fc.constantFrom("sum", "min", "max", "avg")).map(
      ([property, [a, b, increment], fn]) =>
        blockSampled({ from: Math.min(a, b), to: Math.max(a, b), increment, property })[fn as "sum"](),
    ); // prettier-ignore
    const bodyTasks = fc
      .tuple(
        fc.constantFrom(tx("value"), tx("nonce"), txReceipt("cumulative_gas_used")),
        fc.integer({ min: 0, max: 2 }),
      )
      .map(([property, from]) => transactionsInBlock({ block: 7n, from, to: 3, property }).sum());
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(blockTasks, bodyTasks), { minLength: 1, maxLength: 4 }),
        async (tasks) => {
          const recording = await record(...tasks);
          for (const task of tasks) {
            expect(await replay(recording, task)).to.deep.equal(
              await evaluate(task, { provider, prove: "require" }),
            );
          }
        },
      ),
      { numRuns: 25, seed: 6 },
    );
  });

  it("turns any changed character into an error, or reads the same values (property)", async () => {
    const tasks = [slots, values, balances];
    const text = recordingText(await record(...tasks));
    const expected = await Promise.all(
      tasks.map(async (task) => await evaluate(task, { provider })),
    );
    const outcomes = { refused: 0, same: 0 };
    const positions = fc.tuple(
      fc.nat({ max: text.length - 1 }),
      fc.constantFrom(...Array.from('0123456789abcdefA x,]}"')),
    );
    await fc.assert(
      fc.asyncProperty(positions, async ([position, character]) => {
        fc.pre(text[position] !== character);
        const changed = text.slice(0, position) + character + text.slice(position + 1);
        try {
          const { readers } = await openRecording(parseRecordingText(changed));
          for (const [index, task] of tasks.entries()) {
            const reader = readers.get(CHAIN);
            if (reader === undefined) throw new Error("the chain is gone");
            expect(await evaluateWith(reader, task)).to.deep.equal(expected[index]);
          }
          outcomes.same += 1;
        } catch (error) {
          if (!(error instanceof Error) || !/^HDP-(?:6001|460[34])/.test(error.message))
            throw error;
          outcomes.refused += 1;
        }
      }),
      { numRuns: 400, seed: 6 },
    );
    expect(outcomes.refused).to.be.greaterThan(300);
  });
});

describe("a recording of many entries", () => {
  it("refuses a recording that has more values than are read", () => {
    expect(() => parseRecordingText(`[${"0,".repeat(200_000)}0]`, "fixture.json")).to.throw(
      "it is not JSON: line 1, column 1: it has more than 150,000 values",
    );
  });
});

/** The text with one hex digit changed; `position` counts from the end when negative. */
function flip(text: unknown, position: number): string {
  const hex = String(text);
  const at = position < 0 ? hex.length + position : position;
  return hex.slice(0, at) + (hex[at] === "0" ? "1" : "0") + hex.slice(at + 1);
}
