import { createMerkleProof, createMPT, verifyMerkleProof } from "@ethereumjs/mpt";
import { expect } from "chai";
import fc from "fast-check";
import { bytesToHex, type Hex } from "viem";

import { keccak256, keccakBytes } from "../../src/base/keccak.js";
import { encodeRlp, hexToBytes } from "../../src/base/rlp.js";
import {
  EMPTY_TRIE_ROOT,
  HashedNodes,
  indexKey,
  listTrie,
  type NodeSource,
  trieValue,
} from "../../src/chain/trie.js";

/** Wrong proofs that are tried; HDP_PROOF_ROUNDS where another number is wanted. */
const ROUNDS = Number(process.env["HDP_PROOF_ROUNDS"] ?? 20_000);

const options = { useKeyHashingFunction: keccakBytes };

/** Numbers that look like chance and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Proof {
  readonly root: Uint8Array;
  readonly key: Uint8Array;
  readonly nodes: readonly Uint8Array[];
}

/** The nodes of one proof, with none that are known from others. */
const sourceOf = (nodes: readonly Uint8Array[]): NodeSource =>
  new HashedNodes().source(nodes.map((node) => bytesToHex(node)));

const REFUSED = "refused";

function ours({ root, key, nodes }: Proof): Hex | undefined | typeof REFUSED {
  try {
    const value = trieValue(root, key, sourceOf(nodes));
    return value && bytesToHex(value);
  } catch {
    return REFUSED;
  }
}

async function theirs({ root, key, nodes }: Proof): Promise<Hex | undefined | typeof REFUSED> {
  try {
    const value = await verifyMerkleProof(key, [...nodes], { ...options, root });
    return value === null ? undefined : bytesToHex(value);
  } catch {
    return REFUSED;
  }
}

/** What each trie holds, by its root. */
const contents = new Map<Hex, Map<Hex, Hex>>();

/** Proofs of keys that are there and of keys that are not, over tries from a single leaf to several levels. */
async function someProofs(): Promise<Proof[]> {
  const proofs: Proof[] = [];
  const next = numbers(7);
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => next(256));
  // Short keys make nodes shorter than a hash, which stand inside their parents; close ones make extensions.
  for (const [keyLength, most] of [
    [2, 3],
    [2, 40],
    [3, 3],
    [32, 33],
    [32, 110],
  ] as const) {
    for (const size of [1, 2, 3, 17, 120]) {
      const trie = await createMPT(options);
      const stem = bytes(keyLength - 2);
      const keys = Array.from({ length: size }, (_, index) =>
        keyLength === 32 && index % 3 > 0 ? bytes(32) : Uint8Array.from([...stem, ...bytes(2)]),
      );
      const held = new Map<Hex, Hex>();
      for (const key of keys) {
        const value = Uint8Array.from([1 + next(255), ...bytes(next(most))]);
        await trie.put(key, value);
        held.set(bytesToHex(key), bytesToHex(value));
      }
      contents.set(bytesToHex(trie.root()), held);
      const absent = [bytes(keyLength), Uint8Array.from([...stem, ...bytes(2)])];
      for (const key of [...keys.slice(0, 6), ...absent]) {
        proofs.push({ root: trie.root(), key, nodes: await createMerkleProof(trie, key) });
      }
    }
  }
  return proofs;
}

/** One of the ways in which a proof can be wrong, or right for something else. */
function changed(proof: Proof, other: Proof, next: (below: number) => number): Proof {
  const nodes = proof.nodes.map((node): Uint8Array => Uint8Array.from(node));
  const at = next(nodes.length);
  const node = nodes[at] ?? new Uint8Array();
  switch (next(9)) {
    case 0:
      node[next(node.length)] = next(256);
      return { ...proof, nodes };
    case 1:
      nodes[at] = node.slice(0, next(node.length));
      return { ...proof, nodes };
    case 2:
      nodes.splice(at, 1);
      return { ...proof, nodes };
    case 3:
      nodes.push(...nodes.splice(at, 1));
      return { ...proof, nodes };
    case 4:
      nodes.splice(at, 1, ...other.nodes.slice(0, 1));
      return { ...proof, nodes };
    case 5:
      return { ...proof, nodes: [...nodes, ...other.nodes] };
    case 6:
      return { ...proof, root: other.root };
    case 7:
      return { ...proof, key: other.key };
    default:
      nodes[at] = Uint8Array.from([...node, next(256)]);
      return { ...proof, nodes };
  }
}

