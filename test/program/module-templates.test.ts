import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { expect } from "chai";
import { type Hex, keccak256, toHex } from "viem";

import {
  markedFelts,
  outputDigest,
  parseTask,
  StateNodeMap,
  computeStateRoot,
} from "../../src/entries/request.js";
import {
  parseSierraAbi,
  decodeReturn,
  encodeArguments,
  leadingFelts,
  scaffoldModule,
} from "../../src/entries/program.js";
import { type ModuleRead, runModule, type ModuleRun } from "../../src/entries/local.js";
import type { ModuleValue } from "../../src/cairo/module-read.js";
import { MODULE_TEMPLATES } from "../../src/program/scarb.js";
import { COMMANDS } from "../support/run-command.js";
import { rootsByLabel } from "../../src/request/injected-state.js";

const folder = new URL("templates/", import.meta.url);

function json(file: string): unknown {
  const value: unknown = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  return value;
}

/** Returns where a template's class lies: that of `events` is a recipe's. */
function classOf(template: string): string {
  return template === "events"
    ? "../../../examples/events/compiled/events_Module"
    : `m_${template.replace("-", "_")}_Module`;
}

/** A template as Scarb 2.16.1 built it, run with arguments by name over answers by the read's place. */
async function run(
  template: string,
  values: Readonly<Record<string, unknown>>,
  answer: (read: ModuleRead) => ModuleValue,
  roots: Readonly<Record<string, `0x${string}`>> = {},
): Promise<{ readonly run: ModuleRun; readonly decoded: unknown }> {
  const name = classOf(template);
  const abi = parseSierraAbi(json(`${name}.contract_class.json`), { file: name });
  const done = await runModule(json(`${name}.compiled_contract_class.json`), {
    inputs: encodeArguments(abi, values).map(({ visibility, value }) => ({
      visibility,
      value: BigInt(value),
    })),
    leadingFelts: leadingFelts(abi),
    read: answer,
    injectedState: { roots: rootsByLabel(roots) },
  });
  return {
    run: done,
    decoded: done.status === "returned" ? decodeReturn(abi, done.retdata) : done.message,
  };
}

const TOKEN = 0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2n;
const TRANSFER = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn;
const EVENT_LOGS = [
  { address: TOKEN, topic0: TRANSFER, data: [2n ** 130n] },
  { address: TOKEN, topic0: TRANSFER, data: [5n, 4n] },
  { address: TOKEN, topic0: 7n, data: [1n] },
];

/** The words of a bloom filter with the bits of some values: of each hash three pairs of bytes modulo 2,048. */
function bloomWords(values: readonly Hex[]): bigint[] {
  let bloom = 0n;
  for (const value of values)
    for (const pair of keccak256(value).slice(2, 14).match(/.{4}/g) ?? [])
      bloom |= 1n << (BigInt(`0x${pair}`) % 2048n);
  return Array.from({ length: 8 }, (_, word) =>
    BigInt.asUintN(256, bloom >> BigInt(1792 - 256 * word)),
  );
}

type Events = ReturnType<typeof run>;

/** Runs the template `events` over block 6, without logs, and block 7, with a payment and three logs of a token. */
async function runEvents(
  receipts: readonly object[],
  { first = 6, openFrom = 1 }: { readonly first?: number; readonly openFrom?: number } = {},
): Events {
  const bloom = bloomWords([toHex(TOKEN, { size: 20 }), toHex(TRANSFER, { size: 32 })]);
  const place = { chain_id: 1, emitter: TOKEN, topic0: TRANSFER };
  return await run("events", { ...place, first_block: first, last_block: 7, receipts }, (read) => {
    const index = "index" in read ? read.index : undefined;
    if (read.field === "logsBloom")
      return read.block === 7n && (index ?? openFrom) >= openFrom ? bloom : bloomWords([]);
    if (read.field === "gasUsed") return 63000n;
    if (read.field === "cumulativeGasUsed") return index === 0 ? 21000n : 63000n;
    const log = read.kind === "log" ? EVENT_LOGS[read.logIndex] : undefined;
    return log?.[read.field as keyof typeof log] ?? expect.fail(read.field);
  });
}

