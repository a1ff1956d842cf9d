import { z } from "zod";

import { formatFelt } from "../base/felt.js";
import { grouped } from "../base/text.js";
import { felt, nodeJson, stateProofsSchema, writtenSchema } from "../service/state-server.js";
import { readAs } from "./body.js";
import { badRequest, tooLarge } from "./refusals.js";
import {
  type Decided,
  publishedRoutes,
  type Reply,
  type Request,
  type Route,
  type RouteBody,
  textReply,
} from "./route.js";
import type { StateTries, TrieView } from "./state-tries.js";

const createTrieSchema = z.object({ trie_label: felt, keys: z.array(felt), values: z.array(felt) });
const readSchema = z.object({ trie_label: felt, trie_root: felt, key: felt });
const writeSchema = readSchema.extend({ value: felt });
type Read = z.output<typeof readSchema>;
type Write = z.output<typeof writeSchema>;
const actionSchema = z.union([z.object({ Read: readSchema }), z.object({ Write: writeSchema })]);
type Action = z.output<typeof actionSchema>;
const stateActionsSchema = z.object({ actions: z.array(actionSchema) });

const jsonBody = (schema: z.ZodTypeAny, example: object): RouteBody => ({
  type: "json",
  schemas: [schema],
  example,
});
const CREATED = { trie_label: "0x1", keys: ["0x2a"], values: ["0x7"] };
const PLACE = { trie_label: "0x1", trie_root: "0x0", key: "0x2a" };
const TRIE = {
  trie_label: "The trie's label, a felt",
  trie_root: "Root of the trie; 0x0 is the empty one",
};
/** Maximum number of nodes in the proofs of a reply. */
const MAX_NODES = 10_000;

/** Returns the routes of the state server. */
export function stateRoutes(tries: StateTries): readonly Route[] {
  return publishedRoutes({
    "POST /create_trie": {
      summary: "Make a trie of keys and values. Answers its root",
      body: jsonBody(createTrieSchema, CREATED),
      reply: z.object({ trie_root: felt }),
      handle: async (request) => await createTrie(tries, request),
    },
    "GET /read": {
      summary: "The value of a key under a root, null where there is none",
      query: { ...TRIE, key: "The key, a felt" },
      queryForm: readSchema,
      reply: z.object({ key: felt, value: felt.nullable() }),
      handle: (request) => readKey(tries, request),
    },
    "POST /write": {
      summary: "Write a key under a root. Answers the new root; the old one stays readable",
      body: jsonBody(writeSchema, { ...PLACE, value: "0x7" }),
      reply: writtenSchema,
      handle: async (request) => await writeKey(tries, request),
    },
    "POST /get_state_proofs": {
      summary: "Proofs of reads and writes: the nodes from the root to the key",
      body: jsonBody(stateActionsSchema, { actions: [{ Read: PLACE }] }),
      reply: stateProofsSchema,
      handle: async (request) => await proveActions(tries, request),
    },
    "GET /get_trie_root_node_idx": {
      summary: "The id of a root, 0 for the empty trie",
      query: TRIE,
      queryForm: readSchema,
      reply: z.object({ trie_root_node_idx: z.number(), trie_root: felt }),
      handle: (request) => idOfRoot(tries, request),
    },
  });
}

async function createTrie(tries: StateTries, { json, turns }: Request): Promise<Reply> {
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
}

function readKey(tries: StateTries, { query }: Request): Reply {
  const { trie_label, trie_root, key } = readAs(readSchema, Object.fromEntries(query));
  const { value } = tries.view().prove(trie_label, trie_root, key);
  return feltReply({ key, value: value === 0n ? null : value });
}

async function writeKey(tries: StateTries, { json, turns }: Request): Promise<Decided> {
  const { trie_label, trie_root: before, key, value } = readAs(writeSchema, json);
  await turns.next();
  const view = tries.view();
  const trie_root = view.write(trie_label, before, key, value);
  return () => ({
    ...feltReply({ trie_id: tries.idFor(trie_label, trie_root), trie_root, key, value }),
    write: () => view.save(),
  });
}

async function proveActions(tries: StateTries, { json, turns }: Request): Promise<Reply> {
  const view = tries.view();
  const state_proofs: unknown[] = [];
  for (const action of readAs(stateActionsSchema, json).actions) {
    await turns.next();
    state_proofs.push(actionJson(view, action));
    if (view.proven > MAX_NODES)
      throw tooLarge(`its proofs have more than ${grouped(MAX_NODES)} nodes`);
  }
  return { ...feltReply({ state_proofs }), write: () => view.save() };
}

function idOfRoot(tries: StateTries, { query }: Request): Reply {
  const place = readAs(readSchema.omit({ key: true }), Object.fromEntries(query));
  const { trie_label, trie_root } = place;
  return feltReply({ trie_root_node_idx: tries.requireId(trie_label, trie_root), trie_root });
}

function actionJson(view: TrieView, action: Action): object {
  if ("Write" in action) return { Write: writeJson(view, action.Write) };
  const { trie_label, trie_root } = action.Read;
  return { Read: { trie_label, trie_root, ...proofJson(view, action.Read) } };
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
    trie_label,
    trie_root_prev,
    state_proof_prev: before.state_proof,
    leaf_prev: before.leaf,
    trie_root_post,
    state_proof_post: after.state_proof,
    leaf_post: after.leaf,
  };
}

function proofJson(
  view: TrieView,
  { trie_label, trie_root, key }: Read,
): { state_proof: unknown[]; leaf: object } {
  const { nodes, value } = view.prove(trie_label, trie_root, key);
  return { state_proof: nodes.map(nodeJson), leaf: { key, data: { value } } };
}
