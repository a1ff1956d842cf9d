/** Valid documents to change one thing in. */
export function blockTask(
  datalake: Readonly<Record<string, unknown>> = {},
  compute: Readonly<Record<string, unknown>> = { aggregateFnId: "avg" },
) {
  return {
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: 10,
      blockRangeEnd: 20,
      sampledProperty: "header.timestamp",
      ...datalake,
    },
    compute,
  };
}

export const ALL_TYPES = { legacy: true, eip2930: true, eip1559: true, eip4844: true };

export function transactionTask(datalake: Readonly<Record<string, unknown>> = {}) {
  return {
    type: "DatalakeCompute",
    datalake: {
      type: "TransactionsInBlock",
      chainId: "ETHEREUM_SEPOLIA",
      targetBlock: 5605816,
      startIndex: 12,
      endIndex: 53,
      includedTypes: ALL_TYPES,
      sampledProperty: "tx.nonce",
      ...datalake,
    },
    compute: { aggregateFnId: "max" },
  };
}

export function request(...tasks: readonly unknown[]) {
  return { destinationChainId: "ETHEREUM_SEPOLIA", tasks };
}

export const ADDRESS = "0x7f2C6f930306D3AA736B3A6C6A98f512F74036D4";
