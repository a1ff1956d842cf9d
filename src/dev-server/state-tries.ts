import { formatFelt } from "../base/felt.js";
import { grouped } from "../base/text.js";
import type { StateNode, StateNodes, StateReadProof } from "../request/state-trie.js";
import {
  proveStateRead,
  stateNodeHash,
  computeStateRoot,
  writeState,
} from "../request/state-trie.js";
import { type ServerDatabase, textIn } from "./database.js";
import { tooBusy, unknownId } from "./refusals.js";

/** Tries of injected state by label, each at all of its roots: a write keeps earlier roots. */
export class StateTries {
  readonly #database: ServerDatabase;
  readonly #nodes: { count: number };

  public constructor(database: ServerDatabase) {
    this.#database = database;
    this.#nodes = {
      count: Number(database.get("SELECT count(*) AS count FROM trie_node")?.["count"]),
    };
  }

  /** Returns a view, whose changes are kept once it is saved. */
  public view(): TrieView {
    return new TrieView(this.#database, this.#nodes);
  }

  /** Returns the nodes from a root to a key. @throws HttpRefusal HDP-4519 for an unknown root */
  public async prove(label: bigint, root: bigint, key: bigint): Promise<readonly StateNode[]> {
    return await Promise.resolve(this.view().prove(label, root, key).nodes);
  }

  /** Returns the root after a write. @throws as {@link prove}; HdpError HDP-4427 for a key or a value out of range */
  public async write(label: bigint, root: bigint, key: bigint, value: bigint): Promise<bigint> {
    const view = this.view();
    const after = view.write(label, root, key, value);
    await this.#database.write(() => view.save());
    return after;
  }

  /** Returns the id of a root: its index among those of its label, 0 for the empty trie. @throws as {@link prove} */
  public requireId(label: bigint, root: bigint): number {
    return idOfRoot(this.#database, label, root) ?? unknownTrie(label, root);
  }

  /** Returns the id of a root, or the id that it gets if it is saved next. */
  public idFor(label: bigint, root: bigint): number {
    const select = "SELECT coalesce(max(id), 0) + 1 AS next FROM trie_root WHERE label = ?";
    const next = this.#database.get(select, formatFelt(label));
    return idOfRoot(this.#database, label, root) ?? Number(next?.["next"]);
  }
}

/** Maximum number of nodes of all tries, since each root stays readable. */
const MAX_KEPT = 200_000;

/** The tries of a database, with changes that `save` stores. */
export class TrieView {
  /** Nodes of all proofs. */
  public proven = 0;
  readonly #database: ServerDatabase;
  readonly #added = new Map<bigint, StateNode>();
  readonly #roots = new Map<string, readonly [bigint, bigint]>();
  readonly #nodes: StateNodes;
  readonly #kept: { count: number };

  public constructor(database: ServerDatabase, kept: { count: number }) {
    this.#database = database;
    this.#kept = kept;
    this.#nodes = {
      get: (hash) => this.#added.get(hash) ?? storedNode(database, hash),
      add: (node) => {
        const hash = stateNodeHash(node);
        this.#added.set(hash, node);
        if (this.#kept.count + this.#added.size > MAX_KEPT) {
          const found = `${grouped(this.#kept.count)} nodes of tries are kept`;
          throw tooBusy("nodes", found, "Start the server anew, with another data folder.");
        }
        return hash;
      },
    };
  }

  /** Returns the root of a new trie with these keys and values. */
  public create(label: bigint, leaves: Iterable<readonly [bigint, bigint]>): bigint {
    return this.#rooted(label, computeStateRoot(this.#nodes, leaves));
  }

  /** Returns the root after a write. @throws HttpRefusal HDP-4519 for an unknown root */
  public write(label: bigint, root: bigint, key: bigint, value: bigint): bigint {
    this.#requireRoot(label, root);
    return this.#rooted(label, writeState(this.#nodes, root, key, value));
  }

  /** Returns a key's value with its proof. @throws HttpRefusal HDP-4519 for an unknown root */
  public prove(label: bigint, root: bigint, key: bigint): StateReadProof {
    this.#requireRoot(label, root);
    const proof = proveStateRead(this.#nodes, root, key);
    this.proven += proof.nodes.length;
    return proof;
  }

  /** Writes the additions. Call it inside `write` of the database. */
  public save(): void {
    for (const [hash, node] of this.#added) {
      const [left, right, length] = nodeColumns(node);
      this.#kept.count += this.#database.run(
        "INSERT INTO trie_node (hash, left, right, length) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        formatFelt(hash),
        formatFelt(left),
        formatFelt(right),
        length,
      );
    }
    for (const [label, root] of this.#roots.values()) {
      const name = formatFelt(label);
      this.#database.run(
        "INSERT INTO trie_root (label, root, id) SELECT ?, ?, coalesce(max(id), 0) + 1 FROM trie_root WHERE label = ? ON CONFLICT DO NOTHING",
        name,
        formatFelt(root),
        name,
      );
    }
  }

  #rooted(label: bigint, root: bigint): bigint {
    if (root !== 0n) this.#roots.set(`${label}/${root}`, [label, root]);
    return root;
  }

  #requireRoot(label: bigint, root: bigint): void {
    if (this.#roots.has(`${label}/${root}`)) return;
    if (idOfRoot(this.#database, label, root) === undefined) unknownTrie(label, root);
  }
}

function idOfRoot(database: ServerDatabase, label: bigint, root: bigint): number | undefined {
  if (root === 0n) return 0;
  const names = [formatFelt(label), formatFelt(root)];
  const row = database.get("SELECT id FROM trie_root WHERE label = ? AND root = ?", ...names);
  return row && Number(row["id"]);
}

/** Returns the columns of a node: child, path and length of an edge; the children of a binary node. */
function nodeColumns(node: StateNode): readonly [bigint, bigint, number | null] {
  return node.kind === "binary"
    ? [node.left, node.right, null]
    : [node.child, node.path, node.length];
}

/** Returns a node from the database, of the columns that {@link nodeColumns} returns. */
function storedNode(database: ServerDatabase, hash: bigint): StateNode | undefined {
  const row = database.get(
    "SELECT left, right, length FROM trie_node WHERE hash = ?",
    formatFelt(hash),
  );
  if (row === undefined) return undefined;
  const [left, right] = [BigInt(textIn(row, "left")), BigInt(textIn(row, "right"))];
  if (row["length"] === null) return { kind: "binary", left, right };
  return { kind: "edge", child: left, path: right, length: Number(row["length"]) };
}

function unknownTrie(label: bigint, root: bigint): never {
  const call = "POST /create_trie with its label, keys and values";
  throw unknownId(`trie ${formatFelt(label)} with the root`, formatFelt(root), call);
}
