import { expect } from "chai";

import {
  type Eip1193Provider,
  type ProveMode,
  ProvenChainReader,
} from "../../src/entries/local.js";
import { readerOpener } from "../../src/chain/readers.js";
import { isMissingState, STATE_WORDINGS } from "../../src/chain/node-rpc.js";
import { computeRequest } from "../../src/compute/compute-request.js";
import { account, blockSampled, header, storage } from "../../src/entries/request.js";
import { hdpFailure } from "../support/failure.js";
import { ALICE, BOB, sharedChain, SLOT } from "../support/simulated-chain.js";

const HASH = "8049d4c8d1a1f7a1b5f7c27f5a1d2a5b6f3f3ac1d1f2e3d4c5b6a79808172635";

/** What nodes answered in the threads that the table names: code, message and data. */
const ANSWERS: readonly (readonly [code: number, message: string, data?: string])[] = [
  [-32000, `historical state ${HASH} is not available`],
  [-32000, "historical state not available in path scheme yet"],
  [-32000, `missing trie node ${HASH} (path )`],
  [-32000, `missing trie node ${HASH} (path ) state 0x${HASH} is not available, not found`],
  [-32000, "not supported"],
  [-32000, "required historical state unavailable (reexec=128)"],
  [-32602, "BlockOutOfRangeError: block height is 5 but requested was 1"],
  [
    -32000,
    "requested block is too old, block must be within 1000 blocks of the head block number (currently 3696916)",
  ],
  [-32000, "old data not available due to pruning"],
  [-32002, `No state available for block 0x${HASH}`],
  [
    -32603,
    "Internal error",
    "Nethermind.Trie.MissingTrieNodeException: Node A: P:2 H:0x99 is missing from the DB\n at X",
  ],
  [-32000, "World state unavailable"],
  [-32602, "distance to target block exceeds maximum proof window"],
  [-32000, "state at block #19 is pruned"],
  [
    -32000,
    "This request is not supported because your node is running with state pruning. Run with --pruning=archive.",
  ],
  [-32002, "project ID does not have access to archive state"],
  [-32002, "project ID is required to access archive state"],
  [-32000, "Access to archival, debug, or trace data is not included in your current plan"],
];
/** Of nodes that read such state, and prove none of it. */
const OF_PROOFS = /block must be within 1000 blocks|maximum proof window/;
/** Failures of other kinds, whose words are not taken for missing state. */
const OTHERS: readonly (readonly [number, string, string?])[] = [
  [-32000, "header not found"],
  [-32603, "Internal error"],
  [-32000, "execution timeout"],
  [-32000, "upstream is not available, try later"],
  [-32602, "invalid argument 0: hex string has length 39"],
];

const STATE_READS = [
  "eth_getProof",
  "eth_getBalance",
  "eth_getTransactionCount",
  "eth_getStorageAt",
  "eth_getCode",
];