describe("a trie proof", () => {
  let proofs: Proof[];

  before(async () => {
    proofs = await someProofs();
  });

  it("proves the value of a key that others begin with", async () => {
    const trie = await createMPT();
    const held = [["0x12", "0xaa"], ["0x1234", "0xbb"], ["0x1256", "0xcc"]] as const; // prettier-ignore
    for (const [key, value] of held) await trie.put(hexToBytes(key), hexToBytes(value));
    for (const [key, value] of [...held, ["0x1278", undefined], ["0x123456", undefined]] as const) {
      const nodes = await createMerkleProof(trie, hexToBytes(key));
      const source = sourceOf(nodes);
      const found = trieValue(trie.root(), hexToBytes(key), source);
      expect(found && bytesToHex(found), key).to.equal(value);
    }
    // The same without a value where the others part.
    await trie.del(hexToBytes("0x12"));
    const nodes = await createMerkleProof(trie, hexToBytes("0x12"));
    expect(trieValue(trie.root(), hexToBytes("0x12"), sourceOf(nodes))).to.equal(undefined);
  });

  it("proves what the library says it does, values and absences", async () => {
    const outcomes = new Set<string>();
    for (const proof of proofs) {
      const outcome = ours(proof);
      expect(outcome).to.equal(await theirs(proof));
      outcomes.add(outcome === undefined ? "absent" : outcome === REFUSED ? outcome : "value");
    }
    expect([...outcomes].sort()).to.deep.equal(["absent", "value"]);
  });

  it("proves nothing but the trie's own values over many changed, cut and swapped ones", async () => {
    const next = numbers(11);
    const counts = { value: 0, absent: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const [proof, other] = [proofs[next(proofs.length)], proofs[next(proofs.length)]];
      if (proof === undefined || other === undefined) throw new Error("no proofs");
      const wrong = changed(proof, other, next);
      const outcome = ours(wrong);
      counts[outcome === undefined ? "absent" : outcome === REFUSED ? REFUSED : "value"] += 1;
      const truth = contents.get(bytesToHex(wrong.root))?.get(bytesToHex(wrong.key));
      if (outcome !== REFUSED && outcome !== truth)
        expect.fail(`round ${round} proves ${outcome ?? "an absence"}`);
      // The library is a hundred times slower. It takes no node at all for the proof of an absence.
      if (round % 20 > 0 || wrong.nodes.length === 0) continue;
      const library = await theirs(wrong);
      if (outcome !== library)
        expect.fail(`round ${round}: ${outcome ?? "absent"}, not ${library ?? "absent"}`);
    }
    expect(counts.refused).to.be.above(ROUNDS / 2);
    expect(counts.value).to.be.above(ROUNDS / 100);
    expect(counts.absent).to.be.above(ROUNDS / 100);
  });

  it("of malformed nodes under a root of their own is what the library takes it for, or refused", async () => {
    const next = numbers(13);
    for (let round = 0; round < 3_000; round += 1) {
      const proof = proofs[next(proofs.length)];
      const nodes = (proof?.nodes ?? []).slice(0, 1).map((node) => Uint8Array.from(node));
      const [first] = nodes;
      if (proof === undefined || first === undefined) throw new Error("no proofs");
      first[next(Math.min(first.length, 40))] = next(256);
      const rerooted = {
        key: proof.key,
        nodes: [...nodes, ...proof.nodes.slice(1)],
        root: keccakBytes(first),
      };
      const outcome = ours(rerooted);
      const library = outcome === REFUSED ? REFUSED : await theirs(rerooted);
      if (library !== REFUSED) expect(outcome, String(round)).to.equal(library);
    }
  });

  it("rejects a path or a shape that no trie has", () => {
    const key = Uint8Array.of(0x12);
    const over = (rlp: Hex): ReturnType<typeof ours> => {
      const node = hexToBytes(rlp);
      return ours({ root: keccakBytes(node), key, nodes: [node] });
    };
    expect(over(encodeRlp(["0x2012", "0x07"]))).to.equal("0x07");
    expect(over(encodeRlp(["0x2013", "0x07"]))).to.equal(undefined);
    expect(over(encodeRlp(["0x200012", "0x07"]))).to.equal(undefined);
    expect(over(encodeRlp(["0x2012", "0x"]))).to.equal(undefined);
    for (const bad of [
      encodeRlp(["0x4012", "0x07"]),
      encodeRlp(["0x2112", "0x07"]),
      encodeRlp(["0x", "0x07"]),
      encodeRlp(["0x2012", ["0x07"]]),
      encodeRlp([["0x20"], "0x07"]),
      encodeRlp(["0x0012", `0x${"11".repeat(31)}`]),
      encodeRlp(["0x0012", `0x${"11".repeat(32)}`]),
      encodeRlp(["0x2012", "0x07", "0x"]),
      encodeRlp("0x2012"),
      `${encodeRlp(["0x2012", "0x07"])}00`,
      "0xc482201207",
      "0xc58220128107",
      "0x",
    ] as const) {
      expect(over(bad), bad).to.equal(bad === "0xc482201207" ? "0x07" : REFUSED);
    }
    // An extension without a path would lead back to nibbles before the key, where there are none.
    expect(over(encodeRlp(["0x", ["0x200012", "0x07"]]))).to.equal(REFUSED);
  });

  it("says what is wrong with its nodes", () => {
    const key = Uint8Array.of(0x12);
    const over = (rlp: Hex): Uint8Array | undefined => {
      const node = hexToBytes(rlp);
      return trieValue(keccakBytes(node), key, sourceOf([node]));
    };
    expect(() => over(encodeRlp(["0x2012", "0x07", "0x"]))).to.throw(
      "a trie node is neither a branch nor a path",
    );
    expect(() => over(encodeRlp(["0x4012", "0x07"]))).to.throw("a trie node's path is malformed");
    expect(() => trieValue(new Uint8Array(32), key, sourceOf([]))).to.throw(
      "a trie node is missing",
    );
    expect(() => over(encodeRlp(["0x0012", `0x${"11".repeat(32)}`]))).to.throw(
      "a trie node is missing",
    );
  });

  it("needs no node below a path that goes on where the key ends", () => {
    const node = hexToBytes(encodeRlp(["0x001200", `0x${"11".repeat(32)}`]));
    expect(trieValue(keccakBytes(node), Uint8Array.of(0x12), sourceOf([node]))).to.equal(undefined);
  });

  it("refers to nodes by whole hashes only, whatever the source has", () => {
    const leaf = hexToBytes(encodeRlp(["0x2012", "0x07"]));
    const key = Uint8Array.of(0x12);
    for (const length of [0, 31, 33]) {
      expect(() => trieValue(new Uint8Array(length), key, () => leaf)).to.throw(
        "a trie node is missing",
      );
    }
    expect(trieValue(new Uint8Array(32), key, () => leaf)).to.deep.equal(Uint8Array.of(0x07));
  });
});