describe("module templates", () => {
  it("eth-call: the class that tests run is built from the template as it is", () => {
    const files = scaffoldModule("eth_call", "eth-call");
    const sources = createHash("sha256");
    for (const path of ["src/lib.cairo", "src/output.cairo"]) sources.update(files.get(path) ?? "");
    const readme = readFileSync(
      new URL("../conformance/eth-call/compiled/README.md", import.meta.url),
      "utf8",
    );
    expect(readme).to.contain(sources.digest("hex"));
  });

  it("offers one template of each kind", () => {
    expect(MODULE_TEMPLATES).to.deep.equal([
      "balance",
      "events",
      "injected-state",
      "bridge",
      "eth-call",
    ]);
    const option = COMMANDS["module new"]?.options["template"]?.description ?? "";
    for (const template of MODULE_TEMPLATES) expect(option).to.contain(template);
  });

  for (const template of ["events", "injected-state", "bridge"] as const) {
    it(`${template}: the example task gives what the compiled main takes`, () => {
      const abi = parseSierraAbi(json(`${classOf(template)}.contract_class.json`), { file: "x" });
      const files = scaffoldModule("my_module", template);
      const task = JSON.parse(files.get("tasks/my_module.json") ?? "") as {
        tasks: { module: { arguments: object }; injected_state?: object }[];
      };
      const inputs = encodeArguments(abi, task.tasks[0]?.module.arguments);
      const { injected_state } = task.tasks[0] ?? {};
      const parsed = parseTask({ type: "Module", programHash: "0x1", inputs, injected_state });
      expect(parsed).to.have.property("type", "Module");
      expect(files.get("src/lib.cairo"))
        .to.contain("pub fn main(")
        .and.to.match(/^ {4}\/\/\/ [A-Z]/m);
    });
  }

  it("events: sums proven logs, and says what is known of the others and what it costs", async () => {
    const all = [
      { block: 7, transaction: 0, logs: 0 },
      { block: 7, transaction: 1, logs: 3 },
    ];
    // Block 6 is excluded by its bloom; block 7 has a payment and three logs, of which two are the event's.
    const cases: readonly (readonly [receipts: object[], output: bigint[], reads: number])[] = [
      [all, [2n, 5n, 4n, 1n, 1n, 1n], 2 + 2 + 2 + 3 + 3 + 2 + 1],
      [all.slice(1), [2n, 5n, 4n, 1n, 0n, 1n], 2 + 2 + 3 + 3 + 2],
      [all.slice(0, 1), [0n, 0n, 0n, 1n, 0n, 0n], 2 + 2 + 1],
      [[], [0n, 0n, 0n, 1n, 0n, 0n], 2],
    ];
    for (const [receipts, output, reads] of cases) {
      const done = await runEvents(receipts);
      expect(done.decoded).to.deep.equal(markedFelts(output));
      expect(done.run.reads).to.have.length(reads);
    }
  });

  it("events: takes receipts in order, once, and of blocks that the bloom does not exclude", async () => {
    const event = { block: 7, transaction: 1, logs: 3 };
    const payment = { block: 7, transaction: 0, logs: 0 };
    expect((await runEvents([event, event])).decoded).to.equal("receipts are not in order");
    expect((await runEvents([event, payment])).decoded).to.equal("receipts are not in order");
    const unused = "receipts that no block needs";
    expect((await runEvents([{ ...payment, block: 6 }])).decoded).to.equal(unused);
    expect((await runEvents([event, { ...payment, block: 8 }])).decoded).to.equal(unused);
  });

  it("events: costs what the README of its recipe says", async () => {
    const payments = (count: number): object[] =>
      Array.from({ length: count }, (_, transaction) => ({ block: 7, transaction, logs: 0 }));
    const logs = (count: number): object[] => [{ block: 7, transaction: 0, logs: count }];
    const none = { openFrom: 99 };
    const open = { openFrom: 0 };
    // Two runs of which one has so many more.
    const excluded = (count: number): Events => runEvents([], { first: 7 - count, ...none });
    const rows: Readonly<Record<string, readonly [less: Events, more: Events, by: number]>> = {
      "a block that the bloom excludes": [excluded(1), excluded(5), 4],
      "a receipt that its bloom excludes": [
        runEvents(payments(2), none),
        runEvents(payments(6), none),
        4,
      ],
      "a receipt that may have the event, but its logs": [
        runEvents(payments(2), open),
        runEvents(payments(6), open),
        4,
      ],
      "each log of the event": [runEvents(logs(1), open), runEvents(logs(2), open), 1],
    };
    const readme = readFileSync(new URL("../../../examples/events/README.md", folder), "utf8");
    for (const [what, [less, more, by]] of Object.entries(rows)) {
      const [from, to] = [(await less).run, (await more).run];
      const reads = (to.reads.length - from.reads.length) / by;
      const cells = [what, String((to.steps - from.steps) / by), String(reads)];
      expect(readme.replace(/ +/g, " ")).to.contain(`| ${cells.join(" | ")} |`);
    }
  });

  it("injected-state: counts votes from one root to the next, and none twice", async () => {
    const votes = "0x766f746573";
    const yes = 0x796573n;
    const values = (voter: bigint): object => ({ chain_id: 1, block: 5, voter, choice: yes });
    const balance = (): bigint => 1n;
    const first = await run("injected-state", { ...values(0x11n) }, balance, { [votes]: "0x0" });
    const nodes = new StateNodeMap();
    const root = computeStateRoot(nodes, [
      [0x11n, yes],
      [yes, 1n],
    ]);
    expect(first.decoded).to.equal(outputDigest([root, 1n]));
    expect(first.run.injectedState).to.have.length(1);
    expect(first.run.injectedState[0]).to.include({ rootBefore: 0n, rootAfter: root });
    expect(
      (await run("injected-state", { ...values(0x11n) }, () => 0n, { [votes]: "0x0" })).decoded,
    ).to.equal("no balance");
    await run("injected-state", { ...values(0x11n) }, balance).then(
      () => expect.fail("a label that is not named"),
      (error: unknown) => {
        expect(String(error)).to.contain('the label "votes"');
      },
    );
  });

  it("bridge: compares both chains, and returns both amounts and whether they fit", async () => {
    const answers = new Map<string, bigint>([
      ["account", 2n ** 129n],
      ["0x0000000000000000000000000000000000000000000000000000000000000010", 7n],
      ["0x0000000000000000000000000000000000000000000000000000000000000011", 2n],
    ]);
    const { decoded } = await run(
      "bridge",
      {
        chain_id: 1,
        block: 5,
        bridge: 3,
        starknet_chain_id: "'SN_MAIN'",
        starknet_block: 6,
        token: 8,
        supply_slot: 16,
      },
      (read) =>
        answers.get(read.kind === "starknetStorage" ? read.slot : read.kind) ??
        expect.fail(read.kind),
    );
    expect(decoded).to.deep.equal(markedFelts([0n, 2n, 7n, 2n, 0n]));
  });
});
