/** A request that works on every chain that has begun: what descriptions offer to send. */
export const TASK_EXAMPLE = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [
    {
      type: "DatalakeCompute",
      datalake: {
        type: "BlockSampled",
        chainId: "ETHEREUM_SEPOLIA",
        blockRangeStart: 0,
        blockRangeEnd: 0,
        increment: 1,
        sampledProperty: "header.gas_limit",
      },
      compute: { aggregateFnId: "avg" },
    },
  ],
} as const;
