import { expect } from "chai";
import fc from "fast-check";
import { concatHex, keccak256, numberToHex } from "viem";

import {
  FELT_PRIME,
  type StateNode,
  StateNodeMap,
  computeStateRoot,
  verifyStateRead,
  verifyStateUpdate,
} from "../../src/entries/request.js";
import {
  keyThrough,
  proveStateRead,
  proveStateUpdate,
  readState,
  stateNodeHash,
  writeState,
} from "../../src/request/state-trie.js";
import { expectThrown } from "../support/failure.js";
import { untyped } from "../support/untyped.js";

const HEIGHT = 251;
const TOP = 1n << 250n;
const LAST_KEY = (1n << 251n) - 1n;

const pair = (left: bigint, right: bigint): bigint => {
  const words = [left, right].map((word) => numberToHex(word, { size: 32 }));
  return BigInt(keccak256(concatHex(words))) >> 96n;
};
const edgeHash = (child: bigint, path: bigint, length: number): bigint =>
  (pair(child, path) + BigInt(length)) % FELT_PRIME;

/** The root by definition: of all leaves at once, with no node kept. */
function rootOf(leaves: ReadonlyMap<bigint, bigint>): bigint {
  const below = (entries: readonly (readonly [bigint, bigint])[], height: number): bigint => {
    const [first] = entries;
    if (first === undefined) return 0n;
    if (height === 0) return first[1];
    const sideOf = (key: bigint, bit: number): bigint => (key >> BigInt(bit)) & 1n;
    let shared = 0;
    const same = (bit: number): boolean =>
      entries.every(([key]) => sideOf(key, bit) === sideOf(first[0], bit));
    while (shared < height && same(height - 1 - shared)) shared += 1;
    const rest = height - shared;
    const path = (first[0] >> BigInt(rest)) & ((1n << BigInt(shared)) - 1n);
    const side = (wanted: bigint): bigint =>
      below(
        entries.filter(([key]) => sideOf(key, rest - 1) === wanted),
        rest - 1,
      );
    const child = rest === 0 ? first[1] : pair(side(0n), side(1n));
    return shared === 0 ? child : edgeHash(child, path, shared);
  };
  return below(
    [...leaves].filter(([, value]) => value !== 0n),
    HEIGHT,
  );
}

// Keys that share long and short beginnings and ends.
const key = fc
  .tuple(
    fc.constantFrom(0n, TOP, TOP >> 1n, LAST_KEY - 7n, 0x5555n << 200n),
    fc.bigInt({ min: 0n, max: 7n }),
  )
  .map(([high, low]) => high | low);
const value = fc.oneof(
  fc.constantFrom(0n, 1n, FELT_PRIME - 1n),
  fc.bigInt({ min: 0n, max: FELT_PRIME - 1n }),
);
const writes = fc.array(fc.tuple(key, value), { maxLength: 14 });

