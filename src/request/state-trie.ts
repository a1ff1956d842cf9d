import { FELT_PRIME, isFelt } from "../base/felt.js";
import { keccak256 } from "../base/keccak.js";
import { HdpError, hdpError, inWords } from "../errors/hdp-error.js";

/** Bits of a key: every leaf is this deep. */
const HEIGHT = 251;
const KEY_LIMIT = 1n << BigInt(HEIGHT);
/** Bits dropped from the hash's 256: the upper 160 are kept. */
const DROPPED_BITS = 96n;

/** An inner node of the trie of injected state. Children are hashes; at the bottom, a hash is the leaf's value. */
export type StateNode =
  | { readonly kind: "binary"; readonly left: bigint; readonly right: bigint }
  | {
      readonly kind: "edge";
      readonly child: bigint;
      readonly path: bigint;
      readonly length: number;
    };

/** Nodes by hash. A store may have the nodes of several tries, each at several roots. */
export interface StateNodes {
  get(hash: bigint): StateNode | undefined;
  add(node: StateNode): bigint;
}

/** Returns the upper 160 bits of keccak256(left ‖ right), each as 32 bytes, big-endian. */
function pairHash(left: bigint, right: bigint): bigint {
  const digits = [left, right].map((word) => word.toString(16).padStart(64, "0")).join("");
  return BigInt(keccak256(Buffer.from(digits, "hex"))) >> DROPPED_BITS;
}

/** Returns the hash of a node. Binary nodes: H(left, right). Edges: H(child, path) + length, in the field. */
export function stateNodeHash(node: StateNode): bigint {
  requireRanges(node);
  if (node.kind === "binary") return pairHash(node.left, node.right);
  return (pairHash(node.child, node.path) + BigInt(node.length)) % FELT_PRIME;
}

function requireRanges(node: StateNode): void {
  const required = (field: string, value: unknown, isInRange: boolean): void => {
    if (!isInRange)
      throw hdpError("HDP-4427", {
        what: `the ${field} of a node (${node.kind})`,
        value: String(value),
      });
  };
  if (node.kind === "binary") {
    required("left", node.left, isFelt(node.left));
    required("right", node.right, isFelt(node.right));
    return;
  }
  const { child, path, length } = node;
  required("child", child, isFelt(child));
  required("length", length, Number.isInteger(length) && length >= 1 && length <= HEIGHT);
  required("path", path, isFelt(path) && path < 1n << BigInt(length));
}

/** Nodes of state tries in memory, by hash. */
export class StateNodeMap implements StateNodes {
  readonly #nodes = new Map<bigint, StateNode>();

  public constructor(nodes: Iterable<StateNode> = []) {
    for (const node of nodes) this.add(node);
  }

  public get(hash: bigint): StateNode | undefined {
    return this.#nodes.get(hash);
  }

  public add(node: StateNode): bigint {
    const hash = stateNodeHash(node);
    this.#nodes.set(hash, node);
    return hash;
  }
}

/** Thrown if a store lacks a node: the store is of another trie, or the proof is too short. */
export class MissingStateNodeError extends HdpError {
  public constructor(public readonly hash: bigint) {
    super(inWords("HDP-4420", { hash: `0x${hash.toString(16)}` }));
  }
}

function required(nodes: StateNodes, hash: bigint): StateNode {
  const node = nodes.get(hash);
  if (node === undefined) throw new MissingStateNodeError(hash);
  return node;
}

function requireStateEntry(key: bigint, value = 0n): void {
  if (isFelt(key) && key < KEY_LIMIT && isFelt(value)) return;
  throw hdpError("HDP-4427", { what: "an entry", value: `${key} = ${value}` });
}

/** Returns a key whose path contains a missing node on the path to `key`, or a sibling, which removals read. */
export function keyThrough(nodes: StateNodes, root: bigint, key: bigint, missing: bigint): bigint {
  let hash = root;
  let height = HEIGHT;
  while (hash !== missing && height > 0) {
    const node = nodes.get(hash);
    if (node === undefined) break;
    if (node.kind === "edge") {
      height -= node.length;
      hash = node.child;
      continue;
    }
    height -= 1;
    const [next, beside] =
      bit(key, height) === 0n ? [node.left, node.right] : [node.right, node.left];
    if (beside === missing) return key ^ (1n << BigInt(height));
    hash = next;
  }
  return key;
}

