import type { Hex } from "viem";
import { z } from "zod";

import { formatFelt } from "../../base/felt.js";
import { splitWord, toWord } from "../../base/hex.js";

/** A Merkle mountain range that a run used. A Keccak root is 256 bits, sent as two halves. */
export interface DecommitmentMmr {
  readonly id: Hex;
  readonly size: bigint;
  /** Chain whose headers it holds. */
  readonly chainId: bigint;
  readonly hash: "poseidon" | "keccak";
  readonly root: Hex;
}

/** What a run at the prover put out. */
export interface DecommitmentOutput {
  readonly taskHash: Hex;
  readonly root: Hex;
  readonly mmrs?: readonly DecommitmentMmr[];
}

const size = z
  .union([
    z.string().regex(/^(0x[0-9a-fA-F]+|[0-9]+)$/, "expected a number"),
    z.number().int().min(0),
  ])
  .transform(String);
const felt = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, "expected 0x and at most 64 hex digits");
const half = z.string().regex(/^0x[0-9a-fA-F]{1,32}$/, "expected 0x and at most 32 hex digits");
const mmrFacts = { id: felt, size, chain_id: felt };
const poseidonMmr = z.object({ ...mmrFacts, root: felt });
const keccakMmr = z.object({ ...mmrFacts, root_low: half, root_high: half });

/** A Merkle mountain range as the page has it: the hash function is the name of the only member. */
const variantMmr = z.union([
  z.object({ Poseidon: poseidonMmr }).strict(),
  z.object({ Keccak: keccakMmr }).strict(),
]);
/** The same as the prover writes it: the hash function is a member. */
const taggedMmr = z.discriminatedUnion("hash", [
  poseidonMmr.extend({ hash: z.literal("poseidon") }),
  keccakMmr.extend({ hash: z.literal("keccak") }),
]);

/** `hdp_output` of `POST /tasks/decommitment`, with both published forms of a Merkle mountain range. */
export const runOutputSchema = z.object({
  task_hash_low: half,
  task_hash_high: half,
  output_tree_root_low: half,
  output_tree_root_high: half,
  mmr_metas: z.array(z.union([variantMmr, taggedMmr])).optional(),
});

/** A run's output on the wire. */
export type RunOutputBody = z.output<typeof runOutputSchema>;
/** A Merkle mountain range on the wire, in one of its two forms. */
export type MmrBody = NonNullable<RunOutputBody["mmr_metas"]>[number];

/** Returns the 256 bits of two halves. */
export function joinedHalves(low: string, high: string): Hex {
  return toWord((BigInt(high) << 128n) + BigInt(low));
}

/** Returns the members of a Merkle mountain range, whichever form it has. */
export function mmrMembers(
  given: MmrBody,
): z.output<typeof poseidonMmr> | z.output<typeof keccakMmr> {
  if ("Poseidon" in given) return given.Poseidon;
  return "Keccak" in given ? given.Keccak : given;
}

/** Returns a run's output as the prover writes it, in the form of {@link DecommitmentOutput}. */
export function readRunOutput(body: RunOutputBody): DecommitmentOutput {
  return {
    taskHash: joinedHalves(body.task_hash_low, body.task_hash_high),
    root: joinedHalves(body.output_tree_root_low, body.output_tree_root_high),
    mmrs: (body.mmr_metas ?? []).map(readMmr),
  };
}

function readMmr(given: MmrBody): DecommitmentMmr {
  const mmr = mmrMembers(given);
  const facts = {
    id: formatFelt(BigInt(mmr.id)),
    size: BigInt(mmr.size),
    chainId: BigInt(mmr.chain_id),
  };
  return "root" in mmr
    ? { ...facts, hash: "poseidon", root: formatFelt(BigInt(mmr.root)) }
    : { ...facts, hash: "keccak", root: joinedHalves(mmr.root_low, mmr.root_high) };
}

/** Returns the published body of a run's output. */
export function runOutputBody({ taskHash, root, mmrs = [] }: DecommitmentOutput): object {
  const [task, tree] = [splitWord(taskHash), splitWord(root)];
  return {
    task_hash_low: formatFelt(task.low),
    task_hash_high: formatFelt(task.high),
    output_tree_root_low: formatFelt(tree.low),
    output_tree_root_high: formatFelt(tree.high),
    mmr_metas: mmrs.map(mmrBody),
  };
}

function mmrBody({ id, size: count, chainId, hash, root }: DecommitmentMmr): object {
  const facts = { id, size: formatFelt(count), chain_id: formatFelt(chainId) };
  if (hash === "poseidon") return { Poseidon: { ...facts, root } };
  const { low, high } = splitWord(root);
  return { Keccak: { ...facts, root_low: formatFelt(low), root_high: formatFelt(high) } };
}
