import { expect } from "chai";

import { finalizeTasks } from "../../src/entries/store.js";
import { isHdpError } from "../../src/entries/request.js";
import { hashOf, STORE } from "../submission/world.js";
import { Process } from "./process.js";
import { Scheduler } from "./scheduler.js";
import {
  NODE_FATES,
  type NodeFate,
  TRANSACTION_FATES,
  type TransactionFate,
  VirtualNode,
} from "./virtual-node.js";

const TIMEOUT = 60_000;

interface Run {
  readonly node: VirtualNode;
  readonly error: unknown;
  /** Milliseconds until it was told how it ended. */
  readonly took: number;
  /** Whether the results were in a block then. */
  readonly wasMined: boolean;
  readonly trace: string;
}

/** Finalizes one result over a node of whose calls one has a fate, as its transaction has. */
async function finalize(
  transaction: TransactionFate,
  node?: { readonly call: number; readonly fate: NodeFate },
): Promise<Run> {
  const scheduler = new Scheduler();
  const virtual = new VirtualNode({ scheduler, transaction, node });
  const { clock } = new Process({ scheduler, name: "here:1", wallTime: () => 0, blows: new Map() });
  const results = [{ taskHash: hashOf(1), word: `0x${"07".padStart(64, "0")}` }] as const;
  const run = { error: undefined as unknown, took: Infinity, wasMined: false };
  const end = (error?: unknown): void => {
    Object.assign(run, { error, took: scheduler.now, wasMined: virtual.mined.length > 0 });
  };
  void finalizeTasks({
    provider: virtual.provider,
    store: STORE,
    results,
    timeout: TIMEOUT,
    clock,
  }).then(() => {
    end();
  }, end);
  expect(await scheduler.run()).to.equal(true);
  return { node: virtual, ...run, trace: scheduler.trace.join("\n") };
}

/** What holds, whatever happened. */
function check({ node, error, took, trace }: Run): void {
  expect(node.sent, trace).to.be.at.most(1);
  expect(node.mined.length, trace).to.be.at.most(1);
  expect(took, trace).to.be.at.most(TIMEOUT + 5_000);
  if (error === undefined || node.sent === 0) return;
  expect(isHdpError(error) ? error.message : error, trace).to.match(
    /may have been sent|was sent but not mined/,
  );
}

describe("finalizing over a node that fails", () => {
  for (const transaction of TRANSACTION_FATES) {
    it(`sends one transaction and reports what happened where it ${transaction}, at each call that fails`, async () => {
      const usual = await finalize(transaction);
      check(usual);
      const isSoon = transaction === "is mined" || transaction.startsWith("is reorganised");
      if (isSoon) expect(usual.error, usual.trace).to.equal(undefined);
      else expect(usual.error, usual.trace).to.include({ code: "HDP-3009" });
      for (let call = 1; call <= Math.min(usual.node.calls, 12); call += 1) {
        for (const fate of NODE_FATES) check(await finalize(transaction, { call, fate }));
      }
    });
  }

  it("goes on waiting for its transaction where the node does not answer for a while", async () => {
    const { error, wasMined } = await finalize("is mined", { call: 3, fate: "fails before" });
    expect([error, wasMined]).to.deep.equal([undefined, true]);
  });
});
