import type { Hex } from "viem";

import { dropOldest } from "../base/collections.js";
import { keccak256, keccakBytes } from "../base/keccak.js";
import {
  encodeRlp,
  integerItem,
  isListAt,
  listOffsets,
  rlpBytes,
  type RlpItem,
  stringAt,
} from "../base/rlp.js";

// Ethereum's Merkle-Patricia tries (Yellow Paper, appendix D): reads along a proof, and tries of a list.

/** Root of a trie without entries: keccak256(rlp("")). */
export const EMPTY_TRIE_ROOT: Hex =
  "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

/** Returns the node with a hash. It checks the hash; callers do not. */
export type NodeSource = (hash: Uint8Array) => Uint8Array | undefined;

const BRANCH_ITEMS = 17;
const PATH_ITEMS = 2;
const HASH_BYTES = 32;

/** Returns the value under a key, `undefined` for a proven absence. @throws if nodes are missing or malformed */
export function trieValue(
  root: Uint8Array,
  key: Uint8Array,
  source: NodeSource,
): Uint8Array | undefined {
  let node = requireNode(root, source);
  for (let depth = 0; ;) {
    const offsets = listOffsets(node);
    let child: number;
    if (offsets.length === BRANCH_ITEMS + 1) {
      if (depth === 2 * key.length) return nonEmpty(stringAt(node, offsets[BRANCH_ITEMS - 1] ?? 0));
      child = offsets[nibble(key, depth)] ?? 0;
      depth += 1;
    } else if (offsets.length === PATH_ITEMS + 1) {
      const path = stringAt(node, offsets[0] ?? 0);
      const length = pathLength(path);
      if (!follows(path, length, key, depth)) return undefined;
      depth += length;
      child = offsets[1] ?? 0;
      // Of a leaf.
      if (nibble(path, 0) >= 2)
        return depth === 2 * key.length ? nonEmpty(stringAt(node, child)) : undefined;
    } else {
      throw new Error("a trie node is neither a branch nor a path");
    }
    if (isListAt(node, child)) {
      node = node.subarray(child, offsets[offsets.indexOf(child) + 1]);
    } else {
      const hash = stringAt(node, child);
      if (hash.length === 0) return undefined;
      node = requireNode(hash, source);
    }
  }
}

/** Maximum number of nodes in a proof: one for each nibble of a key, and the root. */
const MAX_NODES = 65;
/** Number of cached nodes, the latest ones, of half a kilobyte each. */
const KEPT_NODES = 4096;

/** Nodes by checked hash. Proofs of a run share many, and any node reached from a root by hashes is in its trie. */
export class HashedNodes {
  readonly #nodes = new Map<string, Uint8Array>();

