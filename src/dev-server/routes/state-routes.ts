import { formatFelt } from "../../base/felt.js";
import {
  createdTrieSchema,
  createTrieSchema,
  nodeJson,
  readReplySchema,
  readSchema,
  rootIndexReplySchema,
  rootIndexSchema,
  stateActionsSchema,
  stateProofsSchema,
  writeSchema,
  writtenSchema,
} from "../../service/state-server.js";
import { parsedAs } from "../body.js";
import { FrontProblem, jsonReply, refusalOf } from "../front-problem.js";
import type { Route } from "../router.js";
import type { StateTries } from "../state-tries.js";

const LABEL = { name: "trie_label", summary: "The trie's label, a felt", required: true } as const;
const ROOT = { name: "trie_root", summary: "Root of the trie; 0x0 is the empty one", required: true } as const;

/** The published state server: tries of injected state, read and written at any of their roots. */
export function stateRoutes(tries: StateTries): readonly Route[] {
  const route = (path: string, rest: Omit<Route, "path" | "interface">): Route => ({
    path,
    interface: "state server",
    ...rest,
    handle: async (request) => {
      try {
        return await rest.handle(request);
      } catch (error) {
        throw refusalOf(error);
      }
    },
  });
  return [
    route("/create_trie", {
      method: "POST",
      summary: "Make a trie of keys and values; answers its root",
      body: { type: "json", schema: createTrieSchema, example: { trie_label: "0x1", keys: ["0x2a"], values: ["0x7"] } },
      reply: createdTrieSchema,
      handle: async ({ json }) => {
        const { trie_label, keys, values } = parsedAs(createTrieSchema, json);
        if (keys.length !== values.length) throw unequal(keys.length, values.length);
        const root = await tries.create(
          trie_label,
          keys.map((key, index) => [key, values[index] ?? 0n]),
        );
        return jsonReply(200, { trie_root: formatFelt(root) });
      },
    }),
    route("/read", {
      method: "GET",
      summary: "The value of a key under a root, null where there is none",
      query: [LABEL, ROOT, { name: "key", summary: "The key, a felt", required: true }],
      reply: readReplySchema,
      handle: ({ query }) => {
        const { trie_label, trie_root, key } = parsedAs(readSchema, Object.fromEntries(query));
        const value = tries.read(trie_label, trie_root, key);
        return jsonReply(200, { key: formatFelt(key), value: value === 0n ? null : formatFelt(value) });
      },
    }),
    route("/write", {
      method: "POST",
      summary: "Write a key under a root; answers the new root, and the old one stays readable",
      body: {
        type: "json",
        schema: writeSchema,
        example: { trie_label: "0x1", trie_root: "0x0", key: "0x2a", value: "0x7" },
      },
      reply: writtenSchema,
      handle: async ({ json }) => {
        const { trie_label, trie_root, key, value } = parsedAs(writeSchema, json);
        const root = await tries.write(trie_label, trie_root, key, value);
        return jsonReply(200, {
          trie_id: tries.idOf(trie_label, root),
          trie_root: formatFelt(root),
          key: formatFelt(key),
          value: formatFelt(value),
        });
      },
    }),
    route("/get_state_proofs", {
      method: "POST",
      summary: "Proofs of reads and writes: the nodes from the root to the key",
      body: {
        type: "json",
        schema: stateActionsSchema,
        example: { actions: [{ Read: { trie_label: "0x1", trie_root: "0x0", key: "0x2a" } }] },
      },
      reply: stateProofsSchema,
      handle: async ({ json }) => {
        const proofs: unknown[] = [];
        for (const action of parsedAs(stateActionsSchema, json).actions) {
          proofs.push("Read" in action ? readProof(tries, action.Read) : await writeProof(tries, action.Write));
        }
        return jsonReply(200, { state_proofs: proofs });
      },
    }),
    route("/get_trie_root_node_idx", {
      method: "GET",
      summary: "The id of a root, 0 for the empty trie",
      query: [LABEL, ROOT],
      reply: rootIndexReplySchema,
      handle: ({ query }) => {
        const { trie_label, trie_root } = parsedAs(rootIndexSchema, Object.fromEntries(query));
        return jsonReply(200, {
          trie_root_node_idx: tries.idOf(trie_label, trie_root),
          trie_root: formatFelt(trie_root),
        });
      },
    }),
  ];
}

interface Place {
  readonly trie_label: bigint;
  readonly trie_root: bigint;
  readonly key: bigint;
}

function readProof(tries: StateTries, { trie_label, trie_root, key }: Place): unknown {
  return {
    Read: {
      trie_label: formatFelt(trie_label),
      trie_root: formatFelt(trie_root),
      state_proof: nodesJson(tries, trie_label, trie_root, key),
      leaf: leafJson(key, tries.read(trie_label, trie_root, key)),
    },
  };
}

async function writeProof(tries: StateTries, action: Place & { readonly value: bigint }): Promise<unknown> {
  const { trie_label, trie_root, key, value } = action;
  const post = await tries.write(trie_label, trie_root, key, value);
  return {
    Write: {
      trie_label: formatFelt(trie_label),
      trie_root_prev: formatFelt(trie_root),
      state_proof_prev: nodesJson(tries, trie_label, trie_root, key),
      leaf_prev: leafJson(key, tries.read(trie_label, trie_root, key)),
      trie_root_post: formatFelt(post),
      state_proof_post: nodesJson(tries, trie_label, post, key),
      leaf_post: leafJson(key, value),
    },
  };
}

function nodesJson(tries: StateTries, label: bigint, root: bigint, key: bigint): readonly unknown[] {
  return tries.nodesTo(label, root, key).map(nodeJson);
}

function leafJson(key: bigint, value: bigint): unknown {
  return { key: formatFelt(key), data: { value: formatFelt(value) } };
}

function unequal(keys: number, values: number): FrontProblem {
  return new FrontProblem({
    code: "HDP-4534",
    status: 400,
    message: `a trie was to be made of ${keys} keys and ${values} values.`,
    hints: ["Give one value for each key."],
  });
}
