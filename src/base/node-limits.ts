/** `rate`: the same call may pass in a moment; `batch`: a smaller batch may pass; `query`: the call itself asks for too much. */
type Limit = "rate" | "batch" | "query";

/** A limit, the error code or message by which a node reports it, and the source: a thread on GitHub, or a test. */
export type NodeLimit = readonly [node: string, of: Limit, sign: number | RegExp, source: string];

/** The first row that matches decides. HTTP statuses are checked separately. */
export const NODE_LIMITS: readonly NodeLimit[] = [
  ["Infura and others", "query", /returned more than|block range/i, "latticexyz/mud/issues/1522"],
  ["geth", "batch", /batch too large/i, "base/node/issues/234"],
  ["geth", "batch", -32003, "test/chain/geth-limits.tools.test.ts"],
  ["nethermind", "batch", /batch size/i, "NethermindEth/nethermind/pull/5122"],
  ["jsonrpsee", "batch", /batch request|batch response/i, "paritytech/jsonrpsee/pull/1107"],
  ["erigon", "batch", /\bbatch\b/i, "erigontech/erigon/issues/18074"],
  [
    "OpenEthereum",
    "batch",
    /too large|too big|size (?:limit|exceeded)/i,
    "openethereum/parity-ethereum/issues/8961",
  ],
  ["Infura (EIP-1474)", "rate", -32005, "MetaMask/eth-json-rpc-infura/issues/33"],
  ["Alchemy", "rate", 429, "latticexyz/mud/issues/1522"],
  ["QuickNode", "rate", -32012, "latticexyz/mud/issues/1522"],
  ["QuickNode", "rate", -32007, "EspressoSystems/espresso-network/pull/4838"],
  ["Base", "rate", -32016, "base/node/issues/368"],
  [
    "Tenderly and others",
    "rate",
    /rate limit|too many requests/i,
    "fluencelabs/dev-rewards/issues/20",
  ],
];

/** Returns the limit that a node reports with an error code or message; undefined for any other error. */
export function nodeLimit(code: unknown, words: string): Limit | undefined {
  const limit = NODE_LIMITS.find(([, , sign]) =>
    typeof sign === "number" ? sign === code : sign.test(words),
  );
  return limit?.[1];
}