describe("the trie of injected state", () => {
  it("computes the roots of its definition for single leaves, pairs and neighbours", () => {
    const root = (...leaves: readonly (readonly [bigint, bigint])[]): bigint =>
      computeStateRoot(new StateNodeMap(), leaves);
    expect(root()).to.equal(0n);
    expect(root([5n, 7n])).to.equal(edgeHash(7n, 5n, HEIGHT));
    expect(root([LAST_KEY, FELT_PRIME - 1n])).to.equal(edgeHash(FELT_PRIME - 1n, LAST_KEY, HEIGHT));
    expect(root([0n, 1n], [TOP, 2n])).to.equal(pair(edgeHash(1n, 0n, 250), edgeHash(2n, 0n, 250)));
    expect(root([4n, 1n], [5n, 2n])).to.equal(edgeHash(pair(1n, 2n), 2n, 250));
    expect(root([5n, 7n], [5n, 0n])).to.equal(0n);
    expect(root([5n, 0n])).to.equal(0n);
  });

  it("computes one root for one set of leaves in any order of writes, and reads all of them", () => {
    fc.assert(
      fc.property(writes, (list) => {
        const nodes = new StateNodeMap();
        const leaves = new Map<bigint, bigint>();
        let root = 0n;
        for (const [at, content] of list) {
          const before = root;
          const old = leaves.get(at) ?? 0n;
          root = writeState(nodes, root, at, content);
          leaves.set(at, content);
          expect(root).to.equal(rootOf(leaves));
          expect(readState(nodes, before, at)).to.equal(old);
        }
        for (const [at, content] of leaves) expect(readState(nodes, root, at)).to.equal(content);
        for (const at of [0n, 9n, TOP | 9n, LAST_KEY])
          expect(readState(nodes, root, at)).to.equal(leaves.get(at) ?? 0n);
        expect(computeStateRoot(new StateNodeMap(), [...leaves].reverse())).to.equal(root);
      }),
      { numRuns: 150 },
    );
  });

  it("makes a trie with at most three hashes a leaf, also of keys that share long prefixes", () => {
    let hashes = 0;
    const nodes = new StateNodeMap();
    const counting = {
      get: nodes.get.bind(nodes),
      add: (node: StateNode) => ((hashes += 1), nodes.add(node)),
    };
    const comb = Array.from({ length: 2_000 }, (_, at): [bigint, bigint] => [
      (1n << BigInt(at % 250)) | (BigInt(at) % (1n << BigInt(at % 250))),
      1n,
    ]);
    const keys = new Set(comb.map(([at]) => at)).size;
    computeStateRoot(counting, comb);
    expect(keys).to.be.greaterThan(1_000);
    expect(hashes).to.be.at.most(3 * keys);
  });

  it("accepts keys below 2^251 and felts only", () => {
    const nodes = new StateNodeMap();
    for (const [at, content] of [
      [0n, 0n],
      [LAST_KEY, FELT_PRIME - 1n],
    ] as const) {
      expect(readState(nodes, writeState(nodes, 0n, at, content), at)).to.equal(content);
    }
    for (const [at, content] of [
      [-1n, 1n],
      [LAST_KEY + 1n, 1n],
      [1n, -1n],
      [1n, FELT_PRIME],
    ] as const) {
      expectThrown(
        () => writeState(nodes, 0n, at, content),
        "HDP-4427",
        undefined,
        "an entry of injected state is out of range",
      );
      expectThrown(() => computeStateRoot(nodes, [[at, content]]), "HDP-4427", undefined);
    }
    for (const at of [-1n, LAST_KEY + 1n])
      expectThrown(() => readState(nodes, 0n, at), "HDP-4427", undefined);
  });

  it("names the missing node", () => {
    const work = [
      () => readState(new StateNodeMap(), 0xabcn, 1n),
      () => writeState(new StateNodeMap(), 0xabcn, 1n, 2n),
      () => writeState(new StateNodeMap(), 0xabcn, 1n, 0n),
    ];
    for (const one of work) {
      expectThrown(
        one,
        "HDP-4420",
        undefined,
        "the node 0xabc of the injected state's trie is not known",
        "--state-leaves",
      );
    }
  });

  it("refuses an edge that is invalid at its height", () => {
    const edge = (length: number, path: bigint): StateNode => ({
      kind: "edge",
      child: 7n,
      path,
      length,
    });
    expect(
      readState(
        new StateNodeMap([edge(HEIGHT, LAST_KEY)]),
        stateNodeHash(edge(HEIGHT, LAST_KEY)),
        LAST_KEY,
      ),
    ).to.equal(7n);
    // Below a binary node one bit is taken already.
    const inner = edge(HEIGHT, 1n);
    const root: StateNode = { kind: "binary", left: stateNodeHash(inner), right: 3n };
    const nodes = new StateNodeMap([inner, root]);
    expectThrown(() => readState(nodes, stateNodeHash(root), 1n), "HDP-4420", undefined);
    // Removing a leaf joins what stands beside it to the edge above.
    const leaf = edge(HEIGHT - 1, 1n);
    const above: StateNode = {
      kind: "binary",
      left: stateNodeHash(leaf),
      right: stateNodeHash(inner),
    };
    const joined = new StateNodeMap([leaf, inner, above]);
    expectThrown(() => writeState(joined, stateNodeHash(above), 1n, 0n), "HDP-4420", undefined);
  });

  it("proves reads and updates by the nodes that they need, and refuses false proofs", () => {
    fc.assert(
      fc.property(writes, key, value, (list, at, content) => {
        const nodes = new StateNodeMap();
        const root = computeStateRoot(nodes, list);
        const read = proveStateRead(nodes, root, at);
        expect(read).to.deep.include({ root, key: at, value: readState(nodes, root, at) });
        expect(verifyStateRead(read)).to.equal(true);
        expect(verifyStateRead({ ...read, value: read.value + 1n })).to.equal(false);
        expect(verifyStateRead({ ...read, root: read.root + 1n })).to.equal(false);
        for (const node of read.nodes) {
          expect(
            verifyStateRead({ ...read, nodes: read.nodes.filter((one) => one !== node) }),
          ).to.equal(false);
        }
        const update = proveStateUpdate(nodes, root, at, content);
        const rootAfter = writeState(nodes, root, at, content);
        expect(update).to.deep.include({ rootBefore: root, rootAfter, key: at, value: content });
        expect(verifyStateUpdate(update)).to.equal(true);
        expect(verifyStateUpdate({ ...update, rootAfter: rootAfter + 1n })).to.equal(false);
        expect(verifyStateUpdate({ ...update, rootBefore: root + 1n })).to.equal(false);
        for (const node of update.nodes) {
          expect(
            verifyStateUpdate({ ...update, nodes: update.nodes.filter((one) => one !== node) }),
          ).to.equal(false);
        }
      }),
      { numRuns: 80 },
    );
  });

  it("proves with the nodes of the old trie only, and throws errors that are not about the proof", () => {
    const nodes = new StateNodeMap();
    const root = computeStateRoot(nodes, [
      [0n, 1n],
      [TOP, 2n],
    ]);
    const left: StateNode = { kind: "edge", child: 1n, path: 0n, length: 250 };
    const right: StateNode = { kind: "edge", child: 2n, path: 0n, length: 250 };
    const top: StateNode = {
      kind: "binary",
      left: stateNodeHash(left),
      right: stateNodeHash(right),
    };
    expect(proveStateRead(nodes, root, 0n).nodes).to.deep.equal([top, left]);
    expect(proveStateRead(nodes, root, 1n)).to.deep.include({ value: 0n, nodes: [top, left] });
    expect(proveStateUpdate(nodes, root, 0n, 0n).nodes).to.deep.equal([top, left, right]);
    expect(proveStateRead(nodes, 0n, 5n)).to.deep.equal({
      root: 0n,
      key: 5n,
      value: 0n,
      nodes: [],
    });
    expect(nodes.get(0n)).to.equal(undefined);
    const odd: StateNode = {
      get kind(): "binary" {
        throw new RangeError("of the caller");
      },
      left: 0n,
      right: 0n,
    };
    const read = proveStateRead(nodes, root, 0n);
    expect(() => verifyStateRead({ ...read, nodes: [odd] })).to.throw(RangeError, "of the caller");
  });

  it("refuses nodes, roots and keys that no trie has, whichever way they come", () => {
    const nodes = new StateNodeMap();
    const root = computeStateRoot(nodes, [[5n, 7n]]);
    const honest: StateNode = { kind: "edge", child: 7n, path: 5n, length: HEIGHT };
    const binary: StateNode = { kind: "binary", left: 1n, right: 2n };
    const forged: readonly [StateNode, string][] = [
      [{ ...honest, path: -5n }, "path -5"],
      [{ ...honest, path: 5n - FELT_PRIME }, `path ${5n - FELT_PRIME}`],
      [{ ...honest, path: 1n << 251n }, `path ${1n << 251n}`],
      [{ ...honest, child: -7n }, "child -7"],
      [{ ...honest, child: FELT_PRIME }, `child ${FELT_PRIME}`],
      [{ ...honest, length: 0 }, "length 0"],
      [{ ...honest, length: 252 }, "length 252"],
      [{ ...honest, length: 250.5 }, "length 250.5"],
      [{ ...honest, length: NaN }, "length NaN"],
      [{ ...honest, length: 1, path: 2n }, "path 2"],
      [{ ...binary, left: -1n }, "left -1"],
      [{ ...binary, right: FELT_PRIME }, `right ${FELT_PRIME}`],
      // Callers in JavaScript.
      [untyped({ kind: "edge", child: 7, path: 5, length: HEIGHT }), "child 7"],
      [{ ...honest, path: untyped(5) }, "path 5"],
      [{ ...honest, length: untyped("251") }, "length 251"],
    ];
    const read = proveStateRead(nodes, root, 5n);
    for (const [node, place] of forged) {
      const [field, value] = place.split(" ");
      const message = `the ${field} of a node (${node.kind}) of injected state is out of range: ${value}.`;
      expectThrown(() => nodes.add(node), "HDP-4427", undefined, message);
      expectThrown(() => new StateNodeMap([node]), "HDP-4427", undefined, message);
      // A node whose hash is the root, or was: with it an existing key was proven absent, and a removal empty.
      expect(verifyStateRead({ ...read, value: 0n, nodes: [node] }), place).to.equal(false);
      expect(verifyStateRead({ ...read, nodes: [...read.nodes, node] }), place).to.equal(false);
      const removal = { rootBefore: root, rootAfter: root, key: 5n, value: 0n, nodes: [node] };
      expect(verifyStateUpdate(removal), place).to.equal(false);
    }
    for (const wrong of [-5n, FELT_PRIME, untyped(0), untyped("0x0")]) {
      expect(
        verifyStateRead({ root: wrong, key: 5n, value: 0n, nodes: [] }),
        String(wrong),
      ).to.equal(false);
      expect(
        verifyStateUpdate({ rootBefore: wrong, rootAfter: wrong, key: 5n, value: 0n, nodes: [] }),
      ).to.equal(false);
      expect(
        verifyStateUpdate({ rootBefore: 0n, rootAfter: wrong, key: 5n, value: 0n, nodes: [] }),
      ).to.equal(false);
    }
    for (const wrong of [-5n, 1n << 251n, untyped(5), untyped("5")]) {
      expect(verifyStateRead({ ...read, key: wrong }), String(wrong)).to.equal(false);
      expect(
        verifyStateUpdate({
          rootBefore: root,
          rootAfter: root,
          key: wrong,
          value: 0n,
          nodes: read.nodes,
        }),
      ).to.equal(false);
    }
    for (const wrong of [-7n, FELT_PRIME + 7n, untyped(7), untyped("7")]) {
      expect(verifyStateRead({ ...read, value: wrong }), String(wrong)).to.equal(false);
      expect(
        verifyStateUpdate({
          rootBefore: root,
          rootAfter: root,
          key: 5n,
          value: wrong,
          nodes: read.nodes,
        }),
      ).to.equal(false);
    }
  });

  it("finds a key whose path leads through a missing node, on the way or beside it", () => {
    const nodes = new StateNodeMap();
    const leaves = [0n, 1n, 6n, TOP, TOP | 5n].map((at): [bigint, bigint] => [at, at + 9n]);
    const root = computeStateRoot(nodes, leaves);
    const on = (at: bigint, hash: bigint): boolean => {
      let [place, height] = [root, HEIGHT];
      while (height > 0 && place !== hash) {
        const node = nodes.get(place);
        if (node === undefined) return false;
        if (node.kind === "edge") [place, height] = [node.child, height - node.length];
        else {
          height -= 1;
          place = ((at >> BigInt(height)) & 1n) === 0n ? node.left : node.right;
        }
      }
      return place === hash;
    };
    const found: string[] = [];
    for (const [at] of leaves) {
      for (const { nodes: needed } of [
        proveStateRead(nodes, root, at),
        proveStateUpdate(nodes, root, at, 0n),
      ]) {
        for (const node of needed) {
          const missing = stateNodeHash(node);
          const through = keyThrough(nodes, root, at, missing);
          expect(on(through, missing)).to.equal(true);
          found.push(through === at ? "on the way" : "beside");
        }
      }
    }
    expect(new Set(found)).to.deep.equal(new Set(["on the way", "beside"]));
    expect(keyThrough(nodes, root, 1n, root)).to.equal(1n);
    expect(keyThrough(nodes, root, 6n, 0xabcn)).to.equal(6n);
    expect(keyThrough(new StateNodeMap(), root, 6n, 0xabcn)).to.equal(6n);
    // Beside the way to 0, at the top: a key of the other half; at the bottom: its neighbour.
    const top = nodes.get(root);
    if (top?.kind !== "binary") throw new Error("the root parts at the first bit");
    expect(keyThrough(nodes, root, 0n, top.right)).to.equal(TOP);
    expect(keyThrough(nodes, root, TOP, top.left)).to.equal(0n);
    expect(keyThrough(nodes, root, 0n, 10n)).to.equal(1n);
    expect(keyThrough(nodes, root, 0n, 9n)).to.equal(0n);
  });
});
