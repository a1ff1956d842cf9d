import { expect } from "chai";
import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  concatHex,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  toEventSelector,
  toFunctionSelector,
  toFunctionSignature,
  toHex,
} from "viem";
import fc from "fast-check";
import { z } from "zod";
import { formatAbiItem } from "viem/utils";

import { batchTree, resultCommitment, splitWord } from "../../src/entries/request.js";
import {
  batchFactHash,
  deployExecutionStoreMock,
  hdpAggregatorsFactoryMockAbi,
  hdpExecutionStoreAbi,
  hdpExecutionStoreMockAbi,
  hdpFactsRegistryMockAbi,
  hdpSatelliteAbi,
  hdpSatelliteDevelopAbi,
  openExecutionStore,
  satelliteFactHash,
} from "../../src/entries/store.js";
import { readProofSettings } from "../../src/store/prove-batch.js";
import { type Chain, createChain, send } from "../store/harness.js";
import { readFigures } from "../support/vectors.js";

interface Published {
  readonly functions: Readonly<Record<string, Hex>>;
  readonly events: Readonly<Record<string, Hex>>;
  readonly errors?: Readonly<Record<string, Hex>>;
}

interface FlowMmr {
  readonly chainId: string;
  readonly mmrId: string;
  readonly mmrSize: string;
  readonly root: Hex;
}

interface Flow {
  readonly taskHash: Hex;
  readonly result: Hex;
  readonly programHash: Hex;
  readonly moduleTask: { readonly programHash: Hex; readonly inputs: readonly Hex[] };
  readonly mmr: { readonly poseidon: readonly FlowMmr[]; readonly keccak?: readonly FlowMmr[] };
  readonly factHash: Hex;
}

interface Batch {
  readonly taskCommitments: readonly Hex[];
  readonly results: readonly Hex[];
  readonly resultCommitments: readonly Hex[];
  readonly tasksRoot: Hex;
  readonly resultsRoot: Hex;
  readonly taskInclusionProofs: readonly (readonly Hex[])[];
  readonly resultInclusionProofs: readonly (readonly Hex[])[];
}

interface Recomputed {
  readonly evmSelectors: Readonly<Record<string, Published>>;
  readonly contractFlows: {
    readonly satelliteMain: Flow;
    readonly satelliteDevelop: Flow;
    readonly hdpSolidityDevBatches: { readonly batches: readonly Batch[] };
  };
}

const abi = hdpExecutionStoreMockAbi;

type Item = AbiFunction | AbiEvent | Extract<Abi[number], { type: "error" }>;
const isNamed = (item: { readonly type: string }): item is Item =>
  ["function", "event", "error"].includes(item.type);
const items = (list: readonly { readonly type: string }[], type: string): Map<string, Hex> =>
  new Map(
    list
      .filter(isNamed)
      .filter((item) => item.type === type)
      .map((item) =>
        item.type === "event"
          ? [item.name, toEventSelector(item)]
          : item.type === "error"
            ? [formatAbiItem(item), toFunctionSelector(formatAbiItem(item))]
            : [toFunctionSignature(item), toFunctionSelector(item)],
      ),
  );

