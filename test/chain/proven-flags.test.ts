import { expect } from "chai";
import { type Hex, keccak256, toRlp } from "viem";

import {
  type Eip1193Provider,
  type ProveMode,
  ProvenChainReader,
} from "../../src/entries/local.js";
import { headerItems, transactionEnvelope } from "../../src/chain/blocks.js";
import { rpcObject } from "../../src/chain/node-rpc.js";
import { EMPTY_TRIE_ROOT, listTrie } from "../../src/chain/trie.js";
import { hdpFailure } from "../support/failure.js";
import { ALICE, sharedChain, simulatedChain, tampered } from "../support/simulated-chain.js";

const SLOT: Hex = `0x${"00".repeat(32)}`;
/** A block with three transactions. */
const BLOCK = 7n;
const OTHER_NODE = "Nothing was finalized. On a live chain, ask another node (hdp.sources).";

describe("what a read says of its proof", () => {
  let chain: Eip1193Provider;
  before(async () => {
    chain = await sharedChain();
  });

  /** The chain behind a node that does not offer some calls. */
  function without(
    refused: (method: string, params: readonly unknown[]) => boolean,
  ): Eip1193Provider {
    return {
      request: async ({ method, params = [] }) => {
        if (refused(method, params))
          throw Object.assign(new Error("method not found"), { code: -32601 });
        return await chain.request({ method, params });
      },
    };
  }
  const noWholeBlocks = (): Eip1193Provider =>
    without((method, params) => method === "eth_getBlockByNumber" && params[1] === true);
  const noProofs = (): Eip1193Provider => without((method) => method === "eth_getProof");

  async function flags(
    provider: Eip1193Provider,
    prove: ProveMode,
  ): Promise<Readonly<Record<string, boolean>>> {
    const reader = new ProvenChainReader(provider, { prove });
    return {
      header: (await reader.header(BLOCK)).proven,
      account: (await reader.account(BLOCK, ALICE)).proven,
      storage: (await reader.storage(BLOCK, ALICE, SLOT)).proven,
      transaction: (await reader.transaction(BLOCK, 0)).proven,
      receipt: (await reader.receipt(BLOCK, 0)).proven,
    };
  }

  const all = { header: true, account: true, storage: true, transaction: true, receipt: true };
  const none = {
    header: false,
    account: false,
    storage: false,
    transaction: false,
    receipt: false,
  };

  it("says nothing of a transaction that the block does not have", async () => {
    const own = await simulatedChain();
    await own.request({
      method: "eth_sendTransaction",
      params: [{ from: ALICE, to: ALICE, value: "0x1" }],
    });
    const last = BigInt((await own.request({ method: "eth_blockNumber", params: [] })) as Hex);
    for (const [block, count, words] of [
      [BLOCK, 4, "4 transactions"],
      [last, 1, "1 transaction"],
      [1n, 0, "0 transactions"],
    ] as const) {
      const reader = new ProvenChainReader(own);
      for (const read of [reader.transaction(block, count), reader.receipt(block, count)]) {
        const error = await hdpFailure(read);
        expect([error.code, error.shortMessage, error.hints]).to.deep.equal([
          "HDP-4301",
          `block ${block} has no transaction ${count}: it has ${words}.`,
          [
            `Indices count from 0, and the endIndex of a range is exclusive: it can be at most ${count} here.`,
          ],
        ]);
      }
    }
  });

  it("says that everything is proven over a node that proves", async () => {
    expect(await flags(chain, "when-possible")).to.deep.equal(all);
    expect(await flags(chain, "require")).to.deep.equal(all);
  });

  /** The chain up to the block, which has another state root, under a hash that fits. */
  function withStateRoot(stateRoot: Hex): Eip1193Provider {
    return {
      request: async ({ method, params = [] }) => {
        if (method !== "eth_getBlockByNumber") return await chain.request({ method, params });
        const answer = await chain.request({
          method,
          params: [`0x${BLOCK.toString(16)}`, params[1]],
        });
        const block = { ...(answer as object), stateRoot };
        return {
          ...block,
          hash: keccak256(toRlp([...headerItems(rpcObject(block, "the block"))])),
        };
      },
    };
  }

  it("says that state is unproven in a block without a state root, as anvil mines them on a fork", async () => {
    const fork = withStateRoot(`0x${"00".repeat(32)}`);
    expect(await flags(fork, "when-possible")).to.deep.equal({
      ...all,
      account: false,
      storage: false,
    });
    const reader = new ProvenChainReader(fork, { prove: "require" });
    for (const read of [reader.account(BLOCK, ALICE), reader.storage(BLOCK, ALICE, SLOT)]) {
      const { code, shortMessage } = await hdpFailure(read);
      expect(code).to.equal("HDP-4204");
      expect(shortMessage).to.contain("mined on a fork, and its header has no state root");
    }
  });

  it("says nothing of an account under the root of an empty state, as block 0 of anvil has", async () => {
    const reader = new ProvenChainReader(withStateRoot(EMPTY_TRIE_ROOT));
    const { code, shortMessage } = await hdpFailure(reader.account(BLOCK, ALICE));
    expect(code).to.equal("HDP-4202");
    expect(shortMessage).to.contain(
      "the root of an empty state, as block 0 of anvil has: sample from block 1 on",
    );
  });

  it("says that everything is unproven where nothing is checked", async () => {
    expect(await flags(chain, "never")).to.deep.equal(none);
  });

  it("says nothing of a transaction and a receipt of a node that does not return whole blocks", async () => {
    for (const prove of ["require", "when-possible", "never"] as const) {
      const reader = new ProvenChainReader(noWholeBlocks(), { prove });
      for (const work of [
        reader.transaction(BLOCK, 0),
        reader.receipt(BLOCK, 0),
        reader.transactionCount(BLOCK),
      ]) {
        const { code, shortMessage } = await hdpFailure(work);
        expect(code).to.equal("HDP-4103");
        expect(shortMessage).to.contain("eth_getBlockByNumber").and.contain("method not found");
      }
    }
  });

  it("says that accounts and slots are unproven without eth_getProof", async () => {
    expect(await flags(noProofs(), "when-possible")).to.deep.equal({
      ...all,
      account: false,
      storage: false,
    });
  });

  it("gives the same values with a proof and without", async () => {
    const [bare, checked] = [
      new ProvenChainReader(chain, { prove: "never" }),
      new ProvenChainReader(chain),
    ];
    for (const index of [0, 1, 2]) {
      expect((await bare.transaction(BLOCK, index)).value).to.equal(
        (await checked.transaction(BLOCK, index)).value,
      );
      expect((await bare.receipt(BLOCK, index)).value).to.equal(
        (await checked.receipt(BLOCK, index)).value,
      );
    }
    expect(await bare.transactionCount(BLOCK)).to.equal(await checked.transactionCount(BLOCK));
  });

  it("says nothing of a body that does not fit its header; takes it where nothing is checked", async () => {
    // The first, which is read, is as it is in the chain.
    const wrongs = {
      transactions: tampered(chain, "eth_getBlockByNumber", (answer, [, whole]) => {
        const { transactions } = answer as { readonly transactions: readonly unknown[] };
        return whole === true
          ? { ...(answer as object), transactions: transactions.slice(0, 2) }
          : answer;
      }),
      receipts: tampered(chain, "eth_getTransactionReceipt", (answer) => {
        const receipt = answer as Readonly<Record<string, unknown>>;
        return receipt["transactionIndex"] === "0x3" ? { ...receipt, status: "0x0" } : receipt;
      }),
    } as const;
    for (const [things, wrong] of Object.entries(wrongs)) {
      const field = `${things}Root`;
      const read = async (reader: ProvenChainReader) =>
        await (things === "receipts" ? reader.receipt(BLOCK, 0) : reader.transaction(BLOCK, 0));
      const { code, shortMessage, hints } = await hdpFailure(read(new ProvenChainReader(wrong)));
      expect(code).to.equal("HDP-4201");
      expect(shortMessage).to.match(
        new RegExp(
          `^block 7 does not match its field "${field}": the ${things} the node returned make up the root 0x[0-9a-f]{64}, not the header's\\.$`,
        ),
      );
      expect(hints).to.deep.equal([OTHER_NODE]);
      const { value } = await read(new ProvenChainReader(chain));
      expect(await read(new ProvenChainReader(wrong, { prove: "never" }))).to.deep.equal({
        value,
        proven: false,
      });
    }
  });

  it("names anvil's blocks with blob transactions, whose root covers what no node returns", async () => {
    const anvil = tampered(chain, "eth_getBlockByNumber", (answer, [, whole]) => {
      const { transactions } = answer as { readonly transactions: readonly object[] };
      if (whole !== true) return answer;
      const blob = {
        type: "0x3",
        maxFeePerBlobGas: "0x6",
        blobVersionedHashes: [`0x01${"cd".repeat(31)}`],
      };
      const [dynamic] = transactions.filter((one) => "type" in one && one.type === "0x2");
      return { ...(answer as object), transactions: [{ ...dynamic, ...blob }] };
    });
    const { code, shortMessage } = await hdpFailure(
      new ProvenChainReader(anvil).transaction(BLOCK, 0),
    );
    expect(code).to.equal("HDP-4201");
    expect(shortMessage).to.contain(
      "not the header's. It has blob transactions: anvil hashes them with their blobs",
    );
  });

  it("says nothing of the header of another block, and says what to do", async () => {
    const other = tampered(chain, "eth_getBlockByNumber", async (answer, [number]) =>
      number === "0x3"
        ? await chain.request({ method: "eth_getBlockByNumber", params: ["0x4", false] })
        : answer,
    );
    const { code, shortMessage, hints } = await hdpFailure(new ProvenChainReader(other).header(3n));
    expect([code, shortMessage, hints]).to.deep.equal([
      "HDP-4201",
      'block 3 does not match its field "number": the node returned block 4.',
      [OTHER_NODE],
    ]);
  });

  it("throws where proofs are required and cannot be had", async () => {
    const proofs = new ProvenChainReader(noProofs(), { prove: "require" });
    for (const work of [proofs.account(BLOCK, ALICE), proofs.storage(BLOCK, ALICE, SLOT)]) {
      expect((await hdpFailure(work)).code).to.equal("HDP-4204");
    }
  });

  it("throws where the node failed, and never says that a proof is missing", async () => {
    const failing = (
      refused: (method: string, params: readonly unknown[]) => boolean,
    ): ProvenChainReader =>
      new ProvenChainReader({
        request: async ({ method, params = [] }) => {
          if (refused(method, params)) throw new Error("internal error");
          return await chain.request({ method, params });
        },
      });
    const proofs = failing((method) => method === "eth_getProof");
    const bodies = failing(
      (method, params) => method === "eth_getBlockByNumber" && params[1] === true,
    );
    const receipts = failing((method) => method === "eth_getBlockReceipts");
    for (const work of [
      () => proofs.account(BLOCK, ALICE),
      () => proofs.storage(BLOCK, ALICE, SLOT),
      () => bodies.transaction(BLOCK, 0),
      () => bodies.receipt(BLOCK, 0),
      () => bodies.transactionCount(BLOCK),
      () => receipts.receipt(BLOCK, 0),
    ]) {
      const error = await hdpFailure(work());
      expect([error.code, error.message.includes("internal error")]).to.deep.equal([
        "HDP-4103",
        true,
      ]);
    }
  });

  it("says nothing of transactions whose block has another header, whatever its root", async () => {
    const lying: Eip1193Provider = {
      request: async ({ method, params = [] }) => {
        const answer = await chain.request({ method, params });
        if (method !== "eth_getBlockByNumber" || params[1] !== true) return answer;
        const block = answer as {
          readonly transactions: readonly Readonly<Record<string, unknown>>[];
        };
        const transactions = block.transactions.slice(0, 2);
        const envelopes = transactions.map((fields) =>
          transactionEnvelope({ what: "a transaction", fields }),
        );
        // The root fits the transactions, and so only the header's hash can tell.
        return { ...block, transactions, transactionsRoot: listTrie(envelopes).root };
      },
    };
    for (const work of [
      (reader: ProvenChainReader) => reader.transaction(BLOCK, 0),
      (reader: ProvenChainReader) => reader.receipt(BLOCK, 0),
      (reader: ProvenChainReader) => reader.transactionCount(BLOCK),
    ]) {
      const error = await hdpFailure(work(new ProvenChainReader(lying)));
      expect(error.code).to.equal("HDP-4201");
      expect(error.message).to.contain('block 7 does not match its field "hash"');
    }
    expect(await new ProvenChainReader(lying, { prove: "never" }).transactionCount(BLOCK)).to.equal(
      2,
    );
  });

  it("rests on what is below the checkpoint, for transactions as for headers", async () => {
    const { hash: checkpoint } = (await chain.request({
      method: "eth_getBlockByNumber",
      params: ["0x6", false],
    })) as {
      readonly hash: Hex;
    };
    const reader = new ProvenChainReader(chain, { checkpoint });
    await reader.transaction(BLOCK, 0);
    const error = await hdpFailure(reader.anchor());
    expect(error.message).to.contain("it is block 6, and block 7 was read");
  });

  it("comes for the last transaction of a block and not for the one behind it", async () => {
    const reader = new ProvenChainReader(chain);
    const count = await reader.transactionCount(BLOCK);
    expect((await reader.transaction(BLOCK, count - 1)).value).to.match(/^0x/);
    expect((await reader.receipt(BLOCK, count - 1)).value).to.match(/^0x/);
    for (const work of [reader.transaction(BLOCK, count), reader.receipt(BLOCK, count)]) {
      const error = await hdpFailure(work);
      expect(error.code).to.equal("HDP-4301");
      expect(error.message).to.contain(
        `block 7 has no transaction ${count}: it has ${count} transactions`,
      );
    }
  });
});
