import { expect } from "chai";
import type { Hex } from "viem";

import {
  type Eip1193Provider,
  evaluate,
  moduleRunner,
  recordTasks,
} from "../../src/entries/local.js";
import {
  asModule,
  type DatalakeComputeTask,
  type ModuleTask,
  STANDARD_PROGRAMS,
} from "../../src/entries/request.js";
import { computeRequest } from "../../src/compute/compute-request.js";
import { readerOpener } from "../../src/chain/readers.js";
import { standardClass } from "../../src/program/standard-classes.js";
import { compiledFile } from "../support/compiled-functions.js";
import { DistantNode } from "../support/distant-node.js";
import { awaitSubmission } from "../../src/entries/service.js";
import { clients, testChain, testServer } from "../dev-server/fixture.js";
import { SMALL_CLASS_HASH } from "../dev-server/small-class.js";
import { BOB, sharedChain } from "../support/simulated-chain.js";

const chainId = "ETHEREUM_MAINNET";
const plan = compiledFile("builtins_Plan.compiled_contract_class.json");

/** A module that reads so many slots of a block. */
function slots(count: number): ModuleTask {
  const steps = Array.from({ length: count }, (_, slot) => [0n, BigInt(slot), 6n]);
  const felts = [BigInt(BOB), BigInt(3 * count), ...steps.flat()];
  const inputs = felts.map((felt) => ({ visibility: "public" as const, value: hex(felt) }));
  return { type: "Module", programHash: "0x123", inputs };
}
const hex = (felt: bigint): Hex => `0x${felt.toString(16)}`;

const runModule = moduleRunner({
  programFor: async (hash) => {
    const standard = STANDARD_PROGRAMS.find(({ programHash }) => programHash === hash);
    if (standard !== undefined) return { compiledClassJson: await standardClass(standard) };
    return { compiledClassJson: plan, leadingFelts: 8 };
  },
});

/** The largest gas limit of eight blocks: four batches of two calls, of which two are in flight together. */
const headers: DatalakeComputeTask = {
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId,
    blockRangeStart: 0n,
    blockRangeEnd: 7n,
    increment: 1n,
    sampledProperty: { kind: "header", field: "gas_limit" },
  },
  compute: { aggregateFnId: "max" },
};

describe("round trips to a distant node", () => {
  let chain: Eip1193Provider;
  let node: DistantNode;
  before(async () => {
    chain = await sharedChain();
  });
  beforeEach(() => {
    node = new DistantNode(chain);
  });
  const signal = new AbortController().signal;

  it("asks the node for the reads and two for the head where tasks sample headers, however many tasks there are", async () => {
    for (const tasks of [
      [headers],
      [headers, { ...headers, compute: { aggregateFnId: "min" } }],
    ] as const) {
      const narrow = new DistantNode(chain, { width: 2, maxCalls: 2 });
      const readersFor = readerOpener({ providerFor: () => narrow });
      await computeRequest(tasks, { readersFor, signal, onProgress: () => undefined });
      expect(narrow.trips).to.equal(2 + 2);
    }
    const narrow = new DistantNode(chain, { width: 2, maxCalls: 2 });
    await evaluate(headers, { provider: narrow });
    expect(narrow.trips).to.equal(2 + 2);
  });

  it("takes a few round trips where a module of a request reads 200 slots", async () => {
    const options = { runModule, signal, onProgress: () => undefined };
    const [computed] = await computeRequest([slots(200)], {
      ...options,
      readersFor: readerOpener({ providerFor: () => node }),
    });
    expect(computed?.module?.reads).to.equal(200);
    expect(computed?.proven).to.equal(true);
    expect(node.trips).to.be.at.most(5);
  });

  it("takes as many where the development server runs such a module", async () => {
    const ofServer = await testChain();
    const far = new DistantNode(ofServer.provider);
    const server = await testServer({ ...ofServer, provider: far }, { runModule });
    const { modules } = clients(server.url);
    const task = { ...slots(200), programHash: SMALL_CLASS_HASH };
    const destinationChainId = "ETHEREUM_SEPOLIA";
    try {
      const submission = await modules.submit({ destinationChainId, tasks: [task] });
      await awaitSubmission(modules, submission, { timeout: 15_000 });
    } finally {
      await server.close();
    }
    expect(far.trips).to.be.at.most(5);
  });

  it("takes a few round trips where such a module is recorded", async () => {
    const { recording } = await recordTasks([slots(200)], { providerFor: () => node, runModule });
    expect(recording.chains[0]?.blocks[0]?.accounts[0]?.slots).to.have.length(200);
    expect(node.trips).to.be.at.most(6);
  });

  it("takes the datalake task's round trips where a standard program computes it", async () => {
    const options = { runModule, signal, onProgress: () => undefined };
    const trips = [];
    for (const task of [headers, asModule(headers)]) {
      const far = new DistantNode(chain);
      await computeRequest([task], {
        ...options,
        readersFor: readerOpener({ providerFor: () => far }),
      });
      trips.push(far.trips);
    }
    expect(trips).to.deep.equal([3, 3]);
  });
});