describe("a node without old state", () => {
  let chain: Eip1193Provider;
  before(async () => {
    chain = await sharedChain();
  });

  /** The chain behind a node that refuses some calls on blocks before `first`. */
  function refusing(
    [code, message, data]: readonly [number, string, string?],
    { first = 6n, methods = STATE_READS, asked = [] as string[] } = {},
  ): Eip1193Provider {
    return {
      request: async ({ method, params = [] }) => {
        asked.push(method);
        const block = params.at(-1);
        const isOld = typeof block === "string" && block.startsWith("0x") && BigInt(block) < first;
        if (methods.includes(method) && isOld)
          throw Object.assign(new Error(message), { code, data });
        return await chain.request({ method, params });
      },
    };
  }
  const balances = (from: bigint) =>
    blockSampled({ from, to: 8n, property: account(BOB, "balance") }).max();
  const compute = async (
    tasks: Parameters<typeof computeRequest>[0],
    provider: Eip1193Provider,
    prove?: ProveMode,
  ) =>
    await computeRequest(tasks, {
      readersFor: readerOpener({ providerFor: () => provider, prove }),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });

  for (const answer of ANSWERS) {
    it(`recognises missing state by "${answer[2] ?? answer[1]}"`.slice(0, 120), async () => {
      expect(
        isMissingState(answer[2] === undefined ? answer[1] : `${answer[1]} ${answer[2]}`),
      ).to.equal(true);
      for (const prove of ["require", "when-possible", "never"] as const) {
        const provider = refusing(answer);
        for (const read of [
          async (reader: ProvenChainReader) => await reader.account(5n, BOB),
          async (reader: ProvenChainReader) => await reader.storage(5n, BOB, SLOT),
          async (reader: ProvenChainReader) => await reader.code(5n, BOB),
        ]) {
          const { code, shortMessage, hints } = await hdpFailure(
            read(new ProvenChainReader(provider, { prove })),
          );
          expect([code, prove]).to.deep.equal(["HDP-4208", prove]);
          expect(shortMessage).to.contain(
            "no state of block 5, 3 blocks behind its head 8, or no proofs of it: ",
          );
          expect(shortMessage).to.contain(answer[1].replace(/\.$/, ""));
          expect(hints.join("\n")).to.contain("archive node").and.to.contain("hdp: { sources: {");
        }
        expect((await new ProvenChainReader(provider, { prove }).account(6n, BOB)).proven).to.equal(
          prove !== "never",
        );
      }
    });
  }

  for (const answer of OTHERS) {
    it(`does not take a node that says "${answer[1]}" for one without old state`, async () => {
      expect(isMissingState(answer[1])).to.equal(false);
      for (const prove of ["require", "when-possible"] as const) {
        const { code, shortMessage } = await hdpFailure(
          new ProvenChainReader(refusing(answer), { prove }).account(5n, BOB),
        );
        expect([code, prove]).to.deep.equal(["HDP-4103", prove]);
        expect(shortMessage).to.contain(answer[1]);
      }
    });
  }

  it("gives unproven values where it keeps the state and proves none of it, unless proofs are required", async () => {
    const ofProofs = ANSWERS.filter(([, words]) => OF_PROOFS.test(words));
    expect(ofProofs).to.have.length(2);
    for (const [code, message] of ofProofs) {
      const provider = refusing([code, message], { methods: ["eth_getProof"] });
      const { value, proven } = await new ProvenChainReader(provider).account(5n, BOB);
      expect([value.nonce, proven]).to.deep.equal([0n, false]);
      expect(
        (await hdpFailure(new ProvenChainReader(provider, { prove: "require" }).account(5n, BOB)))
          .code,
      ).to.equal("HDP-4208");
    }
  });

  it("finds such a node before it computes anything, and names the place in the request", async () => {
    const asked: string[] = [];
    const provider = refusing([-32000, `historical state ${HASH} is not available`], { asked });
    const headers = blockSampled({ from: 0n, to: 8n, property: header("number") }).sum();
    const slots = blockSampled({ from: 5n, to: 8n, property: storage(BOB, SLOT) }).sum();
    for (const late of [balances(3n), slots]) {
      asked.length = 0;
      const { code, path } = await hdpFailure(compute([headers, balances(6n), late], provider));
      expect([code, path]).to.deep.equal(["HDP-4208", "tasks[2].datalake.blockRangeStart"]);
      // The head, and the first block of each of the two tasks over state: nothing of the nine headers.
      expect(asked.filter((method) => method === "eth_getBlockByNumber")).to.have.length.at.most(3);
    }
    expect(
      (await compute([headers, balances(6n)], provider)).map(({ proven }) => proven),
    ).to.deep.equal([true, true]);
    expect((await compute([balances(8n)], provider, "require"))[0]?.samples).to.equal(1);
    const nobody = blockSampled({ from: 7n, to: 8n, property: account(ALICE, "nonce") }).sum();
    expect((await compute([nobody], provider))[0]?.proven).to.equal(true);
  });

  it("names a source for each wording", () => {
    for (const [, , source] of STATE_WORDINGS) {
      expect(source).to.match(/^[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+$|^test\//);
    }
  });
});
