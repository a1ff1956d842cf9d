import { HdpError } from "../base/errors.js";
import { readState, type StateNode, StateNodeMap, type StateNodes, writeState } from "./state-trie.js";

/** That a key has a value under a root; 0 is a proof of absence. */
export interface StateReadProof {
  readonly root: bigint;
  readonly key: bigint;
  readonly value: bigint;
  readonly nodes: readonly StateNode[];
}

/** That one root follows from another by giving one key a value, and nothing else. */
export interface StateUpdateProof {
  readonly rootBefore: bigint;
  readonly rootAfter: bigint;
  readonly key: bigint;
  readonly value: bigint;
  readonly nodes: readonly StateNode[];
}

/** Hands on a store's nodes and keeps which were looked at: they are all that the same work needs again. */
class Witness implements StateNodes {
  public readonly seen = new Map<bigint, StateNode>();
  readonly #own = new StateNodeMap();
  readonly #nodes: StateNodes;

  public constructor(nodes: StateNodes) {
    this.#nodes = nodes;
  }

  public get(hash: bigint): StateNode | undefined {
    const added = this.#own.get(hash);
    if (added !== undefined) return added;
    const node = this.#nodes.get(hash);
    if (node !== undefined) this.seen.set(hash, node);
    return node;
  }

  public add(node: StateNode): bigint {
    return this.#own.add(node);
  }
}

export function proveStateRead(nodes: StateNodes, root: bigint, key: bigint): StateReadProof {
  const witness = new Witness(nodes);
  const value = readState(witness, root, key);
  return { root, key, value, nodes: [...witness.seen.values()] };
}

export function proveStateUpdate(nodes: StateNodes, root: bigint, key: bigint, value: bigint): StateUpdateProof {
  const witness = new Witness(nodes);
  const rootAfter = writeState(witness, root, key, value);
  return { rootBefore: root, rootAfter, key, value, nodes: [...witness.seen.values()] };
}

/** Does the same work on the proof's nodes alone, each of which is found by its own hash. */
function holds(work: () => boolean): boolean {
  try {
    return work();
  } catch (error) {
    if (error instanceof HdpError) return false;
    throw error;
  }
}

/** Whether the proof shows what it says. */
export function verifyStateRead({ root, key, value, nodes }: StateReadProof): boolean {
  return holds(() => readState(new StateNodeMap(nodes), root, key) === value);
}

/** Whether the proof shows what it says. */
export function verifyStateUpdate({ rootBefore, rootAfter, key, value, nodes }: StateUpdateProof): boolean {
  return holds(() => writeState(new StateNodeMap(nodes), rootBefore, key, value) === rootAfter);
}
