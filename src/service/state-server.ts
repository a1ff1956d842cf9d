import { z } from "zod";

import { formatFelt, isFelt } from "../base/felt.js";
import { hdpError } from "../errors/hdp-error.js";
import type { StateNode } from "../request/state-trie.js";
import { endpointCall } from "./endpoints.js";
import type { HttpClient } from "./http/http-client.js";

/** A felt in the published server's forms: 0x hex, or decimal text. */
export const felt = z
  .string()
  .regex(/^(0x[0-9a-fA-F]{1,64}|\d{1,77})$/, "expected a felt as text")
  .transform(BigInt)
  .refine(isFelt, "expected a felt");

/** Reply of `POST /write`. */
export const writtenSchema = z.object({
  trie_id: z.number(),
  trie_root: felt,
  key: felt,
  value: felt,
});

/** An edge's path is big-endian bytes of which the first `bit_len` bits count. */
const nodeSchema = z.union([
  z
    .object({ Binary: z.object({ left: felt, right: felt }) })
    .transform(({ Binary }): StateNode => ({ kind: "binary", ...Binary })),
  z
    .object({
      Edge: z.object({
        child: felt,
        path: z.array(z.number().int().min(0).max(255)).max(32),
        bit_len: z.number().int().min(1).max(251),
      }),
    })
    .transform(({ Edge: { child, path, bit_len } }): StateNode => {
      const bits = path.reduce((value, byte) => (value << 8n) + BigInt(byte), 0n);
      return {
        kind: "edge",
        child,
        path: bits >> BigInt(Math.max(0, path.length * 8 - bit_len)),
        length: bit_len,
      };
    }),
]);
const leafSchema = z.object({ key: felt, data: z.object({ value: felt }) });
/** Reply of `POST /get_state_proofs`. */
export const stateProofsSchema = z.object({
  state_proofs: z.array(
    z.union([
      z.object({
        Read: z.object({
          trie_label: felt.optional(),
          trie_root: felt,
          state_proof: z.array(nodeSchema),
          leaf: leafSchema,
        }),
      }),
      z.object({
        Write: z.object({
          trie_label: felt.optional(),
          trie_root_prev: felt,
          state_proof_prev: z.array(nodeSchema),
          leaf_prev: leafSchema,
          trie_root_post: felt,
          state_proof_post: z.array(nodeSchema),
          leaf_post: leafSchema,
        }),
      }),
    ]),
  ),
});

/** Returns a node of a trie as the state server sends it. */
export function nodeJson(node: StateNode): unknown {
  if (node.kind === "binary")
    return { Binary: { left: formatFelt(node.left), right: formatFelt(node.right) } };
  const bytes = Math.ceil(node.length / 8);
  const digits = (node.path << BigInt(bytes * 8 - node.length))
    .toString(16)
    .padStart(bytes * 2, "0");
  return {
    Edge: {
      child: formatFelt(node.child),
      path: [...Buffer.from(digits, "hex")],
      bit_len: node.length,
    },
  };
}

/** Client for a run's calls to a state server, which stores tries by label and root. */
export class StateServerClient {
  public constructor(private readonly http: HttpClient) {}

  /** Writes a value under a root and returns the new root. The old root stays readable. */
  public async write(label: bigint, root: bigint, key: bigint, value: bigint): Promise<bigint> {
    const json = { ...place(label, root, key), value: formatFelt(value) };
    const parts = { ...endpointCall("POST /write"), json };
    return await this.http.call(parts, (reply) => writtenSchema.parse(reply.json()).trie_root);
  }

  /** Returns the nodes from a root towards a key, which the caller checks. @throws HdpError HDP-2028 without a proof */
  public async prove(label: bigint, root: bigint, key: bigint): Promise<readonly StateNode[]> {
    const json = { actions: [{ Read: place(label, root, key) }] };
    return await this.http.call({ ...endpointCall("POST /get_state_proofs"), json }, (reply) => {
      const [proof] = stateProofsSchema.parse(reply.json()).state_proofs;
      if (proof !== undefined && "Read" in proof) return proof.Read.state_proof;
      const values = { key: formatFelt(key), root: formatFelt(root) };
      throw hdpError("HDP-2028", values, { path: "hdp.local.stateServer" });
    });
  }
}

function place(
  label: bigint,
  root: bigint,
  key: bigint,
): Readonly<Record<"trie_label" | "trie_root" | "key", string>> {
  return { trie_label: formatFelt(label), trie_root: formatFelt(root), key: formatFelt(key) };
}
