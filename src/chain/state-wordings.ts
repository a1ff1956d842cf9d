/** Words by which nodes say that they have no state of a block, or no proof of it, and a public place where they were seen. */
export interface StateWording {
  readonly node: string;
  readonly words: RegExp;
  readonly source: string;
  /** The node reads such state, and proves none of it. */
  readonly isProofOnly?: boolean;
}

export const STATE_WORDINGS: readonly StateWording[] = [
  {
    node: "geth, path scheme",
    words: /historical state \S+ is not available|historical state is not available/i,
    source: "https://github.com/NomicFoundation/edr/pull/1721",
  },
  {
    node: "geth, path scheme",
    words: /historical state not available in path scheme|state histories haven't been fully indexed/i,
    source: "https://github.com/drpcorg/nodecore/pull/222",
  },
  {
    node: "geth, hash scheme",
    words: /missing trie node/i,
    source: "https://github.com/ethereum/go-ethereum/issues/20874",
  },
  {
    node: "geth 1.16, hash scheme",
    words: /^not supported$/i,
    source: "test/chain/geth-limits.tools.test.ts",
  },
  {
    node: "geth",
    words: /required historical state unavailable/i,
    source: "https://github.com/blockscout/blockscout/issues/2219",
  },
  {
    node: "erigon",
    words: /block is too old, block must be within \d+ blocks of the head/i,
    source: "https://github.com/erigontech/erigon/issues/7748",
    isProofOnly: true,
  },
  {
    node: "erigon 3",
    words: /old data not available due to pruning/i,
    source: "https://github.com/drpcorg/nodecore/pull/222",
  },
  {
    node: "nethermind",
    words: /no state available for block/i,
    source: "https://github.com/NethermindEth/nethermind/issues/8174",
  },
  {
    node: "nethermind",
    words: /MissingTrieNodeException/,
    source: "https://github.com/NethermindEth/nethermind/issues/9408",
  },
  {
    node: "besu",
    words: /world state (?:unavailable|(?:is )?not available)/i,
    source: "https://github.com/besu-eth/besu/issues/9040",
  },
  {
    node: "reth",
    words: /exceeds maximum proof window/i,
    source: "https://github.com/paradigmxyz/reth/issues/14952",
    isProofOnly: true,
  },
  {
    node: "reth",
    words: /state at block #?\d+ is pruned/i,
    source: "https://github.com/drpcorg/nodecore/pull/222",
  },
  {
    node: "OpenEthereum",
    words: /node is running with state pruning/i,
    source: "https://github.com/openethereum/openethereum/issues/178",
  },
  {
    node: "Infura",
    words: /access (?:to )?archive state/i,
    source: "https://github.com/ethers-io/ethers.js/issues/715",
  },
  {
    node: "Chainstack and others",
    words: /access to archival, debug, or trace data is not included/i,
    source: "https://github.com/drpcorg/nodecore/pull/222",
  },
];

/** Returns the wording that a node's error has, by its message or its data; undefined for all else. */
export function stateWording(text: string): StateWording | undefined {
  return STATE_WORDINGS.find(({ words }) => words.test(text));
}
