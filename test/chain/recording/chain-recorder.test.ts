import { expect } from "chai";
import type { Hex } from "viem";

import { type Eip1193Provider, openRecording, parseRecording } from "../../../src/entries/local.js";
import { ChainRecorder } from "../../../src/chain/recording/chain-recorder.js";
import type { RecordedChainData } from "../../../src/chain/recording/recording.js";
import { expectHdpError, failure } from "../../support/failure.js";
import { ALICE, BOB, sharedChain, SLOT, tampered } from "../../support/simulated-chain.js";

const CHAIN = "ETHEREUM_SEPOLIA";
const ABSENT = "0x00000000000000000000000000000000000000aa";
const slot = (digit: number): Hex => `0x${"00".repeat(31)}0${digit}`;

describe("the recorder of a chain", () => {
  let chain: Eip1193Provider;
  before(async () => {
    chain = await sharedChain();
  });

  const recorderOver = (provider: Eip1193Provider, signal?: AbortSignal): ChainRecorder =>
    new ChainRecorder({ chain: CHAIN, provider, signal });
  const openedFrom = async (data: RecordedChainData) => {
    const document = {
      format: "hardhat-hdp recording",
      version: 1,
      taskHashes: [],
      chains: [data],
    };
    const reader = (await openRecording(parseRecording(structuredClone(document)))).readers.get(
      CHAIN,
    );
    return reader ?? expect.fail("the chain is not recorded");
  };

  it("writes what was read in ascending order, whatever the order in which it was", async () => {
    const recorder = recorderOver(chain);
    for (const index of [2, 0, 1]) await recorder.transaction(7n, index);
    for (const index of [1, 3, 0]) await recorder.receipt(7n, index);
    for (const address of [BOB, ABSENT, ALICE] as const) await recorder.account(6n, address);
    for (const digit of [2, 3, 1]) await recorder.storage(6n, BOB, slot(digit));
    for (const block of [8n, 5n]) await recorder.header(block);
    const data = await recorder.recorded();
    expect(data.blocks.map(({ number }) => number)).to.deep.equal([5, 6, 7, 8]);
    expect(data.blocks[1]?.accounts).to.deep.equal([
      { address: ABSENT, slots: [] },
      { address: BOB, slots: [slot(1), slot(2), slot(3)] },
      { address: ALICE, slots: [] },
    ]);
    expect(data.blocks[2]).to.deep.include({
      transactionCount: 4,
      transactions: [0, 1, 2],
      receipts: [0, 1, 3],
    });
    expect(data.nodes).to.deep.equal([...data.nodes].sort());
    const reader = await openedFrom(data);
    for (const digit of [1, 2, 3]) {
      const read = digit === 1 ? { value: 42n } : { value: 0n, empty: "code" };
      const proven = { ...read, proven: true };
      expect(await reader.storage(6n, BOB, slot(digit))).to.deep.equal(proven);
    }
    await expectHdpError(reader.storage(6n, BOB, slot(4)), "HDP-4604", /^slot 0x0+4 of 0x7099/);
    await expectHdpError(reader.storage(6n, ABSENT, SLOT), "HDP-4604", /^slot 0x0+1 of 0x0+aa/);
  });

  it("finds what was read ahead, and records nothing of what was not needed", async () => {
    const asked: string[] = [];
    const watched: Eip1193Provider = {
      request: async (args) => {
        asked.push(args.method);
        return await chain.request(args);
      },
    };
    const [recorder, plain] = [recorderOver(watched), recorderOver(chain)];
    const { ahead } = recorder;
    await Promise.all([
      ahead.storage(6n, BOB, SLOT),
      ahead.storage(6n, BOB, slot(3)),
      ahead.account(7n, ALICE),
      ahead.account(6n, ABSENT),
      ahead.receipt(7n, 0),
    ]);
    asked.length = 0;
    for (const one of [recorder, plain]) {
      await one.storage(6n, BOB, SLOT);
      await one.account(7n, ALICE);
    }
    expect(asked).to.deep.equal([]);
    expect(await recorder.recorded()).to.deep.equal(await plain.recorded());
  });

  it("asks for no receipts where none was read, and for no block's body where nothing of one was", async () => {
    const asked: string[] = [];
    const watched: Eip1193Provider = {
      request: async (args) => {
        asked.push(args.params?.[1] === true ? "whole block" : args.method);
        return await chain.request(args);
      },
    };
    const headers = recorderOver(watched);
    await headers.header(7n);
    expect((await headers.recorded()).blocks[0]).not.to.have.property("transactionCount");
    expect(asked).not.to.include("whole block");
    const transactions = recorderOver(watched);
    await transactions.transaction(7n, 1);
    expect((await transactions.recorded()).blocks[0]).to.deep.include({
      transactions: [1],
      receipts: [],
    });
    expect(asked).to.include("whole block");
    expect(asked).not.to.include.oneOf(["eth_getBlockReceipts", "eth_getTransactionReceipt"]);
  });

  it("keeps nodes of proofs alone, and these in lower case, whatever else a node sends along", async () => {
    const data = async (provider: Eip1193Provider): Promise<RecordedChainData> => {
      const recorder = recorderOver(provider);
      await recorder.storage(6n, BOB, SLOT);
      await recorder.account(6n, ALICE);
      return await recorder.recorded();
    };
    const proofs = (
      nodes: (given: readonly string[]) => unknown,
      others: readonly unknown[],
    ): Eip1193Provider =>
      tampered(chain, "eth_getProof", (answer) => {
        const { accountProof, storageProof, ...rest } = answer as {
          readonly accountProof: readonly string[];
          readonly storageProof: readonly { readonly proof: readonly string[] }[];
        };
        const entries = storageProof.map((entry) => ({ ...entry, proof: nodes(entry.proof) }));
        // Where no slot is asked for, some nodes write null.
        return {
          ...rest,
          accountProof: nodes(accountProof),
          storageProof: entries.length === 0 ? null : [...entries, ...others],
        };
      });
    const junk = [null, 7, { proof: ["0x12"] }, "hello", "0xzz", "0x123"];
    const chatty = proofs(
      (nodes) => [...nodes, ...junk],
      [null, "0x34", { proof: "none" }, { other: [] }],
    );
    const inBlocks = tampered(chatty, "eth_getBlockByNumber", (answer) => ({
      ...(answer as object),
      accountProof: ["0x1234"],
    }));
    const loud = proofs((nodes) => nodes.map((node) => `0x${node.slice(2).toUpperCase()}`), []);
    const plain = await data(chain);
    expect(plain.nodes).to.have.length.greaterThan(2);
    expect(await data(inBlocks)).to.deep.equal(plain);
    expect(await data(loud)).to.deep.equal(plain);
  });

  it("says of an answer that is no proof what the reader of one says", async () => {
    for (const answer of [null, "0x12", 7]) {
      const odd = tampered(chain, "eth_getProof", () => answer);
      await expectHdpError(
        recorderOver(odd).account(6n, BOB),
        "HDP-4102",
        new RegExp(`account ${BOB} in block 6: ${JSON.stringify(answer)}, expected a JSON object`),
      );
    }
  });

  it("takes the chain itself, and any that has no name, for the one that the tasks read", async () => {
    for (const [id, written] of [
      ["0xaa36a7", "11155111"],
      ["0x7a69", "31337"],
    ] as const) {
      const recorder = recorderOver(tampered(chain, "eth_chainId", () => id));
      expect((await recorder.recorded()).nodeChainId).to.equal(written);
    }
    const mainnet = recorderOver(tampered(chain, "eth_chainId", () => "0x1"));
    await expectHdpError(
      mainnet.recorded(),
      "HDP-4605",
      /the network is ETHEREUM_MAINNET \(chain id 1\)/,
    );
  });

  it("asks for the chain's id within the bound on calls, and no longer than the signal lets it", async () => {
    const asked: string[] = [];
    const stopping = new AbortController();
    const silent: Eip1193Provider = {
      request: ({ method }) => {
        asked.push(method);
        setImmediate(() => {
          stopping.abort(new Error("enough"));
        });
        return new Promise(() => undefined);
      },
    };
    const recorder = new ChainRecorder({ chain: CHAIN, provider: silent, signal: stopping.signal });
    expect(await failure(recorder.recorded())).to.equal("enough");
    expect(asked).to.deep.equal(["eth_chainId"]);
  });
});
