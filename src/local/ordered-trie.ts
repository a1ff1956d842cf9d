import { createMPT } from "@ethereumjs/mpt";
import type { Hex } from "viem";
import { bytesToHex } from "viem";

import { keccakBytes } from "./keccak.js";
import { hexToBytes, integerItem, rlpBytes } from "./rlp.js";

/** Root of the trie that maps rlp(index) to each item: how a block commits to its transactions and its receipts. */
export async function orderedTrieRoot(items: readonly Hex[]): Promise<Hex> {
  const trie = await createMPT({ useKeyHashingFunction: keccakBytes });
  for (const [index, item] of items.entries()) {
    await trie.put(rlpBytes(integerItem(BigInt(index))), hexToBytes(item));
  }
  return bytesToHex(trie.root());
}
