/** Messages of nodes that lack a block's state, or its proof, and their sources: a thread on GitHub, or a test. */
export const STATE_WORDINGS: readonly (readonly [node: string, words: RegExp, source: string])[] = [
  ["geth, path scheme", /historical state (?:\S+ )?is not available/i, "NomicFoundation/edr/pull/1721"],
  ["geth, path scheme", /historical state not available in path scheme/i, "drpcorg/nodecore/pull/222"],
  ["geth, path scheme", /state histories haven't been fully indexed/i, "drpcorg/nodecore/pull/222"],
  ["geth, hash scheme", /missing trie node/i, "ethereum/go-ethereum/issues/20874"],
  ["geth 1.16, hash scheme", /^not supported$/i, "test/chain/geth-limits.tools.test.ts"],
  ["geth", /required historical state unavailable/i, "blockscout/blockscout/issues/2219"],
  ["anvil with --state", /BlockOutOfRangeError: block height is \d+ but/, "test/conformance/anvil.tools.test.ts"],
  ["erigon", /block is too old, block must be within \d+ blocks of the head/i, "erigontech/erigon/issues/7748"],
  ["erigon 3", /old data not available due to pruning/i, "drpcorg/nodecore/pull/222"],
  ["nethermind", /no state available for block/i, "NethermindEth/nethermind/issues/8174"],
  ["nethermind", /MissingTrieNodeException/, "NethermindEth/nethermind/issues/9408"],
  ["besu", /world state (?:unavailable|(?:is )?not available)/i, "besu-eth/besu/issues/9040"],
  ["reth", /exceeds maximum proof window/i, "paradigmxyz/reth/issues/14952"],
  ["reth", /state at block #?\d+ is pruned/i, "drpcorg/nodecore/pull/222"],
  ["OpenEthereum", /node is running with state pruning/i, "openethereum/openethereum/issues/178"],
  ["Infura", /access (?:to )?archive state/i, "ethers-io/ethers.js/issues/715"],
  ["Chainstack and others", /access to archival, debug, or trace data is not included/i, "drpcorg/nodecore/pull/222"],
];

/** Returns whether a node's error, its message with its data, says that state or its proof is missing. */
export function isMissingState(text: string): boolean {
  return STATE_WORDINGS.some(([, words]) => words.test(text));
}
