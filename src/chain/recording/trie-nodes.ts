import type { Hex } from "viem";
import { bytesToHex } from "viem/utils";

import { keccak256 } from "../../base/keccak.js";
import { hexToBytes } from "../../base/rlp.js";
import { EMPTY_TRIE_ROOT, indexKey, listTrie, trieValue } from "../trie.js";

/**
 * Nodes of many tries, found by their hash: what is reached from a trusted root is as good as the root. Tries that
 * share nodes (one account over many blocks) share them here.
 */
export class TrieNodes {
  readonly #nodes: ReadonlyMap<Hex, Uint8Array>;

  public constructor(nodes: readonly Hex[]) {
    this.#nodes = new Map(nodes.map(hexToBytes).map((node) => [keccak256(node), node]));
  }

  /**
   * The value under a key of the trie with this root, `undefined` where the nodes prove that there is none.
   *
   * @throws Error where a node on the way is missing.
   */
  public read(root: Hex, key: Uint8Array): Hex | undefined {
    if (root === EMPTY_TRIE_ROOT) return undefined;
    const value = trieValue(hexToBytes(root), key, (hash) => this.#nodes.get(bytesToHex(hash)));
    return value === undefined ? undefined : bytesToHex(value);
  }
}

/** Nodes that prove some elements of an ordered list (a block's transactions or receipts), or their absence. */
export function listProof(items: readonly Hex[], indices: Iterable<number>): readonly Hex[] {
  const { root, nodes } = listTrie(items);
  if (items.length === 0) return [];
  const met = new Set<Hex>();
  for (const index of indices) {
    trieValue(hexToBytes(root), indexKey(index), (hash) => {
      const key = bytesToHex(hash);
      met.add(key);
      return nodes.get(key);
    });
  }
  return [...nodes].filter(([hash]) => met.has(hash)).map(([, node]) => bytesToHex(node));
}