  /** Returns a source of the nodes of one proof, hashed on demand in order. Ignores what is not hex. */
  public source(given: readonly unknown[]): NodeSource {
    const nodes = given.slice(0, MAX_NODES);
    let expected = 0;
    let isRoot = true;
    return (hash) => {
      const key = Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString("latin1");
      const looked = isRoot ? 1 : nodes.length;
      isRoot = false;
      const known = this.#nodes.get(key);
      if (known !== undefined) {
        expected += 1;
        return known;
      }
      for (let step = 0; step < looked; step += 1) {
        const position = (expected + step) % nodes.length;
        const node = hexBytes(nodes[position]);
        if (node === undefined || Buffer.compare(keccakBytes(node), hash) !== 0) continue;
        expected = position + 1;
        this.#nodes.set(key, node);
        dropOldest(this.#nodes, KEPT_NODES);
        return node;
      }
      return undefined;
    };
  }
}

/** Returns the bytes of hex text; undefined for anything else, at whose first other character decoding would end. */
function hexBytes(given: unknown): Uint8Array | undefined {
  if (typeof given !== "string" || !given.startsWith("0x")) return undefined;
  const bytes = Buffer.from(given.slice(2), "hex");
  return 2 + 2 * bytes.length === given.length ? bytes : undefined;
}

/** Returns the key of a transaction or receipt in the trie of its block: the RLP of its index. */
export function indexKey(index: number): Uint8Array {
  return rlpBytes(integerItem(BigInt(index)));
}

/** Returns a block's trie of transactions or receipts: its root, and each node by its hash. No item may be empty. */
export function listTrie(items: readonly Hex[]): {
  readonly root: Hex;
  readonly nodes: ReadonlyMap<Hex, Uint8Array>;
} {
  if (items.length === 0) return { root: EMPTY_TRIE_ROOT, nodes: new Map() };
  const nodes = new Map<Hex, Uint8Array>();
  const entries = items.map((value, index) => ({
    key: encodeRlp(integerItem(BigInt(index))).slice(2),
    value,
  }));
  entries.sort((one, other) => (one.key < other.key ? -1 : 1));
  return { root: hashed(rlpBytes(subtrie(entries, 0, nodes)), nodes), nodes };
}

interface Entry {
  /** Nibbles of the key, as hex digits. */
  readonly key: string;
  readonly value: Hex;
}

/** Returns the node over sorted entries whose keys share the nibbles before `depth`. */
function subtrie(entries: readonly Entry[], depth: number, nodes: Map<Hex, Uint8Array>): RlpItem {
  const [first] = entries;
  if (first === undefined) return "0x";
  if (entries.length === 1) return [encodedPath(first.key.slice(depth), 2), first.value];
  const last = entries.at(-1) ?? first;
  let fork = depth;
  while (first.key[fork] === last.key[fork]) fork += 1;
  if (fork > depth) {
    return [
      encodedPath(first.key.slice(depth, fork), 0),
      reference(subtrie(entries, fork, nodes), nodes),
    ];
  }
  // A key of a list is never a prefix of another, so that branches have no value.
  const children = Array.from("0123456789abcdef", (digit) =>
    entries.filter(({ key }) => key[depth] === digit),
  );
  return [...children.map((some) => reference(subtrie(some, depth + 1, nodes), nodes)), "0x"];
}

/** Returns a node as referenced by its parent: the node itself if shorter than a hash, otherwise its hash. */
function reference(node: RlpItem, nodes: Map<Hex, Uint8Array>): RlpItem {
  const rlp = rlpBytes(node);
  return rlp.length < HASH_BYTES ? node : hashed(rlp, nodes);
}

function hashed(rlp: Uint8Array, nodes: Map<Hex, Uint8Array>): Hex {
  const hash = keccak256(rlp);
  nodes.set(hash, rlp);
  return hash;
}

function requireNode(hash: Uint8Array, source: NodeSource): Uint8Array {
  const node = hash.length === HASH_BYTES ? source(hash) : undefined;
  if (node === undefined) throw new Error("a trie node is missing");
  return node;
}

function nibble(key: Uint8Array, position: number): number {
  const byte = key[position >> 1] ?? 0;
  return position % 2 === 0 ? byte >> 4 : byte & 0x0f;
}

// Hex-prefix encoding (appendix C): the first nibble has the flags of a leaf (2) and of an odd number of nibbles (1);
// an even path has a zero nibble after it.

function pathLength(path: Uint8Array): number {
  const flags = nibble(path, 0);
  if (path.length === 0 || flags > 3 || (flags % 2 === 0 && nibble(path, 1) !== 0)) {
    throw new Error("a trie node's path is malformed");
  }
  return 2 * path.length - 2 + (flags % 2);
}

/** Returns whether the key continues as the path does. */
function follows(path: Uint8Array, length: number, key: Uint8Array, depth: number): boolean {
  if (depth + length > 2 * key.length) return false;
  const start = 2 * path.length - length;
  for (let step = 0; step < length; step += 1) {
    if (nibble(path, start + step) !== nibble(key, depth + step)) return false;
  }
  return true;
}

/** @param kind 2 for a leaf, else 0 */
function encodedPath(nibbles: string, kind: 0 | 2): Hex {
  const isOdd = nibbles.length % 2 === 1;
  return isOdd ? `0x${kind + 1}${nibbles}` : `0x${kind}0${nibbles}`;
}

function nonEmpty(value: Uint8Array): Uint8Array | undefined {
  return value.length === 0 ? undefined : value;
}
