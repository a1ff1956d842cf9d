import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { expect } from "chai";

import {
  markedFelts,
  outputDigest,
  parseTask,
  StateNodeMap,
  stateRootOf,
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
import { rootsByLabel } from "../../src/request/injected-state.js";

const folder = new URL("templates/", import.meta.url);

function json(file: string): unknown {
  const value: unknown = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  return value;
}

/** A template as Scarb 2.16.1 built it, run with arguments by name over answers by the read's place. */
async function run(
  template: string,
  values: Readonly<Record<string, unknown>>,
  answer: (read: ModuleRead) => ModuleValue,
  roots: Readonly<Record<string, `0x${string}`>> = {},
): Promise<{ readonly run: ModuleRun; readonly decoded: unknown }> {
  const name = `m_${template.replace("-", "_")}_Module`;
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
      "logs",
      "injected-state",
      "bridge",
      "eth-call",
    ]);
  });

  for (const template of ["logs", "injected-state", "bridge"] as const) {
    it(`${template}: the example task gives what the compiled main takes`, () => {
      const abi = parseSierraAbi(
        json(`m_${template.replace("-", "_")}_Module.contract_class.json`),
        { file: "x" },
      );
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

  it("logs: counts and sums a token's transfers", async () => {
    const token = 0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2n;
    const transfer = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn;
    const logs = [
      { address: token, topic0: transfer, data: [2n ** 200n + 5n] },
      { address: token, topic0: 7n, data: [1n] },
      { address: 9n, topic0: transfer, data: [1n] },
      { address: token, topic0: transfer, data: [3n, 4n] },
    ];
    const { decoded, run: done } = await run(
      "logs",
      { chain_id: 1, token, block: 21000000, transaction: 2, logs: 4 },
      (read) => {
        if (read.kind !== "log" || read.index !== 2 || read.block !== 21000000n)
          return expect.fail(read.kind);
        const log = logs[read.logIndex];
        return log?.[read.field as keyof typeof log] ?? expect.fail(read.field);
      },
    );
    expect(decoded).to.deep.equal(markedFelts([2n, 8n, 2n ** 72n]));
    expect(done.reads).to.have.length(4 + 3 + 2);
  });

  it("injected-state: counts votes from one root to the next, and none twice", async () => {
    const votes = "0x766f746573";
    const yes = 0x796573n;
    const values = (voter: bigint): object => ({ chain_id: 1, block: 5, voter, choice: yes });
    const balance = (): bigint => 1n;
    const first = await run("injected-state", { ...values(0x11n) }, balance, { [votes]: "0x0" });
    const nodes = new StateNodeMap();
    const root = stateRootOf(nodes, [
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
        ...{ chain_id: 1, block: 5, bridge: 3, starknet_chain_id: "'SN_MAIN'" },
        ...{ starknet_block: 6, token: 8, supply_slot: 16 },
      },
      (read) =>
        answers.get(read.kind === "starknetStorage" ? read.slot : read.kind) ??
        expect.fail(read.kind),
    );
    expect(decoded).to.deep.equal(markedFelts([0n, 2n, 7n, 2n, 0n]));
  });
});
