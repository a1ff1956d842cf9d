import type { TaskRequest } from "../../src/request/task.js";

/** The published datalake vector: Sepolia 5858987..5858997, excess blob gas, count gt 10000000. */
export const datalakeRequest: TaskRequest = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [
    {
      type: "DatalakeCompute",
      datalake: {
        type: "BlockSampled",
        chainId: "ETHEREUM_SEPOLIA",
        blockRangeStart: 5858987n,
        blockRangeEnd: 5858997n,
        increment: 2n,
        sampledProperty: { kind: "header", field: "excess_blob_gas" },
      },
      compute: {
        aggregateFnId: "count",
        aggregateFnCtx: { operator: "gt", valueToCompare: 10_000_000n },
      },
    },
  ],
};

export const datalakeHash = "0x931644ee9576d1a377d4c5ba642a9f96361663f31d867d36169623f782a887fc";

/** The published module vector. */
export const moduleRequest: TaskRequest = {
  destinationChainId: "STARKNET_SEPOLIA",
  tasks: [
    {
      type: "Module",
      programHash: "0xaf1333b8346c1ac941efe380f3122a71c1f7cbad19301543712e74f765bfca",
      inputs: [
        { visibility: "public", value: "0x4f21e5" },
        { visibility: "public", value: "0x4f21e8" },
        { visibility: "private", value: "0x13cb6ae34a13a0977f4d7101ebc24b87bb23f0d5" },
      ],
    },
  ],
};

export const moduleHash = "0xd81ebd27b719967e1df4edf64c9e3ce87635089e3462306af340a393625d8726";

export const KEY = "sk_live-7Qm4Zt9.Xw2Ea8";
