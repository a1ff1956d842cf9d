import { expect } from "chai";
import {
  type AbiFunction,
  type AbiParameter,
  encodeFunctionData,
  type Hex,
  numberToHex,
  padHex,
} from "viem";

import { hdpExecutionStoreAbi, hdpSatelliteAbi, type MockKind } from "../../src/entries/store.js";
import { MOCK_KINDS } from "../../src/store/execution-store.js";
import { type Chain, createChain, deployMock, revertOf } from "./harness.js";

const READS_OF_2024 = ["cachedTasksResult", "getFinalizedTaskResult", "getTaskStatus"];
const REQUESTS_OF_2024 = [
  "requestExecutionOfModuleTask",
  "requestExecutionOfTaskWithBlockSampledDatalake",
  "requestExecutionOfTaskWithTransactionsInBlockDatalake",
];
const OF_SATELLITES = [
  "accountField",
  "accountFieldSafe",
  "getDataProcessorFinalizedTaskResult",
  "getDataProcessorTaskStatus",
  "headerField",
  "headerFieldSafe",
  "proveTimestamp",
  "requestDataProcessorExecutionOfTask",
  "storageSlot",
  "storageSlotSafe",
  "timestamp",
  "timestampSafe",
];

/** What docs/contracts.md says: requests, what contracts read, and storage proofs; the rest is there in each mock. */
const ABSENT: Readonly<Record<MockKind, readonly string[]>> = {
  satellite: [...READS_OF_2024, ...REQUESTS_OF_2024],
  "execution-store": OF_SATELLITES,
  // It authenticates by another selector.
  "satellite-develop": [
    "authenticateDataProcessorTaskExecution",
    ...READS_OF_2024,
    ...REQUESTS_OF_2024,
  ],
};

/** A value of an ABI type that is 0 or empty everywhere. */
function zeroOf(parameter: AbiParameter): unknown {
  if (parameter.type.endsWith("[]")) return [];
  if (parameter.type === "tuple")
    return Object.fromEntries(
      (parameter as { components: readonly AbiParameter[] }).components.map((member) => [
        member.name,
        zeroOf(member),
      ]),
    );
  if (parameter.type === "bytes") return "0x";
  if (parameter.type === "address") return padHex("0x0", { size: 20 });
  return parameter.type === "bytes32" ? padHex("0x0") : 0n;
}

describe("the mocks of each kind", () => {
  let chain: Chain;

  before(async () => {
    chain = await createChain();
  });

  after(async () => {
    await chain.close();
  });

  /** Whether a mock has a function: one that it lacks reverts without data. */
  async function has(mock: Hex, item: AbiFunction): Promise<boolean> {
    const data = encodeFunctionData({ abi: [item], args: item.inputs.map(zeroOf) });
    const call = { from: chain.accounts[0], to: mock, data, gas: numberToHex(10_000_000n) };
    try {
      await chain.provider.request({ method: "eth_call", params: [call, "latest"] });
      return true;
    } catch (error) {
      return (revertOf(error) ?? "0x") !== "0x";
    }
  }

  const functions = [...hdpExecutionStoreAbi, ...hdpSatelliteAbi].filter(
    // Asks an aggregator, and there is none of the MMR 0.
    (item) => item.type === "function" && item.name !== "cacheMmrRoot",
  ) as readonly AbiFunction[];

  for (const kind of MOCK_KINDS) {
    it(`lack what contracts call in the other kind, and nothing else: ${kind}`, async () => {
      const mock = await deployMock(chain, kind);
      const absent = [];
      for (const item of functions) if (!(await has(mock.address, item))) absent.push(item.name);
      expect(absent.toSorted()).to.deep.equal(ABSENT[kind].toSorted());
    });
  }
});
