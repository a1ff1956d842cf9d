import { expect } from "chai";
import { concatHex, encodeFunctionData, getAddress, type Hex, keccak256, numberToHex } from "viem";

import { batchTree, splitWord, type TaskWord } from "../../src/entries/request.js";
import {
  hdpExecutionStoreMockAbi as abi,
  type DeployedMock,
  MOCK_MMR,
  MOCK_PROGRAM_HASH,
  openExecutionStore,
  proveBatch,
  satelliteFactHash,
} from "../../src/entries/store.js";
import { type Chain, createChain, deployHarness, deployMock, send } from "./harness.js";
import { rejection } from "../support/failure.js";

const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 });
const batch = (size: number): TaskWord[] =>
  Array.from({ length: size }, (_, index) => ({
    taskHash: keccak256(word(100 * size + index)),
    word: word(index + 7),
  }));

describe("proveBatch", () => {
  let chain: Chain;
  let mock: DeployedMock;

  before(async () => {
    chain = await createChain();
  });

  beforeEach(async () => {
    mock = await deployMock(chain);
  });

  after(async () => {
    await chain.close();
  });

  const prove = async (results: readonly TaskWord[], from?: Hex) =>
    await proveBatch({ provider: chain.provider, store: mock.address, results, from });

  /** authenticateTaskExecution with parts of a proven batch replaced. */
  async function authenticate(
    proven: readonly TaskWord[],
    claimed: readonly TaskWord[],
    options: { from?: Hex | undefined; mmrIds?: bigint[]; mmrSizes?: bigint[] } = {},
  ): Promise<string | undefined> {
    const tree = batchTree(
      proven.map((result) => result.taskHash),
      proven.map((result) => result.word),
    );
    const [tasks, results] = [splitWord(tree.tasksRoot), splitWord(tree.resultsRoot)];
    const data = encodeFunctionData({
      abi,
      functionName: "authenticateTaskExecution",
      args: [
        options.mmrIds ?? [MOCK_MMR.id],
        options.mmrSizes ?? [MOCK_MMR.size],
        tasks.low,
        tasks.high,
        results.low,
        results.high,
        tree.taskProofs,
        tree.resultProofs,
        claimed.map((result) => result.taskHash),
        claimed.map((result) => result.word),
      ],
    });
    return (await send(chain, { to: mock.address, from: options.from, data })).reverted;
  }

  for (const size of [1, 2, 3, 4, 5, 16]) {
    it(`accepts a batch of ${size.toString()}`, async () => {
      const results = batch(size);
      const proven = await prove(results);
      const store = await openExecutionStore({ provider: chain.provider, address: mock.address });
      for (const { taskHash, word: expected } of results) {
        const read = await store.readResult(taskHash, { withTransaction: true });
        expect(read).to.include({ word: expected, transactionHash: proven.transactionHash });
      }
      expect(proven.totalGasUsed > proven.gasUsed).to.equal(true);
      expect(proven.gasUsed > 50_000n * BigInt(size)).to.equal(true);
    });
  }

  it("caches the MMR root once, and proves 150 tasks under 2^24 gas", async () => {
    const first = await prove(batch(2));
    const second = await prove(batch(2));
    expect(second.totalGasUsed < first.totalGasUsed).to.equal(true);
    expect((await prove(batch(150))).gasUsed < 2n ** 24n).to.equal(true);
  });

  it("refuses an address without the settings of a store", async () => {
    const { provider, accounts } = chain;
    const { address } = await deployHarness(chain, "AnswersNothing");
    const results = [{ taskHash: keccak256("0x01"), word: keccak256("0x02") }];
    expect(
      await rejection(proveBatch({ provider, store: getAddress(address), results })),
    ).to.include({
      code: "HDP-3003",
      shortMessage: `the contract at ${getAddress(address)} is not an execution store: it does not answer PROGRAM_HASH, CHAIN_ID, SHARP_FACTS_REGISTRY or loadMmrRoot as one does.`,
    });
    const [nobody = "0x"] = accounts.slice(5);
    expect(await rejection(proveBatch({ provider, store: nobody, results }))).to.include({
      code: "HDP-3002",
    });
  });

  it("checks the operator role before anything else", async () => {
    const [, stranger] = chain.accounts;
    expect(await rejection(prove(batch(1), stranger))).to.include({ code: "HDP-3004" });
    expect(await authenticate(batch(1), batch(1), { from: stranger })).to.equal("Unauthorized()");
  });

  it("refuses a batch whose fact is not registered, or is of another MMR", async () => {
    expect(await authenticate(batch(2), batch(2))).to.equal("InvalidFact()");
    await prove(batch(2));
    expect(await authenticate(batch(2), batch(2))).to.equal(undefined);
    expect(await authenticate(batch(2), batch(2), { mmrIds: [9n] })).to.equal("InvalidFact()");
    expect(await authenticate(batch(2), batch(2), { mmrIds: [] })).to.equal(
      "MockLengthMismatch(0, 1)",
    );
    expect(await authenticate(batch(2), batch(2), { mmrIds: [], mmrSizes: [] })).to.equal(
      "InvalidFact()",
    );
  });

  it("refuses a wrong result, a foreign task and a swapped pair with NotInBatch", async () => {
    const proven = batch(3);
    await prove(proven);
    const [first, second, third] = proven;
    if (first === undefined || second === undefined || third === undefined)
      throw new Error("no batch");
    expect(await authenticate(proven, [{ ...first, word: word(8) }, second, third])).to.equal(
      "NotInBatch()",
    );
    expect(await authenticate(proven, [{ ...first, taskHash: word(1) }, second, third])).to.equal(
      "NotInBatch()",
    );
    expect(await authenticate(proven, [second, first, third])).to.equal("NotInBatch()");
    expect(
      await authenticate(proven, [first, { taskHash: second.taskHash, word: third.word }]),
    ).to.equal("NotInBatch()");
    expect(await authenticate(proven, [first, second])).to.equal(undefined);
  });

  it("remains the only way to finalize after requireAuthentication", async () => {
    await send(chain, {
      to: mock.address,
      data: encodeFunctionData({ abi, functionName: "requireAuthentication" }),
    });
    const [result] = batch(1);
    if (result === undefined) throw new Error("no batch");
    const plain = {
      abi,
      functionName: "finalizeTask",
      args: [result.taskHash, result.word],
    } as const;
    expect(
      (await send(chain, { to: mock.address, data: encodeFunctionData(plain) })).reverted,
    ).to.equal("MockPlainFinalizingDisabled()");
    const many = {
      abi,
      functionName: "finalizeTasks",
      args: [[result.taskHash], [result.word]],
    } as const;
    expect(
      (await send(chain, { to: mock.address, data: encodeFunctionData(many) })).reverted,
    ).to.equal("MockPlainFinalizingDisabled()");
    await prove([result]);
    const store = await openExecutionStore({ provider: chain.provider, address: mock.address });
    expect((await store.readResult(result.taskHash)).word).to.equal(result.word);
  });

  it("hashes leaves twice", async () => {
    const data = encodeFunctionData({ abi, functionName: "standardLeafHash", args: [word(5)] });
    const leaf = await chain.provider.request({
      method: "eth_call",
      params: [{ to: mock.address, data }, "latest"],
    });
    expect(leaf).to.equal(keccak256(concatHex([keccak256(word(5))])));
  });

  for (const keccakRoot of [undefined, word(99)]) {
    const against = keccakRoot === undefined ? "its Poseidon root" : "both roots";
    it(`proves one execution after the other in the development branch's satellite, against ${against}`, async () => {
      mock = await deployMock(chain, "satellite-develop");
      expect(mock.kind).to.equal("satellite");
      const { provider } = chain;
      const results = batch(3);
      const mmr = { ...MOCK_MMR, keccakRoot };
      const proven = await proveBatch({ provider, store: mock.address, results, mmr });
      const store = await openExecutionStore({ provider, address: mock.address });
      const hashes = results.map(({ taskHash }) => taskHash);
      expect((await store.readResults(hashes)).map((read) => read.word)).to.deep.equal(
        results.map((one) => one.word),
      );
      const last = results.at(-1) ?? { taskHash: "0x", word: "0x" };
      const chained = { ...MOCK_MMR, chainId: 11155111n };
      const keccakMmrs = keccakRoot === undefined ? [] : [{ ...chained, root: keccakRoot }];
      const execution = {
        ...last,
        programHash: MOCK_PROGRAM_HASH,
        poseidonMmrs: [chained],
        keccakMmrs,
      };
      expect(proven.factHash).to.equal(satelliteFactHash(execution));
      expect(proven.totalGasUsed > proven.gasUsed && proven.gasUsed > 3n * 21_000n).to.equal(true);
      // As in the real one, a result is final.
      expect(await rejection(proveBatch({ provider, store: mock.address, results }))).to.include({
        code: "HDP-3007",
      });
    });
  }
});