/** Returns the value of a key, 0 if it has none. */
export function readState(nodes: StateNodes, root: bigint, key: bigint): bigint {
  requireStateEntry(key);
  let hash = root;
  let height = HEIGHT;
  while (hash !== 0n && height > 0) {
    const node = required(nodes, hash);
    if (node.kind === "binary") {
      height -= 1;
      hash = bit(key, height) === 0n ? node.left : node.right;
      continue;
    }
    height -= edgeLength(node, height);
    if (bits(key, height, node.length) !== node.path) return 0n;
    hash = node.child;
  }
  return hash;
}

/** Returns the root after setting a key; the value 0 removes it. Only adds nodes: earlier roots stay readable. */
export function writeState(nodes: StateNodes, root: bigint, key: bigint, value: bigint): bigint {
  requireStateEntry(key, value);
  return write(nodes, root, HEIGHT, key, value);
}

/**
 * Returns the root of the trie of these leaves and adds its nodes, with at most three hashes for each leaf, however
 * long the shared prefixes of keys. The last leaf of a key counts; a leaf with the value 0 is ignored.
 */
export function computeStateRoot(
  nodes: StateNodes,
  leaves: Iterable<readonly [bigint, bigint]>,
): bigint {
  // Keyed by text: V8 hashes a bigint by its lowest 64 bits, so that a sender could make all keys collide.
  const values = new Map<string, readonly [bigint, bigint]>();
  for (const [key, value] of leaves) {
    requireStateEntry(key, value);
    values.set(key.toString(16), [key, value]);
  }
  const sorted = [...values.values()]
    .filter(([, value]) => value !== 0n)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return subtree(nodes, sorted, HEIGHT);
}

function subtree(
  nodes: StateNodes,
  leaves: readonly (readonly [bigint, bigint])[],
  height: number,
): bigint {
  const [first, last] = [leaves[0], leaves.at(-1)];
  if (first === undefined || last === undefined) return 0n;
  if (leaves.length === 1) return edge(nodes, first[1], bits(first[0], 0, height), height, 0);
  // The keys diverge at this height, counted from the bottom.
  const parting = (first[0] ^ last[0]).toString(2).length - 1;
  const middle = leaves.findIndex(([key]) => bit(key, parting) === 1n);
  const left = subtree(nodes, leaves.slice(0, middle), parting);
  const right = subtree(nodes, leaves.slice(middle), parting);
  const both = nodes.add({ kind: "binary", left, right });
  const shared = height - parting - 1;
  return edge(nodes, both, bits(first[0], parting + 1, shared), shared, parting + 1);
}

/** Returns the hash of a subtree after setting a key in it. @param height levels of the subtree: the bits of `key` below it */
function write(
  nodes: StateNodes,
  hash: bigint,
  height: number,
  key: bigint,
  value: bigint,
): bigint {
  if (height === 0) return value;
  if (hash === 0n) return value === 0n ? 0n : edge(nodes, value, bits(key, 0, height), height, 0);
  const node = required(nodes, hash);
  if (node.kind === "binary") {
    const below = height - 1;
    const isLeft = bit(key, below) === 0n;
    const changed = write(nodes, isLeft ? node.left : node.right, below, key, value);
    return isLeft
      ? join(nodes, changed, node.right, below)
      : join(nodes, node.left, changed, below);
  }
  const below = height - edgeLength(node, height);
  const wanted = bits(key, below, node.length);
  if (wanted === node.path) {
    const changed = write(nodes, node.child, below, key, value);
    return changed === 0n ? 0n : edge(nodes, changed, node.path, node.length, below);
  }
  return value === 0n ? hash : parted(nodes, node, { height, below, key, value, wanted });
}

/** Where the path of an edge and a key part. */
interface Parting {
  /** Levels of the subtree. */
  readonly height: number;
  /** Levels below the edge. */
  readonly below: number;
  readonly key: bigint;
  readonly value: bigint;
  /** The bits of the key along the edge. */
  readonly wanted: bigint;
}

/** Returns the hash of a subtree whose edge is parted for a key that leaves it, with the key's value. */
function parted(
  nodes: StateNodes,
  node: Extract<StateNode, { kind: "edge" }>,
  { height, below, key, value, wanted }: Parting,
): bigint {
  // The paths diverge at this height, counted from the bottom.
  const parting = below + (wanted ^ node.path).toString(2).length - 1;
  // The rest of the edge keeps its child, which is not an edge: a proof that the key is absent does not have that node.
  const left = parting - below;
  const old =
    left === 0 ? node.child : nodes.add({ ...node, path: bits(node.path, 0, left), length: left });
  const own = edge(nodes, value, bits(key, 0, parting), parting, 0);
  const both =
    bit(key, parting) === 0n ? join(nodes, own, old, parting) : join(nodes, old, own, parting);
  const shared = height - parting - 1;
  return edge(nodes, both, bits(key, parting + 1, shared), shared, parting + 1);
}