describe("the nodes of proofs", () => {
  const node = (number: number): Hex =>
    encodeRlp([`0x20${number.toString(16).padStart(4, "0")}`, "0x07"]);
  const found = (source: NodeSource, one: Hex): Hex | undefined => {
    const bytes = source(keccakBytes(hexToBytes(one)));
    return bytes && bytesToHex(bytes);
  };
  const [root, second, third, fourth] = [node(0), node(1), node(2), node(3)] as const;

  it("finds nodes in any order behind the root, which is the first", () => {
    for (const order of [
      [second, third, fourth],
      [fourth, third, second],
      [third, fourth, second],
    ]) {
      // prettier-ignore
      const source = new HashedNodes().source([root, ...order]);
      for (const one of [root, second, third, fourth])
        expect(found(source, one), order.join(" ")).to.equal(one);
    }
    for (const nodes of [[second, root], [second, third, root], []]) {
      expect(found(new HashedNodes().source(nodes), root)).to.equal(undefined);
    }
  });

  it("looks among the first 65 nodes only", () => {
    const many = Array.from({ length: 66 }, (_, at) => node(100 + at));
    const source = new HashedNodes().source(many);
    expect(found(source, many[0] ?? root)).to.equal(many[0]);
    expect(found(source, many[64] ?? root)).to.equal(many[64]);
    expect(found(source, many[65] ?? root)).to.equal(undefined);
  });

  it("ignores nodes that are not hex, and finds the others behind them", () => {
    const source = new HashedNodes().source([
      root,
      `${second}zz`,
      7,
      undefined,
      `${second}0`,
      second.slice(2),
      third,
    ]);
    expect([root, second, third].map((one) => found(source, one))).to.deep.equal([
      root,
      undefined,
      third,
    ]);
  });

  it("finds nodes behind those that an earlier proof had in common", () => {
    const nodes = new HashedNodes();
    for (const others of [[second], [third]]) {
      const source = nodes.source([root, ...others]);
      for (const one of [root, ...others]) expect(found(source, one)).to.equal(one);
    }
  });

  it("remembers nodes for later proofs, the latest 4,096 of them", () => {
    const nodes = new HashedNodes();
    for (let number = 0; number < 4_096; number += 1)
      found(nodes.source([node(number)]), node(number));
    expect(found(nodes.source([]), root)).to.equal(root);
    expect(found(nodes.source([node(4_096)]), node(4_096))).to.equal(node(4_096));
    expect([0, 1, 4_096].map((number) => found(nodes.source([]), node(number)))).to.deep.equal([
      undefined,
      node(1),
      node(4_096),
    ]);
  });
});

