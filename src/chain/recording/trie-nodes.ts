import { createMerkleProof, createMPT, updateMPTFromMerkleProof } from "@ethereumjs/mpt";
import { bytesToHex, type Hex } from "viem";

import { keccakBytes } from "../../base/keccak.js";
import { encodeRlp, hexToBytes, integerItem } from "../../base/rlp.js";
import { EMPTY_TRIE_ROOT } from "../state-proof.js";

type Trie = Awaited<ReturnType<typeof createMPT>>;

/**
 * Nodes of many tries, found by their hash: what is reached from a trusted root is as good as the root. Tries that
 * share nodes (one account over many blocks) share them here.
 */
export class TrieNodes {
  readonly #trie: Trie;

  private constructor(trie: Trie) {
    this.#trie = trie;
  }

  public static async of(nodes: readonly Hex[]): Promise<TrieNodes> {
    const trie = await createMPT({ useKeyHashingFunction: keccakBytes });
    await updateMPTFromMerkleProof(trie, nodes.map(hexToBytes));
    return new TrieNodes(trie);
  }

  /**
   * The value under a key of the trie with this root, `undefined` where the nodes prove that there is none.
   *
   * @throws Error where a node on the way is missing.
   */
  public async read(root: Hex, key: Uint8Array): Promise<Hex | undefined> {
    if (root === EMPTY_TRIE_ROOT) return undefined;
    const view = this.#trie.shallowCopy(false);
    view.root(hexToBytes(root));
    const value = await view.get(key, true);
    return value === null ? undefined : bytesToHex(value);
  }
}

/** Key of a list's element in its trie: rlp(index). */
export function indexKey(index: number): Uint8Array {
  return hexToBytes(encodeRlp(integerItem(BigInt(index))));
}

/** Nodes that prove some elements of an ordered list (a block's transactions or receipts), or their absence. */
export async function listProof(items: readonly Hex[], indices: Iterable<number>): Promise<readonly Hex[]> {
  const trie = await createMPT({ useKeyHashingFunction: keccakBytes });
  for (const [index, item] of items.entries()) await trie.put(indexKey(index), hexToBytes(item));
  const nodes = new Set<Hex>();
  for (const index of indices) {
    for (const node of await createMerkleProof(trie, indexKey(index))) nodes.add(bytesToHex(node));
  }
  return [...nodes];
}
