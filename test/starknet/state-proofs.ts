import { concat, keccak256, toHex } from "viem";

import { FELT_PRIME } from "../../src/base/felt.js";
import {
  proveStateRead,
  proveStateUpdate,
  type StateNode,
  StateNodeMap,
  computeStateRoot,
  verifyStateRead,
  verifyStateUpdate,
} from "../../src/request/state-trie.js";

const TOP = 1n << 250n;
const KEY_LIMIT = 1n << 251n;
/** Tries with neighbours at the bottom, keys that part at the top, long shared beginnings, equal halves, and none. */
const TRIES: readonly (readonly (readonly [bigint, bigint])[])[] = [
  [],
  [[0x6d795f6b6579n, 42n]],
  [
    [0n, 1n],
    [1n, FELT_PRIME - 1n],
    [TOP, 3n],
  ],
  [
    [5n, 7n],
    [TOP + 5n, 7n],
    [KEY_LIMIT - 1n, 9n],
  ],
  [
    [0x5555n << 200n, 1n],
    [(0x5555n << 200n) + 1n, 2n],
    [(0x5555n << 200n) + 6n, 3n],
    [0x5557n << 200n, 4n],
    [0x7n << 240n, 5n],
  ],
];

/** A proof as it is given to the Cairo functions. */
interface StateProof {
  readonly kind: "inclusion" | "exclusion" | "update";
  readonly rootBefore: bigint;
  readonly rootAfter: bigint;
  readonly key: bigint;
  readonly value: bigint;
  readonly nodes: readonly StateNode[];
}

export interface JudgedStateProof extends StateProof {
  readonly isChanged: boolean;
  /** What the verifier in TypeScript says. */
  readonly holds: boolean;
}

/** Proofs of reads and updates at keys that are in the tries, near them and nowhere; some also with one thing changed. */
export function stateProofs(): JudgedStateProof[] {
  const made = TRIES.flatMap(proofsOf);
  const changed = [
    ...made.filter((_, position) => position % 4 === 0).flatMap(changesOf),
    ...impossibleTries(),
  ];
  return [
    ...made.map((proof) => ({ ...proof, isChanged: false, holds: holds(proof) })),
    ...changed.map((proof) => ({ ...proof, isChanged: true, holds: holds(proof) })),
  ];
}

/** As `StateProof` of the Cairo test reads it. */
export function stateProofFelts({ kind, nodes, holds, ...proof }: JudgedStateProof): bigint[] {
  const { rootBefore, rootAfter, key, value } = proof;
  const flat = nodes.flatMap((node) =>
    node.kind === "binary"
      ? [node.left, node.right, 0n]
      : [node.child, node.path, BigInt(node.length)],
  );
  const number = BigInt(["inclusion", "exclusion", "update"].indexOf(kind));
  return [
    number,
    rootBefore,
    rootAfter,
    key,
    value,
    BigInt(nodes.length),
    ...flat,
    holds ? 1n : 0n,
  ];
}

function proofsOf(leaves: readonly (readonly [bigint, bigint])[]): StateProof[] {
  const nodes = new StateNodeMap();
  const root = computeStateRoot(nodes, leaves);
  const keys = new Set(
    leaves.flatMap(([key]) => [key, key ^ 1n, key ^ TOP, key ^ (1n << 200n)]).concat(3n),
  );
  return [...keys].flatMap((key): StateProof[] => {
    const { value, nodes: seen } = proveStateRead(nodes, root, key);
    const read = { rootBefore: root, rootAfter: root, key, value, nodes: seen };
    return [
      { kind: value === 0n ? "exclusion" : "inclusion", ...read },
      ...[0n, 11n].map((next) => ({
        kind: "update" as const,
        ...proveStateUpdate(nodes, root, key, next),
      })),
    ];
  });
}

/** Under roots of edges that cannot stand where they do: too long, and with a path of more bits than they have. */
function impossibleTries(): StateProof[] {
  const key = 5n;
  const long: StateNode = { kind: "edge", child: 7n, path: key, length: 252 };
  const wide: StateNode = { kind: "edge", child: 7n, path: TOP + key, length: 250 };
  const beside: StateNode = { kind: "edge", child: 7n, path: key, length: 251 };
  const leaf: StateNode = { kind: "edge", child: 9n, path: key, length: 250 };
  const top: StateNode = { kind: "binary", left: anyNodeHash(leaf), right: anyNodeHash(beside) };
  const merged = anyNodeHash({ kind: "edge", child: 7n, path: (1n << 251n) + key, length: 252 });
  const common = { key, value: 0n, rootAfter: merged };
  return [
    ...[[long], [wide]].flatMap((nodes): StateProof[] => {
      const rootBefore = anyNodeHash(nodes[0] ?? long);
      const read = { rootBefore, rootAfter: rootBefore, key, nodes };
      return [
        { kind: "inclusion", value: 7n, ...read },
        { kind: "exclusion", value: 0n, ...read },
        { kind: "update", value: 7n, ...read },
      ];
    }),
    { kind: "update", rootBefore: anyNodeHash(top), nodes: [top, leaf, beside], ...common },
  ];
}

/** The hash of a node, which this package computes of possible nodes alone. */
function anyNodeHash(node: StateNode): bigint {
  const [first, second] =
    node.kind === "binary" ? [node.left, node.right] : [node.child, node.path];
  const words = concat([toHex(first, { size: 32 }), toHex(second, { size: 32 })]);
  return (
    ((BigInt(keccak256(words)) >> 96n) + BigInt(node.kind === "edge" ? node.length : 0)) %
    FELT_PRIME
  );
}

function changesOf(proof: StateProof): StateProof[] {
  const { kind, rootBefore, rootAfter, key, value, nodes } = proof;
  const other: Partial<StateProof> =
    kind === "update"
      ? { rootAfter: rootAfter + 1n }
      : {
          kind: kind === "inclusion" ? "exclusion" : "inclusion",
          value: value === 0n ? 1n : value,
        };
  return [
    other,
    { rootBefore: rootBefore + 1n },
    { key: key ^ 2n },
    { key: KEY_LIMIT + (key & 0xffn) },
    kind === "exclusion" ? { kind: "inclusion" as const } : { value: (value + 1n) % FELT_PRIME },
    ...nodes.flatMap((_, at) => [
      { nodes: nodes.toSpliced(at, 1) },
      ...nodeChanges(nodes[at]).map((node) => ({ nodes: nodes.with(at, node) })),
    ]),
    { nodes: nodes.toReversed() },
  ].map((change) => ({ ...proof, ...change }));
}

function nodeChanges(node: StateNode | undefined): StateNode[] {
  if (node === undefined) return [];
  const next = (value: bigint): bigint => (value + 1n) % FELT_PRIME;
  if (node.kind === "binary")
    return [
      { ...node, left: next(node.left) },
      { ...node, right: next(node.right) },
    ];
  const { child, path, length } = node;
  return [
    { ...node, child: next(child) },
    { ...node, path: path ^ 1n },
    { ...node, length: length + 1 },
    { kind: "binary", left: child, right: path },
  ];
}

function holds({ kind, rootBefore, rootAfter, key, value, nodes }: StateProof): boolean {
  if (kind === "update") return verifyStateUpdate({ rootBefore, rootAfter, key, value, nodes });
  if (kind === "inclusion" && value === 0n) return false;
  return verifyStateRead({
    root: rootBefore,
    key,
    value: kind === "exclusion" ? 0n : value,
    nodes,
  });
}