describe("the trie over a list", () => {
  it("computes the library's root and proofs for lists up to 300 items", async () => {
    for (const count of [0, 1, 2, 3, 15, 16, 17, 127, 128, 129, 130, 256, 257, 300]) {
      const items = Array.from(
        { length: count },
        (_, index): Hex => `0x${"ab".repeat(1 + ((index * 37) % 150))}`,
      );
      const trie = await createMPT(options);
      for (const [index, item] of items.entries())
        await trie.put(indexKey(index), hexToBytes(item));
      const { root, nodes } = listTrie(items);
      expect(root, String(count)).to.equal(bytesToHex(trie.root()));
      for (const [hash, node] of nodes) expect(keccak256(node)).to.equal(hash);
      for (let index = 0; index <= count && count > 0; index += 1) {
        const value = trieValue(hexToBytes(root), indexKey(index), (hash) =>
          nodes.get(bytesToHex(hash)),
        );
        expect(value && bytesToHex(value), `${index} of ${count}`).to.equal(items[index]);
      }
    }
  });

  it("computes the library's root for any items", async () => {
    const item = fc.uint8Array({ minLength: 1, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 40 }), async (items) => {
        const trie = await createMPT(options);
        for (const [index, value] of items.entries()) await trie.put(indexKey(index), value);
        expect(listTrie(items.map((value) => bytesToHex(value))).root).to.equal(
          bytesToHex(trie.root()),
        );
      }),
      { numRuns: 60 },
    );
    expect(listTrie([])).to.deep.equal({ root: EMPTY_TRIE_ROOT, nodes: new Map() });
  });
});
