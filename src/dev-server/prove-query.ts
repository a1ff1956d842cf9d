import type { Hex } from "viem";
import { z } from "zod";

import type { Eip1193Provider } from "../base/rpc.js";
import { provenHeader } from "../chain/blocks.js";
import { bigIntOf, list, quantity, RpcClient, rpcObject, type RpcObject } from "../chain/node-rpc.js";
import { verifyAccount, verifySlot } from "../chain/state-proof.js";
import { hdpError } from "../errors/hdp-error.js";
import { type BlockTime, firstBlockAtOrAfter } from "../request/block-reference.js";
import { chainIdentifierOf, type ChainIdentifier, findChainIdentifier } from "../request/chains.js";
import { FIELD_NAMES } from "../request/fields.js";
import { ACCOUNT_PROPS, headerPosition } from "../service/storage-proof.js";

/** Returns a schema of text that passes a test. The error quotes the text. */
function textThat(passes: (text: string) => boolean, words: string): z.ZodEffects<z.ZodString> {
  return z.string().refine(passes, (text) => ({ message: `"${text.slice(0, 80)}" is ${words}` }));
}

const chainSchema = textThat(isKnownChain, "not a known chain");
const chainIdSchema = textThat((text) => /^\d+$/.test(text) && isKnownChain(text), "not the id of a known chain");
/** A request names up to 19,000 of them: checks and transformations of zod would take 3 kB of memory for each. */
const slotSchema = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, "not a slot of 32 bytes");
const addressSchema = textThat(
  (text) => /^0x[0-9a-f]{40}$/i.test(text),
  "not an address (names are not resolved here)",
);
const headerFieldSchema = textThat((text) => headerPosition(text) >= 0, "not a header field");
const accountPropSchema = textThat((text) => ACCOUNT_PROPS.includes(text), `not one of ${ACCOUNT_PROPS.join(", ")}`);
const timeSchema = textThat(
  (text) => /^(block|timestamp):\d+$/.test(text),
  "neither block:<number> nor timestamp:<unix seconds>",
);
const accountSchema = z
  .object({ slots: z.array(slotSchema).default([]), props: z.array(accountPropSchema).default([]) })
  .refine(({ slots, props }) => slots.length + props.length > 0, "neither slots nor props are given");
const selectionSchema = z
  .object({
    header: z.array(headerFieldSchema).default([]),
    accounts: z.record(addressSchema, accountSchema).default({}),
  })
  .refine(
    ({ header, accounts }) => header.length + Object.keys(accounts).length > 0,
    "neither header fields nor accounts are given",
  );

/** Body of `POST /submit-request`: origin chain id to time key to selection. */
export const proofRequestSchema = z.object({
  destination_chain_id: chainSchema,
  data: z
    .record(chainIdSchema, z.record(timeSchema, selectionSchema))
    .refine((data) => Object.values(data).some((blocks) => Object.keys(blocks).length > 0), "no block is named"),
});

/** The values to prove of one block of one chain. */
export const proofQuerySchema = z.object({
  /** Decimal. */
  chainId: z.string(),
  /** `block:<number>` or `timestamp:<unix seconds>`. */
  time: timeSchema,
  selection: selectionSchema,
});
export type ProofQuery = z.infer<typeof proofQuerySchema>;

/** An action for a query. Services do not document actions: the members are specific to this server. */
export type ProofAction = Readonly<Record<string, unknown>>;

/** Returns the queries of a request, one for each block of each origin chain. */
export function proofQueries({ data }: z.output<typeof proofRequestSchema>): readonly ProofQuery[] {
  return Object.entries(data).flatMap(([chainId, blocks]) =>
    Object.entries(blocks).map(([time, selection]) => ({ chainId, time, selection })),
  );
}

function isKnownChain(chain: string): boolean {
  const isNumber = /^(0x[0-9a-fA-F]+|\d+)$/.test(chain);
  return (isNumber ? chainIdentifierOf(BigInt(chain)) : findChainIdentifier(chain)) !== undefined;
}

const STATE_ROOT = FIELD_NAMES.header.indexOf("state_root");

