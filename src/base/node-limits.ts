/** How nodes say that they are asked too often, or for too much at once, and a public place where it was seen. */
export interface NodeLimit {
  readonly node: string;
  /** `rate`: the same call may pass in a moment; `batch`: a smaller batch may pass; `query`: the call itself asks for too much. */
  readonly of: "rate" | "batch" | "query";
  readonly code?: number;
  readonly words?: RegExp;
  readonly source: string;
}

/** The first row that fits decides. Statuses of HTTP are looked at beside it. */
export const NODE_LIMITS: readonly NodeLimit[] = [
  {
    ...{ node: "Infura and others", of: "query", words: /returned more than|block range/i },
    source: "https://github.com/latticexyz/mud/issues/1522",
  },
  {
    ...{ node: "geth", of: "batch", words: /batch too large/i },
    source: "https://github.com/base/node/issues/234",
  },
  {
    ...{ node: "geth", of: "batch", code: -32003 },
    source: "test/chain/geth-limits.tools.test.ts",
  },
  {
    ...{ node: "nethermind", of: "batch", words: /batch size/i },
    source: "https://github.com/NethermindEth/nethermind/pull/5122",
  },
  {
    ...{ node: "jsonrpsee", of: "batch", words: /batch request|batch response/i },
    source: "https://github.com/paritytech/jsonrpsee/pull/1107",
  },
  {
    ...{ node: "erigon", of: "batch", words: /\bbatch\b/i },
    source: "https://github.com/erigontech/erigon/issues/18074",
  },
  {
    ...{ node: "OpenEthereum and others", of: "batch", words: /too large|too big|size (?:limit|exceeded)/i },
    source: "https://github.com/openethereum/parity-ethereum/issues/8961",
  },
  {
    ...{ node: "Infura (EIP-1474)", of: "rate", code: -32005 },
    source: "https://github.com/MetaMask/eth-json-rpc-infura/issues/33",
  },
  {
    ...{ node: "Alchemy", of: "rate", code: 429 },
    source: "https://github.com/latticexyz/mud/issues/1522",
  },
  {
    ...{ node: "QuickNode", of: "rate", code: -32012 },
    source: "https://github.com/latticexyz/mud/issues/1522",
  },
  {
    ...{ node: "QuickNode", of: "rate", code: -32007 },
    source: "https://github.com/EspressoSystems/espresso-network/pull/4838",
  },
  {
    ...{ node: "Base", of: "rate", code: -32016 },
    source: "https://github.com/base/node/issues/368",
  },
  {
    ...{ node: "Tenderly and others", of: "rate", words: /rate limit|too many requests/i },
    source: "https://github.com/fluencelabs/dev-rewards/issues/20",
  },
];

/** Returns the limit that an error of a node means, by its code and words; undefined for another error. */
export function nodeLimit(code: unknown, words: string): NodeLimit["of"] | undefined {
  return NODE_LIMITS.find((limit) => (limit.code !== undefined && limit.code === code) || limit.words?.test(words))?.of;
}