describe("the store contracts, against the published ones", function () {
  let vectors: Recomputed;
  let chain: Chain;

  before(async () => {
    vectors = readFigures("recomputed.json", z.unknown()) as Recomputed;
    chain = await createChain();
  });

  after(async () => {
    await (chain as Chain | undefined)?.close();
  });

  const published = (edition: string): Published => {
    const found = vectors.evmSelectors[edition];
    if (found === undefined) throw new Error(`no ${edition}`);
    return found;
  };

  it("declares every function and event of the execution store with chain ids, and its errors", () => {
    const edition = published("hdpSolidityWithChainId");
    for (const list of [abi, hdpExecutionStoreAbi]) {
      for (const [signature, selector] of Object.entries(edition.functions)) {
        expect(items(list, "function").get(signature), signature).to.equal(selector);
      }
      for (const [name, topic] of Object.entries(edition.events)) {
        expect(items(list, "event").get(name), name).to.equal(topic);
      }
    }
    const errors = items(abi, "error");
    for (const [signature, selector] of Object.entries(published("hdpSolidityDev").errors ?? {})) {
      expect(errors.get(signature), signature).to.equal(selector);
    }
    expect(Object.keys(edition.functions)).to.have.length(16);
  });

  it("declares every function, event and error of the satellite", () => {
    const edition = published("satelliteMain");
    for (const list of [abi, hdpSatelliteAbi]) {
      for (const [signature, selector] of Object.entries(edition.functions)) {
        expect(items(list, "function").get(signature), signature).to.equal(selector);
      }
      for (const [name, topic] of Object.entries(edition.events)) {
        expect(items(list, "event").get(name), name).to.equal(topic);
      }
    }
    const errors = items(abi, "error");
    for (const [signature, selector] of Object.entries(edition.errors ?? {})) {
      expect(errors.get(signature), signature).to.equal(selector);
    }
  });

  it("declares the authentication of the satellite's development branch, and the same reading functions", () => {
    const [main, develop] = [
      published("satelliteMain").functions,
      published("satelliteDevelop").functions,
    ];
    const added = Object.entries(develop).filter(([signature]) => !(signature in main));
    expect([...items(hdpSatelliteDevelopAbi, "function")]).to.deep.equal(added);
    expect(added.map(([, selector]) => selector)).to.deep.equal(["0x9c18ccc6"]);
  });

  it("accepts the published batches with their published proofs", async () => {
    const { batches } = vectors.contractFlows.hdpSolidityDevBatches;
    expect(batches.map((batch) => batch.results.length)).to.deep.equal([1, 2, 3, 4, 5]);
    const mmr = { id: 2n, size: 99n, root: `0x${"0".repeat(61)}abc` } as const;
    const store = await deployExecutionStoreMock({ provider: chain.provider });
    const settings = await readProofSettings(chain.provider, store.address, mmr);
    const state = {
      poseidonMmrRoot: mmr.root,
      keccakMmrRoot: mmr.root,
      mmrSize: mmr.size,
      continuableParentHash: mmr.root,
    };
    await send(chain, {
      to: settings.aggregatorsFactory,
      data: encodeFunctionData({
        abi: hdpAggregatorsFactoryMockAbi,
        functionName: "setAggregatorState",
        args: [mmr.id, state],
      }),
    });
    await send(chain, {
      to: store.address,
      data: encodeFunctionData({ abi, functionName: "cacheMmrRoot", args: [mmr.id] }),
    });
    const opened = await openExecutionStore({ provider: chain.provider, address: store.address });
    for (const batch of batches) {
      const tree = batchTree(batch.taskCommitments, batch.results);
      expect(tree).to.deep.equal({
        tasksRoot: batch.tasksRoot,
        resultsRoot: batch.resultsRoot,
        taskProofs: batch.taskInclusionProofs,
        resultProofs: batch.resultInclusionProofs,
      });
      const commitments = batch.results.map((result, index) =>
        resultCommitment(batch.taskCommitments[index] ?? "0x", result),
      );
      expect(commitments).to.deep.equal(batch.resultCommitments);
      const fact = batchFactHash(batch, settings, mmr);
      await send(chain, {
        to: settings.factsRegistry,
        data: encodeFunctionData({
          abi: hdpFactsRegistryMockAbi,
          functionName: "registerFact",
          args: [fact],
        }),
      });
      const [tasks, results] = [splitWord(batch.tasksRoot), splitWord(batch.resultsRoot)];
      const data = encodeFunctionData({
        abi,
        functionName: "authenticateTaskExecution",
        args: [
          [mmr.id],
          [mmr.size],
          tasks.low,
          tasks.high,
          results.low,
          results.high,
          batch.taskInclusionProofs,
          batch.resultInclusionProofs,
          batch.taskCommitments,
          batch.results,
        ],
      });
      expect((await send(chain, { to: store.address, data })).reverted).to.equal(undefined);
      for (const [index, taskHash] of batch.taskCommitments.entries()) {
        expect((await opened.readResult(taskHash)).word).to.equal(batch.results[index]);
      }
    }
  });

  for (const edition of ["satelliteMain", "satelliteDevelop"] as const) {
    it(`finalizes the published execution of ${edition} by its published fact, with the published check order`, async () => {
      const flow = vectors.contractFlows[edition];
      const isDevelop = edition === "satelliteDevelop";
      const { address } = await deployExecutionStoreMock({
        provider: chain.provider,
        kind: isDevelop ? "satellite-develop" : "satellite",
      });
      const settings = await readProofSettings(chain.provider, address, { id: 0n, size: 0n });
      const [task, result] = [splitWord(flow.taskHash), splitWord(flow.result)];
      const mmrs = (list: readonly FlowMmr[]) =>
        list.map(({ chainId, mmrId, mmrSize, root }) => ({
          chainId: BigInt(chainId),
          mmrId: BigInt(mmrId),
          mmrSize: BigInt(mmrSize),
          root,
          id: BigInt(mmrId),
          size: BigInt(mmrSize),
        }));
      const [poseidonMmr, keccakMmr] = [mmrs(flow.mmr.poseidon), mmrs(flow.mmr.keccak ?? [])];
      const { programHash, taskHash } = flow;
      const execution = { taskHash, word: flow.result, programHash, poseidonMmrs: poseidonMmr };
      expect(
        satelliteFactHash(isDevelop ? { ...execution, keccakMmrs: keccakMmr } : execution),
      ).to.equal(flow.factHash);
      const taskData = {
        taskResultLow: result.low,
        taskResultHigh: result.high,
        taskHashLow: task.low,
        taskHashHigh: task.high,
        programHash,
      };
      const functionName = "authenticateDataProcessorTaskExecution";
      const main = (change: Partial<typeof taskData>) =>
        encodeFunctionData({
          abi,
          functionName,
          args: [{ ...taskData, ...change, mmrData: poseidonMmr }],
        });
      const develop = (change: Partial<typeof taskData>) =>
        encodeFunctionData({
          abi: hdpSatelliteDevelopAbi,
          functionName,
          args: [{ ...taskData, ...change, mmrData: { poseidonMmr, keccakMmr } }],
        });
      const authenticate = async (
        change: Partial<typeof taskData> = {},
      ): Promise<string | undefined> => {
        const data = isDevelop ? develop(change) : main(change);
        return (await send(chain, { to: address, from: chain.accounts[7], data })).reverted;
      };
      const asOwner = async (
        call: Parameters<typeof encodeFunctionData<typeof abi>>[0],
      ): Promise<unknown> => await send(chain, { to: address, data: encodeFunctionData(call) });

      // The shape of the other branch is an unknown function.
      const other = await send(chain, { to: address, data: isDevelop ? main({}) : develop({}) });
      expect(other.reverted).to.equal("no reason given");
      await asOwner({ abi, functionName: "disableProgramHashes", args: [[programHash]] });
      expect(await authenticate()).to.equal("UnauthorizedProgramHash()");
      await asOwner({ abi, functionName: "setDataProcessorProgramHash", args: [programHash] });
      for (const { chainId, mmrId, mmrSize, root } of keccakMmr) {
        expect(await authenticate()).to.equal("InvalidMmrRoot()");
        await asOwner({
          abi,
          functionName: "setKeccakMmrRoot",
          args: [chainId, mmrId, mmrSize, root],
        });
      }
      for (const { chainId, mmrId, mmrSize, root } of poseidonMmr) {
        expect(await authenticate()).to.equal("InvalidMmrRoot()");
        await asOwner({ abi, functionName: "setMmrRoot", args: [chainId, mmrId, mmrSize, root] });
      }
      expect(await authenticate()).to.equal("InvalidFact()");
      const register = {
        abi: hdpFactsRegistryMockAbi,
        functionName: "registerFact",
        args: [flow.factHash],
      } as const;
      await send(chain, { to: settings.factsRegistry, data: encodeFunctionData(register) });
      expect(await authenticate({ taskResultLow: 1n })).to.equal("InvalidFact()");
      expect(await authenticate({ taskHashHigh: 2n ** 128n })).to.match(/^Error\(.*128 bits\)$/);
      expect(await authenticate()).to.equal(undefined);
      expect(await authenticate()).to.equal("TaskAlreadyFinalized()");

      const store = await openExecutionStore({
        provider: chain.provider,
        address,
        kind: "satellite",
      });
      expect((await store.readResult(taskHash)).word).to.equal(flow.result);
      const request = {
        abi,
        functionName: "requestDataProcessorExecutionOfTask",
        args: [flow.moduleTask],
      } as const;
      const { logs } = await send(chain, { to: address, data: encodeFunctionData(request) });
      expect(logs.map(({ topics, data }) => concatHex([...topics, data]))).to.deep.equal([
        concatHex([published(edition).events["TaskAlreadyStored"] ?? "0x", taskHash]),
      ]);
    });
  }

  it("computes the facts of executions over any MMRs as the contract does, in both shapes", async () => {
    const mmr = fc.record({
      chainId: fc.constantFrom(1n, 10n),
      id: fc.bigInt(0n, 3n),
      size: fc.bigInt(1n, 2n),
    });
    const mmrs = fc.uniqueArray(mmr, {
      maxLength: 3,
      selector: ({ chainId, id, size }) => `${chainId} ${id} ${size}`,
    });
    const word = fc.bigInt(0n, 2n ** 256n - 1n).map((value) => numberToHex(value, { size: 32 }));
    const { provider } = chain;
    let runs = 0;
    const [satellite, develop] = [
      await deployExecutionStoreMock({ provider }),
      await deployExecutionStoreMock({ provider, kind: "satellite-develop" }),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        word,
        word,
        mmrs,
        mmrs,
        async (isDevelop, salt, result, poseidon, keccak) => {
          const taskHash = keccak256(concatHex([salt, numberToHex(runs++)]));
          const { address } = isDevelop ? develop : satellite;
          const { programHash, factsRegistry } = await readProofSettings(provider, address, {
            id: 0n,
            size: 0n,
          });
          const rooted = (
            list: readonly { chainId: bigint; id: bigint; size: bigint }[],
            of: string,
          ) =>
            list.map((one) => ({
              ...one,
              mmrId: one.id,
              mmrSize: one.size,
              root: keccak256(toHex(`${of} ${one.id}`)),
            }));
          const [poseidonMmr, keccakMmr] = [rooted(poseidon, "p"), rooted(keccak, "k")];
          const call = async (data: Hex) => (await send(chain, { to: address, data })).reverted;
          for (const { chainId, id, size, root } of poseidonMmr)
            await call(
              encodeFunctionData({
                abi,
                functionName: "setMmrRoot",
                args: [chainId, id, size, root],
              }),
            );
          for (const { chainId, id, size, root } of keccakMmr)
            await call(
              encodeFunctionData({
                abi,
                functionName: "setKeccakMmrRoot",
                args: [chainId, id, size, root],
              }),
            );
          const [task, halves] = [splitWord(taskHash), splitWord(result)];
          const data = { taskHashLow: task.low, taskHashHigh: task.high, programHash };
          const taskData = { ...data, taskResultLow: halves.low, taskResultHigh: halves.high };
          const functionName = "authenticateDataProcessorTaskExecution";
          const authentication = isDevelop
            ? encodeFunctionData({
                abi: hdpSatelliteDevelopAbi,
                functionName,
                args: [{ ...taskData, mmrData: { poseidonMmr, keccakMmr } }],
              })
            : encodeFunctionData({
                abi,
                functionName,
                args: [{ ...taskData, mmrData: poseidonMmr }],
              });
          const execution = { taskHash, word: result, programHash, poseidonMmrs: poseidonMmr };
          const facts = [
            satelliteFactHash(execution),
            satelliteFactHash({ ...execution, keccakMmrs: keccakMmr }),
          ];
          const register = async (fact: Hex | undefined): Promise<unknown> => {
            const args = [fact ?? "0x"] as const;
            const data = encodeFunctionData({
              abi: hdpFactsRegistryMockAbi,
              functionName: "registerFact",
              args,
            });
            return await send(chain, { to: factsRegistry, data });
          };
          await register(facts[isDevelop ? 0 : 1]);
          expect(await call(authentication)).to.equal("InvalidFact()");
          await register(facts[isDevelop ? 1 : 0]);
          expect(await call(authentication)).to.equal(undefined);
        },
      ),
      { numRuns: 30 },
    );
  });
});
