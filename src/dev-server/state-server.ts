import { z } from "zod";

import { formatFelt } from "../base/felt.js";
import { grouped } from "../base/text.js";
import type { StateNode, StateNodes, StateReadProof } from "../request/state-trie.js";
import { proveStateRead, stateNodeHash, stateRootOf, writeState } from "../request/state-trie.js";
import { felt, nodeJson, stateProofsSchema, writtenSchema } from "../service/state-server.js";
import { readAs } from "./body.js";
import { type ServerDatabase, textIn } from "./database.js";
import type { Reply, Route, RouteBody } from "./route.js";
import {
  badRequest,
  DATA_PROCESSOR_KEY,
  routesOf,
  textReply,
  tooBusy,
  tooLarge,
  unknownId,
} from "./route.js";

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

  public view(): TrieView {
    return new TrieView(this.#database, this.#nodes);
  }

  /** Returns the nodes from a root to a key. @throws Refusal HDP-4519 for an unknown root */
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
  public idOf(label: bigint, root: bigint): number {
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
class TrieView {
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

  public create(label: bigint, leaves: Iterable<readonly [bigint, bigint]>): bigint {
    return this.#rooted(label, stateRootOf(this.#nodes, leaves));
  }

  public write(label: bigint, root: bigint, key: bigint, value: bigint): bigint {
    this.#requireRoot(label, root);
    return this.#rooted(label, writeState(this.#nodes, root, key, value));
  }

  public prove(label: bigint, root: bigint, key: bigint): StateReadProof {
    this.#requireRoot(label, root);
    const proof = proveStateRead(this.#nodes, root, key);
    this.proven += proof.nodes.length;
    return proof;
  }

  /** Writes the additions. Call it inside `write` of the database. */
  public save(): void {
    for (const [hash, node] of this.#added) {
      const [left, right, length] =
        node.kind === "binary"
          ? [node.left, node.right, null]
          : [node.child, node.path, node.length];
      this.#kept.count += this.#database.run(
        "INSERT INTO trie_node (hash, left, right, length) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        ...[formatFelt(hash), formatFelt(left), formatFelt(right), length],
      );
    }
    for (const [label, root] of this.#roots.values()) {
      const name = formatFelt(label);
      this.#database.run(
        "INSERT INTO trie_root (label, root, id) SELECT ?, ?, coalesce(max(id), 0) + 1 FROM trie_root WHERE label = ? ON CONFLICT DO NOTHING",
        ...[name, formatFelt(root), name],
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

/** Returns a node from the database. Columns: child, path and length of an edge; the children of a binary node. */
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
  const remedy = "Make the trie first: POST /create_trie with its label, keys and values.";
  throw unknownId(`trie ${formatFelt(label)} with the root`, formatFelt(root), remedy);
}

const createTrieSchema = z.object({ trie_label: felt, keys: z.array(felt), values: z.array(felt) });
const readSchema = z.object({ trie_label: felt, trie_root: felt, key: felt });
const writeSchema = readSchema.extend({ value: felt });
type Read = z.output<typeof readSchema>;
type Write = z.output<typeof writeSchema>;
const stateActionsSchema = z.object({
  actions: z.array(z.union([z.object({ Read: readSchema }), z.object({ Write: writeSchema })])),
});

const jsonBody = (schema: z.ZodTypeAny, example: object): RouteBody => ({
  type: "json",
  schemas: [schema],
  example,
});
const TRIE = {
  trie_label: "The trie's label, a felt",
  trie_root: "Root of the trie; 0x0 is the empty one",
};
/** Maximum number of nodes in the proofs of a reply. */
const MAX_NODES = 10_000;

export function stateRoutes(tries: StateTries): readonly Route[] {
  const routes = routesOf("state server", DATA_PROCESSOR_KEY, {
    "POST /create_trie": {
      summary: "Make a trie of keys and values. Answers its root",
      body: jsonBody(createTrieSchema, { trie_label: "0x1", keys: ["0x2a"], values: ["0x7"] }),
      reply: z.object({ trie_root: felt }),
      handle: async ({ json, turns }) => {
        const { trie_label, keys, values } = readAs(createTrieSchema, json);
        await turns.next();
        if (keys.length !== values.length) {
          throw badRequest(
            `${keys.length} keys and ${values.length} values were given: one value belongs to each key`,
          );
        }
        const view = tries.view();
        const leaves = keys.map((key, index) => [key, values[index] ?? 0n] as const);
        const trie_root = view.create(trie_label, leaves);
        // Saving takes as long again.
        await turns.next();
        return { ...feltReply({ trie_root }), write: () => view.save() };
      },
    },
    "GET /read": {
      summary: "The value of a key under a root, null where there is none",
      query: { ...TRIE, key: "The key, a felt" },
      reply: z.object({ key: felt, value: felt.nullable() }),
      handle: ({ query }) => {
        const { trie_label, trie_root, key } = readAs(readSchema, Object.fromEntries(query));
        const { value } = tries.view().prove(trie_label, trie_root, key);
        return feltReply({ key, value: value === 0n ? null : value });
      },
    },
    "POST /write": {
      summary: "Write a key under a root. Answers the new root; the old one stays readable",
      body: jsonBody(writeSchema, {
        trie_label: "0x1",
        trie_root: "0x0",
        key: "0x2a",
        value: "0x7",
      }),
      reply: writtenSchema,
      handle: async ({ json, turns }) => {
        const { trie_label, trie_root: before, key, value } = readAs(writeSchema, json);
        await turns.next();
        const view = tries.view();
        const trie_root = view.write(trie_label, before, key, value);
        return () => ({
          ...feltReply({ trie_id: tries.idFor(trie_label, trie_root), trie_root, key, value }),
          write: () => view.save(),
        });
      },
    },
    "POST /get_state_proofs": {
      summary: "Proofs of reads and writes: the nodes from the root to the key",
      body: jsonBody(stateActionsSchema, {
        actions: [{ Read: { trie_label: "0x1", trie_root: "0x0", key: "0x2a" } }],
      }),
      reply: stateProofsSchema,
      handle: async ({ json, turns }) => {
        const view = tries.view();
        const state_proofs: unknown[] = [];
        for (const action of readAs(stateActionsSchema, json).actions) {
          await turns.next();
          if ("Write" in action) state_proofs.push({ Write: writeJson(view, action.Write) });
          else {
            const { trie_label, trie_root } = action.Read;
            state_proofs.push({ Read: { trie_label, trie_root, ...proofJson(view, action.Read) } });
          }
          if (view.proven > MAX_NODES)
            throw tooLarge(`its proofs have more than ${grouped(MAX_NODES)} nodes`);
        }
        return { ...feltReply({ state_proofs }), write: () => view.save() };
      },
    },
    "GET /get_trie_root_node_idx": {
      summary: "The id of a root, 0 for the empty trie",
      query: TRIE,
      reply: z.object({ trie_root_node_idx: z.number(), trie_root: felt }),
      handle: ({ query }) => {
        const { trie_label, trie_root } = readAs(
          readSchema.omit({ key: true }),
          Object.fromEntries(query),
        );
        return feltReply({ trie_root_node_idx: tries.idOf(trie_label, trie_root), trie_root });
      },
    },
  });
  return routes.map((route) => ({ ...route, keyNeeded: "when set" }));
}

/** Returns a JSON reply with felts as hex text. */
function feltReply(value: object): Reply {
  const felts = (_: string, item: unknown): unknown =>
    typeof item === "bigint" ? formatFelt(item) : item;
  return textReply(JSON.stringify(value, felts), "application/json");
}

function writeJson(
  view: TrieView,
  { trie_label, trie_root: trie_root_prev, key, value }: Write,
): object {
  const trie_root_post = view.write(trie_label, trie_root_prev, key, value);
  const before = proofJson(view, { trie_label, trie_root: trie_root_prev, key });
  const after = proofJson(view, { trie_label, trie_root: trie_root_post, key });
  return {
    ...{ trie_label, trie_root_prev, state_proof_prev: before.state_proof, leaf_prev: before.leaf },
    ...{ trie_root_post, state_proof_post: after.state_proof, leaf_post: after.leaf },
  };
}

function proofJson(
  view: TrieView,
  { trie_label, trie_root, key }: Read,
): { state_proof: unknown[]; leaf: object } {
  const { nodes, value } = view.prove(trie_label, trie_root, key);
  return { state_proof: nodes.map(nodeJson), leaf: { key, data: { value } } };
}