/** Reads values and verifies them against the block's hash and state root. @throws HdpError of area 4xxx */
export async function proveQuery(
  provider: Eip1193Provider,
  chain: ChainIdentifier,
  query: ProofQuery,
  signal: AbortSignal,
): Promise<readonly ProofAction[]> {
  const rpc = new RpcClient(provider, { signal });
  const number = await blockOf(rpc, chain, query.time);
  const block = await readBlock(rpc, number);
  const { items } = provenHeader(number, block);
  const common = { chain_id: query.chainId, block_number: number.toString(), block_hash: block.fields["hash"] };
  const actions: ProofAction[] = [];
  const { header, accounts } = query.selection;
  if (header.length > 0) {
    // Bytes as in the header; null if the block's header does not have the field.
    const fields = Object.fromEntries(header.map((name) => [name, items[headerPosition(name)] ?? null]));
    actions.push({ kind: "header", ...common, header_rlp_items: items, fields, verified: true });
  }
  for (const [address, account] of Object.entries(accounts)) {
    const proven = await proveAccount(
      rpc,
      number,
      items[STATE_ROOT] ?? "0x",
      `0x${address.slice(2).toLowerCase()}`,
      account,
    );
    actions.push({ kind: "account", ...common, ...proven, verified: true });
  }
  return actions;
}

async function proveAccount(
  rpc: RpcClient,
  number: bigint,
  stateRoot: Hex,
  address: Hex,
  { slots: named, props }: z.output<typeof accountSchema>,
): Promise<ProofAction> {
  const slots = named.map((slot): Hex => `0x${slot.slice(2).toLowerCase().padStart(64, "0")}`);
  const proof = rpcObject(
    await rpc.call("eth_getProof", [address, slots, quantity(number)]),
    `account ${address} in block ${number}`,
  );
  const account = verifyAccount(number, stateRoot, address, proof);
  const values = slots.map((slot, position) => {
    const word = verifySlot(number, account, address, slot, onlyProof(proof, position));
    return [slot, `0x${word.toString(16).padStart(64, "0")}`] as const;
  });
  const known: Readonly<Record<string, string>> = {
    NONCE: account.nonce.toString(),
    BALANCE: account.balance.toString(),
    STORAGE_ROOT: account.storageRoot,
    CODE_HASH: account.codeHash,
  };
  return {
    account: address,
    props: Object.fromEntries(props.map((name) => [name, known[name]])),
    slots: Object.fromEntries(values),
    proof: { accountProof: list(proof, "accountProof"), storageProof: list(proof, "storageProof") },
  };
}

/** Returns an answer with only one of its storage proofs, as the verifier requires. */
function onlyProof(proof: RpcObject, position: number): RpcObject {
  return { what: proof.what, fields: { ...proof.fields, storageProof: [list(proof, "storageProof")[position]] } };
}

/** Returns the number of the query's block; for a time, the last block at or before it. */
async function blockOf(rpc: RpcClient, chain: ChainIdentifier, time: string): Promise<bigint> {
  const timeOf = async (at: bigint | "latest"): Promise<BlockTime> => {
    const block = await readBlock(rpc, at);
    return { number: bigIntOf(block, "number"), timestamp: bigIntOf(block, "timestamp") };
  };
  const latest = await timeOf("latest");
  const [kind, number = ""] = time.split(":");
  if (kind === "block") {
    const block = BigInt(number);
    if (block > latest.number) throw hdpError("HDP-4101", { block, chain, head: latest.number });
    return block;
  }
  const timestamp = BigInt(number);
  const next = await firstBlockAtOrAfter(timestamp + 1n, latest, timeOf);
  if (next === undefined) return latest.number;
  if (next.number === 0n) throw hdpError("HDP-4530", { chain, timestamp });
  return next.number - 1n;
}

async function readBlock(rpc: RpcClient, at: bigint | "latest"): Promise<RpcObject> {
  const name = at === "latest" ? at : quantity(at);
  return rpcObject(await rpc.call("eth_getBlockByNumber", [name, false]), `block ${at}`);
}