/** Returns the node of two subtrees of this height, one of which may be empty. */
function join(nodes: StateNodes, left: bigint, right: bigint, height: number): bigint {
  if (left === 0n && right === 0n) return 0n;
  if (left === 0n) return edge(nodes, right, 1n, 1, height);
  if (right === 0n) return edge(nodes, left, 0n, 1, height);
  return nodes.add({ kind: "binary", left, right });
}

/** Returns an edge to a subtree of a height, merged with the subtree's root if that is an edge. */
function edge(
  nodes: StateNodes,
  child: bigint,
  path: bigint,
  length: number,
  height: number,
): bigint {
  if (length === 0) return child;
  const next = height === 0 ? undefined : required(nodes, child);
  if (next?.kind !== "edge") return nodes.add({ kind: "edge", child, path, length });
  const further = edgeLength(next, height);
  const joined = (path << BigInt(further)) + next.path;
  return nodes.add({ kind: "edge", child: next.child, path: joined, length: length + further });
}

function edgeLength(node: StateNode & { readonly kind: "edge" }, height: number): number {
  if (node.length <= height) return node.length;
  throw new MissingStateNodeError(stateNodeHash(node));
}

function bit(value: bigint, at: number): bigint {
  return (value >> BigInt(at)) & 1n;
}

function bits(value: bigint, from: number, count: number): bigint {
  return (value >> BigInt(from)) & ((1n << BigInt(count)) - 1n);
}

/** A key with its value, and the nodes on the way to it. */
interface StateWitness {
  readonly key: bigint;
  readonly value: bigint;
  readonly nodes: readonly StateNode[];
}

/** Proves that a key has a value under a root; 0 is a proof of absence. */
export interface StateReadProof extends StateWitness {
  readonly root: bigint;
}

/** Proves that setting one key, and nothing else, leads from one root to another. */
export interface StateUpdateProof extends StateWitness {
  readonly rootBefore: bigint;
  readonly rootAfter: bigint;
}

/** What a run read and wrote in the trie of one label, with proofs. */
export interface InjectedStateProofs {
  readonly label: bigint;
  /** In the order of the run. */
  readonly writes: readonly StateUpdateProof[];
  /** Proofs of the keys read before any write to them, each under the root at the time of the read. */
  readonly reads: readonly StateReadProof[];
}

/** Returns the result of work over a store and the nodes that it read, which suffice to repeat it. */
function witnessed<T>(
  nodes: StateNodes,
  work: (nodes: StateNodes) => T,
): [result: T, seen: readonly StateNode[]] {
  const seen = new Map<bigint, StateNode>();
  const made = new StateNodeMap();
  const get = (hash: bigint): StateNode | undefined => {
    const node = nodes.get(hash);
    if (made.get(hash) === undefined && node !== undefined) seen.set(hash, node);
    return made.get(hash) ?? node;
  };
  const result = work({ get, add: (node) => made.add(node) });
  return [result, [...seen.values()]];
}

/** Returns the proof that a trie has a value under a key. */
export function proveStateRead(store: StateNodes, root: bigint, key: bigint): StateReadProof {
  const [value, nodes] = witnessed(store, (seen) => readState(seen, root, key));
  return { root, key, value, nodes };
}

/** Returns the proof that writing a value under a key leads from a root to another. */
export function proveStateUpdate(
  store: StateNodes,
  root: bigint,
  key: bigint,
  value: bigint,
): StateUpdateProof {
  const [rootAfter, nodes] = witnessed(store, (seen) => writeState(seen, root, key, value));
  return { rootBefore: root, rootAfter, key, value, nodes };
}

/** Returns whether the check holds, false if a node is missing. */
function holds(work: () => boolean): boolean {
  try {
    return work();
  } catch (error) {
    if (error instanceof HdpError) return false;
    throw error;
  }
}

/** Returns whether a proof shows its value under its root. */
export function verifyStateRead({ root, key, value, nodes }: StateReadProof): boolean {
  return holds(() => isFelt(root) && readState(new StateNodeMap(nodes), root, key) === value);
}

/** Returns whether a proof shows that its write leads from its first root to its second. */
export function verifyStateUpdate({
  rootBefore,
  rootAfter,
  key,
  value,
  nodes,
}: StateUpdateProof): boolean {
  return holds(
    () =>
      isFelt(rootBefore) &&
      writeState(new StateNodeMap(nodes), rootBefore, key, value) === rootAfter,
  );
}
